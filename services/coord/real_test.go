package coord_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testserver"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/coord"
	"github.com/belfry-scheduler/belfry/services/store"
)

// realCluster is some servers in this process on a real ledger and Redis, which
// write all the time under their fences.
type realCluster struct {
	t      *testing.T
	ledger *store.Store
	redis  *testserver.RedisServer
	prefix string

	mu      sync.Mutex
	servers []*coord.Ownership
	falls   []*coord.Fallback
	ends    []func()
	writers map[taking]string // who wrote under which epoch
	refused int               // writes that the epoch refused
}

func newRealCluster(t *testing.T) *realCluster {
	c := &realCluster{t: t, ledger: mariadbStore(t), redis: ownRedis(t), prefix: "p", writers: map[taking]string{}}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		for ctx.Err() == nil {
			c.write(ctx)
		}
	})
	t.Cleanup(func() {
		cancel()
		wg.Wait()
		for _, end := range c.ends {
			end()
		}
	})
	return c
}

func (c *realCluster) start(id string) *coord.Ownership {
	c.t.Helper()
	o, fallback, end, err := realServer(c.t.Context(), c.ledger, c.redis.URL(), id, c.prefix, c.wake)
	if err != nil {
		c.t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.servers, c.falls, c.ends = append(c.servers, o), append(c.falls, fallback), append(c.ends, end)
	return o
}

func (c *realCluster) wake(context.Context) {
	for _, o := range c.all() {
		o.Wake()
	}
}

func (c *realCluster) all() []*coord.Ownership {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.servers)
}

// write does a fenced transaction for each server and all that it owns, and notes
// who was accepted.
func (c *realCluster) write(ctx context.Context) {
	for i, o := range c.all() {
		fence := o.Partitions()
		if len(fence) == 0 {
			continue
		}
		_, err := c.ledger.RecordFires(ctx, store.Fence(fence), []store.Fires{{JobID: models.NewID(clock.System{}.Now())}})
		deposed, is := errors.AsType[*store.DeposedError](err)
		c.mu.Lock()
		switch {
		case is:
			c.refused++
			o.Lost(deposed.Partitions...)
		case err == nil:
			for p, epoch := range fence {
				id := fmt.Sprint("s", i)
				if other, ok := c.writers[taking{p, epoch}]; ok && other != id {
					c.t.Errorf("%s and %s both wrote for partition %d under epoch %d", other, id, p, epoch)
				}
				c.writers[taking{p, epoch}] = id
			}
		}
		c.mu.Unlock()
	}
}

// covered waits until each partition has one owner and answers how long it took.
func (c *realCluster) covered() time.Duration {
	c.t.Helper()
	from := clock.Monotonic()
	until(c.t, time.Minute, func() bool {
		n := 0
		for _, o := range c.all() {
			n += len(o.Partitions())
		}
		return n == models.Partitions
	})
	return clock.Monotonic() - from
}

// CB-058 on the real things, under writes all the time: Redis is emptied again and
// again, killed and started empty, and away for longer than the locks live.
func TestRealRedisOutages(t *testing.T) {
	t.Parallel()
	c := newRealCluster(t)
	a := c.start("a")
	c.covered()
	b := c.start("b")
	until(t, time.Minute, func() bool { return len(b.Partitions()) > 0 })
	c.covered()
	for range 3 {
		if err := flushAll(t, c.redis.URL()); err != nil {
			t.Fatal(err)
		}
		until(t, time.Minute, func() bool { return byClient(t, c.redis.URL()).DBSize(t.Context()).Val() >= models.Partitions })
		if took := c.covered(); took > realTTL {
			t.Errorf("after a flush everything was owned again after %s", took)
		}
	}
	before := a.Partitions()
	if err := c.redis.Kill(); err != nil {
		t.Fatal(err)
	}
	until(t, time.Minute, func() bool { return c.falls[0].Away() && c.falls[1].Away() })
	c.covered()
	for p, epoch := range before {
		if now := a.Partitions()[p]; now != epoch {
			t.Errorf("moving to the database changed partition %d from epoch %d to %d", p, epoch, now)
		}
	}
	if err := c.redis.Restart(); err != nil {
		t.Fatal(err)
	}
	until(t, time.Minute, func() bool { return !c.falls[0].Away() && !c.falls[1].Away() })
	until(t, time.Minute, func() bool { return byClient(t, c.redis.URL()).DBSize(t.Context()).Val() >= models.Partitions })
	c.covered()
	for p, epoch := range before {
		if now := a.Partitions()[p]; now != epoch {
			t.Errorf("moving back changed partition %d from epoch %d to %d", p, epoch, now)
		}
	}
}

// An orderly stop hands over at once on the real things, too: long before the locks
// would have ended. (How long exactly depends on how busy the machine is;
// TestStopHandsOver knows it.)
func TestRealHandOver(t *testing.T) {
	t.Parallel()
	c := newRealCluster(t)
	a := c.start("a")
	c.covered()
	b := c.start("b")
	until(t, time.Minute, func() bool { return len(b.Partitions()) > 0 })
	c.covered()
	if err := a.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if took := c.covered(); took > realTTL/2 {
		t.Errorf("handing over took %s", took)
	}
	rows, err := c.ledger.Servers(t.Context(), clock.System{}.Now().Add(-time.Hour))
	if err != nil || len(rows) != 1 || rows[0].ID != "b" {
		t.Errorf("the ledger knows %+v, %v", rows, err)
	}
}
