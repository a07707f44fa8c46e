// Package lifecycle starts and stops the parts of a server in order and keeps
// their loops alive. It knows nothing of what the parts do.
//
// A Group is the clean-up stack: parts start in the order they were added and
// stop in the reverse order. A Loop is one goroutine around a function that does
// one round of work; neither an error nor a panic ends it.
package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

const (
	// rollbackTime bounds the clean-up after a failed start.
	rollbackTime = 10 * time.Second
	// lastChance is what each remaining part gets to stop in once the time for
	// stopping is over: enough to give a lock back, too short to hang on.
	lastChance = time.Second
)

// ErrStopped is answered by Start after Stop.
var ErrStopped = errors.New("already stopped")

// Service is a part with an ordered start and stop.
type Service interface {
	// Start returns quickly; ctx bounds the starting only, not the service's life.
	Start(ctx context.Context) error
	// Stop returns when the service has ended; ctx bounds the waiting.
	Stop(ctx context.Context) error
}

// Reporter is a service with loops whose health is of interest.
type Reporter interface {
	Health() []LoopHealth
}

type part struct {
	name        string
	start, stop func(ctx context.Context) error
}

// Group is an ordered set of parts. It is safe for concurrent use.
type Group struct {
	logger *slog.Logger

	startMu sync.Mutex // held by Start throughout, so that Stop waits for it
	mu      sync.Mutex // guards the fields below
	parts   []part
	started int // parts[:started] are to be stopped
	reports []Reporter
	cancel  context.CancelFunc // ends a Start in progress
	stopped bool
	done    chan struct{} // closed when Stop has ended
	err     error         // of Stop, valid after done
}

// NewGroup makes an empty group.
func NewGroup(logger *slog.Logger) *Group {
	return &Group{logger: logger, done: make(chan struct{})}
}

// Add puts a part on the stack. Either function may be nil. A part that is added
// after Start is started by the next Start.
func (g *Group) Add(name string, start, stop func(ctx context.Context) error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.parts = append(g.parts, part{name: name, start: start, stop: stop})
}

// AddService puts a service on the stack; its health, if it reports one, becomes
// part of the group's.
func (g *Group) AddService(name string, s Service) {
	g.Add(name, s.Start, s.Stop)
	if r, ok := s.(Reporter); ok {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.reports = append(g.reports, r)
	}
}

// Health lists the loops of all services, in the order they were added.
func (g *Group) Health() []LoopHealth {
	g.mu.Lock()
	reports := slices.Clone(g.reports)
	g.mu.Unlock()
	var all []LoopHealth
	for _, r := range reports {
		all = append(all, r.Health()...)
	}
	return all
}

// Start starts the parts that are not yet started, in order. When one fails, all
// that ever started are stopped again and its error is returned, joined with
// those of the clean-up. ErrStopped after Stop.
func (g *Group) Start(ctx context.Context) error {
	g.startMu.Lock()
	defer g.startMu.Unlock()
	starting, cancel, err := g.begin(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	for {
		p, ok := g.next()
		if !ok {
			return nil
		}
		if err := g.startPart(starting, p); err != nil {
			clean, end := context.WithTimeout(context.WithoutCancel(ctx), rollbackTime)
			defer end()
			return errors.Join(err, g.unwind(clean))
		}
	}
}

func (g *Group) begin(ctx context.Context) (context.Context, context.CancelFunc, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopped {
		return nil, nil, ErrStopped
	}
	starting, cancel := context.WithCancel(ctx)
	g.cancel = cancel
	return starting, cancel, nil
}

func (g *Group) next() (part, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.started == len(g.parts) {
		return part{}, false
	}
	return g.parts[g.started], true
}

// startPart starts one part; from then on it is to be stopped.
func (g *Group) startPart(ctx context.Context, p part) error {
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("starting %s: %w", p.name, err)
	}
	g.logger.Debug("starting", "part", p.name)
	if err := guarded(ctx, p.start); err != nil {
		return fmt.Errorf("starting %s: %w", p.name, err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.started++
	return nil
}

// Stop stops what was started, last first, and joins the errors. Its time is
// bounded: once ctx has ended, each part that is left gets a second to stop and
// one more to say how it went, and is then left behind with an error that names
// it. Every call after the first waits for the first one and answers the same.
func (g *Group) Stop(ctx context.Context) error {
	g.mu.Lock()
	first := !g.stopped
	g.stopped = true
	if first && g.cancel != nil {
		g.cancel()
	}
	g.mu.Unlock()
	if !first {
		select {
		case <-g.done:
			return g.err
		case <-ctx.Done():
			return fmt.Errorf("waiting for the stop that is under way: %w", context.Cause(ctx))
		}
	}
	g.startMu.Lock()
	defer g.startMu.Unlock()
	g.err = g.unwind(ctx)
	close(g.done)
	return g.err
}

// unwind stops the started parts, last first.
func (g *Group) unwind(ctx context.Context) error {
	var errs []error
	for {
		g.mu.Lock()
		if g.started == 0 {
			g.mu.Unlock()
			return errors.Join(errs...)
		}
		g.started--
		p := g.parts[g.started]
		g.mu.Unlock()
		g.logger.Debug("stopping", "part", p.name)
		if err := stopPart(ctx, p); err != nil {
			errs = append(errs, fmt.Errorf("stopping %s: %w", p.name, err))
		}
	}
}

// stopPart waits for the part to stop, at most until ctx ends or, if that has
// happened already, for the last chance.
func stopPart(ctx context.Context, p part) error {
	if p.stop == nil {
		return nil
	}
	if ctx.Err() != nil {
		short, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastChance)
		defer cancel()
		ctx = short
	}
	stopped := make(chan error, 1)
	go func() { stopped <- guarded(ctx, p.stop) }()
	select {
	case err := <-stopped:
		return err
	case <-ctx.Done():
	}
	// Parts give up when ctx ends; leave them a moment to say how it went.
	timer := time.NewTimer(lastChance)
	defer timer.Stop()
	select {
	case err := <-stopped:
		return err
	case <-timer.C:
		return fmt.Errorf("left running: %w", context.Cause(ctx))
	}
}

// guarded calls fn and makes a panic an error, so that the clean-up goes on.
func guarded(ctx context.Context, fn func(context.Context) error) (err error) {
	if fn == nil {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return fn(ctx)
}

// PanicError is a panic that was caught.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }
