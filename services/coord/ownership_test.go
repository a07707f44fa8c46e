package coord_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/coord"
)

// inEachMode runs a test in a bubble, on every kind of lock.
func inEachMode(t *testing.T, test func(t *testing.T, c *cluster)) {
	t.Helper()
	tests := map[string]func(*testing.T){}
	for name, m := range map[string]mode{"locks": byLocks, "leases": byLeases, "fallback": byFallback} {
		tests[name] = func(t *testing.T) { test(t, newCluster(t, m)) }
	}
	bubbles(t, tests)
}

func TestServersShareThePartitions(t *testing.T) {
	inEachMode(t, func(t *testing.T, c *cluster) {
		a := c.start("a")
		if took := c.covered(time.Minute); took > time.Second {
			t.Errorf("the first server owned everything after %s", took)
		}
		c.resetWorst()
		b, d := c.start("b"), c.start("d")
		time.Sleep(time.Second)
		if n := len(a.o.Partitions()); n != models.Partitions {
			t.Errorf("the first server gave %d partitions away before the others had been there for a while", models.Partitions-n)
		}
		c.calm()
		for _, n := range []*node{a, b, d} {
			if got := len(n.o.Partitions()); got < 8 || got > 36 {
				t.Errorf("%s owns %d of %d partitions", n.id, got, models.Partitions)
			}
		}
		if gap := c.worstGap(); gap > time.Second {
			t.Errorf("handing over left a partition without an owner for %s", gap)
		}
	})
}

// An orderly stop hands over within a second.
func TestStopHandsOver(t *testing.T) {
	inEachMode(t, func(t *testing.T, c *cluster) {
		a := c.start("a")
		c.start("b")
		c.start("d")
		c.calm()
		a.stop()
		if took := c.covered(time.Minute); took > time.Second {
			t.Errorf("the share of a stopped server had owners after %s", took)
		}
		c.calm()
	})
}

// Without the hint it takes one pass.
func TestStopWithoutAHint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, byLocks)
		deaf := func(_ *node, cfg *coord.Config) { cfg.Hint = nil }
		a := c.start("a", deaf)
		c.start("b", deaf)
		c.calm()
		a.stop()
		if took := c.covered(time.Minute); took > beat+100*time.Millisecond {
			t.Errorf("the share of a stopped server had owners after %s", took)
		}
	})
}

func TestTakeoverAfterKill(t *testing.T) {
	inEachMode(t, func(t *testing.T, c *cluster) {
		a := c.start("a")
		c.start("b")
		c.start("d")
		c.calm()
		share := a.o.Partitions()
		a.kill()
		took := c.covered(time.Minute)
		if took > takeover {
			t.Errorf("the share of a killed server had owners after %s, want %s at most", took, takeover)
		}
		t.Logf("taken over after %s", took)
		for p, epoch := range share {
			if row := c.ledger.owner(p); row.Epoch <= epoch {
				t.Errorf("partition %d was taken over under the old epoch %d", p, epoch)
			}
		}
		c.calm()
	})
}

// A server that was paused past its locks acts for nothing from the first moment
// on, and later has its share again under new epochs.
func TestPausedServerComesBack(t *testing.T) {
	inEachMode(t, func(t *testing.T, c *cluster) {
		a := c.start("a")
		c.start("b")
		c.calm()
		before := a.o.Partitions()
		a.pause()
		if took := c.covered(time.Minute); took > takeover {
			t.Errorf("the share of a paused server had owners after %s", took)
		}
		time.Sleep(time.Minute)
		if open := a.o.Partitions(); len(open) != 0 {
			t.Errorf("after a minute's pause it still acts for %v", open)
		}
		if _, ok := a.o.Fence(firstKey(before)); ok {
			t.Error("after a minute's pause there is still a fence")
		}
		a.resume()
		c.calm()
		for p, epoch := range a.o.Partitions() {
			if old, ok := before[p]; ok && epoch <= old {
				t.Errorf("partition %d came back under the old epoch %d", p, epoch)
			}
		}
		if len(a.o.Partitions()) == 0 {
			t.Error("its share did not come back")
		}
	})
}

func firstKey(m map[int]int64) int {
	for k := range m {
		return k
	}
	return -1
}

