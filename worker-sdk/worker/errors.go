package worker

import (
	"errors"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/internal/link"
)

// Causes of the end of a handler's context, as context.Cause returns them.
// Compare with errors.Is: a cause may carry the reason that a person gave.
var (
	// ErrCancelled: a person or the API cancelled the task.
	ErrCancelled = errors.New("the task was cancelled")
	// ErrReplaced: the job's newer firing replaces this one.
	ErrReplaced = errors.New("a newer firing of the job replaces this one")
	// ErrTimeLimit: the job's time limit has passed.
	ErrTimeLimit = errors.New("the time limit has passed")
	// ErrShutdown: this process stops and DrainTimeout has passed.
	ErrShutdown = errors.New("the worker is shutting down")
	// ErrLeaseLost: the attempt is no longer this worker's; nothing that it still
	// reports is accepted, and another attempt may be running.
	ErrLeaseLost = errors.New("the attempt is no longer this worker's")
)

// ErrNodeReplaced is returned by Run when a newer process has registered under
// the same node name.
var ErrNodeReplaced = errors.New("a newer process runs under this node name")

// ServerError is an error of Run that a server gave: Code is one of the protocol's
// codes, as UNAUTHENTICATED, NAME_IN_USE or INVALID.
type ServerError struct {
	Code    string
	Field   string // of the request, if the error is about one
	Message string
}

// Error says code and message.
func (e *ServerError) Error() string { return e.Code + ": " + e.Message }

// serverError turns a link's error into the exported type; other errors pass.
func serverError(err error) error {
	if e, ok := errors.AsType[*link.Error](err); ok && e.Code != "" {
		return &ServerError{Code: e.Code, Field: e.Field, Message: e.Message}
	}
	return err
}

// NoRetryError fails a task for good. NoRetry makes it.
type NoRetryError struct{ Err error }

func (e *NoRetryError) Error() string { return e.Err.Error() }

// Unwrap returns the error that was given to NoRetry.
func (e *NoRetryError) Unwrap() error { return e.Err }

// NoRetry marks err as one that no retry can mend: the task goes to the failed
// queue at once. NoRetry(nil) is nil.
func NoRetry(err error) error {
	if err == nil {
		return nil
	}
	return &NoRetryError{Err: err}
}

// RetryAfterError fails an attempt and sets the pause before the next one.
// RetryAfter makes it.
type RetryAfterError struct {
	After time.Duration
	Err   error
}

func (e *RetryAfterError) Error() string { return e.Err.Error() }

// Unwrap returns the error that was given to RetryAfter.
func (e *RetryAfterError) Unwrap() error { return e.Err }

// RetryAfter fails the attempt with err and asks for the next one after d instead
// of the job's back-off; the number of attempts stays limited. RetryAfter(d, nil)
// is nil: to run again without an error, use Snooze.
func RetryAfter(d time.Duration, err error) error {
	if err == nil {
		return nil
	}
	return &RetryAfterError{After: d, Err: err}
}

// SnoozeError puts a task off. Snooze makes it.
type SnoozeError struct{ After time.Duration }

func (e *SnoozeError) Error() string { return fmt.Sprintf("snoozed for %s", e.After) }

// Snooze puts the task off for d: it runs again then, no attempt is used up and
// nothing counts as failed.
func Snooze(d time.Duration) error { return &SnoozeError{After: d} }

// PanicError is what a panic in a handler becomes; middleware does not see it, the
// task's record does.
type PanicError struct {
	Value any
	Stack string
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// errGoexit stands for a handler that ended its goroutine.
var errGoexit = errors.New("the handler ended its goroutine by runtime.Goexit")
