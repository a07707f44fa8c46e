package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

func TestClassify(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	byAda := fmt.Errorf("%w: by Ada", ErrCancelled)
	for name, c := range map[string]struct {
		err, cause error
		outcome    string
		text       string
		noRetry    bool
		after      int64
	}{
		"nil":                    {nil, nil, wire.OutcomeSucceeded, "", false, -1},
		"nil after all causes":   {nil, ErrShutdown, wire.OutcomeSucceeded, "", false, -1},
		"error":                  {boom, nil, wire.OutcomeFailed, "boom", false, -1},
		"own context error":      {context.DeadlineExceeded, nil, wire.OutcomeFailed, "context deadline exceeded", false, -1},
		"limit":                  {boom, ErrTimeLimit, wire.OutcomeTimedOut, "the time limit has passed: boom", false, -1},
		"limit, no retry":        {NoRetry(boom), ErrTimeLimit, wire.OutcomeTimedOut, "the time limit has passed: boom", true, -1},
		"limit, retry after":     {RetryAfter(time.Second, boom), ErrTimeLimit, wire.OutcomeTimedOut, "the time limit has passed: boom", false, 1000},
		"limit, snooze":          {Snooze(time.Second), ErrTimeLimit, wire.OutcomeSnoozed, "", false, 1000},
		"limit, panic":           {&PanicError{Value: "p"}, ErrTimeLimit, wire.OutcomeFailed, "panic: p", false, -1},
		"cancelled":              {boom, byAda, wire.OutcomeCancelled, "the task was cancelled: by Ada: boom", false, -1},
		"cancelled, cause":       {byAda, byAda, wire.OutcomeCancelled, "the task was cancelled: by Ada", false, -1},
		"cancelled, snooze":      {Snooze(time.Second), ErrCancelled, wire.OutcomeCancelled, "the task was cancelled: snoozed for 1s", false, -1},
		"replaced":               {boom, ErrReplaced, wire.OutcomeCancelled, "a newer firing of the job replaces this one: boom", false, -1},
		"shutdown":               {boom, ErrShutdown, wire.OutcomeReleased, "the worker is shutting down: boom", false, -1},
		"shutdown, no retry":     {NoRetry(boom), ErrShutdown, wire.OutcomeFailed, "boom", true, -1},
		"shutdown, snooze":       {Snooze(0), ErrShutdown, wire.OutcomeSnoozed, "", false, 0},
		"shutdown, panic":        {&PanicError{Value: "p"}, ErrShutdown, wire.OutcomeFailed, "panic: p", false, -1},
		"no retry around a wait": {NoRetry(RetryAfter(time.Second, boom)), nil, wire.OutcomeFailed, "boom", true, -1},
		"wrapped wait":           {fmt.Errorf("x: %w", RetryAfter(1, boom)), nil, wire.OutcomeFailed, "x: boom", false, 1},
	} {
		e := classify(c.err, c.cause, "")
		if e.outcome != c.outcome || e.err != c.text || e.noRetry != c.noRetry || e.after != c.after {
			t.Errorf("%s: %s, %q, no retry %v, after %d", name, e.outcome, e.err, e.noRetry, e.after)
		}
	}
	if e := classify(errors.New(strings.Repeat("x", 1<<20)), nil, strings.Repeat("s", 1<<20)); len(e.err) > wire.MaxErrorBytes || len(e.stack) > wire.MaxErrorBytes {
		t.Errorf("error of %d and stack of %d bytes", len(e.err), len(e.stack))
	}
}

func TestSpecialErrorsUnwrap(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	if !errors.Is(NoRetry(boom), boom) || !errors.Is(RetryAfter(1, boom), boom) || NoRetry(nil) != nil || RetryAfter(1, nil) != nil {
		t.Error("NoRetry or RetryAfter hides its error")
	}
	if s, ok := errors.AsType[*SnoozeError](fmt.Errorf("w: %w", Snooze(time.Hour))); !ok || s.After != time.Hour {
		t.Error("Snooze is not found behind a wrapper")
	}
}
