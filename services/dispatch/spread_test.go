package dispatch

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

func broadcastJob(id string) *models.Job {
	j := allowJob(id)
	j.Routing = new(models.RouteBroadcast)
	return j
}

// childFor is a part, for a node, of a task of a job.
func childFor(id, job, node string) store.Queued {
	q := queued(id, job, models.PriorityNormal, noon)
	q.Child, q.PinnedTo, q.NodeID = true, &node, &node
	return q
}

// A broadcast goes to the nodes that take its work at that instant, full or not, by name.
func TestPlanSpreadsABroadcast(t *testing.T) {
	t.Parallel()
	draining, suspect := onlineNode("d", 9, "H"), onlineNode("s", 9, "H")
	draining.Draining, suspect.State = true, models.NodeSuspect
	full := onlineNode("b", 1, "H")
	p, g := scene{
		nodes: []models.Node{onlineNode("c", 2, "H"), draining, suspect, full, onlineNode("a", 3, "H", "Other"), onlineNode("x", 3, "Other")},
		busy:  []models.Task{{ID: "old", JobID: "k", Attempt: 1, NodeID: new("b"), Incarnation: "run-b"}},
		tasks: []store.Queued{queued("t1", "j", models.PriorityNormal, noon), queued("k1", "k", models.PriorityNormal, noon)},
		jobs:  []*models.Job{broadcastJob("j"), allowJob("k")},
	}.plan(t)
	check(t, "plan", given(p), []string{"k1→a"})
	if len(p.spreads) != 1 || p.empty() {
		t.Fatalf("spreads %v", p.spreads)
	}
	var names []string
	for _, n := range p.spreads[0].Nodes {
		names = append(names, n.Name)
	}
	check(t, "nodes", names, []string{"a", "b", "c"})
	if g.queue.due != 0 {
		t.Errorf("%d due", g.queue.due)
	}
}

func TestPlanBroadcastWithoutANodeWaits(t *testing.T) {
	t.Parallel()
	p, g := scene{
		nodes: []models.Node{onlineNode("x", 3, "Other")}, tasks: []store.Queued{queued("t1", "j", models.PriorityNormal, noon)},
		jobs: []*models.Job{broadcastJob("j")},
	}.plan(t)
	if !p.empty() || g.queue.due != 1 {
		t.Errorf("spreads %v, %d due", p.spreads, g.queue.due)
	}
}

// The limits and overlap rules of a job count what is spread once, and never its parts.
func TestPlanCountsWhatIsSpreadOnce(t *testing.T) {
	t.Parallel()
	limited := broadcastJob("j")
	limited.MaxRunning = new(2)
	parent := models.Task{ID: "p", JobID: "j", Attempt: 1, Shards: new(3)}
	part := models.Task{ID: "c1", JobID: "j", Attempt: 1, ParentID: new("p"), NodeID: new("a"), Incarnation: "run-a"}
	s := scene{
		nodes: []models.Node{onlineNode("a", 9, "H"), onlineNode("b", 9, "H")}, busy: []models.Task{parent, part}, jobs: []*models.Job{limited},
		tasks: []store.Queued{
			childFor("c2", "j", "a"), childFor("c3", "j", "b"),
			queued("t1", "j", models.PriorityNormal, noon), queued("t2", "j", models.PriorityNormal, noon),
		},
	}
	p, g := s.plan(t)
	check(t, "plan", given(p), []string{"c2→a", "c3→b"})
	if len(p.spreads) != 1 || p.spreads[0].TaskID != "t1" || !slices.Equal(p.limits, []store.JobLimit{{JobID: "j", Max: 2, Spread: true}}) {
		t.Errorf("spreads %v, limits %v", p.spreads, p.limits)
	}
	if len(g.running) != 1 || len(g.spread) != 1 || g.perJob["j"] != 1 || g.nodes["a"].busy != 1 {
		t.Errorf("%d run, %d are spread, %d of the job", len(g.running), len(g.spread), g.perJob["j"])
	}
	g.ended(Ended{TaskID: "c1", Attempt: 1})
	g.ended(Ended{TaskID: "p", Attempt: 1})
	if len(g.running)+len(g.spread)+g.perJob["j"] != 0 {
		t.Errorf("after their ends: %v, %v, %v", g.running, g.spread, g.perJob)
	}
	skipping := broadcastJob("j")
	skipping.Concurrency = models.ConcurrencySkip
	s.jobs, s.live = []*models.Job{skipping}, map[string]store.JobLive{"j": {Running: 1, OldestRunning: "p"}}
	p, _ = s.plan(t)
	check(t, "skipping", given(p), []string{"c2→a", "c3→b"})
	check(t, "skipped", p.skips[models.ReasonOverlap], []string{"t1", "t2"})
}

