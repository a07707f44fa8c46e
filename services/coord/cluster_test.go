package coord_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/coord"
)

const (
	ttl  = coord.DefaultTTL
	beat = coord.DefaultBeat
	// takeover is the longest time for a dead server's share to be owned again.
	takeover = coord.DefaultDeadAfter + beat + time.Second
	// look is the time between two looks of the checker, in the bubble.
	look = 100 * time.Millisecond
)

// cluster is some servers around one ledger and one lock service, in a synctest
// bubble. A checker looks at them all the time.
type cluster struct {
	t      *testing.T
	ledger *ledger
	locks  *locks
	mode   mode
	unsafe bool // keys vanish or are stolen: the lock may not be the holder's

	mu    sync.Mutex
	pace  time.Duration // between two looks of the checker
	nodes []*node
	bare  map[int]time.Duration // partitions without an owner, since when
	worst time.Duration         // longest time that one was without an owner
}

type mode int

const (
	byLocks    mode = iota // "Redis" alone
	byLeases               // the database alone
	byFallback             // "Redis", and the database while it is away
)

// node is one server.
type node struct {
	id         string
	c          *cluster
	o          *coord.Ownership
	db, redis  wire
	fallback   *coord.Fallback
	unfit      error
	mu         sync.Mutex
	gone       bool // killed or stopped
	paused     func()
	changes    int
	known      map[int]int64 // by OnChange
	outOfOrder []string
}

// bubbles runs simulated tests beside one another and waits for them: a bubble uses
// one core, and the tests with real servers, which have short time limits, come
// after all of these.
func bubbles(t *testing.T, tests map[string]func(*testing.T)) {
	t.Helper()
	t.Run("all", func(t *testing.T) {
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, test)
			})
		}
	})
}

func newCluster(t *testing.T, m mode) *cluster {
	c := &cluster{t: t, ledger: newLedger(), locks: newLocks(), mode: m, pace: look, bare: map[int]time.Duration{}}
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-time.After(c.step()):
				c.check()
			case <-stop:
				return
			}
		}
	}()
	t.Cleanup(func() {
		close(stop)
		<-done
		for _, n := range c.all() {
			n.bury()
		}
		for _, lapse := range c.ledger.lapses {
			t.Error(lapse)
		}
	})
	return c
}

func (c *cluster) step() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pace
}

// idle lets a long time pass with fewer looks.
func (c *cluster) idle(d time.Duration) {
	c.mu.Lock()
	c.pace = time.Second
	c.mu.Unlock()
	time.Sleep(d) // in the bubble
	c.mu.Lock()
	c.pace = look
	c.mu.Unlock()
}

func (c *cluster) all() []*node {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.nodes)
}

// start adds a server. Options change its configuration.
func (c *cluster) start(id string, options ...func(*node, *coord.Config)) *node {
	c.t.Helper()
	n := &node{id: id, c: c, known: map[int]int64{}}
	db := ledgerOf{c.ledger, &n.db}
	var locker coord.Locker = locksOf{c.locks, &n.redis, id, ttl}
	switch c.mode {
	case byLocks:
	case byLeases:
		locker = coord.NewDatabase(db, id, ttl, clock.Monotonic)
	case byFallback:
		n.fallback = coord.NewFallback(coord.FallbackConfig{
			Primary: locksOf{c.locks, &n.redis, id, ttl}, Secondary: coord.NewDatabase(db, id, ttl, clock.Monotonic),
			After: ttl / 3, Elapsed: clock.Monotonic, Logger: quiet,
		})
		locker = n.fallback
	}
	cfg := coord.Config{
		ServerID: id, Ledger: db, Locker: locker, Clock: clock.System{}, Logger: quiet, Hint: n.hint,
		Fit: func() error { n.mu.Lock(); defer n.mu.Unlock(); return n.unfit },
	}
	for _, option := range options {
		option(n, &cfg)
	}
	var err error
	if n.o, err = coord.New(cfg); err != nil {
		c.t.Fatal(err)
	}
	n.o.OnChange(n.onChange)
	if err := n.o.Start(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.nodes = append(c.nodes, n)
	return n
}

// hint wakes the others, as a message over the bus would.
func (n *node) hint(context.Context) {
	for _, other := range n.c.all() {
		if other != n && other.up() {
			other.o.Wake()
		}
	}
}

// onChange follows the changes and notes those that make no sense.
func (n *node) onChange(gained []coord.Owned, lost []int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.changes++
	for _, p := range lost {
		if _, ok := n.known[p]; !ok {
			n.outOfOrder = append(n.outOfOrder, fmt.Sprintf("%s lost partition %d that it did not have", n.id, p))
		}
		delete(n.known, p)
	}
	for _, g := range gained {
		if _, ok := n.known[g.Partition]; ok {
			n.outOfOrder = append(n.outOfOrder, fmt.Sprintf("%s gained partition %d that it had", n.id, g.Partition))
		}
		n.known[g.Partition] = g.Epoch
	}
}

// up says that the server runs and is not paused.
func (n *node) up() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return !n.gone && n.paused == nil
}

