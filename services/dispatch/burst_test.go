package dispatch

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// crowd is a ledger with many tasks that are due at once.
type crowd struct {
	*books
	clock   *movingClock
	row     models.NodeGroup
	node    models.Node
	waiting []store.Queued
	at      map[string]int    // place in waiting
	begun   map[string]int    // how often each task was dispatched
	starts  map[time.Time]int // how many were dispatched at each instant
	running []models.Task     // dispatched and not ended
}

func (c *crowd) QueuedTasks(_ context.Context, _ string, horizon time.Time, limit int, _ []string) ([]store.Queued, error) {
	var out []store.Queued
	read := map[models.Priority]int{}
	for _, q := range c.waiting {
		if read[q.Priority] < limit && c.begun[q.ID] == 0 && !q.AvailableAt.After(horizon) {
			read[q.Priority]++
			out = append(out, q)
		}
	}
	return out, nil
}

func (c *crowd) DispatchTasks(_ context.Context, _ store.Fence, at time.Time, items []store.Dispatch, _ []store.JobLimit) ([]models.Task, []string, error) {
	tasks := make([]models.Task, len(items))
	for i, item := range items {
		c.begun[item.TaskID]++
		c.starts[at]++
		q := c.waiting[c.at[item.TaskID]]
		tasks[i] = models.Task{ID: q.ID, JobID: q.JobID, GroupID: "g", Attempt: 1, NodeID: &item.NodeID, Incarnation: item.Incarnation, State: models.TaskRunning}
	}
	c.running = append(c.running, tasks...)
	return tasks, nil, nil
}

func (c *crowd) DueTasks(context.Context, []string, time.Time) (map[string]store.Due, error) {
	d := store.Due{}
	for _, q := range c.waiting {
		if c.begun[q.ID] == 0 && !q.AvailableAt.After(c.clock.now) {
			d.Tasks++
			d.Oldest = q.AvailableAt
		}
	}
	return map[string]store.Due{"g": d}, nil
}

func (c *crowd) RunningTasks(context.Context, []string) ([]models.Task, error) { return c.running, nil }
func (c *crowd) Group(context.Context, string) (models.NodeGroup, error)       { return c.row, nil }
func (c *crowd) Nodes(context.Context, string) ([]models.Node, error) {
	return []models.Node{c.node}, nil
}

func (c *crowd) UpstreamResults(context.Context, []string, int) (map[string][]models.UpstreamResult, error) {
	return nil, nil
}

// quietWatcher and noCourier take everything and do nothing.
type quietWatcher struct{ Watcher }

func (quietWatcher) TasksDispatched(context.Context, []models.Task)   {}
func (quietWatcher) GroupsFlowed(context.Context, []models.NodeGroup) {}

type noCourier struct{ Courier }

func (noCourier) Assign(context.Context, models.Node, []wire.Assignment) {}

// Ten thousand fires at one second within a release rate: none is lost or doubled, no
// window of one second has more than the rate, and the line shows how long it lasts.
func TestABurstGoesThroughItsRate(t *testing.T) {
	t.Parallel()
	const fires, jobs, rate = 10_000, 40, 700
	l := newLookout(models.NodeGroup{ReleaseRate: new(rate)}, onlineNode("a", 100, "H"))
	c := &crowd{books: l.books, clock: l.clock, node: onlineNode("a", 10_000, "H"), at: map[string]int{}, begun: map[string]int{}, starts: map[time.Time]int{}}
	c.row = l.g.row
	defined := fakeJobs{}
	for i := range fires {
		job := fmt.Sprintf("j%d", i%jobs)
		defined[job] = allowJob(job)
		q := queued(fmt.Sprintf("t%05d", i), job, models.Priorities[1+i%2], noon.Add(time.Second))
		c.at[q.ID] = len(c.waiting)
		c.waiting = append(c.waiting, q)
	}
	l.cfg.Ledger, l.cfg.Jobs, l.cfg.Watcher, l.cfg.Courier = c, defined, quietWatcher{}, noCourier{}
	l.g.hydrated = false

	looked := noon
	for i := 0; len(c.begun) < fires; i++ {
		if i > 100_000 {
			t.Fatalf("%d of %d fires began by %s", len(c.begun), fires, l.clock.now)
		}
		rest, err := l.work(t.Context(), l.g)
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range c.running { // each takes no time
			l.g.ended(Ended{TaskID: task.ID, GroupID: "g", Attempt: 1, State: models.TaskSucceeded})
		}
		c.running = nil
		l.clock.now = l.clock.now.Add(rest)
		if l.clock.now.Sub(looked) < time.Second {
			continue
		}
		looked = l.clock.now
		l.written = nil
		if err := l.report(t.Context()); err != nil {
			t.Fatal(err)
		}
		left := int64(fires - len(c.begun))
		if len(l.written) != 1 || left == 0 || left == fires { // before they are due
			continue
		}
		f := l.written[0]
		if f.Due != left || f.LimitedBy != models.LimitReleaseRate || f.Released > rate || f.LateMS != 0 {
			t.Errorf("%d are left: %+v", left, f)
		}
		want := float64(left) / rate
		if f.DrainsInMS == nil || float64(*f.DrainsInMS)/1000 < want*0.7 || float64(*f.DrainsInMS)/1000 > want*1.3+1 {
			t.Errorf("%d are left, at %d a second: it lasts %v ms, %q", left, rate, f.DrainsInMS, f.DrainsNote)
		}
	}
	for id, n := range c.begun {
		if n != 1 {
			t.Errorf("%s began %d times", id, n)
		}
	}
	for at := range c.starts {
		if lasted := at.Sub(noon); lasted > (fires/rate+2)*time.Second {
			t.Errorf("one began after %s", lasted)
		}
	}
	wantRate(t, c.starts, rate)
}

// wantRate sees that no window of one second has more starts than the rate.
func wantRate(t *testing.T, starts map[time.Time]int, rate int) {
	t.Helper()
	for from := range starts {
		n := 0
		for at, k := range starts {
			if d := at.Sub(from); d >= 0 && d < time.Second {
				n += k
			}
		}
		if n > rate {
			t.Fatalf("%d began within the second from %s, rate %d", n, from, rate)
		}
	}
}