// One full or lost node holds up neither the parts for other nodes nor later runs.
func TestPlanPartsDoNotWaitForOneAnother(t *testing.T) {
	t.Parallel()
	full, suspect := onlineNode("full", 1, "H"), onlineNode("gone", 9, "H")
	suspect.State = models.NodeSuspect
	p, g := scene{
		nodes: []models.Node{full, suspect, onlineNode("b", 9, "H")}, jobs: []*models.Job{broadcastJob("j")},
		busy: []models.Task{{ID: "old", JobID: "k", Attempt: 1, NodeID: new("full"), Incarnation: "run-full"}},
		tasks: []store.Queued{
			childFor("c1", "j", "full"), childFor("c2", "j", "gone"), childFor("c3", "j", "b"), queued("t1", "j", models.PriorityNormal, noon),
			childFor("c4", "j", "full"), childFor("c5", "j", "b"),
		},
	}.plan(t)
	check(t, "plan", given(p), []string{"c3→b", "c5→b"})
	if len(p.spreads) != 1 || len(p.parks) != 0 {
		t.Errorf("spreads %v, parks %v", p.spreads, p.parks)
	}
	check(t, "left", order(&g.queue, takeAll), []string{"c1", "c2", "c4"})
}

func TestChildrenWaitForTheirNode(t *testing.T) {
	t.Parallel()
	const threshold = 15 * time.Second
	node := func(state models.NodeState, seen time.Time, handler string) models.Node {
		n := onlineNode("n", 1, handler)
		n.State, n.LastSeenAt = state, seen
		return n
	}
	drained := node(models.NodeOnline, noon, "H")
	drained.Draining = true
	for name, c := range map[string]struct {
		node  *models.Node // nil: it was removed
		full  bool
		since time.Duration // how long the child has been due
		want  found
		goes  bool
	}{
		"online":                   {node: new(node(models.NodeOnline, noon, "H")), goes: true},
		"full for an hour":         {node: new(node(models.NodeOnline, noon, "H")), full: true, since: time.Hour},
		"suspect":                  {node: new(node(models.NodeSuspect, noon, "H")), since: time.Hour, want: found{none: true}},
		"left just now":            {node: new(node(models.NodeOffline, noon.Add(-time.Second), "H")), since: time.Hour, want: found{none: true, again: noon.Add(14 * time.Second)}},
		"lost":                     {node: new(node(models.NodeOffline, noon.Add(-threshold), "H")), want: found{lost: true}},
		"drained":                  {node: &drained, since: 10 * time.Second, want: found{none: true, again: noon.Add(5 * time.Second)}},
		"drained for long":         {node: &drained, since: threshold, want: found{lost: true}},
		"came back without":        {node: new(node(models.NodeOnline, noon, "Other")), since: time.Second, want: found{none: true, again: noon.Add(14 * time.Second)}},
		"came back without, later": {node: new(node(models.NodeOnline, noon, "Other")), since: time.Minute, want: found{lost: true}},
		"removed":                  {want: found{lost: true}},
	} {
		g := groupOf()
		if c.node != nil {
			g = groupOf(*c.node)
		}
		g.row.HeartbeatMS, g.row.HeartbeatMisses = 5000, 3
		if c.full {
			fill(g, "n")
		}
		q := childFor("c", "j", "n")
		q.AvailableAt = noon.Add(-c.since)
		got := g.childLocked(&q, "H", noon)
		if (got.node != nil) != c.goes {
			t.Errorf("%s: goes %v", name, got.node != nil)
		}
		if got.node = nil; got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// Whatever is taken, held and put aside, nothing is lost, doubled or out of order.
func TestQueueAsides(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := newQueue()
		verdicts := map[string]verdict{}
		var ids []string
		n := rapid.IntRange(0, 20).Draw(t, "n")
		for i := range n {
			id := string(rune('a'+rapid.IntRange(0, 2).Draw(t, "job"))) + string(rune('A'+i))
			ids = append(ids, id)
			verdicts[id] = verdict(rapid.IntRange(0, 2).Draw(t, "verdict"))
			q.put(queued(id, id[:1], models.PriorityNormal, noon), noon)
		}
		taken := order(&q, func(t *store.Queued) verdict { return verdicts[t.ID] })
		held := map[string]bool{}
		for _, id := range ids {
			want := verdicts[id] == take && !held[id[:1]]
			if verdicts[id] == hold {
				held[id[:1]] = true
			}
			if slices.Contains(taken, id) != want {
				t.Fatalf("%s taken: %v, want %v", id, !want, want)
			}
		}
		if q.due != n-len(taken) || len(q.known) != n-len(taken) {
			t.Fatalf("%d due and %d known, but %d of %d are left", q.due, len(q.known), n-len(taken), n)
		}
		left := order(&q, takeAll)
		for _, job := range []string{"a", "b", "c"} {
			var want, got []string
			for _, id := range ids {
				if id[:1] == job && !slices.Contains(taken, id) {
					want = append(want, id)
				}
			}
			for _, id := range left {
				if id[:1] == job {
					got = append(got, id)
				}
			}
			if !slices.Equal(want, got) {
				t.Fatalf("job %s: %v are left, want %v", job, got, want)
			}
		}
	})
}
