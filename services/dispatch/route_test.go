package dispatch

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// labelled is an online node with labels and room.
func labelled(id string, slots int, labels map[string]string) models.Node {
	n := onlineNode(id, slots, "H")
	n.Labels, _ = json.Marshal(labels)
	return n
}

// where routes one task of job "j" and answers the node's id; empty for none.
func where(g *group, r route, s seek) (string, found) {
	s.handler = "H"
	if s.now.IsZero() {
		s.now, s.since = noon, noon
	}
	f := g.seekLocked(&r, &s)
	if f.node == nil {
		return "", f
	}
	return f.node.row.ID, f
}

func groupOf(nodes ...models.Node) *group {
	g := newGroup(models.NodeGroup{ID: "g", Routing: models.RouteLeastLoaded})
	g.setNodesLocked(nodes)
	g.hydrated = true
	return g
}

func fill(g *group, node string) { g.nodes[node].busy = g.nodes[node].row.Slots }

func TestRoutes(t *testing.T) {
	t.Parallel()
	away := labelled("away", 9, map[string]string{"zone": "a"})
	away.State = models.NodeSuspect
	pin := func(node string, fallback models.PinFallback, after time.Duration) route {
		return route{models.RoutePinned, models.RoutingRule{Node: node, Fallback: fallback, AfterMS: after.Milliseconds()}}
	}
	late := seek{since: noon, now: noon.Add(time.Minute)}
	for name, tt := range map[string]struct {
		route route
		seek  seek
		full  []string
		want  string // id; empty: none
		is    found  // without the node
	}{
		"labels":                              {route: route{models.RouteLabels, models.RoutingRule{Labels: map[string]string{"zone": "b"}}}, want: "b"},
		"labels, all of them":                 {route: route{models.RouteLabels, models.RoutingRule{Labels: map[string]string{"zone": "b", "gpu": "1"}}}, is: found{none: true}},
		"labels, but full":                    {route: route{models.RouteLabels, models.RoutingRule{Labels: map[string]string{"zone": "b"}}}, full: []string{"b"}},
		"sticky":                              {route: route{strategy: models.RouteSticky}, seek: seek{last: "b"}, want: "b"},
		"sticky waits for its node":           {route: route{strategy: models.RouteSticky}, seek: seek{last: "b"}, full: []string{"b"}},
		"sticky, its node is away":            {route: route{strategy: models.RouteSticky}, seek: seek{last: "away"}, want: "a"},
		"sticky, its node is unknown":         {route: route{strategy: models.RouteSticky}, seek: seek{last: "gone"}, want: "a"},
		"sticky, it never ran":                {route: route{strategy: models.RouteSticky}, want: "a"},
		"sticky avoids where it failed":       {route: route{strategy: models.RouteSticky}, seek: seek{last: "a", avoid: "a"}, want: "b"},
		"sticky fails again where it must":    {route: route{strategy: models.RouteSticky}, seek: seek{last: "a", avoid: "a"}, full: []string{"b"}, want: "a"},
		"pinned":                              {route: pin("b", models.PinWait, 0), want: "b"},
		"pinned, even where it failed":        {route: pin("b", models.PinWait, 0), seek: seek{avoid: "b"}, want: "b"},
		"pinned and full":                     {route: pin("b", models.PinAny, 0), full: []string{"b"}},
		"pinned and full, however long":       {route: pin("b", models.PinFail, time.Second), seek: late, full: []string{"b"}},
		"pinned waits":                        {route: pin("away", models.PinWait, 0), seek: late, is: found{none: true}},
		"pinned, any at once":                 {route: pin("away", models.PinAny, 0), want: "a"},
		"pinned, any, not yet":                {route: pin("away", models.PinAny, time.Minute), is: found{none: true, again: noon.Add(time.Minute)}},
		"pinned, any by now":                  {route: pin("away", models.PinAny, time.Minute), seek: late, want: "a"},
		"pinned, any, but all full":           {route: pin("away", models.PinAny, 0), full: []string{"a", "b"}},
		"pinned, fail, not yet":               {route: pin("gone", models.PinFail, 2*time.Minute), seek: late, is: found{none: true, again: noon.Add(2 * time.Minute)}},
		"pinned, fail by now":                 {route: pin("gone", models.PinFail, time.Minute), seek: late, is: found{fail: true}},
		"by key without a key":                {route: route{strategy: models.RouteHash}, want: "a"},
		"least loaded, nobody":                {route: route{strategy: models.RouteLeastLoaded}, full: []string{"a", "b"}},
		"round robin avoids where it failed":  {route: route{strategy: models.RouteRoundRobin}, seek: seek{avoid: "b"}, want: "a"},
		"by chance avoids where it failed":    {route: route{strategy: models.RouteRandom}, seek: seek{avoid: "a"}, want: "b"},
		"least loaded avoids where it failed": {route: route{strategy: models.RouteLeastLoaded}, seek: seek{avoid: "a"}, want: "b"},
	} {
		g := groupOf(labelled("a", 4, map[string]string{"zone": "a"}), labelled("b", 4, map[string]string{"zone": "b"}), away)
		for _, id := range tt.full {
			fill(g, id)
		}
		got, f := where(g, tt.route, tt.seek)
		f.node = nil
		if got != tt.want || f != tt.is {
			t.Errorf("%s: node %q, %+v; want %q, %+v", name, got, f, tt.want, tt.is)
		}
	}
}

