package store

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

func TestTaskComesBackAsItWasMade(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		task := w.task(0)
		key, root, shard, shards := "Auftrag 17 中文 😀 𠮷 é \u200f", models.NewID(t0), 2, 5
		task.UniqueKey, task.RootID, task.ParentID, task.Shard, task.Shards = &key, &root, &root, &shard, &shards
		task.Parameters = json.RawMessage(`{"big": 9007199254740993, "text": "👩‍👩‍👧 \u0000 中文'\"\\"}`)
		create(t, s, task)
		if diff := cmp.Diff(task, load(t, s, task.ID)); diff != "" {
			t.Errorf("task (-made +read):\n%s", diff)
		}
		skipped := w.task(0)
		at := skipped.CreatedAt
		skipped.State, skipped.Reason, skipped.FinishedAt = models.TaskSkipped, models.ReasonOverlap, &at
		create(t, s, skipped)
		if diff := cmp.Diff(skipped, load(t, s, skipped.ID)); diff != "" {
			t.Errorf("skipped task (-made +read):\n%s", diff)
		}
	})
}

func TestCreateTasksTwiceChangesNothing(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		tasks := w.tasks(5)
		key := "k"
		tasks[3].UniqueKey = &key
		create(t, s, tasks[1]) // a part exists already
		for range 2 {
			results, err := s.CreateTasks(t.Context(), append(slices.Clone(tasks), tasks[0]))
			if err != nil {
				t.Fatal(err)
			}
			for i, task := range append(slices.Clone(tasks), tasks[0]) {
				if results[i].ID != task.ID {
					t.Errorf("task %d answered with id %s, want %s", i, results[i].ID, task.ID)
				}
			}
			if !results[1].Existing || !results[5].Existing {
				t.Errorf("repeats are not told: %v", results)
			}
		}
		wantCounters(t, s)
	})
}

func TestUniqueKeyIsHeldWhileUnfinished(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		keyed := func(job int) models.Task {
			task := w.task(job)
			key := "order-17"
			task.UniqueKey = &key
			return task
		}
		first, second, other := keyed(0), keyed(0), keyed(1)
		results, err := s.CreateTasks(t.Context(), []models.Task{first, second, other})
		if err != nil {
			t.Fatal(err)
		}
		want := []CreateResult{{ID: first.ID}, {ID: first.ID, Existing: true}, {ID: other.ID}}
		if diff := cmp.Diff(want, results); diff != "" {
			t.Errorf("results (-want +got):\n%s", diff)
		}
		holder := func() CreateResult {
			t.Helper()
			results, err := s.CreateTasks(t.Context(), []models.Task{keyed(0)})
			if err != nil {
				t.Fatal(err)
			}
			return results[0]
		}
		e := endOf(&dispatch(t, s, t0, first)[0], models.OutcomeFailed, t0)
		e.NoRetry = true
		if r := end(t, s, e); r.Task.State != models.TaskFailed {
			t.Fatalf("state %s, want FAILED", r.Task.State)
		}
		if got := holder(); got.ID != first.ID || !got.Existing {
			t.Errorf("a FAILED task no longer holds its key: %v", got)
		}
		if _, err := s.DiscardTask(t.Context(), first.ID, "", "ada", t0, nil); err != nil {
			t.Fatal(err)
		}
		if got := holder(); got.Existing {
			t.Errorf("a DISCARDED task still holds its key: %v", got)
		}
		// The first task again: it exists, and must not take the key back.
		results, err = s.CreateTasks(t.Context(), []models.Task{first})
		if err != nil || results[0].ID != first.ID || !results[0].Existing {
			t.Errorf("repeat of an ended task: %v, %v", results, err)
		}
	})
}

func TestUniqueKeyMustFit(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		for length, ok := range map[int]bool{0: false, 1: true, 255: true, 256: false} {
			task := w.task(0)
			key := strings.Repeat("𠮷", length)
			task.UniqueKey = &key
			_, err := s.CreateTasks(t.Context(), []models.Task{task})
			if ok && err != nil || !ok && !fault.Is(err, fault.Invalid) {
				t.Errorf("a key of %d characters: %v", length, err)
			}
		}
	})
}
