package cmd

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fleet"
	"github.com/belfry-scheduler/belfry/services/task"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// until asks again and again, at the pace of the answers, until one is right.
func until[T any](p *plant, what string, ask func() (T, error), right func(T) bool) T {
	p.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	pace := time.NewTicker(20 * time.Millisecond)
	defer pace.Stop()
	for {
		got, err := ask()
		if err != nil {
			p.t.Fatal(err)
		}
		if right(got) {
			return got
		}
		select {
		case <-pace.C:
		case <-deadline.C:
			p.t.Fatalf("waited in vain for %s; last: %+v", what, got)
		}
	}
}

// The single-process form is one server that leads everything by itself.
func TestOneServerLeadsAll(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	all := until(p, "the server's first sign of life", func() ([]fleet.Server, error) { return p.fleet.Servers(t.Context()) },
		func(all []fleet.Server) bool { return len(all) == 1 && len(all[0].Partitions) == models.Partitions })
	got := all[0]
	if got.ID != p.id || got.State != models.ServerLive || got.Locks != models.LockLocal || len(got.Troubles) != 0 || got.Groups != 1 || got.Lag != nil {
		t.Errorf("the one server: %+v", got)
	}
}

// A line is told of while it stands, with what holds it up and how long it lasts, and
// no longer when it is gone.
func TestALineIsSeen(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	rate := 20
	if _, err := p.fleet.UpdateGroup(t.Context(), "test", fleet.GroupUpdate{ID: p.group, ReleaseRate: fleet.Field[int]{Set: true, Value: &rate}}); err != nil {
		t.Fatal(err)
	}
	j := p.job("Work", nil)
	items := make([]task.NewTask, 100)
	for i := range items {
		items[i].Job = j.ID
	}
	if _, err := p.tasks.Enqueue(t.Context(), items); err != nil {
		t.Fatal(err)
	}
	flow := func() (models.GroupFlow, error) {
		all, err := p.fleet.GroupFlows(context.WithoutCancel(t.Context()), []string{p.group})
		return all[p.group], err
	}
	got := until(p, "the line before there is a worker", flow, func(f models.GroupFlow) bool { return f.Due == 100 && f.LimitedBy == models.LimitNoNodes })
	if got.DrainsInMS != nil || got.DrainsNote == "" || got.OldestDueAt == nil || got.LateMS != 0 {
		t.Errorf("the line without a worker: %+v", got)
	}
	p.work("one", func(w *worker.Worker) {
		worker.Handle(w, "Work", func(context.Context, *worker.Task, none) error { return nil })
	})
	got = until(p, "the line at its rate", flow, func(f models.GroupFlow) bool { return f.LimitedBy == models.LimitReleaseRate && f.DrainsInMS != nil })
	if got.Released > rate || got.Due > 100 || time.Duration(*got.DrainsInMS)*time.Millisecond > patience {
		t.Errorf("the line at its rate: %+v", got)
	}
	got = until(p, "the end of the line", flow, func(f models.GroupFlow) bool { return f.Due == 0 && f.Released == 0 })
	none := int64(0)
	if diff := cmp.Diff(models.GroupFlow{GroupID: p.group, At: got.At, DrainsInMS: &none}, got); diff != "" {
		t.Errorf("after the line (-want +got):\n%s", diff)
	}
}
