package worker

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// runners are the goroutines that call handlers: never more than the slots. Each
// takes the next attempt itself as soon as it is free, so that a few of them do a
// burst of short tasks, and one that takes an attempt while others wait wakes the
// next runner first, so that handlers that block hold up nobody. The idle ones are
// a stack: those that ran last are woken first, and trim ends the others. All is
// guarded by book.mu.
type runners struct {
	queue  []*attempt // taken and not begun, in order
	idle   []runner
	waking bool // a runner is on its way to the queue
	total  int
	least  int // fewest idle since the last trim
	closed bool
}

// runner wakes one goroutine of runners by a token, and ends it by being closed.
type runner chan struct{}

// submit queues a; b.mu is held.
func (b *book) submit(a *attempt) {
	b.runners.queue = append(b.runners.queue, a)
	b.wakeOne()
}

// wakeOne makes a runner come to the queue if attempts wait and none is coming.
func (b *book) wakeOne() {
	r := &b.runners
	if len(r.queue) == 0 || r.waking {
		return
	}
	r.waking = true
	if n := len(r.idle); n > 0 {
		top := r.idle[n-1]
		r.idle = r.idle[:n-1]
		r.least = min(r.least, n-1)
		top <- struct{}{}
		return
	}
	r.total++
	r.least = 0
	go b.run(make(runner, 1))
}

// run is the life of one runner, which begins awake.
func (b *book) run(self runner) {
	// Also when a handler ends this goroutine under it.
	defer b.runnerEnded()
	id := goroutineID()
	var a *attempt
	var e *ending
	woken := true
	for {
		a = b.next(self, id, a, e, woken)
		if woken = a == nil; !woken {
			e = b.execute(a)
		} else if _, more := <-self; !more {
			return
		}
	}
}

// next records how the attempt done has ended, if there is one, and begins the next
// attempt on the runner's goroutine id. When none waits, it makes the runner idle and
// returns nil. woken says that the runner comes because it was woken.
func (b *book) next(self runner, id int64, done *attempt, e *ending, woken bool) *attempt {
	if done != nil {
		done.release()
		b.keepResult(done, e)
	}
	now := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	r := &b.runners
	if woken {
		r.waking = false
	}
	if done != nil {
		b.finish(done, e)
	}
	switch {
	case len(r.queue) > 0:
		a := r.queue[0]
		r.queue[0] = nil
		r.queue = r.queue[1:]
		b.wakeOne()
		b.begin(a, id, now)
		return a
	case r.closed:
		close(self)
	default:
		r.idle = append(r.idle, self)
	}
	return nil
}

func (b *book) runnerEnded() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.runners.total--
	b.notify()
}

// trim ends half of the runners that have had nothing to do since the last call.
func (b *book) trim() {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := &b.runners
	n := (r.least + 1) / 2
	for _, idle := range r.idle[:n] { // the bottom of the stack
		close(idle)
	}
	r.idle = append(r.idle[:0], r.idle[n:]...)
	r.least = len(r.idle)
}

// dismiss ends all runners, those that are busy when they are done, and returns a
// channel that is closed when none is left. Nothing may be submitted any more.
func (b *book) dismiss() <-chan struct{} {
	b.mu.Lock()
	b.runners.closed = true
	for _, idle := range b.runners.idle {
		close(idle)
	}
	b.runners.idle, b.runners.least = nil, 0
	b.mu.Unlock()
	return b.when(func() bool { return b.runners.total == 0 })
}

// execute runs one attempt and returns how it ended.
func (b *book) execute(a *attempt) *ending {
	b.announce(a)
	if cause := context.Cause(&a.ctx); cause != nil { // ended before it began
		e := classify(cause, cause, "")
		b.tell(a, e, cause, cause)
		return e
	}
	returned := false
	defer func() {
		if !returned { // a panic is turned into an error below: this is runtime.Goexit
			b.lastWords(a)
		}
	}()
	err := call(a)
	returned = true
	stack := ""
	if p, ok := errors.AsType[*PanicError](err); ok {
		stack = p.Stack
	}
	cause := context.Cause(&a.ctx)
	e := classify(err, cause, stack)
	b.tell(a, e, err, cause)
	return e
}

// lastWords ends an attempt whose handler has ended the runner's goroutine.
func (b *book) lastWords(a *attempt) {
	e := classify(errGoexit, nil, "")
	b.tell(a, e, errGoexit, context.Cause(&a.ctx))
	a.release()
	b.keepResult(a, e)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.finish(a, e)
}

// call calls the handler and turns a panic into an error.
func call(a *attempt) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: string(debug.Stack())}
		}
	}()
	return a.handler.run(&a.ctx, &a.task)
}

// announce tells that a's handler is about to be called.
func (b *book) announce(a *attempt) {
	h := a.handler
	b.cfg.observe(func(o Observer) {
		o.AttemptStarted(&a.task, AttemptStart{Handler: h.name, Waited: a.startedAt.Sub(a.receivedAt)})
	})
	if a.task.Handler == h.name {
		return
	}
	if _, told := h.told.LoadOrStore(a.task.JobID, true); !told {
		b.cfg.Logger.Info("a job still gives an old name of a handler: give it the new one, then drop the alias",
			"job", a.task.JobName, "old", a.task.Handler, "new", h.name)
	}
}

// tell says how an attempt ended. A failing job is no failure of the worker, so it
// is no error here; the task's record has everything.
func (b *book) tell(a *attempt, e *ending, err, cause error) {
	level, outcome := slog.LevelDebug, e.outcome
	if errors.Is(cause, ErrLeaseLost) {
		outcome = outcomeLost // whatever the handler says: nobody will hear it
	}
	b.cfg.observe(func(o Observer) {
		o.AttemptEnded(&a.task, AttemptEnd{
			Handler: a.handler.name, Outcome: outcome, Took: e.finishedAt.Sub(a.startedAt), Err: err, Cause: cause,
		})
	})
	if outcome == wire.OutcomeFailed || outcome == wire.OutcomeTimedOut {
		level = slog.LevelInfo
	}
	if !b.cfg.Logger.Enabled(&a.ctx, level) {
		return
	}
	b.cfg.Logger.LogAttrs(&a.ctx, level, "attempt ended",
		slog.String("task_id", a.task.ID), slog.String("job", a.task.JobName), slog.Int("attempt", a.task.Attempt),
		slog.String("outcome", outcome), slog.String("error", e.err),
		slog.Duration("took", e.finishedAt.Sub(a.startedAt)))
}
