package graph_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/task"
)

const stuckFields = `stuck lingering stuckAttempts{task{id job{name}} attempt handler since cause stack} handlerSlots{handlers slots running}`

// A node shows which handlers do not end, and how often it runs those that it limits.
func TestStuckHandlersAndSlots(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	j := b.Job(t, group.ID, "close-orders", func(in *job.Input) { in.Handler = "Work" })
	n := b.Node(t, group, "orders-1")
	plain := b.Value(t, "node", `query($id:ID!){node(id:$id){`+stuckFields+`}}`, graphtest.Vars{"id": n.ID})
	none := map[string]any{"stuck": 0.0, "lingering": 0.0, "stuckAttempts": []any{}, "handlerSlots": []any{}}
	if diff := cmp.Diff(any(none), plain); diff != "" {
		t.Errorf("a node without any (-want +got):\n%s", diff)
	}

	n.HandlerSlots = json.RawMessage(`[{"handlers":["Work"],"slots":2},{"handlers":["Other","More"],"slots":3}]`)
	if _, _, err := b.Store().RegisterNode(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	running := b.Task(t, task.NewTask{Job: j.ID})
	b.Dispatch(t, running.ID, n)
	since := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	list, err := json.Marshal([]models.StuckAttempt{
		{TaskID: running.ID, Attempt: 1, Handler: "Work", Since: since, Cause: "time limit", Stack: "goroutine 7"},
		{TaskID: "01JDYV5W00Q2FGNDPT3P1YB480", Attempt: 3, Handler: "Gone", Since: since},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Store().SetNodeStuck(t.Context(), n.ID, n.Incarnation, list); err != nil {
		t.Fatal(err)
	}
	got := b.Value(t, "nodes.0", `{nodes{`+stuckFields+`}}`, nil)
	want := map[string]any{
		"stuck": 0.0, "lingering": 0.0,
		"stuckAttempts": []any{
			map[string]any{"task": map[string]any{"id": running.ID, "job": map[string]any{"name": "close-orders"}}, "attempt": 1.0, "handler": "Work", "since": "2026-11-30T09:00:00Z", "cause": "time limit", "stack": "goroutine 7"},
			map[string]any{"task": nil, "attempt": 3.0, "handler": "Gone", "since": "2026-11-30T09:00:00Z", "cause": "", "stack": ""},
		},
		"handlerSlots": []any{
			map[string]any{"handlers": []any{"Work"}, "slots": 2.0, "running": 1.0},
			map[string]any{"handlers": []any{"Other", "More"}, "slots": 3.0, "running": 0.0},
		},
	}
	if diff := cmp.Diff(any(want), got); diff != "" {
		t.Errorf("a node (-want +got):\n%s", diff)
	}
}

// However many nodes have limits and stuck handlers, a page reads them together.
func TestStuckHandlersCostAConstantNumberOfStatements(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	list := json.RawMessage(`[{"task":"01JDYV5W00Q2FGNDPT3P1YB480","attempt":1}]`)
	add := func(name string) {
		n := b.Node(t, group, name)
		n.HandlerSlots = json.RawMessage(`[{"handlers":["Work"],"slots":2}]`)
		if _, _, err := b.Store().RegisterNode(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Store().SetNodeStuck(t.Context(), n.ID, n.Incarnation, list); err != nil {
			t.Fatal(err)
		}
	}
	count := func() int64 {
		ask := func() int64 {
			return b.Statements(func() { b.Ask(t, `{nodes{id group{name} `+stuckFields+`}}`, nil, nil) })
		}
		return min(ask(), ask(), ask())
	}
	add("orders-0")
	one := count()
	for _, name := range []string{"orders-1", "orders-2", "orders-3", "orders-4"} {
		add(name)
	}
	if five := count(); one != five || five > 6 {
		t.Errorf("%d statements for one node, %d for five", one, five)
	}
}
