package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// execution is one run of a handler as the witness saw it.
type execution struct {
	task    string
	attempt int
	pid     int
	node    string
	slot    time.Time
	from    time.Time
	till    time.Time // zero: it never said
	whole   bool      // it came to its end
}

// executions joins the witness's notes, in order of their starts.
func executions(notes []note) []*execution {
	type key struct {
		task    string
		attempt int
		pid     int
	}
	open := map[key]*execution{}
	var all []*execution
	for _, n := range notes {
		k := key{n.Task, n.Attempt, n.PID}
		switch n.Kind {
		case noteStart:
			e := &execution{task: n.Task, attempt: n.Attempt, pid: n.PID, node: n.Node, slot: n.Slot, from: n.At}
			open[k] = e
			all = append(all, e)
		case noteEnd, noteAborted:
			if e := open[k]; e != nil {
				e.till, e.whole = n.At, n.Kind == noteEnd
			}
		}
	}
	return all
}

// checker joins the witness's notes, the ledger and the slots that were due.
type checker struct {
	b    *bed
	fig  *figures
	k    *books
	runs map[string][]*execution // by task
}

// check fills the figures and notes every promise that was broken.
func (b *bed) check(k *books) {
	notes := slices.DeleteFunc(b.witness.all(), func(n note) bool { return strings.HasPrefix(n.Job, poisonPrefix) })
	c := &checker{b: b, fig: b.fig, k: k, runs: map[string][]*execution{}}
	all := executions(notes)
	for _, e := range all {
		if k.tasks[e.task] == nil {
			c.fig.breaks("V1: %s ran and is not in the ledger", e)
		}
		c.runs[e.task] = append(c.runs[e.task], e)
	}
	for _, n := range notes {
		if n.Refused {
			c.fig.fenced++
		}
	}
	c.fig.refused, c.fig.reruns = k.refusals, len(all)-len(c.runs)
	c.countEnds()
	for _, lapse := range k.lapses {
		c.fig.breaks("%s", lapse)
	}
	c.checkSlots()
	c.checkRequests()
	for _, t := range k.tasks {
		c.checkTask(t)
	}
	c.checkOverlaps()
	c.checkAlone()
	c.measure(all)
}

// countEnds says how attempts ended that were tried again.
func (c *checker) countEnds() {
	ends := map[int]int{}
	for id, list := range c.k.attempts {
		for _, a := range list {
			if c.k.tasks[id] != nil { // one that is judged
				ends[a.outcome]++
			}
		}
	}
	names := []string{outcomeFailed: "failed", outcomeTimedOut: "timed out", outcomeLost: "lost", outcomeReleased: "released"}
	var words []string
	for outcome, name := range names {
		if ends[outcome] > 0 && name != "" {
			words = append(words, fmt.Sprintf("%d %s", ends[outcome], name))
		}
	}
	if len(words) > 0 {
		c.fig.say("attempts %s", strings.Join(words, ", "))
	}
}

// checkSlots is V1 and V2: each slot of each job has exactly one task, or a record
// that says why it has none.
func (c *checker) checkSlots() {
	for _, j := range c.b.load.jobs {
		bySlot := map[int64]int{}
		for _, t := range c.k.byJob[j.id] {
			bySlot[t.scheduled.UnixMicro()]++
		}
		for _, slot := range c.b.load.slots(j) {
			c.fig.slots++
			n := bySlot[slot.UnixMicro()]
			delete(bySlot, slot.UnixMicro())
			switch {
			case n > 1:
				c.fig.doubled++
				c.fig.breaks("V2: job %s has %d tasks for %s", j.name, n, slot.Format(time.TimeOnly))
			case n == 0 && c.skipped(j, slot):
				c.fig.skipped++
			case n == 0:
				c.fig.lost++
				c.fig.breaks("V1: job %s has nothing for %s", j.name, slot.Format(time.TimeOnly))
			}
		}
		for at := range bySlot {
			c.fig.breaks("V2: job %s has a task for %s, which is no slot of its", j.name, time.UnixMicro(at).UTC().Format(time.RFC3339Nano))
		}
	}
}

func (c *checker) skipped(j *loadJob, slot time.Time) bool {
	return slices.ContainsFunc(c.k.skips[j.id], func(s skip) bool { return s.reason != "" && !slot.Before(s.first) && !slot.After(s.last) })
}

// checkRequests sees that each enqueue that was answered is there, once.
func (c *checker) checkRequests() {
	made := map[string]int{} // requests by job
	for _, r := range c.b.load.asked {
		made[r.job]++
		if r.task == "" {
			c.fig.unanswered++
			continue
		}
		c.fig.slots++
		if c.k.tasks[r.task] == nil {
			c.fig.lost++
			c.fig.breaks("V1: request %s was answered with task %s, which does not exist", r.id, r.task)
		}
		if r.other != "" {
			c.fig.doubled++
			c.fig.breaks("V2: request %s was answered with task %s and then with %s", r.id, r.task, r.other)
		}
	}
	for name, j := range c.b.load.single {
		if n := len(c.k.byJob[j.id]); n > made[name] {
			c.fig.doubled += n - made[name]
			c.fig.breaks("V2: job %s has %d tasks for %d requests", name, n, made[name])
		}
	}
}

