package coord_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/coord"
)

// The very first look after a pause counts: no loop has had a chance to notice
// that the locks have ended, and still nothing may be acted for.
func TestClockIsReadAtEachLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, byFallback) // the checker expects nothing of locks
		var ahead atomic.Int64         // how much longer the process has slept than its timers know
		a := c.start("a", func(_ *node, cfg *coord.Config) {
			cfg.Elapsed = func() time.Duration { return clock.Monotonic() + time.Duration(ahead.Load()) }
		})
		c.covered(time.Minute)
		time.Sleep(ttl / 3) // just prolonged
		synctest.Wait()
		for _, tc := range []struct {
			slept time.Duration
			open  bool
		}{{ttl / 2, true}, {ttl - ttl/10 - 100*time.Millisecond, true}, {ttl - ttl/10, false}, {ttl, false}, {time.Hour, false}} {
			ahead.Store(int64(tc.slept))
			_, ok := a.o.Fence(0, 63)
			if n := len(a.o.Partitions()); (n == models.Partitions) != tc.open || ok != tc.open {
				t.Errorf("right after a sleep of %s it acts for %d partitions, fence %v", tc.slept, n, ok)
			}
			ahead.Store(0)
		}
	})
}