// kill is kill -9: from now on nothing of it reaches anybody.
func (n *node) kill() {
	n.mu.Lock()
	n.gone = true
	n.mu.Unlock()
	n.db.setCut(true)
	n.redis.setCut(true)
}

// stop is an orderly stop.
func (n *node) stop() {
	n.mu.Lock()
	n.gone = true
	n.mu.Unlock()
	if err := n.o.Stop(n.c.t.Context()); err != nil && !errors.Is(err, errCut) {
		n.c.t.Error(err)
	}
}

// pause is SIGSTOP, resume SIGCONT.
func (n *node) pause() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.paused = pause(&n.db, &n.redis)
}

func (n *node) resume() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.paused()
	n.paused = nil
}

// bury ends what is left of a server at the test's end.
func (n *node) bury() {
	n.mu.Lock()
	if n.paused != nil {
		n.paused()
		n.paused = nil
	}
	wrong := n.outOfOrder
	n.mu.Unlock()
	n.kill()
	_ = n.o.Stop(context.WithoutCancel(n.c.t.Context())) // its connections are cut
	if open := n.o.Partitions(); len(open) > 0 {
		n.c.t.Errorf("%s owns %v after its end", n.id, open)
	}
	for _, text := range wrong {
		n.c.t.Error(text)
	}
}

// check acts as the owners do and judges what they believe.
func (c *cluster) check() {
	owners := map[int]*node{}
	for _, n := range c.all() {
		if !n.up() {
			continue
		}
		for p, epoch := range n.o.Partitions() {
			if other := owners[p]; other != nil && other.acts(p) && n.acts(p) && other.acts(p) && c.exclusive() {
				c.lapse("%s and %s both act for partition %d", other.id, n.id, p)
			}
			owners[p] = n
			if holder := c.locks.holder(p); holder != n.id && n.acts(p) && c.mode == byLocks && c.exclusive() {
				c.lapse("%s acts for partition %d, whose lock is %q's", n.id, p, holder)
			}
			if !c.ledger.write(n.id, p, epoch) {
				n.o.Lost(p)
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := clock.Monotonic()
	for p := range models.Partitions {
		since, bare := c.bare[p]
		if _, owned := owners[p]; owned {
			delete(c.bare, p)
		} else if !bare {
			c.bare[p] = now
		} else {
			c.worst = max(c.worst, now-since)
		}
	}
}

// acts asks the server itself, now: what Partitions answered may be old already.
func (n *node) acts(p int) bool {
	_, ok := n.o.Fence(p)
	return ok && n.up()
}

// exclusive says that locks alone keep owners apart, without the epochs.
func (c *cluster) exclusive() bool { return c.mode != byFallback && !c.unsafe }

func (c *cluster) lapse(format string, args ...any) {
	c.ledger.mu.Lock()
	defer c.ledger.mu.Unlock()
	if len(c.ledger.lapses) < 20 {
		c.ledger.lapses = append(c.ledger.lapses, fmt.Sprintf(format, args...))
	}
}

// covered waits until each partition has exactly one owner, at most for limit,
// and answers how long that took.
func (c *cluster) covered(limit time.Duration) time.Duration {
	c.t.Helper()
	from := clock.Monotonic()
	for {
		owners, twice := c.owners()
		if len(owners) == models.Partitions && !twice {
			return clock.Monotonic() - from
		}
		if clock.Monotonic()-from > limit {
			c.t.Fatalf("after %s only %d of %d partitions have an owner (twice: %v)", limit, len(owners), models.Partitions, twice)
		}
		time.Sleep(10 * time.Millisecond) // in the bubble
	}
}

// owners is who acts for what at this moment.
func (c *cluster) owners() (owners map[int]string, twice bool) {
	owners = map[int]string{}
	for _, n := range c.all() {
		if !n.up() {
			continue
		}
		for p := range n.o.Partitions() {
			_, double := owners[p]
			twice = twice || double
			owners[p] = n.id
		}
	}
	return owners, twice
}

// calm checks that nothing moves any more, that everybody has the share that is
// due to it, and that the listeners know what is so.
func (c *cluster) calm() {
	c.t.Helper()
	c.covered(time.Minute)
	time.Sleep(90 * time.Second) // in the bubble: longer than any grace
	before, _ := c.owners()
	moves := 0
	for _, n := range c.all() {
		n.mu.Lock()
		moves -= n.changes
		n.mu.Unlock()
	}
	time.Sleep(time.Minute)
	after, twice := c.owners()
	if len(after) != models.Partitions || twice || !maps.Equal(before, after) {
		c.t.Errorf("partitions still move: %d owned", len(after))
	}
	for _, n := range c.all() {
		n.mu.Lock()
		moves += n.changes
		known := maps.Clone(n.known)
		n.mu.Unlock()
		if n.up() && !maps.Equal(known, n.o.Partitions()) {
			c.t.Errorf("the listeners of %s know %v, it owns %v", n.id, known, n.o.Partitions())
		}
	}
	if moves != 0 {
		c.t.Errorf("%d changes were told although nothing happened", moves)
	}
}

// resetWorst begins to measure anew how long partitions are without an owner.
func (c *cluster) resetWorst() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.worst = 0
}

func (c *cluster) worstGap() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.worst
}
