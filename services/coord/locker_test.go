package coord_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testserver"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/coord"
	"github.com/belfry-scheduler/belfry/services/coord/redisconn"
	"github.com/belfry-scheduler/belfry/services/store"
)

// maker makes lockers of different servers on one lock service.
type maker func(id string, ttl time.Duration, elapsed func() time.Duration) coord.Locker

// short is a lock's life in tests that wait for its end.
const short = time.Second

func openStore(t *testing.T, url string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{URL: url, Logger: quiet, Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func mariadbStore(t *testing.T) *store.Store {
	server := testserver.MariaDB(t)
	return openStore(t, server.URL(server.Database(t)))
}

func sqliteStore(t *testing.T) *store.Store {
	return openStore(t, "sqlite://"+t.TempDir()+"/belfry.db")
}

func byStore(s *store.Store) maker {
	return func(id string, ttl time.Duration, elapsed func() time.Duration) coord.Locker {
		return coord.NewDatabase(s, id, ttl, elapsed)
	}
}

// byRedis makes lockers with connections of their own.
func byRedis(t *testing.T, address string) maker {
	target, err := redisconn.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	prefix := models.NewID(clock.System{}.Now())
	return func(_ string, ttl time.Duration, elapsed func() time.Duration) coord.Locker {
		clients := target.Open()
		t.Cleanup(func() {
			for _, client := range clients {
				if err := client.Close(); err != nil {
					t.Error(err)
				}
			}
		})
		return coord.NewRedis(clients, prefix, ttl, elapsed)
	}
}

func ownRedis(t *testing.T) *testserver.RedisServer {
	t.Helper()
	server, err := testserver.StartRedis(testserver.RedisOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// quorum starts three independent servers.
func quorum(t *testing.T) (servers []*testserver.RedisServer, address string) {
	var urls []string
	for range 3 {
		server := ownRedis(t)
		servers, urls = append(servers, server), append(urls, server.URL())
	}
	return servers, strings.Join(urls, ",")
}

// The same tests on every lock service, the real ones included.
func TestLockers(t *testing.T) {
	for name, service := range map[string]func(t *testing.T) maker{
		"mariadb": func(t *testing.T) maker { return byStore(mariadbStore(t)) },
		"sqlite":  func(t *testing.T) maker { return byStore(sqliteStore(t)) },
		"redis":   func(t *testing.T) maker { return byRedis(t, testserver.Redis(t).URL()) },
		"quorum":  func(t *testing.T) maker { _, address := quorum(t); return byRedis(t, address) },
		"simulated": func(*testing.T) maker {
			l := newLocks()
			return func(id string, ttl time.Duration, _ func() time.Duration) coord.Locker {
				return locksOf{l, &wire{}, id, ttl}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for test, run := range map[string]func(*testing.T, maker){
				"exclusive": testExclusive, "again": testAgain, "expires": testExpires, "extends": testExtends,
				"lost": testLost, "race": testRace,
			} {
				t.Run(test, func(t *testing.T) {
					t.Parallel()
					run(t, service(t))
				})
			}
			if name != "simulated" {
				t.Run("late", func(t *testing.T) {
					t.Parallel()
					testLate(t, service(t))
				})
			}
		})
	}
}

// acquire takes a partition that must be free.
func acquire(t *testing.T, l coord.Locker, p int) coord.Lease {
	t.Helper()
	lease, ok, err := l.TryAcquire(t.Context(), p)
	if err != nil || !ok {
		t.Fatalf("taking partition %d: %v, %v", p, ok, err)
	}
	return lease
}

// refused asks for a partition that must be taken.
func refused(t *testing.T, l coord.Locker, p int) {
	t.Helper()
	if _, ok, err := l.TryAcquire(t.Context(), p); err != nil || ok {
		t.Fatalf("taking partition %d of another server: %v, %v", p, ok, err)
	}
}

func release(t *testing.T, l coord.Locker, ps ...int) {
	t.Helper()
	if err := l.Release(t.Context(), ps); err != nil {
		t.Fatal(err)
	}
}

func testExclusive(t *testing.T, make maker) {
	a, b := make("a", time.Minute, clock.Monotonic), make("b", time.Minute, clock.Monotonic)
	from := clock.Monotonic()
	lease := acquire(t, a, 5)
	if lease.Until > clock.Monotonic()+time.Minute || lease.Until <= from || lease.Until < from+50*time.Second {
		t.Errorf("the lock ends %s after it was asked for", lease.Until-from)
	}
	refused(t, b, 5)
	acquire(t, b, 6)
	if x := b.Extend(t.Context(), []int{6}); x.Err != nil || len(x.Held) != 1 || len(x.Lost) != 0 {
		t.Errorf("%+v", x)
	}
	release(t, b, 5, 6) // 5 is not its own
	refused(t, b, 5)
	release(t, a, 5)
	next := acquire(t, b, 5)
	if lease.Epoch != 0 && next.Epoch <= lease.Epoch {
		t.Errorf("the epoch was %d under the first owner and is %d under the second", lease.Epoch, next.Epoch)
	}
	release(t, a, 5, 40) // not held
	refused(t, a, 5)
	if x := a.Extend(t.Context(), nil); x.Err != nil || len(x.Held)+len(x.Lost) != 0 {
		t.Errorf("extending nothing: %+v", x)
	}
}

// Who has given up a lock without an answer, and asks again, gets it.
func testAgain(t *testing.T, make maker) {
	a := make("a", time.Minute, clock.Monotonic)
	first := acquire(t, a, 5)
	second := acquire(t, a, 5)
	if first.Epoch != 0 && second.Epoch < first.Epoch {
		t.Errorf("the epoch went from %d to %d", first.Epoch, second.Epoch)
	}
	if x := a.Extend(t.Context(), []int{5}); len(x.Held) != 1 {
		t.Errorf("%+v", x)
	}
}

// CB-056: a lock that is not prolonged is free soon after its end, and never
// before the instant at which its owner knows to stop.
func testExpires(t *testing.T, make maker) {
	a, b := make("a", short, clock.Monotonic), make("b", short, clock.Monotonic)
	lease := acquire(t, a, 5)
	for {
		_, ok, err := b.TryAcquire(t.Context(), 5)
		now := clock.Monotonic()
		if err != nil {
			t.Fatal(err)
		}
		if ok && now < lease.Until {
			t.Fatalf("taken %s before its end", lease.Until-now)
		}
		if ok {
			break
		}
		if now > lease.Until+5*time.Second {
			t.Fatal("it is still taken 5 s after its end")
		}
	}
	// It was another's, who gave it back: extending must not revive it.
	release(t, b, 5)
	if x := a.Extend(t.Context(), []int{5}); x.Err != nil || !slices.Equal(x.Lost, []int{5}) || len(x.Held) != 0 {
		t.Errorf("extending after another server had it: %+v", x)
	}
	acquire(t, b, 5)
}

func testExtends(t *testing.T, make maker) {
	a, b := make("a", short, clock.Monotonic), make("b", short, clock.Monotonic)
	all := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	ends := map[int]time.Duration{}
	for _, p := range all {
		ends[p] = acquire(t, a, p).Until
	}
	tick := time.NewTicker(short / 4)
	defer tick.Stop()
	for range 12 {
		<-tick.C
		x := a.Extend(t.Context(), all)
		if x.Err != nil || len(x.Held) != len(all) {
			t.Fatalf("%+v", x)
		}
		for _, p := range all {
			if x.Held[p].Until <= ends[p] {
				t.Fatalf("partition %d is held until %s, before it was until %s", p, x.Held[p].Until, ends[p])
			}
			ends[p] = x.Held[p].Until
			refused(t, b, p)
		}
	}
}

func testLost(t *testing.T, make maker) {
	a, b := make("a", time.Minute, clock.Monotonic), make("b", time.Minute, clock.Monotonic)
	acquire(t, a, 1)
	acquire(t, b, 2)
	x := a.Extend(t.Context(), []int{1, 2, 3})
	slices.Sort(x.Lost)
	if x.Err != nil || len(x.Held) != 1 || !slices.Equal(x.Lost, []int{2, 3}) {
		t.Errorf("%+v", x)
	}
}

// Many servers compete for all partitions at once: each has one winner.
func testRace(t *testing.T, make maker) {
	var winners [models.Partitions]atomic.Int32
	var wg sync.WaitGroup
	for i := range 4 {
		l := make(fmt.Sprint("s", i), time.Minute, clock.Monotonic)
		wg.Go(func() {
			for p := range models.Partitions {
				_, ok, err := l.TryAcquire(t.Context(), p)
				if err != nil {
					t.Error(err)
				}
				if ok {
					winners[p].Add(1)
				}
			}
		})
	}
	wg.Wait()
	for p := range winners {
		// With several independent servers the votes may be split: then nobody won.
		if n := winners[p].Load(); n > 1 || n == 0 && !strings.Contains(t.Name(), "quorum") {
			t.Errorf("partition %d has %d winners", p, n)
		}
	}
}

// CB-056: a lock that was granted when its time was over already is a failure.
func testLate(t *testing.T, make maker) {
	var calls atomic.Int64
	slow := make("a", time.Minute, func() time.Duration { return time.Hour + time.Duration(calls.Add(1))*time.Minute })
	if lease, ok, err := slow.TryAcquire(t.Context(), 5); ok || err == nil {
		t.Errorf("a lock that was a minute late: %+v, %v, %v", lease, ok, err)
	}
}