// Whatever the strategy, a task goes only to a node that takes new work, has its
// handler and has a free slot; and while such a node is there, only STICKY, PINNED and
// LABELS let a task wait.
func TestRoutesKeepToWhatNodesCan(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := groupOf(drawNodes(t)...)
		for _, n := range g.nodes {
			n.busy = rapid.IntRange(0, n.row.Slots).Draw(t, "busy")
		}
		r := route{strategy: models.Routing(rapid.IntRange(1, int(models.RouteLabels)).Draw(t, "strategy"))}
		r.rule = models.RoutingRule{
			Node: rapid.SampledFrom([]string{"n0", "n1", "none"}).Draw(t, "pin"), Fallback: models.PinFallback(rapid.IntRange(1, 3).Draw(t, "fallback")),
			Labels: map[string]string{"zone": "a"},
		}
		s := seek{
			handler: "H", key: rapid.StringN(0, 3, -1).Draw(t, "key"), since: noon, now: noon,
			last: rapid.SampledFrom([]string{"", "n0", "n1"}).Draw(t, "last"), avoid: rapid.SampledFrom([]string{"", "n0"}).Draw(t, "avoid"),
		}
		free := false
		for _, n := range g.nodes {
			free = free || n.free() > 0 && n.handlers["H"]
		}
		f := g.seekLocked(&r, &s)
		patient := slices.Contains([]models.Routing{models.RouteSticky, models.RoutePinned, models.RouteLabels}, r.strategy)
		switch n := f.node; {
		case n == nil && free && !patient:
			t.Fatalf("%s left the task waiting although a node has room", r.strategy)
		case n == nil:
		case n.row.State != models.NodeOnline || n.row.Draining || !n.handlers["H"] || n.free() == 0:
			t.Fatalf("%s chose a node that cannot take it: %+v", r.strategy, n.row)
		case r.strategy == models.RouteLabels && n.labels["zone"] != "a":
			t.Fatalf("chose a node without the label: %v", n.labels)
		}
	})
}

