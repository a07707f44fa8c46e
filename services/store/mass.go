package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"gorm.io/gorm"
)

// Mass statements. MySQL gets few statements of many rows; SQLite, which has no
// round trips, gets one prepared statement executed row by row.
//
// Updates of 500 tasks with values that differ from row to row, measured on
// MariaDB 10.11 with flush at commit, database CPU a row (the same update each
// time, dispatch's 15 columns; median of five runs beside other work):
//
//	UPDATE … WHERE id IN (…), one value for all rows         31 µs  27,000 rows/s
//	tasks STRAIGHT_JOIN (VALUES …), tasks read by id IN (…)  35 µs  23,700 rows/s
//	tasks STRAIGHT_JOIN (SELECT … UNION ALL …), the same     38 µs  21,900 rows/s
//	a tree of IF(id < ?, …) for each column                  38 µs  22,500 rows/s
//	JOIN (SELECT … UNION ALL …)                              43 µs  19,500 rows/s
//	JOIN (VALUES …)                                          43 µs  19,000 rows/s
//	JOIN JSON_TABLE(…)                                       43 µs  20,000 rows/s
//	INSERT … ON DUPLICATE KEY UPDATE                         76 µs   9,900 rows/s
//
// A plain join makes the server collect row ids and read every row again; with
// tasks first it changes them as it goes, and finds each row's values by a key
// that it makes over the list. UNION ALL was chosen over VALUES, whose syntax
// differs between MySQL and MariaDB; and IN, one statement a group of rows with
// equal values, where the groups are large enough.

const (
	rowLimit  = 500     // rows in one statement
	byteLimit = 4 << 20 // bytes of values in one statement, below any usual max_allowed_packet (16 MiB)
	inLimit   = 1000    // values in one IN list
	groupSize = 8       // rows a group must have for one UPDATE a group to pay
)

// insertRows inserts rows into a table. Suffix ends the statement (see
// onConflict); it is empty for a plain insert, which fails with
// gorm.ErrDuplicatedKey when one of the keys exists.
func (s *Store) insertRows(tx *gorm.DB, table string, columns []string, rows [][]any, suffix string) error {
	if len(rows) == 0 {
		return nil
	}
	head := "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES "
	one := "(" + marks(len(columns)) + ")"
	if s.dialect == sqlite {
		_, err := s.each(tx, head+one+suffix, rows)
		return err
	}
	for chunk := range rowChunks(rows) {
		statement := head + strings.Repeat(one+",", len(chunk)-1) + one + suffix
		if _, err := exec(tx, statement, slices.Concat(chunk...)...); err != nil {
			return err
		}
	}
	return nil
}

// update is a change of many rows of one table.
type update struct {
	table string
	key   string   // primary key column
	set   []string // columns whose values differ from row to row
	fixed string   // assignments that are the same for all rows, without arguments; may be empty
	guard string   // further condition on the present row; may be empty
}

// updateRows changes rows by their keys; each row holds the key and then the
// values of u.set. It answers how many rows the guard let through. Rows must be
// in order of their keys.
func (s *Store) updateRows(tx *gorm.DB, u update, rows [][]any) (int64, error) {
	if len(rows) == 0 {
		return 0, nil
	}
	if s.dialect == sqlite {
		turned := make([][]any, len(rows)) // the key comes last in the statement
		for i, row := range rows {
			turned[i] = append(append(make([]any, 0, len(row)), row[1:]...), row[0])
		}
		return s.each(tx, u.grouped("?"), turned)
	}
	groups := u.groups(rows)
	var total int64
	if len(groups)*groupSize <= len(rows) || len(rows) == 1 {
		for _, g := range groups {
			args := slices.Concat(rows[g[0]][1:], make([]any, 0, len(g)))
			for _, i := range g {
				args = append(args, rows[i][0])
			}
			n, err := exec(tx, u.grouped(marks(len(g))), args...)
			if err != nil {
				return total, err
			}
			total += n
		}
		return total, nil
	}
	for chunk := range rowChunks(rows) {
		n, err := exec(tx, u.joined(len(chunk)), u.joinedArgs(chunk)...)
		if err != nil {
			return total, err
		}
		total += n
	}
	return total, nil
}

// grouped is the statement for rows that get the same values.
func (u update) grouped(keys string) string {
	var b strings.Builder
	b.WriteString("UPDATE " + u.table + " SET ")
	for i, column := range u.set {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(column + " = ?")
	}
	if u.fixed != "" {
		if len(u.set) > 0 {
			b.WriteString(", ")
		}
		b.WriteString(u.fixed)
	}
	if keys == "?" {
		b.WriteString(" WHERE " + u.key + " = ?")
	} else {
		b.WriteString(" WHERE " + u.key + " IN (" + keys + ")")
	}
	if u.guard != "" {
		b.WriteString(" AND " + u.guard)
	}
	return b.String()
}

// joined is MySQL's statement for n rows with values of their own.
func (u update) joined(n int) string {
	var b strings.Builder
	// The collation lets the server make a key over the list; without it every
	// row would be compared with every other one.
	b.WriteString("UPDATE " + u.table + " STRAIGHT_JOIN (SELECT CAST(? AS CHAR(26) CHARACTER SET ascii) COLLATE ascii_bin AS k")
	for i := range u.set {
		fmt.Fprintf(&b, ", ? AS v%d", i)
	}
	b.WriteString(strings.Repeat(" UNION ALL SELECT "+marks(1+len(u.set)), n-1))
	b.WriteString(") list ON list.k = " + u.table + "." + u.key + " SET ")
	for i, column := range u.set {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s = list.v%d", column, i)
	}
	if u.fixed != "" {
		b.WriteString(", " + u.fixed)
	}
	b.WriteString(" WHERE " + u.table + "." + u.key + " IN (" + marks(n) + ")")
	if u.guard != "" {
		b.WriteString(" AND " + u.guard)
	}
	return b.String()
}