// Others know a server that is cut off for dead, and it knows nothing of them.
func TestWhoIsDead(t *testing.T) {
	inEachMode(t, func(t *testing.T, c *cluster) {
		a, b := c.start("a"), c.start("b")
		c.calm()
		if a.o.Dead("b") || b.o.Dead("a") || a.o.Dead("never heard of") {
			t.Error("a server that lives, or that nobody knows, counts as dead")
		}
		a.db.setCut(true)
		a.redis.setCut(true)
		time.Sleep(coord.DefaultDeadAfter + 2*beat)
		if !b.o.Dead("a") {
			t.Error("a server that is cut off does not count as dead")
		}
		if a.o.Dead("b") {
			t.Error("who cannot read the ledger calls others dead")
		}
		a.db.setCut(false)
		a.redis.setCut(false)
		time.Sleep(3 * beat)
		if b.o.Dead("a") {
			t.Error("a server that is back still counts as dead")
		}
	})
}

// CB-050: a server that is cut off from everything stops before its locks end.
func TestCutOffServerStopsInTime(t *testing.T) {
	inEachMode(t, func(t *testing.T, c *cluster) {
		a := c.start("a")
		c.start("b")
		c.calm()
		a.db.setCut(true)
		a.redis.setCut(true)
		time.Sleep(ttl) // the checker sees that it never acts without its lock
		if open := a.o.Partitions(); len(open) != 0 {
			t.Errorf("it acts for %v after its locks have ended", open)
		}
		a.db.setCut(false)
		a.redis.setCut(false)
		c.calm()
	})
}

// A server that has lost only the ledger can do nothing for its partitions. It
// gives them up when the others take it for dead, although it could hold the locks.
func TestServerWithoutLedgerKeepsNobodyOut(t *testing.T) {
	inEachMode(t, func(t *testing.T, c *cluster) {
		a := c.start("a")
		c.start("b")
		c.calm()
		a.db.setCut(true)
		time.Sleep(takeover + ttl/3) // as long as the watchdog takes to see it
		if n := len(a.o.Partitions()); n != 0 {
			t.Errorf("it still acts for %d partitions", n)
		}
		c.covered(time.Second)
		a.db.setCut(false)
		c.calm()
		if len(a.o.Partitions()) == 0 {
			t.Error("its share did not come back")
		}
	})
}

// CB-058: all keys vanish under load. Nobody acts twice, and everything is owned
// again within one round of the watchdog.
func TestKeysVanish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, byLocks)
		c.unsafe = true
		c.start("a")
		c.start("b")
		c.calm()
		for range 20 {
			c.locks.flush()
			time.Sleep(ttl / 3) // each server notices
			if took := c.covered(time.Minute); took > time.Second {
				t.Errorf("everything was owned again after %s", took)
			}
		}
		c.calm()
	})
}

// A thief has a lock: its owner stops, and takes it again when the thief's time is
// over.
func TestStolenLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, byLocks)
		c.unsafe = true
		a := c.start("a")
		c.covered(time.Minute)
		c.locks.steal(7, time.Minute)
		time.Sleep(ttl/3 + time.Second)
		if _, ok := a.o.Fence(7); ok {
			t.Error("it acts for a partition whose lock was stolen")
		}
		if _, ok := a.o.Fence(6, 8); !ok {
			t.Error("it stopped acting for others as well")
		}
		time.Sleep(time.Minute)
		c.calm()
	})
}

// Deposed by an epoch although the lock is ours (it was taken under us and came
// back): the owner stops at once, and competes again under a new epoch.
func TestDeposed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, byLocks)
		a := c.start("a")
		c.calm()
		c.ledger.mu.Lock()
		c.ledger.raise(3, "ghost")
		c.ledger.mu.Unlock()
		a.o.Lost(3)
		if _, ok := a.o.Fence(3); ok {
			t.Error("it acts right after it was told")
		}
		c.covered(2 * time.Second)
		if row := c.ledger.owner(3); row.OwnerID != "a" || a.o.Partitions()[3] != row.Epoch {
			t.Errorf("the row is %+v, it believes in epoch %d", row, a.o.Partitions()[3])
		}
		c.ledger.mu.Lock()
		c.ledger.raise(4, "ghost")
		c.ledger.mu.Unlock()
		time.Sleep(beat) // also without being told
		c.calm()
	})
}

// A transaction that began under an earlier epoch of our own fails and says that
// we are deposed; that must not make us give the partition up and raise the epoch
// again, for then the next such transaction would do the same, for ever.
func TestLostIsCheckedBeforeItIsBelieved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, byLocks)
		a := c.start("a")
		c.calm()
		epoch := a.o.Partitions()[3]
		a.o.Lost(3, 3, 99)
		if _, ok := a.o.Fence(3); ok {
			t.Error("it acts before it has looked")
		}
		synctest.Wait()
		if got := a.o.Partitions()[3]; got != epoch {
			t.Errorf("after the look the epoch is %d, want %d as before", got, epoch)
		}
	})
}

