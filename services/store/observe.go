package store

import (
	"errors"

	"gorm.io/gorm"
)

// Observe has fn called for every statement that goes through gorm, before it
// runs; mass statements do not. It is for tests that count, and is called once,
// before the store is used.
func (s *Store) Observe(fn func()) error {
	const name = "observe"
	called := func(*gorm.DB) { fn() }
	pools := []*gorm.DB{s.reader}
	if s.writer != s.reader {
		pools = append(pools, s.writer)
	}
	var errs []error
	for _, db := range pools {
		c := db.Callback()
		errs = append(errs,
			c.Query().Before("gorm:query").Register(name, called),
			c.Row().Before("gorm:row").Register(name, called),
			c.Raw().Before("gorm:raw").Register(name, called),
			c.Create().Before("gorm:create").Register(name, called),
			c.Update().Before("gorm:update").Register(name, called),
			c.Delete().Before("gorm:delete").Register(name, called),
		)
	}
	return errors.Join(errs...)
}
