package cmd

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/watch"
	"github.com/belfry-scheduler/belfry/services/catalog"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/trigger"
)

// wanted are the conditions that a test watches for.
type wanted []watch.Condition

func (w wanted) Watched(context.Context) ([]watch.Condition, error) { return w, nil }

// An hour in which twenty-one jobs fire each second and no worker is there writes as many
// alert events as jobs, lines and nodes ask for, however long it lasts (F25).
func TestAnHourWithoutAWorkerIsToldOnce(t *testing.T) {
	t.Parallel()
	const jobs, every = 21, 30 * time.Second // between two looks; thirty fires each
	p := stillPlant(t)
	end := p.clock.Now().Truncate(time.Minute)
	begin := end.Add(-time.Hour)
	like := p.job("Idle", func(in *job.Input) {
		in.Trigger, in.Enabled = job.TriggerInput{Cron: &job.CronInput{Expression: "* * * * * ?"}}, new(false)
	})
	for i := range jobs {
		j := like
		name := fmt.Sprint("idle-", i)
		j.ID, j.Name, j.LiveName, j.Enabled, j.NextFireAt, j.CreatedAt, j.TriggerSince = models.NewID(begin), name, &name, true, &begin, begin, &begin
		j.Concurrency = models.ConcurrencyQueue
		if err := p.store.CreateJob(t.Context(), j, models.Audit{ID: models.NewID(begin), At: begin}); err != nil {
			t.Fatal(err)
		}
	}
	// The last worker is lost.
	node := models.Node{
		ID: models.NewID(begin), AppID: like.AppID, GroupID: like.GroupID, Name: "w1", Incarnation: "i", State: models.NodeOnline, Slots: 1,
		Handlers: []byte(`["Idle"]`), Labels: []byte("{}"), StartedAt: begin, LastSeenAt: begin,
	}
	if _, _, err := p.store.RegisterNode(t.Context(), node); err != nil {
		t.Fatal(err)
	}
	if _, err := p.store.LoseNode(t.Context(), node.ID, "i"); err != nil {
		t.Fatal(err)
	}
	clock := testledger.NewClock(begin)
	fires, err := trigger.New(trigger.Config{
		Ledger: p.store, Owner: allPartitions{}, Workers: catalog.New(p.store, clock), Watcher: allPartitions{}, Clock: clock, Logger: p.logger,
	})
	if err != nil {
		t.Fatal(err)
	}
	watcher, err := watch.New(watch.Config{
		Ledger: p.store, Owner: allPartitions{}, Clock: clock, Logger: p.logger, DeadAfter: time.Minute,
		Conditions: wanted{
			{RuleID: models.NewID(begin), Kind: models.AlertFireLate, LongerThan: time.Minute},
			{RuleID: models.NewID(begin), Kind: models.AlertQueueBacklog, Age: 5 * time.Minute},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var counts []map[string]int
	for i := 1; clock.Now().Before(end); i++ {
		if _, err := fires.Pass(t.Context()); err != nil {
			t.Fatal(err)
		}
		writeFlow(t, p.store, like.GroupID, clock.Now())
		if err := watcher.Pass(t.Context()); err != nil {
			t.Fatal(err)
		}
		if i%int(10*time.Minute/every) == 0 {
			counts = append(counts, countEvents(t, p.store))
		}
		clock.Advance(every)
	}
	want := map[string]int{"FIRE_MISSED": jobs, "FIRE_LATE": 1, "QUEUE_BACKLOG": 1, "NODE_OFFLINE": 1, "GROUP_EMPTY": 1}
	for i, got := range counts {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("after %d minutes: %v, want %v", 10*(i+1), got, want)
		}
	}
	watches, err := p.store.AlertWatches(t.Context())
	if err != nil || len(watches) != 4 {
		t.Errorf("%d conditions are told, %v", len(watches), err)
	}
	t.Logf("events of an hour with %d jobs each second: %v", jobs, counts[len(counts)-1])
}

// writeFlow does what the owner of a group's partition does once a second.
func writeFlow(t *testing.T, st *store.Store, group string, now time.Time) {
	t.Helper()
	due, err := st.DueTasks(t.Context(), []string{group}, now)
	if err != nil {
		t.Fatal(err)
	}
	f := models.GroupFlow{GroupID: group, At: now, Due: due[group].Tasks, LimitedBy: models.LimitNoNodes}
	if f.Due > 0 {
		f.OldestDueAt = new(due[group].Oldest)
	}
	if err := st.WriteGroupFlows(t.Context(), nil, []models.GroupFlow{f}); err != nil {
		t.Fatal(err)
	}
}

// countEvents counts the alert events by kind.
func countEvents(t *testing.T, st *store.Store) map[string]int {
	t.Helper()
	events, err := st.UnhandledAlertEvents(t.Context(), 100_000)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]int{}
	for i := range events {
		name := events[i].Kind.String()
		if events[i].Cleared {
			name += " cleared"
		}
		by[name]++
	}
	return by
}
