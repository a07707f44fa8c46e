package store

import (
	"database/sql"
	"fmt"
	"testing"

	"github.com/pressly/goose/v3"

	"github.com/belfry-scheduler/belfry/internal/testserver"
)

// A server that dies between a change of the schema and noting it, which MySQL
// cannot put into one transaction, does not keep others from starting: whether the
// change was a table, a column or an index.
func TestChangeThatWasNotNotedIsTakenUp(t *testing.T) {
	t.Parallel()
	server := testserver.MariaDB(t)
	for _, last := range []int64{10, 25, 26, 55} {
		t.Run(fmt.Sprint(last), func(t *testing.T) {
			t.Parallel()
			s := openTest(t, Options{URL: server.URL(server.Database(t))})
			err := s.underSchemaLock(t.Context(), func(pool *sql.DB, p *goose.Provider) error {
				if _, err := p.UpTo(t.Context(), last); err != nil {
					return err
				}
				_, err := pool.ExecContext(t.Context(), "DELETE FROM "+versionTable+" WHERE version_id = ?", last)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			states, err := s.MigrationStatus(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, state := range states {
				if state.AppliedAt == nil {
					t.Errorf("version %d is not noted", state.Version)
				}
			}
		})
	}
}
