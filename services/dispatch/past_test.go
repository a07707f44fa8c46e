package dispatch

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// longQueue is a ledger whose group has a long queue.
type longQueue struct {
	fakeLedger
	tasks []store.Queued
	reads int
}

func (l *longQueue) QueuedTasks(_ context.Context, _ string, _ time.Time, limit int, except []string) ([]store.Queued, error) {
	l.reads++
	var out []store.Queued
	for _, t := range l.tasks {
		if len(out) < limit && !slices.Contains(except, t.JobID) {
			out = append(out, t)
		}
	}
	return out, nil
}

type movingClock struct{ now time.Time }

func (c *movingClock) Now() time.Time { return c.now }

// A head of the queue that only waits must not keep other jobs' tasks back,
// however long it is.
func TestOtherJobsPassABlockedHead(t *testing.T) {
	t.Parallel()
	l := &longQueue{}
	one := 1
	jobs := fakeJobs{"free": allowJob("free")}
	var busy []models.Task
	for i := range 22 {
		j := allowJob(fmt.Sprintf("limited-%02d", i))
		j.MaxRunning = &one
		jobs[j.ID] = j
		busy = append(busy, models.Task{ID: "r-" + j.ID, JobID: j.ID, Attempt: 1})
		for n := range perRead / 2 {
			l.tasks = append(l.tasks, queued(fmt.Sprintf("%s-%05d", j.ID, n), j.ID, models.PriorityNormal, noon))
		}
	}
	l.tasks = append(l.tasks, queued("x", "free", models.PriorityNormal, noon))
	clock := &movingClock{now: noon}
	d := New(Config{Ledger: l, Jobs: jobs, Clock: clock, Logger: slog.New(slog.DiscardHandler)})
	g := newGroup(models.NodeGroup{ID: "g", Routing: models.RouteLeastLoaded})
	g.limiter.set(nil, nil)
	g.setNodesLocked([]models.Node{onlineNode("a", 100, "H")})
	for i := range busy {
		busy[i].NodeID, busy[i].Incarnation = new("a"), "run-a"
		g.addLocked(busy[i], noon)
	}
	for range 100 {
		if err := d.read(t.Context(), g); err != nil {
			t.Fatal(err)
		}
		p, err := d.plan(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.items) > 0 {
			check(t, "plan", given(p), []string{"x→a"})
			if len(g.queue.known) > mostKnown+perRead/2 {
				t.Errorf("%d tasks in memory", len(g.queue.known))
			}
			return
		}
		before := l.reads
		if found, err := d.readPast(t.Context(), g, p); err != nil || found != (l.reads > before) {
			t.Fatalf("found %v, %v", found, err)
		}
		if g.pastWanted { // as the pass rests
			clock.now = g.pastTill
		}
	}
	t.Error("the free job's task was never chosen")
}
