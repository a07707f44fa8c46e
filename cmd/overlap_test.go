package cmd

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// all are the tasks of a job, the first fire first.
func (p *plant) all(j models.Job) []models.Task {
	p.t.Helper()
	tasks, info, err := p.store.TaskPage(p.t.Context(), store.TaskFilter{JobID: j.ID}, store.Page{First: 1000})
	if err != nil || info.HasNext {
		p.t.Fatalf("reading the tasks of job %s: more %t, %v", j.Name, info.HasNext, err)
	}
	slices.SortFunc(tasks, func(a, b models.Task) int { return a.ScheduledAt.Compare(b.ScheduledAt) })
	return tasks
}

// untilTasks waits until the tasks of a job satisfy ok.
func (p *plant) untilTasks(j models.Job, what string, ok func([]models.Task) bool) []models.Task {
	p.t.Helper()
	deadline := time.Now().Add(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		tasks := p.all(j)
		if ok(tasks) {
			return tasks
		}
		if time.Now().After(deadline) {
			var states []string
			for i := range tasks {
				states = append(states, tasks[i].State.String()+" "+tasks[i].Reason)
			}
			p.t.Fatalf("job %s never came to: %s; its tasks are %s", j.Name, what, strings.Join(states, ", "))
		}
		<-tick.C
	}
}

// A job that queues behind itself hangs for some fires: when it is freed, the newest of
// them runs, and no other; what waits can be taken out of the queue (CB-041, CB-082).
func TestWhatWaitedBehindAHangingRunIsOneRun(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	free := make(chan struct{})
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Hang", func(ctx context.Context, _ *worker.Task, _ none) error {
			select {
			case <-free:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		worker.Handle(w, "Ping", func(context.Context, *worker.Task, none) error { return nil })
	})
	p.awaitState(p.trigger(p.job("Ping", nil)), models.TaskSucceeded) // before a worker is there, fires would be counted
	j := p.job("Hang", func(in *job.Input) {
		in.Trigger = job.TriggerInput{Cron: &job.CronInput{Expression: "* * * * * ?"}}
		in.Concurrency = new(models.ConcurrencyQueue)
	})
	if limit := time.Duration(j.TimeoutMS) * time.Millisecond; limit != time.Hour {
		t.Errorf("a job that says nothing has the time limit %s", limit)
	}
	count := func(tasks []models.Task, state models.TaskState) (n int) {
		for i := range tasks {
			if tasks[i].State == state {
				n++
			}
		}
		return n
	}
	p.untilTasks(j, "four fires that were passed over", func(tasks []models.Task) bool { return count(tasks, models.TaskSkipped) >= 4 })
	waiting := p.untilTasks(j, "one due fire that waits", func(tasks []models.Task) bool {
		due := 0
		for i := range tasks {
			if tasks[i].State == models.TaskWaiting && !tasks[i].AvailableAt.After(p.clock.Now()) {
				due++
			}
		}
		return due == 1
	})
	// A person empties the queue: what waits is cancelled, the hanging run goes on.
	for i := range waiting {
		if waiting[i].State == models.TaskWaiting {
			if _, err := p.tasks.Cancel(t.Context(), "ada", "", waiting[i].ID, "enough"); err != nil {
				t.Fatal(err)
			}
		}
	}
	p.untilTasks(j, "two more that were passed over", func(tasks []models.Task) bool { return count(tasks, models.TaskSkipped) >= 6 })
	freed := p.clock.Now()
	close(free)
	tasks := p.untilTasks(j, "three runs", func(tasks []models.Task) bool { return count(tasks, models.TaskSucceeded) >= 3 })
	ran := 0
	for i := range tasks {
		switch tk := &tasks[i]; {
		case i > 0 && tk.ScheduledAt.Sub(tasks[i-1].ScheduledAt) != time.Second:
			t.Errorf("no fire between %s and %s", tasks[i-1].ScheduledAt, tk.ScheduledAt)
		case tk.State == models.TaskSkipped && tk.Reason != models.ReasonCoalesced:
			t.Errorf("the fire of %s was skipped for %s", tk.ScheduledAt, tk.Reason)
		case tk.State == models.TaskSucceeded && !tk.ScheduledAt.After(freed):
			ran++
		}
	}
	if ran > 2 {
		t.Errorf("%d of the fires until the job was freed ran, want the one that hung and the newest", ran)
	}
}
