package store

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/models"
)

// TestRandomHistories does whatever dispatchers, workers and people may do, in any
// order, with repeats and late reports, and looks after each step at what must
// always hold.
func TestRandomHistories(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		rapid.Check(t, func(rt *rapid.T) {
			h := &history{T: rt, ctx: t.Context(), s: s, w: newWorld(t, s, 2)}
			h.fill = h.w.backfill(t, s, 0, 1_000_000)
			rt.Repeat(map[string]func(*rapid.T){
				"create": h.create, "dispatch": h.dispatch, "end": h.end, "cancel": h.cancel,
				"requeue": h.requeue, "discard": h.discard, "skip": h.skip, "": h.check,
			})
		})
	})
}

// history is one random history; its tasks are those of its own world.
type history struct {
	*rapid.T
	ctx   context.Context
	s     *Store
	w     *world
	known []models.Task   // as they stood after the last step
	ends  []AttemptEnd    // accepted ones, to be repeated
	fill  models.Backfill // of the first job; some tasks are its own
}

func (h *history) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// some draws several of the known tasks.
func (h *history) some() []models.Task {
	if len(h.known) == 0 {
		h.Skip("no tasks yet")
	}
	return rapid.SliceOfNDistinct(rapid.SampledFrom(h.known), 1, min(6, len(h.known)), func(t models.Task) string { return t.ID }).Draw(h.T, "tasks")
}

func (h *history) at() time.Time {
	return t0.Add(time.Duration(rapid.IntRange(0, 7200).Draw(h.T, "second")) * time.Second)
}

func (h *history) create(rt *rapid.T) {
	h.T = rt
	tasks := h.w.tasks(rapid.IntRange(1, 4).Draw(rt, "n"))
	for i := range tasks {
		if key := rapid.SampledFrom([]string{"", "", "a", "b"}).Draw(rt, "key"); key != "" {
			tasks[i].UniqueKey = &key
		}
		if h.fill.JobID == tasks[i].JobID && rapid.Bool().Draw(rt, "backfill") {
			tasks[i].BackfillID = &h.fill.ID
		}
	}
	if len(h.known) > 0 && rapid.Bool().Draw(rt, "repeat") {
		again := rapid.SampledFrom(h.known).Draw(rt, "again")
		again.State, again.Attempt, again.NodeID = models.TaskWaiting, 0, nil
		tasks = append(tasks, again)
	}
	results, err := h.s.CreateTasks(h.ctx, tasks)
	h.must(err)
	for i, r := range results {
		if r.ID == "" || !r.Existing && r.ID != tasks[i].ID {
			rt.Errorf("task %d answered with %+v", i, r)
		}
	}
}

func (h *history) dispatch(rt *rapid.T) {
	h.T = rt
	tasks := h.some()
	items := make([]Dispatch, len(tasks))
	for i := range tasks {
		items[i] = dispatchOf(&tasks[i], rapid.IntRange(1, 3).Draw(rt, "node"))
		items[i].Attempt += rapid.SampledFrom([]int{0, 0, 0, -1, 1}).Draw(rt, "off")
	}
	rows, refused, err := h.s.DispatchTasks(h.ctx, nil, h.at(), items, nil)
	h.must(err)
	if len(rows)+len(refused) != len(items) {
		rt.Errorf("%d dispatched and %d refused of %d", len(rows), len(refused), len(items))
	}
}

