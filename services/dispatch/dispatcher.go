// Package dispatch gives due tasks to nodes. The owner of a partition keeps, for
// each node group in it, the queue's head and the running attempts in memory,
// picks what may start, marks the whole batch in one transaction and pushes it to
// the nodes. Memory only proposes; the transaction decides. Step 3 of a task's
// way (ARCHITECTURE.md).
package dispatch

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Ledger is what the dispatcher needs of the store.
type Ledger interface {
	GroupsOfPartitions(ctx context.Context, partitions []int) ([]models.NodeGroup, error)
	Group(ctx context.Context, id string) (models.NodeGroup, error)
	Nodes(ctx context.Context, groupID string) ([]models.Node, error)
	QueuedTasks(ctx context.Context, groupID string, horizon time.Time, perPriority int, except []string) ([]store.Queued, error)
	DispatchTasks(ctx context.Context, fence store.Fence, at time.Time, items []store.Dispatch, limits []store.JobLimit) ([]models.Task, []string, error)
	SpreadTasks(ctx context.Context, fence store.Fence, at time.Time, items []store.Spread, limits []store.JobLimit) (store.Spreading, error)
	SkipTasks(ctx context.Context, fence store.Fence, at time.Time, reason string, ids []string) ([]models.Task, error)
	RunningTasks(ctx context.Context, groupIDs []string) ([]models.Task, error)
	AssignmentRows(ctx context.Context, ids []string) ([]models.Task, error)
	JobLive(ctx context.Context, jobIDs []string) (map[string]store.JobLive, error)
	ParkTasks(ctx context.Context, fence store.Fence, at time.Time, reason string, ids []string) ([]models.Task, error)
	RouteInputs(ctx context.Context, ids []string) (map[string]store.RouteInput, error)
	LastNodes(ctx context.Context, jobIDs []string) (map[string]string, error)
	DueTasks(ctx context.Context, groupIDs []string, at time.Time) (map[string]store.Due, error)
	WriteGroupFlows(ctx context.Context, fence store.Fence, flows []models.GroupFlow) error
	UpstreamResults(ctx context.Context, taskIDs []string, limit int) (map[string][]models.UpstreamResult, error)
}

// Jobs answers job definitions by id.
type Jobs interface {
	Jobs(ctx context.Context, ids []string) (map[string]*models.Job, error)
	Warm(ctx context.Context, ids []string, ahead time.Duration) error
}

// Owner says which partitions this server may act for.
type Owner interface {
	Partitions() map[int]int64 // partition → epoch
	Lost(partitions ...int)
}

// Courier brings frames to nodes, wherever their streams are. Frames may be lost.
type Courier interface {
	Assign(ctx context.Context, n models.Node, work []wire.Assignment)
	Cancel(ctx context.Context, n models.Node, cancels []wire.Cancel)
}

// Watcher is told of changed tasks after the commit.
type Watcher interface {
	TasksDispatched(ctx context.Context, tasks []models.Task)
	TasksSkipped(ctx context.Context, tasks []models.Task)
	TasksParked(ctx context.Context, tasks []models.Task)
	// GroupsFlowed says that something has begun or ended in groups, or that how their
	// lines move was written anew; at most once a second.
	GroupsFlowed(ctx context.Context, groups []models.NodeGroup)
}

// Replacer cancels the tasks that a newer firing replaces.
type Replacer interface {
	Replace(ctx context.Context, jobID, newer string) error
}

// Ender ends attempts that a node never received.
type Ender interface {
	EndFenced(ctx context.Context, fence store.Fence, ends []store.AttemptEnd) ([]store.EndResult, error)
}

// Config sets up a Dispatcher.
type Config struct {
	Ledger   Ledger
	Jobs     Jobs
	Owner    Owner
	Courier  Courier
	Watcher  Watcher
	Replacer Replacer
	Ender    Ender
	Clock    clock.Clock
	Logger   *slog.Logger
}

const (
	passes    = 4                      // groups handled at once
	safety    = 5 * time.Second        // longest time between two reads of a group's queue
	lookAhead = safety + time.Second   // queued tasks are read this long before they are due
	resync    = 10 * time.Second       // interval at which the running attempts are read again
	backOff   = 500 * time.Millisecond // wait after a failed pass
)

// Dispatcher is safe for concurrent use. Start it before use.
type Dispatcher struct {
	cfg Config

	mu     sync.Mutex
	groups map[string]*group // of owned partitions
	dirty  []*group          // to be passed over; each group at most once
	wake   chan struct{}     // tells the passing goroutines of dirty groups
	owned  chan struct{}     // tells the following goroutine that ownership changed
	cancel context.CancelFunc
	done   sync.WaitGroup

	lines   *lifecycle.Loop // looks once a second how the lines of groups move
	countAt time.Time       // due tasks are not counted before; only report uses it
}

// New makes a Dispatcher.
func New(cfg Config) *Dispatcher {
	return &Dispatcher{cfg: cfg, groups: map[string]*group{}, wake: make(chan struct{}, passes), owned: make(chan struct{}, 1)}
}

