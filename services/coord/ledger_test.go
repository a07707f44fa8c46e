package coord_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

var errCut = errors.New("connection refused")

// wire is what stands between one server and a service: it can be cut, hang and
// be slow. The zero value is a good connection.
type wire struct {
	mu      sync.Mutex
	cut     bool
	slow    time.Duration
	resume  chan struct{} // closed to end a pause; nil: none
	calls   int
	dieAt   int  // the call with this number is the last; 0: none
	dieLate bool // it dies after the call's effect, not before
}

// call does a call over the wire.
func (w *wire) call(ctx context.Context, effect func() error) error {
	w.mu.Lock()
	w.calls++
	last := w.calls == w.dieAt && !w.cut
	if last {
		w.cut = true
	}
	cut, slow, resume := w.cut && !(last && w.dieLate), w.slow, w.resume
	w.mu.Unlock()
	if resume != nil { // the whole process stands still: its own timeouts as well
		<-resume
		return w.call(context.WithoutCancel(ctx), effect)
	}
	if err := way(ctx, slow/2); err != nil {
		return err
	}
	if cut {
		return errCut
	}
	err := effect()
	if err := way(ctx, slow/2); err != nil {
		return err // the effect stays
	}
	if last && w.dieLate {
		return errCut // what it did is done, but it never hears of it
	}
	return err
}

// way is the time there, or back.
func way(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return nil
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (w *wire) set(change func(w *wire)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(w)
}

func (w *wire) setCut(cut bool) { w.set(func(w *wire) { w.cut = cut }) }

// pause makes all calls wait for the answer's channel to be closed.
func pause(wires ...*wire) (resume func()) {
	c := make(chan struct{})
	for _, w := range wires {
		w.set(func(w *wire) { w.resume = c })
	}
	return func() {
		for _, w := range wires {
			w.set(func(w *wire) { w.resume = nil })
		}
		close(c)
	}
}

// ledger is the database of a simulated cluster.
type ledger struct {
	mu         sync.Mutex
	partitions [models.Partitions]models.Partition
	servers    map[string]models.Server
	takers     map[taking]string // who raised each epoch
	jump       time.Duration     // of the database's clock
	lapses     []string          // what must not happen
}

type taking struct {
	partition int
	epoch     int64
}

func newLedger() *ledger {
	l := &ledger{servers: map[string]models.Server{}, takers: map[taking]string{}}
	for i := range l.partitions {
		l.partitions[i].ID = i
	}
	return l
}

func (l *ledger) now() time.Time { return clock.System{}.Now().Add(l.jump) }

// raise makes id the owner under a new epoch. The caller has the lock.
func (l *ledger) raise(p int, id string) int64 {
	row := &l.partitions[p]
	row.Epoch++
	row.OwnerID, row.LeasedTo = id, nil
	l.takers[taking{p, row.Epoch}] = id
	return row.Epoch
}

// write is what owners do all day: a transaction that checks the epoch. It
// answers whether it was accepted, and notes a lapse when it is but must not be.
func (l *ledger) write(id string, p int, epoch int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if taker := l.takers[taking{p, epoch}]; taker != id {
		l.lapses = append(l.lapses, fmt.Sprintf("%s acts for partition %d under epoch %d of %q", id, p, epoch, taker))
	}
	return l.partitions[p].Epoch == epoch
}

func (l *ledger) owner(p int) models.Partition {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.partitions[p]
}

// ledgerOf is one server's access to the ledger.
type ledgerOf struct {
	*ledger
	*wire
}

func (l ledgerOf) Now(ctx context.Context) (now time.Time, err error) {
	err = l.call(ctx, func() error {
		l.ledger.mu.Lock()
		defer l.ledger.mu.Unlock()
		now = l.now()
		return nil
	})
	return now, err
}

func (l ledgerOf) BeatServer(ctx context.Context, s models.Server) error {
	return l.call(ctx, func() error {
		l.ledger.mu.Lock()
		defer l.ledger.mu.Unlock()
		l.servers[s.ID] = s
		return nil
	})
}

func (l ledgerOf) Servers(ctx context.Context, since time.Time) (rows []models.Server, err error) {
	err = l.call(ctx, func() error {
		l.ledger.mu.Lock()
		defer l.ledger.mu.Unlock()
		for _, s := range l.servers {
			if !s.LastSeenAt.Before(since) {
				rows = append(rows, s)
			}
		}
		return nil
	})
	return rows, err
}

func (l ledgerOf) RemoveServer(ctx context.Context, id string) error {
	return l.call(ctx, func() error {
		l.ledger.mu.Lock()
		defer l.ledger.mu.Unlock()
		delete(l.servers, id)
		return nil
	})
}

func (l ledgerOf) TakePartition(ctx context.Context, p int, id string) (epoch int64, err error) {
	err = l.call(ctx, func() error {
		l.ledger.mu.Lock()
		defer l.ledger.mu.Unlock()
		epoch = l.raise(p, id)
		return nil
	})
	return epoch, err
}

func (l ledgerOf) PartitionOwners(ctx context.Context) (rows []models.Partition, err error) {
	err = l.call(ctx, func() error {
		l.ledger.mu.Lock()
		defer l.ledger.mu.Unlock()
		rows = slices.Clone(l.partitions[:])
		return nil
	})
	return rows, err
}

func (l ledgerOf) LeasePartition(ctx context.Context, p int, id string, ttl time.Duration) (epoch int64, ok bool, err error) {
	err = l.call(ctx, func() error {
		l.ledger.mu.Lock()
		defer l.ledger.mu.Unlock()
		row, now := &l.partitions[p], l.now()
		if row.OwnerID != id {
			if row.OwnerID != "" && row.LeasedTo != nil && row.LeasedTo.After(now) {
				return nil
			}
			l.raise(p, id)
		}
		to := now.Add(ttl)
		row.LeasedTo = &to
		epoch, ok = row.Epoch, true
		return nil
	})
	return epoch, ok && err == nil, err
}

func (l ledgerOf) RenewLeases(ctx context.Context, ps []int, id string, ttl time.Duration) (renewed []int, err error) {
	err = l.call(ctx, func() error {
		l.ledger.mu.Lock()
		defer l.ledger.mu.Unlock()
		to := l.now().Add(ttl)
		for _, p := range ps {
			if row := &l.partitions[p]; row.OwnerID == id {
				row.LeasedTo = &to
				renewed = append(renewed, p)
			}
		}
		return nil
	})
	return renewed, err
}

func (l ledgerOf) ReleaseLeases(ctx context.Context, ps []int, id string) error {
	return l.call(ctx, func() error {
		l.ledger.mu.Lock()
		defer l.ledger.mu.Unlock()
		for _, p := range ps {
			if row := &l.partitions[p]; row.OwnerID == id {
				row.OwnerID, row.LeasedTo = "", nil
			}
		}
		return nil
	})
}
