package worker

import (
	"context"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Bounds of what a process keeps for a server that is away.
const (
	maxLogBytes      = 16 << 20 // waiting log lines of all attempts
	maxUnackedBytes  = 64 << 20 // ended attempts whose result no server has taken yet
	maxUnackedSpread = 4        // … and their number, as a multiple of the slots, at least minUnacked
	minUnacked       = 1024
	maxRefusals      = 1024 // refusals that wait; beyond it an assignment is ignored, and the server pushes it again
)

// book holds every attempt of this process and what is still to be reported about
// it. One lock guards it all: its sections are short and never call the user's
// code. What it keeps is bounded by the slots and the constants above.
type book struct {
	cfg *Config

	mu       sync.Mutex
	handlers []*registered // in the order of their names; empty before Run
	held     map[wire.AttemptRef]*attempt
	recent   recent // attempts that ended for good: a late push of one is ignored
	running  int    // taken and not ended; at most cfg.Slots
	unacked  int    // ended, and the result not delivered
	unbytes  int    // weight of those attempts
	refusals int
	logBytes int
	logKept  int   // most waiting bytes of one attempt
	leaving  bool  // this process drains
	drained  bool  // the server drains this node
	lastSeq  int64 // of the present stream's frames

	runners runners
	outbox  outbox
	kept    *kept // nil without Config.SpillDir; set before the first attempt comes
	watches []*watch
	busy    chan struct{} // one token: an attempt was taken
}

// watch is somebody who waits for a condition on the book.
type watch struct {
	met  func() bool
	done chan struct{}
}

func newBook(cfg *Config) *book {
	return &book{
		cfg:     cfg,
		held:    make(map[wire.AttemptRef]*attempt),
		recent:  newRecent(max(minUnacked, 2*cfg.Slots)),
		logKept: defaultLogKept,
		outbox:  outbox{wake: make(chan struct{}, 1)},
		busy:    make(chan struct{}, 1),
	}
}

// take notes that frame seq has arrived and takes its assignments, or refuses
// them; those it knows already are ignored. base is what handlers' contexts are
// made from. It starts the handlers.
func (b *book) take(base context.Context, seq int64, list []wire.Assignment, handlers registry) {
	now := time.Now()
	fresh := make([]*attempt, len(list))
	for i := range list {
		fresh[i] = newAttempt(base, b, &list[i], handlers[list[i].Handler], now)
	}
	for _, a := range b.admit(seq, fresh, now) {
		b.cfg.observe(func(o Observer) { o.AssignmentRefused(a.task.Handler, a.refusal) })
	}
}

// admit takes those attempts that can run and starts them; it returns those that it
// refuses.
func (b *book) admit(seq int64, fresh []*attempt, now time.Time) (refused []*attempt) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lastSeq = max(b.lastSeq, seq)
	for _, a := range fresh {
		if b.held[a.ref] != nil || b.recent.has(a.ref) {
			a.release()
			continue
		}
		if reason := b.reasonToRefuse(a); reason != "" {
			a.release()
			b.refuse(a, reason, now)
			refused = append(refused, a)
			continue
		}
		b.held[a.ref] = a
		b.running++
		a.handler.running++
		b.submit(a)
	}
	select {
	case b.busy <- struct{}{}:
	default:
	}
	return refused
}

// reasonToRefuse returns "" for an attempt that can run.
func (b *book) reasonToRefuse(a *attempt) string {
	switch {
	case b.leaving || b.drained:
		return wire.RefuseDraining
	case a.handler == nil:
		return wire.RefuseNoHandler
	case a.handler.full(), b.running >= b.cfg.Slots,
		b.unacked >= max(minUnacked, maxUnackedSpread*b.cfg.Slots), b.unbytes >= maxUnackedBytes:
		return wire.RefuseNoSlot
	}
	return ""
}