// Start begins to dispatch for whatever partitions this server owns.
func (d *Dispatcher) Start(ctx context.Context) error {
	var err error
	d.lines, err = lifecycle.NewLoop(lifecycle.LoopConfig{
		Name: "lines of groups", Every: reportEvery, Logger: d.cfg.Logger,
		Run: func(ctx context.Context) (time.Duration, error) { return 0, d.report(ctx) },
	})
	if err != nil {
		return fmt.Errorf("making the loop of lines: %w", err)
	}
	if err := d.lines.Start(ctx); err != nil {
		return err
	}
	ctx, d.cancel = context.WithCancel(context.WithoutCancel(ctx))
	for range passes {
		d.done.Go(func() { d.run(ctx) })
	}
	d.done.Go(func() { d.follow(ctx) })
	return nil
}

// Stop ends all passes; running attempts go on.
func (d *Dispatcher) Stop(ctx context.Context) error {
	if d.cancel != nil {
		d.cancel()
	}
	d.done.Wait()
	var err error
	if d.lines != nil {
		err = d.lines.Stop(ctx)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, g := range d.groups {
		g.stop()
		delete(d.groups, id)
	}
	return err
}

// Health tells how the loop of lines fares.
func (d *Dispatcher) Health() []lifecycle.LoopHealth {
	if d.lines == nil {
		return nil
	}
	return d.lines.Health()
}

// GroupChanged reads a group's row and nodes again; a group that is new here
// begins to be dispatched for if its partition is owned.
func (d *Dispatcher) GroupChanged(ctx context.Context, id string) {
	if g := d.find(id); g != nil {
		g.mark(func() { g.nodesStale = true })
		d.push(g)
		return
	}
	if _, owned := d.cfg.Owner.Partitions()[models.PartitionOf(id)]; !owned {
		return
	}
	row, err := d.cfg.Ledger.Group(ctx, id)
	if err != nil {
		d.cfg.Logger.WarnContext(ctx, "group not read", "group", id, "error", err)
		return
	}
	d.adopt(row, false)
}

// adopt begins to dispatch for a group. A group taken over from another server
// releases nothing for the first second, because that server's releases count too.
func (d *Dispatcher) adopt(row models.NodeGroup, takenOver bool) {
	d.mu.Lock()
	g := d.groups[row.ID]
	if g == nil {
		g = newGroup(row)
		if takenOver {
			g.quietTill = d.cfg.Clock.Now().Add(releaseWindow)
			g.takenOver = true
		}
		g.timer = time.AfterFunc(time.Hour, func() { d.push(g) })
		d.groups[row.ID] = g
	}
	d.mu.Unlock()
	d.push(g)
}

// Queued says that tasks of the groups were queued.
func (d *Dispatcher) Queued(groupIDs ...string) {
	for _, id := range groupIDs {
		if g := d.find(id); g != nil {
			g.mark(func() { g.queueStale = true })
			d.push(g)
		}
	}
}

// Ended says that attempts ended, here or on another server.
func (d *Dispatcher) Ended(ends []Ended) {
	touched := map[*group]bool{}
	for _, e := range ends {
		g := d.find(e.GroupID)
		if g == nil {
			continue
		}
		g.ended(e)
		touched[g] = true
	}
	for g := range touched {
		d.push(g)
	}
}

// Ended is the end of one attempt as the dispatcher sees it.
type Ended struct {
	TaskID, GroupID string
	Attempt         int
	State           models.TaskState
}

// Resync reads everything of every group again: messages may have been lost.
func (d *Dispatcher) Resync() {
	for _, g := range d.all() {
		g.mark(g.doubtLocked)
		d.push(g)
	}
}

// all are the groups of owned partitions.
func (d *Dispatcher) all() []*group {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Collect(maps.Values(d.groups))
}

func (d *Dispatcher) find(id string) *group {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.groups[id]
}

// push puts a group up for a pass. A group in a pass is passed over again after it.
func (d *Dispatcher) push(g *group) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if g.queued {
		return
	}
	g.queued = true
	if g.passing {
		return // run puts it up again
	}
	d.dirty = append(d.dirty, g)
	d.signal()
}

func (d *Dispatcher) signal() {
	select {
	case d.wake <- struct{}{}:
	default: // all goroutines are told already
	}
}

// next takes a dirty group for a pass.
func (d *Dispatcher) next() *group {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.dirty) == 0 {
		return nil
	}
	g := d.dirty[0]
	d.dirty[0] = nil
	d.dirty = d.dirty[1:]
	g.queued, g.passing = false, true
	if len(d.dirty) > 0 {
		d.signal()
	}
	return g
}

// over ends a group's pass.
func (d *Dispatcher) over(g *group) {
	d.mu.Lock()
	defer d.mu.Unlock()
	g.passing = false
	if g.queued {
		d.dirty = append(d.dirty, g)
		d.signal()
	}
}

func (d *Dispatcher) run(ctx context.Context) {
	for ctx.Err() == nil {
		g := d.next()
		if g == nil {
			select {
			case <-ctx.Done():
				return
			case <-d.wake:
			}
			continue
		}
		d.pass(ctx, g)
		d.over(g)
	}
}
