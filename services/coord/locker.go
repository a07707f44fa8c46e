package coord

import (
	"context"
	"math"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/belfry-scheduler/belfry/models"
)

// atOnce bounds the lock calls in flight, to the pools' connections and the
// patience of others.
const atOnce = 8

// Lease is what a Locker grants.
type Lease struct {
	// Until is when the lock may have ended, by the Locker's monotonic clock,
	// counted from before the request was sent.
	Until time.Duration
	// Epoch is the partition's epoch when taking the lock has raised it already; 0
	// when the new owner has to do that.
	Epoch int64
}

// Extension is what became of locks that were to be extended. A partition in
// neither list could not be settled; its old Until holds.
type Extension struct {
	Held map[int]Lease
	Lost []int // certainly not held any more
	// Err says why none is settled: the lock service did not answer.
	Err error
}

// Locker grants partitions to one server for a limited time. Implementations are
// safe for concurrent use. Times are those of the clock that was given to them.
type Locker interface {
	// TryAcquire asks once. Without an error, ok says whether the partition is ours;
	// a lock that is granted too late to be of use is an error.
	TryAcquire(ctx context.Context, partition int) (lease Lease, ok bool, err error)
	// Extend prolongs locks that are held. It is called several times within a
	// lock's life, also for none.
	Extend(ctx context.Context, partitions []int) Extension
	// Release gives locks back. Those that are not held any more are no error.
	Release(ctx context.Context, partitions []int) error
	// Mode is what locks are held with at this moment.
	Mode() models.LockMode
}

// Local grants everything for ever: for a server that has its ledger to itself.
type Local struct{}

// TryAcquire implements Locker.
func (Local) TryAcquire(context.Context, int) (Lease, bool, error) {
	return Lease{Until: math.MaxInt64}, true, nil
}

// Extend implements Locker.
func (Local) Extend(_ context.Context, partitions []int) Extension {
	held := make(map[int]Lease, len(partitions))
	for _, p := range partitions {
		held[p] = Lease{Until: math.MaxInt64}
	}
	return Extension{Held: held}
}

// Release implements Locker.
func (Local) Release(context.Context, []int) error { return nil }

// Mode implements Locker.
func (Local) Mode() models.LockMode { return models.LockLocal }

// each calls fn for the partitions, several at once, and waits.
func each(partitions []int, fn func(partition int)) {
	var g errgroup.Group
	g.SetLimit(atOnce)
	for _, p := range partitions {
		g.Go(func() error { fn(p); return nil })
	}
	_ = g.Wait() // fn has no error
}
