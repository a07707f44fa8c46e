package graph_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fleet"
	"github.com/belfry-scheduler/belfry/services/task"
)

func TestNodeGroups(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	app, _ := b.App(t, "shop")
	const fields = `{id name routingRule{strategy key node fallback fallbackAfter labels} maxRunning releaseRate releaseBurst routing heartbeatInterval heartbeatMisses takeoverAfter jobCount warnings waiting running slots createdAt app{name} nodes{name}}`
	var made struct {
		CreateNodeGroup struct {
			NodeGroup  map[string]any
			UserErrors []graphtest.UserError
		}
	}
	b.Ask(t, `mutation($in:CreateNodeGroupInput!){createNodeGroup(input:$in){nodeGroup`+fields+` userErrors{code field message}}}`,
		graphtest.Vars{"in": map[string]any{"app": app.ID, "name": "reports", "maxRunning": 7, "releaseRate": 20, "routing": "ROUND_ROBIN", "heartbeatInterval": "2s"}}, &made)
	got := made.CreateNodeGroup.NodeGroup
	id, createdAt := got["id"], got["createdAt"]
	want := map[string]any{
		"id": id, "createdAt": createdAt, "name": "reports", "maxRunning": 7.0, "releaseRate": 20.0, "releaseBurst": nil, "routing": "ROUND_ROBIN",
		"routingRule":       map[string]any{"strategy": "ROUND_ROBIN", "key": nil, "node": nil, "fallback": nil, "fallbackAfter": nil, "labels": nil},
		"heartbeatInterval": "2s", "heartbeatMisses": 3.0, "takeoverAfter": "6s", "jobCount": 0.0, "warnings": []any{"At one instant 20 tasks may be released, but at most 7 may run: the rest of a burst waits for ends, whatever the release rate says."}, "waiting": "0", "running": "0", "slots": 0.0,
		"app": map[string]any{"name": "shop"}, "nodes": []any{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the new group (-want +got):\n%s", diff)
	}
	b.Ask(t, `mutation($id:ID!){updateNodeGroup(input:{id:$id,maxRunning:null,heartbeatMisses:5}){nodeGroup{id} userErrors{code}}}`, graphtest.Vars{"id": id}, nil)
	var read struct{ NodeGroup map[string]any }
	b.Ask(t, `query($id:ID!){nodeGroup(id:$id)`+fields+`}`, graphtest.Vars{"id": id}, &read)
	want["warnings"] = []any{}
	want["maxRunning"], want["heartbeatMisses"], want["takeoverAfter"] = nil, 5.0, "10s"
	if diff := cmp.Diff(want, read.NodeGroup); diff != "" {
		t.Errorf("the changed group: null clears, absent stays (-want +got):\n%s", diff)
	}
	if n := len(b.Value(t, "nodeGroups", `query($a:ID){nodeGroups(app:$a){name}}`, graphtest.Vars{"a": app.ID}).([]any)); n != 2 {
		t.Errorf("the app has %d groups", n)
	}
	b.Ask(t, `mutation($id:ID!){deleteNodeGroup(id:$id){nodeGroup{name} userErrors{code}}}`, graphtest.Vars{"id": id}, nil)
	if got := b.Value(t, "nodeGroup", `query($id:ID!){nodeGroup(id:$id){id}}`, graphtest.Vars{"id": id}); got != nil {
		t.Errorf("the deleted group is still there: %v", got)
	}
}

// A group's and a job's routing come back as they were given; the strategy alone does
// not take its rule away, and null makes a job follow its group.
func TestRoutingRules(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	j := b.Job(t, group.ID, "close-orders")
	const rule = `{strategy key node fallback fallbackAfter labels}`
	change := func(in map[string]any) any {
		in["id"] = group.ID
		return b.Value(t, "updateNodeGroup.nodeGroup.routingRule", `mutation($in:UpdateNodeGroupInput!){updateNodeGroup(input:$in){nodeGroup{routingRule`+rule+`} userErrors{code}}}`, graphtest.Vars{"in": in})
	}
	labels := map[string]any{"strategy": "LABELS", "key": nil, "node": nil, "fallback": nil, "fallbackAfter": nil, "labels": map[string]any{"zone": "a"}}
	for _, in := range []map[string]any{
		{"routingRule": map[string]any{"strategy": "LABELS", "labels": map[string]any{"zone": "a"}}}, {"routing": "LABELS"}, {"maxRunning": 3},
	} {
		if diff := cmp.Diff(any(labels), change(in)); diff != "" {
			t.Errorf("the group's (-want +got):\n%s", diff)
		}
	}
	if got := change(map[string]any{"routing": "RANDOM"}).(map[string]any); got["strategy"] != "RANDOM" || got["labels"] != nil {
		t.Errorf("another strategy: %v", got)
	}
	own := func(in any) any {
		return b.Value(t, "updateJob.job.routing", `mutation($in:UpdateJobInput!){updateJob(input:$in){job{routing`+rule+`} userErrors{code}}}`, graphtest.Vars{"in": map[string]any{"id": j.ID, "routing": in}})
	}
	pinned := map[string]any{"strategy": "PINNED", "key": nil, "node": "orders-1", "fallback": "ANY", "fallbackAfter": "2m", "labels": nil}
	if diff := cmp.Diff(any(pinned), own(map[string]any{"strategy": "PINNED", "node": "orders-1", "fallback": "ANY", "fallbackAfter": "2m"})); diff != "" {
		t.Errorf("the job's (-want +got):\n%s", diff)
	}
	if got := own(map[string]any{"strategy": "CONSISTENT_HASH", "key": "/order/id"}).(map[string]any); got["key"] != "/order/id" || got["node"] != nil {
		t.Errorf("by a key: %v", got)
	}
	if got := own(nil); got != nil {
		t.Errorf("as its group's: %v", got)
	}
}

func TestNodes(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	j := b.Job(t, group.ID, "close-orders")
	n := b.Node(t, group, "orders-1")
	gone := b.Node(t, group, "orders-2")
	b.Offline(t, gone)
	running := b.Task(t, task.NewTask{Job: j.ID})
	b.Task(t, task.NewTask{Job: j.ID})
	b.Dispatch(t, running.ID, n)

	var data struct{ Node map[string]any }
	b.Ask(t, `query($id:ID!){node(id:$id){id name group{name waiting running slots jobCount} state slots running lastSeenAt incarnation startedAt labels handlers sdk host deafSince}}`,
		graphtest.Vars{"id": n.ID}, &data)
	got := data.Node
	for field, want := range map[string]any{
		"name": "orders-1", "state": "ONLINE", "slots": 4.0, "running": 1.0, "incarnation": "inc-orders-1", "sdk": "belfry-go/1.0", "host": "host-1", "deafSince": nil,
		"labels": map[string]any{"zone": "a"}, "handlers": []any{"Work", "Other"},
		"group": map[string]any{"name": "default", "waiting": "1", "running": "1", "slots": 4.0, "jobCount": 1.0},
	} {
		if diff := cmp.Diff(want, got[field]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", field, diff)
		}
	}
	nodes := b.Value(t, "nodes", `query($g:ID){nodes(group:$g){name state}}`, graphtest.Vars{"g": group.ID})
	want := []any{map[string]any{"name": "orders-1", "state": "ONLINE"}, map[string]any{"name": "orders-2", "state": "OFFLINE"}}
	if diff := cmp.Diff(any(want), nodes); diff != "" {
		t.Errorf("nodes, online first (-want +got):\n%s", diff)
	}
	if got := b.Value(t, "app.onlineNodeCount", `{app(name:"shop"){onlineNodeCount nodeGroups{nodes{name}}}}`, nil); got != 1.0 {
		t.Errorf("%v nodes of the app are online", got)
	}

	state := func(mutation string) any {
		return b.Value(t, mutation+".node.id", `mutation($id:ID!){`+mutation+`(id:$id){node{id state} userErrors{code}}}`, graphtest.Vars{"id": n.ID})
	}
	if state("drainNode") != n.ID || state("resumeNode") != n.ID {
		t.Error("draining or resuming answered another node")
	}
	b.Ask(t, `mutation($id:ID!){removeNode(id:$id){node{name} userErrors{code}}}`, graphtest.Vars{"id": gone.ID}, nil)
	if got := b.Value(t, "node", `query($id:ID!){node(id:$id){id}}`, graphtest.Vars{"id": gone.ID}); got != nil {
		t.Errorf("the removed node is still there: %v", got)
	}
}

const flowFields = `{id due oldestDueAt drainsIn drainsNote releasedLastSecond limitedBy}`

// How a group's line moves is what its owner says; for a group without a line, zeros.
func TestNodeGroupFlows(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	flow := func() map[string]any {
		return b.Value(t, "nodeGroup", `query($id:ID!){nodeGroup(id:$id)`+flowFields+`}`, graphtest.Vars{"id": group.ID}).(map[string]any)
	}
	want := map[string]any{"id": group.ID, "due": "0", "oldestDueAt": nil, "drainsIn": "0s", "drainsNote": nil, "releasedLastSecond": 0.0, "limitedBy": nil}
	if diff := cmp.Diff(want, flow()); diff != "" {
		t.Errorf("a group without a line (-want +got):\n%s", diff)
	}
	since, in := clock.System{}.Now().Add(-time.Minute), int64(90_000)
	told := models.GroupFlow{At: clock.System{}.Now(), Due: 10_000, OldestDueAt: &since, Released: 100, DrainsInMS: &in, LimitedBy: models.LimitReleaseRate}
	b.Flow(t, group, told)
	want = map[string]any{"id": group.ID, "due": "10000", "oldestDueAt": since.Format(time.RFC3339Nano), "drainsIn": "1m30s", "drainsNote": nil, "releasedLastSecond": 100.0, "limitedBy": "RELEASE_RATE"}
	if diff := cmp.Diff(want, flow()); diff != "" {
		t.Errorf("a group with a line (-want +got):\n%s", diff)
	}
	told.At = told.At.Add(-time.Minute) // its owner has fallen silent
	b.Flow(t, group, told)
	got := flow()
	if got["drainsIn"] != nil || got["due"] != "10000" || got["releasedLastSecond"] != 0.0 || !strings.Contains(fmt.Sprint(got["drainsNote"]), "said nothing for 1m") {
		t.Errorf("by the word of a silent owner: %v", got)
	}
}

// All groups of a page are read at once.
func TestNodeGroupFlowsAreOneRead(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	app, group := b.App(t, "shop")
	b.Flow(t, group, models.GroupFlow{At: clock.System{}.Now(), Due: 1})
	reads := func() int64 {
		return b.Statements(func() { b.Ask(t, `{nodeGroups`+flowFields+`}`, nil, nil) })
	}
	reads()
	one := reads()
	for i := range 20 {
		if _, err := b.Fleet.CreateGroup(t.Context(), "test", fleet.Group{AppID: app.ID, Name: fmt.Sprintf("group-%d", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if many := reads(); many != one {
		t.Errorf("%d statements for one group, %d for 21", one, many)
	}
}

// A subscriber hears of the lines of its app's groups, and of their nodes and limits.
func TestNodeGroupChanged(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	app, group := b.App(t, "shop")
	_, other := b.App(t, "other")
	s := b.Connect(t, models.RoleViewer)
	s.Subscribe(`subscription($a:ID){nodeGroupChanged(app:$a){id due slots app{name}}}`, graphtest.Vars{"a": app.ID})
	due := int64(0)
	first := awaitFirst(t, s, "nodeGroupChanged.id", func() {
		due++
		b.Flow(t, other, models.GroupFlow{At: clock.System{}.Now(), Due: due}) // not asked for
		b.Flow(t, group, models.GroupFlow{At: clock.System{}.Now(), Due: due})
	})
	if first != group.ID {
		t.Errorf("the first change is of %v", first)
	}
	b.Flow(t, group, models.GroupFlow{At: clock.System{}.Now(), Due: 1_000_000})
	s.Await("nodeGroupChanged.due", "1000000")
	b.Node(t, group, "orders-1")
	s.Await("nodeGroupChanged.slots", 4.0)
}

func TestNodeRefusals(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	app, group := b.App(t, "shop")
	b.Job(t, group.ID, "close-orders")
	n := b.Node(t, group, "orders-1")
	const create = `mutation($in:CreateNodeGroupInput!){createNodeGroup(input:$in){nodeGroup{id} userErrors{code field message}}}`
	const change = `mutation($in:UpdateNodeGroupInput!){updateNodeGroup(input:$in){nodeGroup{id} userErrors{code field message}}}`
	in := func(more map[string]any) graphtest.Vars {
		all := map[string]any{"app": app.ID, "name": "reports"}
		maps.Copy(all, more)
		return graphtest.Vars{"in": all}
	}
	edit := func(field string, value any) graphtest.Vars {
		return graphtest.Vars{"in": map[string]any{"id": group.ID, field: value}}
	}
	refusals(t, b, []refusal{
		{"a bad name", create, in(map[string]any{"name": "Reports!"}), "INVALID", "input.name", `"Reports!"`},
		{"no name", create, in(map[string]any{"name": ""}), "REQUIRED", "input.name", "1 to 64"},
		{"a taken name", create, in(map[string]any{"name": "default"}), "TAKEN", "input.name", "default"},
		{"no such app", create, in(map[string]any{"app": "none"}), "NOT_FOUND", "input.app", "none"},
		{"no room", create, in(map[string]any{"maxRunning": 0}), "INVALID", "input.maxRunning", "1 to 100,000"},
		{"too much room", create, in(map[string]any{"maxRunning": 100001}), "INVALID", "input.maxRunning", "100001"},
		{"a negative rate", create, in(map[string]any{"releaseRate": -1}), "INVALID", "input.releaseRate", "-1"},
		{"a burst of nothing", create, in(map[string]any{"releaseRate": 5, "releaseBurst": 0}), "INVALID", "input.releaseBurst", "0"},
		{"a quick heart", create, in(map[string]any{"heartbeatInterval": "999ms"}), "INVALID", "input.heartbeatInterval", "999ms"},
		{"a slow heart", create, in(map[string]any{"heartbeatInterval": "61s"}), "INVALID", "input.heartbeatInterval", "1m1s"},
		{"a touchy server", create, in(map[string]any{"heartbeatMisses": 1}), "INVALID", "input.heartbeatMisses", "2 to 20"},
		{"changing no group", change, graphtest.Vars{"in": map[string]any{"id": "none", "maxRunning": 1}}, "NOT_FOUND", "input.id", "none"},
		{"changing to no room", change, edit("maxRunning", 0), "INVALID", "input.maxRunning", "0"},
		{"changing to a slow heart", change, edit("heartbeatInterval", "1h"), "INVALID", "input.heartbeatInterval", "1h"},
		{"changing to patience", change, edit("heartbeatMisses", 21), "INVALID", "input.heartbeatMisses", "21"},
		{"pinning to nothing", create, in(map[string]any{"routing": "PINNED"}), "REQUIRED", "input.routing.node", "1 to 128"},
		{"a rule that is none", create, in(map[string]any{"routingRule": map[string]any{"strategy": "CONSISTENT_HASH", "key": "order.id"}}), "INVALID", "input.routingRule.key", "order.id"},
		{"changing to no labels", change, edit("routingRule", map[string]any{"strategy": "LABELS"}), "REQUIRED", "input.routingRule.labels", "0 entries"},
		{"deleting no group", `mutation{deleteNodeGroup(id:"none"){nodeGroup{id} userErrors{code field message}}}`, nil, "NOT_FOUND", "id", "none"},
		{"deleting a group with jobs", `mutation($id:ID!){deleteNodeGroup(id:$id){nodeGroup{id} userErrors{code field message}}}`, graphtest.Vars{"id": group.ID}, "CONFLICT", "", "job"},
		{"draining no node", `mutation{drainNode(id:"none"){node{id} userErrors{code field message}}}`, nil, "NOT_FOUND", "id", "none"},
		{"resuming no node", `mutation{resumeNode(id:"none"){node{id} userErrors{code field message}}}`, nil, "NOT_FOUND", "id", "none"},
		{"removing no node", `mutation{removeNode(id:"none"){node{id} userErrors{code field message}}}`, nil, "NOT_FOUND", "id", "none"},
		{"removing a living node", `mutation($id:ID!){removeNode(id:$id){node{id} userErrors{code field message}}}`, graphtest.Vars{"id": n.ID}, "CONFLICT", "", "orders-1"},
	})
}
