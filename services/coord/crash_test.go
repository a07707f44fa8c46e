package coord_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/services/coord"
)

// CB-067: a server dies at each single call of a takeover, before or after the
// call's effect, and two others start together. A later pass completes whatever
// was begun; nothing is owned twice.
func TestTakeoverCanBeRepeated(t *testing.T) {
	tests := map[string]func(*testing.T){}
	for _, m := range []mode{byLocks, byLeases} {
		for point := 1; point <= 150; point += 29 {
			for _, late := range []bool{false, true} {
				for _, which := range []string{"db", "redis"} {
					if m == byLeases && which == "redis" {
						continue
					}
					name := fmt.Sprintf("mode %d, call %d of %s, late %v", m, point, which, late)
					tests[name] = func(t *testing.T) { dieInTakeover(t, m, which, point, late) }
				}
			}
		}
	}
	bubbles(t, tests)
}

// dieInTakeover has "b" die at a call of its takeover of "a".
func dieInTakeover(t *testing.T, m mode, which string, point int, late bool) {
	c := newCluster(t, m)
	a := c.start("a")
	c.covered(time.Minute)
	b := c.start("b", func(n *node, _ *coord.Config) {
		// From the moment "a" is dead the calls count; before, "b" has no share.
		n.unfit = errors.New("waits")
	})
	time.Sleep(time.Minute)
	a.kill()
	w := &b.db
	if which == "redis" {
		w = &b.redis
	}
	w.set(func(w *wire) { w.dieAt, w.dieLate = w.calls+point, late })
	time.Sleep(takeover)
	b.kill()
	c.start("c")
	c.start("d")
	if took := c.covered(time.Minute); took > takeover {
		t.Errorf("everything had an owner after %s", took)
	}
	c.calm()
}

// A cluster lives through random faults: servers are killed, paused, stopped,
// started and cut off from the ledger or the locks, keys vanish and are stolen,
// the database's clock jumps. At no time two servers act under the same epoch,
// and no write under an old one is accepted; afterwards everything settles.
func TestRandomFaults(t *testing.T) {
	seeds := 3
	if text := os.Getenv("BELFRY_SEEDS"); text != "" { // for the night: thousands
		var err error
		if seeds, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]func(*testing.T){}
	for _, m := range []mode{byLocks, byLeases, byFallback} {
		for range seeds {
			seed := rand.Uint64()
			if text := os.Getenv("BELFRY_SEED"); text != "" {
				var err error
				if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
					t.Fatal(err)
				}
			}
			tests[fmt.Sprintf("mode %d, seed %d", m, seed)] = func(t *testing.T) {
				randomFaults(t, m, rand.New(rand.NewPCG(seed, 1)))
			}
		}
	}
	bubbles(t, tests)
}

func randomFaults(t *testing.T, m mode, r *rand.Rand) {
	c := newCluster(t, m)
	c.unsafe = true
	next := 0
	start := func() {
		next++
		c.start(fmt.Sprintf("s%d", next))
	}
	for range 3 {
		start()
	}
	for range 60 {
		time.Sleep(time.Duration(r.Int64N(int64(10 * time.Second))))
		fault(c, r, start)
	}
	heal(c, start)
	c.covered(2 * time.Minute)
	time.Sleep(3 * time.Minute) // Redis is in use again, and orphans are handed over
	c.calm()
}

// fault does one random thing to the cluster.
func fault(c *cluster, r *rand.Rand, start func()) {
	var up []*node
	for _, n := range c.all() {
		if n.up() {
			up = append(up, n)
		}
	}
	if len(up) == 0 {
		start()
		return
	}
	n := up[r.IntN(len(up))]
	switch r.IntN(12) {
	case 0:
		n.kill()
	case 1:
		n.stop()
	case 2, 3:
		if len(up) < 5 {
			start()
		}
	case 4:
		n.pause()
	case 5:
		for _, other := range c.all() {
			other.continueIfPaused()
		}
	case 6:
		n.db.setCut(r.IntN(2) == 0)
	case 7:
		n.redis.setCut(r.IntN(2) == 0)
	case 8:
		c.locks.flush()
	case 9:
		c.locks.steal(r.IntN(64), time.Duration(r.Int64N(int64(20*time.Second))))
	case 10:
		c.ledger.mu.Lock()
		c.ledger.jump += time.Duration(r.Int64N(int64(3*time.Second))) - 1500*time.Millisecond
		c.ledger.jump = min(max(c.ledger.jump, -1800*time.Millisecond), 1800*time.Millisecond)
		c.ledger.mu.Unlock()
	case 11:
		n.db.set(func(w *wire) { w.slow = time.Duration(r.Int64N(int64(3 * time.Second))) })
	}
}

func (n *node) continueIfPaused() {
	n.mu.Lock()
	paused := n.paused != nil
	n.mu.Unlock()
	if paused {
		n.resume()
	}
}

// heal ends all faults of the servers that live.
func heal(c *cluster, start func()) {
	start()
	c.ledger.mu.Lock()
	c.ledger.jump = 0
	c.ledger.mu.Unlock()
	for _, n := range c.all() {
		n.continueIfPaused()
		if n.up() {
			for _, w := range []*wire{&n.db, &n.redis} {
				w.set(func(w *wire) { w.cut, w.slow = false, 0 })
			}
		}
	}
}
