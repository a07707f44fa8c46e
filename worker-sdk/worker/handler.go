package worker

import (
	"context"
	"encoding/json"
	"fmt"
)

// Handler is a handler as middleware sees it: the parameters are still JSON, in
// Task.Parameters.
type Handler func(ctx context.Context, task *Task) error

// Middleware wraps a handler, for tracing, metrics or checks. It is called once for
// each handler when Run begins; what it returns is called for every attempt.
type Middleware func(next Handler) Handler

// Handle registers fn under name, the handler name that jobs give. The task's
// parameters are decoded from JSON into a T; absent ones leave its zero value, and
// those that do not fit fail the task without a retry, so that a person can mend
// them. T may be json.RawMessage to get them as they are.
//
// A name that already leads to a handler (as its name or as one of its Aliases), an
// empty name, a nil fn or a wrong option makes Run return an error before it
// connects; it says where in the program both are. A call after Run has begun is
// refused: it is logged at once and returned when Run ends.
func Handle[T any](w *Worker, name string, fn func(ctx context.Context, task *Task, args T) error, options ...HandlerOption) {
	if w == nil {
		return // Run on a nil Worker says what is wrong
	}
	var run Handler
	if fn != nil {
		run = func(ctx context.Context, task *Task) error {
			args, err := argsOf[T](task)
			if err != nil {
				return err
			}
			return fn(ctx, task, args)
		}
	}
	w.add(name, run, options)
}

// HandleResult registers fn like Handle does; what fn returns without an error
// becomes the attempt's result, as by Task.SetResult. A result that cannot be
// stored (no JSON, or more than 256 KiB of it) fails the task without a retry, since
// the next attempt would do the work again for the same end.
func HandleResult[T, R any](w *Worker, name string, fn func(ctx context.Context, task *Task, args T) (R, error), options ...HandlerOption) {
	if w == nil {
		return
	}
	var run Handler
	if fn != nil {
		run = func(ctx context.Context, task *Task) error {
			args, err := argsOf[T](task)
			if err != nil {
				return err
			}
			result, err := fn(ctx, task, args)
			if err != nil {
				return err
			}
			return NoRetry(task.SetResult(result))
		}
	}
	w.add(name, run, options)
}

// argsOf decodes a task's parameters.
func argsOf[T any](task *Task) (args T, err error) {
	if len(task.Parameters) > 0 {
		if err := json.Unmarshal(task.Parameters, &args); err != nil {
			return args, NoRetry(fmt.Errorf("the parameters do not fit %T: %w", args, err))
		}
	}
	return args, nil
}
