package dispatch

import (
	"context"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	pushAgainAfter = 1 // heartbeats without a dispatched attempt after which it is pushed again
	takeBackAfter  = 3 // heartbeats after which it is taken back: the node does not have it
)

// Holds compares what a node says it holds with what the ledger gave it, both
// ways: an attempt that never arrived is pushed again and then taken back; one
// that is no longer the node's is cancelled there. It answers false when another
// server owns the node's partition, whose business it is.
func (d *Dispatcher) Holds(ctx context.Context, n models.Node, held []wire.AttemptRef) (owned bool, err error) {
	g := d.find(n.GroupID)
	if g == nil {
		return false, nil
	}
	epoch, owned := d.cfg.Owner.Partitions()[g.partition]
	if !owned {
		return false, nil
	}
	push, back, unknown := g.compare(n, held, d.cfg.Clock.Now())
	if err := d.pushAgain(ctx, n, push); err != nil {
		return true, err
	}
	if err := d.takeBack(ctx, store.Fence{g.partition: epoch}, back); err != nil {
		return true, err
	}
	return true, d.disown(ctx, n, unknown)
}

// compare sorts the differences between memory and a node's own word.
func (g *group) compare(n models.Node, held []wire.AttemptRef, now time.Time) (push, back []models.Task, unknown []wire.AttemptRef) {
	has := make(map[wire.AttemptRef]bool, len(held))
	for _, ref := range held {
		has[ref] = true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	settled := now.Add(-time.Duration(g.row.HeartbeatMS) * time.Millisecond)
	mine := make(map[wire.AttemptRef]bool, len(held))
	for _, r := range g.running {
		if r.task.NodeID == nil || *r.task.NodeID != n.ID || r.task.Incarnation != n.Incarnation {
			continue
		}
		ref := wire.AttemptRef{Task: r.task.ID, Attempt: r.task.Attempt}
		mine[ref] = true
		if has[ref] {
			r.misses = 0
			continue
		}
		if r.addedAt.After(settled) {
			continue // it may still be on its way
		}
		switch r.misses++; {
		case r.misses >= takeBackAfter:
			back = append(back, r.task)
		case r.misses == pushAgainAfter:
			push = append(push, r.task)
		}
	}
	for _, ref := range held {
		if !mine[ref] {
			unknown = append(unknown, ref)
		}
	}
	return push, back, unknown
}

func (d *Dispatcher) pushAgain(ctx context.Context, n models.Node, tasks []models.Task) error {
	if len(tasks) == 0 {
		return nil
	}
	work, err := d.Assignments(ctx, n.Incarnation, idsOf(tasks))
	if err == nil && len(work) > 0 {
		d.cfg.Courier.Assign(ctx, n, work)
	}
	return err
}

// Assignments reads the attempts that a process runs, by their task ids, as they
// are pushed to it; what it does not run is left out.
func (d *Dispatcher) Assignments(ctx context.Context, incarnation string, ids []string) ([]wire.Assignment, error) {
	rows, err := d.cfg.Ledger.AssignmentRows(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("reading %d attempts to be pushed: %w", len(ids), err)
	}
	jobIDs := make([]string, len(rows))
	for i := range rows {
		jobIDs[i] = rows[i].JobID
	}
	jobs, err := d.cfg.Jobs.Jobs(ctx, jobIDs)
	if err != nil {
		return nil, err
	}
	upstream, err := d.upstream(ctx, rows)
	if err != nil {
		return nil, err
	}
	var work []wire.Assignment
	for i := range rows {
		t := &rows[i]
		if t.State == models.TaskRunning && t.Incarnation == incarnation && jobs[t.JobID] != nil && unreadable(t) == "" {
			work = append(work, assignment(t, jobs[t.JobID], upstream[t.ID]))
		}
	}
	return work, nil
}

// takeBack ends attempts that their node does not have; they use up no try. One
// that ended meanwhile is stale and only leaves memory.
func (d *Dispatcher) takeBack(ctx context.Context, fence store.Fence, tasks []models.Task) error {
	if len(tasks) == 0 {
		return nil
	}
	now := d.cfg.Clock.Now()
	ends := make([]store.AttemptEnd, len(tasks))
	for i := range tasks {
		ends[i] = store.AttemptEnd{
			TaskID: tasks[i].ID, Attempt: tasks[i].Attempt, Outcome: models.OutcomeReleased, FinishedAt: now,
			Error: "The node never received this attempt.", Reason: models.ReasonRefused,
		}
	}
	results, err := d.cfg.Ender.EndFenced(ctx, fence, ends)
	if err != nil {
		return fmt.Errorf("taking %d attempts back: %w", len(ends), err)
	}
	for i := range results {
		d.Ended([]Ended{{TaskID: ends[i].TaskID, GroupID: tasks[i].GroupID, Attempt: ends[i].Attempt, State: results[i].Task.State}})
	}
	return nil
}

// disown cancels attempts on a node that the ledger no longer gives it. One whose
// own result was just accepted is left alone: the answer is on its way.
func (d *Dispatcher) disown(ctx context.Context, n models.Node, refs []wire.AttemptRef) error {
	if len(refs) == 0 {
		return nil
	}
	ids := make([]string, len(refs))
	for i, ref := range refs {
		ids[i] = ref.Task
	}
	rows, err := d.cfg.Ledger.AssignmentRows(ctx, ids)
	if err != nil {
		return fmt.Errorf("reading %d attempts that node %s holds: %w", len(ids), n.Name, err)
	}
	found := make(map[string]*models.Task, len(rows))
	for i := range rows {
		found[rows[i].ID] = &rows[i]
	}
	var cancels []wire.Cancel
	for _, ref := range refs {
		if t := found[ref.Task]; t == nil || lostTo(t, n, ref) {
			cancels = append(cancels, wire.Cancel{AttemptRef: ref, Cause: wire.CauseLost})
		}
	}
	if len(cancels) > 0 {
		d.cfg.Courier.Cancel(ctx, n, cancels)
	}
	return nil
}

// lostTo says whether the attempt is over without the node having ended it.
func lostTo(t *models.Task, n models.Node, ref wire.AttemptRef) bool {
	if t.Attempt != ref.Attempt || t.Incarnation != n.Incarnation {
		return true
	}
	switch t.Outcome {
	case models.OutcomeLost, models.OutcomeTimedOut, models.OutcomeCancelled, models.OutcomeReleased:
		return t.State != models.TaskRunning
	default:
		return false
	}
}

func idsOf(tasks []models.Task) []string {
	ids := make([]string, len(tasks))
	for i := range tasks {
		ids[i] = tasks[i].ID
	}
	return ids
}
