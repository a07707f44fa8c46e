package store

import (
	"context"
	"testing"
	"time"
)

// background is for what outlives one test: the templates.
var background = context.Background()

func TestPingAndClock(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		if err := s.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
		now, err := s.Now(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if off := now.Sub(s.clock.Now()).Abs(); off > time.Minute || now.Location() != time.UTC {
			t.Errorf("Now = %v, off by %v", now, off)
		}
	})
}
