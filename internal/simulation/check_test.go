package simulation

import (
	"encoding/json"
	"slices"
	"sync/atomic"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// check compares what ran with what the ledger says and what was due.
func (w *world) check() {
	lists, err := w.store.RecentTasks(w.t.Context(), w.jobIDs(), 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	seen := map[string]bool{}
	for name, j := range w.jobs {
		list := lists[j.ID]
		if name == "asked" {
			if len(list) != len(w.asked) {
				w.t.Errorf("%d tasks for %d requests", len(list), len(w.asked))
			}
		} else {
			w.checkSlots(name, j, list)
		}
		ids := make([]string, len(list))
		for i := range list {
			ids[i] = list[i].ID
			seen[ids[i]] = true
		}
		history, err := w.store.Attempts(w.t.Context(), ids)
		if err != nil {
			w.t.Fatal(err)
		}
		refused, err := w.store.Refusals(w.t.Context(), ids)
		if err != nil {
			w.t.Fatal(err)
		}
		w.tally.add(len(list), w.executions(ids)-len(list), len(refused))
		for i := range list {
			w.checkTask(&list[i], attemptsOf(history, list[i].ID))
		}
		if name == "alone" {
			w.checkAlone(list, history)
		}
	}
	for id := range w.runs {
		if !seen[id] {
			w.t.Errorf("task %s ran and is not in the ledger", id)
		}
	}
}

func (w *world) executions(ids []string) (n int) {
	for _, id := range ids {
		n += len(w.runs[id])
	}
	return n
}

// tally counts over all installations.
type tally struct{ installations, tasks, again, refused atomic.Int64 }

func (t *tally) add(tasks, again, refused int) {
	t.tasks.Add(int64(tasks))
	t.again.Add(int64(again))
	t.refused.Add(int64(refused))
}

func (w *world) jobIDs() []string {
	var ids []string
	for _, j := range w.jobs {
		ids = append(ids, j.ID)
	}
	return ids
}

func attemptsOf(all []models.Attempt, id string) []models.Attempt {
	return slices.DeleteFunc(slices.Clone(all), func(a models.Attempt) bool { return a.TaskID != id })
}

// checkSlots: one fire, one task, or a record of why not.
func (w *world) checkSlots(name string, j models.Job, list []models.Task) {
	skipped, err := w.store.SkippedFires(w.t.Context(), []string{j.ID}, 100)
	if err != nil {
		w.t.Fatal(err)
	}
	tasks := map[int64]int{}
	for i := range list {
		tasks[list[i].ScheduledAt.Unix()]++
	}
	for s := w.from.Unix(); s <= w.to.Unix(); s++ {
		if s%every[name] != 0 {
			continue
		}
		at := time.Unix(s, 0)
		told := slices.ContainsFunc(skipped[j.ID], func(f models.SkippedFires) bool { return !at.Before(f.FirstAt) && !at.After(f.LastAt) })
		if n := tasks[s]; n > 1 || n == 0 && !told {
			w.t.Errorf("job %s has %d tasks for second %d and a record %v", name, n, s, told)
		}
		delete(tasks, s)
	}
	for s := range tasks {
		w.t.Errorf("job %s has a task for second %d, which is no slot of its", name, s)
	}
}

// checkTask: one final state, reached by the last attempt, which ran to its end and
// had its effect last; no two attempts at once unless the first was given up.
func (w *world) checkTask(t *models.Task, history []models.Attempt) {
	runs := w.runs[t.ID]
	switch t.State {
	case models.TaskSucceeded:
		var a answer
		if err := json.Unmarshal(t.Result, &a); err != nil || a.Attempt != t.Attempt {
			w.t.Errorf("task %s succeeded with attempt %d and the result %s", t.ID, t.Attempt, t.Result)
		}
		if !slices.ContainsFunc(runs, func(r *run) bool { return r.attempt == t.Attempt && r.whole }) {
			w.t.Errorf("task %s succeeded and attempt %d never ran to its end", t.ID, t.Attempt)
		}
		if w.tokens[t.ID] != int64(t.Attempt) {
			w.t.Errorf("task %s succeeded with attempt %d, its effect is that of %d", t.ID, t.Attempt, w.tokens[t.ID])
		}
		if len(history) != t.Attempt-1 {
			w.t.Errorf("task %s has attempt %d and %d before it", t.ID, t.Attempt, len(history))
		}
	case models.TaskCancelled:
	case models.TaskFailed:
		if t.Reason != models.ReasonPoison {
			w.t.Errorf("task %s failed: %s", t.ID, t.Reason)
		}
	default:
		w.t.Errorf("task %s is %s", t.ID, t.State)
	}
	for _, a := range history {
		if a.Outcome == models.OutcomeFailed && !slices.ContainsFunc(runs, func(r *run) bool { return r.attempt == a.Number && r.whole }) {
			w.t.Errorf("attempt %d of task %s failed by the word of another", a.Number, t.ID)
		}
	}
	if since, ok := w.final[t.ID]; ok {
		if t.State != models.TaskCancelled {
			w.t.Errorf("task %s was cancelled for good and is %s", t.ID, t.State)
		}
		if i := slices.IndexFunc(runs, func(r *run) bool { return r.from.After(since) && !givenUp(history, r.attempt) }); i >= 0 {
			w.t.Errorf("task %s was cancelled and attempt %d began later", t.ID, runs[i].attempt)
		}
	}
	for i, r := range runs {
		for _, later := range runs[i+1:] {
			if r.attempt == later.attempt {
				w.t.Errorf("attempt %d of task %s ran twice", r.attempt, t.ID)
			} else if later.from.Before(r.till) && !givenUp(history, r.attempt) && !givenUp(history, later.attempt) {
				w.t.Errorf("attempts %d and %d of task %s ran at once", r.attempt, later.attempt, t.ID)
			}
		}
	}
}

// givenUp says whether an attempt ended without its worker's own word.
func givenUp(history []models.Attempt, number int) bool {
	return slices.ContainsFunc(history, func(a models.Attempt) bool {
		return a.Number == number && (a.Outcome == models.OutcomeLost || a.Outcome == models.OutcomeTimedOut || a.Outcome == models.OutcomeReleased)
	})
}

// checkAlone: tasks of a job that may run once at a time do not run at once.
func (w *world) checkAlone(list []models.Task, history []models.Attempt) {
	var all []*run
	for i := range list {
		for _, r := range w.runs[list[i].ID] {
			if !r.till.IsZero() && !givenUp(attemptsOf(history, r.task), r.attempt) {
				all = append(all, r)
			}
		}
	}
	slices.SortFunc(all, func(a, b *run) int { return a.from.Compare(b.from) })
	for i := 1; i < len(all); i++ {
		if before := all[i-1]; all[i].from.Before(before.till) && all[i].task != before.task {
			w.t.Errorf("tasks %s and %s of job alone ran at once for %s", before.task, all[i].task, before.till.Sub(all[i].from))
		}
	}
}
