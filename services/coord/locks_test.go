package coord_test

import (
	"context"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/coord"
)

// locks is the Redis of a simulated cluster: keys with a time to live.
type locks struct {
	mu   sync.Mutex
	keys map[int]lockKey
}

type lockKey struct {
	holder string
	ends   time.Duration
}

func newLocks() *locks { return &locks{keys: map[int]lockKey{}} }

func (l *locks) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.keys)
}

// steal gives a lock to somebody who is no server.
func (l *locks) steal(p int, forHow time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keys[p] = lockKey{holder: "thief", ends: clock.Monotonic() + forHow}
}

// holder is who has the lock at this moment.
func (l *locks) holder(p int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.live(p)
}

func (l *locks) live(p int) string {
	if key, ok := l.keys[p]; ok && clock.Monotonic() < key.ends {
		return key.holder
	}
	return ""
}

// locksOf is one server's access to the locks.
type locksOf struct {
	*locks
	*wire
	id  string
	ttl time.Duration
}

func (l locksOf) TryAcquire(ctx context.Context, p int) (lease coord.Lease, ok bool, err error) {
	from := clock.Monotonic()
	err = l.call(ctx, func() error {
		l.locks.mu.Lock()
		defer l.locks.mu.Unlock()
		if who := l.live(p); who != "" && who != l.id {
			return nil
		}
		l.keys[p] = lockKey{holder: l.id, ends: clock.Monotonic() + l.ttl}
		lease, ok = coord.Lease{Until: from + l.ttl}, true
		return nil
	})
	return lease, ok && err == nil, err
}

func (l locksOf) Extend(ctx context.Context, ps []int) (x coord.Extension) {
	from := clock.Monotonic()
	x.Err = l.call(ctx, func() error {
		l.locks.mu.Lock()
		defer l.locks.mu.Unlock()
		x.Held = map[int]coord.Lease{}
		for _, p := range ps {
			if l.live(p) == l.id {
				l.keys[p] = lockKey{holder: l.id, ends: clock.Monotonic() + l.ttl}
				x.Held[p] = coord.Lease{Until: from + l.ttl}
			} else {
				x.Lost = append(x.Lost, p)
			}
		}
		return nil
	})
	if x.Err != nil {
		x.Held, x.Lost = nil, nil
	}
	return x
}

func (l locksOf) Release(ctx context.Context, ps []int) error {
	return l.call(ctx, func() error {
		l.locks.mu.Lock()
		defer l.locks.mu.Unlock()
		for _, p := range ps {
			if l.keys[p].holder == l.id {
				delete(l.keys, p)
			}
		}
		return nil
	})
}

func (l locksOf) Well(ctx context.Context) error { return l.call(ctx, func() error { return nil }) }

func (l locksOf) Mode() models.LockMode { return models.LockRedis }
