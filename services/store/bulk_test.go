package store

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

func (w *world) bulk(t testing.TB, s *Store, kind models.BulkKind, ids ...string) models.BulkOperation {
	t.Helper()
	b := models.BulkOperation{
		ID: models.NewID(t0), Kind: kind, State: models.BulkRunning, Total: int64(len(ids)), Parameters: json.RawMessage(`{"again":true}`),
		Reason: "they fail", Selection: json.RawMessage(`{"named":3}`), CreatedBy: "ada", CreatedAt: t0,
	}
	made, err := s.CreateBulk(t.Context(), b, ids, models.Audit{ID: models.NewID(t0), At: t0, Actor: "ada", Action: "bulk.create", Kind: "bulk", Object: b.ID})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b, made); diff != "" {
		t.Errorf("bulk operation (-made +read):\n%s", diff)
	}
	return made
}

func bulkStep(b *models.BulkOperation, ids ...string) BulkStep {
	return BulkStep{
		ID: b.ID, Position: b.Position(), TaskIDs: ids, At: t0.Add(time.Minute),
		Parameters: func(*models.Task) (json.RawMessage, error) { return b.Parameters, nil },
		Audit: func(id string) models.Audit {
			return models.Audit{ID: models.NewID(t0), At: t0, Actor: "ada", Action: "task.retry", Kind: "task", Object: id}
		},
	}
}

func TestBulkComesToEachTaskOnce(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		failed := []models.Task{w.inState(t, s, models.TaskFailed), w.inState(t, s, models.TaskFailed)}
		done := w.inState(t, s, models.TaskSucceeded)
		gone := models.NewID(t0)
		all := []string{failed[0].ID, failed[1].ID, done.ID, gone}
		b := w.bulk(t, s, models.BulkRetry, all...)
		for position, want := range [][]string{all[:2], all[1:3], all[2:4], all[3:], {}} {
			if ids, err := s.BulkTasks(t.Context(), b.ID, int64(position), 2); err != nil || !cmp.Equal(ids, want) {
				t.Errorf("tasks from %d: %v, %v; want %v", position, ids, err, want)
			}
		}
		if todo, err := s.BulksToDo(t.Context(), 10); err != nil || len(todo) != 1 || todo[0].ID != b.ID {
			t.Errorf("to do: %v, %v", todo, err)
		}
		first := bulkStep(&b, all[0])
		if _, err := s.AdvanceBulk(t.Context(), Fence{0: 99}, first); !errors.Is(err, ErrDeposed) {
			t.Errorf("a deposed leader: %v", err)
		}
		result, err := s.AdvanceBulk(t.Context(), nil, first)
		if err != nil || result.Operation.Done != 1 || result.Operation.State != models.BulkRunning || len(result.Changed) != 1 {
			t.Fatalf("first step: %+v, %v", result, err)
		}
		again := load(t, s, all[0])
		if again.State != models.TaskRetrying || string(again.Parameters) != `{"again":true}` {
			t.Errorf("retried: %s with %s", again.State, again.Parameters)
		}
		if _, err := s.AdvanceBulk(t.Context(), nil, first); !errors.Is(err, ErrBulkMoved) {
			t.Errorf("a repeat: %v", err)
		}
		rest := bulkStep(&result.Operation, all[1:]...)
		result, err = s.AdvanceBulk(t.Context(), nil, rest)
		if err != nil || result.Operation.Done != 2 || result.Operation.Refused != 2 || result.Operation.State != models.BulkFinished || result.Operation.Progress() != 1 {
			t.Fatalf("last step: %+v, %v", result, err)
		}
		refusals, err := s.BulkRefusals(t.Context(), []string{b.ID, gone}, 10)
		if of := refusals[b.ID]; err != nil || len(refusals) != 1 || len(of) != 2 {
			t.Fatalf("refusals: %v, %v", refusals, err)
		}
		for _, r := range refusals[b.ID] {
			if r.TaskID == done.ID != strings.Contains(r.Message, "SUCCEEDED") || r.TaskID == gone != strings.Contains(r.Message, "no task") {
				t.Errorf("refusal %+v", r)
			}
		}
		audits, err := s.TaskAudits(t.Context(), all)
		if err != nil || len(audits) != 2 {
			t.Errorf("audit rows: %v, %v", audits, err)
		}
		if ids, err := s.BulkTasks(t.Context(), b.ID, 0, 2); err != nil || len(ids) != 0 {
			t.Errorf("tasks after the end: %v, %v", ids, err)
		}
		if _, err := s.AdvanceBulk(t.Context(), nil, rest); !errors.Is(err, ErrBulkMoved) {
			t.Errorf("after the end: %v", err)
		}
		if _, err := s.CancelBulk(t.Context(), b.ID, t0, models.Audit{ID: models.NewID(t0)}); !fault.Is(err, fault.Conflict) {
			t.Errorf("stopping after the end: %v", err)
		}
		stored, err := s.Bulk(t.Context(), b.ID)
		if diff := cmp.Diff(result.Operation, stored); err != nil || diff != "" {
			t.Errorf("at its end (-answered +stored): %v\n%s", err, diff)
		}
		wantCounters(t, s)
	})
}

