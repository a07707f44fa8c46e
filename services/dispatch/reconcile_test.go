package dispatch

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// nodeWorld is a ledger, a courier and an ender that write down what they get.
type nodeWorld struct {
	Ledger
	rows      map[string]models.Task
	assigned  []wire.AttemptRef
	cancelled []wire.AttemptRef
	ended     []store.AttemptEnd
}

func (w *nodeWorld) AssignmentRows(_ context.Context, ids []string) ([]models.Task, error) {
	var rows []models.Task
	for _, id := range ids {
		if t, ok := w.rows[id]; ok {
			rows = append(rows, t)
		}
	}
	return rows, nil
}

func (w *nodeWorld) Assign(_ context.Context, _ models.Node, work []wire.Assignment) {
	for _, a := range work {
		w.assigned = append(w.assigned, wire.AttemptRef{Task: a.Task, Attempt: a.Attempt})
	}
}

func (w *nodeWorld) Cancel(_ context.Context, _ models.Node, cancels []wire.Cancel) {
	for _, c := range cancels {
		w.cancelled = append(w.cancelled, c.AttemptRef)
	}
}

func (w *nodeWorld) EndFenced(_ context.Context, fence store.Fence, ends []store.AttemptEnd) ([]store.EndResult, error) {
	w.ended = append(w.ended, ends...)
	results := make([]store.EndResult, len(ends))
	for i := range results {
		results[i] = store.EndResult{Status: store.Ended, Task: models.Task{State: models.TaskRetrying}}
	}
	return results, nil
}

type owner map[int]int64

func (o owner) Partitions() map[int]int64 { return o }
func (o owner) Lost(...int)               {}

// meeting is a dispatcher that has given attempts to node n.
func meeting(t *testing.T, attempts ...models.Task) (*nodeWorld, *Dispatcher, *movingClock, models.Node) {
	t.Helper()
	w := &nodeWorld{rows: map[string]models.Task{}}
	clock := &movingClock{now: noon}
	d := New(Config{
		Ledger: w, Jobs: fakeJobs{"j": allowJob("j")}, Courier: w, Ender: w, Owner: owner{3: 1},
		Clock: clock, Logger: slog.New(slog.DiscardHandler),
	})
	g := newGroup(models.NodeGroup{ID: "g", Partition: 3, HeartbeatMS: 5000})
	g.timer = time.NewTimer(time.Hour)
	t.Cleanup(func() { g.timer.Stop() })
	d.groups["g"] = g
	n := onlineNode("n", 10, "H")
	n.GroupID = "g"
	g.setNodesLocked([]models.Node{n})
	for _, a := range attempts {
		a.JobID, a.GroupID, a.State, a.NodeID, a.Incarnation = "j", "g", models.TaskRunning, new("n"), n.Incarnation
		w.rows[a.ID] = a
		g.addLocked(a, noon)
	}
	clock.now = noon.Add(time.Minute) // long under way
	return w, d, clock, n
}

func ref(id string, attempt int) wire.AttemptRef { return wire.AttemptRef{Task: id, Attempt: attempt} }

func holds(t *testing.T, d *Dispatcher, n models.Node, held ...wire.AttemptRef) {
	t.Helper()
	if owned, err := d.Holds(t.Context(), n, held); err != nil || !owned {
		t.Fatalf("owned %v, %v", owned, err)
	}
}

// An attempt that its node never names is pushed again at the first heartbeat and
// taken back at the third; one that is named is left alone.
func TestAttemptsThatNeverArrived(t *testing.T) {
	t.Parallel()
	w, d, _, n := meeting(t, models.Task{ID: "a", Attempt: 1}, models.Task{ID: "b", Attempt: 2})
	holds(t, d, n, ref("a", 1))
	if diff := cmp.Diff([]wire.AttemptRef{ref("b", 2)}, w.assigned); diff != "" {
		t.Errorf("pushed again (-want +got):\n%s", diff)
	}
	holds(t, d, n, ref("a", 1))
	if len(w.assigned) != 1 || len(w.ended) != 0 {
		t.Errorf("second heartbeat: pushed %v, ended %v", w.assigned, w.ended)
	}
	holds(t, d, n, ref("a", 1))
	if len(w.ended) != 1 || w.ended[0].TaskID != "b" || w.ended[0].Attempt != 2 || w.ended[0].Outcome != models.OutcomeReleased {
		t.Errorf("taken back: %+v", w.ended)
	}
	holds(t, d, n, ref("a", 1)) // it has left memory
	if len(w.ended) != 1 || len(w.cancelled) != 0 {
		t.Errorf("fourth heartbeat: ended %v, cancelled %v", w.ended, w.cancelled)
	}
}

