package worker

import (
	"encoding/json"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// This file holds what a running handler changes about its attempt.

func (b *book) progress(a *attempt, p wire.Progress) {
	b.change(a, false, func(*lines) { a.pending.progress = &p })
}

func (b *book) logLine(a *attempt, rest []byte) {
	now := time.Now()
	b.change(a, false, func(log *lines) {
		log.add(rest, min(b.logKept, log.bytes+maxLogBytes-b.logBytes), now)
	})
}

// change applies an edit to what is pending of a running attempt; it reports
// false for one that has ended or was given up.
func (b *book) change(a *attempt, urgent bool, edit func(log *lines)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if a.ended || a.abandoned {
		return false
	}
	before := a.pending.log.bytes
	edit(&a.pending.log)
	b.logBytes += a.pending.log.bytes - before
	b.mark(a, urgent, time.Now())
	return true
}

func (b *book) checkpoint(a *attempt, data json.RawMessage, waiter chan<- error) {
	ok := b.change(a, true, func(*lines) {
		next := &checkpoint{data: data, waiters: []chan<- error{waiter}}
		if old := a.pending.checkpoint; old != nil {
			next.waiters = append(next.waiters, old.waiters...)
		}
		a.pending.checkpoint, a.saved = next, data
	})
	if ok {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if a.abandoned {
		waiter <- ErrLeaseLost
	} else {
		waiter <- errEnded
	}
}

func (b *book) lastCheckpoint(a *attempt) json.RawMessage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return a.saved
}

func (b *book) setResult(a *attempt, data json.RawMessage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a.result = data // after the end it changes nothing: the ending has its own
}
