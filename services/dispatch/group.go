package dispatch

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// group is the memory of one node group. Only one pass at a time works on it;
// mu guards what hints may touch meanwhile.
type group struct {
	id        string
	partition int
	queued    bool // guarded by Dispatcher.mu: waits for a pass
	passing   bool // guarded by Dispatcher.mu: in a pass
	timer     *time.Timer

	mu         sync.Mutex
	row        models.NodeGroup
	stopped    bool
	hydrated   bool // running and nodes have been read once
	nodesStale bool
	queueStale bool
	resyncAt   time.Time // when running is read again
	readAt     time.Time // when the queue was last read
	quietTill  time.Time // no release before
	pastTill   time.Time // the queue is not read past its head before
	pastWanted bool      // it should be, as soon as it may
	nodes      map[string]*node
	rotation   int               // of round robin
	last       map[string]string // node that ran a STICKY job last, by job; those with tasks since the group is owned here
	keys       map[string]string // routing keys of queued tasks; see forgetKeysLocked
	againAt    time.Time         // the queue is planned again then, though nothing happens; zero: it need not be
	running    map[string]*running
	spread     map[string]*running // tasks that run as parents of others: they are on no node and take no slot
	perJob     map[string]int      // running tasks by job, parts of others left out
	replaced   map[string]string   // newest firing for which a REPLACE job's older ones were cancelled
	queue      queue
	limiter    limiter
	flow       flow
	takenOver  bool // what the last owner told of the line may be old
}

// node is a node of the group as the dispatcher sees it.
type node struct {
	row      models.Node
	handlers map[string]bool
	labels   map[string]string
	busy     int // attempts dispatched to its present incarnation and not ended
	planned  int // attempts that the present plan gives it
	// pools are the limits of single handlers, by each of their names; counted only
	// while a plan is made.
	pools map[string]*pool
}

// pool is how many attempts of some handlers, together, a node runs at once.
type pool struct {
	slots int
	taken int // running ones, and those of the present plan
}

// open says whether the node takes new work.
func (n *node) open() bool { return n.row.State == models.NodeOnline && !n.row.Draining }

// free is how many attempts the node can take now.
func (n *node) free() int {
	if !n.open() {
		return 0
	}
	return max(0, n.row.Slots-n.row.Lingering-n.busy-n.planned)
}

// room says whether the node can take an attempt of a handler now.
func (n *node) room(handler string) bool {
	p := n.pools[handler]
	return n.free() > 0 && (p == nil || p.taken < p.slots)
}

// give counts an attempt of a handler that the present plan gives the node.
func (n *node) give(handler string) {
	n.planned++
	if p := n.pools[handler]; p != nil {
		p.taken++
	}
}

// lighter says whether a smaller share of n's slots is busy than of other's; the
// id breaks ties.
func (n *node) lighter(other *node) bool {
	mine := (n.busy + n.planned) * other.row.Slots // compares fractions without dividing
	its := (other.busy + other.planned) * n.row.Slots
	return mine < its || mine == its && n.row.ID < other.row.ID
}

// running is a dispatched attempt.
type running struct {
	task      models.Task // light: without parameters, result, checkpoint
	misses    int         // heartbeats that did not name it
	addedAt   time.Time   // when it came into memory
	cancelled time.Time   // when its cancellation was last sent to the node
}

func newGroup(row models.NodeGroup) *group {
	return &group{
		id: row.ID, partition: row.Partition, row: row,
		nodes: map[string]*node{}, running: map[string]*running{}, spread: map[string]*running{}, perJob: map[string]int{},
		replaced: map[string]string{}, queue: newQueue(), last: map[string]string{}, keys: map[string]string{},
	}
}

// mark changes flags under the lock.
func (g *group) mark(set func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	set()
}

// doubtLocked has everything read again: a pass failed half way.
func (g *group) doubtLocked() {
	g.queueStale, g.nodesStale, g.resyncAt = true, true, time.Time{}
}

func (g *group) stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stopped = true
	g.timer.Stop()
}

// wakeIn puts the group up for a pass after d.
func (g *group) wakeIn(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.stopped {
		g.timer.Reset(max(d, 0))
	}
}

// ended takes the end of an attempt into account.
func (g *group) ended(e Ended) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r := g.findLocked(e.TaskID); r != nil && r.task.Attempt <= e.Attempt {
		g.removeLocked(e.TaskID)
	}
	g.flow.moved = true
	if e.State == models.TaskRetrying {
		g.queueStale = true
	}
}

// findLocked answers a running task, be it on a node or spread over others; nil when
// memory does not have it.
func (g *group) findLocked(id string) *running {
	if r := g.running[id]; r != nil {
		return r
	}
	return g.spread[id]
}

