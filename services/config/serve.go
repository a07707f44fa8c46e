// Package config holds what a person sets for a server: where it comes from, its
// checks and defaults. All errors are found at once; each names the variable, the
// value and the remedy, and none shows a secret. It opens nothing.
package config

import (
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/coord/redisconn"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Serve are the flags and variables of "belfry serve", as given. The tags are
// read by the command-line parser; an empty variable counts as absent. Everything
// is text, so that Resolve can tell all errors at once.
type Serve struct {
	Listen      string     `env:"BELFRY_LISTEN" placeholder:"ADDR" help:"Address to serve on (default 127.0.0.1:7000); port 0 picks a free one."`
	DatabaseURL secret.URL `env:"BELFRY_DATABASE_URL" placeholder:"URL" help:"mysql://user:password@host:port/db or sqlite:///absolute/path."`
	RedisURL    secret.URL `env:"BELFRY_REDIS_URL" placeholder:"URL" help:"redis:// or rediss:// (TLS), redis+sentinel://hosts?master=NAME, redis+cluster://hosts, or an odd number of independent servers separated by commas. Without it locks are in the database."`
	RedisPrefix string     `env:"BELFRY_REDIS_PREFIX" placeholder:"NAME" help:"Start of all keys and channels (default belfry). Installations that share a Redis need different ones."`
	Locks       string     `env:"BELFRY_LOCKS" placeholder:"KIND" help:"Where servers agree who leads: redis or database (default redis when there is one)."`

	SecretKey     secret.Text `env:"BELFRY_SECRET_KEY" placeholder:"KEYS" help:"At least 32 random bytes that encrypt stored secrets, the same on all servers. While keys are changed several, separated by commas: the first encrypts, the others only decrypt (see belfry rotate-keys). Better given as a variable: flags are visible to others."`
	AdminPassword secret.Text `env:"BELFRY_ADMIN_PASSWORD" placeholder:"TEXT" help:"Password of the first user, admin; used at the first start only. Without it a one-time link is logged."`
	PublicURL     string      `env:"BELFRY_PUBLIC_URL" placeholder:"URL" help:"Address under which people reach the console; used in messages."`

	RequireSecondFactor string `env:"BELFRY_REQUIRE_SECOND_FACTOR" placeholder:"WHOM" help:"Who must have a second factor to sign in with a password: none (default), admin or all."`
	SessionIdle         string `env:"BELFRY_SESSION_IDLE" placeholder:"DURATION" help:"A session unused for so long ends (default 12h)."`
	SessionLife         string `env:"BELFRY_SESSION_LIFE" placeholder:"DURATION" help:"A session ends after so long however much it is used (default 168h)."`

	OIDC `prefix:"oidc-" embed:""`

	PasswordSignIn string `env:"BELFRY_PASSWORD_SIGN_IN" placeholder:"ON" help:"Whether people may sign in with passwords: on (default) or off, with an identity provider only."`

	WebhookAllow string `env:"BELFRY_WEBHOOK_ALLOW" placeholder:"LIST" help:"Internal receivers of alerts that may be reached: networks (10.1.0.0/16), addresses and host names, separated by commas. None by default."`

	OutboundProxy secret.URL `env:"BELFRY_OUTBOUND_PROXY" placeholder:"URL" help:"http:// or https:// proxy for alerts and sign-in providers. HTTP_PROXY is not followed: a proxy looks names up past Belfry's check of internal addresses."`

	Mask      string `env:"BELFRY_MASK" placeholder:"ON" help:"Whether secrets are taken out of logs, errors, results and progress before they are stored: on (default) or off."`
	MaskRules string `env:"BELFRY_MASK_RULES" placeholder:"FILE" help:"Further rules of what is secret, one a line: name NAME, keep NAME or pattern EXPRESSION."`

	TLSCert string `env:"BELFRY_TLS_CERT" placeholder:"FILE" help:"PEM certificate chain; with it the server speaks TLS."`
	TLSKey  string `env:"BELFRY_TLS_KEY" placeholder:"FILE" help:"PEM key of the certificate."`

	ServerName      string `env:"BELFRY_SERVER_NAME" placeholder:"NAME" help:"Name of this server in the console and in logs (default the host name)."`
	AuditDays       string `env:"BELFRY_AUDIT_DAYS" placeholder:"DAYS" help:"How many days the audit trail is kept (default 400); 0 keeps it for ever."`
	ShutdownTimeout string `env:"BELFRY_SHUTDOWN_TIMEOUT" placeholder:"DURATION" help:"Longest time for an orderly stop (default 30s)."`
	LogLevel        string `env:"BELFRY_LOG_LEVEL" placeholder:"LEVEL" help:"debug, info (default), warn or error."`
	LogFormat       string `env:"BELFRY_LOG_FORMAT" placeholder:"FORMAT" help:"json (default) or text."`
}

// Settings are checked and complete.
type Settings struct {
	Listen      string // host:port
	DatabaseURL secret.URL
	Embedded    bool              // the database is a file that one server owns
	Redis       *redisconn.Target // nil without Redis
	RedisPrefix string
	Locks       Locks

	SecretKeys    []secret.Text // at least 32 bytes each; the first seals, all open; none: nothing can be sealed
	AdminPassword secret.Text   // may be empty
	WebhookAllow  string        // as given; cmd reads it
	OutboundProxy secret.URL    // checked; empty without one
	PublicURL     string        // without a slash at the end; empty when not given

	OIDC           *OIDCSettings // nil without an identity provider
	PasswordSignIn bool

	RequireSecondFactor      string // none, admin or all
	SessionIdle, SessionLife time.Duration

	Mask      bool
	MaskRules string // file; empty for the default rules alone; cmd reads it

	TLSCert, TLSKey string // both or neither

	ServerName      string
	AuditKept       time.Duration // 0: for ever
	ShutdownTimeout time.Duration
	LogLevel        slog.Level
	LogFormat       LogFormat
}

// Locks is where servers agree who leads.
type Locks string

// Lock modes.
const (
	LocksRedis    Locks = "redis"
	LocksDatabase Locks = "database"
)

// LogFormat is how log lines are written.
type LogFormat string

// Log formats.
const (
	LogJSON LogFormat = "json"
	LogText LogFormat = "text"
)

// Defaults.
const (
	DefaultListen          = "127.0.0.1:7000"
	DefaultRedisPrefix     = "belfry"
	DefaultAuditDays       = 400
	DefaultShutdownTimeout = 30 * time.Second
	DefaultSessionIdle     = 12 * time.Hour
	DefaultSessionLife     = 7 * 24 * time.Hour
)

// Validate lets the command-line parser report what Resolve finds.
func (s *Serve) Validate() error {
	_, err := s.Resolve()
	return err
}

// Resolve checks the values and fills in the defaults. Its error is a fault.List
// with every problem; Field is the name of the flag.
func (s *Serve) Resolve() (Settings, error) {
	var problems problems
	host, _ := os.Hostname() // without a host name the name below is used
	out := Settings{
		Listen:      problems.listen(s.Listen),
		DatabaseURL: secret.URL(strings.TrimSpace(s.DatabaseURL.Reveal())),
		Redis:       problems.redis(secret.URL(strings.TrimSpace(s.RedisURL.Reveal()))),
		RedisPrefix: problems.prefix(or(s.RedisPrefix, DefaultRedisPrefix)),

		SecretKeys:    problems.keys(s.SecretKey),
		WebhookAllow:  strings.TrimSpace(s.WebhookAllow),
		OutboundProxy: problems.proxy(secret.URL(strings.TrimSpace(s.OutboundProxy.Reveal()))),
		AdminPassword: problems.password(secret.Text(strings.TrimRight(s.AdminPassword.Reveal(), "\r\n"))),
		PublicURL:     problems.publicURL(s.PublicURL),

		OIDC:           problems.oidc(&s.OIDC),
		PasswordSignIn: oneOf(&problems, "password-sign-in", or(s.PasswordSignIn, "on"), "on", "off") == "on",

		RequireSecondFactor: problems.requirement(s.RequireSecondFactor, s.SecretKey != ""),
		SessionIdle:         problems.span("session-idle", or(s.SessionIdle, DefaultSessionIdle.String()), shortestSession, longestSession),
		SessionLife:         problems.span("session-life", or(s.SessionLife, DefaultSessionLife.String()), shortestSession, longestSession),

		Mask:      oneOf(&problems, "mask", or(s.Mask, "on"), "on", "off") == "on",
		MaskRules: strings.TrimSpace(s.MaskRules),

		TLSCert: strings.TrimSpace(s.TLSCert), TLSKey: strings.TrimSpace(s.TLSKey),

		ServerName:      problems.name(or(s.ServerName, or(host, "server"))),
		AuditKept:       problems.auditKept(strings.TrimSpace(s.AuditDays)),
		ShutdownTimeout: problems.timeout(s.ShutdownTimeout),
		LogLevel:        problems.level(or(s.LogLevel, "info")),
		LogFormat:       oneOf(&problems, "log-format", or(s.LogFormat, string(LogJSON)), LogJSON, LogText),
	}
	out.Embedded = problems.database(out.DatabaseURL)
	out.Locks = problems.locks(s.Locks, s.RedisURL != "")
	if !out.PasswordSignIn && s.Issuer == "" {
		problems.bad("password-sign-in", "off", "nobody could sign in without passwords: set BELFRY_OIDC_ISSUER first")
	}
	problems.tls(out.TLSCert, out.TLSKey)
	if err := fault.List(problems).Err(); err != nil {
		return Settings{}, err
	}
	return out, nil
}

// or is the trimmed text, or other when nothing is left of it.
func or(text, other string) string {
	if text = strings.TrimSpace(text); text != "" {
		return text
	}
	return other
}
