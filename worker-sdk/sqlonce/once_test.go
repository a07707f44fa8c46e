package sqlonce_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/belfry-scheduler/belfry/worker-sdk/sqlonce"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// everywhere runs a test on both kinds of database, with the table made by the
// documented statements and a counter for the work.
func everywhere(t *testing.T, test func(t *testing.T, db *sql.DB)) {
	t.Helper()
	prepare := func(t *testing.T, db *sql.DB, ddl string) *sql.DB {
		t.Helper()
		for statement := range strings.SplitSeq(ddl+"; CREATE TABLE counter (n INTEGER NOT NULL); INSERT INTO counter VALUES (0)", ";") {
			if _, err := db.ExecContext(t.Context(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		return db
	}
	t.Run("mariadb", func(t *testing.T) {
		t.Parallel()
		test(t, prepare(t, mariaDB(t), sqlonce.MySQL))
	})
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "test.db")
		test(t, prepare(t, open(t, "sqlite", "file:"+file+"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(20000)&_txlock=immediate"), sqlonce.SQLite))
	})
}

func attempt(id string, n int) *worker.Task {
	return &worker.Task{ID: id, Attempt: n, Fence: int64(n)}
}

func count(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, "UPDATE counter SET n = n + 1")
	return err
}

func counted(t *testing.T, db *sql.DB) (n int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), "SELECT n FROM counter").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestARepeatDoesNothingAndSaysSo(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, db *sql.DB) {
		for n := 1; n <= 3; n++ {
			ran, err := sqlonce.Once(t.Context(), db, attempt("01JDYV5W00Q2FGNDPT3P1YB480", n), count)
			if err != nil || ran != (n == 1) {
				t.Errorf("attempt %d: %v, %v", n, ran, err)
			}
		}
		if ran, err := sqlonce.Once(t.Context(), db, attempt("01JDYV5W00Q2FGNDPT3P1YB481", 1), count); err != nil || !ran {
			t.Errorf("another task: %v, %v", ran, err)
		}
		if ran, err := sqlonce.Once(t.Context(), db, attempt("01JDYV5W00Q2FGNDPT3P1YB480", 4), count, sqlonce.Step("second")); err != nil || !ran {
			t.Errorf("another step: %v, %v", ran, err)
		}
		if n := counted(t, db); n != 3 {
			t.Errorf("the work was done %d times", n)
		}
	})
}

func TestWhatFailsIsDoneAgain(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, db *sql.DB) {
		no := errors.New("no")
		ended, end := context.WithCancelCause(t.Context())
		for name, call := range map[string]func() (bool, error){
			"error": func() (bool, error) {
				return sqlonce.Once(t.Context(), db, attempt("t", 1), func(ctx context.Context, tx *sql.Tx) error {
					return errors.Join(count(ctx, tx), no)
				})
			},
			"panic": func() (ran bool, err error) {
				defer func() { err = recover().(error) }()
				return sqlonce.Once(t.Context(), db, attempt("t", 2), func(ctx context.Context, tx *sql.Tx) error {
					panic(errors.Join(count(ctx, tx), no))
				})
			},
			"lost": func() (bool, error) {
				ran, err := sqlonce.Once(ended, db, attempt("t", 3), func(ctx context.Context, tx *sql.Tx) error {
					err := count(ctx, tx)
					end(worker.ErrLeaseLost) // the server gives the attempt to another node
					return err
				})
				if !errors.Is(err, worker.ErrLeaseLost) {
					t.Errorf("lost: %v", err)
				}
				return ran, no
			},
		} {
			if ran, err := call(); ran || !errors.Is(err, no) || counted(t, db) != 0 {
				t.Errorf("%s: ran %v, %v, counted %d", name, ran, err, counted(t, db))
			}
		}
		if ran, err := sqlonce.Once(t.Context(), db, attempt("t", 4), count); !ran || err != nil || counted(t, db) != 1 {
			t.Errorf("the next attempt: %v, %v", ran, err)
		}
	})
}

