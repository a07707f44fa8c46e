package worker

import (
	"errors"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// classify makes the ending of an attempt whose handler returned err, with the
// cause of its context's end, nil if it has not ended.
func classify(err, cause error, stack string) *ending {
	e := &ending{finishedAt: time.Now(), after: -1, stack: cut(stack, wire.MaxErrorBytes)}
	if err == nil {
		e.outcome = wire.OutcomeSucceeded
		return e
	}
	e.outcome = outcomeOf(err, cause)
	switch e.outcome {
	case wire.OutcomeTimedOut, wire.OutcomeCancelled, wire.OutcomeReleased:
		e.err = fmt.Sprintf("%v: %v", cause, err)
	default:
		e.err = err.Error()
	}
	if errors.Is(err, cause) { // the handler returned the cause itself: say it once
		e.err = err.Error()
	}
	e.err = cut(e.err, wire.MaxErrorBytes)
	if _, ok := errors.AsType[*NoRetryError](err); ok {
		e.noRetry = true
	} else if r, ok := errors.AsType[*RetryAfterError](err); ok {
		e.after = milliseconds(r.After)
	}
	if s, ok := errors.AsType[*SnoozeError](err); ok && e.outcome == wire.OutcomeSnoozed {
		e.after, e.err = milliseconds(s.After), ""
	}
	return e
}

// outcomeOf decides by what ended the context, if anything did: what a library
// returns after that is rarely the context's own error. What the handler asked for
// by name counts as far as the cause allows it.
func outcomeOf(err, cause error) string {
	_, snoozed := errors.AsType[*SnoozeError](err)
	_, final := errors.AsType[*NoRetryError](err)
	_, panicked := errors.AsType[*PanicError](err)
	switch {
	case errors.Is(cause, ErrCancelled), errors.Is(cause, ErrReplaced):
		return wire.OutcomeCancelled
	case snoozed:
		return wire.OutcomeSnoozed
	case panicked:
		return wire.OutcomeFailed
	case errors.Is(cause, ErrTimeLimit):
		return wire.OutcomeTimedOut
	case errors.Is(cause, ErrShutdown) && !final:
		return wire.OutcomeReleased
	}
	return wire.OutcomeFailed
}

// milliseconds rounds up, so that a short pause does not become none.
func milliseconds(d time.Duration) int64 {
	return int64((max(d, 0) + time.Millisecond - 1) / time.Millisecond)
}
