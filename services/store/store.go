// Package store is the ledger: the only user of gorm and SQL. One file holds one
// table or duty. An exported method owns its transaction; unexported helpers take
// tx. Rows that must change together are one method. It decides nothing that a
// use-case package could decide: what it enforces is the legality of transitions,
// uniqueness, fencing and the counts that follow from both.
//
// It runs on MySQL 8, MariaDB 10.11 and SQLite; the differences are in
// dialect.go. Times are UTC, cut to microseconds before they are written.
package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/go-sql-driver/mysql"
	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// Store is one open ledger. It is safe for concurrent use.
type Store struct {
	writer  *gorm.DB // SQLite: exactly one connection, so writers queue in Go
	reader  *gorm.DB // MySQL: the same as writer
	dialect dialect
	clock   clock.Clock
	log     *slog.Logger
	lock    *fileLock       // SQLite: held while the store is open; nil otherwise
	slot    int             // this store's share of the counters' slots, 0..counterServers-1
	stmts   stmtCache       // SQLite: prepared mass statements
	graph   graphCache      // of dependencies
	chunks  chunkCache      // of logs
	events  models.Sequence // ids of alert events
	arrived func(ctx context.Context, partitions []int)
	alerted func(ctx context.Context)
	path    string        // SQLite: the file
	mysql   *mysql.Config // MySQL: how to connect
}

// Embedded says whether the ledger is a SQLite file of this process alone.
func (s *Store) Embedded() bool { return s.dialect == sqlite }

// Ping answers nil while the database answers.
func (s *Store) Ping(ctx context.Context) error {
	db, err := s.reader.DB()
	if err != nil {
		return fmt.Errorf("reaching the database: %w", err)
	}
	if err := db.PingContext(ctx); err != nil {
		return fmt.Errorf("reaching the database: %w", err)
	}
	return nil
}

// Now answers the database's clock in UTC, to compare leases and to measure this
// server's offset. The embedded ledger has no clock but this process's.
func (s *Store) Now(ctx context.Context) (time.Time, error) {
	if s.dialect == sqlite {
		return s.clock.Now(), nil
	}
	now, err := databaseNow(s.read(ctx))
	if err != nil {
		return time.Time{}, fmt.Errorf("reading the database's clock: %w", err)
	}
	return now, nil
}

// databaseNow reads the clock of a MySQL server within tx.
func databaseNow(tx *gorm.DB) (time.Time, error) {
	var now time.Time
	err := tx.Raw("SELECT UTC_TIMESTAMP(6)").Row().Scan(&now)
	return now, err
}

// Close ends the store; running calls fail. It is idempotent.
func (s *Store) Close() error {
	var errs []error
	s.stmts.close()
	for _, db := range []*gorm.DB{s.reader, s.writer} {
		if db == nil {
			continue
		}
		pool, err := db.DB()
		if err == nil {
			err = pool.Close()
		}
		errs = append(errs, err)
	}
	if s.lock != nil {
		errs = append(errs, s.lock.release())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("closing the ledger: %w", err)
	}
	return nil
}
