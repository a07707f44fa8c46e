package store

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// wish is a wish for a keyed task of the world's first job that is due in a while.
func (w *world) wish(key string, rule models.KeyRule, in time.Duration) Wish {
	t := w.task(0)
	t.AvailableAt = t0.Add(in)
	t.UniqueKey = &key
	wish := Wish{Task: t, OnHeld: rule}
	if rule == models.KeyReschedule {
		wish.Move = models.MoveID(w.app.ID, t.ID, t0)
		wish.Moves = []string{wish.Move}
	}
	return wish
}

func ask(t testing.TB, s *Store, wishes ...Wish) []CreateResult {
	t.Helper()
	results, err := s.CreateWished(t.Context(), wishes)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func TestHeldKeyIsRescheduled(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		first := w.wish("order", models.KeyReschedule, time.Hour)
		if got := ask(t, s, first)[0]; got != (CreateResult{ID: first.Task.ID}) {
			t.Fatalf("a free key: %+v", got)
		}
		move := w.wish("order", models.KeyReschedule, 2*time.Hour)
		want := CreateResult{ID: first.Task.ID, Existing: true, Moved: true}
		if got := ask(t, s, move)[0]; got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		held := first.Task
		held.AvailableAt = t0.Add(2 * time.Hour)
		if diff := cmp.Diff(held, load(t, s, held.ID)); diff != "" {
			t.Errorf("nothing but the instant changes:\n%s", diff)
		}
		// Another request moves it on; the repeat of the one before, whose answer
		// was lost, moves it back no more.
		ask(t, s, w.wish("order", models.KeyReschedule, 3*time.Hour))
		if got := ask(t, s, move)[0]; got != (CreateResult{ID: first.Task.ID, Existing: true}) {
			t.Errorf("the repeat: %+v", got)
		}
		if at := load(t, s, held.ID).AvailableAt; !at.Equal(t0.Add(3 * time.Hour)) {
			t.Errorf("the repeat moved it to %s", at)
		}
		// Nor does the repeat make a task when the one it moved has ended.
		end(t, s, endOf(&dispatch(t, s, t0, load(t, s, held.ID))[0], models.OutcomeSucceeded, t0))
		if got := ask(t, s, move)[0]; got.ID != first.Task.ID || !got.Existing {
			t.Errorf("the repeat after its end: %+v", got)
		}
		if got := ask(t, s, w.wish("order", models.KeyReschedule, time.Hour))[0]; got.Existing {
			t.Errorf("the key is not free after the end: %+v", got)
		}
		wantCounters(t, s)
	})
}

func TestHeldKeyIsReplaced(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		first := w.wish("order", models.KeyReplace, time.Hour)
		ask(t, s, first)
		second := w.wish("order", models.KeyReplace, 2*time.Hour)
		for i, want := range []CreateResult{{ID: second.Task.ID, Replaced: first.Task.ID}, {ID: second.Task.ID, Existing: true}} {
			if got := ask(t, s, second)[0]; got != want { // the second time it is a repeat
				t.Errorf("call %d: %+v, want %+v", i, got, want)
			}
		}
		gone := load(t, s, first.Task.ID)
		if gone.State != models.TaskCancelled || gone.Reason != models.ReasonReplaced || gone.FinishedAt == nil {
			t.Errorf("the replaced task: %+v", gone)
		}
		if now := load(t, s, second.Task.ID); now.State != models.TaskWaiting {
			t.Errorf("the new task is %s", now.State)
		}
		if got := ask(t, s, first)[0]; got != (CreateResult{ID: first.Task.ID, Existing: true}) {
			t.Errorf("the repeat of what was replaced: %+v", got)
		}
		holder, err := s.TaskByKey(t.Context(), w.jobs[0].ID, "order")
		if err != nil || holder.ID != second.Task.ID {
			t.Errorf("the key's holder is %s, %v", holder.ID, err)
		}
		hours, err := s.JobHours(t.Context(), []string{w.jobs[0].ID}, t0.Add(-time.Hour))
		if err != nil || len(hours) != 1 || hours[0].Cancelled != 1 {
			t.Errorf("roll-up %+v, %v", hours, err)
		}
		wantCounters(t, s)
	})
}

