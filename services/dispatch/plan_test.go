package dispatch

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

type fixedClock struct{ now time.Time }

func (c fixedClock) Now() time.Time { return c.now }

type fakeJobs map[string]*models.Job

func (f fakeJobs) Jobs(context.Context, []string) (map[string]*models.Job, error) { return f, nil }

func (f fakeJobs) Warm(context.Context, []string, time.Duration) error { return nil }

// fakeLedger answers how many tasks of the jobs are live; planning reads no more.
type fakeLedger struct {
	Ledger
	live map[string]store.JobLive
}

func (f fakeLedger) JobLive(context.Context, []string) (map[string]store.JobLive, error) {
	return f.live, nil
}

func onlineNode(id string, slots int, handlers ...string) models.Node {
	return models.Node{
		ID: id, Name: id, Incarnation: "run-" + id, State: models.NodeOnline, Slots: slots,
		Handlers: []byte(`["` + strings.Join(handlers, `","`) + `"]`),
	}
}

func allowJob(id string) *models.Job {
	return &models.Job{ID: id, Name: id, Handler: "H", Concurrency: models.ConcurrencyAllow}
}

// scene is one planning: a group with nodes, due tasks and jobs.
type scene struct {
	nodes []models.Node
	row   models.NodeGroup
	tasks []store.Queued
	jobs  []*models.Job
	live  map[string]store.JobLive
	busy  []models.Task // running already
}

