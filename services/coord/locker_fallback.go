package coord

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// Probed is a Locker that can be asked whether it is well.
type Probed interface {
	Locker
	Well(ctx context.Context) error
}

// FallbackConfig is what a Fallback needs.
type FallbackConfig struct {
	Primary   Probed // Redis
	Secondary Locker // leases in the database
	// After is for how long the primary may fail before the secondary is used; 0:
	// DefaultAfter. With a third of a lock's life the locks move before they end, so
	// that no partition is without an owner meanwhile; with more they may not.
	After time.Duration
	// Return is for how long the primary must have been well again before it is used
	// again.
	Return  time.Duration
	Elapsed func() time.Duration
	Logger  *slog.Logger
}

// Defaults of FallbackConfig.
const (
	DefaultAfter  = DefaultTTL / 3
	DefaultReturn = 30 * time.Second
)

// Fallback grants partitions by a first locker, and by a second one while the
// first is away. Each server decides that for itself, so for a while two servers
// may hold the same partition, each by another locker; the epochs make one of
// them fail. Shares make even that rare.
type Fallback struct {
	cfg FallbackConfig

	mu       sync.Mutex
	away     bool                  // the secondary is used
	failing  bool                  // the primary has failed since its last success
	failedAt time.Duration         // start of the first of these failures
	well     bool                  // while away: the probes succeed
	wellAt   time.Duration         // since when
	second   map[int]bool          // held by the secondary; the others by the primary
	leased   map[int]time.Duration // end of the last lease, to give back also what has moved
}

// NewFallback makes a Locker of two.
func NewFallback(cfg FallbackConfig) *Fallback {
	cfg.After, cfg.Return = or(cfg.After, DefaultAfter), or(cfg.Return, DefaultReturn)
	return &Fallback{cfg: cfg, second: map[int]bool{}, leased: map[int]time.Duration{}}
}

// TryAcquire implements Locker.
func (f *Fallback) TryAcquire(ctx context.Context, partition int) (Lease, bool, error) {
	if !f.isAway() {
		from := f.cfg.Elapsed()
		lease, ok, err := f.cfg.Primary.TryAcquire(ctx, partition)
		f.note(from, err)
		if err == nil || !f.isAway() {
			if ok {
				f.hold(partition, false, 0)
			}
			return lease, ok, err
		}
	}
	return f.lease(ctx, partition)
}

// lease asks the secondary.
func (f *Fallback) lease(ctx context.Context, partition int) (Lease, bool, error) {
	lease, ok, err := f.cfg.Secondary.TryAcquire(ctx, partition)
	if ok {
		f.hold(partition, true, lease.Until)
	}
	return lease, ok, err
}

// Extend implements Locker. It also moves the locks when the primary has been
// away, or well again, for long enough.
func (f *Fallback) Extend(ctx context.Context, partitions []int) Extension {
	first, second := f.split(partitions)
	x := Extension{Held: map[int]Lease{}}
	if len(first) > 0 {
		from := f.cfg.Elapsed()
		part := f.cfg.Primary.Extend(ctx, first)
		f.note(from, part.Err)
		x.add(part)
		if f.isAway() {
			f.moveToSecondary(ctx, first, &x)
		}
	}
	part := f.cfg.Secondary.Extend(ctx, second)
	for p, lease := range part.Held {
		f.hold(p, true, lease.Until)
	}
	x.add(part)
	if f.isAway() {
		f.probe(ctx)
	}
	if !f.isAway() {
		f.moveToPrimary(ctx, second, &x)
	}
	return x
}

// moveToSecondary leases what the primary has not settled. What it did settle, it
// holds for one more life, and the next round moves that too.
func (f *Fallback) moveToSecondary(ctx context.Context, partitions []int, x *Extension) {
	open := slices.DeleteFunc(slices.Clone(partitions), func(p int) bool {
		_, held := x.Held[p]
		return held || slices.Contains(x.Lost, p)
	})
	var mu sync.Mutex // guards x
	each(open, func(p int) {
		lease, ok, err := f.lease(ctx, p)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			x.Err = err
		}
		if ok {
			x.Held[p] = lease
		}
	})
}

// moveToPrimary locks what the secondary holds. The lease is left to run out: to
// give it back would make the partition look free to others.
func (f *Fallback) moveToPrimary(ctx context.Context, partitions []int, x *Extension) {
	for _, p := range partitions {
		lease, held := x.Held[p]
		if !held {
			continue
		}
		from := f.cfg.Elapsed()
		next, ok, err := f.cfg.Primary.TryAcquire(ctx, p)
		f.note(from, err)
		if err != nil {
			return // the leases hold; the next round goes on
		}
		if ok {
			f.hold(p, false, lease.Until)
			next.Epoch = lease.Epoch
			x.Held[p] = next
		}
	}
}

// Release implements Locker.
func (f *Fallback) Release(ctx context.Context, partitions []int) error {
	first, second := f.split(partitions)
	f.mu.Lock()
	for _, p := range first {
		if f.leased[p] > f.cfg.Elapsed() {
			second = append(second, p)
		}
	}
	for _, p := range partitions {
		delete(f.second, p)
		delete(f.leased, p)
	}
	f.mu.Unlock()
	err := f.cfg.Primary.Release(ctx, first)
	if errSecond := f.cfg.Secondary.Release(ctx, second); errSecond != nil {
		return errSecond
	}
	return err
}

func (f *Fallback) hold(partition int, second bool, leased time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.second[partition] = second
	if leased > 0 {
		f.leased[partition] = leased
	}
}

// split sorts the partitions by who holds them.
func (f *Fallback) split(partitions []int) (first, second []int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range partitions {
		if f.second[p] {
			second = append(second, p)
		} else {
			first = append(first, p)
		}
	}
	return first, second
}

func (f *Fallback) isAway() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.away
}

// Away says whether the secondary is in use.
func (f *Fallback) Away() bool { return f.isAway() }

// Mode implements Locker.
func (f *Fallback) Mode() models.LockMode {
	if f.isAway() {
		return f.cfg.Secondary.Mode()
	}
	return f.cfg.Primary.Mode()
}

// note takes the outcome of a call to the primary that began at from.
func (f *Fallback) note(from time.Duration, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err == nil:
		f.failing = false
	case !f.failing:
		f.failing, f.failedAt = true, from
	}
	if f.failing && !f.away && f.cfg.Elapsed()-f.failedAt >= f.cfg.After {
		f.away, f.well = true, false
		f.cfg.Logger.Warn("locks move to the database: Redis does not answer", "for", f.cfg.Elapsed()-f.failedAt, "error", err)
	}
}

// probe asks the primary whether it is well and ends the fallback when it has
// been for long enough.
func (f *Fallback) probe(ctx context.Context) {
	err := f.cfg.Primary.Well(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.cfg.Elapsed()
	if err != nil {
		f.well = false
		return
	}
	if !f.well {
		f.well, f.wellAt = true, now
	}
	if now-f.wellAt >= f.cfg.Return {
		f.away, f.failing = false, false
		f.cfg.Logger.Info("locks move back to Redis", "well_for", now-f.wellAt)
	}
}

func (x *Extension) add(part Extension) {
	maps.Copy(x.Held, part.Held)
	x.Lost = append(x.Lost, part.Lost...)
	if part.Err != nil {
		x.Err = part.Err
	}
}
