package dispatch

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

const (
	mostBlocked = 500                   // jobs that a read passes over
	minPast     = 20 * time.Millisecond // between two reads past the head
	pastShare   = 20                    // such reads may take one part in so many of the time
	mostKnown   = 20_000                // tasks in memory above which those of blocked jobs are dropped
	keepBlocked = 40                    // of them, so many a job stay
)

// readPast looks behind a head of the queue in which all tasks are of blocked jobs:
// the tasks of other jobs must not wait for them. It says whether it found any. The
// index is passed over up to the first of them, which may be long, so this takes
// at most a share of the time.
func (d *Dispatcher) readPast(ctx context.Context, g *group, p *plan) (found bool, err error) {
	now := d.cfg.Clock.Now()
	g.mu.Lock()
	needed := len(p.blocked) > 0 && g.queue.more && g.freeSlotsLocked() > 0
	g.pastWanted = needed && now.Before(g.pastTill)
	needed = needed && !g.pastWanted
	g.mu.Unlock()
	if !needed {
		return false, nil
	}
	blocked := slices.Collect(maps.Keys(p.blocked))
	tasks, err := d.cfg.Ledger.QueuedTasks(ctx, g.id, now, perRead, blocked[:min(len(blocked), mostBlocked)])
	if err != nil {
		return false, fmt.Errorf("reading the queue past %d blocked jobs: %w", len(blocked), err)
	}
	after := d.cfg.Clock.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pastTill = after.Add(max(minPast, pastShare*after.Sub(now)))
	if len(g.queue.known) > mostKnown {
		g.queue.trim(p.blocked, keepBlocked)
	}
	before := len(g.queue.known)
	g.queue.take(tasks, g.running, after)
	return len(g.queue.known) > before, nil
}

// trim drops all but the first few due tasks of some jobs; the ledger has them still.
func (q *queue) trim(jobs map[string]bool, keep int) {
	for i := range q.ready {
		for id, tasks := range q.ready[i].tasks {
			if !jobs[id] || len(tasks) <= keep {
				continue
			}
			for _, t := range tasks[keep:] {
				delete(q.known, t.ID)
			}
			q.due -= len(tasks) - keep
			q.ready[i].tasks[id] = slices.Clone(tasks[:keep])
		}
	}
	q.more = true
}
