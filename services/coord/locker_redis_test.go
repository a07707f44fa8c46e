package coord_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/coord"
)

// CB-058: Redis is emptied, and killed and started empty.
func TestRedisForgets(t *testing.T) {
	t.Parallel()
	server := ownRedis(t)
	l := byRedis(t, server.URL())("a", time.Minute, clock.Monotonic)
	for name, forget := range map[string]func() error{
		"flushed": func() error { return flushAll(t, server.URL()) },
		"killed": func() error {
			if err := server.Kill(); err != nil {
				return err
			}
			x := l.Extend(t.Context(), []int{1})
			if x.Err == nil || len(x.Held)+len(x.Lost) != 0 {
				t.Errorf("while Redis is away: %+v; want an error and nothing settled", x)
			}
			if _, ok, err := l.TryAcquire(t.Context(), 2); ok || err == nil {
				t.Errorf("a lock without Redis: %v, %v", ok, err)
			}
			return server.Restart()
		},
	} {
		acquire(t, l, 1)
		if err := forget(); err != nil {
			t.Fatal(err)
		}
		if x := l.Extend(t.Context(), []int{1}); x.Err != nil || len(x.Lost) != 1 {
			t.Errorf("%s: %+v, want the lock to be lost", name, x)
		}
		acquire(t, l, 1)
		release(t, l, 1)
	}
}

func flushAll(t *testing.T, address string) error {
	t.Helper()
	return byClient(t, address).FlushAll(t.Context()).Err()
}

// A Redis that hangs costs no more than a part of the lock's life, and a lock that
// could not be given back does not keep its own server out afterwards.
func TestRedisHangs(t *testing.T) {
	t.Parallel()
	server := ownRedis(t)
	const life = 6 * time.Second
	all := make([]int, 64)
	l := byRedis(t, server.URL())("a", life, clock.Monotonic)
	for p := range all {
		all[p] = p
		acquire(t, l, p)
	}
	signal(t, server.PID(), syscall.SIGSTOP)
	from := clock.Monotonic()
	x := l.Extend(t.Context(), all)
	if took := clock.Monotonic() - from; took > life/3 {
		t.Errorf("extending took %s of a life of %s", took, life)
	}
	if x.Err == nil || len(x.Held)+len(x.Lost) != 0 {
		t.Errorf("while Redis hangs: %+v", x)
	}
	if err := l.Release(t.Context(), []int{1, 2}); err == nil {
		t.Error("locks were given back to a Redis that hangs")
	}
	signal(t, server.PID(), syscall.SIGCONT)
	acquire(t, l, 1)
}

func signal(t *testing.T, pid int, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, s); err != nil {
		t.Fatal(err)
	}
}

// Three independent servers: one may be away, two may not.
func TestRedisQuorum(t *testing.T) {
	t.Parallel()
	servers, address := quorum(t)
	make := byRedis(t, address)
	a, b := make("a", time.Minute, clock.Monotonic), make("b", time.Minute, clock.Monotonic)
	acquire(t, a, 1)
	if err := servers[0].Kill(); err != nil {
		t.Fatal(err)
	}
	if x := a.Extend(t.Context(), []int{1}); x.Err != nil || len(x.Held) != 1 {
		t.Errorf("with two of three: %+v", x)
	}
	refused(t, b, 1)
	acquire(t, b, 2)
	if err := a.(coord.Probed).Well(t.Context()); err != nil {
		t.Errorf("with two of three: %v", err)
	}
	if err := servers[1].Kill(); err != nil {
		t.Fatal(err)
	}
	if x := a.Extend(t.Context(), []int{1}); x.Err == nil || len(x.Held)+len(x.Lost) != 0 {
		t.Errorf("with one of three: %+v", x)
	}
	if _, ok, err := b.TryAcquire(t.Context(), 3); ok || err == nil {
		t.Errorf("with one of three: %v, %v", ok, err)
	}
	if err := a.(coord.Probed).Well(t.Context()); err == nil {
		t.Error("with one of three Redis is well")
	}
	for _, server := range servers[:2] { // both come back empty: one key of three is no lock
		if err := server.Restart(); err != nil {
			t.Fatal(err)
		}
	}
	if x := a.Extend(t.Context(), []int{1}); x.Err != nil || len(x.Lost) != 1 {
		t.Errorf("after two of three have forgotten: %+v", x)
	}
}

// A replica answers pings and reads; it is not well, since it keeps no locks.
func TestReplicaIsNotWell(t *testing.T) {
	t.Parallel()
	primary, replica := ownRedis(t), ownRedis(t)
	if err := byClient(t, replica.URL()).SlaveOf(t.Context(), "127.0.0.1", portOf(primary.Addr())).Err(); err != nil {
		t.Fatal(err)
	}
	l := byRedis(t, replica.URL())("a", time.Minute, clock.Monotonic).(coord.Probed)
	if err := l.Well(t.Context()); err == nil {
		t.Error("a replica is well")
	}
	if _, ok, err := l.TryAcquire(t.Context(), 1); ok || err == nil {
		t.Errorf("a lock of a replica: %v, %v", ok, err)
	}
}
