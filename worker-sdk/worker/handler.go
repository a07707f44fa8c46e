package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// HandlerFunc is a handler as middleware sees it: the parameters are still JSON,
// in Task.Parameters.
type HandlerFunc func(ctx context.Context, task *Task) error

// Middleware wraps every handler of a worker, for tracing, metrics or checks.
type Middleware func(next HandlerFunc) HandlerFunc

// Handle registers fn under name, the handler name that jobs give. The task's
// parameters are decoded from JSON into a T; absent ones leave its zero value, and
// those that do not fit fail the task without a retry, so that a person can mend
// them. T may be json.RawMessage to get them as they are.
//
// A name registered twice, an empty name or a nil fn makes Run return an error
// before it connects. A call after Run has begun is refused: it is logged at once
// and returned when Run ends.
func Handle[T any](w *Worker, name string, fn func(ctx context.Context, task *Task, args T) error) {
	if w == nil {
		return // Run on a nil Worker says what is wrong
	}
	if fn == nil {
		w.refuse(fmt.Errorf("the handler %q is nil: pass a function", name))
		return
	}
	w.add(name, func(ctx context.Context, task *Task) error {
		var args T
		if len(task.Parameters) > 0 {
			if err := json.Unmarshal(task.Parameters, &args); err != nil {
				return NoRetry(fmt.Errorf("the parameters do not fit %T: %w", args, err))
			}
		}
		return fn(ctx, task, args)
	})
}

// Use adds middleware around every handler; the first one added is the outermost.
// A call after Run has begun is refused like a late Handle.
func (w *Worker) Use(middleware ...Middleware) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.began {
		w.refuseLocked(errors.New("Use was called after Run: call it before"))
		return
	}
	w.middleware = append(w.middleware, middleware...)
}

func (w *Worker) add(name string, run HandlerFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, twice := w.handlers[name]
	switch {
	case w.began:
		w.refuseLocked(fmt.Errorf("Handle(%q) was called after Run: register handlers before", name))
	case name == "" || utf8.RuneCountInString(name) > maxNameLength || strings.TrimSpace(name) != name:
		w.refuseLocked(fmt.Errorf("the handler name is %q: use 1 to %d characters without spaces around them", name, maxNameLength))
	case twice:
		w.refuseLocked(fmt.Errorf("the handler %q is registered twice: give each its own name", name))
	default:
		w.handlers[name] = run
	}
}

func (w *Worker) refuse(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refuseLocked(err)
}

// refuseLocked keeps err for Run to return; w.mu is held. Mistakes are bounded by
// the program text, except in a loop after Run: those are logged only.
func (w *Worker) refuseLocked(err error) {
	if w.began {
		w.cfg.Logger.Error("refused a late registration", "error", err)
		if len(w.mistakes) >= maxMistakes {
			return
		}
	}
	w.mistakes = append(w.mistakes, err)
}

// maxMistakes bounds how many late registrations Run returns.
const maxMistakes = 20

// wrapped returns the handlers inside their middleware.
func wrapped(handlers map[string]HandlerFunc, middleware []Middleware) map[string]HandlerFunc {
	out := make(map[string]HandlerFunc, len(handlers))
	for name, run := range handlers {
		for _, wrap := range slices.Backward(middleware) {
			run = wrap(run)
		}
		out[name] = run
	}
	return out
}