// checkTask is V3, V4 and V6 for one task.
func (c *checker) checkTask(t *task) {
	switch {
	case t.state == stateFailed:
		c.fig.parked++
		if t.reason != "POISON" {
			c.fig.breaks("V3: task %s failed: %s", t.id, t.reason)
		}
	case t.state == stateCancelled && c.b.f.cancels:
		c.checkCancelled(t)
	case t.state == stateSucceeded:
	default:
		c.fig.breaks("V3: task %s ended in state %d, reason %q", t.id, t.state, t.reason)
	}
	for i, a := range c.k.attempts[t.id] {
		if a.number != i+1 {
			c.fig.breaks("V6: the history of task %s has attempt %d in place %d", t.id, a.number, i+1)
			break
		}
	}
	if n := len(c.k.attempts[t.id]); t.state == stateSucceeded && n != t.attempt-1 {
		c.fig.breaks("V6: task %s ended with attempt %d and has %d attempts in its history", t.id, t.attempt, n)
	}
	if before := c.b.fig.seen[t.id]; before != nil && before.final() && (before.state != t.state || before.attempt != t.attempt || !before.finished.Time.Equal(t.finished.Time)) {
		c.fig.breaks("V6: task %s was final (state %d, attempt %d) and is now in state %d, attempt %d", t.id, before.state, before.attempt, t.state, t.attempt)
	}
	if t.state == stateSucceeded {
		c.checkSuccess(t)
	}
}

// checkSuccess sees that a success is the very attempt that ran to its end, and that
// no older one had its effect after it.
func (c *checker) checkSuccess(t *task) {
	r, ok := t.answer()
	if !ok || r.Attempt != t.attempt {
		c.fig.breaks("V4: task %s succeeded with attempt %d and the result of attempt %d", t.id, t.attempt, r.Attempt)
		return
	}
	whole := slices.ContainsFunc(c.runs[t.id], func(e *execution) bool { return e.attempt == t.attempt && e.pid == r.PID && e.whole })
	if !whole {
		c.fig.lost++
		c.fig.breaks("V3: task %s succeeded and attempt %d never ran to its end", t.id, t.attempt)
	}
	if token := c.b.witness.token(t.id); token != int64(t.attempt) {
		c.fig.breaks("V4: task %s succeeded with attempt %d, its effect is that of %d", t.id, t.attempt, token)
	}
}

// interval answers when an execution ended; what died under it ended then.
func (c *checker) interval(e *execution) (till time.Time, ok bool) {
	if !e.till.IsZero() {
		return e.till, true
	}
	for _, d := range c.b.deaths {
		if d.pid == e.pid {
			return d.at, true
		}
	}
	return time.Time{}, false
}

// checkOverlaps is invariant 2: two attempts of a task run at once only when the
// earlier one was given up for lost, or when it is the same that was pushed twice,
// which a worker must not run twice.
func (c *checker) checkOverlaps() {
	for id, runs := range c.runs {
		for i, e := range runs {
			till, ok := c.interval(e)
			for _, later := range runs[i+1:] {
				if later.attempt == e.attempt {
					c.fig.doubled++
					c.fig.breaks("V2: attempt %d of task %s ran twice, on %s and on %s", e.attempt, id, e.node, later.node)
					continue
				}
				if !ok || !later.from.Before(till) {
					continue
				}
				c.fig.overlaps++
				c.fig.longest = max(c.fig.longest, till.Sub(later.from))
				if !c.givenUp(id, e.attempt) {
					c.fig.breaks("V5: attempts %d and %d of task %s ran at once and the first was not given up", e.attempt, later.attempt, id)
				}
			}
		}
	}
}

// givenUp says whether an attempt ended without its worker's own word.
func (c *checker) givenUp(task string, number int) bool {
	return slices.ContainsFunc(c.k.attempts[task], func(a attempt) bool {
		return a.number == number && (a.outcome == outcomeLost || a.outcome == outcomeTimedOut || a.outcome == outcomeReleased)
	})
}

// checkAlone is invariant 6: tasks of a job that may run once at a time do not run
// at once, unless one was given up for lost and its worker does not know yet.
func (c *checker) checkAlone() {
	for _, j := range c.b.load.jobs {
		if !j.alone {
			continue
		}
		var all []*execution
		for _, t := range c.k.byJob[j.id] {
			all = append(all, c.runs[t.id]...)
		}
		slices.SortFunc(all, func(x, y *execution) int { return x.from.Compare(y.from) })
		for i := 1; i < len(all); i++ {
			before, e := all[i-1], all[i]
			till, ok := c.interval(before)
			if ok && before.task != e.task && e.from.Before(till) && !c.givenUp(before.task, before.attempt) && !c.givenUp(e.task, e.attempt) {
				c.fig.breaks("V5: job %s may run once at a time; tasks %s and %s ran at once for %s", j.name, before.task, e.task, till.Sub(e.from))
			}
		}
	}
}

// early is how much sooner than its instant a task may start: clocks differ.
const early = 50 * time.Millisecond

// measure fills in delays and take-over times.
func (c *checker) measure(all []*execution) {
	first := map[string]bool{}
	for _, e := range all {
		if first[e.task] {
			continue
		}
		first[e.task] = true
		delay := e.from.Sub(e.slot)
		c.fig.delays = append(c.fig.delays, delay)
		if delay < -early {
			c.fig.breaks("V2: task %s started %s before its instant", e.task, -delay)
		}
	}
	groups := map[string]string{} // of tasks that were due by themselves
	for _, j := range c.b.load.jobs {
		for _, t := range c.k.byJob[j.id] {
			groups[t.id] = j.group
		}
	}
	for _, at := range c.b.events {
		took := map[string]time.Duration{}
		for _, e := range all {
			g := groups[e.task]
			if _, known := took[g]; g != "" && !known && e.slot.After(at) {
				took[g] = e.from.Sub(at)
			}
		}
		worst := time.Duration(0)
		for _, d := range took {
			worst = max(worst, d)
		}
		if len(took) > 0 {
			c.fig.takeovers = append(c.fig.takeovers, worst)
		}
	}
}

// String shows an execution in the evidence.
func (e *execution) String() string {
	return fmt.Sprintf("task %s attempt %d on %s (pid %d)", e.task, e.attempt, e.node, e.pid)
}
