package config_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/services/config"
	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/fault"
)

const (
	db  = secret.URL("mysql://belfry:pw@127.0.0.1:3306/belfry")
	key = secret.Text("0123456789abcdef0123456789abcdef")
)

func TestDefaults(t *testing.T) {
	got, err := (&config.Serve{DatabaseURL: db}).Resolve()
	if err != nil {
		t.Fatal(err)
	}
	host, _ := os.Hostname()
	want := config.Settings{
		Listen: "127.0.0.1:7000", DatabaseURL: db, RedisPrefix: "belfry", Locks: config.LocksDatabase,
		PasswordSignIn: true, RequireSecondFactor: "none", SessionIdle: 12 * time.Hour, SessionLife: 7 * 24 * time.Hour,
		Mask: true, ServerName: host, AuditKept: 400 * 24 * time.Hour, ShutdownTimeout: 30 * time.Second, LogLevel: slog.LevelInfo, LogFormat: config.LogJSON,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAccepts(t *testing.T) {
	pem := filepath.Join(t.TempDir(), "server.pem")
	if err := os.WriteFile(pem, []byte("-"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, given := range map[string]config.Serve{
		"sqlite":          {DatabaseURL: "sqlite:///var/lib/belfry/belfry.db"},
		"sqlite, options": {DatabaseURL: "sqlite:///b.db?_pragma=foreign_keys(1)"},
		"mysql, options":  {DatabaseURL: "mysql://u:p%23@[::1]:3306/b?tls=true"},
		"no password":     {DatabaseURL: "mysql://u@host/b"},
		"redis":           {DatabaseURL: db, RedisURL: "redis://:pw@cache", Locks: "Redis"},
		"redis for hints": {DatabaseURL: db, RedisURL: "redis://cache", Locks: "database"},
		"quorum":          {DatabaseURL: db, RedisURL: "redis://a,redis://b,redis://c"},
		"key":             {DatabaseURL: db, SecretKey: key + "\n"},
		"ring":            {DatabaseURL: db, SecretKey: key + "x, " + key + " ,\n" + key + "y\n"},
		"blank":           {DatabaseURL: db + " \n", Listen: " ", Locks: "", RedisPrefix: " ", ShutdownTimeout: "", LogLevel: " ", LogFormat: ""},
		"listen":          {DatabaseURL: db, Listen: ":0"},
		"listen v6":       {DatabaseURL: db, Listen: "[::]:7000"},
		"public":          {DatabaseURL: db, PublicURL: "https://belfry.example.org/jobs/"},
		"proxy":           {DatabaseURL: db, OutboundProxy: "http://u:p@proxy:3128/"},
		"tls":             {DatabaseURL: db, TLSCert: pem, TLSKey: pem},
		"logs":            {DatabaseURL: db, LogLevel: "WARN", LogFormat: "Text", ShutdownTimeout: "1m30s"},
	} {
		if _, err := given.Resolve(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	got, err := (&config.Serve{DatabaseURL: db, RedisURL: "redis://cache", PublicURL: "https://x/y/", SecretKey: key + "\r\n"}).Resolve()
	if err != nil {
		t.Fatal(err)
	}
	if got.Locks != config.LocksRedis || got.Redis == nil || got.PublicURL != "https://x/y" || len(got.SecretKeys) != 1 || got.SecretKeys[0] != key {
		t.Errorf("resolved to %+v", got)
	}
}

func TestRefuses(t *testing.T) {
	for _, tc := range []struct {
		flag  string
		code  fault.Code
		text  string // in the message
		given config.Serve
	}{
		{"database-url", fault.Required, "mysql://user:password@host:port/db", config.Serve{}},
		{"database-url", fault.Invalid, "neither", config.Serve{DatabaseURL: "postgres://u:topSECRET@h/d"}},
		{"database-url", fault.Invalid, "neither", config.Serve{DatabaseURL: "topSECRET"}},
		{"database-url", fault.Invalid, "percent-encode", config.Serve{DatabaseURL: "mysql://u:topSECRET%@h/d"}},
		{"database-url", fault.Invalid, "percent-encode", config.Serve{DatabaseURL: "mysql://u:topSECRET@h:port/d"}},
		{"database-url", fault.Invalid, "host is missing", config.Serve{DatabaseURL: "mysql://u:topSECRET@/d"}},
		{"database-url", fault.Invalid, "user is missing", config.Serve{DatabaseURL: "mysql://h/d"}},
		{"database-url", fault.Invalid, "name of the database", config.Serve{DatabaseURL: "mysql://u:topSECRET@h/"}},
		{"database-url", fault.Invalid, "name of the database", config.Serve{DatabaseURL: "mysql://u@h/a/b"}},
		{"database-url", fault.Invalid, "three slashes", config.Serve{DatabaseURL: "sqlite://belfry.db"}},
		{"database-url", fault.Invalid, "three slashes", config.Serve{DatabaseURL: "sqlite:///"}},
		{"database-url", fault.Invalid, "three slashes", config.Serve{DatabaseURL: "sqlite:///var/"}},
		{"redis-url", fault.Invalid, `scheme "http"`, config.Serve{DatabaseURL: db, RedisURL: "http://:topSECRET@cache"}},
		{"redis-url", fault.Invalid, "majority", config.Serve{DatabaseURL: db, RedisURL: "redis://:topSECRET@a,redis://:topSECRET@b"}},
		{"redis-prefix", fault.Invalid, "letters", config.Serve{DatabaseURL: db, RedisPrefix: "my belfry"}},
		{"locks", fault.Invalid, "redis or database", config.Serve{DatabaseURL: db, Locks: "zookeeper"}},
		{"locks", fault.Invalid, "BELFRY_REDIS_URL", config.Serve{DatabaseURL: db, Locks: "redis"}},
		{"secret-key", fault.Invalid, "9 bytes", config.Serve{DatabaseURL: db, SecretKey: "topSECRET"}},
		{"secret-key", fault.Invalid, "guessed", config.Serve{DatabaseURL: db, SecretKey: secret.Text(strings.Repeat("abc", 20))}},
		{"secret-key", fault.Invalid, "9 bytes", config.Serve{DatabaseURL: db, SecretKey: key + ",topSECRET"}},
		{"secret-key", fault.Invalid, "0 bytes", config.Serve{DatabaseURL: db, SecretKey: key + ","}},
		{"secret-key", fault.Invalid, "twice", config.Serve{DatabaseURL: db, SecretKey: key + "," + key}},
		{"admin-password", fault.Invalid, "blank", config.Serve{DatabaseURL: db, AdminPassword: "  "}},
		{"public-url", fault.Invalid, "http://", config.Serve{DatabaseURL: db, PublicURL: "belfry.example.org"}},
		{"public-url", fault.Invalid, "without user", config.Serve{DatabaseURL: db, PublicURL: "https://me:topSECRET@x"}},
		{"outbound-proxy", fault.Invalid, "the host and the port", config.Serve{DatabaseURL: db, OutboundProxy: "socks5://u:topSECRET@proxy"}},
		{"outbound-proxy", fault.Invalid, "the host and the port", config.Serve{DatabaseURL: db, OutboundProxy: "topSECRET"}},
		{"listen", fault.Invalid, "host:port", config.Serve{DatabaseURL: db, Listen: "7000"}},
		{"listen", fault.Invalid, "host:port", config.Serve{DatabaseURL: db, Listen: "localhost:70000"}},
		{"listen", fault.Invalid, "brackets", config.Serve{DatabaseURL: db, Listen: "::1:7000"}},
		{"tls-key", fault.Required, "give both", config.Serve{DatabaseURL: db, TLSCert: "x"}},
		{"tls-cert", fault.Required, "give both", config.Serve{DatabaseURL: db, TLSKey: "x"}},
		{"server-name", fault.Invalid, "100 characters", config.Serve{DatabaseURL: db, ServerName: strings.Repeat("å", 101)}},
		{"audit-days", fault.Invalid, "400", config.Serve{DatabaseURL: db, AuditDays: "a year"}},
		{"audit-days", fault.Invalid, "0 to 36500", config.Serve{DatabaseURL: db, AuditDays: "-1"}},
		{"shutdown-timeout", fault.Invalid, "30s", config.Serve{DatabaseURL: db, ShutdownTimeout: "soon"}},
		{"shutdown-timeout", fault.Invalid, "1s to 1h", config.Serve{DatabaseURL: db, ShutdownTimeout: "-5s"}},
		{"log-level", fault.Invalid, "debug, info, warn or error", config.Serve{DatabaseURL: db, LogLevel: "loud"}},
		{"log-format", fault.Invalid, "json or text", config.Serve{DatabaseURL: db, LogFormat: "xml"}},
	} {
		_, err := tc.given.Resolve()
		list := fault.All(err)
		if len(list) != 1 {
			t.Errorf("%s: the answer is %v, want one error", tc.flag, err)
			continue
		}
		got := list[0]
		name := "BELFRY_" + strings.ToUpper(strings.ReplaceAll(tc.flag, "-", "_"))
		if got.Code != tc.code || got.Field[0] != tc.flag || !strings.HasPrefix(got.Message, name+" is ") || !strings.Contains(got.Message, tc.text) {
			t.Errorf("%s: %+v, want %s with %q", tc.flag, got, tc.code, tc.text)
		}
		if strings.Contains(got.Message, "topSECRET") {
			t.Errorf("%s: the message shows a secret: %s", tc.flag, got.Message)
		}
	}
}

func TestAllErrorsAtOnce(t *testing.T) {
	_, err := (&config.Serve{Listen: "x", Locks: "y", SecretKey: "z", LogLevel: strings.Repeat("w", 1<<20)}).Resolve()
	if list := fault.All(err); len(list) != 5 {
		t.Errorf("%d errors, want 5: %v", len(list), err)
	}
	if n := len(err.Error()); n > 2000 {
		t.Errorf("the errors have %d bytes: a wrong value is shown whole", n)
	}
}

func parse(t *testing.T, args ...string) (config.Serve, error) {
	t.Helper()
	var cli struct {
		Serve config.Serve `cmd:""`
	}
	parser, err := kong.New(&cli, kong.Name("belfry"), kong.Exit(func(int) {}), kong.Writers(os.Stderr, os.Stderr))
	if err != nil {
		t.Fatal(err)
	}
	_, err = parser.Parse(append([]string{"serve"}, args...))
	return cli.Serve, err
}

func TestCommandLine(t *testing.T) {
	t.Setenv("BELFRY_DATABASE_URL", string(db))
	t.Setenv("BELFRY_LISTEN", ":7001")
	t.Setenv("BELFRY_LOCKS", "")
	t.Setenv("BELFRY_SECRET_KEY", string(key))
	got, err := parse(t, "--listen=:7002", "--log-level", "debug", "--tls-cert=", "--redis-prefix=b2")
	if err != nil {
		t.Fatal(err)
	}
	want := config.Serve{DatabaseURL: db, Listen: ":7002", SecretKey: key, LogLevel: "debug", RedisPrefix: "b2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCommandLineReportsAllErrors(t *testing.T) {
	t.Setenv("BELFRY_DATABASE_URL", "mysql://u:topSECRET@h/")
	t.Setenv("BELFRY_ADMIN_PASSWORD", "topSECRET")
	_, err := parse(t, "--listen=x", "--secret-key=topSECRET")
	if err == nil || fault.All(err) == nil {
		t.Fatalf("the answer is %v, want errors for people", err)
	}
	for _, name := range []string{"BELFRY_DATABASE_URL", "BELFRY_LISTEN", "BELFRY_SECRET_KEY"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not named in: %v", name, err)
		}
	}
	if strings.Contains(err.Error(), "topSECRET") {
		t.Errorf("a secret is shown: %v", err)
	}
}

func TestNothingShowsASecret(t *testing.T) {
	given := config.Serve{
		DatabaseURL: "mysql://u:topSECRET@h/d", RedisURL: "redis+sentinel://u:topSECRET@h?master=m&sentinel_password=topSECRET",
		SecretKey: key + "topSECRET", AdminPassword: "topSECRET",
	}
	settings, err := given.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	logger := settings.Logger(&text)
	logger.Info("settings", "given", given, "settings", settings, "pointer", &settings)
	encoded, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&text, "%s %v %+v %#v %v %#v", encoded, given, settings, settings, settings.Redis, *settings.Redis)
	if strings.Contains(text.String(), "topSECRET") {
		t.Errorf("a secret is shown: %s", text.String())
	}
}

func TestLogger(t *testing.T) {
	for format, want := range map[config.LogFormat]string{config.LogJSON: `"msg":"loud"`, config.LogText: "msg=loud"} {
		var text bytes.Buffer
		logger := config.Settings{LogLevel: slog.LevelWarn, LogFormat: format}.Logger(&text)
		logger.Info("quiet")
		logger.Warn("loud")
		if got := text.String(); !strings.Contains(got, want) || strings.Contains(got, "quiet") || !strings.Contains(got, "Z") {
			t.Errorf("%s: %q", format, got)
		}
	}
}