func (h *history) end(rt *rapid.T) {
	h.T = rt
	var ends []AttemptEnd
	for _, task := range h.some() {
		e := AttemptEnd{TaskID: task.ID, Attempt: task.Attempt - rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(rt, "late"), FinishedAt: h.at()}
		e.Outcome = models.Outcome(rapid.IntRange(int(models.OutcomeSucceeded), int(models.OutcomeReleased)).Draw(rt, "outcome"))
		e.NoRetry = rapid.Bool().Draw(rt, "no retry")
		if rapid.Bool().Draw(rt, "started") {
			e.StartedAt = new(task.AvailableAt.Add(time.Duration(rapid.IntRange(0, 20).Draw(rt, "late")) * time.Second))
		}
		if rapid.Bool().Draw(rt, "by worker") {
			e.Incarnation = task.Incarnation
		}
		ends = append(ends, e)
	}
	if len(h.ends) > 0 && rapid.Bool().Draw(rt, "repeat") {
		again := rapid.SampledFrom(h.ends).Draw(rt, "again")
		before := h.loadOne(again.TaskID)
		results, err := h.s.EndAttempts(h.ctx, nil, []AttemptEnd{again}, decideBy)
		h.must(err)
		if results[0].Status != Ended {
			rt.Errorf("an accepted end is %d when it is repeated", results[0].Status)
		}
		if diff := cmp.Diff(before, h.loadOne(again.TaskID)); diff != "" {
			rt.Errorf("a repeat changed the task:\n%s", diff)
		}
	}
	results, err := h.s.EndAttempts(h.ctx, nil, ends, decideBy)
	h.must(err)
	for i, r := range results {
		if r.Status == Ended {
			h.ends = append(h.ends, ends[i])
		}
	}
}

func (h *history) loadOne(id string) models.Task {
	h.Helper()
	rows, err := h.s.AssignmentRows(h.ctx, []string{id})
	h.must(err)
	return rows[0]
}

func (h *history) cancel(rt *rapid.T) {
	h.T = rt
	h.person(models.EventCancel, func(id string, at time.Time) error {
		_, err := h.s.CancelTask(h.ctx, id, "why", "ada", models.ReasonRequested, at, nil)
		return err
	})
}

func (h *history) requeue(rt *rapid.T) {
	h.T = rt
	h.person(models.EventRequeue, func(id string, at time.Time) error {
		_, err := h.s.RequeueTask(h.ctx, id, nil, at, nil)
		return err
	})
}

func (h *history) discard(rt *rapid.T) {
	h.T = rt
	h.person(models.EventDiscard, func(id string, at time.Time) error {
		_, err := h.s.DiscardTask(h.ctx, id, "why", "ada", at, nil)
		return err
	})
}

// person makes a person's change of one task.
func (h *history) person(e models.Event, change func(id string, at time.Time) error) {
	task := h.some()[0]
	_, legal := models.Next(task.State, e)
	if err := change(task.ID, h.at()); legal != (err == nil) {
		h.Errorf("%s of a %s task: %v", e, task.State, err)
	}
}

func (h *history) skip(rt *rapid.T) {
	h.T = rt
	var ids []string
	for _, task := range h.some() {
		ids = append(ids, task.ID)
	}
	_, err := h.s.SkipTasks(h.ctx, nil, h.at(), models.ReasonOverlap, ids)
	h.must(err)
}

// check compares the world with how it stood before the last step.
func (h *history) check(rt *rapid.T) {
	h.T = rt
	now := h.load()
	before := map[string]models.Task{}
	for _, task := range h.known {
		before[task.ID] = task
	}
	for _, task := range now {
		if old, ok := before[task.ID]; ok {
			h.step(old, task)
			delete(before, task.ID)
		} else if task.State != models.TaskWaiting {
			rt.Errorf("a new task is %s", task.State)
		}
		h.contiguous(task)
	}
	if len(before) > 0 {
		rt.Errorf("%d tasks have vanished", len(before))
	}
	h.known = now
	h.keys()
	h.counters()
	h.fills()
	h.late()
}

// fills recounts the ends of the backfill's tasks.
func (h *history) fills() {
	want := filled{}
	for _, task := range h.known {
		if task.BackfillID != nil {
			want.count(task.State, 1)
		}
	}
	b, err := h.s.Backfill(h.ctx, h.fill.ID)
	h.must(err)
	if got := (filled{succeeded: b.Succeeded, failed: b.Failed, cancelled: b.Cancelled}); got != want {
		h.Errorf("the backfill counts %+v, but there are %+v", got, want)
	}
}

