package testledger

import (
	"context"
	"sync"
	"testing"

	"github.com/belfry-scheduler/belfry/internal/testserver"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/store"
)

// OpenMariaDB is Open on the test binary's MariaDB, whose TestMain must stop it
// (testserver.Main).
func OpenMariaDB(t testing.TB, c clock.Clock) *store.Store {
	t.Helper()
	server := testserver.MariaDB(t)
	migrated.once.Do(func() { migrated.name, migrated.err = migrateMariaDB(server) })
	if migrated.err != nil {
		t.Fatalf("migrating the template: %v", migrated.err)
	}
	url := server.URL(server.Clone(t, migrated.name, "partitions", "alert_rules", "schema_versions"))
	s, err := store.Open(context.WithoutCancel(t.Context()), store.Options{URL: url, Clock: c})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// migrated is a database that is copied; migrating anew takes much longer.
var migrated struct {
	once sync.Once
	name string
	err  error
}

func migrateMariaDB(server *testserver.MariaDBServer) (string, error) {
	ctx := context.Background()
	name, err := server.NewDatabase(ctx)
	if err != nil {
		return "", err
	}
	s, err := store.Open(ctx, store.Options{URL: server.URL(name)})
	if err != nil {
		return "", err
	}
	if err := s.Migrate(ctx); err != nil {
		return "", err
	}
	return name, s.Close()
}
