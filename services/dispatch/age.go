package dispatch

import (
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/services/store"
)

// agedAfter is how long a task must have been due for it to count as one priority
// higher; after twice as long it counts as two higher, and so on. So a steady load of
// urgent tasks starves nothing.
const agedAfter = 5 * time.Minute

// age moves tasks that have been due for long into the lanes above their own.
func (q *queue) age(now time.Time) {
	for i := len(q.ready) - 1; i > 0; i-- {
		q.ready[i].age(i, &q.ready[i-1], now)
	}
}

// age moves what is ripe from lane number i into the one above.
func (l *lane) age(i int, above *lane, now time.Time) {
	kept := l.jobs[:0]
	for _, job := range l.jobs {
		tasks := l.tasks[job]
		n := 0
		for n < len(tasks) && ripe(&tasks[n], i, now) {
			n++
		}
		if n > 0 {
			above.add(job, tasks[:n])
			tasks = slices.Clone(tasks[n:])
		}
		if len(tasks) == 0 {
			delete(l.tasks, job)
			continue
		}
		l.tasks[job] = tasks
		kept = append(kept, job)
	}
	clear(l.jobs[len(kept):])
	l.jobs = kept
}

// ripe says whether a task in lane number i has been due for so long that it counts as
// one priority higher than that.
func ripe(t *store.Queued, i int, now time.Time) bool {
	levels := laneOf(t.Priority) - i + 1
	return now.Sub(t.AvailableAt) >= time.Duration(levels)*agedAfter
}

// add puts tasks of a job among those that are there, by how long they have waited.
func (l *lane) add(job string, tasks []store.Queued) {
	if len(l.tasks[job]) == 0 {
		l.jobs = append(l.jobs, job)
	}
	all := append(slices.Clone(l.tasks[job]), tasks...)
	slices.SortStableFunc(all, func(a, b store.Queued) int {
		if by := a.AvailableAt.Compare(b.AvailableAt); by != 0 {
			return by
		}
		return strings.Compare(a.ID, b.ID)
	})
	l.tasks[job] = all
}