// CB-106: clocks.
func TestClockOffset(t *testing.T) {
	for name, tc := range map[string]struct {
		ahead time.Duration
		leads bool
	}{
		"right": {0, true}, "a little": {400 * time.Millisecond, true}, "warned": {1500 * time.Millisecond, true},
		"ahead": {3 * time.Second, false}, "behind": {-3 * time.Second, false}, "nine days": {9 * 24 * time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster(t, byLocks)
				logs := &records{}
				a := c.start("a", func(_ *node, cfg *coord.Config) {
					cfg.Clock, cfg.Logger = clock.Shifted{Base: clock.System{}, By: tc.ahead}, logs.logger()
				})
				a.db.set(func(w *wire) { w.slow = 20 * time.Millisecond })
				c.start("b")
				c.calm()
				if got := a.o.Offset(); got != tc.ahead {
					t.Errorf("the offset is %s, want %s", got, tc.ahead)
				}
				if leads := len(a.o.Partitions()) > 0; leads != tc.leads || (a.o.Refusal() == nil) != tc.leads {
					t.Errorf("it owns %d partitions; refusal: %v", len(a.o.Partitions()), a.o.Refusal())
				}
				c.ledger.mu.Lock()
				stored := c.ledger.servers["a"]
				c.ledger.mu.Unlock()
				if got := time.Duration(stored.ClockOffsetMS) * time.Millisecond; got != tc.ahead {
					t.Errorf("the ledger has the offset %s", got)
				}
				warned := logs.count("this server's clock differs from the database's; synchronise both, for example with chrony")
				if (warned > 0) != (tc.ahead.Abs() > 500*time.Millisecond) || warned > 12 {
					t.Errorf("warned %d times in some eight minutes", warned)
				}
			})
		})
	}
}

// A clock that is set right while the server runs lets it lead, and the reverse.
func TestClockIsCorrected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, byLocks)
		a := c.start("a")
		c.start("b")
		c.calm()
		for _, jump := range []time.Duration{time.Minute, 0} { // of the database's clock, as both servers see it
			c.ledger.mu.Lock()
			c.ledger.jump = jump
			c.ledger.mu.Unlock()
			time.Sleep(time.Minute)
			if owned := len(a.o.Partitions()); (owned == 0) != (jump != 0) {
				t.Errorf("with clocks %s apart it owns %d partitions", jump, owned)
			}
		}
		c.calm()
	})
}

// CB-068: an unfit server leaves its share to others, but not when there are none.
func TestUnfitServer(t *testing.T) {
	inEachMode(t, func(t *testing.T, c *cluster) {
		a, b := c.start("a"), c.start("b")
		c.calm()
		a.mu.Lock()
		a.unfit = errors.New("trigger loop has failed for a minute")
		a.mu.Unlock()
		time.Sleep(beat + time.Second)
		c.covered(takeover)
		if n := len(a.o.Partitions()); n != 0 || a.o.Refusal() == nil {
			t.Errorf("the unfit server owns %d partitions, refusal: %v", n, a.o.Refusal())
		}
		b.kill()
		if took := c.covered(time.Minute); took > takeover+beat {
			t.Errorf("the unfit server took over after %s when it was the only one left", took)
		}
		a.mu.Lock()
		a.unfit = nil
		a.mu.Unlock()
		c.start("b2")
		time.Sleep(time.Minute)
		c.calm()
		if len(a.o.Partitions()) == 0 {
			t.Error("it is fit again and owns nothing")
		}
	})
}

// A server that beats but cannot lock its share does not leave it without an
// owner for good.
func TestOrphansAreTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, byLocks)
		a := c.start("a")
		c.covered(time.Minute)
		lame := c.start("lame")
		lame.redis.setCut(true)
		time.Sleep(time.Minute)
		c.covered(time.Second)
		if len(lame.o.Partitions()) != 0 {
			t.Error("the lame server owns something")
		}
		c.resetWorst()
		time.Sleep(10 * time.Minute)
		if gap := c.worstGap(); gap > 30*time.Second {
			t.Errorf("a partition was without an owner for %s", gap)
		}
		lame.redis.setCut(false)
		time.Sleep(2 * time.Minute)
		c.calm()
		if len(lame.o.Partitions()) == 0 || len(a.o.Partitions()) == 0 {
			t.Error("the shares did not come back")
		}
	})
}

