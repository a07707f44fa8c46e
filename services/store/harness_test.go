package store

import (
	"flag"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/belfry-scheduler/belfry/internal/testserver"
)

// histories is how many random histories a run tries; -rapid.checks asks for more.
const histories = "30"

func TestMain(m *testing.M) {
	trace = traceStatement
	// A history is some hundred transactions on a real ledger: the library's hundred
	// of them would be half of the whole suite's time.
	if err := flag.Set("rapid.checks", histories); err != nil {
		panic(err)
	}
	os.Exit(testserver.Main(m))
}

// forEachDialect runs test on a fresh ledger of each kind, in parallel. The
// ledgers are copies of one that was migrated once.
func forEachDialect(t *testing.T, test func(t *testing.T, s *Store)) {
	t.Helper()
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, openSQLiteTest(t))
	})
	t.Run("mariadb", func(t *testing.T) {
		t.Parallel()
		test(t, openMariaDBTest(t))
	})
}

func openSQLiteTest(t testing.TB) *Store {
	t.Helper()
	template, err := sqliteTemplate()
	if err != nil {
		t.Fatalf("migrating the SQLite template: %v", err)
	}
	path := filepath.Join(t.TempDir(), "belfry.db")
	if err := os.WriteFile(path, template, 0o600); err != nil {
		t.Fatal(err)
	}
	return openTest(t, Options{URL: "sqlite://" + path})
}

func openMariaDBTest(t testing.TB) *Store {
	t.Helper()
	server := testserver.MariaDB(t)
	template, err := mariadbTemplate(server)
	if err != nil {
		t.Fatalf("migrating the MariaDB template: %v", err)
	}
	return openTest(t, Options{URL: server.URL(server.Clone(t, template, "partitions", "alert_rules", versionTable))})
}

// openTest opens a ledger and closes it at the test's end.
func openTest(t testing.TB, o Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatalf("opening %s: %v", o.URL, err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// sqliteTemplate answers the content of a migrated file.
var sqliteTemplate = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "belfry-store-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "template.db")
	if err := migrateOnce("sqlite://" + path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

var mariadbOnce struct {
	sync.Mutex
	name string
}

// mariadbTemplate answers the name of a migrated database.
func mariadbTemplate(server *testserver.MariaDBServer) (string, error) {
	mariadbOnce.Lock()
	defer mariadbOnce.Unlock()
	if mariadbOnce.name != "" {
		return mariadbOnce.name, nil
	}
	name, err := server.NewDatabase(background)
	if err != nil {
		return "", err
	}
	if err := migrateOnce(server.URL(name)); err != nil {
		return "", err
	}
	mariadbOnce.name = name
	return name, nil
}

func migrateOnce(url string) error {
	s, err := Open(background, Options{URL: url})
	if err != nil {
		return err
	}
	if err := s.Migrate(background); err != nil {
		return err
	}
	return s.Close()
}
