package store

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

func TestDispatchTasks(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		tasks := w.tasks(4)
		create(t, s, tasks...)
		at := t0.Add(time.Minute)
		items := []Dispatch{dispatchOf(&tasks[0], 1), dispatchOf(&tasks[1], 2), dispatchOf(&tasks[2], 1), {TaskID: models.NewID(t0)}}
		items[2].Attempt = 3 // not the present one
		items[1].TimeoutMS = 0
		rows, refused, err := s.DispatchTasks(t.Context(), nil, at, items, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{items[2].TaskID, items[3].TaskID}, refused); diff != "" {
			t.Errorf("refused (-want +got):\n%s", diff)
		}
		for i := range rows {
			if diff := cmp.Diff(load(t, s, rows[i].ID), rows[i]); diff != "" {
				t.Errorf("answered row %d (-ledger +answer):\n%s", i, diff)
			}
		}
		want := tasks[0]
		deadline := at.Add(time.Minute)
		want.State, want.Attempt, want.NodeID, want.NodeName, want.Incarnation = models.TaskRunning, 1, &items[0].NodeID, "worker-1", "inc-1"
		want.DispatchedAt, want.DeadlineAt = &at, &deadline
		if diff := cmp.Diff(want, rows[0]); diff != "" {
			t.Errorf("row (-want +got):\n%s", diff)
		}
		if rows[1].DeadlineAt != nil {
			t.Errorf("deadline %v without a time limit", rows[1].DeadlineAt)
		}
		// The answer was lost and the call comes again; the other process's does not.
		again, refused, err := s.DispatchTasks(t.Context(), nil, at.Add(time.Hour), items[:1], nil)
		if err != nil || len(refused) != 0 {
			t.Fatalf("repeat: refused %v, %v", refused, err)
		}
		if diff := cmp.Diff(rows[:1], again); diff != "" {
			t.Errorf("repeat (-first +second):\n%s", diff)
		}
		items[0].Incarnation = "inc-2"
		if _, refused, err := s.DispatchTasks(t.Context(), nil, at, items[:1], nil); err != nil || len(refused) != 1 {
			t.Errorf("another process was given a running attempt: %v, %v", refused, err)
		}
		wantCounters(t, s)
	})
}

func TestDispatchKeepsJobLimits(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		tasks := w.tasks(10) // jobs in turn
		create(t, s, tasks...)
		limits := []JobLimit{{JobID: w.jobs[0].ID, Max: 2}}
		items := make([]Dispatch, len(tasks))
		for i := range tasks {
			items[i] = dispatchOf(&tasks[i], 1)
		}
		rows, refused, err := s.DispatchTasks(t.Context(), nil, t0, items, limits)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{tasks[4].ID, tasks[6].ID, tasks[8].ID}
		if diff := cmp.Diff(want, refused); diff != "" || len(rows) != 7 {
			t.Errorf("%d dispatched, refused (-want +got):\n%s", len(rows), diff)
		}
		live, err := s.JobLive(t.Context(), []string{w.jobs[0].ID, w.jobs[1].ID})
		if err != nil {
			t.Fatal(err)
		}
		wantLive := map[string]JobLive{
			w.jobs[0].ID: {Running: 2, OldestRunning: tasks[0].ID}, w.jobs[1].ID: {Running: 5, OldestRunning: tasks[1].ID},
		}
		if diff := cmp.Diff(wantLive, live); diff != "" {
			t.Errorf("JobLive (-want +got):\n%s", diff)
		}
		end(t, s, endOf(&rows[0], models.OutcomeSucceeded, t0))
		end(t, s, endOf(&rows[2], models.OutcomeFailed, t0))
		rows, refused, err = s.DispatchTasks(t.Context(), nil, t0, items[4:], limits)
		if err != nil || len(refused) != 1 || refused[0] != tasks[8].ID {
			t.Errorf("after two ends: %d dispatched, refused %v, %v", len(rows), refused, err)
		}
		if live, err = s.JobLive(t.Context(), []string{w.jobs[0].ID}); err != nil || live[w.jobs[0].ID].Retrying != 1 {
			t.Errorf("JobLive = %v, %v; want one RETRYING", live, err)
		}
	})
}

