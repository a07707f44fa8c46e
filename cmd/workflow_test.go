package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/task"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// after makes a job wait for others.
func after(window models.DependencyWindow, upstream ...models.Job) func(*job.Input) {
	return func(in *job.Input) {
		in.Trigger = job.TriggerInput{Dependency: &job.DependencyInput{Window: &window}}
		for i := range upstream {
			in.Trigger.Dependency.Upstream = append(in.Trigger.Dependency.Upstream, job.UpstreamInput{Job: upstream[i].ID})
		}
	}
}

// latest waits until a job has so many tasks and answers them, newest first.
func (p *plant) latest(j models.Job, n int) []models.Task {
	p.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		all, err := p.tasks.Recent(p.t.Context(), []string{j.ID}, n+1)
		if err != nil {
			p.t.Fatal(err)
		}
		if len(all[j.ID]) >= n {
			return all[j.ID]
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-deadline.C:
			p.t.Fatalf("job %s has %d tasks, want %d", j.Name, len(all[j.ID]), n)
		}
	}
}

// A diamond from end to end: the join runs once, after both, with their results.
func TestDiamondHandsResultsDown(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	type sum struct{ N int }
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Root", func(_ context.Context, task *worker.Task, _ none) error { return task.SetResult(sum{1}) })
		add := func(n int) func(context.Context, *worker.Task, none) error {
			return func(_ context.Context, task *worker.Task, _ none) error {
				var in sum
				if found, err := task.Upstream("root", &in); err != nil || !found {
					return fmt.Errorf("upstream %v: %w", found, err)
				}
				return task.SetResult(sum{in.N + n})
			}
		}
		worker.Handle(w, "Left", add(10))
		worker.Handle(w, "Right", add(100))
		worker.Handle(w, "Join", func(_ context.Context, task *worker.Task, _ none) error {
			var left, right sum
			if _, err := task.Upstream("left", &left); err != nil {
				return err
			}
			if _, err := task.Upstream("right", &right); err != nil {
				return err
			}
			if all := task.UpstreamResults(); len(all) != 2 || all[0].State != "SUCCEEDED" {
				return fmt.Errorf("results %+v", all)
			}
			return task.SetResult(sum{left.N + right.N})
		})
	})
	root := p.job("Root", nil)
	left, right := p.job("Left", after(models.WindowRun, root)), p.job("Right", after(models.WindowDay, root))
	join := p.job("Join", after(models.WindowDay, left, right))
	id := p.trigger(root)
	made := p.latest(join, 1)
	done := p.awaitState(made[0].ID, models.TaskSucceeded)
	if string(done.Result) != `{"N":112}` || done.RootID == nil || *done.RootID != id || !done.ScheduledAt.Equal(p.awaitState(id, models.TaskSucceeded).ScheduledAt) {
		t.Errorf("the join %s of run %v", done.Result, done.RootID)
	}

	again, err := p.tasks.Retry(t.Context(), "test", done.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.awaitState(again.ID, models.TaskSucceeded); string(got.Result) != `{"N":112}` {
		t.Errorf("the re-run has %s", got.Result)
	}
	if _, err := p.tasks.Retry(t.Context(), "test", id, nil); err != nil { // the root once more
		t.Fatal(err)
	}
	p.latest(root, 2)
	p.idle(t)
	if got := p.latest(join, 2); len(got) != 2 {
		t.Errorf("the join ran %d times", len(got))
	}
	if got := p.latest(left, 1); len(got) != 1 {
		t.Errorf("a re-run of the root fired what had fired for it: %d", len(got))
	}
}

// idle waits until nothing is live and no arrival is pending.
func (p *plant) idle(t *testing.T) {
	t.Helper()
	all := make([]int, models.Partitions)
	for i := range all {
		all[i] = i
	}
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		// A task that was made of an arrival after it was looked for shows in the count.
		before, live := p.tasksMade(t)
		pending, err := p.store.PendingArrivals(t.Context(), all, 1)
		if err != nil {
			t.Fatal(err)
		}
		if after, _ := p.tasksMade(t); len(pending) == 0 && live == 0 && after == before {
			return
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-deadline.C:
			t.Fatalf("%d tasks are live, %d arrivals pending", live, len(pending))
		}
	}
}

// tasksMade counts the group's tasks, and those that are live.
func (p *plant) tasksMade(t *testing.T) (all, live int64) {
	t.Helper()
	counts, err := p.store.Counters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for state, n := range counts[p.group] {
		all += n
		if state.Live() {
			live += n
		}
	}
	return all, live
}

func TestRunByHandTakesEverythingDownstreamAlong(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	var mu sync.Mutex
	var ran []string
	p.work("w1", func(w *worker.Worker) {
		for _, name := range []string{"A", "B", "C", "Alarm"} {
			worker.Handle(w, name, func(_ context.Context, task *worker.Task, args struct{ Fail bool }) error {
				mu.Lock()
				defer mu.Unlock()
				ran = append(ran, task.JobName)
				if args.Fail {
					return errors.New("as asked")
				}
				return nil
			})
		}
	})
	a := p.job("A", nil)
	other := p.job("Other", nil) // never runs
	b := p.job("B", after(models.WindowRun, a))
	c := p.job("C", after(models.WindowDay, b, other))
	p.job("Alarm", func(in *job.Input) {
		after(models.WindowRun, a)(in)
		in.Trigger.Dependency.Upstream[0].On = new(models.OnFailure)
	})
	run := func(rule models.DownstreamRule, parameters string) []string {
		t.Helper()
		mu.Lock()
		ran = nil
		mu.Unlock()
		if _, err := p.tasks.Run(t.Context(), "test", task.NewTask{Job: a.ID, Downstream: rule, Parameters: []byte(parameters)}); err != nil {
			t.Fatal(err)
		}
		p.idle(t)
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(ran)
	}
	for _, tt := range []struct {
		rule       models.DownstreamRule
		parameters string
		want       []string
	}{
		{models.DownstreamNone, `{}`, []string{"a"}},
		{models.DownstreamTriggers, `{}`, []string{"a", "b"}},
		{models.DownstreamAll, `{}`, []string{"a", "b", "c"}},
		{models.DownstreamAll, `{"Fail":true}`, []string{"a", "alarm"}},
	} {
		if got := run(tt.rule, tt.parameters); !slices.Equal(got, tt.want) {
			t.Errorf("%s with %s ran %v, want %v", tt.rule, tt.parameters, got, tt.want)
		}
	}
	if _, err := p.jobs.Pause(t.Context(), "test", b.ID); err != nil {
		t.Fatal(err)
	}
	if got := run(models.DownstreamAll, `{}`); !slices.Equal(got, []string{"a"}) {
		t.Errorf("with a paused job in between ran %v", got)
	}
	skipped, err := p.jobs.SkippedFires(t.Context(), []string{b.ID, c.ID}, 5)
	if err != nil || len(skipped[b.ID]) != 1 || skipped[b.ID][0].Reason != models.ReasonPaused || len(skipped[c.ID]) != 0 {
		t.Errorf("skipped %+v, %v", skipped, err)
	}
}