func TestHolderThatRunsOrFailedIsLeftAlone(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		first := w.wish("order", 0, 0)
		ask(t, s, first)
		row := dispatch(t, s, t0, first.Task)[0]
		refused := func(state string) {
			t.Helper()
			for _, rule := range []models.KeyRule{models.KeyReschedule, models.KeyReplace} {
				got := ask(t, s, w.wish("order", rule, time.Hour))[0]
				if !fault.Is(got.Err, fault.Conflict) || got.ID != first.Task.ID || !got.Existing {
					t.Errorf("%s of a %s task: %+v", rule, state, got)
				}
			}
			if got := ask(t, s, w.wish("order", models.KeyKeep, time.Hour))[0]; got.ID != first.Task.ID || got.Err != nil {
				t.Errorf("KEEP of a %s task: %+v", state, got)
			}
		}
		refused("RUNNING")
		e := endOf(&row, models.OutcomeFailed, t0)
		e.NoRetry = true
		end(t, s, e)
		refused("FAILED")
	})
}

// Wishes for one key within a call are carried out in order.
func TestWishesOfOneCall(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		a, b := w.wish("k", models.KeyKeep, time.Hour), w.wish("k", models.KeyReschedule, 2*time.Hour)
		c, d := w.wish("k", models.KeyReplace, 3*time.Hour), w.wish("k", models.KeyReschedule, 4*time.Hour)
		want := []CreateResult{
			{ID: a.Task.ID},
			{ID: a.Task.ID, Existing: true, Moved: true},
			{ID: c.Task.ID, Replaced: a.Task.ID},
			{ID: c.Task.ID, Existing: true, Moved: true},
		}
		if diff := cmp.Diff(want, ask(t, s, a, b, c, d)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if got := load(t, s, a.Task.ID); got.State != models.TaskCancelled {
			t.Errorf("the first is %s", got.State)
		}
		if got := load(t, s, c.Task.ID); got.State != models.TaskWaiting || !got.AvailableAt.Equal(t0.Add(4*time.Hour)) {
			t.Errorf("the third is %s at %s", got.State, got.AvailableAt)
		}
		again := ask(t, s, a, b, c, d)
		for i, want := range []string{a.Task.ID, a.Task.ID, c.Task.ID, c.Task.ID} {
			if again[i] != (CreateResult{ID: want, Existing: true}) {
				t.Errorf("repeat %d: %+v", i, again[i])
			}
		}
		wantCounters(t, s)
	})
}

func TestRescheduleTask(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		for _, state := range models.TaskStates {
			task := w.inState(t, s, state)
			at := t0.Add(time.Hour)
			audit := models.Audit{ID: models.NewID(t0), At: t0, Actor: "ada", Action: "task.reschedule", Kind: "task", Object: task.ID}
			got, err := s.RescheduleTask(t.Context(), task.ID, at, &audit)
			if !state.Queued() {
				if !fault.Is(err, fault.Conflict) {
					t.Errorf("%s: %v", state, err)
				}
				continue
			}
			if err != nil || !got.AvailableAt.Equal(at) || !load(t, s, task.ID).AvailableAt.Equal(at) || got.ID != task.ID {
				t.Errorf("%s: %+v, %v", state, got, err)
			}
			if _, err := s.RescheduleTask(t.Context(), task.ID, at, &audit); err != nil { // the same audit row would collide
				t.Errorf("%s, repeated: %v", state, err)
			}
		}
		if _, err := s.RescheduleTask(t.Context(), models.NewID(t0), t0, nil); !fault.Is(err, fault.NotFound) {
			t.Errorf("no task: %v", err)
		}
	})
}

// What memory proposes loses against a task that was put off meanwhile.
func TestPutOffTaskIsNotDispatched(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		task := w.task(0)
		create(t, s, task)
		item := dispatchOf(&task, 1)
		item.AvailableAt = task.AvailableAt
		if _, err := s.RescheduleTask(t.Context(), task.ID, t0.Add(time.Hour), nil); err != nil {
			t.Fatal(err)
		}
		_, refused, err := s.DispatchTasks(t.Context(), nil, t0, []Dispatch{item}, nil)
		if err != nil || !slices.Equal(refused, []string{task.ID}) {
			t.Errorf("refused %v, %v", refused, err)
		}
		if skipped, err := s.SkipTasks(t.Context(), nil, t0, models.ReasonOverlap, []string{task.ID}); err != nil || len(skipped) > 0 {
			t.Errorf("skipped %v, %v", skipped, err)
		}
		item.AvailableAt = t0.Add(time.Hour)
		rows, _, err := s.DispatchTasks(t.Context(), nil, t0.Add(time.Hour), []Dispatch{item}, nil)
		if err != nil || len(rows) != 1 {
			t.Errorf("at its new instant: %v, %v", rows, err)
		}
	})
}

