package coord

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"time"
)

// hold is a partition whose lock we have.
type hold struct {
	epoch int64
	until time.Duration // when the lock may have ended, by Elapsed
	// suspect: a transaction was told that we are deposed. Not acted for until the
	// next pass has looked.
	suspect bool
	excess  time.Duration // since when it is another server's share; 0: it is ours
	keep    time.Duration // an orphan that we took: not handed over before
}

// Partitions are those that may be acted for at this very moment, with their
// epochs. The answer is the caller's own, and grows old: ask again before each
// transaction.
func (o *Ownership) Partitions() map[int]int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.current()
}

// Fence are the epochs of the given partitions, to be checked in a transaction;
// ok is false when one of them may not be acted for at this moment.
func (o *Ownership) Fence(partitions ...int) (fence map[int]int64, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.cfg.Elapsed()
	fence = make(map[int]int64, len(partitions))
	for _, p := range partitions {
		h := o.held[p]
		if h == nil || !o.acts(h, now) {
			return nil, false
		}
		fence[p] = h.epoch
	}
	return fence, true
}

// Lost is what a transaction tells that failed because another server has taken
// the partitions over. They are not acted for until a look at the ledger has shown
// whether that is so: a transaction that began under an earlier epoch of our own
// says the same.
func (o *Ownership) Lost(partitions ...int) {
	o.mu.Lock()
	for _, p := range partitions {
		if h := o.held[p]; h != nil {
			h.suspect = true
		}
	}
	o.mu.Unlock()
	o.passes.Wake()
	o.notices.Wake()
}

// acts says whether the partition may be acted for at now. The caller has the lock.
func (o *Ownership) acts(h *hold, now time.Duration) bool {
	return !o.closing && !h.suspect && now < h.until-o.margin
}

// current is Partitions under the lock.
func (o *Ownership) current() map[int]int64 {
	now := o.cfg.Elapsed()
	open := make(map[int]int64, len(o.held))
	for p, h := range o.held {
		if o.acts(h, now) {
			open[p] = h.epoch
		}
	}
	return open
}

// notice is a round of the loop that lets go of locks in time and tells the
// listeners. It answers when the next lock runs out, as far as is known now.
func (o *Ownership) notice(context.Context) (time.Duration, error) {
	if o.sweep() {
		o.passes.Wake()
	}
	o.tell()
	return o.nextEnd(), nil
}

// sweep drops the locks that are about to end and says whether there were any.
func (o *Ownership) sweep() bool {
	o.mu.Lock()
	now := o.cfg.Elapsed()
	var ended []int
	for p, h := range o.held {
		if now >= h.until-o.margin {
			o.drop(p)
			ended = append(ended, p)
		}
	}
	o.mu.Unlock()
	if len(ended) > 0 {
		o.cfg.Logger.Warn("locks ran out: they could not be prolonged in time", "partitions", ended)
	}
	return len(ended) > 0
}

// drop forgets a lock; the next pass gives it back. The caller has the lock.
func (o *Ownership) drop(p int) {
	delete(o.held, p)
	o.dropped[p] = true
}

// nextEnd is the time to the end of the first lock; 0 when none ends soon.
func (o *Ownership) nextEnd() time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.cfg.Elapsed()
	wait := o.cfg.TTL / 3
	for _, h := range o.held {
		wait = min(wait, h.until-o.margin-now)
	}
	return max(wait, 1)
}

// tell calls the listeners with what has changed since they were last called.
func (o *Ownership) tell() {
	o.mu.Lock()
	now := o.current()
	var gained []Owned
	var lost []int
	for p, epoch := range o.announced {
		if now[p] != epoch {
			lost = append(lost, p)
		}
	}
	for p, epoch := range now {
		if o.announced[p] != epoch {
			gained = append(gained, Owned{Partition: p, Epoch: epoch})
		}
	}
	o.announced = maps.Clone(now)
	listeners := o.listeners
	o.mu.Unlock()
	if len(gained)+len(lost) == 0 {
		return
	}
	slices.Sort(lost)
	slices.SortFunc(gained, func(a, b Owned) int { return a.Partition - b.Partition })
	o.cfg.Logger.Info("ownership changed", "gained", len(gained), "lost", len(lost), "owned", len(now))
	for _, fn := range listeners {
		o.call(fn, gained, lost)
	}
}

