package dispatch

import (
	"context"

	"github.com/belfry-scheduler/belfry/internal/failpoint"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// assign pushes dispatched attempts to their nodes, one frame a node.
func (d *Dispatcher) assign(ctx context.Context, g *group, tasks []models.Task, jobs map[string]*models.Job) {
	byNode := map[string][]wire.Assignment{}
	upstream, err := d.upstream(ctx, tasks)
	if err != nil { // those that need it are pushed by the reconciliation
		d.cfg.Logger.WarnContext(ctx, "upstream results not read", "error", err)
	}
	for i := range tasks {
		t := &tasks[i]
		if j := jobs[t.JobID]; j != nil && t.NodeID != nil && (err == nil || !mayHaveUpstream(t)) {
			byNode[*t.NodeID] = append(byNode[*t.NodeID], assignment(t, j, upstream[t.ID]))
		}
	}
	for id, work := range byNode {
		if row, ok := g.nodeRow(id); ok {
			failpoint.Here(failpoint.DispatchFrame)
			d.cfg.Courier.Assign(ctx, row, work)
		}
	}
}

func (g *group) nodeRow(id string) (models.Node, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := g.nodes[id]
	if n == nil {
		return models.Node{}, false
	}
	return n.row, true
}

// assignment is the wire's form of an attempt.
func assignment(t *models.Task, j *models.Job, upstream []wire.Upstream) wire.Assignment {
	a := wire.Assignment{
		Task: t.ID, Attempt: t.Attempt, MaxAttempts: t.MaxAttempts, JobID: t.JobID, Job: j.Name, Handler: j.Handler,
		Trigger: t.Trigger.String(), Parameters: t.Parameters, ScheduledAt: t.ScheduledAt, TimeoutMS: t.TimeoutMS,
		Deadline: t.DeadlineAt, Checkpoint: t.Checkpoint, Upstream: upstream,
		TraceParent: traceParent(t),
	}
	if t.UniqueKey != nil {
		a.UniqueKey = *t.UniqueKey
	}
	if t.RootID != nil {
		a.Root = *t.RootID
	}
	if t.Shard != nil && t.Shards != nil {
		a.Shard, a.Shards = *t.Shard, *t.Shards
	}
	return a
}

// Snapshot answers the running attempts of all owned groups.
func (d *Dispatcher) Snapshot() []models.Running {
	groups := d.all()
	var all []models.Running
	for _, g := range groups {
		g.mu.Lock()
		for _, r := range g.running {
			n := g.nodeOfLocked(&r.task)
			all = append(all, models.Running{
				Task: r.task, Partition: g.partition, CancelledAt: r.cancelled,
				NodeGone: n == nil || n.row.State == models.NodeOffline,
			})
		}
		g.mu.Unlock()
	}
	return all
}

// Groups answers the groups of owned partitions by id.
func (d *Dispatcher) Groups() map[string]models.NodeGroup {
	groups := d.all()
	rows := make(map[string]models.NodeGroup, len(groups))
	for _, g := range groups {
		g.mark(func() { rows[g.id] = g.row })
	}
	return rows
}

// Cancel sends the cancellation of a running attempt to its node.
func (d *Dispatcher) Cancel(ctx context.Context, t *models.Task, cause string) {
	g := d.find(t.GroupID)
	if g == nil || t.NodeID == nil {
		return
	}
	row, ok := g.nodeRow(*t.NodeID)
	if !ok || row.Incarnation != t.Incarnation {
		return
	}
	now := d.cfg.Clock.Now()
	g.mark(func() {
		if r := g.running[t.ID]; r != nil {
			r.cancelled = now
		}
	})
	d.cfg.Courier.Cancel(ctx, row, []wire.Cancel{{
		AttemptRef: wire.AttemptRef{Task: t.ID, Attempt: t.Attempt}, Cause: cause, Reason: t.CancelReason,
	}})
}
