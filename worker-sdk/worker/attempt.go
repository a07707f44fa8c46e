package worker

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// attempt is one assignment that this process has taken, or refuses. What is not
// set at birth is guarded by book.mu, except where said.
type attempt struct {
	task    Task
	ref     wire.AttemptRef
	book    *book
	handler *registered // nil: this worker has none of that name

	ctx    taskContext             // what the handler gets
	cancel context.CancelCauseFunc // ends ctx
	stop   context.CancelFunc      // stops the time limit's timer; nil without one

	logOnce sync.Once // makes logger; not under book.mu
	logger  *slog.Logger

	goroutine int64     // that calls the handler; 0 before it begins
	stoppedAt time.Time // when its context was ended from outside, not by the time limit
	stuck     bool      // the handler goes on long after that
	stuckAt   stuckPlace
	left      bool // … and the shutdown has reported its end without it

	ended     bool // the handler has returned, or never ran, or was left behind
	abandoned bool // not ours any more: nothing is reported
	queued    bool // stands in the outbox
	delayed   bool // … and waits there for its time
	inFlight  bool // stands in a report that is under way
	urgent    bool // what is pending cannot wait
	delivered bool // the server has the result; only log lines may be left

	receivedAt time.Time
	startedAt  time.Time
	pending    pending
	ending     *ending // the result, once there is one
	refusal    string  // a Refuse… code; such an attempt has nothing else
	result     json.RawMessage
	saved      json.RawMessage // latest checkpoint
}

// pending is what the server has not been told yet, besides the ending.
type pending struct {
	started    bool
	progress   *wire.Progress // the latest only
	log        lines
	checkpoint *checkpoint // the latest only
	refusal    bool
	ending     bool
}

// ending is how an attempt ended; it is not changed once made.
type ending struct {
	outcome    string
	startedAt  time.Time
	finishedAt time.Time
	result     json.RawMessage
	err        string
	stack      string
	noRetry    bool
	after      int64  // ms; below zero means unset
	kept       uint64 // its number in the file of Config.SpillDir; 0 = it is not there
}

// bytes is what the ending weighs in memory and, roughly, in a report.
func (e *ending) bytes() int { return len(e.result) + len(e.err) + len(e.stack) + itemBytes }

// weight is what an attempt that has ended keeps in memory until its result is
// delivered: the task itself may still be in the user's hands.
func (a *attempt) weight() int {
	return a.ending.bytes() + len(a.task.Parameters) + len(a.saved)
}

// checkpoint is one that is to be saved, with those who wait for it; a newer one
// takes over the waiters of the one it replaces.
type checkpoint struct {
	data    json.RawMessage
	waiters []chan<- error // each buffered for its one answer
}

func (c *checkpoint) answer(err error) {
	if c == nil {
		return
	}
	for _, waiter := range c.waiters {
		waiter <- err
	}
	c.waiters = nil
}

// taskContext lets FromContext find the task without a context of its own.
type taskContext struct {
	context.Context
	task *Task
}

func (c *taskContext) Value(key any) any {
	if key == (taskKey{}) {
		return c.task
	}
	return c.Context.Value(key)
}

// newAttempt makes an attempt whose time limit runs from received on. base carries
// the values of Run's context but never ends, so that attempts outlive it.
func newAttempt(base context.Context, b *book, as *wire.Assignment, h *registered, received time.Time) *attempt {
	a := &attempt{
		task: taskOf(as, received), ref: wire.AttemptRef{Task: as.Task, Attempt: as.Attempt},
		book: b, handler: h, saved: as.Checkpoint, receivedAt: received,
	}
	a.task.a = a
	cause := ErrTimeLimit
	if h != nil && h.limit > 0 {
		if end := received.Add(h.limit); a.task.Deadline.IsZero() || end.Before(a.task.Deadline) {
			a.task.Deadline, cause = end, h.limitCause
		}
	}
	a.ctx.task = &a.task
	a.ctx.Context, a.cancel = context.WithCancelCause(base)
	if !a.task.Deadline.IsZero() {
		a.ctx.Context, a.stop = context.WithDeadlineCause(a.ctx.Context, a.task.Deadline, cause)
	}
	return a
}

// release frees the timer of the context of an attempt that has ended.
func (a *attempt) release() {
	if a.stop != nil {
		a.stop()
	}
	a.cancel(context.Canceled)
}

// hasPending reports whether there is something to report.
func (a *attempt) hasPending() bool {
	p := &a.pending
	return p.started || p.progress != nil || len(p.log.chunks) > 0 || p.checkpoint != nil || p.refusal || p.ending
}

// done reports whether nothing is left to do for the attempt.
func (a *attempt) done() bool {
	if a.refusal != "" {
		return !a.pending.refusal
	}
	return a.ended && (a.abandoned || a.delivered && !a.hasPending())
}
