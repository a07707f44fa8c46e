package cmd

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/catalog"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/trigger"
	"github.com/belfry-scheduler/belfry/services/why"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// allPartitions is an owner of everything at the first epoch.
type allPartitions struct{}

func (allPartitions) Partitions() map[int]int64 {
	all := map[int]int64{}
	for p := range models.Partitions {
		all[p] = 0
	}
	return all
}

func (allPartitions) Lost(...int) {}

func (allPartitions) TasksQueued(context.Context, []string)   {}
func (allPartitions) JobsFired(context.Context, []models.Job) {}

// An hour in which twenty jobs fire every fifteen seconds and no worker is there writes a
// bounded number of rows; the first worker that comes gets work at once (CB-070).
func TestAnHourWithoutAWorker(t *testing.T) {
	t.Parallel()
	const jobs, every, counting = 20, 15 * time.Second, 4 // of the jobs, those in which each fire counts
	p := stillPlant(t)
	now := p.clock.Now().Truncate(every)
	begin := now.Add(-time.Hour)
	like := p.job("Idle", func(in *job.Input) {
		in.Trigger, in.Enabled = job.TriggerInput{Cron: &job.CronInput{Expression: "*/15 * * * * ?"}}, new(false)
	})
	made := make([]models.Job, jobs)
	for i := range made {
		j := like
		name := fmt.Sprint("idle-", i)
		j.ID, j.Name, j.LiveName, j.Enabled, j.NextFireAt, j.CreatedAt, j.TriggerSince = models.NewID(begin), name, &name, true, &begin, begin, &begin
		if j.Concurrency = models.ConcurrencyAllow; i >= counting {
			j.Concurrency = []models.Concurrency{models.ConcurrencySkip, models.ConcurrencyQueue, models.ConcurrencyReplace}[i%3]
		}
		if err := p.store.CreateJob(t.Context(), j, models.Audit{ID: models.NewID(begin), At: begin}); err != nil {
			t.Fatal(err)
		}
		made[i] = j
	}
	clock := testledger.NewClock(begin)
	fires, err := trigger.New(trigger.Config{
		Ledger: p.store, Owner: allPartitions{}, Workers: catalog.New(p.store, clock), Watcher: allPartitions{}, Clock: clock, Logger: p.logger,
	})
	if err != nil {
		t.Fatal(err)
	}
	for clock.Now().Before(now) {
		if _, err := fires.Pass(t.Context()); err != nil {
			t.Fatal(err)
		}
		clock.Advance(every)
	}

	ticks := int64(time.Hour / every)
	var waiting []string
	for i, j := range made {
		want := int64(1)
		if i < counting {
			want = 100
		}
		tasks, _, err := p.store.TaskPage(t.Context(), store.TaskFilter{JobID: j.ID}, store.Page{First: 200})
		if err != nil || int64(len(tasks)) != want {
			t.Fatalf("job %d: %d tasks, %v; want %d", i, len(tasks), err, want)
		}
		for k := range tasks {
			waiting = append(waiting, tasks[k].ID)
		}
		runs, err := p.store.SkippedFires(t.Context(), []string{j.ID}, 10)
		if err != nil || len(runs[j.ID]) != 1 || runs[j.ID][0].Count != ticks-want || runs[j.ID][0].Reason != models.ReasonNoWorker {
			t.Errorf("job %d: runs %+v, %v; want one of %d fires", i, runs[j.ID], err, ticks-want)
		}
		hours, err := p.store.JobHours(t.Context(), []string{j.ID}, begin.Add(-time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		counted := int64(0)
		for _, h := range hours {
			counted += h.Skipped
		}
		if counted != ticks-want {
			t.Errorf("job %d counts %d skipped fires, want %d", i, counted, ticks-want)
		}
		p.wantWhy(j, begin.Add(30*time.Minute), why.NoWorker, "waited already")
	}

	p.serve()
	came := time.Now()
	begun := make(chan time.Time, 10_000)
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Idle", func(context.Context, *worker.Task, none) error {
			begun <- time.Now()
			return nil
		})
	})
	if first := (<-begun).Sub(came); first > 5*time.Second {
		t.Errorf("the first task ran %s after the worker had come", first)
	}
	for _, id := range waiting {
		p.await(id, "its end", func(t models.Task) bool { return t.State.Final() })
	}
}
