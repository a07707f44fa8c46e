package store

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// backfill writes a backfill of one of the world's jobs over so many minutes before t0.
func (w *world) backfill(t testing.TB, s *Store, job int, total int64) models.Backfill {
	t.Helper()
	b := models.Backfill{
		ID: models.NewID(t0), JobID: w.jobs[job].ID, State: models.BackfillRunning, FromAt: t0.Add(-time.Duration(total) * time.Minute), ToAt: t0,
		PerMinute: 60, MaxRunning: 3, Parameters: []byte(`{"again":true}`), Total: total, ReleaseAt: t0, Work: true, CreatedBy: "ada", CreatedAt: t0,
	}
	b.NextAt = &b.FromAt
	audit := models.Audit{ID: models.NewID(t0), At: t0, Actor: "ada", Action: "backfill.create", Kind: "job", Object: b.JobID}
	made, err := s.CreateBackfill(t.Context(), b, []byte{1, 2, 3}, audit)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b, made); diff != "" {
		t.Errorf("backfill (-made +read):\n%s", diff)
	}
	return made
}

// step is the next n fires of b.
func (w *world) step(b *models.Backfill, n int) BackfillStep {
	step := BackfillStep{ID: b.ID, Done: b.Done(), ReleaseAt: t0, At: t0}
	for i := range n {
		at := b.FromAt.Add(time.Duration(b.Done()+int64(i)) * time.Minute)
		task := w.task(0)
		task.ID, task.ScheduledAt, task.JobID = models.BackfillTaskID(b.ID, at), at, b.JobID
		task.Trigger, task.BackfillID, task.AvailableAt = models.TriggerBackfill, &b.ID, t0
		step.Tasks = append(step.Tasks, task)
	}
	if done := b.Done() + int64(n); done < b.Total {
		step.NextAt = new(b.FromAt.Add(time.Duration(done) * time.Minute))
	}
	return step
}

