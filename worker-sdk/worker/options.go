package worker

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// HandlerOption changes how one handler is run. Make one with Aliases, Limit, Slots
// or With.
type HandlerOption func(*registered) error

// Aliases are further names under which jobs may ask for the handler: the old ones
// after a rename. Register the new name with the old one as its alias, deploy,
// change the jobs, and drop the alias once the worker's log and HandlerStats.Aliased
// say that nobody uses it any more. Task.Handler is the name that the job gave.
func Aliases(names ...string) HandlerOption {
	return func(r *registered) error {
		r.aliases = append(r.aliases, names...)
		return nil
	}
}

// Limit ends the handler's context with ErrTimeLimit d after the task was received.
// The job's own time limit holds too: the shorter one counts, and Task.Deadline is
// the earlier of their ends. It is a promise of the program about itself (this call
// never takes longer than a minute) that holds whatever the job's definition says.
func Limit(d time.Duration) HandlerOption {
	return func(r *registered) error {
		if d <= 0 {
			return fmt.Errorf("Limit is %s: give a positive duration, or leave the option out for the job's limit alone", d)
		}
		r.limit = d
		r.limitCause = fmt.Errorf("%w: the handler's own, %s", ErrTimeLimit, d)
		return nil
	}
}

// Slots lets at most n attempts of the handler run at once in this process, under
// all of its names together, for instance because each needs a licence or a
// connection of its own. They take up Config.Slots too.
//
// The server is told, and hands this node no more than that. An assignment that is
// too many nevertheless, because the server's picture was old, is handed back at
// once, which uses up no attempt. It is not kept waiting here: another node may have
// room, its time limit would run, and it would hold a slot that the node's other
// handlers could use.
func Slots(n int) HandlerOption {
	return func(r *registered) error {
		if n < 1 || n > MaxSlots {
			return fmt.Errorf("Slots is %d: choose 1 to %d, or leave the option out for as many as Config.Slots", n, MaxSlots)
		}
		r.slots = n
		return nil
	}
}

// With puts middleware around this handler, inside of what Worker.Use adds; the
// first one is the outermost.
func With(middleware ...Middleware) HandlerOption {
	return func(r *registered) error {
		if slices.ContainsFunc(middleware, func(m Middleware) bool { return m == nil }) {
			return errors.New("With has a nil middleware: pass functions")
		}
		r.middleware = append(r.middleware, middleware...)
		return nil
	}
}
