package dispatch

import (
	"container/heap"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// queue is the head of a group's queue: due tasks by priority and job, and those
// that will be due within the look-ahead. Bounded by what one read answers, and by
// mostKnown and one read more where it is read past its head.
type queue struct {
	known map[string]time.Time // ids in ready or future, and when they are available
	ready [len(models.Priorities)]lane
	due   int // tasks in ready
	soon  future
	more  bool // the last read left some in the ledger
}

// lane holds the due tasks of one priority: the jobs take turns, each job's tasks
// go in order of availability.
type lane struct {
	jobs  []string // turn order
	tasks map[string][]store.Queued
}

func newQueue() queue {
	q := queue{known: map[string]time.Time{}}
	for i := range q.ready {
		q.ready[i].tasks = map[string][]store.Queued{}
	}
	return q
}

// laneOf is the lane of a priority.
func laneOf(p models.Priority) int {
	for i, each := range models.Priorities {
		if each == p {
			return i
		}
	}
	return len(models.Priorities) - 1
}

// fill takes in what a read answered.
func (q *queue) fill(tasks []store.Queued, running map[string]*running, now time.Time) {
	type class struct {
		state    models.TaskState
		priority models.Priority
	}
	counts := map[class]int{}
	for _, t := range tasks {
		counts[class{t.State, t.Priority}]++
	}
	q.take(tasks, running, now)
	q.more = false
	for _, n := range counts {
		q.more = q.more || n >= perRead
	}
}

// take adds those tasks whose attempt does not run by now.
func (q *queue) take(tasks []store.Queued, running map[string]*running, now time.Time) {
	for _, t := range tasks {
		if r := running[t.ID]; r == nil || r.task.Attempt <= t.Attempt {
			q.put(t, now)
		}
	}
}

// put adds a task unless it is known already. One that was rescheduled leaves its
// place for the new one.
func (q *queue) put(t store.Queued, now time.Time) {
	at, known := q.known[t.ID]
	switch {
	case known && at.Equal(t.AvailableAt):
		return
	case known:
		q.remove(t.ID)
	}
	q.known[t.ID] = t.AvailableAt
	if t.AvailableAt.After(now) {
		heap.Push(&q.soon, t)
		return
	}
	q.enqueue(t)
}

func (q *queue) enqueue(t store.Queued) {
	l := &q.ready[laneOf(t.Priority)]
	if len(l.tasks[t.JobID]) == 0 {
		l.jobs = append(l.jobs, t.JobID)
	}
	l.tasks[t.JobID] = append(l.tasks[t.JobID], t)
	q.due++
}

// promote moves what has become due into its lane.
func (q *queue) promote(now time.Time) {
	for len(q.soon) > 0 && !q.soon[0].AvailableAt.After(now) {
		q.enqueue(heap.Pop(&q.soon).(store.Queued))
	}
}

// nextDue is when the next task becomes due.
func (q *queue) nextDue() (time.Time, bool) {
	if len(q.soon) == 0 {
		return time.Time{}, false
	}
	return q.soon[0].AvailableAt, true
}

// jobIDs lists the jobs that have due tasks.
func (q *queue) jobIDs() []string {
	var ids []string
	for i := range q.ready {
		ids = append(ids, q.ready[i].jobs...)
	}
	return ids
}

// each calls visit for the due tasks in the order in which they may start:
// priority first, then one task a job in turn. Visit answers what becomes of the
// task; it is not called again for a job that it holds.
func (q *queue) each(visit func(t *store.Queued) verdict) {
	for i := range q.ready {
		q.ready[i].each(visit, q)
	}
}

// verdict is what becomes of a due task.
type verdict int

const (
	hold  verdict = iota // the task and its job's later ones wait
	take                 // the task leaves the queue
	aside                // the task waits, its job's later ones need not
)

// each goes round the jobs until all are held. Those that got less in this round, and
// so in all, are first the next time: with room for one task a plan they still take turns.
func (l *lane) each(visit func(t *store.Queued) verdict, q *queue) {
	turn := l.jobs
	var waiting []string
	var asides map[string][]store.Queued // by job: made for the first of them
	for len(turn) > 0 {
		var more []string
		for _, id := range turn {
			v, passed := l.visit(id, visit)
			if len(passed) > 0 {
				if asides == nil {
					asides = map[string][]store.Queued{}
				}
				asides[id] = append(asides[id], passed...)
			}
			switch {
			case v == hold:
				waiting = append(waiting, id)
			case v == take && l.pop(id, q):
				more = append(more, id)
			case len(asides[id]) > 0: // only those are left of the job
				waiting = append(waiting, id)
			}
		}
		turn = more
	}
	for id, tasks := range asides {
		l.tasks[id] = append(tasks, l.tasks[id]...) // in their old order
	}
	l.jobs = waiting
}

// visit has the first task of a job decided on that is not put aside, and answers those
// before it, which have left the job's line for now; aside when there is no other.
func (l *lane) visit(job string, visit func(t *store.Queued) verdict) (v verdict, passed []store.Queued) {
	tasks := l.tasks[job]
	for i := range tasks {
		if v = visit(&tasks[i]); v != aside {
			if l.tasks[job] = tasks[i:]; i > 0 {
				passed = slices.Clone(tasks[:i])
			}
			return v, passed
		}
	}
	delete(l.tasks, job)
	return aside, tasks
}

// pop removes the head of a job's tasks and says whether the job has more.
func (l *lane) pop(job string, q *queue) (more bool) {
	tasks := l.tasks[job]
	delete(q.known, tasks[0].ID)
	q.due--
	if len(tasks) == 1 {
		delete(l.tasks, job)
		return false
	}
	tasks[0] = store.Queued{}
	l.tasks[job] = tasks[1:]
	return true
}

// remove takes a task out, wherever it is.
func (q *queue) remove(id string) {
	for i := range q.soon {
		if q.soon[i].ID == id {
			heap.Remove(&q.soon, i)
			delete(q.known, id)
			return
		}
	}
	q.drop(map[string]bool{id: true})
}

// drop removes tasks that will not run.
func (q *queue) drop(ids map[string]bool) {
	for i := range q.ready {
		q.ready[i].drop(ids, q)
	}
}

func (l *lane) drop(ids map[string]bool, q *queue) {
	kept := l.jobs[:0]
	for _, job := range l.jobs {
		tasks := l.tasks[job][:0]
		for _, t := range l.tasks[job] {
			if ids[t.ID] {
				delete(q.known, t.ID)
				q.due--
				continue
			}
			tasks = append(tasks, t)
		}
		if len(tasks) == 0 {
			delete(l.tasks, job)
			continue
		}
		l.tasks[job] = tasks
		kept = append(kept, job)
	}
	l.jobs = kept
}

// future is a heap of tasks by availability.
type future []store.Queued

func (f future) Len() int      { return len(f) }
func (f future) Swap(i, j int) { f[i], f[j] = f[j], f[i] }

// Less orders as the ledger's index does, so that tasks of one instant keep their order.
func (f future) Less(i, j int) bool {
	if c := f[i].AvailableAt.Compare(f[j].AvailableAt); c != 0 {
		return c < 0
	}
	return f[i].ID < f[j].ID
}

// Push implements heap.Interface.
func (f *future) Push(x any) { *f = append(*f, x.(store.Queued)) }

// Pop implements heap.Interface.
func (f *future) Pop() any {
	last := len(*f) - 1
	t := (*f)[last]
	(*f)[last] = store.Queued{}
	*f = (*f)[:last]
	return t
}
