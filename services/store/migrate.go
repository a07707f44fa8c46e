package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"github.com/belfry-scheduler/belfry/migrations"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// MigrationState is one numbered change of the schema.
type MigrationState struct {
	Version   int64
	Name      string     // file name
	AppliedAt *time.Time // nil: pending
}

const (
	versionTable     = "schema_versions"
	migrationSeconds = 60 // wait for another server's migration
)

// Migrate brings the schema up to this program's version. Any number of servers
// may call it at once: one works, the others wait and then find nothing to do.
// Faults: Unsupported when the schema is newer than this program, Unavailable
// when another server's migration takes longer than a minute.
func (s *Store) Migrate(ctx context.Context) error {
	return s.underSchemaLock(ctx, func(pool *sql.DB, provider *goose.Provider) error {
		current, target, err := provider.GetVersions(ctx)
		if err != nil {
			return fmt.Errorf("reading the schema's version: %w", err)
		}
		if current > target {
			return fault.New(fault.Unsupported,
				"The database's schema has version %d, this program knows up to %d: start the newer program that upgraded it.", current, target)
		}
		if err := s.up(ctx, pool, provider); err != nil {
			return fmt.Errorf("changing the schema: %w", err)
		}
		if current < target {
			s.log.InfoContext(ctx, "schema changed", "from", current, "to", target)
		}
		return nil
	})
}

// MigrationStatus lists all changes of the schema that this program knows.
func (s *Store) MigrationStatus(ctx context.Context) ([]MigrationState, error) {
	var states []MigrationState
	err := s.underSchemaLock(ctx, func(_ *sql.DB, provider *goose.Provider) error {
		list, err := provider.Status(ctx)
		if err != nil {
			return fmt.Errorf("reading the schema's versions: %w", err)
		}
		states = make([]MigrationState, len(list))
		for i, m := range list {
			states[i] = MigrationState{Version: m.Source.Version, Name: m.Source.Path}
			if m.State == goose.StateApplied {
				at := m.AppliedAt.UTC()
				states[i].AppliedAt = &at
			}
		}
		return nil
	})
	return states, err
}

// underSchemaLock calls fn while no other server reads or changes the schema; the
// lock also covers the creation of goose's own table.
func (s *Store) underSchemaLock(ctx context.Context, fn func(*sql.DB, *goose.Provider) error) error {
	pool, done, err := s.schemaPool()
	if err != nil {
		return err
	}
	defer done()
	unlock, err := s.lockSchema(ctx, pool)
	if err != nil {
		return err
	}
	defer unlock()
	provider, err := s.provider(pool)
	if err != nil {
		return err
	}
	return fn(pool, provider)
}

// schemaPool answers connections for changes of the schema: with MySQL some of
// their own, because the usual time limit of a statement would cut off the change
// of a large table.
func (s *Store) schemaPool() (pool *sql.DB, done func(), err error) {
	if s.dialect == sqlite {
		pool, err = s.writer.DB()
		return pool, func() {}, err
	}
	cfg := s.mysql.Clone()
	cfg.ReadTimeout, cfg.WriteTimeout = 0, 0
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, nil, fmt.Errorf("reaching the database: %w", err)
	}
	pool = sql.OpenDB(connector)
	return pool, func() { _ = pool.Close() }, nil
}

func (s *Store) provider(pool *sql.DB) (*goose.Provider, error) {
	folder, kind := "mysql", database.DialectMySQL
	if s.dialect == sqlite {
		folder, kind = "sqlite", database.DialectSQLite3
	}
	files, err := fs.Sub(migrations.Files, folder)
	if err != nil {
		return nil, fmt.Errorf("reading the migrations: %w", err)
	}
	p, err := goose.NewProvider(kind, pool, files,
		goose.WithDisableGlobalRegistry(true), goose.WithTableName(versionTable))
	if err != nil {
		return nil, fmt.Errorf("reading the migrations: %w", err)
	}
	return p, nil
}

// lockSchema takes the lock under which the schema is read and changed. MySQL's
// belongs to a connection of its own, so that it ends with the process whatever
// ends it. A SQLite file has one server, whose lock the store holds already; a
// command beside takes it for the moment.
func (s *Store) lockSchema(ctx context.Context, pool *sql.DB) (unlock func(), err error) {
	if s.dialect == sqlite {
		return s.lockSQLiteSchema()
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("reaching the database: %w", err)
	}
	var got sql.NullInt64
	err = conn.QueryRowContext(ctx, "SELECT GET_LOCK(CONCAT('belfry:', MD5(DATABASE())), ?)", migrationSeconds).Scan(&got)
	if err == nil && got.Int64 != 1 {
		err = fault.New(fault.Unavailable,
			"Another server has been changing the schema for %d seconds: wait for it, or look at what it does.", migrationSeconds)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("locking the schema: %w", err), conn.Close())
	}
	return func() {
		// The pool is closed right after, which ends the session and so the lock
		// even when this statement fails.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dialTimeout)
		defer cancel()
		_, _ = conn.ExecContext(ctx, "DO RELEASE_LOCK(CONCAT('belfry:', MD5(DATABASE())))")
		_ = conn.Close()
	}, nil
}

func (s *Store) lockSQLiteSchema() (unlock func(), err error) {
	if s.lock != nil {
		return func() {}, nil
	}
	lock, err := lockFile(s.path + ".lock")
	if errors.Is(err, errLocked) {
		return func() {}, nil // a server runs, which has migrated the file at its start
	}
	if err != nil {
		return nil, fmt.Errorf("locking the schema: %w", err)
	}
	return func() { _ = lock.release() }, nil
}
