package cmd

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// The server gives a node no more of a handler than it has slots for it, so that
// nothing has to be handed back, and the node's other slots go to others.
func TestSlotsOfAHandlerAreKeptByTheServer(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	var running, most atomic.Int32
	release := make(chan struct{})
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Licensed", func(context.Context, *worker.Task, none) error {
			most.Store(max(most.Load(), running.Add(1)))
			<-release
			running.Add(-1)
			return nil
		}, worker.Slots(2))
		worker.Handle(w, "Other", func(context.Context, *worker.Task, none) error { return nil })
	})
	licensed := p.job("Licensed", nil)
	var ids []string
	for range 6 {
		ids = append(ids, p.trigger(licensed))
	}
	for _, id := range ids[:2] {
		p.await(id, "a running handler", func(t models.Task) bool { return t.StartedAt != nil })
	}
	p.awaitState(p.trigger(p.job("Other", nil)), models.TaskSucceeded)
	for _, id := range ids[2:] {
		if got, err := p.tasks.Task(t.Context(), id); err != nil || got.State != models.TaskWaiting {
			t.Errorf("a third one is %s, %v", got.State, err)
		}
	}
	close(release)
	for _, id := range ids {
		if done := p.awaitState(id, models.TaskSucceeded); done.Attempt != 1 || done.HandedBack != 0 {
			t.Errorf("attempt %d, handed back %d times", done.Attempt, done.HandedBack)
		}
	}
	if most.Load() != 2 {
		t.Errorf("%d ran at once", most.Load())
	}
}

// A handler that ignores the shutdown cannot hold the process up. Its task uses up no
// try, is not taken for one that kills its process, and shows where it was (CB-085).
func TestAHandlerThatIgnoresTheShutdownIsHandedBack(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	w, err := worker.New(worker.Config{
		Server: p.url, App: "shop", Key: p.key, Group: "default", Name: "w1", Logger: slog.New(slog.DiscardHandler),
		DrainTimeout: 50 * time.Millisecond, CancelTimeout: 50 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	worker.Handle(w, "Deaf", func(context.Context, *worker.Task, none) error { <-release; return nil })
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	id := p.trigger(p.job("Deaf", nil)) // one try only
	p.await(id, "a running handler", func(t models.Task) bool { return t.StartedAt != nil })
	stop()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "Deaf (1)") {
		t.Errorf("Run: %v", err)
	}
	p.work("w2", func(w *worker.Worker) {
		worker.Handle(w, "Deaf", func(context.Context, *worker.Task, none) error { return nil })
	})
	done := p.awaitState(id, models.TaskSucceeded)
	if done.Attempt != 2 || done.Tries() != 1 || done.LostCount != 0 {
		t.Errorf("attempt %d, tries %d, lost %d times", done.Attempt, done.Tries(), done.LostCount)
	}
	log, err := p.tasks.Logs(t.Context(), id, 0, 10)
	if err != nil || len(log.Lines) != 1 || !strings.Contains(string(log.Lines[0].Fields), "TestAHandlerThatIgnoresTheShutdownIsHandedBack") {
		t.Errorf("log %+v, %v", log, err)
	}
}
