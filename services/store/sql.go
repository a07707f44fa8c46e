package store

import (
	"database/sql"
	"errors"
	"strings"

	"gorm.io/gorm"
)

// The hot path goes past gorm's statement builder, straight to the transaction's
// connection: building a statement of 500 rows by reflection costs more than the
// database's own work.

// trace, unless nil, is told of every statement before it runs. Only a test sets
// it, before it opens a store.
var trace func(tx *gorm.DB, statement string, args []any)

// exec runs a statement on tx and answers how many rows it matched.
func exec(tx *gorm.DB, statement string, args ...any) (int64, error) {
	if trace != nil {
		trace(tx, statement, args)
	}
	res, err := tx.Statement.ConnPool.ExecContext(tx.Statement.Context, statement, args...)
	if err != nil {
		return 0, translate(tx, err)
	}
	return res.RowsAffected()
}

// query runs a query on tx. The caller hands the rows to scan.
func query(tx *gorm.DB, statement string, args ...any) (*sql.Rows, error) {
	if trace != nil {
		trace(tx, statement, args)
	}
	rows, err := tx.Statement.ConnPool.QueryContext(tx.Statement.Context, statement, args...)
	if err != nil {
		return nil, translate(tx, err)
	}
	return rows, nil
}

// queryOne reads the only value of the only row of a query.
func queryOne(tx *gorm.DB, into any, statement string, args ...any) error {
	rows, err := query(tx, statement, args...)
	if err != nil {
		return err
	}
	return scan(rows, func() error { return rows.Scan(into) })
}

// scan calls each for every row, then closes the rows.
func scan(rows *sql.Rows, each func() error) error {
	for rows.Next() {
		if err := each(); err != nil {
			return errors.Join(err, rows.Close())
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// translate turns the driver's error into gorm's (gorm.ErrDuplicatedKey), as gorm
// does for its own statements.
func translate(tx *gorm.DB, err error) error {
	if t, ok := tx.Dialector.(gorm.ErrorTranslator); ok {
		return t.Translate(err)
	}
	return err
}

// marks answers n question marks for an IN list.
func marks(n int) string {
	if n == 0 {
		return "NULL"
	}
	return strings.Repeat("?,", n-1) + "?"
}

// anys turns a list into arguments.
func anys[T any](list []T) []any {
	args := make([]any, len(list))
	for i, v := range list {
		args[i] = v
	}
	return args
}