func TestConcurrentDispatchesKeepTheLimit(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		tasks := w.tasks(16)
		create(t, s, tasks...)
		type answer struct {
			rows int
			err  error
		}
		answers := make(chan answer)
		for i := range tasks {
			go func() {
				rows, _, err := s.DispatchTasks(t.Context(), nil, t0, []Dispatch{dispatchOf(&tasks[i], 1)}, []JobLimit{{JobID: w.jobs[0].ID, Max: 3}})
				answers <- answer{len(rows), err}
			}()
		}
		total := 0
		for range tasks {
			a := <-answers
			if a.err != nil {
				t.Error(a.err)
			}
			total += a.rows
		}
		if total != 3 {
			t.Errorf("%d tasks run, want 3", total)
		}
	})
}

func TestSkipTasks(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		tasks := w.tasks(3)
		create(t, s, tasks...)
		dispatch(t, s, t0, tasks[1])
		at := t0.Add(time.Minute)
		ids := []string{tasks[2].ID, tasks[1].ID, tasks[0].ID, models.NewID(t0)}
		skipped, err := s.SkipTasks(t.Context(), nil, at, models.ReasonOverlap, ids)
		if err != nil || len(skipped) != 2 {
			t.Fatalf("skipped %d, %v; want 2", len(skipped), err)
		}
		want := tasks[0]
		want.State, want.Reason, want.FinishedAt = models.TaskSkipped, models.ReasonOverlap, &at
		if diff := cmp.Diff(want, load(t, s, want.ID)); diff != "" {
			t.Errorf("skipped (-want +got):\n%s", diff)
		}
		if again, err := s.SkipTasks(t.Context(), nil, at, models.ReasonOverlap, ids); err != nil || len(again) != 0 {
			t.Errorf("again: %d, %v", len(again), err)
		}
		wantCounters(t, s)
	})
}

func TestFenceStopsADeposedOwner(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		tasks := w.tasks(2)
		create(t, s, tasks...)
		epoch, err := s.TakePartition(t.Context(), 7, "s1")
		if err != nil {
			t.Fatal(err)
		}
		fence := Fence{7: epoch}
		items := []Dispatch{dispatchOf(&tasks[0], 1)}
		if _, _, err := s.DispatchTasks(t.Context(), fence, t0, items, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.TakePartition(t.Context(), 7, "s2"); err != nil {
			t.Fatal(err)
		}
		_, _, err = s.DispatchTasks(t.Context(), fence, t0, []Dispatch{dispatchOf(&tasks[1], 1)}, nil)
		wantDeposed(t, "dispatch", err)
		_, err = s.SkipTasks(t.Context(), fence, t0, models.ReasonOverlap, []string{tasks[1].ID})
		wantDeposed(t, "skip", err)
		_, err = s.EndAttempts(t.Context(), fence, []AttemptEnd{{TaskID: tasks[0].ID, Attempt: 1, Outcome: models.OutcomeLost}}, decideBy)
		wantDeposed(t, "end", err)
		_, err = s.RecordFires(t.Context(), fence, []Fires{{JobID: w.jobs[0].ID}})
		wantDeposed(t, "fires", err)
		if now := load(t, s, tasks[1].ID); now.State != models.TaskWaiting {
			t.Errorf("a deposed owner changed a task to %s", now.State)
		}
	})
}

func wantDeposed(t *testing.T, what string, err error) {
	t.Helper()
	var deposed *DeposedError
	if !errors.Is(err, ErrDeposed) || !errors.As(err, &deposed) || len(deposed.Partitions) != 1 || deposed.Partitions[0] != 7 {
		t.Errorf("%s: %v, want a DeposedError for partition 7", what, err)
	}
}
