package coord

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/go-redsync/redsync/v4"
	syncredis "github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"

	"github.com/belfry-scheduler/belfry/models"
)

// callShare is the part of a lock's life that one call may take at most.
const callShare = 6

// Redis grants partitions by redsync mutexes, one a partition. With several
// independent servers a lock needs most of them.
type Redis struct {
	sync    *redsync.Redsync
	clients []redis.UniversalClient
	prefix  string
	ttl     time.Duration
	elapsed func() time.Duration

	mu   sync.Mutex
	held map[int]*redisHold // at most one a partition
}

// redisHold is a mutex that we hold or have not given back for certain.
type redisHold struct {
	mu    sync.Mutex // redsync's mutexes are not safe for concurrent use
	mutex *redsync.Mutex
}

// NewRedis makes a Locker. Prefix begins all keys, elapsed is the monotonic
// clock. The caller closes the clients.
func NewRedis(clients []redis.UniversalClient, prefix string, ttl time.Duration, elapsed func() time.Duration) *Redis {
	pools := make([]syncredis.Pool, len(clients))
	for i, client := range clients {
		pools[i] = goredis.NewPool(client)
	}
	return &Redis{
		sync: redsync.New(pools...), clients: clients, prefix: prefix, ttl: ttl, elapsed: elapsed,
		held: map[int]*redisHold{},
	}
}

// newMutex does not ask for SET NX when extending: that would revive a lock that
// others may have held in between.
func (r *Redis) newMutex(partition int) *redsync.Mutex {
	return r.sync.NewMutex(r.prefix+":lock:"+strconv.Itoa(partition), redsync.WithExpiry(r.ttl), redsync.WithTries(1),
		redsync.WithDriftFactor(1.0/drift), redsync.WithTimeoutFactor(1.0/callShare))
}

func (r *Redis) find(partition int) *redisHold {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.held[partition]
}

// forget drops the hold, unless another has taken its place.
func (r *Redis) forget(partition int, hold *redisHold) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held[partition] == hold {
		delete(r.held, partition)
	}
}

// TryAcquire implements Locker.
func (r *Redis) TryAcquire(ctx context.Context, partition int) (Lease, bool, error) {
	if old := r.find(partition); old != nil {
		// Given up without an answer from Redis: our own lock must not keep us out.
		if err := r.unlock(ctx, partition, old); err != nil {
			return Lease{}, false, err
		}
	}
	hold := &redisHold{mutex: r.newMutex(partition)}
	from := r.elapsed()
	err := hold.mutex.TryLockContext(ctx)
	lease := Lease{Until: until(from, r.ttl)}
	switch {
	case err == nil && r.elapsed() < lease.Until:
		r.mu.Lock()
		defer r.mu.Unlock()
		r.held[partition] = hold
		return lease, true, nil
	case err == nil || errors.Is(err, redsync.ErrFailed):
		return Lease{}, false, fmt.Errorf("locking partition %d took longer than the lock of %s", partition, r.ttl)
	case r.away(err):
		return Lease{}, false, fmt.Errorf("locking partition %d: %w", partition, err)
	default:
		return Lease{}, false, nil // somebody else has it, or the votes were split
	}
}

// Extend implements Locker.
func (r *Redis) Extend(ctx context.Context, partitions []int) Extension {
	ctx, cancel := context.WithTimeout(ctx, r.ttl/callShare)
	defer cancel()
	x := Extension{Held: map[int]Lease{}}
	var mu sync.Mutex // guards x
	var failed error
	each(partitions, func(p int) {
		lease, lost, err := r.extend(ctx, p)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err != nil:
			failed = err
		case lost:
			x.Lost = append(x.Lost, p)
		case lease.Until > 0:
			x.Held[p] = lease
		}
	})
	if len(x.Held)+len(x.Lost) == 0 { // slow is not away: the next call goes on where time ran out
		x.Err = failed
	}
	return x
}

// extend prolongs one lock. Neither lost nor a lease nor an error: not enough
// servers agreed this time.
func (r *Redis) extend(ctx context.Context, partition int) (lease Lease, lost bool, err error) {
	hold := r.find(partition)
	if hold == nil {
		return Lease{}, true, nil
	}
	hold.mu.Lock()
	defer hold.mu.Unlock()
	from := r.elapsed()
	ok, err := hold.mutex.ExtendContext(ctx)
	switch {
	case ok:
		return Lease{Until: until(from, r.ttl)}, false, nil
	case taken(err):
		r.forget(partition, hold)
		return Lease{}, true, nil
	case r.away(err):
		return Lease{}, false, fmt.Errorf("extending the lock of partition %d: %w", partition, err)
	default:
		return Lease{}, false, nil
	}
}

// Release implements Locker.
func (r *Redis) Release(ctx context.Context, partitions []int) error {
	ctx, cancel := context.WithTimeout(ctx, r.ttl/callShare)
	defer cancel()
	var mu sync.Mutex
	var failed error // the last one: they are alike
	each(partitions, func(p int) {
		hold := r.find(p)
		if hold == nil {
			return
		}
		if err := r.unlock(ctx, p, hold); err != nil {
			mu.Lock()
			defer mu.Unlock()
			failed = err
		}
	})
	return failed
}

// unlock gives a lock back. It stays known when Redis did not answer.
func (r *Redis) unlock(ctx context.Context, partition int, hold *redisHold) error {
	hold.mu.Lock()
	defer hold.mu.Unlock()
	ok, err := hold.mutex.UnlockContext(ctx)
	if !ok && r.away(err) {
		return fmt.Errorf("releasing the lock of partition %d: %w", partition, err)
	}
	r.forget(partition, hold)
	return nil
}

// Well writes a key that expires at once to most of the servers, which shows that
// they could keep locks; merely answering is not enough for a replica or a full
// memory.
func (r *Redis) Well(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, r.ttl/callShare)
	defer cancel()
	var errs []error
	for _, client := range r.clients {
		if err := client.Set(ctx, r.prefix+":well", "1", time.Second).Err(); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > r.spare() {
		return fmt.Errorf("asking Redis whether it is well: %w", errors.Join(errs...))
	}
	return nil
}

// spare is how many servers may be away.
func (r *Redis) spare() int { return (len(r.clients) - 1) / 2 }

// taken says that most servers answered and do not have the lock as ours.
func taken(err error) bool {
	_, ok := errors.AsType[*redsync.ErrTaken](err)
	return ok
}

// away says that so many servers did not answer that no majority is left.
func (r *Redis) away(err error) bool { return silent(err) > r.spare() }

// silent counts the servers in err that did not answer.
func silent(err error) int {
	switch e := err.(type) { //nolint:errorlint // walks the tree itself to count
	case nil:
		return 0
	case *redsync.RedisError:
		return 1
	case interface{ Unwrap() []error }:
		n := 0
		for _, inner := range e.Unwrap() {
			n += silent(inner)
		}
		return n
	default:
		return 0
	}
}

// Mode implements Locker.
func (r *Redis) Mode() models.LockMode { return models.LockRedis }
