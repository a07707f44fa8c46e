package worker_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

// The tests of this package let a worker and a server in memory run in a synctest
// bubble: every pause passes at once, and a goroutine that is left over when a test
// ends makes it panic.

// bench is a server with one worker that is running.
type bench struct {
	*workertest.Server
	t      *testing.T
	worker *worker.Worker
	stop   context.CancelFunc
	done   chan error
}

// quiet discards log lines.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// begin starts a worker of the name "w1" with handlers registered by register.
func begin(t *testing.T, change func(*worker.Config), register func(*worker.Worker)) *bench {
	t.Helper()
	server := workertest.NewServer(t)
	b := join(t, server, "w1", change, register)
	if err := server.Connected(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	return b
}

func join(t *testing.T, server *workertest.Server, name string, change func(*worker.Config), register func(*worker.Worker)) *bench {
	t.Helper()
	cfg := server.Config(name)
	cfg.Logger, cfg.Slots = quiet(), 4
	if change != nil {
		change(&cfg)
	}
	w, err := worker.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	register(w)
	ctx, cancel := context.WithCancel(t.Context())
	b := &bench{Server: server, t: t, worker: w, stop: cancel, done: make(chan error, 1)}
	go func() { b.done <- w.Run(ctx) }()
	return b
}

// end drains the worker and checks that Run returns no error.
func (b *bench) end() {
	b.t.Helper()
	b.stop()
	if err := <-b.done; err != nil {
		b.t.Errorf("Run: %v", err)
	}
	b.Close()
}

func (b *bench) enqueue(handler string, args any, options ...workertest.Option) string {
	b.t.Helper()
	id, err := b.Enqueue(handler, args, options...)
	if err != nil {
		b.t.Fatal(err)
	}
	return id
}

func (b *bench) wait(id string) workertest.Outcome {
	b.t.Helper()
	o, err := b.Wait(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return o
}

func (b *bench) run(handler string, args any, options ...workertest.Option) workertest.Outcome {
	b.t.Helper()
	return b.wait(b.enqueue(handler, args, options...))
}
