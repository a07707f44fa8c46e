package worker

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	maxStackBytes = 16 << 10 // of one stuck handler, with the goroutines that it has begun
	maxDumpBytes  = 16 << 20 // of all goroutines; what is beyond is not searched
	maxCauseBytes = 1 << 10  // of the reason why it was to stop, in heartbeats
	maxStuckTick  = 5 * time.Second
)

// errLeftBehind stands for a handler that a shutdown does not wait for any longer.
var errLeftBehind = errors.New("the handler did not return and is left behind")

// watchStuck looks for handlers that go on although their context has ended, until
// ctx ends. While none runs it sleeps.
func (b *book) watchStuck(ctx context.Context) {
	tick := time.NewTimer(time.Hour)
	defer tick.Stop()
	for {
		select {
		case <-b.busy:
		case <-ctx.Done():
			return
		}
		for b.runsAny() {
			tick.Reset(min(max(b.cfg.StuckAfter/2, time.Millisecond), maxStuckTick))
			select {
			case <-tick.C:
				b.tellStuck(b.newlyStuck(time.Now(), b.cfg.StuckAfter))
			case <-ctx.Done():
				return
			}
		}
	}
}

func (b *book) runsAny() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.running > 0
}

// stuck is an attempt whose handler goes on, as it was when that was found out.
type stuck struct {
	a         *attempt
	goroutine int64
	since     time.Time // the end of its context
}

// newlyStuck marks and returns the attempts whose context ended at least after ago,
// whose handler has not returned, and that were not marked before.
func (b *book) newlyStuck(now time.Time, after time.Duration) (found []stuck) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range b.held {
		if a.ended || a.stuck || a.goroutine == 0 {
			continue // it has not begun, or has ended
		}
		since := a.stoppedAt
		if end := a.task.Deadline; !end.IsZero() && !now.Before(end) && (since.IsZero() || end.Before(since)) {
			since = end
		}
		if since.IsZero() || now.Sub(since) < after {
			continue
		}
		a.stuck, a.stuckAt = true, stuckPlace{since: since}
		a.handler.figures.Stuck++
		found = append(found, stuck{a: a, goroutine: a.goroutine, since: since})
	}
	return found
}

// tellStuck says where handlers are that go on although their context has ended: in
// their tasks' logs, in the process's own, and to the observer.
func (b *book) tellStuck(list []stuck) {
	if len(list) == 0 {
		return
	}
	dump := goroutines()
	for _, s := range list {
		stack := stackOf(dump, s.goroutine)
		cause, since := context.Cause(&s.a.ctx), time.Since(s.since)
		b.placeStuck(s.a, fmt.Sprint(cause), stack)
		args := []any{"cause", fmt.Sprint(cause), "for", since.String(), "stack", stack}
		s.a.task.Logger().Error("the handler goes on although its context has ended", args...)
		if b.cfg.OnlyTaskLog { // a lost attempt has no task log any more
			b.cfg.Logger.Error("a handler goes on although its context has ended",
				append([]any{"task_id", s.a.task.ID, "job", s.a.task.JobName, "attempt", s.a.task.Attempt}, args...)...)
		}
		b.cfg.observe(func(o Observer) {
			o.AttemptStuck(&s.a.task, StuckAttempt{Handler: s.a.handler.name, Cause: cause, For: since, Stack: stack})
		})
	}
}

// stuckPlace is where a handler was when it was found to be stuck, for heartbeats.
type stuckPlace struct {
	since        time.Time // the end of its context
	cause, stack string
}

func (b *book) placeStuck(a *attempt, cause, stack string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a.stuckAt.cause, a.stuckAt.stack = cut(cause, maxCauseBytes), cut(stack, wire.MaxStuckStack)
}

// stuckAttempts lists the handlers that go on, longest first, up to what a heartbeat
// may have of them; b.mu is held.
func (b *book) stuckAttempts() (list []wire.StuckAttempt) {
	now := time.Now()
	for ref, a := range b.held {
		if !a.stuck || a.ended && !a.left {
			continue
		}
		list = append(list, wire.StuckAttempt{
			Task: ref.Task, Attempt: ref.Attempt, Handler: a.handler.name,
			ForMS: max(0, now.Sub(a.stuckAt.since).Milliseconds()), Cause: a.stuckAt.cause, Stack: a.stuckAt.stack,
		})
	}
	slices.SortFunc(list, func(x, y wire.StuckAttempt) int {
		return cmp.Or(cmp.Compare(y.ForMS, x.ForMS), cmp.Compare(x.Task, y.Task))
	})
	return list[:min(len(list), wire.MaxStuckListed)]
}

// leaveBehind ends, for the server, the attempts whose handlers have not returned by
// the end of a shutdown: by then it is the process that ends them. What the shutdown
// cut off uses up no attempt and does not count as a lost process either.
func (b *book) leaveBehind() {
	b.tellStuck(b.newlyStuck(time.Now(), 0))
	for _, a := range b.unfinished() {
		e := classify(errLeftBehind, context.Cause(&a.ctx), "")
		b.keepResult(a, e)
		b.leftBehind(a, e)
	}
}

// unfinished lists the attempts of this node whose handlers have not returned.
func (b *book) unfinished() (list []*attempt) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range b.held {
		if !a.ended && !a.abandoned && a.refusal == "" {
			list = append(list, a)
		}
	}
	return list
}

// leftBehind records e as the end of a, unless its handler has returned by now.
func (b *book) leftBehind(a *attempt, e *ending) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if a.ended || a.abandoned {
		b.unkeep(e)
		return
	}
	a.left = true
	b.conclude(a, e)
	b.notify()
}

// lingering counts the slots that are taken by attempts which are not this node's any
// more; b.mu is held.
func (b *book) lingering() int {
	n := 0
	for _, a := range b.held {
		if a.abandoned && !a.ended && a.refusal == "" {
			n++
		}
	}
	return n
}

// goroutineID is the number of the calling goroutine, as stack traces show it; 0 if
// it cannot be read. It costs about a microsecond, and is asked for once a runner.
func goroutineID() int64 {
	var text [64]byte
	rest, ok := bytes.CutPrefix(text[:runtime.Stack(text[:], false)], []byte("goroutine "))
	number, _, found := bytes.Cut(rest, []byte(" "))
	id, err := strconv.ParseInt(string(number), 10, 64)
	if !ok || !found || err != nil {
		return 0
	}
	return id
}

// goroutines is the stack trace of all goroutines, which stops them for a moment.
func goroutines() []byte {
	for size := 256 << 10; ; size *= 2 {
		dump := make([]byte, size)
		if n := runtime.Stack(dump, true); n < size || size >= maxDumpBytes {
			return dump[:n]
		}
	}
}

// stackOf is the part of a trace that shows one goroutine and those that it has begun.
func stackOf(dump []byte, id int64) string {
	number := strconv.FormatInt(id, 10)
	head, made := []byte("goroutine "+number+" "), []byte(" in goroutine "+number+"\n")
	var own, begun []byte
	for part := range bytes.SplitSeq(dump, []byte("\n\n")) {
		switch part = append(bytes.TrimSpace(part), '\n'); {
		case bytes.HasPrefix(part, head):
			own = part
		case bytes.Contains(part, made):
			begun = append(append(begun, '\n'), part...)
		}
	}
	return cut(string(append(own, begun...)), min(maxStackBytes, wire.MaxErrorBytes))
}
