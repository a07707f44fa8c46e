package workertest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// handlerName is what a handler is called by Run.
const handlerName = "Handler"

// Run runs handler once with args and returns what it did: no retry follows, and a
// snooze ends it too. The handler runs on the SDK's own executor, with its
// middleware left out: parameters go through JSON, panics are caught, limits hold.
// It runs until it returns or the test's context ends.
func Run[T any](t testing.TB, handler func(ctx context.Context, task *worker.Task, args T) error, args T, options ...Option) Outcome {
	t.Helper()
	outcome, err := run(t.Context(), handler, args, options)
	if err != nil {
		t.Fatalf("workertest.Run: %v", err)
	}
	return outcome
}

func run[T any](ctx context.Context, handler func(context.Context, *worker.Task, T) error, args T, options []Option) (Outcome, error) {
	server := newServer()
	defer server.Close()
	// Nothing can get lost here, so that days of a bubble's time cost few heartbeats.
	server.settings.HeartbeatMS, server.settings.KeepAliveMS = time.Hour.Milliseconds(), time.Hour.Milliseconds()
	cfg := server.Config("workertest")
	cfg.Slots = 1
	cfg.Logger, cfg.LogLevel, cfg.OnlyTaskLog = slog.New(slog.DiscardHandler), slog.LevelDebug, true
	w, err := worker.New(cfg)
	if err != nil {
		return Outcome{}, err
	}
	var returned error
	worker.Handle(w, handlerName, func(ctx context.Context, task *worker.Task, args T) error {
		returned = handler(ctx, task, args)
		return returned
	})
	id, err := server.Enqueue(handlerName, args, append(options, once)...)
	if err != nil {
		return Outcome{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ran := make(chan error, 1)
	go func() { ran <- w.Run(ctx) }()
	outcome, err := server.Until(ctx, id, func(o Outcome) bool { return len(o.Attempts) > 0 })
	cancel()
	err = errors.Join(err, <-ran)
	if err != nil {
		return Outcome{}, fmt.Errorf("running the handler: %w", err)
	}
	outcome.Err = returned
	if returned == nil && outcome.Error != "" { // it never returned, or was never called
		outcome.Err = errors.New(outcome.Error)
	}
	return outcome, nil
}

// once keeps the server from handing the task out again.
func once(s *spec) error {
	s.once = true
	return nil
}
