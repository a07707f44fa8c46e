package dispatch

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// plan is what one transaction is to do.
type plan struct {
	at       time.Time
	items    []store.Dispatch
	spreads  []store.Spread
	limits   []store.JobLimit
	skips    map[string][]string // reason → task ids
	parks    []string            // tasks whose pinned node is away for too long
	replaces map[string]string   // job → the newest task's id
	jobs     map[string]*models.Job
	blocked  map[string]bool // jobs whose tasks wait for something of their own: a limit, an overlap, a node that can
}

func (p *plan) empty() bool {
	return len(p.items) == 0 && len(p.spreads) == 0 && len(p.skips) == 0 && len(p.parks) == 0 && len(p.replaces) == 0
}

// plan chooses what may start now. It reads job definitions, and for jobs that
// limit themselves how many of their tasks are live.
func (d *Dispatcher) plan(ctx context.Context, g *group) (*plan, error) {
	now := d.cfg.Clock.Now()
	g.mu.Lock()
	g.queue.promote(now)
	g.queue.age(now)
	ids := g.queue.jobIDs()
	ready := len(ids) > 0 && !now.Before(g.quietTill)
	g.mu.Unlock()
	p := &plan{at: now, skips: map[string][]string{}, replaces: map[string]string{}, blocked: map[string]bool{}}
	if !ready {
		g.mark(func() { g.flow.left(g.waitingLocked(), nil) })
		return p, nil
	}
	jobs, err := d.cfg.Jobs.Jobs(ctx, ids)
	if err != nil {
		return nil, err
	}
	p.jobs = jobs
	live, err := d.liveOf(ctx, jobs)
	if err != nil {
		return nil, err
	}
	routes, err := d.routes(ctx, g, jobs)
	if err != nil {
		return nil, err
	}
	running, err := d.runningJobs(ctx, g)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.fillPoolsLocked(running)
	c := chooser{g: g, p: p, live: live, routes: routes, last: map[string]string{}, picked: map[string]int{}, fills: map[string]int{}, newest: map[string]string{}}
	c.choose(now)
	return p, nil
}

// runningJobs answers the definitions of the jobs that run, where nodes limit single
// handlers: a running task does not know its handler.
func (d *Dispatcher) runningJobs(ctx context.Context, g *group) (map[string]*models.Job, error) {
	jobs := map[string]bool{}
	g.mark(func() {
		if g.pooledLocked() {
			for _, r := range g.running {
				jobs[r.task.JobID] = true
			}
		}
	})
	if len(jobs) == 0 {
		return nil, nil
	}
	found, err := d.cfg.Jobs.Jobs(ctx, slices.Sorted(maps.Keys(jobs)))
	if err != nil {
		return nil, fmt.Errorf("reading %d running jobs: %w", len(jobs), err)
	}
	return found, nil
}

