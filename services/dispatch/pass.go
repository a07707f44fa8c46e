package dispatch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/internal/failpoint"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

const (
	perRead  = 1000 // queued tasks read at once of a priority and state
	perBatch = 1000 // tasks dispatched in one transaction
	lowWater = 250  // due tasks in memory below which more are read

	refusedRest = 20 * time.Millisecond // rest after the ledger refused part of a plan
)

// pass dispatches what may start now and sets the time of the next pass. An error
// ends only this pass: the group is tried again after a while.
func (d *Dispatcher) pass(ctx context.Context, g *group) {
	next, err := d.work(ctx, g)
	var deposed *store.DeposedError
	switch {
	case errors.As(err, &deposed):
		d.cfg.Owner.Lost(deposed.Partitions...)
		return
	case fault.Is(err, fault.NotFound):
		d.remove(g) // the group was deleted
		return
	case err != nil:
		if ctx.Err() == nil {
			d.cfg.Logger.WarnContext(ctx, "dispatch pass failed", "group", g.id, "error", err)
		}
		g.mark(g.doubtLocked)
		next = backOff
	}
	g.wakeIn(next)
}

// work is one pass; it answers how long the group may rest.
func (d *Dispatcher) work(ctx context.Context, g *group) (time.Duration, error) {
	epoch, owned := d.cfg.Owner.Partitions()[g.partition]
	if !owned {
		return safety, nil // Dropped follows
	}
	if err := d.refresh(ctx, g); err != nil {
		return 0, err
	}
	fence := store.Fence{g.partition: epoch}
	for {
		if err := d.read(ctx, g); err != nil {
			return 0, err
		}
		plan, err := d.plan(ctx, g)
		if err != nil {
			return 0, err
		}
		if plan.empty() {
			found, err := d.readPast(ctx, g, plan)
			if err != nil {
				return 0, err
			}
			if found {
				continue
			}
			return d.rest(g), nil
		}
		refused, err := d.apply(ctx, g, fence, plan)
		if err != nil {
			return 0, err
		}
		if refused > 0 { // memory was behind the ledger
			g.mark(g.doubtLocked)
			return refusedRest, nil
		}
	}
}

// refresh reads the group's row, nodes and running attempts where they may have changed.
func (d *Dispatcher) refresh(ctx context.Context, g *group) error {
	now := d.cfg.Clock.Now()
	g.mu.Lock()
	nodes := g.nodesStale || !g.hydrated
	attempts := !g.hydrated || !now.Before(g.resyncAt)
	g.nodesStale = false
	g.mu.Unlock()
	if nodes {
		if err := d.refreshNodes(ctx, g); err != nil {
			g.mark(func() { g.nodesStale = true })
			return err
		}
	}
	if !attempts {
		return nil
	}
	rows, err := d.cfg.Ledger.RunningTasks(ctx, []string{g.id})
	if err != nil {
		return fmt.Errorf("reading running attempts: %w", err)
	}
	g.mark(func() {
		g.setRunningLocked(rows, now, now)
		g.hydrated, g.resyncAt = true, now.Add(resync)
	})
	return nil
}

func (d *Dispatcher) refreshNodes(ctx context.Context, g *group) error {
	row, err := d.cfg.Ledger.Group(ctx, g.id)
	if err != nil {
		return fmt.Errorf("reading the group: %w", err)
	}
	nodes, err := d.cfg.Ledger.Nodes(ctx, g.id)
	if err != nil {
		return fmt.Errorf("reading the group's nodes: %w", err)
	}
	g.mark(func() {
		g.row = row
		g.limiter.set(row.ReleaseRate, row.ReleaseBurst)
		g.setNodesLocked(nodes)
	})
	return nil
}

// read fills the queue's head from the ledger when it runs low, when something
// was queued, or when it was not read for a while. While no slot is free there is
// nothing to choose, so reading waits.
func (d *Dispatcher) read(ctx context.Context, g *group) error {
	now := d.cfg.Clock.Now()
	g.mu.Lock()
	old := now.Sub(g.readAt) >= safety
	due := g.queueStale || old || (g.queue.due < lowWater && g.queue.more)
	if !due || (g.freeSlotsLocked() == 0 && !old) {
		g.mu.Unlock()
		return nil
	}
	g.queueStale = false
	g.mu.Unlock()
	tasks, err := d.cfg.Ledger.QueuedTasks(ctx, g.id, now.Add(lookAhead), perRead, nil)
	if err != nil {
		g.mark(func() { g.queueStale = true })
		return fmt.Errorf("reading the queue: %w", err)
	}
	g.mark(func() {
		g.readAt = now
		g.queue.fill(tasks, g.running, now)
	})
	return d.warm(ctx, tasks, now)
}

