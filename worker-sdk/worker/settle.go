package worker

import (
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// verdict is what settle found in the answer to a report.
type verdict struct {
	retried bool       // some items have to be sent again
	invalid []invalid  // items that can never be accepted
	lost    []*attempt // running attempts that are not ours any more
}

// invalid is an item that the server refused for good.
type invalid struct {
	ref     wire.AttemptRef
	message string
}

// settle works the acknowledgements of a report into the book and ends the
// contexts of attempts that turned out to be lost. An item without an
// acknowledgement counts as to be sent again, not before until.
func (b *book) settle(items []item, acks []wire.Ack, until time.Time) verdict {
	var v verdict
	b.mu.Lock()
	for i := 0; i < len(items); {
		first, a := i, items[i].a
		for i < len(items) && items[i].a == a {
			i++
		}
		b.settleAttempt(a, items[first:i], acks[min(first, len(acks)):min(i, len(acks))], until, &v)
	}
	b.notify()
	b.mu.Unlock()
	for _, a := range v.lost {
		a.cancel(ErrLeaseLost)
	}
	return v
}

// settleAttempt handles the items of one attempt, which stand side by side.
func (b *book) settleAttempt(a *attempt, items []item, acks []wire.Ack, until time.Time, v *verdict) {
	var back []*chunk
	retried := false
	for i := range items {
		ack := wire.Ack{Status: wire.AckRetry}
		if i < len(acks) {
			ack = acks[i]
		}
		it := &items[i]
		switch {
		case a.abandoned || ack.Status == wire.AckStale:
			b.settleStale(it, v)
		case ack.Status == wire.AckAccepted:
			it.checkpoint.answer(nil)
			b.settleEnding(it)
		case ack.Status == wire.AckInvalid:
			v.invalid = append(v.invalid, invalid{a.ref, ack.Message})
			it.checkpoint.answer(fmt.Errorf("the server refused the checkpoint: %s", ack.Message))
			b.settleEnding(it)
		default: // retry, or a word of a later protocol
			retried = true
			back = b.putBack(it, back)
		}
	}
	a.inFlight = false
	if len(back) > 0 && !a.abandoned {
		before := a.pending.log.bytes
		a.pending.log.giveBack(back)
		b.logBytes += a.pending.log.bytes - before
	}
	v.retried = v.retried || retried
	b.requeue(a, retried, until)
}

// requeue puts a back in the queue if there is more to tell, or forgets it.
func (b *book) requeue(a *attempt, retried bool, until time.Time) {
	p := &a.pending
	switch {
	case a.done():
		b.forget(a)
	case !a.hasPending():
	case retried:
		b.delay(a, until)
	default:
		b.mark(a, a.urgent || p.ending || p.refusal || p.checkpoint != nil, time.Now())
	}
}

func (b *book) settleEnding(it *item) {
	if it.ending != nil && !it.a.delivered {
		b.settled(it.a)
	}
}

// settleStale gives the attempt up: the server has ended it or given it away.
func (b *book) settleStale(it *item, v *verdict) {
	a := it.a
	it.checkpoint.answer(ErrLeaseLost)
	if a.abandoned || it.refusal {
		return
	}
	if !a.ended {
		a.stopping(time.Now())
		v.lost = append(v.lost, a)
	}
	b.abandon(a)
}

// putBack makes an item pending again, unless something newer has taken its place.
// Chunks are collected, so that they go back in order.
func (b *book) putBack(it *item, back []*chunk) []*chunk {
	p := &it.a.pending
	switch {
	case it.started:
		p.started = !it.a.delivered
	case it.progress != nil:
		if p.progress == nil {
			p.progress = it.progress
		}
	case it.chunk != nil:
		back = append(back, it.chunk)
	case it.checkpoint != nil:
		if p.checkpoint == nil {
			p.checkpoint = it.checkpoint
		} else {
			p.checkpoint.waiters = append(p.checkpoint.waiters, it.checkpoint.waiters...)
		}
	case it.refusal:
		p.refusal = true
	case it.ending != nil:
		p.ending = true
	}
	return back
}

// giveUp answers everybody who still waits for a checkpoint: nothing is reported
// any more.
func (b *book) giveUp() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range b.held {
		a.pending.checkpoint.answer(ErrShutdown)
	}
}