func advance(t testing.TB, s *Store, step BackfillStep) models.Backfill {
	t.Helper()
	b, err := s.AdvanceBackfill(t.Context(), nil, step)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBackfillIsCountedToItsEnd(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		b := w.backfill(t, s, 0, 5)
		raw, err := s.BackfillInstants(t.Context(), b.ID)
		if err != nil || string(raw) != "\x01\x02\x03" {
			t.Errorf("instants %v, %v", raw, err)
		}
		step := w.step(&b, 3)
		now := advance(t, s, step)
		if now.Created != 3 || now.State != models.BackfillRunning || now.NextAt == nil || !now.NextAt.Equal(b.FromAt.Add(3*time.Minute)) {
			t.Errorf("after three: %+v", now)
		}
		for name, wrong := range map[string]BackfillStep{"a repeat": step, "one too many under way": w.step(&now, 1)} {
			if _, err := s.AdvanceBackfill(t.Context(), nil, wrong); !errors.Is(err, ErrBackfillMoved) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := s.AdvanceBackfill(t.Context(), Fence{w.group.Partition: 99}, step); !errors.Is(err, ErrDeposed) {
			t.Errorf("a deposed owner: %v", err)
		}
		rows := dispatch(t, s, t0, step.Tasks...)
		end(t, s, endOf(&rows[0], models.OutcomeSucceeded, t0))
		failed := endOf(&rows[1], models.OutcomeFailed, t0)
		failed.NoRetry = true
		end(t, s, failed)
		again, err := s.RequeueTask(t.Context(), rows[1].ID, nil, t0, nil)
		if err != nil {
			t.Fatal(err)
		}
		now, err = s.Backfill(t.Context(), b.ID)
		if err != nil || now.Succeeded != 1 || now.Failed != 0 || now.Ended() != 1 {
			t.Errorf("after a failure that is tried again: %+v, %v", now, err)
		}
		end(t, s, endOf(&dispatch(t, s, t0, again)[0], models.OutcomeSucceeded, t0))
		last := w.step(&now, 1)
		last.Present, last.NextAt = 1, nil
		now = advance(t, s, last)
		if now.Done() != 5 || now.State != models.BackfillRunning || now.Progress() != 0.6 {
			t.Errorf("all made: %+v, progress %v", now, now.Progress())
		}
		end(t, s, endOf(&rows[2], models.OutcomeSucceeded, t0.Add(time.Second)))
		if _, err := s.CancelTask(t.Context(), last.Tasks[0].ID, "", "", models.ReasonRequested, t0.Add(2*time.Second), nil); err != nil {
			t.Fatal(err)
		}
		now, err = s.Backfill(t.Context(), b.ID)
		want := b
		want.State, want.Created, want.Present, want.Succeeded, want.Cancelled, want.NextAt, want.Work = models.BackfillFinished, 4, 1, 3, 1, nil, false
		want.FinishedAt = new(t0.Add(2 * time.Second))
		if diff := cmp.Diff(want, now); diff != "" || err != nil || now.Progress() != 1 {
			t.Errorf("at its end (-want +got): %v\n%s", err, diff)
		}
		for _, state := range []models.BackfillState{models.BackfillPaused, models.BackfillCancelled, models.BackfillRunning} {
			if _, err := s.SetBackfill(t.Context(), b.ID, state, t0, models.Audit{ID: models.NewID(t0)}); !fault.Is(err, fault.Conflict) {
				t.Errorf("%s after the end: %v", state, err)
			}
		}
		tasks, _, err := s.TaskPage(t.Context(), TaskFilter{BackfillID: b.ID}, Page{First: 10})
		if err != nil || len(tasks) != 4 || *tasks[0].BackfillID != b.ID {
			t.Errorf("its tasks: %d, %v", len(tasks), err)
		}
		tasks, _, err = s.TaskPage(t.Context(), TaskFilter{BackfillID: b.ID, States: []models.TaskState{models.TaskCancelled}}, Page{First: 10})
		if err != nil || len(tasks) != 1 {
			t.Errorf("its cancelled tasks: %d, %v", len(tasks), err)
		}
		for _, none := range []TaskFilter{{BackfillID: models.NewID(t0)}, {BackfillID: b.ID, JobID: models.NewID(t0)}} {
			if tasks, _, err = s.TaskPage(t.Context(), none, Page{First: 10}); err != nil || len(tasks) != 0 {
				t.Errorf("%+v: %d, %v", none, len(tasks), err)
			}
		}
		wantCounters(t, s)
	})
}

func TestCancelledBackfillCancelsWhatWaits(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		b := w.backfill(t, s, 0, 5)
		step := w.step(&b, 3)
		advance(t, s, step)
		row := dispatch(t, s, t0, step.Tasks[0])[0]
		b, err := s.SetBackfill(t.Context(), b.ID, models.BackfillCancelled, t0, models.Audit{ID: models.NewID(t0)})
		if err != nil || !b.Work || b.FinishedAt == nil {
			t.Fatalf("%+v, %v", b, err)
		}
		for i, want := range []int{1, 1, 0} {
			tasks, err := s.CancelBackfillTasks(t.Context(), b, t0, 1)
			if err != nil || len(tasks) != want {
				t.Errorf("sweep %d: %d tasks, %v", i, len(tasks), err)
			}
			for _, task := range tasks {
				if task.State != models.TaskCancelled || task.Reason != models.ReasonBackfillCancelled {
					t.Errorf("%s, %s", task.State, task.Reason)
				}
			}
		}
		todo, err := s.BackfillsToDo(t.Context(), []int{w.group.Partition}, 10)
		if err != nil || len(todo) != 1 {
			t.Errorf("while one runs: %d to do, %v", len(todo), err)
		}
		end(t, s, endOf(&row, models.OutcomeSucceeded, t0))
		todo, err = s.BackfillsToDo(t.Context(), []int{w.group.Partition}, 10)
		if err != nil || len(todo) != 0 {
			t.Errorf("after its end: %d to do, %v", len(todo), err)
		}
		if _, err := s.AdvanceBackfill(t.Context(), nil, w.step(&b, 1)); !errors.Is(err, ErrBackfillMoved) {
			t.Errorf("a cancelled one goes on: %v", err)
		}
		if b, err = s.Backfill(t.Context(), b.ID); err != nil || b.Cancelled != 2 || b.Succeeded != 1 {
			t.Errorf("%+v, %v", b, err)
		}
	})
}

