package dispatch

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// A task of a BROADCAST job is spread: it becomes the parent of one child for each node
// that takes new work of its handler at that instant, whether it has a free slot or not.
// The children then wait in the queue like other tasks, each for its own node.

// spread puts a task up for being spread.
func (c *chooser) spread(q *store.Queued, j *models.Job) verdict {
	s := store.Spread{TaskID: q.ID, Attempt: q.Attempt, AvailableAt: q.AvailableAt}
	if !q.Spread { // one that was spread before keeps its children
		able := c.g.ableLocked(c.routes[j.ID], j.Handler)
		slices.SortFunc(able, func(a, b *node) int { return strings.Compare(a.row.Name, b.row.Name) })
		for _, n := range able {
			s.Nodes = append(s.Nodes, store.SpreadNode{ID: n.row.ID, Name: n.row.Name})
		}
		if len(able) == 0 {
			c.p.blocked[j.ID] = true
			c.unable = true
			return hold
		}
	}
	c.pick(q)
	c.p.spreads = append(c.p.spreads, s)
	return take
}

// visitChild decides on one due task that is a part of another. It is no run of its job,
// whose limits it does not meet, and one whose node is full holds up no other.
func (c *chooser) visitChild(q *store.Queued, j *models.Job, room int) verdict {
	if len(c.p.items) >= room {
		return hold
	}
	var f found
	if q.PinnedTo == nil {
		f = c.route(q, j)
	} else {
		f = c.g.childLocked(q, j.Handler, c.p.at)
	}
	if f.lost { // with the same number, so that all parts are done by somebody
		f = c.g.seekLocked(&route{strategy: models.RouteLeastLoaded}, &seek{handler: j.Handler, since: q.AvailableAt, now: c.p.at})
	}
	if f.node == nil {
		c.p.blocked[j.ID] = true
		c.unable = c.unable || f.none
		c.lookAgain(f.again)
		return aside
	}
	f.node.give(j.Handler)
	c.p.items = append(c.p.items, dispatchOf(q, f.node))
	return take
}

// childLocked finds a child's node. It waits for it while it is there, full or not, and
// while nobody knows whether it is lost; it waits for the group's threshold for one that
// has left, that is being drained or that has come back without the handler, and then it
// is lost: a node that is gone must not hold up the whole.
func (g *group) childLocked(q *store.Queued, handler string, now time.Time) found {
	var n *node
	for _, each := range g.nodes {
		if each.row.Name == *q.PinnedTo {
			n = each
		}
	}
	if n == nil {
		return found{lost: true} // a person removed it
	}
	since := q.AvailableAt
	switch {
	case n.open() && n.handlers[handler]:
		return found{node: withRoom(n, handler)}
	case n.row.State == models.NodeSuspect:
		return found{none: true}
	case n.row.State == models.NodeOffline:
		since = n.row.LastSeenAt
	}
	if end := since.Add(g.row.OfflineAfter()); now.Before(end) {
		return found{none: true, again: end}
	}
	return found{lost: true}
}

// spread carries out what a plan spreads and answers how many of those the ledger refused.
func (d *Dispatcher) spread(ctx context.Context, g *group, fence store.Fence, p *plan) (refused int, err error) {
	if len(p.spreads) == 0 {
		return 0, nil
	}
	done, err := d.cfg.Ledger.SpreadTasks(ctx, fence, p.at, p.spreads, p.limits)
	if err != nil {
		return 0, fmt.Errorf("spreading %d tasks: %w", len(p.spreads), err)
	}
	now := d.cfg.Clock.Now()
	g.mark(func() {
		for i := range done.Parents {
			if done.Parents[i].State == models.TaskRunning {
				g.addLocked(done.Parents[i], now)
			}
		}
		g.queueStale = true // the children wait
	})
	d.cfg.Watcher.TasksDispatched(ctx, slices.Concat(done.Parents, done.Children))
	return len(done.Refused), nil
}