func TestOldMovesAreForgotten(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		ask(t, s, w.wish("k", models.KeyKeep, time.Hour))
		for range 5 {
			ask(t, s, w.wish("k", models.KeyReschedule, time.Hour))
		}
		for _, step := range []struct {
			before time.Time
			limit  int
			want   int
		}{{t0, 10, 0}, {t0.Add(time.Minute), 3, 3}, {t0.Add(time.Minute), 3, 2}, {t0.Add(time.Minute), 3, 0}} {
			if n, err := s.ForgetMoves(t.Context(), step.before, step.limit); err != nil || n != step.want {
				t.Errorf("before %s: %d, %v, want %d", step.before, n, err, step.want)
			}
		}
	})
}

// Concurrent callers with the same keys, each repeating some of its calls: never
// two live tasks of one key, and no wish is lost: each is answered with its own
// task, the one that held the key, or a conflict.
func TestConcurrentKeys(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		rapid.Check(t, func(rt *rapid.T) {
			w := newWorld(t, s, 1)
			const callers = 6
			calls := make([][][]Wish, callers)
			for c := range calls {
				for range rapid.IntRange(1, 3).Draw(rt, "calls") {
					var wishes []Wish
					for range rapid.IntRange(1, 3).Draw(rt, "wishes") {
						rule := models.KeyRule(rapid.IntRange(1, 3).Draw(rt, "rule"))
						wishes = append(wishes, w.wish(rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "key"), rule, time.Hour))
					}
					calls[c] = append(calls[c], wishes)
				}
			}
			starts := rapid.Bool().Draw(rt, "one runs")
			var wg sync.WaitGroup
			errs := make(chan error, 100)
			for _, of := range calls {
				wg.Go(func() {
					for _, wishes := range of {
						first, err := s.CreateWished(t.Context(), wishes)
						if err != nil {
							errs <- err
							return
						}
						second, err := s.CreateWished(t.Context(), wishes)
						if err != nil {
							errs <- err
							return
						}
						for i := range wishes {
							if err := sameAnswer(&wishes[i], first[i], second[i]); err != nil {
								errs <- err
							}
						}
						if starts {
							item := dispatchOf(&wishes[0].Task, 1)
							if _, _, err := s.DispatchTasks(t.Context(), nil, t0, []Dispatch{item}, nil); err != nil {
								errs <- err
							}
						}
					}
				})
			}
			wg.Wait()
			close(errs)
			for err := range errs {
				rt.Error(err)
			}
			h := &history{T: rt, ctx: t.Context(), s: s, w: w}
			h.w.jobs = append(h.w.jobs, w.jobs[0]) // keys looks at two
			h.known = h.load()
			h.keys()
			h.counters()
			live := map[string]int{}
			for _, task := range h.known {
				if task.State.Live() {
					live[*task.UniqueKey]++
				}
				if task.State == models.TaskCancelled && task.Reason != models.ReasonReplaced {
					rt.Errorf("task %s was cancelled for %q", task.ID, task.Reason)
				}
			}
			for key, n := range live {
				if n != 1 {
					rt.Errorf("%d live tasks have the key %s", n, key)
				}
			}
			asked := map[string]bool{}
			for _, of := range calls {
				for _, wishes := range of {
					for i := range wishes {
						asked[*wishes[i].Task.UniqueKey] = true
					}
				}
			}
			if len(live) != len(asked) {
				rt.Errorf("live tasks of %v, asked for %v: nothing ends here, so each key has one", live, asked)
			}
		})
	})
}

// sameAnswer compares the answers to a wish and to its repeat.
func sameAnswer(w *Wish, first, second CreateResult) error {
	did := first.Err == nil && (w.OnHeld != models.KeyKeep || !first.Existing) // else the repeat may find another holder
	switch {
	case first.ID == "" || second.ID == "":
		return fmt.Errorf("%s was answered without a task: %+v, %+v", w.OnHeld, first, second)
	case did && (first.ID != second.ID || !second.Existing || second.Moved || second.Replaced != ""):
		return fmt.Errorf("%s: %+v, repeated: %+v", w.OnHeld, first, second)
	}
	return nil
}
