package sqlonce

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// DefaultTable is the table's name, unless Table gives another.
const DefaultTable = "belfry_once"

// MySQL makes the table on MySQL and MariaDB.
const MySQL = `CREATE TABLE belfry_once (
	task_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	step    VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	attempt BIGINT      NOT NULL, -- that did it
	done_at BIGINT      NOT NULL, -- Unix time in milliseconds
	result  LONGTEXT    CHARACTER SET utf8mb4 NULL, -- JSON, of Value
	PRIMARY KEY (task_id, step),
	KEY belfry_once_done_at (done_at)
) ENGINE = InnoDB`

// SQLite makes the table on SQLite; its statements are separated by a semicolon.
const SQLite = `CREATE TABLE belfry_once (
	task_id TEXT    NOT NULL,
	step    TEXT    NOT NULL,
	attempt INTEGER NOT NULL, -- that did it
	done_at INTEGER NOT NULL, -- Unix time in milliseconds
	result  TEXT, -- JSON, of Value
	PRIMARY KEY (task_id, step)
) WITHOUT ROWID;
CREATE INDEX belfry_once_done_at ON belfry_once (done_at)`

// Option changes what Once and Value do.
type Option func(*options) error

type options struct {
	table, step string
	now         func() time.Time
}

// Step names one of several transactions of a handler, each of which is done once: at
// most 64 characters of ASCII.
func Step(name string) Option {
	return func(o *options) error {
		if name == "" || len(name) > 64 || strings.ContainsFunc(name, func(r rune) bool { return r > '~' || r < ' ' }) {
			return fmt.Errorf("the step is %q: give 1 to 64 characters of ASCII", name)
		}
		o.step = name
		return nil
	}
}

// identifier is what a table's name may be; it stands in statements as it is.
var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}(\.[A-Za-z_][A-Za-z0-9_]{0,63})?$`)

// Table uses another table of the same shape, as once or jobs.once.
func Table(name string) Option {
	return func(o *options) error {
		if !identifier.MatchString(name) {
			return fmt.Errorf("the table is %q: give a name of letters, digits and underscores, with its schema before a dot if it needs one", name)
		}
		o.table = name
		return nil
	}
}

func optionsOf(list []Option) (options, error) {
	o := options{table: DefaultTable, now: time.Now}
	for _, option := range list {
		if err := option(&o); err != nil {
			return o, fmt.Errorf("sqlonce: %w", err)
		}
	}
	return o, nil
}

// Forget deletes the rows of work that was done before the instant, and returns how
// many they were. A task that is tried again after that does its work again.
func Forget(ctx context.Context, db *sql.DB, before time.Time, list ...Option) (int64, error) {
	o, err := optionsOf(list)
	if err != nil {
		return 0, err
	}
	done, err := db.ExecContext(ctx, "DELETE FROM "+o.table+" WHERE done_at < ?", before.UnixMilli())
	if err != nil {
		return 0, fmt.Errorf("sqlonce: deleting from %s: %w", o.table, err)
	}
	return done.RowsAffected()
}
