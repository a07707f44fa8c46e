package dispatch

import (
	"testing"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// A node runs no more of a handler than it said, under all of the handler's names,
// and its other slots stay free for others.
func TestPlanKeepsSlotsOfAHandler(t *testing.T) {
	t.Parallel()
	limited := onlineNode("a", 9, "New", "Old", "Free")
	limited.HandlerSlots = []byte(`[{"handlers":["New","Old"],"slots":2}]`)
	jobs := []*models.Job{allowJob("new"), allowJob("old"), allowJob("free")}
	jobs[0].Handler, jobs[1].Handler, jobs[2].Handler = "New", "Old", "Free"
	tasks := []store.Queued{
		queued("n1", "new", models.PriorityNormal, noon), queued("n2", "new", models.PriorityNormal, noon),
		queued("o1", "old", models.PriorityNormal, noon),
		queued("f1", "free", models.PriorityNormal, noon), queued("f2", "free", models.PriorityNormal, noon),
	}
	a := "a"
	running := func(id, job string) models.Task {
		return models.Task{ID: id, JobID: job, Attempt: 1, NodeID: &a, Incarnation: "run-a"}
	}
	for name, c := range map[string]struct {
		busy  []models.Task
		other bool // there is a second node without limits
		given int
		of    map[string]int // by job
	}{
		"idle":              {nil, false, 4, map[string]int{"free": 2}},
		"one runs":          {[]models.Task{running("r", "old")}, false, 3, map[string]int{"free": 2}},
		"full":              {[]models.Task{running("r", "old"), running("s", "new")}, false, 2, map[string]int{"free": 2, "new": 0, "old": 0}},
		"others run":        {[]models.Task{running("r", "free"), running("s", "free")}, false, 4, map[string]int{"free": 2}},
		"another has room":  {[]models.Task{running("r", "old"), running("s", "new")}, true, 5, map[string]int{"free": 2, "new": 2, "old": 1}},
		"gone job that ran": {[]models.Task{running("r", "deleted")}, false, 4, map[string]int{"free": 2}},
	} {
		nodes := []models.Node{limited}
		if c.other {
			nodes = append(nodes, onlineNode("b", 9, "New", "Old"))
		}
		p, g := scene{nodes: nodes, tasks: tasks, jobs: jobs, busy: c.busy}.plan(t)
		of := map[string]int{}
		for _, item := range p.items {
			for _, q := range tasks {
				if q.ID == item.TaskID {
					of[q.JobID]++
				}
			}
		}
		if len(p.items) != c.given {
			t.Errorf("%s: planned %v", name, given(p))
		}
		for job, want := range c.of {
			if of[job] != want {
				t.Errorf("%s: %d of job %s, planned %v", name, of[job], job, given(p))
			}
		}
		if g.queue.due != len(tasks)-c.given {
			t.Errorf("%s: %d wait", name, g.queue.due)
		}
	}
}

func TestSlotsOfLingeringHandlersAreTaken(t *testing.T) {
	t.Parallel()
	n := onlineNode("a", 3, "H")
	n.Lingering = 2
	p, _ := scene{
		nodes: []models.Node{n}, jobs: []*models.Job{allowJob("j")},
		tasks: []store.Queued{queued("t1", "j", models.PriorityNormal, noon), queued("t2", "j", models.PriorityNormal, noon)},
	}.plan(t)
	check(t, "plan", given(p), []string{"t1→a"})
}

func TestABrokenListOfSlotsLimitsNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "null", "[]", "{", `[{"slots":"many"}]`} {
		if pools := poolsOf([]byte(text)); len(pools) != 0 {
			t.Errorf("%q: %v", text, pools)
		}
	}
}
