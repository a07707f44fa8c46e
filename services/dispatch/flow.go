package dispatch

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

const (
	reportEvery = time.Second // how groups' lines move is looked at, and told when it has changed
	countShare  = 20          // counting due tasks may take one part in so many of the time
)

// flow is what a group remembers of how its line moves, guarded by group.mu.
type flow struct {
	recent   []release         // dispatches of the last second, oldest first: at most one a pass
	total    int64             // tasks dispatched since the group is owned here
	limit    models.GroupLimit // what the last plan left due tasks for; 0: nothing, or it left none
	held     map[string]bool   // jobs whose due tasks the last plan left for their own sake
	line     line              // once a second
	counted  store.Due         // due tasks in the ledger when they were last counted
	at       int64             // total by then
	told     *models.GroupFlow // as written last; nil: never
	moved    bool              // something ran or ended since the last look
	activity bool              // there may be due tasks that memory does not know
}

// left notes what a plan left due tasks for, and which jobs' for their own sake.
func (f *flow) left(limit models.GroupLimit, held map[string]bool) { f.limit, f.held = limit, held }

// released counts n dispatches at an instant.
func (f *flow) released(n int, at time.Time) {
	f.total += int64(n)
	f.moved = true
	f.recent = append(f.recent, release{at: at, n: n})
	f.lastSecond(at)
}

// lastSecond is how many were dispatched within the last second.
func (f *flow) lastSecond(now time.Time) int {
	sum := 0
	for len(f.recent) > 0 && now.Sub(f.recent[0].at) >= releaseWindow {
		f.recent = f.recent[1:]
	}
	for _, r := range f.recent {
		sum += r.n
	}
	return sum
}

// report is a round of the loop that looks at all groups: it writes how their lines
// move where that has changed, and tells of the groups in which anything has.
func (d *Dispatcher) report(ctx context.Context) error {
	groups := d.all()
	if err := d.count(ctx, groups); err != nil {
		return err
	}
	now, owned := d.cfg.Clock.Now(), d.cfg.Owner.Partitions()
	var flows []models.GroupFlow
	var moved []models.NodeGroup
	fence := store.Fence{}
	for _, g := range groups {
		epoch, ours := owned[g.partition]
		if !ours {
			continue
		}
		g.mu.Lock()
		f, tell := g.figuresLocked(now)
		if tell {
			flows = append(flows, f)
			fence[g.partition] = epoch
		}
		if tell || g.flow.moved {
			moved = append(moved, g.row)
		}
		g.flow.moved = false
		g.mu.Unlock()
	}
	if len(flows) > 0 {
		if err := d.write(ctx, fence, flows, groups); err != nil {
			return err
		}
	}
	if len(moved) > 0 {
		d.cfg.Watcher.GroupsFlowed(ctx, moved)
	}
	return nil
}

// write records flows; those that could not be are told again.
func (d *Dispatcher) write(ctx context.Context, fence store.Fence, flows []models.GroupFlow, groups []*group) error {
	err := d.cfg.Ledger.WriteGroupFlows(ctx, fence, flows)
	if err == nil {
		return nil
	}
	for _, g := range groups {
		g.mark(func() { g.flow.told = nil })
	}
	return store.GiveWay(err, d.cfg.Owner.Lost)
}

// count asks the ledger how many tasks are due in the groups that may have any. Long
// lines take long to count, so it takes at most a share of the time; between two
// counts what was dispatched is taken off.
func (d *Dispatcher) count(ctx context.Context, groups []*group) error {
	now := d.cfg.Clock.Now()
	if now.Before(d.countAt) {
		return nil
	}
	active := map[string]*group{}
	for _, g := range groups {
		g.mark(func() {
			g.queue.promote(now)
			if g.queue.due > 0 || g.queueStale || g.queue.more || g.flow.activity || g.flow.counted.Tasks > 0 {
				active[g.id] = g
			}
			g.flow.activity = false
		})
	}
	if len(active) == 0 {
		return nil
	}
	due, err := d.cfg.Ledger.DueTasks(ctx, slices.Collect(maps.Keys(active)), now)
	if err != nil {
		for _, g := range active {
			g.mark(func() { g.flow.activity = true })
		}
		return fmt.Errorf("counting due tasks: %w", err)
	}
	for id, g := range active {
		g.mark(func() { g.flow.counted, g.flow.at = due[id], g.flow.total })
	}
	after := d.cfg.Clock.Now()
	d.countAt = after.Add(countShare * after.Sub(now))
	return nil
}

