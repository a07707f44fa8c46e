package store

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/internal/testserver"
	"github.com/belfry-scheduler/belfry/services/fault"
)

func TestParseURL(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		url  string
		code fault.Code // empty: it is right
		want string     // address, database or path
	}{
		"mysql":               {"mysql://u:p@db.example:3307/belfry", "", "db.example:3307/belfry"},
		"mysql, usual port":   {"mysql://u@db/belfry", "", "db:3306/belfry"},
		"mysql, IPv6":         {"mysql://u@[::1]:3307/belfry", "", "[::1]:3307/belfry"},
		"mysql, socket":       {"mysql://u@/belfry?socket=/run/mysqld.sock", "", "/run/mysqld.sock/belfry"},
		"mysql, option":       {"mysql://u@db/belfry?tls=skip-verify", "", "db:3306/belfry"},
		"mysql, escapes":      {"mysql://u:p%40ss%2Fword@db/belfry", "", "db:3306/belfry"},
		"mysql, wrong option": {"mysql://u@db/belfry?parseTime=perhaps", fault.Invalid, ""},
		"mysql, no database":  {"mysql://u:p@db:3306", fault.Invalid, ""},
		"mysql, no user":      {"mysql://db:3306/belfry", fault.Invalid, ""},
		"mysql, no host":      {"mysql://u:p@/belfry", fault.Invalid, ""},
		"mysql, bad escape":   {"mysql://u:p%@db/belfry", fault.Invalid, ""},
		"sqlite":              {"sqlite:///var/lib/belfry.db", "", "/var/lib/belfry.db"},
		"sqlite, unclean":     {"sqlite:///var/lib/../lib/belfry.db", "", "/var/lib/belfry.db"},
		"sqlite, blank":       {"sqlite:///var/my%20lib/belfry.db", "", "/var/my lib/belfry.db"},
		"sqlite, relative":    {"sqlite://belfry.db", fault.Invalid, ""},
		"sqlite, no path":     {"sqlite://", fault.Invalid, ""},
		"sqlite, options":     {"sqlite:///belfry.db?mode=ro", fault.Invalid, ""},
		"another database":    {"postgres://u@db/belfry", fault.Unsupported, ""},
		"no scheme":           {"belfry.db", fault.Invalid, ""},
		"empty":               {"", fault.Invalid, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := parseURL(tt.url)
			if fault.CodeOf(err) != tt.code {
				t.Fatalf("parseURL: %v, want code %q", err, tt.code)
			}
			where := got.path
			if got.mysql != nil {
				where = got.mysql.Addr + "/" + got.mysql.DBName
			}
			if where != tt.want {
				t.Errorf("leads to %q, want %q", where, tt.want)
			}
		})
	}
}

func TestOpenSaysWhatIsWrongWithMySQL(t *testing.T) {
	t.Parallel()
	server := testserver.MariaDB(t)
	name := server.Database(t)
	for _, statement := range []string{
		"CREATE USER IF NOT EXISTS 'keeper'@'127.0.0.1' IDENTIFIED BY 'right'", "GRANT ALL ON " + name + ".* TO 'keeper'@'127.0.0.1'",
	} {
		if _, err := server.Admin().Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		url  string
		code fault.Code
		says string
	}{
		"wrong password":   {"mysql://keeper:wrong@" + server.Addr() + "/" + name, fault.Forbidden, `user "keeper"`},
		"unknown database": {"mysql://root@" + server.Addr() + "/nowhere", fault.NotFound, "CREATE DATABASE nowhere"},
		"no grant":         {"mysql://keeper:right@" + server.Addr() + "/mysql", fault.Forbidden, `database "mysql"`},
		"nobody there":     {"mysql://root@" + closed.Addr().String() + "/" + name, fault.Unavailable, "does not answer"},
	}
	for what, tt := range tests {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			_, err := Open(t.Context(), Options{URL: tt.url})
			if !fault.Is(err, tt.code) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("Open: %v (%s), want code %s and %q", err, fault.CodeOf(err), tt.code, tt.says)
			}
			if err != nil && strings.Contains(err.Error(), "wrong@") {
				t.Errorf("the error shows the password: %v", err)
			}
		})
	}
	openTest(t, Options{URL: "mysql://keeper:right@" + server.Addr() + "/" + name})
}

func TestOpenSaysWhatIsWrongWithSQLite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("not a database, but long enough to be looked at as one"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct{ path, says string }{
		"no such directory":        {filepath.Join(dir, "missing", "belfry.db"), "does not exist"},
		"a directory that is none": {filepath.Join(file, "belfry.db"), "does not exist"},
		"a directory in its place": {dir, "cannot be written"},
		"another kind of file":     {file, "cannot be opened"},
		"a full or read-only disk": {"/proc/belfry.db", "cannot be written"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Open(t.Context(), Options{URL: "sqlite://" + tt.path})
			if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("Open: %v, want UNAVAILABLE and %q", err, tt.says)
			}
		})
	}
}

func TestSQLiteFileHasOneServer(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "belfry.db")
	url := "sqlite://" + path
	first, err := Open(t.Context(), Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, path + "-wal"} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; want it for its owner alone", file, info, err)
		}
	}
	if _, err := Open(t.Context(), Options{URL: url}); !fault.Is(err, fault.Conflict) {
		t.Errorf("a second server: %v, want CONFLICT", err)
	}
	beside := openTest(t, Options{URL: url, Beside: true})
	if err := beside.Migrate(t.Context()); err != nil {
		t.Errorf("a command beside the server: %v", err)
	}
	if err := beside.BeatServer(t.Context(), serverRow("s1", t0)); err != nil {
		t.Errorf("a command that writes beside the server: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again := openTest(t, Options{URL: url})
	if rows, err := again.Servers(t.Context(), t0); err != nil || len(rows) != 1 {
		t.Errorf("after a restart: %d servers, %v", len(rows), err)
	}
}

// A process that stands still in the middle of a transaction does not keep others
// from its partitions: the database ends the transaction.
func TestHaltedTransactionsGiveWay(t *testing.T) {
	t.Parallel()
	s := openMariaDBTest(t)
	halted := s.writer.WithContext(t.Context()).Begin()
	if err := (Fence{3: 0}).check(halted, s.dialect); err != nil {
		t.Fatal(err)
	}
	if epoch, err := s.TakePartition(t.Context(), 3, "s2"); err != nil || epoch != 1 {
		t.Errorf("taken over: epoch %d, %v", epoch, err)
	}
	if err := halted.Commit().Error; err == nil {
		t.Error("the halted transaction committed")
	}
}