func (b *book) refuse(a *attempt, reason string, now time.Time) {
	a.refusal = reason
	if a.handler != nil {
		a.handler.figures.Refused++
	}
	if b.refusals >= maxRefusals {
		return
	}
	b.refusals++
	a.pending.refusal = true
	b.held[a.ref] = a
	b.mark(a, true, now)
}

// begin notes that a runner, of this goroutine, has taken a from the queue; b.mu is held.
func (b *book) begin(a *attempt, goroutine int64, now time.Time) {
	a.startedAt, a.goroutine = now, goroutine
	a.pending.started = true
	h := a.handler
	h.figures.Started++
	if a.task.Handler != h.name {
		h.figures.Aliased++
	}
	b.mark(a, false, now)
	if len(b.runners.queue) == 0 && b.outbox.urgent {
		b.outbox.poke() // results were held back until the last has begun
	}
}

// finish records how a ended and frees its slot; b.mu is held.
func (b *book) finish(a *attempt, e *ending) {
	b.running--
	a.handler.running--
	if a.stuck {
		a.handler.figures.Stuck--
	}
	if a.left { // the shutdown has told its end
		b.unkeep(e)
	} else {
		b.conclude(a, e)
	}
	b.notify()
}

// conclude records the end of a for the server; b.mu is held.
func (b *book) conclude(a *attempt, e *ending) {
	a.ended = true
	if a.abandoned {
		b.unkeep(e)
		a.handler.figures.count(outcomeLost)
		b.forget(a)
	} else {
		a.handler.figures.count(e.outcome)
		before := a.pending.log.bytes
		a.pending.log.say(e.finishedAt)
		b.logBytes += a.pending.log.bytes - before
		e.startedAt, e.result = a.startedAt, a.result
		a.ending, a.pending.ending = e, true
		b.unacked++
		b.unbytes += a.weight()
		b.mark(a, true, e.finishedAt)
	}
}

// forget removes an attempt with which nothing is left to do.
func (b *book) forget(a *attempt) {
	if !a.done() {
		return
	}
	delete(b.held, a.ref)
	if a.refusal != "" {
		b.refusals--
		return
	}
	// A released or snoozed attempt may come back under the same number.
	if a.ending != nil && a.ending.outcome != wire.OutcomeReleased && a.ending.outcome != wire.OutcomeSnoozed {
		b.recent.add(a.ref)
	}
}

// cancel ends the context of a running attempt with cause. With lost the attempt
// is given up: nothing more is reported about it.
func (b *book) cancel(ref wire.AttemptRef, cause error, lost bool) {
	b.mu.Lock()
	a := b.held[ref]
	if a != nil {
		a.stopping(time.Now())
	}
	if a != nil && lost {
		b.abandon(a)
	}
	b.mu.Unlock()
	if a != nil {
		a.cancel(cause)
	}
}

// cancelAll ends the context of every attempt.
func (b *book) cancelAll(cause error, lost bool) {
	b.mu.Lock()
	all := make([]*attempt, 0, len(b.held))
	for _, a := range b.held {
		all = append(all, a)
		a.stopping(time.Now())
		if lost {
			b.abandon(a)
		}
	}
	b.mu.Unlock()
	for _, a := range all {
		a.cancel(cause)
	}
}

// stopping notes that the context of a is about to be ended; book.mu is held.
func (a *attempt) stopping(now time.Time) {
	if a.stoppedAt.IsZero() {
		a.stoppedAt = now
	}
}

// abandon drops what waits to be reported about a.
func (b *book) abandon(a *attempt) {
	if a.abandoned {
		return
	}
	a.abandoned = true
	b.logBytes -= a.pending.log.bytes
	a.pending.checkpoint.answer(ErrLeaseLost)
	if a.ended && !a.delivered && a.refusal == "" {
		b.settled(a)
	}
	a.pending = pending{}
	if !a.inFlight {
		b.forget(a)
	}
	b.notify()
}

// settled notes that nobody waits for the result of a any more.
func (b *book) settled(a *attempt) {
	a.delivered = true
	b.unacked--
	b.unbytes -= a.weight()
	b.unkeep(a.ending)
}
