package dispatch

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// books is a ledger that counts what is due and keeps what is told of lines.
type books struct {
	fakeLedger
	due     map[string]store.Due
	counts  int
	took    func() // while it counts
	written []models.GroupFlow
	err     error
}

func (b *books) DueTasks(_ context.Context, ids []string, _ time.Time) (map[string]store.Due, error) {
	b.counts++
	if b.took != nil {
		b.took()
	}
	found := map[string]store.Due{}
	for _, id := range ids {
		if d, ok := b.due[id]; ok {
			found[id] = d
		}
	}
	return found, nil
}

func (b *books) WriteGroupFlows(_ context.Context, _ store.Fence, flows []models.GroupFlow) error {
	if b.err != nil {
		return b.err
	}
	b.written = append(b.written, flows...)
	return nil
}

// owns owns every partition.
type owns struct{ lost []int }

func (*owns) Partitions() map[int]int64 {
	all := map[int]int64{}
	for p := range models.Partitions {
		all[p] = 1
	}
	return all
}

func (o *owns) Lost(partitions ...int) { o.lost = append(o.lost, partitions...) }

// listener keeps whose lines have moved.
type listener struct {
	Watcher
	moved int
}

func (l *listener) GroupsFlowed(context.Context, []models.NodeGroup) { l.moved++ }

// lookout is a dispatcher with one group, looked at by hand.
type lookout struct {
	*Dispatcher
	*books
	*listener
	owner *owns
	clock *movingClock
	g     *group
}

func newLookout(row models.NodeGroup, nodes ...models.Node) *lookout {
	l := &lookout{books: &books{due: map[string]store.Due{}}, listener: &listener{}, owner: &owns{}, clock: &movingClock{now: noon}}
	l.Dispatcher = New(Config{
		Ledger: l.books, Jobs: fakeJobs{"j": allowJob("j")}, Owner: l.owner, Watcher: l.listener, Clock: l.clock, Logger: slog.New(slog.DiscardHandler),
	})
	row.ID, row.Routing = "g", models.RouteLeastLoaded
	l.g = newGroup(row)
	l.g.limiter.set(row.ReleaseRate, row.ReleaseBurst)
	l.g.setNodesLocked(nodes)
	l.g.hydrated = true
	l.groups["g"] = l.g
	return l
}

