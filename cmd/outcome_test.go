package cmd

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/task"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// What a handler asks for holds against the job's retry rules: not to be tried again,
// to be tried again after its own delay, or to come back later without using a try.
func TestWhatTheHandlerAsksFor(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	const wait = 300 * time.Millisecond
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Never", func(context.Context, *worker.Task, none) error { return worker.NoRetry(errors.New("no such order")) })
		worker.Handle(w, "After", func(_ context.Context, task *worker.Task, _ none) error {
			if task.Attempt == 1 {
				return worker.RetryAfter(wait, errors.New("busy"))
			}
			return nil
		})
		worker.Handle(w, "Snooze", func(_ context.Context, task *worker.Task, _ none) error {
			if task.Attempt == 1 {
				return worker.Snooze(wait)
			}
			return nil
		})
	})
	patient := func(in *job.Input) { in.Retry = &job.RetryInput{MaxAttempts: 5, Delay: time.Hour} }
	never, after := p.trigger(p.job("Never", patient)), p.trigger(p.job("After", patient))
	snooze := p.trigger(p.job("Snooze", nil)) // one try only
	if got := p.awaitState(never, models.TaskFailed); got.Attempt != 1 || got.Reason != models.ReasonNoRetry {
		t.Errorf("it was tried %d times, %s", got.Attempt, got.Reason)
	}
	for id, tries := range map[string]int{after: 2, snooze: 1} {
		got := p.awaitState(id, models.TaskSucceeded)
		first := p.attempts(got)[0]
		if got.Attempt != 2 || got.Tries() != tries || got.DispatchedAt.Sub(*first.FinishedAt) < wait {
			t.Errorf("attempt %d, %d tries, begun %s after the first's end", got.Attempt, got.Tries(), got.DispatchedAt.Sub(*first.FinishedAt))
		}
	}
}

// hang runs a worker whose handler never ends by itself, and a function that waits for
// an attempt and then says that its process has died, as the registry does when a new
// one has taken its name.
func (p *plant) hang() (die func(id string, attempt int)) {
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Hang", func(ctx context.Context, task *worker.Task, _ none) error {
			if task.Attempt > 3 {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		})
	})
	return func(id string, attempt int) {
		p.t.Helper()
		running := p.await(id, "a running attempt", func(t models.Task) bool {
			return t.State == models.TaskRunning && t.Attempt == attempt && t.StartedAt != nil
		})
		n, err := p.store.Node(p.t.Context(), *running.NodeID)
		if err != nil {
			p.t.Fatal(err)
		}
		if err := p.engine.rescue.NodeGone(p.t.Context(), n, models.OutcomeLost); err != nil {
			p.t.Fatal(err)
		}
	}
}

// A task under which the process dies three times is parked, however many tries are
// left, and a person can have it tried once more.
func TestAPoisonTaskIsParked(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	die := p.hang()
	id := p.trigger(p.job("Hang", func(in *job.Input) { in.Retry = &job.RetryInput{MaxAttempts: 100} }))
	for attempt := 1; attempt <= 3; attempt++ {
		die(id, attempt)
	}
	if got := p.awaitState(id, models.TaskFailed); got.Reason != models.ReasonPoison || got.Attempt != 3 || got.LostCount != 3 {
		t.Errorf("%s after %d attempts, %d of them lost", got.Reason, got.Attempt, got.LostCount)
	}
	if _, err := p.tasks.Retry(t.Context(), "test", id, nil); err != nil {
		t.Fatal(err)
	}
	p.awaitState(id, models.TaskSucceeded)
}

// A lost attempt of a job that must not run twice waits for a person, whatever its
// retry rules say.
func TestAtMostOnceWaitsForAPerson(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	die := p.hang()
	id := p.trigger(p.job("Hang", func(in *job.Input) {
		in.Delivery, in.Retry = new(models.AtMostOnce), &job.RetryInput{MaxAttempts: 100}
	}))
	die(id, 1)
	if got := p.awaitState(id, models.TaskFailed); got.Reason != models.ReasonAtMostOnce || got.Attempt != 1 {
		t.Errorf("%s after %d attempts", got.Reason, got.Attempt)
	}
}

// A worker that stops after its task has ended leaves nothing to be taken over
// (CB-052): the task stays as it is, and nobody runs it again.
func TestNothingFinishedIsTakenOver(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	ran := make(chan string, 10)
	work := func(name string) (stop func()) {
		return p.work(name, func(w *worker.Worker) {
			worker.Handle(w, "Work", func(context.Context, *worker.Task, none) error { ran <- name; return nil })
		})
	}
	stop := work("w1")
	j := p.job("Work", nil)
	id := p.trigger(j)
	before := p.awaitState(id, models.TaskSucceeded)
	stop()
	n, err := p.store.Node(t.Context(), *before.NodeID)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.engine.rescue.NodeGone(t.Context(), n, models.OutcomeLost); err != nil { // as if it had been killed
		t.Fatal(err)
	}
	work("w2")
	second := p.trigger(j)
	p.awaitState(second, models.TaskSucceeded) // w2 has worked since
	after, err := p.tasks.Task(t.Context(), id)
	if err != nil || after.Attempt != 1 || after.State != models.TaskSucceeded || after.NodeName != "w1" {
		t.Errorf("the finished task is now %s, attempt %d on %s, %v", after.State, after.Attempt, after.NodeName, err)
	}
	page, _, err := p.tasks.Page(t.Context(), task.Filter{JobID: j.ID}, task.Page{First: 10})
	if err != nil || len(page) != 2 || len(ran) != 2 {
		t.Errorf("%d tasks, %d runs, %v", len(page), len(ran), err)
	}
}