func (g *group) addLocked(t models.Task, now time.Time) {
	g.removeLocked(t.ID)
	t.Parameters, t.Result, t.Checkpoint = nil, nil, nil
	if !t.Child() {
		g.perJob[t.JobID]++
	}
	if t.Spread() {
		g.spread[t.ID] = &running{task: t, addedAt: now}
		return
	}
	g.running[t.ID] = &running{task: t, addedAt: now}
	if n := g.nodeOfLocked(&t); n != nil {
		n.busy++
	}
}

func (g *group) removeLocked(id string) {
	r := g.findLocked(id)
	if r == nil {
		return
	}
	delete(g.running, id)
	delete(g.spread, id)
	if !r.task.Child() {
		if g.perJob[r.task.JobID]--; g.perJob[r.task.JobID] <= 0 {
			delete(g.perJob, r.task.JobID)
		}
	}
	if n := g.nodeOfLocked(&r.task); n != nil {
		n.busy--
	}
}

// nodeOfLocked answers the node that a running task is on, if its present
// incarnation is the one the task was given to.
func (g *group) nodeOfLocked(t *models.Task) *node {
	if t.NodeID == nil {
		return nil
	}
	n := g.nodes[*t.NodeID]
	if n == nil || n.row.Incarnation != t.Incarnation {
		return nil
	}
	return n
}

// setNodesLocked replaces the nodes and counts their busy slots afresh.
func (g *group) setNodesLocked(rows []models.Node) {
	g.nodes = make(map[string]*node, len(rows))
	for _, row := range rows {
		var names []string
		_ = json.Unmarshal(row.Handlers, &names) // written by the registry; a broken list means no handlers
		n := &node{row: row, handlers: make(map[string]bool, len(names))}
		_ = json.Unmarshal(row.Labels, &n.labels) // likewise
		for _, name := range names {
			n.handlers[name] = true
		}
		n.pools = poolsOf(row.HandlerSlots)
		g.nodes[row.ID] = n
	}
	for _, r := range g.running {
		if n := g.nodeOfLocked(&r.task); n != nil {
			n.busy++
		}
	}
}

// poolsOf reads what the registry wrote; a broken list means no limits.
func poolsOf(text json.RawMessage) map[string]*pool {
	var list []wire.HandlerSlots
	if len(text) == 0 || json.Unmarshal(text, &list) != nil {
		return nil
	}
	pools := map[string]*pool{}
	for _, each := range list {
		p := &pool{slots: each.Slots}
		for _, name := range each.Handlers {
			pools[name] = p
		}
	}
	return pools
}

// pooledLocked says whether any node limits single handlers.
func (g *group) pooledLocked() bool {
	for _, n := range g.nodes {
		if len(n.pools) > 0 {
			return true
		}
	}
	return false
}

// fillPoolsLocked counts the running attempts of limited handlers; jobs are those of
// everything that runs. One that has been given another handler since counts as that.
func (g *group) fillPoolsLocked(jobs map[string]*models.Job) {
	if !g.pooledLocked() {
		return
	}
	for _, n := range g.nodes {
		for _, p := range n.pools {
			p.taken = 0
		}
	}
	for _, r := range g.running {
		n, j := g.nodeOfLocked(&r.task), jobs[r.task.JobID]
		if n == nil || j == nil {
			continue
		}
		if p := n.pools[j.Handler]; p != nil {
			p.taken++
		}
	}
}

// setRunningLocked makes memory equal to what the ledger had at the instant asked:
// attempts dispatched since then stay.
func (g *group) setRunningLocked(rows []models.Task, asked, now time.Time) {
	seen := make(map[string]bool, len(rows))
	for i := range rows {
		t := rows[i]
		seen[t.ID] = true
		r := g.findLocked(t.ID)
		if r == nil || r.task.Attempt < t.Attempt {
			g.addLocked(t, now)
			continue
		}
		r.task.StartedAt, r.task.CancelRequestedAt = t.StartedAt, t.CancelRequestedAt
		r.task.DeadlineAt, r.task.Reason = t.DeadlineAt, t.Reason
	}
	for _, known := range []map[string]*running{g.running, g.spread} {
		for id, r := range known {
			if !seen[id] && r.addedAt.Before(asked) {
				g.removeLocked(id)
			}
		}
	}
}

// freeSlotsLocked is how many more attempts the group may run now.
func (g *group) freeSlotsLocked() int {
	free := 0
	for _, n := range g.nodes {
		free += n.free()
	}
	if g.row.MaxRunning != nil {
		free = min(free, *g.row.MaxRunning-len(g.running))
	}
	return max(0, free)
}

// dispatchOf is the ledger's form of giving q to n.
func dispatchOf(q *store.Queued, n *node) store.Dispatch {
	return store.Dispatch{
		TaskID: q.ID, Attempt: q.Attempt, NodeID: n.row.ID, NodeName: n.row.Name,
		Incarnation: n.row.Incarnation, TimeoutMS: q.TimeoutMS, AvailableAt: q.AvailableAt,
	}
}