// liveOf counts the live tasks of those jobs whose policy depends on it.
func (d *Dispatcher) liveOf(ctx context.Context, jobs map[string]*models.Job) (map[string]store.JobLive, error) {
	var ids []string
	for id, j := range jobs {
		if j.Concurrency != models.ConcurrencyAllow {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	slices.Sort(ids)
	live, err := d.cfg.Ledger.JobLive(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("counting live tasks of %d jobs: %w", len(ids), err)
	}
	return live, nil
}

// chooser fills a plan under the group's lock.
type chooser struct {
	g      *group
	p      *plan
	live   map[string]store.JobLive
	routes map[string]*route
	last   map[string]string // node of the latest task chosen in this plan, by STICKY job
	picked map[string]int    // tasks chosen in this plan, by job
	fills  map[string]int    // those of them that make up for past fires
	newest map[string]string // newest queued firing of QUEUE and REPLACE jobs
	unable bool              // for some task there is no node online that has its handler
}

func (c *chooser) choose(now time.Time) {
	free := c.g.freeSlotsLocked()
	full := c.g.fullLocked()
	room := c.g.limiter.room(now, min(perBatch, free))
	c.coalesce()
	c.g.againAt = time.Time{}
	c.g.queue.each(func(q *store.Queued) verdict { return c.visit(q, room) })
	c.g.flow.left(c.limit(room, free, full), c.p.blocked)
	c.g.flow.activity = c.g.flow.activity || len(c.p.items) > 0 // due until the ledger says that they run
	for job := range c.picked {
		if limit, ok := c.limitOf(c.p.jobs[job]); ok {
			c.p.limits = append(c.p.limits, store.JobLimit{JobID: job, Max: limit, Spread: c.routes[job].strategy == models.RouteBroadcast})
		}
	}
	slices.SortFunc(c.p.limits, func(a, b store.JobLimit) int { return strings.Compare(a.JobID, b.JobID) })
}

// limit is what the plan left due tasks for; 0 when it left none, or only for the
// next batch.
func (c *chooser) limit(room, free int, full models.GroupLimit) models.GroupLimit {
	left := c.g.queue.due
	switch {
	case left == 0:
		return 0
	case len(c.p.items) >= room && room < min(perBatch, free):
		return models.LimitReleaseRate
	case len(c.p.items) >= free && full != 0:
		return full
	case len(c.p.items) >= free: // the plan itself has filled it
		return c.g.fullLocked()
	case len(c.p.items) >= perBatch:
		return 0
	case c.unable:
		return models.LimitNoNodes
	}
	return models.LimitJobs
}

// visit decides on one due task.
func (c *chooser) visit(q *store.Queued, room int) verdict {
	j := c.p.jobs[q.JobID]
	if outdated(j) {
		return take // the ledger cancels the tasks of a deleted job
	}
	if q.Child {
		return c.visitChild(q, j, room)
	}
	if v, decided := c.overlap(q, j); decided {
		if v == hold {
			c.p.blocked[j.ID] = true
		}
		return v
	}
	spreads := q.Spread || c.routes[j.ID].strategy == models.RouteBroadcast
	if len(c.p.items) >= room && !spreads { // what is spread takes no slot
		return hold
	}
	if limit, ok := c.limitOf(j); ok && c.g.perJob[j.ID]+c.picked[j.ID] >= limit {
		c.p.blocked[j.ID] = true
		return hold
	}
	if spreads {
		return c.spread(q, j)
	}
	f := c.route(q, j)
	if f.fail {
		c.p.parks = append(c.p.parks, q.ID)
		return take
	}
	n := f.node
	if n == nil {
		c.p.blocked[j.ID] = true
		c.unable = c.unable || f.none
		c.lookAgain(f.again)
		return hold
	}
	if c.routes[j.ID].strategy == models.RouteSticky {
		c.last[j.ID] = n.row.ID
	}
	n.give(j.Handler)
	c.pick(q)
	c.p.items = append(c.p.items, dispatchOf(q, n))
	return take
}

// pick counts a run of a job.
func (c *chooser) pick(q *store.Queued) {
	c.picked[q.JobID]++
	if q.Trigger == models.TriggerBackfill {
		c.fills[q.JobID]++
	}
}

// lookAgain has the group planned for again at an instant, though nothing happens.
func (c *chooser) lookAgain(at time.Time) {
	if !at.IsZero() && (c.g.againAt.IsZero() || at.Before(c.g.againAt)) {
		c.g.againAt = at
	}
}

// limitOf is the most tasks of a job that run at once.
func (c *chooser) limitOf(j *models.Job) (int, bool) {
	switch {
	case j == nil:
		return 0, false
	case j.Concurrency != models.ConcurrencyAllow:
		return 1, true
	case j.MaxRunning != nil:
		return *j.MaxRunning, true
	}
	return 0, false
}

// overlap applies the job's rule for overlapping with itself.
func (c *chooser) overlap(q *store.Queued, j *models.Job) (verdict, bool) {
	if j.Concurrency == models.ConcurrencyAllow {
		return 0, false
	}
	live := c.live[j.ID]
	others := live.Running + c.picked[j.ID]
	if q.State == models.TaskWaiting {
		others += live.Retrying // an older firing that will be tried again goes first
	}
	if others == 0 {
		delete(c.g.replaced, j.ID)
		return 0, false
	}
	if q.Trigger == models.TriggerBackfill || others == live.Backfills+c.fills[j.ID] {
		return hold, true // what is made up for neither gives way nor drives away: one waits for the other
	}
	switch j.Concurrency {
	case models.ConcurrencySkip:
		if q.State != models.TaskWaiting {
			return hold, true
		}
		c.skip(models.ReasonOverlap, q.ID)
		return take, true
	case models.ConcurrencyReplace:
		if c.picked[j.ID] == 0 && q.State == models.TaskWaiting && c.g.replaced[j.ID] != c.newest[j.ID] {
			c.p.replaces[j.ID] = c.newest[j.ID]
			c.g.replaced[j.ID] = c.newest[j.ID] // once for each newest firing
		}
	default: // QUEUE waits
	}
	return hold, true
}

func (c *chooser) skip(reason, id string) { c.p.skips[reason] = append(c.p.skips[reason], id) }

// coalesce keeps of the waiting scheduled firings of a job that queues or
// replaces only the newest; what people and programs asked for is never merged.
func (c *chooser) coalesce() {
	gone := map[string]bool{}
	last := map[string]string{} // of each job, whatever the priority: that may have been changed between two firings
	for i := range c.g.queue.ready {
		for id, tasks := range c.g.queue.ready[i].tasks {
			j := c.p.jobs[id]
			if outdated(j) || j.Concurrency != models.ConcurrencyQueue && j.Concurrency != models.ConcurrencyReplace {
				continue
			}
			c.coalesceJob(id, tasks, last, gone)
		}
	}
	if len(gone) > 0 {
		c.g.queue.drop(gone)
	}
}

// coalesceJob looks at a job's tasks of one priority; last is its newest scheduled firing
// so far.
func (c *chooser) coalesceJob(job string, tasks []store.Queued, last map[string]string, gone map[string]bool) {
	for i := range tasks {
		t := &tasks[i]
		if t.Child {
			continue
		}
		if t.State == models.TaskWaiting && t.Trigger != models.TriggerBackfill {
			c.newest[job] = max(c.newest[job], t.ID)
		}
		if t.State != models.TaskWaiting || t.Trigger != models.TriggerCron && t.Trigger != models.TriggerFixedRate {
			continue
		}
		older := last[job]
		if last[job] = max(older, t.ID); older == "" {
			continue
		}
		older = min(older, t.ID)
		gone[older] = true
		c.skip(models.ReasonCoalesced, older)
	}
}

// route chooses the node for a task. A retry avoids the node of its last attempt
// while another has room.
func (c *chooser) route(q *store.Queued, j *models.Job) found {
	r := c.routes[j.ID]
	s := seek{handler: j.Handler, last: c.g.last[j.ID], since: q.AvailableAt, now: c.p.at}
	if last, planned := c.last[j.ID]; planned {
		s.last = last
	}
	if r.strategy == models.RouteHash {
		key, known := c.g.keys[q.ID]
		if !known {
			return found{again: c.p.at} // its key is read before the next plan
		}
		s.key = key
	}
	if q.State == models.TaskRetrying && q.NodeID != nil {
		s.avoid = *q.NodeID
	}
	return c.g.seekLocked(r, &s)
}