// TestBulkFollowsTheTransitions does each kind to a task in each state.
func TestBulkFollowsTheTransitions(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		events := map[models.BulkKind]models.Event{
			models.BulkRetry: models.EventRequeue, models.BulkDiscard: models.EventDiscard, models.BulkCancel: models.EventCancel,
		}
		for kind, event := range events {
			for _, from := range models.TaskStates {
				task := w.inState(t, s, from)
				b := w.bulk(t, s, kind, task.ID)
				result, err := s.AdvanceBulk(t.Context(), nil, bulkStep(&b, task.ID))
				if err != nil {
					t.Fatalf("%s of %s: %v", kind, from, err)
				}
				to, legal := models.Next(from, event)
				if legal != (result.Operation.Done == 1) || legal != (len(result.Changed) == 1) {
					t.Errorf("%s of %s: %+v", kind, from, result.Operation)
				}
				asked := kind == models.BulkCancel && from == models.TaskRunning
				if asked != (len(result.Stopping) == 1) {
					t.Errorf("%s of %s: told to stop %v", kind, from, result.Stopping)
				}
				if !legal || asked {
					to = from
				}
				if now := load(t, s, task.ID); now.State != to {
					t.Errorf("%s of %s made %s; want %s", kind, from, now.State, to)
				}
			}
		}
		wantCounters(t, s)
	})
}

func TestBulkStops(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		tasks := []models.Task{w.inState(t, s, models.TaskFailed), w.inState(t, s, models.TaskFailed)}
		b := w.bulk(t, s, models.BulkDiscard, tasks[0].ID, tasks[1].ID)
		result, err := s.AdvanceBulk(t.Context(), nil, bulkStep(&b, tasks[0].ID))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second changes nothing
			stopped, err := s.CancelBulk(t.Context(), b.ID, t0.Add(time.Hour), models.Audit{ID: models.NewID(t0), At: t0, Actor: "ada", Action: "bulk.cancel"})
			if err != nil || stopped.State != models.BulkCancelled || stopped.Done != 1 || !stopped.FinishedAt.Equal(t0.Add(time.Hour)) {
				t.Errorf("stopped: %+v, %v", stopped, err)
			}
		}
		if _, err := s.AdvanceBulk(t.Context(), nil, bulkStep(&result.Operation, tasks[1].ID)); !errors.Is(err, ErrBulkMoved) {
			t.Errorf("a step after it was stopped: %v", err)
		}
		if now := load(t, s, tasks[1].ID); now.State != models.TaskFailed {
			t.Errorf("the task it did not come to is %s", now.State)
		}
		for i := range MaxOpenBulks + 1 {
			b.ID = models.NewID(t0)
			_, err := s.CreateBulk(t.Context(), b, []string{tasks[1].ID}, models.Audit{ID: models.NewID(t0), At: t0})
			if full := fault.Is(err, fault.Limit); full != (i == MaxOpenBulks) || !full && err != nil {
				t.Fatalf("operation %d: %v", i, err)
			}
		}
		rows, info, err := s.BulkPage(t.Context(), "", Page{First: 2})
		if err != nil || len(rows) != 2 || !info.HasNext || rows[0].ID < rows[1].ID {
			t.Errorf("a page: %v, %+v, %v", rows, info, err)
		}
	})
}

func TestSelectTasks(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		var want []string
		for range 3 {
			task := w.inState(t, s, models.TaskFailed)
			want = append([]string{task.ID}, want...)
		}
		w.inState(t, s, models.TaskSucceeded)
		f := TaskFilter{States: []models.TaskState{models.TaskFailed}}
		ids, more, err := s.SelectTasks(t.Context(), f, 10)
		if err != nil || more || len(ids) != 3 {
			t.Fatalf("failed tasks: %v, %v, %v; want %v", ids, more, err, want)
		}
		if ids, more, err := s.SelectTasks(t.Context(), f, 2); err != nil || !more || len(ids) != 2 {
			t.Errorf("two of them: %v, %v, %v", ids, more, err)
		}
		end := load(t, s, ids[0]).FinishedAt
		for _, at := range []time.Time{*end, end.Add(-time.Microsecond)} {
			f.AsOf = &at
			got, _, err := s.SelectTasks(t.Context(), f, 10)
			if seen := len(got) > 0; err != nil || seen != at.Equal(*end) {
				t.Errorf("as of %s: %v, %v", at, got, err)
			}
		}
	})
}