func TestTheResultComesAgain(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, db *sql.DB) {
		type invoice struct {
			Number string
			Total  float64
		}
		want := invoice{"2026-½-17", 12.5}
		for n := 1; n <= 2; n++ {
			got, ran, err := sqlonce.Value(t.Context(), db, attempt("t", n), func(ctx context.Context, tx *sql.Tx) (invoice, error) {
				if n > 1 {
					t.Error("the work is done again")
				}
				return want, count(ctx, tx)
			})
			if err != nil || got != want || ran != (n == 1) {
				t.Errorf("attempt %d: %+v, %v, %v", n, got, ran, err)
			}
		}
		// A reader that asks for another type is told, and gets nothing.
		if _, _, err := sqlonce.Value(t.Context(), db, attempt("t", 3), func(context.Context, *sql.Tx) (int, error) { return 0, nil }); err == nil || !strings.Contains(err.Error(), "decoding the result") {
			t.Errorf("another type: %v", err)
		}
	})
}

// Attempts of one task at the same time, of which some fail: the work is done once, and
// whoever comes second waits for the first.
func TestRacingAttempts(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, db *sql.DB) {
		for round := range 20 {
			id := "race-" + string(rune('a'+round))
			before := counted(t, db)
			var mu sync.Mutex
			var wg sync.WaitGroup
			ran := 0
			for n := 1; n <= 6; n++ {
				wg.Go(func() {
					ok, err := sqlonce.Once(t.Context(), db, attempt(id, n), func(ctx context.Context, tx *sql.Tx) error {
						if err := count(ctx, tx); err != nil || n%2 == 1 {
							return errors.Join(err, errOdd)
						}
						return nil
					})
					if err != nil && !errors.Is(err, errOdd) {
						t.Errorf("attempt %d: %v", n, err)
					}
					mu.Lock()
					defer mu.Unlock()
					if ok {
						ran++
					}
				})
			}
			wg.Wait()
			if got := counted(t, db) - before; got != 1 || ran != 1 {
				t.Errorf("round %d: done %d times, %d say so", round, got, ran)
			}
		}
	})
}

var errOdd = errors.New("an odd attempt fails")

// An old attempt that wakes up after the work of a newer one changes nothing.
func TestAnOldAttemptComesTooLate(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, db *sql.DB) {
		got, ran, err := sqlonce.Value(t.Context(), db, attempt("t", 2), func(context.Context, *sql.Tx) (int, error) { return 2, nil })
		if err != nil || !ran || got != 2 {
			t.Fatalf("%d, %v, %v", got, ran, err)
		}
		got, ran, err = sqlonce.Value(t.Context(), db, attempt("t", 1), func(context.Context, *sql.Tx) (int, error) { return 1, nil })
		if err != nil || ran || got != 2 {
			t.Errorf("the old attempt: %d, %v, %v", got, ran, err)
		}
		var by int
		if err := db.QueryRowContext(t.Context(), "SELECT attempt FROM belfry_once WHERE task_id = 't'").Scan(&by); err != nil || by != 2 {
			t.Errorf("done by attempt %d, %v", by, err)
		}
	})
}

func TestForget(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, db *sql.DB) {
		if _, err := sqlonce.Once(t.Context(), db, attempt("t", 1), count); err != nil {
			t.Fatal(err)
		}
		if n, err := sqlonce.Forget(t.Context(), db, time.Now().Add(-time.Hour)); n != 0 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		if n, err := sqlonce.Forget(t.Context(), db, time.Now().Add(time.Hour)); n != 1 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		if ran, err := sqlonce.Once(t.Context(), db, attempt("t", 2), count); !ran || err != nil {
			t.Errorf("%v, %v", ran, err)
		}
	})
}

func TestMistakesAreNamed(t *testing.T) {
	t.Parallel()
	db := open(t, "sqlite", "file:"+filepath.Join(t.TempDir(), "test.db"))
	task := attempt("t", 1)
	for want, call := range map[string]func() error{
		`the step is ""`:       func() error { _, err := sqlonce.Once(t.Context(), db, task, count, sqlonce.Step("")); return err },
		`the table is "a; b"`:  func() error { _, err := sqlonce.Once(t.Context(), db, task, count, sqlonce.Table("a; b")); return err },
		"fn is nil":            func() error { _, err := sqlonce.Once(t.Context(), db, task, nil); return err },
		"task or fn":           func() error { _, err := sqlonce.Once(t.Context(), db, nil, count); return err },
		"noting task t in b.c": func() error { _, err := sqlonce.Once(t.Context(), db, task, count, sqlonce.Table("b.c")); return err },
		"no such table":        func() error { _, err := sqlonce.Once(t.Context(), db, task, count); return err },
		"deleting from":        func() error { _, err := sqlonce.Forget(t.Context(), db, time.Now()); return err },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
