package worker

import (
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// notify wakes those whose condition has come true; b.mu is held.
func (b *book) notify() {
	kept := b.watches[:0]
	for _, w := range b.watches {
		if w.met() {
			close(w.done)
		} else {
			kept = append(kept, w)
		}
	}
	clear(b.watches[len(kept):])
	b.watches = kept
}

func (b *book) when(met func() bool) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := &watch{met: met, done: make(chan struct{})}
	b.watches = append(b.watches, w)
	b.notify()
	return w.done
}

// idle is closed once no handler runs.
func (b *book) idle() <-chan struct{} {
	return b.when(func() bool { return b.running == 0 })
}

// flushed is closed once the server knows everything about attempts that have ended.
func (b *book) flushed() <-chan struct{} {
	return b.when(func() bool { return b.untold() == 0 })
}

// untold counts the attempts that have ended and about which something is still to
// be reported; b.mu is held.
func (b *book) untold() int {
	n := 0
	for _, a := range b.held {
		if (a.ended || a.refusal != "") && !a.abandoned {
			n++
		}
	}
	return n
}

// leave makes the book refuse everything new: this process drains.
func (b *book) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.leaving = true
}

// setDrained follows the server's order to take nothing new, or to take new work
// again; it reports whether that is news.
func (b *book) setDrained(drained bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	changed := b.drained != drained
	b.drained = drained
	return changed
}

// sawFrame notes a frame without assignments. A ping may overtake frames that
// wait, so that the highest number counts.
func (b *book) sawFrame(seq int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lastSeq = max(b.lastSeq, seq)
}

// lostStream notes that frames count from 1 again.
func (b *book) lostStream() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lastSeq = 0
}

// limitLogs sets how many bytes of one attempt's lines may wait.
func (b *book) limitLogs(kept int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.logKept = int(min(kept, maxLogBytes))
}

// beat returns what a heartbeat says of this process, as of one moment: every
// attempt that frames up to LastSeq brought and that has not ended is in Held.
func (b *book) beat() wire.Heartbeat {
	b.mu.Lock()
	defer b.mu.Unlock()
	stuck := 0
	for _, h := range b.handlers {
		stuck += h.figures.Stuck
	}
	return wire.Heartbeat{
		LastSeq: b.lastSeq, Slots: b.cfg.Slots, Held: b.holds(), Draining: b.leaving,
		Stuck: stuck, Lingering: b.lingering(), StuckAttempts: b.stuckAttempts(),
	}
}

// holds lists the attempts of this node that run or whose result waits; b.mu is held.
func (b *book) holds() []wire.AttemptRef {
	refs := make([]wire.AttemptRef, 0, len(b.held))
	for ref, a := range b.held {
		if a.refusal == "" && !a.delivered && !a.abandoned {
			refs = append(refs, ref)
		}
	}
	return refs
}

func (b *book) heldRefs() []wire.AttemptRef {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.holds()
}
