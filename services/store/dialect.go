package store

import (
	"fmt"
	"strings"
)

// dialect is the kind of database. Everything that differs between the kinds is
// in this file and in mass.go.
type dialect uint8

const (
	mariadb dialect = iota + 1 // MySQL 8 and MariaDB
	sqlite
)

func (d dialect) String() string {
	if d == sqlite {
		return "sqlite3"
	}
	return "mysql"
}

// lockRows ends a SELECT that locks what it reads against every other writer.
// SQLite needs nothing: its write transactions run one after the other.
func (d dialect) lockRows() string {
	if d == sqlite {
		return ""
	}
	return " FOR UPDATE"
}

// lockShared ends a SELECT that keeps others from changing what it reads.
// MariaDB 10.11 does not know FOR SHARE.
func (d dialect) lockShared() string {
	if d == sqlite {
		return ""
	}
	return " LOCK IN SHARE MODE"
}

// onConflict ends an INSERT that changes the row with the same key (the columns
// keys) instead. Within set, new(column) stands for the value that was to be
// inserted; a bare column is the present value.
func (d dialect) onConflict(keys string, set ...string) string {
	all := strings.Join(set, ", ")
	if d == sqlite {
		return " ON CONFLICT (" + keys + ") DO UPDATE SET " + strings.ReplaceAll(all, "new(", "(excluded.")
	}
	return " ON DUPLICATE KEY UPDATE " + strings.ReplaceAll(all, "new(", "VALUES(")
}

// forceIndex names the index that a query on table must use. The planner guesses
// from statistics that lag behind a queue that fills and drains.
func (d dialect) forceIndex(index string) string {
	if d == sqlite {
		return " INDEXED BY " + index
	}
	return " FORCE INDEX (" + index + ")"
}

// byKey makes a statement find its rows by the primary key, whatever the planner
// thinks of a small table: a scan under locks would wait for rows of others.
func (d dialect) byKey() string {
	if d == sqlite {
		return ""
	}
	return " FORCE INDEX (PRIMARY)"
}

// deleteByKey begins a DELETE whose condition is on the primary key.
func (d dialect) deleteByKey(table string) string {
	if d == sqlite {
		return "DELETE FROM " + table
	}
	return "DELETE " + table + " FROM " + table + d.byKey() // the form that takes an index
}

// joinInOrder joins two tables in the order in which they stand, whatever the planner
// thinks.
func (d dialect) joinInOrder() string {
	if d == sqlite {
		return " CROSS JOIN "
	}
	return " STRAIGHT_JOIN "
}

// union joins SELECTs that have an ORDER BY and a LIMIT of their own. SQLite takes
// no brackets around them.
func (d dialect) union(parts []string) string {
	if d == sqlite {
		return "SELECT * FROM (" + strings.Join(parts, ") UNION ALL SELECT * FROM (") + ")"
	}
	return "(" + strings.Join(parts, ") UNION ALL (") + ")"
}

// roomAfterDispatch is how much of a task's column room is left by a dispatch; the
// 88 bytes before are for the node, its name and incarnation and two instants, the
// rest for those of the end and a small result.
const roomAfterDispatch = 32

// keepRoom shortens a task's column room, which makes place in the row for other
// columns that the same update fills. In InnoDB a row that grows splits its page:
// measured with 60 bytes more, 21 µs a row; with room, 11 µs. SQLite's rows have
// none.
func (d dialect) keepRoom(bytes int) string {
	if d == sqlite {
		return "room = ''"
	}
	return fmt.Sprintf("room = LEFT(room, %d)", bytes)
}
