package workertest

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// Option says how a task is run.
type Option func(*spec) error

// spec is a task before it is enqueued.
type spec struct {
	assign      wire.Assignment // Task, Attempt and Handler are the server's to fill
	attempt     int             // number of the first attempt
	delay       time.Duration
	maxAttempts int
	once        bool // whatever ends the first attempt ends the task
	middleware  []worker.Middleware
	stops       []stop
}

// stop ends the context of an attempt of Run.
type stop struct {
	after time.Duration // since the handler was called
	cause error
}

func newSpec(handler string, args any, options []Option) (spec, error) {
	s := spec{attempt: 1, maxAttempts: 1}
	s.assign.Handler, s.assign.Job, s.assign.JobID = handler, handler, "job-"+handler
	s.assign.Trigger = "MANUAL"
	data, err := json.Marshal(args)
	if err != nil {
		return s, fmt.Errorf("encoding the parameters: %w", err)
	}
	s.assign.Parameters = data
	for _, option := range options {
		if err := option(&s); err != nil {
			return s, err
		}
	}
	s.maxAttempts = max(s.maxAttempts, s.attempt)
	return s, nil
}

func set(change func(*spec)) Option {
	return func(s *spec) error {
		change(s)
		return nil
	}
}

// Attempt makes the first attempt number n, as if n-1 had failed before.
func Attempt(n int) Option { return set(func(s *spec) { s.attempt = n }) }

// MaxAttempts sets how many attempts the task has, the first included; it is 1
// unless set. Retries follow at once.
func MaxAttempts(n int) Option { return set(func(s *spec) { s.maxAttempts = n }) }

// TimeLimit ends the handler's context after d, which sets Task.Deadline.
func TimeLimit(d time.Duration) Option {
	return set(func(s *spec) { s.assign.TimeoutMS = d.Milliseconds() })
}

// Shard makes the task shard i of n.
func Shard(i, n int) Option {
	return set(func(s *spec) { s.assign.Shard, s.assign.Shards = i, n })
}

// Range gives a range shard its indexes, from included and to excluded.
func Range(from, to int64) Option {
	return set(func(s *spec) { s.assign.Range = &wire.Range{From: from, To: to} })
}

// Checkpoint is the one that an earlier attempt has saved.
func Checkpoint(v any) Option {
	return func(s *spec) error {
		data, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("encoding the checkpoint: %w", err)
		}
		s.assign.Checkpoint = data
		return nil
	}
}

// ScheduledAt sets the instant that the task was to run; it is the present one
// unless set.
func ScheduledAt(t time.Time) Option {
	return set(func(s *spec) { s.assign.ScheduledAt = t.UTC() })
}

// Job sets Task.JobName; it is the handler's name unless set.
func Job(name string) Option { return set(func(s *spec) { s.assign.Job = name }) }

// UniqueKey sets Task.UniqueKey. A Server has at most one unfinished task of a job
// with the same key.
func UniqueKey(key string) Option { return set(func(s *spec) { s.assign.UniqueKey = key }) }

// Trigger sets Task.Trigger, as CRON; it is MANUAL unless set.
func Trigger(kind string) Option { return set(func(s *spec) { s.assign.Trigger = kind }) }

// TraceParent sets Task.TraceParent.
func TraceParent(value string) Option { return set(func(s *spec) { s.assign.TraceParent = value }) }

// Upstream adds a task of another job to those whose ends made the task, in the state
// SUCCEEDED, FAILED or CANCELLED and with a result, nil for none. Trigger becomes
// DEPENDENCY.
func Upstream(job, state string, result any) Option {
	return func(s *spec) error {
		u := wire.Upstream{Job: job, Task: newTaskID(), State: state}
		if result != nil {
			data, err := json.Marshal(result)
			if err != nil {
				return fmt.Errorf("encoding the result of %s: %w", job, err)
			}
			u.Result = data
		}
		s.assign.Trigger = "DEPENDENCY"
		s.assign.Upstream = append(s.assign.Upstream, u)
		return nil
	}
}

// Middleware puts middleware around the handler of Run, as Worker.Use does; the first
// is the outermost. A Server's workers have their own.
func Middleware(middleware ...worker.Middleware) Option {
	return set(func(s *spec) { s.middleware = append(s.middleware, middleware...) })
}

// StopAfter ends the context of the handler of Run, d after it was called, for a cause
// as a server or a shutdown would: worker.ErrCancelled (also wrapped, with the reason
// that a person gives: fmt.Errorf("%w: by Ada", worker.ErrCancelled)), ErrReplaced,
// ErrTimeLimit, ErrShutdown or ErrLeaseLost. The handler gets context.Cause from the SDK, not this very
// error. With ErrLeaseLost nothing is reported: Outcome.Ending is "lost".
func StopAfter(d time.Duration, cause error) Option {
	return func(s *spec) error {
		if causeWord(cause) == "" && !errors.Is(cause, worker.ErrShutdown) {
			return fmt.Errorf("StopAfter: the cause is %v: give one of worker's Err… causes", cause) //nolint:errorlint // it is no cause of this error
		}
		s.stops = append(s.stops, stop{after: d, cause: cause})
		return nil
	}
}

// causeWord is the protocol's word for a cause, "" if there is none.
func causeWord(cause error) string {
	for sentinel, word := range map[error]string{
		worker.ErrCancelled: wire.CauseCancelled, worker.ErrReplaced: wire.CauseReplaced,
		worker.ErrTimeLimit: wire.CauseTimeLimit, worker.ErrLeaseLost: wire.CauseLost,
	} {
		if errors.Is(cause, sentinel) {
			return word
		}
	}
	return ""
}

// Delay makes a Server hand the task out only after d.
func Delay(d time.Duration) Option { return set(func(s *spec) { s.delay = d }) }
