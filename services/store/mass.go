package store

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
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

// duplicateTries is how often an insert that found a key taken looks again which
// ones are. Each time at least one row more is known, from a transaction that
// committed in between.
const duplicateTries = 10

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
		return s.each(tx, head+one+suffix, rows, func(int, int64) {})
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
		var total int64
		err := s.each(tx, u.grouped(s.dialect, "?"), turned, func(_ int, n int64) { total += n })
		return total, err
	}
	groups := u.groups(rows)
	var total int64
	if len(groups)*groupSize <= len(rows) || len(rows) == 1 {
		for _, g := range groups {
			args := slices.Concat(rows[g[0]][1:], make([]any, 0, len(g)))
			for _, i := range g {
				args = append(args, rows[i][0])
			}
			n, err := exec(tx, u.grouped(s.dialect, marks(len(g))), args...)
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
func (u update) grouped(d dialect, keys string) string {
	var b strings.Builder
	b.WriteString("UPDATE " + u.table + d.byKey() + " SET ")
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
	b.WriteString("UPDATE " + u.table + mariadb.byKey() + " STRAIGHT_JOIN (SELECT CAST(? AS CHAR(26) CHARACTER SET ascii) COLLATE ascii_bin AS k")
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

// insertNew inserts those rows whose key, the first column, does not exist, and
// answers by key which do.
func (s *Store) insertNew(tx *gorm.DB, table string, columns []string, rows [][]any, look func(keys []string) (map[string]bool, error)) (map[string]bool, error) {
	existing := map[string]bool{}
	if s.dialect == sqlite {
		statement := "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES (" + marks(len(columns)) + ") ON CONFLICT (" + columns[0] + ") DO NOTHING"
		err := s.each(tx, statement, rows, func(i int, n int64) {
			if n == 0 {
				existing[rows[i][0].(string)] = true
			}
		})
		return existing, err
	}
	// A plain insert first: that a key exists is rare, and to look before costs a
	// sixth of the insert. MySQL undoes a statement that fails, so all rows of a
	// chunk are still to be inserted when it is tried again.
	for chunk := range rowChunks(rows) {
		for try := 1; ; try++ {
			fresh := slices.DeleteFunc(slices.Clone(chunk), func(row []any) bool { return existing[row[0].(string)] })
			err := s.insertRows(tx, table, columns, fresh, "")
			if err == nil {
				break
			}
			if !errors.Is(err, gorm.ErrDuplicatedKey) || try == duplicateTries {
				return nil, err
			}
			keys := make([]string, len(fresh))
			for i, row := range fresh {
				keys[i] = row[0].(string)
			}
			there, err := look(keys)
			if err != nil {
				return nil, err
			}
			maps.Copy(existing, there)
		}
	}
	return existing, nil
}

// each executes a prepared statement once a row and says how many rows of the
// table each matched.
func (s *Store) each(tx *gorm.DB, statement string, rows [][]any, matched func(i int, n int64)) error {
	stmt, err := s.stmts.in(tx, statement)
	if err != nil {
		return err
	}
	for i, row := range rows {
		if trace != nil {
			trace(tx, statement, row)
		}
		res, err := stmt.ExecContext(tx.Statement.Context, row...)
		if err != nil {
			return translate(tx, err)
		}
		n, err := res.RowsAffected()
		if err != nil {
			return err
		}
		matched(i, n)
	}
	return nil
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