func (s scene) plan(t *testing.T) (*plan, *group) {
	t.Helper()
	s.row.ID = "g"
	if s.row.Routing == 0 {
		s.row.Routing = models.RouteLeastLoaded
	}
	jobs := fakeJobs{}
	for _, j := range s.jobs {
		jobs[j.ID] = j
	}
	d := New(Config{Ledger: fakeLedger{live: s.live}, Jobs: jobs, Clock: fixedClock{noon}, Logger: slog.New(slog.DiscardHandler)})
	g := newGroup(s.row)
	g.limiter.set(s.row.ReleaseRate, s.row.ReleaseBurst)
	g.setNodesLocked(s.nodes)
	g.hydrated = true
	for i := range s.busy {
		g.addLocked(s.busy[i], noon)
	}
	for _, q := range s.tasks {
		g.queue.put(q, noon)
	}
	p, err := d.plan(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return p, g
}

// given lists task→node of a plan.
func given(p *plan) []string {
	var out []string
	for _, item := range p.items {
		out = append(out, item.TaskID+"→"+item.NodeID)
	}
	return out
}

func check(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestPlanSpreadsByLoadAndStopsAtSlots(t *testing.T) {
	t.Parallel()
	var tasks []store.Queued
	for _, id := range []string{"t1", "t2", "t3", "t4", "t5"} {
		tasks = append(tasks, queued(id, "j", models.PriorityNormal, noon))
	}
	p, _ := scene{
		nodes: []models.Node{onlineNode("a", 1, "H"), onlineNode("b", 3, "H")}, tasks: tasks, jobs: []*models.Job{allowJob("j")},
	}.plan(t)
	check(t, "plan", given(p), []string{"t1→a", "t2→b", "t3→b", "t4→b"})
}

func TestPlanSkipsNodesThatCannot(t *testing.T) {
	t.Parallel()
	suspect, draining := onlineNode("s", 9, "H"), onlineNode("d", 9, "H")
	suspect.State, draining.Draining = models.NodeSuspect, true
	p, g := scene{
		nodes: []models.Node{suspect, draining, onlineNode("x", 9, "Other")},
		tasks: []store.Queued{queued("t1", "j", models.PriorityNormal, noon)}, jobs: []*models.Job{allowJob("j")},
	}.plan(t)
	if !p.empty() || g.queue.due != 1 {
		t.Errorf("planned %v; %d due", given(p), g.queue.due)
	}
}

func TestPlanKeepsTheGroupsAndTheJobsLimit(t *testing.T) {
	t.Parallel()
	limited := allowJob("j")
	limited.MaxRunning = new(2)
	most := 3
	p, _ := scene{
		row: models.NodeGroup{MaxRunning: &most}, nodes: []models.Node{onlineNode("a", 9, "H")},
		tasks: []store.Queued{
			queued("j1", "j", models.PriorityHigh, noon), queued("j2", "j", models.PriorityHigh, noon),
			queued("k1", "k", models.PriorityNormal, noon), queued("k2", "k", models.PriorityNormal, noon),
		},
		jobs: []*models.Job{limited, allowJob("k")},
		busy: []models.Task{{ID: "old", JobID: "j", Attempt: 1}},
	}.plan(t)
	check(t, "plan", given(p), []string{"j1→a", "k1→a"})
	if len(p.limits) != 1 || p.limits[0] != (store.JobLimit{JobID: "j", Max: 2}) {
		t.Errorf("limits %v", p.limits)
	}
}

func TestPlanReleaseRate(t *testing.T) {
	t.Parallel()
	perSecond := 2
	var tasks []store.Queued
	for _, id := range []string{"t1", "t2", "t3"} {
		tasks = append(tasks, queued(id, "j", models.PriorityNormal, noon))
	}
	p, _ := scene{
		row: models.NodeGroup{ReleaseRate: &perSecond}, nodes: []models.Node{onlineNode("a", 9, "H")},
		tasks: tasks, jobs: []*models.Job{allowJob("j")},
	}.plan(t)
	check(t, "plan", given(p), []string{"t1→a", "t2→a"})
}

func TestPlanRetryAvoidsTheNodeThatFailed(t *testing.T) {
	t.Parallel()
	retry := queued("t1", "j", models.PriorityNormal, noon)
	retry.State, retry.Attempt, retry.NodeID = models.TaskRetrying, 1, new("a")
	s := scene{nodes: []models.Node{onlineNode("a", 9, "H"), onlineNode("b", 1, "H")}, tasks: []store.Queued{retry}, jobs: []*models.Job{allowJob("j")}}
	p, _ := s.plan(t)
	check(t, "another node has room", given(p), []string{"t1→b"})
	s.nodes = s.nodes[:1]
	p, _ = s.plan(t)
	check(t, "no other node", given(p), []string{"t1→a"})
}

// overlapping has two firings of one job due while `live` says what runs.
func overlapping(policy models.Concurrency, live store.JobLive) scene {
	j := allowJob("j")
	j.Concurrency = policy
	first, second := queued("f1", "j", models.PriorityNormal, noon), queued("f2", "j", models.PriorityNormal, noon)
	first.Trigger, second.Trigger = models.TriggerCron, models.TriggerCron
	return scene{
		nodes: []models.Node{onlineNode("a", 9, "H")}, tasks: []store.Queued{first, second}, jobs: []*models.Job{j},
		live: map[string]store.JobLive{"j": live},
	}
}

func TestPlanOverlap(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		scene            scene
		given            []string
		overlap, newer   []string
		replaces, queued int
	}{
		"skip, idle":       {overlapping(models.ConcurrencySkip, store.JobLive{}), []string{"f1→a"}, []string{"f2"}, nil, 0, 0},
		"skip, running":    {overlapping(models.ConcurrencySkip, store.JobLive{Running: 1}), nil, []string{"f1", "f2"}, nil, 0, 0},
		"skip, retrying":   {overlapping(models.ConcurrencySkip, store.JobLive{Retrying: 1}), nil, []string{"f1", "f2"}, nil, 0, 0},
		"queue, idle":      {overlapping(models.ConcurrencyQueue, store.JobLive{}), []string{"f2→a"}, nil, []string{"f1"}, 0, 0},
		"queue, running":   {overlapping(models.ConcurrencyQueue, store.JobLive{Running: 1}), nil, nil, []string{"f1"}, 0, 1},
		"replace, idle":    {overlapping(models.ConcurrencyReplace, store.JobLive{}), []string{"f2→a"}, nil, []string{"f1"}, 0, 0},
		"replace, running": {overlapping(models.ConcurrencyReplace, store.JobLive{Running: 1}), nil, nil, []string{"f1"}, 1, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, g := tt.scene.plan(t)
			check(t, "given", given(p), tt.given)
			check(t, "skipped for overlap", p.skips[models.ReasonOverlap], tt.overlap)
			check(t, "taken over by a newer one", p.skips[models.ReasonCoalesced], tt.newer)
			if len(p.replaces) != tt.replaces || g.queue.due != tt.queued {
				t.Errorf("replaces %v, %d still queued; want %d and %d", p.replaces, g.queue.due, tt.replaces, tt.queued)
			}
		})
	}
}

