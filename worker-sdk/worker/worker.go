package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/belfry-scheduler/belfry/worker-sdk/client"
	"github.com/belfry-scheduler/belfry/worker-sdk/internal/link"
	"github.com/belfry-scheduler/belfry/worker-sdk/internal/spill"
	"github.com/belfry-scheduler/belfry/worker-sdk/internal/ulid"
)

// Worker is one node: it takes tasks from a Belfry server and runs their handlers.
// Make one with New, register handlers with Handle, then call Run once.
type Worker struct {
	cfg    Config
	link   *link.Link
	book   *book
	client *client.Client

	mu         sync.Mutex
	handlers   registry
	middleware []Middleware
	mistakes   []error // of registrations; Run returns them
	began      bool

	session atomic.Pointer[session] // set by Run
	ended   atomic.Bool             // Run has returned
}

// New checks cfg and returns a worker that does nothing yet. The error names each
// field that is wrong, its value (never the key's) and what to write instead.
func New(cfg Config) (*Worker, error) {
	cfg, l, err := cfg.checked()
	if err != nil {
		return nil, err
	}
	c, err := client.New(client.Config{
		Server: cfg.Server, Servers: cfg.Servers, App: cfg.App, Key: cfg.Key, HTTPClient: l.HTTPClient(),
	})
	if err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	w := &Worker{cfg: cfg, link: l, client: c, handlers: make(registry)}
	w.book = newBook(&w.cfg)
	return w, nil
}

// Name returns the node's name, which New has chosen if Config.Name was empty.
func (w *Worker) Name() string { return w.cfg.Name }

// Client returns a client for the tasks of the same app, which shares the worker's
// connections. It may be used by handlers and by the rest of the program, before, while
// and after the worker runs. A handler that enqueues should give each task a request id
// by client.RequestIDFrom, since the handler may run again.
func (w *Worker) Client() *client.Client { return w.client }

// Stats returns the worker's figures at this moment, for health checks and metrics.
func (w *Worker) Stats() Stats { return w.book.stats() }

// Run connects, runs tasks until ctx ends, and then drains: it takes nothing new,
// waits for running handlers up to Config.DrainTimeout, ends the contexts of the
// rest with ErrShutdown, reports everything and leaves. It returns nil after that.
//
// A server that cannot be reached is no error, also at the start: Run keeps trying.
// It returns an error at once when handlers were registered wrongly; when a server
// refuses the worker for good (a *ServerError, as for a wrong key or an unknown
// group); when a newer process has taken its name (ErrNodeReplaced); and after a
// drain that left something behind: handlers that ignored the end of their
// context, or results that no server could be told.
func (w *Worker) Run(ctx context.Context) error {
	if w == nil {
		return errors.New("worker: Run was called on a nil Worker: look at the error of New")
	}
	run, err := w.begin()
	if err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	defer w.ended.Store(true)
	defer w.link.Close()
	if err := errors.Join(w.serve(ctx, run), w.lateMistakes()); err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	return nil
}

// begin closes the registration of handlers and returns them inside their
// middleware.
func (w *Worker) begin() (registry, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.began:
		return nil, errors.New("Run was called twice: make a new Worker with New")
	case len(w.mistakes) > 0:
		return nil, errors.Join(w.mistakes...)
	case len(w.handlers) == 0:
		return nil, errors.New("no handler is registered: call Handle before Run")
	}
	if err := w.handlers.wrap(w.middleware); err != nil {
		return nil, err
	}
	w.began = true
	return w.handlers, nil
}

func (w *Worker) lateMistakes() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return errors.Join(w.mistakes...)
}

// serve runs the worker's goroutines: one keeps the stream, one beats, one reports.
// They live on a context of their own until everything has been reported.
func (w *Worker) serve(ctx context.Context, run registry) error {
	incarnation := ulid.New()
	orphans, err := w.openKept(incarnation)
	if err != nil {
		return err
	}
	return errors.Join(w.live(ctx, run, incarnation, orphans), w.book.closeKept())
}

// live is serve once the files of unsent results are open.
func (w *Worker) live(ctx context.Context, run registry, incarnation string, orphans []*spill.Orphan) error {
	base := context.WithoutCancel(ctx)
	life, end := context.WithCancel(base)
	var loops sync.WaitGroup
	stop := func() {
		end()
		loops.Wait()
	}
	defer stop()

	w.book.know(run)
	s := newSession(&w.cfg, w.link, w.book, incarnation, run)
	s.gone = goneOf(w.cfg.Name, orphans)
	s.vital.registering() // the loops are about to begin
	w.session.Store(s)
	assignments := &stream{
		session: s, base: base, run: run, frames: frameReader{names: map[string]string{}},
		inherited: inheritance{session: s, orphans: orphans},
	}
	beats := &heartbeat{session: s, stream: assignments}
	reports := &reporter{session: s, head: reportHead(&w.cfg, incarnation)}
	loops.Go(func() { assignments.loop(life) })
	loops.Go(func() { beats.loop(life) })
	loops.Go(func() { reports.loop(life) })
	loops.Go(func() { w.book.watchStuck(life) })

	select {
	case <-ctx.Done():
		return s.shutDown(base, stop)
	case err := <-s.fatal:
		return errors.Join(err, s.abandonAll())
	}
}