func TestBackfillsOfAJob(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		other := w.backfill(t, s, 1, 1)
		var all []models.Backfill
		for range MaxOpenBackfills {
			all = append(all, w.backfill(t, s, 0, 1))
		}
		more := all[0]
		more.ID = models.NewID(t0)
		if _, err := s.CreateBackfill(t.Context(), more, nil, models.Audit{ID: models.NewID(t0)}); !fault.Is(err, fault.Limit) {
			t.Errorf("one too many: %v", err)
		}
		if again, err := s.CreateBackfill(t.Context(), all[3], nil, models.Audit{}); err != nil || again.ID != all[3].ID {
			t.Errorf("a repeat: %+v, %v", again, err)
		}
		first, info, err := s.BackfillPage(t.Context(), w.jobs[0].ID, Page{First: 15})
		if err != nil || len(first) != 15 || !info.HasNext || first[0].ID < first[14].ID {
			t.Errorf("first page: %d, %+v, %v", len(first), info, err)
		}
		rest, info, err := s.BackfillPage(t.Context(), w.jobs[0].ID, Page{First: 15, After: first[14].ID})
		if err != nil || len(rest) != MaxOpenBackfills-15 || info.HasNext || !info.HasPrevious {
			t.Errorf("second page: %d, %+v, %v", len(rest), info, err)
		}
		if rows, _, err := s.BackfillPage(t.Context(), "", Page{First: 100}); err != nil || len(rows) != MaxOpenBackfills+1 {
			t.Errorf("of all jobs: %d, %v", len(rows), err)
		}
		if _, err := s.DeleteJob(t.Context(), w.jobs[0].ID, t0, models.Audit{ID: models.NewID(t0)}); err != nil {
			t.Fatal(err)
		}
		gone, err := s.Backfill(t.Context(), all[0].ID)
		if err != nil || gone.State != models.BackfillCancelled {
			t.Errorf("of a deleted job: %+v, %v", gone, err)
		}
		for _, b := range all {
			if err := s.CloseBackfill(t.Context(), b.ID); err != nil {
				t.Fatal(err)
			}
		}
		todo, err := s.BackfillsToDo(t.Context(), []int{w.group.Partition}, 100)
		if err != nil || len(todo) != 1 || todo[0].ID != other.ID {
			t.Errorf("to do: %d, %v", len(todo), err)
		}
		if _, err := s.CreateBackfill(t.Context(), more, nil, models.Audit{}); !fault.Is(err, fault.NotFound) {
			t.Errorf("for a deleted job: %v", err)
		}
	})
}

func TestRanAt(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		want := map[time.Time]bool{}
		minute := 0
		put := func(job int, state models.TaskState, trigger models.TriggerKind, root *string, counts bool) {
			task := w.task(job)
			at := t0.Add(time.Duration(minute) * time.Minute)
			minute++
			task.ID, task.ScheduledAt, task.Trigger, task.RootID, task.State = models.NewID(at), at, trigger, root, state
			create(t, s, task)
			if counts {
				want[at] = true
			}
		}
		for _, state := range models.TaskStates {
			put(0, state, models.TriggerCron, nil, state != models.TaskSkipped && state != models.TaskCancelled)
		}
		root := models.NewID(t0)
		put(0, models.TaskSucceeded, models.TriggerFixedRate, nil, true)
		put(0, models.TaskSucceeded, models.TriggerBackfill, nil, true)
		put(0, models.TaskSucceeded, models.TriggerManual, &root, true)
		put(0, models.TaskSucceeded, models.TriggerManual, nil, false)
		put(0, models.TaskSucceeded, models.TriggerAPI, nil, false)
		put(1, models.TaskSucceeded, models.TriggerCron, nil, false)
		got, err := s.RanAt(t.Context(), w.jobs[0].ID, t0, t0.Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if got, err = s.RanAt(t.Context(), w.jobs[0].ID, t0.Add(time.Hour), t0.Add(2*time.Hour)); err != nil || len(got) != 0 {
			t.Errorf("later: %v, %v", got, err)
		}
	})
}