// look lets a second pass, plans, and answers what was told of the line; nil for nothing.
func (l *lookout) look(t *testing.T) *models.GroupFlow {
	t.Helper()
	l.clock.now = l.clock.now.Add(time.Second)
	if _, err := l.plan(t.Context(), l.g); err != nil {
		t.Fatal(err)
	}
	l.written = nil
	if err := l.report(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(l.written) == 0 {
		return nil
	}
	return &l.written[0]
}

// wait queues n tasks of job j that have been due since an instant.
func (l *lookout) wait(n int64, since time.Time) {
	l.due["g"] = store.Due{Tasks: n, Oldest: since}
	l.g.queue.put(queued("t", "j", models.PriorityNormal, since), l.clock.now)
}

// Each thing that can hold a line up is named, and nothing is late by it; what nothing
// holds up is late.
func TestWhatHoldsALineUp(t *testing.T) {
	t.Parallel()
	one, node := 1, onlineNode("a", 1, "H")
	running := models.Task{ID: "r", JobID: "j", Attempt: 1, NodeID: &node.ID, Incarnation: node.Incarnation}
	away := node
	away.State = models.NodeSuspect
	for name, tt := range map[string]struct {
		row   models.NodeGroup
		node  models.Node
		busy  bool
		rule  models.Concurrency
		limit models.GroupLimit
		late  time.Duration
	}{
		"no node":                {node: away, limit: models.LimitNoNodes},
		"no node with a handler": {node: onlineNode("a", 1, "Other"), limit: models.LimitNoNodes},
		"slots":                  {node: node, busy: true, limit: models.LimitSlots},
		"maxRunning":             {row: models.NodeGroup{MaxRunning: &one}, node: onlineNode("a", 9, "H"), busy: true, limit: models.LimitMaxRunning},
		"the release rate":       {row: models.NodeGroup{ReleaseRate: &one}, node: node, limit: models.LimitReleaseRate},
		"the job":                {node: onlineNode("a", 9, "H"), busy: true, rule: models.ConcurrencyQueue, limit: models.LimitJobs},
		"nothing":                {node: node, late: 3 * time.Second},
	} {
		l := newLookout(tt.row, tt.node)
		job := allowJob("j")
		if tt.rule != 0 {
			job.Concurrency = tt.rule
			l.cfg.Ledger = &struct {
				*books
				liveOne
			}{books: l.books}
		}
		l.cfg.Jobs = fakeJobs{"j": job}
		if tt.busy {
			l.g.addLocked(running, noon)
		}
		if tt.limit == models.LimitReleaseRate {
			l.g.limiter.took(noon.Add(900*time.Millisecond), 1)
			l.g.limiter.tokens = 0
		}
		l.wait(4, noon.Add(-2*time.Second))
		if tt.limit == 0 { // its pass hangs: planned, and not yet written
			l.clock.now = noon.Add(time.Second)
			if err := l.report(t.Context()); err != nil {
				t.Fatal(err)
			}
		} else {
			l.look(t)
		}
		got := l.written[0]
		if got.LimitedBy != tt.limit || got.Due != 4 || time.Duration(got.LateMS)*time.Millisecond != tt.late || !got.OldestDueAt.Equal(noon.Add(-2*time.Second)) {
			t.Errorf("%s: limited by %s, %d due since %v, late %d ms", name, got.LimitedBy, got.Due, got.OldestDueAt, got.LateMS)
		}
	}
}

// liveOne says that one task of each job runs.
type liveOne struct{}

func (liveOne) JobLive(_ context.Context, ids []string) (map[string]store.JobLive, error) {
	live := map[string]store.JobLive{}
	for _, id := range ids {
		live[id] = store.JobLive{Running: 1}
	}
	return live, nil
}

// A group in which nothing happens costs nothing: neither a count nor a write. One
// with a line is told of each second, and once more when the line is gone.
func TestOnlyLinesAreTold(t *testing.T) {
	t.Parallel()
	l := newLookout(models.NodeGroup{}, onlineNode("a", 1, "H"))
	if got := l.look(t); got != nil || l.counts != 0 || l.moved != 0 {
		t.Errorf("an idle group was told: %+v; %d counts, %d hints", got, l.counts, l.moved)
	}
	l.wait(3, noon)
	for range 2 {
		if got := l.look(t); got == nil || got.Due != 3 {
			t.Fatalf("the line was not told: %+v", got)
		}
	}
	delete(l.due, "g")
	l.g.queue = newQueue()
	got := l.look(t)
	if got == nil {
		t.Fatal("the end of the line was not told")
	}
	zero := int64(0)
	if diff := cmp.Diff(models.GroupFlow{GroupID: "g", At: l.clock.now, DrainsInMS: &zero}, *got); diff != "" {
		t.Errorf("the end of the line (-want +got):\n%s", diff)
	}
	counts := l.counts
	if got := l.look(t); got != nil || l.counts != counts {
		t.Errorf("told again: %+v", got)
	}
}

// Counting a long line takes at most a twentieth of the time; meanwhile what was
// dispatched is taken off the count.
func TestCountingIsBounded(t *testing.T) {
	t.Parallel()
	l := newLookout(models.NodeGroup{}, onlineNode("a", 1, "H"))
	l.wait(1000, noon)
	l.took = func() { l.clock.now = l.clock.now.Add(200 * time.Millisecond) }
	l.look(t)
	l.g.flow.released(30, l.clock.now)
	if got := l.look(t); l.counts != 1 || got.Due != 970 || got.Released != 0 {
		t.Errorf("%d counts, %d due, %d released within the last second", l.counts, got.Due, got.Released)
	}
	for range 3 {
		l.look(t)
	}
	if l.counts != 2 {
		t.Errorf("%d counts within five seconds", l.counts)
	}
}

// A deposed owner tells nothing and says so; after another error all is told again.
func TestFlowsThatCouldNotBeWritten(t *testing.T) {
	t.Parallel()
	l := newLookout(models.NodeGroup{}, onlineNode("a", 1, "H"))
	l.wait(2, noon)
	l.err = &store.DeposedError{Partitions: []int{7}}
	if l.look(t) != nil || len(l.owner.lost) != 1 || l.owner.lost[0] != 7 {
		t.Errorf("lost %v", l.owner.lost)
	}
	l.err = nil
	if l.look(t) == nil {
		t.Error("it was not told again")
	}
}