func (u update) joinedArgs(rows [][]any) []any {
	args := slices.Concat(rows...)
	for _, row := range rows {
		args = append(args, row[0])
	}
	return args
}

// groups answers the indexes of rows with equal values, in order of appearance;
// or as many groups as rows once grouping cannot pay any more.
func (u update) groups(rows [][]any) [][]int {
	var groups [][]int
	for i, row := range rows {
		at := slices.IndexFunc(groups, func(g []int) bool { return sameValues(rows[g[0]][1:], row[1:]) })
		if at < 0 {
			if (len(groups)+1)*groupSize > len(rows) && len(rows) > 1 {
				return make([][]int, len(rows))
			}
			groups = append(groups, nil)
			at = len(groups) - 1
		}
		groups[at] = append(groups[at], i)
	}
	return groups
}

// sameValues compares arguments; what it cannot compare differs.
func sameValues(a, b []any) bool {
	return slices.EqualFunc(a, b, func(x, y any) bool {
		switch x := x.(type) {
		case time.Time:
			y, ok := y.(time.Time)
			return ok && x.Equal(y)
		case *time.Time:
			y, ok := y.(*time.Time)
			return ok && (x == y || x != nil && y != nil && x.Equal(*y))
		case *string:
			y, ok := y.(*string)
			return ok && (x == y || x != nil && y != nil && *x == *y)
		default:
			return x == y
		}
	})
}

// each executes a prepared statement once a row and answers how many rows it
// matched in all.
func (s *Store) each(tx *gorm.DB, statement string, rows [][]any) (int64, error) {
	stmt, err := s.stmts.in(tx, statement)
	if err != nil {
		return 0, err
	}
	var total int64
	for _, row := range rows {
		res, err := stmt.ExecContext(tx.Statement.Context, row...)
		if err != nil {
			return total, translate(tx, err)
		}
		n, err := res.RowsAffected()
		if err != nil {
			return total, err
		}
		total += n
	}
	return total, nil
}

// rowChunks cuts rows into the parts of one statement each.
func rowChunks(rows [][]any) iter.Seq[[][]any] {
	return func(yield func([][]any) bool) {
		start, size := 0, 0
		for i, row := range rows {
			bytes := rowBytes(row)
			if i > start && (i-start == rowLimit || size+bytes > byteLimit) {
				if !yield(rows[start:i]) {
					return
				}
				start, size = i, 0
			}
			size += bytes
		}
		if start < len(rows) {
			yield(rows[start:])
		}
	}
}

// rowBytes estimates the length of a row within a statement.
func rowBytes(row []any) int {
	n := 0
	for _, v := range row {
		switch v := v.(type) {
		case string:
			n += len(v)
		case *string:
			if v != nil {
				n += len(*v)
			}
		}
		n += 8
	}
	return n
}

// chunks cuts a list into parts of at most n.
func chunks[T any](list []T, n int) iter.Seq[[]T] { return slices.Chunk(list, n) }

// stmtCache keeps SQLite's prepared statements on the only writing connection.
// Their texts are constants of this package, so there are some dozens at most.
type stmtCache struct {
	mu   sync.Mutex
	list map[string]*sql.Stmt // nil: asked for, to be prepared before the next transaction
}

// in answers the statement for use within tx. The first time it is prepared for
// this transaction alone: the connection is taken by it.
func (c *stmtCache) in(tx *gorm.DB, text string) (*sql.Stmt, error) {
	conn, ok := tx.Statement.ConnPool.(*sql.Tx)
	if !ok {
		return nil, errors.New("a mass statement needs a transaction")
	}
	c.mu.Lock()
	kept, known := c.list[text]
	if !known {
		if c.list == nil {
			c.list = map[string]*sql.Stmt{}
		}
		c.list[text] = nil
	}
	c.mu.Unlock()
	if kept != nil {
		return conn.StmtContext(tx.Statement.Context, kept), nil
	}
	return conn.PrepareContext(tx.Statement.Context, text)
}

// prepare makes the statements that were asked for. It is called while no
// transaction of the caller is open; it waits for the connection without holding
// the lock, which the transaction that has it may need.
func (c *stmtCache) prepare(ctx context.Context, db *gorm.DB) error {
	for _, text := range c.missing() {
		pool, err := db.DB()
		if err != nil {
			return err
		}
		stmt, err := pool.PrepareContext(ctx, text)
		if err != nil {
			return fmt.Errorf("preparing %.60q: %w", text, err)
		}
		c.mu.Lock()
		if c.list[text] == nil {
			c.list[text], stmt = stmt, nil
		}
		c.mu.Unlock()
		if stmt != nil { // another goroutine was faster
			_ = stmt.Close()
		}
	}
	return nil
}

func (c *stmtCache) missing() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var texts []string
	for text, kept := range c.list {
		if kept == nil {
			texts = append(texts, text)
		}
	}
	return texts
}

func (c *stmtCache) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, kept := range c.list {
		if kept != nil {
			_ = kept.Close() // the pool is closed next, which frees it anyway
		}
	}
	c.list = nil
}