// The priority of a job was changed between two of its firings: one of them waits all
// the same, the newer (CB-041).
func TestPlanCoalescesAcrossPriorities(t *testing.T) {
	t.Parallel()
	for name, priorities := range map[string][2]models.Priority{
		"raised": {models.PriorityNormal, models.PriorityHigh}, "lowered": {models.PriorityHigh, models.PriorityNormal},
	} {
		s := overlapping(models.ConcurrencyQueue, store.JobLive{Running: 1})
		for i := range s.tasks {
			s.tasks[i].Priority = priorities[i]
		}
		p, g := s.plan(t)
		check(t, name, p.skips[models.ReasonCoalesced], []string{"f1"})
		if g.queue.due != 1 {
			t.Errorf("%s: %d wait", name, g.queue.due)
		}
	}
}

func TestPlanNeverMergesWhatPeopleAskedFor(t *testing.T) {
	t.Parallel()
	s := overlapping(models.ConcurrencyQueue, store.JobLive{Running: 1})
	for i := range s.tasks {
		s.tasks[i].Trigger = models.TriggerAPI
	}
	p, g := s.plan(t)
	if !p.empty() || g.queue.due != 2 {
		t.Errorf("skips %v, %d queued: both must wait", p.skips, g.queue.due)
	}
}

func TestReplaceIsAskedForOncePerFiring(t *testing.T) {
	t.Parallel()
	s := overlapping(models.ConcurrencyReplace, store.JobLive{Running: 1})
	p, g := s.plan(t)
	if p.replaces["j"] != "f2" {
		t.Fatalf("replaces %v, want f2", p.replaces)
	}
	jobs := fakeJobs{"j": s.jobs[0]}
	d := New(Config{Ledger: fakeLedger{live: s.live}, Jobs: jobs, Clock: fixedClock{noon}, Logger: slog.New(slog.DiscardHandler)})
	again, err := d.plan(t.Context(), g)
	if err != nil || !again.empty() {
		t.Errorf("asked again: %v, %v", again.replaces, err)
	}
}

func TestEndedFreesTheSlotOfThatAttemptOnly(t *testing.T) {
	t.Parallel()
	g := newGroup(models.NodeGroup{ID: "g"})
	g.setNodesLocked([]models.Node{onlineNode("a", 2, "H")})
	id := "a"
	g.addLocked(models.Task{ID: "t", JobID: "j", Attempt: 2, NodeID: &id, Incarnation: "run-a"}, noon)
	g.ended(Ended{TaskID: "t", Attempt: 1, State: models.TaskRetrying}) // of the attempt before
	if g.freeSlotsLocked() != 1 {
		t.Error("an older attempt's end freed the slot")
	}
	g.ended(Ended{TaskID: "t", Attempt: 2, State: models.TaskSucceeded})
	if g.freeSlotsLocked() != 2 || len(g.running) != 0 || len(g.perJob) != 0 {
		t.Errorf("free %d, running %d, per job %v", g.freeSlotsLocked(), len(g.running), g.perJob)
	}
}
