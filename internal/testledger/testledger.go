// Package testledger opens ledgers for the tests of packages above the store. The
// store's own tests run on both databases; those above it take the embedded one, unless
// they have statements of several kinds follow one another.
package testledger

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/store"
)

// Open answers an empty, migrated ledger of this test alone; it is closed at the
// test's end. A nil clock is the machine's.
func Open(t testing.TB, c clock.Clock) *store.Store {
	t.Helper()
	file, err := template()
	if err != nil {
		t.Fatalf("migrating the template: %v", err)
	}
	path := filepath.Join(t.TempDir(), "belfry.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(context.WithoutCancel(t.Context()), store.Options{URL: "sqlite://" + path, Clock: c})
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

// template is the content of a migrated file; migrating anew takes much longer.
var template = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "belfry-ledger-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "template.db")
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{URL: "sqlite://" + path})
	if err != nil {
		return nil, err
	}
	if err := s.Migrate(ctx); err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// Clock is a clock that a test moves. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock makes a clock that stands at an instant.
func NewClock(at time.Time) *Clock { return &Clock{now: clock.Cut(at)} }

// Now implements clock.Clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock on.
func (c *Clock) Advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = clock.Cut(c.now.Add(by))
}