// With a ledger of its own a server owns everything at once, whatever rows a
// killed predecessor left.
func TestAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, byFallback) // the checker expects nothing of locks
		alone := func(_ *node, cfg *coord.Config) { cfg.Alone, cfg.Locker = true, coord.Local{} }
		a := c.start("a", alone)
		c.covered(time.Second)
		a.kill()
		b := c.start("b", alone)
		if took := c.covered(time.Minute); took > 100*time.Millisecond {
			t.Errorf("it owned everything after %s", took)
		}
		c.idle(time.Hour)
		if n := len(b.o.Partitions()); n != models.Partitions {
			t.Errorf("after an hour it owns %d partitions", n)
		}
	})
}

// F14: a ledger that takes two seconds for each call keeps nobody from leading.
func TestSlowLedger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, byLocks)
		a, b := c.start("a"), c.start("b")
		c.calm()
		for _, n := range []*node{a, b} {
			n.db.set(func(w *wire) { w.slow = 2 * time.Second })
		}
		c.resetWorst()
		time.Sleep(5 * time.Minute)
		if gap := c.worstGap(); gap != 0 {
			t.Errorf("a slow ledger left a partition without an owner for %s", gap)
		}
		for _, n := range []*node{a, b} {
			n.db.set(func(w *wire) { w.slow = 0 })
		}
		c.calm()
	})
}

// CB-101: a ledger and locks that fail now and then end no loop.
func TestLoopsOutliveErrors(t *testing.T) {
	inEachMode(t, func(t *testing.T, c *cluster) {
		a := c.start("a")
		c.start("b")
		c.calm()
		for range 30 {
			a.db.setCut(true)
			a.redis.setCut(true)
			time.Sleep(3 * time.Second)
			a.db.setCut(false)
			a.redis.setCut(false)
			time.Sleep(5 * time.Second)
		}
		c.calm()
		for _, h := range a.o.Health() {
			if !h.Running || h.Failures != 0 || h.Overdue > beat {
				t.Errorf("%+v", h)
			}
		}
	})
}

func TestListenersThatPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, byLocks)
		calls, told := 0, map[int]bool{}
		c.start("a", func(n *node, cfg *coord.Config) {}).o.OnChange(func(gained []coord.Owned, _ []int) {
			for _, g := range gained {
				told[g.Partition] = true
			}
			if calls++; calls == 1 {
				panic("listener")
			}
		})
		c.calm()
		if len(told) != models.Partitions {
			t.Errorf("told of %d partitions", len(told))
		}
	})
}

// Rows of servers that died long ago go away; those of today stay for people to
// see.
func TestDeadServersAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, byLocks)
		old := c.start("old")
		c.start("a")
		c.calm()
		old.kill()
		rows := func() int {
			c.ledger.mu.Lock()
			defer c.ledger.mu.Unlock()
			return len(c.ledger.servers)
		}
		c.idle(50 * time.Minute)
		if rows() != 2 {
			t.Error("the row is gone too early")
		}
		c.idle(time.Hour)
		if rows() != 1 {
			t.Errorf("there are %d rows", rows())
		}
	})
}

// Hundreds of starts and stops, several at once, leave nothing behind.
func TestStartStopStress(t *testing.T) {
	l := newLedger()
	var w wire
	o, err := coord.New(coord.Config{ServerID: "a", Ledger: ledgerOf{l, &w}, Locker: locksOf{newLocks(), &w, "a", ttl}, Clock: clock.System{}, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	owns := make(chan struct{}, 1)
	o.OnChange(func(gained []coord.Owned, _ []int) {
		select {
		case owns <- struct{}{}:
		default:
		}
	})
	for i := range 300 {
		if err := o.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if i%10 == 0 { // now and then only after it has come to own something
			<-owns
		}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				o.Wake()
				o.Lost(1, 2, 3)
				o.Partitions()
				if err := o.Stop(context.WithoutCancel(t.Context())); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if open := o.Partitions(); len(open) != 0 {
			t.Fatalf("it owns %v after Stop", open)
		}
	}
}

func TestConfigIsChecked(t *testing.T) {
	if _, err := coord.New(coord.Config{}); err == nil {
		t.Error("an empty configuration was accepted")
	}
	l := ledgerOf{newLedger(), &wire{}}
	if _, err := coord.New(coord.Config{ServerID: "a", Ledger: l, Locker: coord.Local{}, Clock: clock.System{}, Logger: quiet, DeadAfter: 3 * time.Second}); err == nil {
		t.Error("a server would be dead after one missed beat")
	}
}
