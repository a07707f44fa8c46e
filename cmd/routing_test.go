package cmd

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/task"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

func (p *plant) works(names ...string) {
	for _, name := range names {
		p.work(name, func(w *worker.Worker) {
			worker.Handle(w, "Work", func(context.Context, *worker.Task, json.RawMessage) error { return nil })
		})
	}
}

// Tasks of one key run on one node, and keys spread over the nodes; a job that sticks
// runs where it ran before, also when the server has forgotten that.
func TestTasksGoWhereTheirRoutingSays(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.works("n1", "n2", "n3")
	route := func(name string, r job.RoutingInput) models.Job {
		return p.job("Work", func(in *job.Input) { in.Name, in.Routing = name, &r })
	}
	all := map[string]bool{}
	for inTurn := route("in-turn", job.RoutingInput{Strategy: models.RouteRoundRobin}); len(all) < 3; { // until all three are known
		all[p.awaitState(p.trigger(inTurn), models.TaskSucceeded).NodeName] = true
	}
	hashed := route("hashed", job.RoutingInput{Strategy: models.RouteHash, Key: new("/order")})
	homes, used := map[int]string{}, map[string]bool{}
	for i := range 36 { // one at a time: no node is ever full
		order := i % 12
		made, err := p.tasks.Run(t.Context(), "test", task.NewTask{Job: hashed.ID, Parameters: json.RawMessage(fmt.Sprintf(`{"order":%d,"n":%d}`, order, i))})
		if err != nil {
			t.Fatal(err)
		}
		done := p.awaitState(made.ID, models.TaskSucceeded)
		if home, known := homes[order]; known && home != done.NodeName {
			t.Errorf("order %d ran on %s and on %s", order, home, done.NodeName)
		}
		homes[order], used[done.NodeName] = done.NodeName, true
	}
	if len(used) < 2 {
		t.Errorf("all orders ran on %v", used)
	}
	sticky := route("sticky", job.RoutingInput{Strategy: models.RouteSticky})
	first := p.awaitState(p.trigger(sticky), models.TaskSucceeded)
	for range 5 {
		if next := p.awaitState(p.trigger(sticky), models.TaskSucceeded); next.NodeName != first.NodeName {
			t.Errorf("it went from %s to %s", first.NodeName, next.NodeName)
		}
	}
	last, err := p.store.LastNodes(t.Context(), []string{sticky.ID})
	if err != nil || last[sticky.ID] != *first.NodeID {
		t.Errorf("the ledger knows %v, %v", last, err)
	}
}

// A task whose pinned node does not come is parked with its reason, and runs when a
// person has it tried again with the node there; with ANY it runs elsewhere.
func TestAPinnedNodeThatDoesNotCome(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.works("n1")
	pinned := func(name string, fallback models.PinFallback) models.Job {
		return p.job("Work", func(in *job.Input) {
			in.Name = name
			in.Routing = &job.RoutingInput{Strategy: models.RoutePinned, Node: new("n2"), Fallback: &fallback, After: new(300 * time.Millisecond)}
		})
	}
	elsewhere := p.awaitState(p.trigger(pinned("any", models.PinAny)), models.TaskSucceeded)
	if waited := elsewhere.DispatchedAt.Sub(elsewhere.AvailableAt); elsewhere.NodeName != "n1" || waited < 300*time.Millisecond {
		t.Errorf("it ran on %s after %s", elsewhere.NodeName, waited)
	}
	id := p.trigger(pinned("fail", models.PinFail))
	parked := p.awaitState(id, models.TaskFailed)
	if parked.Reason != models.ReasonNodeAway || parked.Attempt != 0 {
		t.Errorf("parked with %s after %d attempts", parked.Reason, parked.Attempt)
	}
	timeline, err := p.tasks.Timeline(t.Context(), []models.Task{parked})
	if err != nil {
		t.Fatal(err)
	}
	said := timeline[id]
	if n := len(said); n == 0 || said[n-1].Message == "" || said[n-1].Kind != task.KindFinished {
		t.Errorf("the timeline says %+v", said)
	}
	p.works("n2")
	if _, err := p.tasks.Retry(t.Context(), "test", id, nil); err != nil {
		t.Fatal(err)
	}
	if done := p.awaitState(id, models.TaskSucceeded); done.NodeName != "n2" {
		t.Errorf("it ran on %s", done.NodeName)
	}
}
