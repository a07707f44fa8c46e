package cmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fleet"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// mains is a line to the server that can be cut for good: to the server the process dies.
type mains struct {
	http.Transport
	ctx context.Context
	cut context.CancelFunc
}

func newMains() *mains {
	m := &mains{}
	m.ctx, m.cut = context.WithCancel(context.Background())
	return m
}

func (m *mains) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := m.ctx.Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(r.Context())
	context.AfterFunc(m.ctx, cancel)
	return m.Transport.RoundTrip(r.WithContext(ctx))
}

// crew are workers that each can be cut off, and what their handler got.
type crew struct {
	p     *plant
	mu    sync.Mutex
	seen  map[string][]string // shard/shards, by node
	stops map[string]func()   // of those that end before the test does
}

// join runs a worker whose handler does what do says.
func (c *crew) join(name string, do func(ctx context.Context, t *worker.Task) error) *mains {
	c.p.t.Helper()
	line := newMains()
	w, err := worker.New(worker.Config{
		Server: c.p.url, App: "shop", Key: c.p.key, Group: "default", Name: name, Slots: 4,
		Logger: slog.New(slog.DiscardHandler), DrainTimeout: 200 * time.Millisecond, HTTPClient: &http.Client{Transport: line},
	})
	if err != nil {
		c.p.t.Fatal(err)
	}
	worker.Handle(w, "Sweep", func(ctx context.Context, t *worker.Task, _ none) error {
		c.mu.Lock()
		c.seen[name] = append(c.seen[name], fmt.Sprintf("%d/%d", t.Shard, t.Shards))
		c.mu.Unlock()
		return do(ctx, t)
	})
	ctx, cancel := context.WithCancel(context.WithoutCancel(c.p.t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	stop := sync.OnceFunc(func() {
		cancel()
		err := <-ended
		if err != nil && line.ctx.Err() == nil {
			c.p.t.Errorf("worker %s: %v", name, err)
		}
		line.CloseIdleConnections()
	})
	c.stops[name] = stop
	c.p.t.Cleanup(stop)
	return line
}

func newCrew(p *plant) *crew {
	return &crew{p: p, seen: map[string][]string{}, stops: map[string]func(){}}
}

// online waits until so many nodes are.
func (p *plant) online(n int) {
	p.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		nodes, err := p.store.Nodes(p.t.Context(), p.group)
		if err != nil {
			p.t.Fatal(err)
		}
		there := 0
		for i := range nodes {
			if nodes[i].State == models.NodeOnline {
				there++
			}
		}
		if there == n {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%d nodes are online, want %d", there, n)
		}
		<-time.After(20 * time.Millisecond)
	}
}

func (p *plant) children(id string) []models.Task {
	p.t.Helper()
	children, _, err := p.store.TaskPage(p.t.Context(), store.TaskFilter{ParentID: id}, store.Page{First: 100})
	if err != nil {
		p.t.Fatal(err)
	}
	return children
}

func broadcast(edit func(*job.Input)) func(*job.Input) {
	return func(in *job.Input) {
		in.Routing = &job.RoutingInput{Strategy: models.RouteBroadcast}
		if edit != nil {
			edit(in)
		}
	}
}

func well(context.Context, *worker.Task) error { return nil }

// Every node runs its part once, knows which of how many it is, and the whole is one
// task that succeeds with the last and fires what depends on it once.
func TestBroadcastRunsOnEveryNode(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	c := newCrew(p)
	for _, name := range []string{"n1", "n2", "n3"} {
		c.join(name, well)
	}
	p.work("other", func(w *worker.Worker) { // has not the handler
		worker.Handle(w, "After", func(context.Context, *worker.Task, none) error { return nil })
	})
	p.online(4)
	j := p.job("Sweep", broadcast(nil))
	next := p.job("After", after(models.WindowRun, j))
	id := p.trigger(j)
	done := p.awaitState(id, models.TaskSucceeded)
	if *done.Shards != 3 || done.NodeID != nil || done.Attempt != 1 {
		t.Errorf("the whole: %+v", done)
	}
	for i, child := range p.children(id) {
		name := fmt.Sprint("n", i+1)
		if child.State != models.TaskSucceeded || child.NodeName != name || *child.ParentID != id {
			t.Errorf("part %d: %s on %s", i, child.State, child.NodeName)
		}
		if got := c.seen[name]; !slices.Equal(got, []string{fmt.Sprintf("%d/3", i)}) {
			t.Errorf("node %s ran %v", name, got)
		}
	}
	if all := p.all(j); len(all) != 1 {
		t.Errorf("the job has %d runs", len(all))
	}
	if fired := p.latest(next, 1); len(fired) != 1 {
		t.Errorf("what depends on it was fired %d times", len(fired))
	}
	p.awaitState(p.all(next)[0].ID, models.TaskSucceeded)
	p.idle(t)
}

// The part of a node that dies in the middle runs on another one after the group's
// threshold, with the same number of the same whole (CB-076, CB-077).
func TestBroadcastWhileANodeDies(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	if _, err := p.fleet.UpdateGroup(t.Context(), "test", fleet.GroupUpdate{
		ID:                p.group,
		HeartbeatInterval: fleet.Field[time.Duration]{Set: true, Value: new(time.Second)}, HeartbeatMisses: fleet.Field[int]{Set: true, Value: new(2)},
	}); err != nil {
		t.Fatal(err)
	}
	c := newCrew(p)
	hang := func(ctx context.Context, _ *worker.Task) error { <-ctx.Done(); return ctx.Err() }
	c.join("n1", well)
	line := c.join("n2", hang)
	c.join("n3", well)
	p.online(3)
	j := p.job("Sweep", broadcast(func(in *job.Input) { in.Retry = &job.RetryInput{MaxAttempts: 5} }))
	id := p.trigger(j)
	p.await(id, "two parts done and one under way", func(models.Task) bool {
		states := map[models.TaskState]int{}
		for _, child := range p.children(id) {
			states[child.State]++
			if child.State == models.TaskRunning && child.StartedAt == nil {
				return false
			}
		}
		return states[models.TaskSucceeded] == 2 && states[models.TaskRunning] == 1
	})
	line.cut()
	done := p.awaitState(id, models.TaskSucceeded)
	parts := p.children(id)
	if heir := parts[1]; done.Attempt != 1 || len(parts) != 3 || heir.Attempt != 2 || heir.NodeName == "n2" {
		t.Errorf("attempt %d with %d parts, the dead node's went to %s with attempt %d", done.Attempt, len(parts), heir.NodeName, heir.Attempt)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	ran := slices.Sorted(slices.Values(slices.Concat(c.seen["n1"], c.seen["n3"])))
	if !slices.Equal(ran, []string{"0/3", "1/3", "2/3"}) || !slices.Equal(c.seen["n2"], []string{"1/3"}) {
		t.Errorf("the dead node ran %v, the others %v", c.seen["n2"], ran)
	}
}

// Each part is tried again on its own node by the job's rule; which failed for good is said.
func TestBroadcastTriesEachPartOnItsNode(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	c := newCrew(p)
	c.join("n1", well)
	c.join("n2", func(_ context.Context, task *worker.Task) error {
		if task.Attempt < 3 {
			return errors.New("not yet")
		}
		return nil
	})
	c.join("n3", func(context.Context, *worker.Task) error { return errors.New("never") })
	p.online(3)
	id := p.trigger(p.job("Sweep", broadcast(func(in *job.Input) {
		in.Retry = &job.RetryInput{MaxAttempts: 3, Delay: 10 * time.Millisecond, Backoff: new(models.BackoffFixed)}
	})))
	failed := p.awaitState(id, models.TaskFailed)
	if failed.Error != "1 of 3 nodes failed: n3" {
		t.Errorf("the whole: %q", failed.Error)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for node, want := range map[string]int{"n1": 1, "n2": 3, "n3": 3} {
		if len(c.seen[node]) != want {
			t.Errorf("node %s ran %v, want %d", node, c.seen[node], want)
		}
	}
}

// Cancelling the whole stops every part; a job that skips its overlaps counts the whole
// as one run; without a node the whole waits.
func TestBroadcastIsCancelledAndSkipsOverlaps(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	j := p.job("Sweep", broadcast(func(in *job.Input) { in.Concurrency = new(models.ConcurrencySkip) }))
	id := p.trigger(j)
	c := newCrew(p)
	hang := func(ctx context.Context, _ *worker.Task) error { <-ctx.Done(); return ctx.Err() }
	c.join("n1", hang)
	p.await(id, "a part that runs", func(models.Task) bool {
		parts := p.children(id)
		return len(parts) == 1 && parts[0].State == models.TaskRunning && parts[0].StartedAt != nil
	})
	if got := p.awaitState(p.trigger(j), models.TaskSkipped); got.Reason != models.ReasonOverlap {
		t.Errorf("the second run: %s", got.Reason)
	}
	if _, err := p.tasks.Cancel(t.Context(), "ada", "", id, "enough"); err != nil {
		t.Fatal(err)
	}
	got := p.awaitState(id, models.TaskCancelled)
	if part := p.children(id)[0]; got.CancelActor != "ada" || part.State != models.TaskCancelled || !strings.Contains(part.CancelReason, "enough") {
		t.Errorf("the whole by %s, its part %s, %q", got.CancelActor, part.State, part.CancelReason)
	}
	third := p.trigger(j)
	p.await(third, "a run after it", func(models.Task) bool { return len(p.children(third)) == 1 })
	if _, err := p.tasks.Cancel(t.Context(), "ada", "", third, ""); err != nil {
		t.Fatal(err)
	}
	p.awaitState(third, models.TaskCancelled)
}