func drawNodes(t *rapid.T) []models.Node {
	nodes := make([]models.Node, rapid.IntRange(0, 6).Draw(t, "nodes"))
	for i := range nodes {
		nodes[i] = labelled(fmt.Sprintf("n%d", i), rapid.IntRange(1, 3).Draw(t, "slots"), map[string]string{"zone": rapid.SampledFrom([]string{"a", "b"}).Draw(t, "zone")})
		nodes[i].State = models.NodeState(rapid.IntRange(1, 4).Draw(t, "state"))
		nodes[i].Draining = rapid.Bool().Draw(t, "draining")
		if rapid.Bool().Draw(t, "other handler") {
			nodes[i].Handlers = json.RawMessage(`["Other"]`)
		}
	}
	return nodes
}

// Keys spread evenly; when a node goes only its keys move, each to its own next node;
// when it comes back they are where they were, also as a new process. A full node's
// keys go to the next in their own order.
func TestKeysStayWithTheirNodes(t *testing.T) {
	t.Parallel()
	const nodes, keys = 8, 8000
	var rows []models.Node
	for i := range nodes {
		rows = append(rows, onlineNode(fmt.Sprintf("n%d", i), 1, "H"))
	}
	r := route{strategy: models.RouteHash}
	homes := func(g *group) map[string]string {
		all := map[string]string{}
		for i := range keys {
			key := fmt.Sprintf("order-%d", i)
			all[key], _ = where(g, r, seek{key: key})
		}
		return all
	}
	before := homes(groupOf(rows...))
	load := map[string]int{}
	for _, home := range before {
		load[home]++
	}
	for id, n := range load {
		if n < keys/nodes*3/4 || n > keys/nodes*5/4 {
			t.Errorf("%s has %d of %d keys", id, n, keys)
		}
	}
	after := homes(groupOf(rows[1:]...))
	full := groupOf(rows...)
	fill(full, "n0")
	spilled := homes(full)
	next := map[string]int{}
	for key, home := range before {
		if home != "n0" && (after[key] != home || spilled[key] != home) {
			t.Fatalf("%s moved from %s to %s or %s", key, home, after[key], spilled[key])
		}
		if home == "n0" {
			next[after[key]]++
			if after[key] != spilled[key] {
				t.Fatalf("%s goes to %s without its node, and to %s while it is full", key, after[key], spilled[key])
			}
		}
	}
	if len(next) != nodes-1 {
		t.Errorf("the keys of the node that left went to %d nodes: %v", len(next), next)
	}
	rows[0].Incarnation, rows[0].ID = "another process", "zz"
	for key, home := range homes(groupOf(rows...)) {
		if home == "zz" && before[key] != "n0" || home != "zz" && home != before[key] {
			t.Fatalf("%s is at %s after the restart, was at %s", key, home, before[key])
		}
	}
}

func TestKeyOf(t *testing.T) {
	t.Parallel()
	in := store.RouteInput{UniqueKey: "u", Parameters: json.RawMessage(`{"order":{"id": 7,"lines":[{"sku":"x"},null]},"a/b":{"~":"t"},"":1}`)}
	for pointer, want := range map[string]string{
		"": "u", "/order/id": "7", "/order/lines/0/sku": `"x"`, "/order/lines/0": `{"sku":"x"}`, "/order/lines/1": "", "/order/lines/2": "", "/order/lines/-": "",
		"/order/lines/00": "", "/a~1b/~0": `"t"`, "/": "1", "/none": "", "/order/id/deeper": "",
	} {
		if got := keyOf(in, pointer); got != want {
			t.Errorf("%q finds %q, want %q", pointer, got, want)
		}
	}
	if got := keyOf(store.RouteInput{}, "/order"); got != "" {
		t.Errorf("no parameters have the key %q", got)
	}
}

// No document and no pointer makes the search panic or find what is no JSON.
func FuzzPoint(f *testing.F) {
	f.Add(`{"a":[1]}`, "/a/0")
	f.Add(`null`, "/")
	f.Add(`{`, "/~1")
	f.Fuzz(func(t *testing.T, document, pointer string) {
		if value, ok := point(json.RawMessage(document), pointer); ok && !json.Valid(value) {
			t.Errorf("%q in %q finds %q", pointer, document, value)
		}
	})
}