func TestAnArrivalInBetweenForgivesMisses(t *testing.T) {
	t.Parallel()
	w, d, _, n := meeting(t, models.Task{ID: "a", Attempt: 1})
	for range 5 {
		holds(t, d, n)
		holds(t, d, n, ref("a", 1))
	}
	if len(w.ended) != 0 {
		t.Errorf("ended %+v", w.ended)
	}
}

// A heartbeat that crossed the push on the wire says nothing about it.
func TestFreshAttemptsAreNotMissed(t *testing.T) {
	t.Parallel()
	w, d, clock, n := meeting(t, models.Task{ID: "a", Attempt: 1})
	clock.now = noon.Add(4 * time.Second)
	for range 5 {
		holds(t, d, n)
	}
	if len(w.assigned)+len(w.ended) != 0 {
		t.Errorf("pushed %v, ended %v", w.assigned, w.ended)
	}
}

// What a node holds and the ledger gives to nobody, to another attempt or to
// another process is cancelled there; what has just ended well is not.
func TestAttemptsThatAreNotTheNodes(t *testing.T) {
	t.Parallel()
	w, d, _, n := meeting(t, models.Task{ID: "mine", Attempt: 1})
	put := func(id string, change func(*models.Task)) {
		row := models.Task{ID: id, JobID: "j", State: models.TaskSucceeded, Attempt: 1, Incarnation: n.Incarnation, Outcome: models.OutcomeSucceeded}
		change(&row)
		w.rows[id] = row
	}
	put("ended", func(*models.Task) {})
	put("newer", func(t *models.Task) { t.Attempt, t.State, t.Outcome = 2, models.TaskRunning, 0 })
	put("elsewhere", func(t *models.Task) { t.Incarnation, t.State, t.Outcome = "run-m", models.TaskRunning, 0 })
	put("lost", func(t *models.Task) { t.State, t.Outcome = models.TaskRetrying, models.OutcomeLost })
	put("timed-out", func(t *models.Task) { t.State, t.Outcome = models.TaskFailed, models.OutcomeTimedOut })
	put("just-given", func(t *models.Task) { t.State, t.Outcome = models.TaskRunning, 0 }) // memory will learn of it
	holds(t, d, n, ref("mine", 1), ref("ended", 1), ref("newer", 1), ref("elsewhere", 1), ref("lost", 1), ref("timed-out", 1), ref("just-given", 1), ref("unheard", 1))
	want := []wire.AttemptRef{ref("newer", 1), ref("elsewhere", 1), ref("lost", 1), ref("timed-out", 1), ref("unheard", 1)}
	if diff := cmp.Diff(want, w.cancelled); diff != "" {
		t.Errorf("cancelled (-want +got):\n%s", diff)
	}
}

func TestHoldsIsTheOwnersBusiness(t *testing.T) {
	t.Parallel()
	_, d, _, n := meeting(t)
	other := n
	other.GroupID = "unknown"
	if owned, err := d.Holds(t.Context(), other, nil); owned || err != nil {
		t.Errorf("an unknown group: %v, %v", owned, err)
	}
	d.cfg.Owner = owner{}
	if owned, err := d.Holds(t.Context(), n, nil); owned || err != nil {
		t.Errorf("a lost partition: %v, %v", owned, err)
	}
}

// Snapshot tells the rescue which attempts have no process any more.
func TestSnapshotKnowsGoneNodes(t *testing.T) {
	t.Parallel()
	_, d, _, n := meeting(t, models.Task{ID: "a", Attempt: 1})
	gone := func() bool { return d.Snapshot()[0].NodeGone }
	if gone() {
		t.Error("its node is there")
	}
	g := d.groups["g"]
	for name, change := range map[string]func(*models.Node){
		"offline":       func(n *models.Node) { n.State = models.NodeOffline },
		"a new process": func(n *models.Node) { n.Incarnation = "run-2" },
	} {
		row := n
		change(&row)
		g.setNodesLocked([]models.Node{row})
		if !gone() {
			t.Errorf("%s: the attempt still has a node", name)
		}
	}
	g.setNodesLocked(nil)
	if !gone() {
		t.Error("removed: the attempt still has a node")
	}
	if !slices.Contains([]int{3}, d.Snapshot()[0].Partition) {
		t.Error("the partition is not told")
	}
}