// call shields the others from a listener that panics.
func (o *Ownership) call(fn func([]Owned, []int), gained []Owned, lost []int) {
	defer func() {
		if p := recover(); p != nil {
			o.cfg.Logger.Error("ownership listener panicked", "error", fmt.Sprint(p), "stack", string(debug.Stack()))
		}
	}()
	fn(gained, lost)
}

// takeAll empties the books and answers everything that is to be given back.
func (o *Ownership) takeAll() []int {
	o.mu.Lock()
	defer o.mu.Unlock()
	for p := range o.held {
		o.dropped[p] = true
	}
	all := slices.Sorted(maps.Keys(o.dropped))
	o.held, o.dropped = map[int]*hold{}, map[int]bool{}
	return all
}

// extend is a round of the watchdog: it prolongs all locks three times in their
// life, and more often while that fails.
func (o *Ownership) extend(ctx context.Context) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, o.cfg.TTL/2)
	defer cancel()
	o.abandon(ctx)
	before, inOrder := o.toExtend()
	x := o.cfg.Locker.Extend(ctx, inOrder)
	changed, lost := o.settle(before, x)
	if len(lost) > 0 {
		o.cfg.Logger.Warn("locks were lost: they are gone or another server's", "partitions", lost)
	}
	if changed || len(lost) > 0 {
		o.passes.Wake()
		o.notices.Wake()
	}
	if len(x.Held)+len(x.Lost) == len(before) && x.Err == nil {
		return o.cfg.TTL / 3, nil
	}
	if x.Err != nil {
		o.cfg.Logger.Debug("locks were not prolonged", "error", x.Err)
	}
	return o.cfg.TTL / 12, nil
}

// toExtend are the locks that are held, those that end first in front: should time
// not suffice for all, none is always the last.
func (o *Ownership) toExtend() (held map[int]*hold, inOrder []int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return maps.Clone(o.held), slices.SortedFunc(maps.Keys(o.held), func(a, b int) int {
		return cmp.Or(cmp.Compare(o.held[a].until, o.held[b].until), a-b)
	})
}

// unseen says that this server has not been able to beat for so long that others
// take it for dead. Its locks would then only keep them out. The caller has the
// lock.
func (o *Ownership) unseen() bool {
	return !o.cfg.Alone && o.cfg.Elapsed()-o.beatAt >= o.cfg.DeadAfter
}

// abandon gives everything back at once if this server is taken for dead.
func (o *Ownership) abandon(ctx context.Context) {
	o.mu.Lock()
	abandon := len(o.held) > 0 && o.unseen()
	o.mu.Unlock()
	if !abandon {
		return
	}
	partitions := o.takeAll()
	o.notices.Wake()
	o.cfg.Logger.Warn("the ledger has not been reached for too long: giving the partitions up", "partitions", len(partitions))
	if err := o.cfg.Locker.Release(ctx, partitions); err != nil {
		o.cfg.Logger.Debug("locks were not given back; they run out", "error", err)
	}
	o.hint(ctx)
}

// settle books an extension of the locks that were held before it, unless they
// have changed meanwhile. It says whether an epoch has changed and what was lost.
func (o *Ownership) settle(before map[int]*hold, x Extension) (changed bool, lost []int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for p, lease := range x.Held {
		h := before[p]
		if h == nil || o.held[p] != h {
			continue
		}
		h.until = max(h.until, lease.Until)
		if lease.Epoch != 0 && lease.Epoch != h.epoch {
			h.epoch, changed = lease.Epoch, true
		}
	}
	for _, p := range x.Lost {
		if h := before[p]; h != nil && o.held[p] == h {
			o.drop(p)
			lost = append(lost, p)
		}
	}
	return changed, lost
}
