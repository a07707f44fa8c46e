package coord

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// Leases are partitions granted in the ledger for a time, by the database's
// clock; *store.Store has them.
type Leases interface {
	LeasePartition(ctx context.Context, partition int, serverID string, ttl time.Duration) (epoch int64, ok bool, err error)
	RenewLeases(ctx context.Context, partitions []int, serverID string, ttl time.Duration) (renewed []int, err error)
	ReleaseLeases(ctx context.Context, partitions []int, serverID string) error
}

// Database grants partitions by leases in the ledger.
type Database struct {
	leases   Leases
	serverID string
	ttl      time.Duration
	elapsed  func() time.Duration
}

// NewDatabase makes a Locker for one server. Elapsed is the monotonic clock.
func NewDatabase(leases Leases, serverID string, ttl time.Duration, elapsed func() time.Duration) *Database {
	return &Database{leases: leases, serverID: serverID, ttl: ttl, elapsed: elapsed}
}

// drift is what clocks may differ in speed: a hundredth of the time.
const drift = 100

// until is the end of a lock that was asked for at from: the lock service counts
// from when the request arrives, which is later.
func until(from, ttl time.Duration) time.Duration { return from + ttl - ttl/drift }

// TryAcquire implements Locker.
func (d *Database) TryAcquire(ctx context.Context, partition int) (Lease, bool, error) {
	from := d.elapsed()
	epoch, ok, err := d.leases.LeasePartition(ctx, partition, d.serverID, d.ttl)
	if err != nil || !ok {
		return Lease{}, false, err
	}
	lease := Lease{Until: until(from, d.ttl), Epoch: epoch}
	if d.elapsed() >= lease.Until {
		return Lease{}, false, fmt.Errorf("leasing partition %d took longer than the lease of %s", partition, d.ttl)
	}
	return lease, true, nil
}

// Extend implements Locker.
func (d *Database) Extend(ctx context.Context, partitions []int) Extension {
	if len(partitions) == 0 {
		return Extension{}
	}
	from := d.elapsed()
	renewed, err := d.leases.RenewLeases(ctx, partitions, d.serverID, d.ttl)
	if err != nil {
		return Extension{Err: err}
	}
	x := Extension{Held: map[int]Lease{}}
	for _, p := range partitions {
		if slices.Contains(renewed, p) {
			x.Held[p] = Lease{Until: until(from, d.ttl)}
		} else {
			x.Lost = append(x.Lost, p)
		}
	}
	return x
}

// Release implements Locker.
func (d *Database) Release(ctx context.Context, partitions []int) error {
	if len(partitions) == 0 {
		return nil
	}
	return d.leases.ReleaseLeases(ctx, partitions, d.serverID)
}

// Mode implements Locker.
func (d *Database) Mode() models.LockMode { return models.LockDatabase }
