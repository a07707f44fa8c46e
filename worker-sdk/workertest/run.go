package workertest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// handlerName is what a handler is called by Run.
const handlerName = "Handler"

// Run runs handler once with args and returns what it did: no retry follows, and a
// snooze ends it too. The handler runs on the SDK's own executor, inside the Middleware
// that is given: parameters go through JSON, panics are caught, limits hold. It runs
// until it returns or the test's context ends.
//
// The clock is the one of package time. In a testing/synctest bubble it is fake: a
// handler that waits a day for its TimeLimit or its StopAfter is done at once, and
// Task.Deadline and time.Now agree. Nothing of Run needs a socket, a file or a real
// pause, so it may be called inside of a bubble and outside.
func Run[T any](t testing.TB, handler func(ctx context.Context, task *worker.Task, args T) error, args T, options ...Option) Outcome {
	t.Helper()
	outcome, err := run(t.Context(), args, options, func(w *worker.Worker, returned *returned) {
		worker.Handle(w, handlerName, func(ctx context.Context, task *worker.Task, args T) error {
			return returned.by(func() error { return handler(ctx, task, args) })
		})
	})
	if err != nil {
		t.Fatalf("workertest.Run: %v", err)
	}
	return outcome
}

// RunResult is Run for a handler of worker.HandleResult, whose result is also returned;
// it is the zero value when the handler failed.
func RunResult[T, R any](t testing.TB, handler func(ctx context.Context, task *worker.Task, args T) (R, error), args T, options ...Option) (R, Outcome) {
	t.Helper()
	var result R
	outcome, err := run(t.Context(), args, options, func(w *worker.Worker, returned *returned) {
		worker.HandleResult(w, handlerName, func(ctx context.Context, task *worker.Task, args T) (out R, err error) {
			err = returned.by(func() (err error) { out, err = handler(ctx, task, args); return err })
			return out, err
		})
	})
	if err == nil && outcome.Ending == wire.OutcomeSucceeded {
		err = outcome.DecodeResult(&result)
	}
	if err != nil {
		t.Fatalf("workertest.RunResult: %v", err)
	}
	return result, outcome
}

// returned is what a handler has returned. Its end is waited for through the worker.
type returned struct {
	began chan struct{} // closed when it is called
	ended chan struct{} // closed when it has returned, panicked or exited
	err   error
}

func (r *returned) by(call func() error) error {
	close(r.began)
	defer close(r.ended)
	r.err = call()
	return r.err
}

func run(ctx context.Context, args any, options []Option, register func(*worker.Worker, *returned)) (Outcome, error) {
	server := newServer()
	defer server.Close()
	// Nothing can get lost here, so that days of a bubble's time cost few heartbeats.
	server.settings.HeartbeatMS, server.settings.KeepAliveMS = time.Hour.Milliseconds(), time.Hour.Milliseconds()
	cfg := server.Config("workertest")
	cfg.Slots = 1
	cfg.Logger, cfg.LogLevel, cfg.OnlyTaskLog = slog.New(slog.DiscardHandler), slog.LevelDebug, true
	cfg.DrainTimeout = time.Nanosecond // it is stopped when the handler has ended, or to end it
	w, err := worker.New(cfg)
	if err != nil {
		return Outcome{}, err
	}
	sp, err := newSpec(handlerName, args, append(options, once))
	if err != nil {
		return Outcome{}, err
	}
	handler := &returned{began: make(chan struct{}), ended: make(chan struct{})}
	w.Use(sp.middleware...)
	register(w, handler)
	id := server.add(sp)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ran := make(chan error, 1)
	waits, over := context.WithCancel(context.WithoutCancel(ctx)) // a shutdown still has an outcome
	defer over()
	go func() {
		defer over() // also when it cannot begin
		ran <- w.Run(ctx)
	}()
	var stops sync.WaitGroup
	for _, s := range sp.stops {
		stops.Go(func() { s.carryOut(ctx, cancel, server, id, handler) })
	}
	outcome, lost, err := server.endOf(waits, id, handler)
	cancel()
	stops.Wait()
	if err = errors.Join(<-ran, err); err != nil {
		return Outcome{}, fmt.Errorf("running the handler: %w", err)
	}
	if lost {
		outcome.Ending = endingLost
	}
	outcome.Err = handler.err
	if handler.err == nil && outcome.Error != "" { // it never returned, or was never called
		outcome.Err = errors.New(outcome.Error)
	}
	return outcome, nil
}

// endingLost is the ending of an attempt of Run that its worker had to give up.
const endingLost = "lost"

// carryOut ends the attempt when its time has come, unless it has ended before.
func (s stop) carryOut(ctx context.Context, shutDown func(), server *Server, id string, handler *returned) {
	select {
	case <-handler.began:
	case <-ctx.Done():
		return
	}
	timer := time.NewTimer(s.after)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-handler.ended:
		return
	case <-ctx.Done():
		return
	}
	if errors.Is(s.cause, worker.ErrShutdown) {
		shutDown()
		return
	}
	server.end(id, causeWord(s.cause), reasonOf(s.cause))
	if errors.Is(s.cause, worker.ErrLeaseLost) {
		server.lose(id)
	}
}

// reasonOf is what a cause says beyond the sentinel that it wraps.
func reasonOf(cause error) string {
	for _, sentinel := range []error{worker.ErrCancelled, worker.ErrReplaced, worker.ErrTimeLimit, worker.ErrLeaseLost} {
		if reason, ok := strings.CutPrefix(cause.Error(), sentinel.Error()+": "); ok {
			return reason
		}
	}
	return ""
}

// endOf waits until the attempt of a task has ended; lost says that the worker had to
// give it up.
func (s *Server) endOf(ctx context.Context, id string, handler *returned) (o Outcome, lost bool, err error) {
	o, err = s.Until(ctx, id, func(o Outcome) bool { return len(o.Attempts) > 0 || o.lost })
	if err != nil {
		o, _ = s.Outcome(id) // it may have ended at the same moment
	}
	switch {
	case len(o.Attempts) > 0:
		return o, false, nil
	case o.lost:
		<-handler.ended // its context has ended
		return o, true, nil
	}
	return o, false, err
}

// lose gives the current attempt of a task up for good.
func (s *Server) lose(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tasks[id]; t != nil && t.node != nil {
		s.unassign(t)
		t.state, t.lost = stateRetrying, true
		s.touch()
	}
}

// once keeps the server from handing the task out again.
func once(s *spec) error {
	s.once = true
	return nil
}