// warm reads the definitions of jobs whose tasks come soon before they are due: at
// the instant itself nothing is left to be read.
func (d *Dispatcher) warm(ctx context.Context, tasks []store.Queued, now time.Time) error {
	ids := map[string]bool{}
	for i := range tasks {
		if tasks[i].AvailableAt.After(now) {
			ids[tasks[i].JobID] = true
		}
	}
	if len(ids) == 0 {
		return nil
	}
	if err := d.cfg.Jobs.Warm(ctx, slices.Collect(maps.Keys(ids)), lookAhead); err != nil {
		return fmt.Errorf("reading the definitions of %d jobs ahead: %w", len(ids), err)
	}
	return nil
}

// rest is how long the group has nothing to do unless a hint comes.
func (d *Dispatcher) rest(g *group) time.Duration {
	now := d.cfg.Clock.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	rest := safety
	if at, ok := g.queue.nextDue(); ok {
		rest = min(rest, at.Sub(now))
	}
	if g.queue.due > 0 && g.freeSlotsLocked() > 0 {
		rest = min(rest, max(g.limiter.wait(now), g.quietTill.Sub(now), 0))
	}
	if !g.againAt.IsZero() {
		rest = min(rest, g.againAt.Sub(now))
	}
	if g.queueStale && g.freeSlotsLocked() > 0 {
		return 0
	}
	if g.pastWanted {
		rest = min(rest, g.pastTill.Sub(now))
	}
	return max(rest, time.Millisecond)
}

// apply carries a plan out: skips first, then the batch. It answers how many
// tasks of the batch the ledger refused.
func (d *Dispatcher) apply(ctx context.Context, g *group, fence store.Fence, p *plan) (refused int, err error) {
	for reason, ids := range p.skips {
		skipped, err := d.cfg.Ledger.SkipTasks(ctx, fence, p.at, reason, ids)
		if err != nil {
			return 0, fmt.Errorf("skipping %d tasks: %w", len(ids), err)
		}
		d.cfg.Watcher.TasksSkipped(ctx, skipped)
	}
	if len(p.parks) > 0 {
		parked, err := d.cfg.Ledger.ParkTasks(ctx, fence, p.at, models.ReasonNodeAway, p.parks)
		if err != nil {
			return 0, fmt.Errorf("parking %d tasks: %w", len(p.parks), err)
		}
		g.forget(parked)
		d.cfg.Watcher.TasksParked(ctx, parked)
	}
	for job, newer := range p.replaces {
		if err := d.cfg.Replacer.Replace(ctx, job, newer); err != nil {
			return 0, fmt.Errorf("replacing tasks of job %s: %w", job, err)
		}
	}
	refused, err = d.spread(ctx, g, fence, p)
	if err != nil || len(p.items) == 0 {
		return refused, err
	}
	failpoint.Here(failpoint.DispatchPlanned)
	dispatched, gone, err := d.cfg.Ledger.DispatchTasks(ctx, fence, p.at, p.items, p.limits)
	if err != nil {
		return 0, fmt.Errorf("dispatching %d tasks: %w", len(p.items), err)
	}
	failpoint.Here(failpoint.DispatchMarked)
	d.settle(g, p, dispatched)
	d.assign(ctx, g, d.readable(ctx, fence, dispatched), p.jobs)
	failpoint.Here(failpoint.DispatchPushed)
	d.cfg.Watcher.TasksDispatched(ctx, dispatched)
	return refused + len(gone), nil
}

// forget takes parents that ended with a child out of memory.
func (g *group) forget(parked []models.Task) {
	for i := range parked {
		if t := &parked[i]; t.Spread() {
			g.ended(Ended{TaskID: t.ID, GroupID: t.GroupID, Attempt: t.Attempt, State: t.State})
		}
	}
}

// settle turns a plan's slots into those of the attempts that were dispatched. It
// comes before the push, so that no attempt can end before it is known to run.
func (d *Dispatcher) settle(g *group, p *plan, dispatched []models.Task) {
	now := d.cfg.Clock.Now()
	g.mark(func() {
		for _, n := range g.nodes {
			n.planned = 0
		}
		g.limiter.took(p.at, len(dispatched))
		g.flow.released(len(dispatched), p.at)
		for i := range dispatched {
			g.addLocked(dispatched[i], now)
			if _, sticks := g.last[dispatched[i].JobID]; sticks && dispatched[i].NodeID != nil {
				g.last[dispatched[i].JobID] = *dispatched[i].NodeID
			}
		}
	})
}

// outdated says whether a definition forbids to run its tasks.
func outdated(j *models.Job) bool { return j == nil || j.DeletedAt != nil }
