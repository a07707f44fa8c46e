package cmd

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/backfill"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// A whole server makes up for a day of a job that must not overlap with itself.
func TestBackfillRunsToItsEnd(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	var mu sync.Mutex
	var seen []time.Time
	last := make(chan struct{}, 1)
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Report", func(_ context.Context, task *worker.Task, _ none) error {
			mu.Lock()
			defer mu.Unlock()
			if seen = append(seen, task.ScheduledAt); len(seen) == 24 {
				last <- struct{}{}
			}
			return nil
		})
	})
	j := p.job("Report", func(in *job.Input) {
		in.Trigger = job.TriggerInput{Cron: &job.CronInput{Expression: "0 * * * *"}}
		in.Concurrency = new(models.ConcurrencySkip)
	})
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	b, err := p.fills.Create(t.Context(), "test", backfill.Input{
		JobID: j.ID, From: from, To: from.AddDate(0, 0, 1), PerMinute: 60_000, MaxRunning: 5,
	})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-last:
	case <-time.After(patience):
		t.Fatalf("%d of 24 fires ran", len(seen))
	}
	tasks := models.BackfillTaskID(b.ID, from.Add(23*time.Hour))
	p.awaitState(tasks, models.TaskSucceeded)
	mu.Lock()
	defer mu.Unlock()
	for i, at := range seen {
		if !at.Equal(from.Add(time.Duration(i) * time.Hour)) {
			t.Fatalf("run %d was for %s: %v", i, at, seen)
		}
	}
	b, err = p.fills.Backfill(t.Context(), b.ID)
	if err != nil || b.State != models.BackfillFinished || b.Succeeded != 24 {
		t.Errorf("%+v, %v", b, err)
	}
}