// figuresLocked is how the group's line moves at now, and whether that is to be told.
func (g *group) figuresLocked(now time.Time) (models.GroupFlow, bool) {
	due := g.flow.counted
	due.Tasks = max(due.Tasks-(g.flow.total-g.flow.at), 0)
	f := models.GroupFlow{GroupID: g.id, At: now, Due: due.Tasks, Released: g.flow.lastSecond(now)}
	if due.Tasks > 0 {
		f.OldestDueAt = new(due.Oldest)
		f.LimitedBy = g.limitLocked()
		if f.LimitedBy == 0 {
			f.LateMS = max(now.Sub(g.unheldSinceLocked(due.Oldest)).Milliseconds(), 0)
		}
	}
	g.flow.line.add(sample{at: now, due: due.Tasks, total: g.flow.total})
	in, note := g.flow.line.outlook(f.LimitedBy, g.row.ReleaseRate)
	if in != nil {
		f.DrainsInMS = new(in.Milliseconds())
	}
	f.DrainsNote = note
	told := g.flow.told
	same := told != nil && f.Due == 0 && reflect.DeepEqual(withoutInstant(*told), withoutInstant(f))
	idle := told == nil && f.Due == 0 && f.Released == 0 && !g.takenOver
	if same || idle {
		return f, false
	}
	g.flow.told = &f
	return f, true
}

// withoutInstant is a flow for comparing.
func withoutInstant(f models.GroupFlow) models.GroupFlow {
	f.At = time.Time{}
	return f
}

// limitLocked is what holds the group's due tasks up; 0 for nothing.
func (g *group) limitLocked() models.GroupLimit {
	if g.flow.limit != 0 {
		return g.flow.limit
	}
	return g.fullLocked()
}

// waitingLocked is what holds up due tasks when none is planned at all.
func (g *group) waitingLocked() models.GroupLimit {
	if g.queue.due == 0 {
		return 0
	}
	return models.LimitReleaseRate // the first second after a take-over
}

// fullLocked is what keeps the group from running more, whatever waits; 0 for nothing.
func (g *group) fullLocked() models.GroupLimit {
	if !g.hydrated {
		return 0 // nobody knows yet
	}
	online, free, running := 0, 0, len(g.running)
	for _, n := range g.nodes {
		running += n.planned
		if n.open() {
			online++
		}
		free += n.free()
	}
	switch {
	case online == 0:
		return models.LimitNoNodes
	case g.row.MaxRunning != nil && running >= *g.row.MaxRunning:
		return models.LimitMaxRunning
	case free == 0:
		return models.LimitSlots
	}
	return 0
}

// unheldSinceLocked is since when the first due task that nothing holds up has been
// due: the ledger's oldest, or where some jobs hold their own tasks up, the oldest of
// the others in memory.
func (g *group) unheldSinceLocked(oldest time.Time) time.Time {
	if len(g.flow.held) == 0 {
		return oldest
	}
	first := time.Time{}
	for i := range g.queue.ready {
		for job, tasks := range g.queue.ready[i].tasks {
			if at := tasks[0].AvailableAt; !g.flow.held[job] && (first.IsZero() || at.Before(first)) {
				first = at
			}
		}
	}
	if first.IsZero() {
		return g.flow.line.last().at
	}
	return first
}
