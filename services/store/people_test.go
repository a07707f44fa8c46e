package store

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// inState makes a task and brings it into a state.
func (w *world) inState(t testing.TB, s *Store, state models.TaskState) models.Task {
	t.Helper()
	task := w.task(0)
	create(t, s, task)
	fail := func(noRetry bool) {
		e := endOf(&dispatch(t, s, t0, task)[0], models.OutcomeFailed, t0)
		e.NoRetry, e.Error = noRetry, "boom"
		end(t, s, e)
	}
	switch state {
	case models.TaskWaiting:
	case models.TaskRunning:
		dispatch(t, s, t0, task)
	case models.TaskRetrying:
		fail(false)
	case models.TaskSucceeded:
		end(t, s, endOf(&dispatch(t, s, t0, task)[0], models.OutcomeSucceeded, t0))
	case models.TaskFailed:
		fail(true)
	case models.TaskCancelled:
		if _, err := s.CancelTask(t.Context(), task.ID, "", "", models.ReasonRequested, t0, nil); err != nil {
			t.Fatal(err)
		}
	case models.TaskSkipped:
		if _, err := s.SkipTasks(t.Context(), nil, task.AvailableAt, models.ReasonOverlap, []string{task.ID}); err != nil {
			t.Fatal(err)
		}
	case models.TaskDiscarded:
		fail(true)
		if _, err := s.DiscardTask(t.Context(), task.ID, "", "", t0, nil); err != nil {
			t.Fatal(err)
		}
	}
	now := load(t, s, task.ID)
	if now.State != state {
		t.Fatalf("task is %s, want %s", now.State, state)
	}
	return now
}

// TestPeoplesChangesFollowTheTransitions tries each change in each state.
func TestPeoplesChangesFollowTheTransitions(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		at := t0.Add(time.Minute)
		changes := map[models.Event]func(id string) error{
			models.EventCancel: func(id string) error {
				_, err := s.CancelTask(t.Context(), id, "why", "ada", models.ReasonRequested, at, nil)
				return err
			},
			models.EventRequeue: func(id string) error {
				_, err := s.RequeueTask(t.Context(), id, nil, at, nil)
				return err
			},
			models.EventDiscard: func(id string) error {
				_, err := s.DiscardTask(t.Context(), id, "why", "ada", at, nil)
				return err
			},
		}
		for event, change := range changes {
			for _, state := range models.TaskStates {
				task := w.inState(t, s, state)
				want, legal := models.Next(state, event)
				if event == models.EventCancel && state == models.TaskRunning {
					want = models.TaskRunning // the worker must end it
				}
				err := change(task.ID)
				if legal && err != nil || !legal && !fault.Is(err, fault.Conflict) {
					t.Errorf("%s in %s: %v", event, state, err)
				}
				now := load(t, s, task.ID)
				if now.State != want {
					t.Errorf("%s in %s leads to %s, want %s", event, state, now.State, want)
				}
				if !legal {
					if diff := cmp.Diff(task, now); diff != "" {
						t.Errorf("%s in %s changed the row:\n%s", event, state, diff)
					}
				}
			}
			if err := change(models.NewID(t0)); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s of no task: %v", event, err)
			}
		}
		wantCounters(t, s)
	})
}

func TestCancelRunningTaskAsks(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		task := w.inState(t, s, models.TaskRunning)
		at := t0.Add(time.Minute)
		audit := models.Audit{ID: models.NewID(t0), At: at, Actor: "ada", Action: "task.cancel", Kind: "task", Object: task.ID}
		result, err := s.CancelTask(t.Context(), task.ID, "wrong day", "ada", models.ReasonReplaced, at, &audit)
		if err != nil || !result.Requested || result.Done {
			t.Fatalf("%+v, %v", result, err)
		}
		want := task
		want.Reason, want.CancelRequestedAt, want.CancelReason, want.CancelActor = models.ReasonReplaced, &at, "wrong day", "ada"
		if diff := cmp.Diff(want, load(t, s, task.ID)); diff != "" {
			t.Errorf("row (-want +got):\n%s", diff)
		}
		again, err := s.CancelTask(t.Context(), task.ID, "again", "bob", models.ReasonRequested, at.Add(time.Hour), nil)
		if err != nil || !again.Requested {
			t.Errorf("again: %+v, %v", again, err)
		}
		if diff := cmp.Diff(want, again.Task); diff != "" {
			t.Errorf("a repeated wish changed the row (-want +got):\n%s", diff)
		}
		audits, err := s.TaskAudits(t.Context(), []string{task.ID})
		if err != nil || len(audits) != 1 {
			t.Errorf("%d audits, %v; want 1", len(audits), err)
		}
	})
}

func TestRequeueKeepsTheHistory(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		task := w.inState(t, s, models.TaskFailed)
		at := t0.Add(time.Minute)
		now, err := s.RequeueTask(t.Context(), task.ID, json.RawMessage(`{"fixed":true}`), at, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(load(t, s, task.ID), now); diff != "" {
			t.Errorf("answer (-ledger +answer):\n%s", diff)
		}
		if string(now.Parameters) != `{"fixed":true}` || !now.AvailableAt.Equal(at) || now.MaxAttempts != 3 || now.Reason != "" {
			t.Errorf("requeued: %+v", now)
		}
		for n := 1; n <= 4; n++ { // tries 2 and 3, then a person's, then that one's again
			row := dispatch(t, s, at, load(t, s, task.ID))[0]
			if row.Attempt != n+1 {
				t.Fatalf("attempt %d, want %d", row.Attempt, n+1)
			}
			r := end(t, s, endOf(&row, models.OutcomeFailed, at))
			if r.Task.State == models.TaskFailed {
				if now, err = s.RequeueTask(t.Context(), task.ID, nil, at, nil); err != nil {
					t.Fatal(err)
				}
				if now.MaxAttempts != now.Tries()+1 || string(now.Parameters) != `{"fixed":true}` {
					t.Errorf("after all tries: %d of %d, parameters %s", now.Tries(), now.MaxAttempts, now.Parameters)
				}
			}
		}
		for i, a := range attemptsOf(t, s, task.ID) {
			if a.Number != i+1 {
				t.Errorf("attempt %d of the history has number %d", i, a.Number)
			}
		}
		wantCounters(t, s)
	})
}
