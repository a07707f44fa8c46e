package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"
	"github.com/pressly/goose/v3"
)

// up applies all changes that are pending. MySQL commits a change of the schema by
// itself, before its number is noted; a server that dies in between, or whose change
// is still carried out when its connection and so its lock are gone, leaves a change
// that stands and is not noted. Each change of a MySQL file is one statement, so that
// one is then whole, and is noted now. There can be one such a call.
func (s *Store) up(ctx context.Context, pool *sql.DB, provider *goose.Provider) error {
	_, err := provider.Up(ctx)
	partial, ok := errors.AsType[*goose.PartialError](err)
	if !ok || !standsAlready(partial.Err) {
		return err
	}
	version := partial.Failed.Source.Version
	if _, err := pool.ExecContext(ctx, "INSERT INTO "+versionTable+" (version_id, is_applied) VALUES (?, TRUE)", version); err != nil {
		return fmt.Errorf("noting change %d, which stands already: %w", version, err)
	}
	s.log.WarnContext(ctx, "a server died between a change of the schema and noting it", "version", version)
	_, err = provider.Up(ctx)
	return err
}

// standsAlready says whether MySQL refused a change because what it makes, or takes
// away, is there, or gone: a table, a column, an index.
func standsAlready(err error) bool {
	server, ok := errors.AsType[*mysql.MySQLError](err)
	if !ok {
		return false
	}
	switch server.Number {
	case 1050, 1060, 1061, 1091: // table exists, duplicate column, duplicate key, cannot drop
		return true
	}
	return false
}
