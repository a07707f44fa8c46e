package worker

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// maxHandlers is how many names a worker may announce: the server's limit.
const maxHandlers = 1000

// registered is a handler with its options. Nothing but the figures, which book.mu
// guards, changes once Run has begun.
type registered struct {
	name       string
	aliases    []string
	where      string // file and line of the registration
	run        Handler
	middleware []Middleware
	limit      time.Duration // 0 = the job's alone
	limitCause error
	slots      int // 0 = as many as the worker has

	running int
	figures HandlerStats // all but Running
	told    sync.Map     // ids of jobs that give an alias, of which the log has been told; bounded by those jobs
}

// registry is what a worker can run, by each name that a job may give.
type registry map[string]*registered

// names are what the worker announces.
func (r registry) names() []string { return slices.Sorted(maps.Keys(r)) }

// handlers are the different handlers, by name.
func (r registry) handlers() []*registered {
	var list []*registered
	for name, h := range r {
		if name == h.name {
			list = append(list, h)
		}
	}
	slices.SortFunc(list, func(a, b *registered) int { return strings.Compare(a.name, b.name) })
	return list
}

// pools tells the server of the handlers that have slots of their own.
func (r registry) pools() []wire.HandlerSlots {
	var pools []wire.HandlerSlots
	for _, h := range r.handlers() {
		if h.slots > 0 {
			pools = append(pools, wire.HandlerSlots{Handlers: h.names(), Slots: h.slots})
		}
	}
	return pools
}

// names are the handler's name and its aliases.
func (h *registered) names() []string { return append([]string{h.name}, h.aliases...) }

// full reports whether another attempt would be one too many; book.mu is held.
func (h *registered) full() bool { return h.slots > 0 && h.running >= h.slots }

// role says what the handler calls name by.
func (h *registered) role(name string) string {
	if name == h.name {
		return fmt.Sprintf("the handler %q (%s)", h.name, h.where)
	}
	return fmt.Sprintf("an alias of the handler %q (%s)", h.name, h.where)
}

// Use adds middleware around every handler; the first one added is the outermost.
// A call after Run has begun is refused like a late Handle.
func (w *Worker) Use(middleware ...Middleware) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.began:
		w.refuse(errors.New("Use was called after Run: call it before"))
	case slices.ContainsFunc(middleware, func(m Middleware) bool { return m == nil }):
		w.refuse(errors.New("Use got a nil middleware: pass functions"))
	default:
		w.middleware = append(w.middleware, middleware...)
	}
}

// add registers run, nil if the program gave no function. It is called by Handle and
// HandleResult, and by nobody else: the place in the program is counted from there.
func (w *Worker) add(name string, run Handler, options []HandlerOption) {
	r := &registered{name: name, run: run, where: callSite(3)}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.began {
		w.refuse(fmt.Errorf("Handle(%q) was called after Run: register handlers before", name))
		return
	}
	if run == nil {
		w.refuse(fmt.Errorf("the handler %q is nil: pass a function", name))
		return
	}
	for _, option := range options {
		if err := option(r); err != nil {
			w.refuse(fmt.Errorf("the handler %q (%s): %w", name, r.where, err))
			return
		}
	}
	for _, n := range r.names() {
		if err := w.nameError(r, n); err != nil {
			w.refuse(err)
			return
		}
		w.handlers[n] = r
	}
}

// nameError says why n cannot lead to r; w.mu is held.
func (w *Worker) nameError(r *registered, n string) error {
	if n == "" || utf8.RuneCountInString(n) > maxNameLength || strings.TrimSpace(n) != n {
		what := "handler name"
		if n != r.name {
			what = "alias of the handler " + strconv.Quote(r.name)
		}
		return fmt.Errorf("the %s is %q (%s): use 1 to %d characters without spaces around them", what, n, r.where, maxNameLength)
	}
	if len(w.handlers) >= maxHandlers {
		return fmt.Errorf("the name %q of %s is one too many: a worker has at most %d names of handlers", n, r.role(r.name), maxHandlers)
	}
	switch other := w.handlers[n]; {
	case other == r:
		return fmt.Errorf("the name %q is given twice to %s: once is enough", n, r.role(r.name))
	case other != nil:
		return fmt.Errorf("the name %q is registered twice: it is %s and %s; a name leads to one handler", n, other.role(n), r.role(n))
	}
	return nil
}

// callSite is the file and line of a caller, "" if they are not known.
func callSite(skip int) string {
	_, file, line, ok := runtime.Caller(skip)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

// refuse keeps err for Run to return; w.mu is held. Mistakes are bounded by the
// program text, except in a loop after Run: those are logged only.
func (w *Worker) refuse(err error) {
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

// wrap puts the handlers inside their middleware, the worker's outermost.
func (r registry) wrap(middleware []Middleware) error {
	var wrong []error
	for _, h := range r.handlers() {
		for _, m := range slices.Backward(append(slices.Clone(middleware), h.middleware...)) {
			if h.run = m(h.run); h.run == nil {
				wrong = append(wrong, fmt.Errorf("a middleware of %s returned nil: return next or a function that calls it", h.role(h.name)))
				break
			}
		}
	}
	return errors.Join(wrong...)
}
