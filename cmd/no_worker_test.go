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

// A job whose node is away, or whose labels no node has, is bounded like one that has no
// worker at all, though other nodes have its handler; and it is told what is missing.
func TestAnHourWithoutTheRightWorker(t *testing.T) {
	t.Parallel()
	const every = 15 * time.Second
	p := stillPlant(t)
	now := p.clock.Now().Truncate(every)
	begin := now.Add(-time.Hour)
	like := p.job("Idle", func(in *job.Input) {
		in.Trigger, in.Enabled = job.TriggerInput{Cron: &job.CronInput{Expression: "*/15 * * * * ?"}}, new(false)
	})
	_, _, err := p.store.RegisterNode(t.Context(), models.Node{
		ID: models.NewID(begin), AppID: like.AppID, GroupID: like.GroupID, Name: "web-1", Incarnation: "i", State: models.NodeOnline, Slots: 1,
		Handlers: []byte(`["Idle"]`), Labels: []byte(`{"region":"eu"}`), StartedAt: begin, LastSeenAt: begin,
	})
	if err != nil {
		t.Fatal(err)
	}
	clock := testledger.NewClock(begin)
	cases := map[string]struct {
		strategy models.Routing
		rule     models.RoutingRule
		says     string // empty: somebody can run it
	}{
		"node-away":   {models.RoutePinned, models.RoutingRule{Node: "web-2", Fallback: models.PinWait}, "The node web-2 was not there"},
		"node-there":  {models.RoutePinned, models.RoutingRule{Node: "web-1", Fallback: models.PinWait}, ""},
		"any-other":   {models.RoutePinned, models.RoutingRule{Node: "web-2", Fallback: models.PinAny}, ""},
		"labels-none": {models.RouteLabels, models.RoutingRule{Labels: map[string]string{"region": "us"}}, "labels region=us"},
		"labels-some": {models.RouteLabels, models.RoutingRule{Labels: map[string]string{"region": "eu"}}, ""},
	}
	made := map[string]models.Job{}
	for name, c := range cases {
		j := like
		j.ID, j.Name, j.LiveName, j.Enabled, j.NextFireAt, j.CreatedAt, j.TriggerSince = models.NewID(begin), name, &name, true, &begin, begin, &begin
		j.Concurrency, j.Routing, j.RoutingRule = models.ConcurrencyQueue, &c.strategy, c.rule.Document()
		if err := p.store.CreateJob(t.Context(), j, models.Audit{ID: models.NewID(begin), At: begin}); err != nil {
			t.Fatal(err)
		}
		made[name] = j
	}
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
	for name, c := range cases {
		j, want := made[name], int(time.Hour/every)
		if c.says != "" {
			want = 1
			p.wantWhy(j, begin.Add(30*time.Minute), why.NoWorker, c.says)
		}
		tasks, _, err := p.store.TaskPage(t.Context(), store.TaskFilter{JobID: j.ID}, store.Page{First: 500})
		if err != nil || len(tasks) != want {
			t.Errorf("%s: %d tasks, %v; want %d", name, len(tasks), err, want)
		}
	}
}
