package coord_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// Redis is away for all for longer than its locks live. They move to the database
// before they end, so that no partition is without an owner for a moment, and
// back when Redis has been well for a while.
func TestFallbackHasNoGap(t *testing.T) {
	for name, fail := range map[string]func(w *wire, away bool){
		"refuses": func(w *wire, away bool) { w.setCut(away) },
		"hangs": func(w *wire, away bool) { // for as long as a caller waits at most
			w.set(func(w *wire) {
				if w.slow, w.cut = 0, away; away {
					w.slow = ttl / 6
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster(t, byFallback)
				a, b := c.start("a"), c.start("b")
				c.calm()
				before, _ := c.owners()
				c.resetWorst()
				for range 3 {
					for _, n := range []*node{a, b} {
						fail(&n.redis, true)
					}
					time.Sleep(ttl)
					if !a.fallback.Away() || !b.fallback.Away() {
						t.Fatal("Redis has been away for longer than its locks, and the database is not used")
					}
					time.Sleep(time.Minute)
					for _, n := range []*node{a, b} {
						fail(&n.redis, false)
					}
					time.Sleep(20 * time.Second)
					if !a.fallback.Away() {
						t.Error("Redis is used again although it has not been well for long")
					}
					time.Sleep(15 * time.Second)
					if a.fallback.Away() || b.fallback.Away() {
						t.Error("Redis is well again and not used")
					}
					for p := range models.Partitions {
						if holder := c.locks.holder(p); holder != before[p] {
							t.Errorf("the lock of partition %d is %q's, want %s's again", p, holder, before[p])
						}
					}
				}
				c.calm()
				if gap := c.worstGap(); gap > 0 {
					t.Errorf("a partition was without an owner for %s", gap)
				}
			})
		})
	}
}

// A short outage moves nothing.
func TestFallbackIgnoresAHiccup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, byFallback)
		a := c.start("a")
		c.calm()
		for range 20 {
			a.redis.setCut(true)
			time.Sleep(ttl / 4)
			a.redis.setCut(false)
			if a.fallback.Away() {
				t.Fatal("the database is used after a hiccup")
			}
			time.Sleep(ttl)
		}
		if c.worstGap() > time.Second {
			t.Errorf("a partition was without an owner for %s", c.worstGap())
		}
	})
}

// One server alone has lost Redis: the two use different locks. Each keeps its
// share, the epochs keep them apart, and dead servers are taken over either way.
func TestMixedLocks(t *testing.T) {
	for name, victim := range map[string]int{"the one with leases dies": 0, "the one with locks dies": 1} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster(t, byFallback)
				nodes := []*node{c.start("a"), c.start("b")}
				c.calm()
				nodes[0].redis.setCut(true)
				time.Sleep(ttl)
				if !nodes[0].fallback.Away() || nodes[1].fallback.Away() {
					t.Fatal("not one of two servers uses the database")
				}
				c.resetWorst()
				c.calm()
				if gap := c.worstGap(); gap > 0 {
					t.Errorf("a partition was without an owner for %s", gap)
				}
				nodes[victim].kill()
				if took := c.covered(time.Minute); took > takeover {
					t.Errorf("the share of the dead server had owners after %s", took)
				}
				d := c.start("d")
				c.calm()
				if len(d.o.Partitions()) == 0 {
					t.Error("a new server got no share")
				}
			})
		})
	}
}

// Servers that start while Redis is away use the database after a moment.
func TestStartWithoutRedis(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, byFallback)
		a := c.start("a")
		a.redis.setCut(true)
		if took := c.covered(time.Minute); took > ttl {
			t.Errorf("it owned everything after %s", took)
		}
		a.stop()
		b := c.start("b")
		b.redis.setCut(true)
		if took := c.covered(time.Minute); took > ttl {
			t.Errorf("its successor owned everything after %s", took)
		}
	})
}