// late recounts the tasks whose first attempt started late.
func (h *history) late() {
	first := map[string]models.Attempt{}
	for _, task := range h.known {
		if task.Attempt == 1 && !task.State.Live() {
			first[task.ID] = models.Attempt{StartedAt: task.StartedAt, AvailableAt: task.AvailableAt}
		}
		var ended []models.Attempt
		h.must(h.s.read(h.ctx).Where("task_id = ? AND number = 1", task.ID).Find(&ended).Error)
		for _, a := range ended {
			first[task.ID] = a
		}
	}
	var want, got int64
	for _, a := range first {
		if a.StartedAt != nil && a.StartedAt.Sub(a.AvailableAt) > models.LateAfter {
			want++
		}
	}
	hours, err := h.s.JobHours(h.ctx, []string{h.w.jobs[0].ID, h.w.jobs[1].ID}, t0.Add(-24*time.Hour))
	h.must(err)
	for _, hour := range hours {
		got += hour.Late
	}
	if got != want {
		h.Errorf("%d count as late, but %d were", got, want)
	}
}

func (h *history) load() []models.Task {
	rows, err := query(h.s.read(h.ctx), "SELECT "+fullColumns.list+" FROM tasks WHERE group_id = ? ORDER BY id", h.w.group.ID)
	h.must(err)
	tasks, err := fullColumns.scan(rows)
	h.must(err)
	return tasks
}

// step looks at one task before and after a step.
func (h *history) step(old, task models.Task) {
	switch {
	case old.State.Final():
		if diff := cmp.Diff(old, task); diff != "" {
			h.Errorf("a task in a final state changed:\n%s", diff)
		}
	case old.State != task.State:
		legal := slices.ContainsFunc(models.Transitions, func(tr models.Transition) bool {
			return tr.To == task.State && slices.Contains(tr.From, old.State)
		})
		if !legal {
			h.Errorf("a task went from %s to %s", old.State, task.State)
		}
	}
	dispatched := old.State.Queued() && task.State == models.TaskRunning
	if want := old.Attempt + map[bool]int{true: 1}[dispatched]; task.Attempt != want {
		h.Errorf("%s → %s: attempt %d, want %d", old.State, task.State, task.Attempt, want)
	}
}

// contiguous looks at a task's history: numbers without gaps, up to the attempt
// before the present one, or up to the present one when it has ended in a retry.
func (h *history) contiguous(task models.Task) {
	var numbers []int
	h.must(h.s.read(h.ctx).Raw("SELECT number FROM attempts WHERE task_id = ? ORDER BY number", task.ID).Scan(&numbers).Error)
	for i, n := range numbers {
		if n != i+1 {
			h.Errorf("history of a %s task: %v", task.State, numbers)
			return
		}
	}
	least := max(task.Attempt-1, 0)
	if task.State == models.TaskRetrying {
		least = task.Attempt
	}
	if len(numbers) < least || len(numbers) > task.Attempt || task.State == models.TaskRunning && len(numbers) != least {
		h.Errorf("%s task at attempt %d: history %v", task.State, task.Attempt, numbers)
	}
}

// keys: exactly the unfinished tasks with a unique key hold theirs.
func (h *history) keys() {
	want := map[string]string{}
	for _, task := range h.known {
		if task.UniqueKey != nil && !task.State.Final() {
			key := task.JobID + "/" + *task.UniqueKey
			if other, twice := want[key]; twice {
				h.Errorf("%s and %s both hold %s", other, task.ID, key)
			}
			want[key] = task.ID
		}
	}
	var rows []models.TaskKey
	h.must(h.s.read(h.ctx).Where("job_id IN ?", []string{h.w.jobs[0].ID, h.w.jobs[1].ID}).Find(&rows).Error)
	got := map[string]string{}
	for _, k := range rows {
		got[k.JobID+"/"+k.UniqueKey] = k.TaskID
	}
	if diff := cmp.Diff(want, got); diff != "" {
		h.Errorf("unique keys (-want +got):\n%s", diff)
	}
}

func (h *history) counters() {
	want := map[models.TaskState]int64{}
	for _, task := range h.known {
		if counted(task.State) {
			want[task.State]++
		}
	}
	all, err := h.s.Counters(h.ctx)
	h.must(err)
	for _, state := range countedStates {
		if got := all[h.w.group.ID][state]; got != want[state] {
			h.Errorf("counter of %s: %d, but there are %d", state, got, want[state])
		}
	}
}
