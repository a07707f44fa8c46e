package store

import (
	"database/sql"
	"fmt"
	"strconv"
	"time"
)

// Reading many rows through database/sql costs more than the rows' own transport:
// numbers of types of ours go through text, and every text is allocated anew. So
// hot reads scan into cells, which are made once a query, convert by hand and
// share a text that equals the one in the row before.

// cell receives one column of every row; it implements sql.Scanner.
type cell struct {
	set  func(src any, last *string) error
	last string // the column's text in the row before
}

// Scan implements sql.Scanner.
func (c *cell) Scan(src any) error { return c.set(src, &c.last) }

// text answers a text column's value, last itself if it is the same.
func text(src any, last *string) (string, error) {
	switch v := src.(type) {
	case []byte:
		if string(v) != *last { // compares without allocating
			*last = string(v)
		}
	case string:
		*last = v
	case nil:
		return "", nil
	default:
		return "", fmt.Errorf("a text column holds a %T", src)
	}
	return *last, nil
}

// number answers a column of whole numbers.
func number(src any) (int64, error) {
	switch v := src.(type) {
	case int64:
		return v, nil
	case []byte:
		return strconv.ParseInt(string(v), 10, 64)
	case bool:
		if v {
			return 1, nil
		}
		return 0, nil
	case nil:
		return 0, nil
	}
	return 0, fmt.Errorf("a number column holds a %T", src)
}

// The to… functions answer how a column is stored in a field of a row.

func toText[R any](field func(*R) *string) func(*R, any, *string) error {
	return func(r *R, src any, last *string) (err error) {
		*field(r), err = text(src, last)
		return err
	}
}

func toTextPtr[R any](field func(*R) **string) func(*R, any, *string) error {
	return func(r *R, src any, last *string) error {
		if src == nil {
			*field(r) = nil
			return nil
		}
		v, err := text(src, last)
		*field(r) = &v
		return err
	}
}

func toNumber[R any, N ~int | ~int64 | ~uint8](field func(*R) *N) func(*R, any, *string) error {
	return func(r *R, src any, _ *string) error {
		v, err := number(src)
		*field(r) = N(v)
		return err
	}
}

func toNumberPtr[R any](field func(*R) **int) func(*R, any, *string) error {
	return func(r *R, src any, _ *string) error {
		if src == nil {
			*field(r) = nil
			return nil
		}
		v, err := number(src)
		n := int(v)
		*field(r) = &n
		return err
	}
}

func toTime[R any](field func(*R) *time.Time) func(*R, any, *string) error {
	return func(r *R, src any, _ *string) error {
		v, ok := src.(time.Time)
		if !ok {
			return fmt.Errorf("a time column holds a %T", src)
		}
		*field(r) = v.UTC()
		return nil
	}
}

func toTimePtr[R any](field func(*R) **time.Time) func(*R, any, *string) error {
	return func(r *R, src any, _ *string) error {
		if src == nil {
			*field(r) = nil
			return nil
		}
		v, ok := src.(time.Time)
		if !ok {
			return fmt.Errorf("a time column holds a %T", src)
		}
		v = v.UTC()
		*field(r) = &v
		return nil
	}
}

func toReal[R any](field func(*R) **float64) func(*R, any, *string) error {
	return func(r *R, src any, _ *string) error {
		var v sql.Null[float64]
		if err := v.Scan(src); err != nil {
			return err
		}
		*field(r) = nil
		if v.Valid {
			*field(r) = &v.V
		}
		return nil
	}
}

func toDocument[R any, D ~[]byte](field func(*R) *D) func(*R, any, *string) error {
	return func(r *R, src any, _ *string) error {
		switch v := src.(type) {
		case nil:
			*field(r) = nil
		case []byte:
			*field(r) = append(D(nil), v...)
		case string:
			*field(r) = D(v)
		default:
			return fmt.Errorf("a document column holds a %T", src)
		}
		return nil
	}
}

// instant takes an instant that an aggregate answers, which has lost its type:
// SQLite gives microseconds.
type instant struct{ at *time.Time }

// Scan implements sql.Scanner.
func (i *instant) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		i.at = nil
	case time.Time:
		i.at = new(v.UTC())
	case int64:
		i.at = new(time.UnixMicro(v).UTC())
	default:
		return fmt.Errorf("an instant has the type %T", src)
	}
	return nil
}
