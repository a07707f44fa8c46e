package store

import (
	"context"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/internal/testserver"
	"github.com/belfry-scheduler/belfry/migrations"
	"github.com/belfry-scheduler/belfry/services/fault"
)

const (
	rounds  = 4
	servers = 6
)

// TestSixServersMigrateAtOnce: on an empty MySQL database all come up and there is
// one row a version; of a SQLite file's servers one comes up and the others are
// told why they do not (CB-104).
func TestSixServersMigrateAtOnce(t *testing.T) {
	t.Parallel()
	t.Run("mariadb", func(t *testing.T) {
		t.Parallel()
		server := testserver.MariaDB(t)
		for range rounds {
			url := server.URL(server.Database(t))
			for _, err := range atOnce(t.Context(), url) {
				if err != nil {
					t.Error(err)
				}
			}
			wantVersions(t, openTest(t, Options{URL: url}))
		}
	})
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		for range rounds {
			url := "sqlite://" + filepath.Join(t.TempDir(), "belfry.db")
			up := 0
			for _, err := range atOnce(t.Context(), url) {
				switch {
				case err == nil:
					up++
				case !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "is open in another process"):
					t.Error(err)
				}
			}
			if up == 0 {
				t.Error("nobody came up")
			}
			wantVersions(t, openTest(t, Options{URL: url}))
		}
	})
}

// atOnce opens and migrates a database from several stores that start together and
// stay open until all have tried, and answers their errors.
func atOnce(ctx context.Context, url string) []error {
	start, tried := make(chan struct{}), make(chan error)
	stop := make(chan struct{})
	closed := make(chan error)
	for range servers {
		go func() {
			<-start
			s, err := Open(ctx, Options{URL: url})
			if err == nil {
				err = s.Migrate(ctx)
			}
			tried <- err
			<-stop
			if s != nil {
				err = s.Close()
			}
			closed <- err
		}()
	}
	close(start)
	var errs []error
	for range servers {
		errs = append(errs, <-tried)
	}
	close(stop)
	for range servers {
		<-closed
	}
	return errs
}

// wantVersions looks for one row of each version and none pending.
func wantVersions(t *testing.T, s *Store) {
	t.Helper()
	states, err := s.MigrationStatus(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range states {
		if m.AppliedAt == nil {
			t.Errorf("%s is pending", m.Name)
		}
	}
	var rows, versions, highest int64
	row := s.read(t.Context()).Raw("SELECT COUNT(*), COUNT(DISTINCT version_id), MAX(version_id) FROM " + versionTable).Row()
	if err := row.Scan(&rows, &versions, &highest); err != nil {
		t.Fatal(err)
	}
	want, last := int64(len(states)), states[len(states)-1].Version // numbers may have gaps
	if rows != want+1 || versions != want+1 || highest != last {
		t.Errorf("%d rows, %d versions up to %d; want %d up to %d and goose's own", rows, versions, highest, want, last)
	}
}

func TestNewerSchemaIsRefused(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		if err := s.Migrate(t.Context()); err != nil {
			t.Fatalf("nothing to do: %v", err)
		}
		statement := "INSERT INTO " + versionTable + " (version_id, is_applied) VALUES (9999, 1)"
		if err := s.writer.WithContext(t.Context()).Exec(statement).Error; err != nil {
			t.Fatal(err)
		}
		err := s.Migrate(t.Context())
		if !fault.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), "version 9999") {
			t.Errorf("a newer schema: %v", err)
		}
	})
}

// TestMigratorThatDiesFreesTheLock kills the connection that holds the lock: the
// lock must end with it.
func TestMigratorThatDiesFreesTheLock(t *testing.T) {
	t.Parallel()
	server := testserver.MariaDB(t)
	url := server.URL(server.Database(t))
	dead := openTest(t, Options{URL: url})
	pool, done, err := dead.schemaPool()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dead.lockSchema(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	var holder int64
	s := openTest(t, Options{URL: url})
	if err := queryOne(s.read(t.Context()), &holder, "SELECT IS_USED_LOCK(CONCAT('belfry:', MD5(DATABASE())))"); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Admin().Exec("KILL ?", holder); err != nil {
		t.Fatal(err)
	}
	if err := s.Migrate(t.Context()); err != nil {
		t.Error(err)
	}
	done()
}

// TestMigrationsAreAlike compares the folders: the same numbers and names, one DDL
// statement a MySQL file, a way down in each, and the same tables and columns.
func TestMigrationsAreAlike(t *testing.T) {
	t.Parallel()
	names := map[string][]string{}
	statement, comment := regexp.MustCompile(`(?m);\s*$`), regexp.MustCompile(`(?m)^--.*$`)
	for _, folder := range []string{"mysql", "sqlite"} {
		files, err := fs.Glob(migrations.Files, folder+"/*.sql")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := migrations.Files.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			up, down, found := strings.Cut(string(text), "-- +goose Down")
			up = comment.ReplaceAllString(up, "")
			if !found || len(statement.FindAllString(down, -1)) == 0 {
				t.Errorf("%s has no way down", file)
			}
			if n := len(statement.FindAllString(up, -1)); folder == "mysql" && n != 1 {
				t.Errorf("%s has %d statements, want 1", file, n)
			}
			names[folder] = append(names[folder], filepath.Base(file))
		}
	}
	if diff := cmp.Diff(names["mysql"], names["sqlite"]); diff != "" {
		t.Errorf("files (-mysql +sqlite):\n%s", diff)
	}
	if diff := cmp.Diff(tableColumns(t, openMariaDBTest(t)), tableColumns(t, openSQLiteTest(t))); diff != "" {
		t.Errorf("columns (-mysql +sqlite):\n%s", diff)
	}
}

// tableColumns lists "table.column" of the whole schema but goose's own table.
func tableColumns(t *testing.T, s *Store) []string {
	t.Helper()
	statement := `SELECT CONCAT(table_name, '.', column_name) FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name <> ?`
	if s.dialect == sqlite {
		// table_xinfo lists generated columns too.
		statement = `SELECT m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c
			WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name <> ?`
	}
	var columns []string
	if err := s.read(t.Context()).Raw(statement, versionTable).Scan(&columns).Error; err != nil {
		t.Fatal(err)
	}
	slices.Sort(columns)
	return columns
}

// TestMigrationsGoDownAndUp takes every change back and applies it again.
func TestMigrationsGoDownAndUp(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		before := tableColumns(t, s)
		pool, done, err := s.schemaPool()
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		provider, err := s.provider(pool)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := provider.DownTo(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if left := tableColumns(t, s); len(left) > 0 {
			t.Errorf("left after going down: %v", left)
		}
		if err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, tableColumns(t, s)); diff != "" {
			t.Errorf("columns (-before +after):\n%s", diff)
		}
	})
}
