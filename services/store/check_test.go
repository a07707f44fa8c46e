package store

import (
	"testing"

	"github.com/belfry-scheduler/belfry/models"
)

// attemptsOf reads a task's history, oldest first.
func attemptsOf(t testing.TB, s *Store, id string) []models.Attempt {
	t.Helper()
	var rows []models.Attempt
	if err := s.read(t.Context()).Where("task_id = ?", id).Order("number").Find(&rows).Error; err != nil {
		t.Fatal(err)
	}
	return rows
}

// lastID is the id of the newest task.
func (w *world) lastID(t testing.TB, s *Store) string {
	t.Helper()
	var id string
	if err := queryOne(s.read(t.Context()), &id, "SELECT MAX(id) FROM tasks"); err != nil {
		t.Fatal(err)
	}
	return id
}

// wantCounters compares the counters with a count of the tasks.
func wantCounters(t testing.TB, s *Store) {
	t.Helper()
	got, err := s.Counters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows, err := query(s.read(t.Context()), "SELECT group_id, state, COUNT(*) FROM tasks WHERE parent_id IS NULL GROUP BY group_id, state")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]map[models.TaskState]int64{}
	err = scan(rows, func() error {
		var group string
		var state models.TaskState
		var n int64
		if err := rows.Scan(&group, &state, &n); err != nil {
			return err
		}
		if counted(state) {
			if want[group] == nil {
				want[group] = map[models.TaskState]int64{}
			}
			want[group][state] = n
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for group, states := range got {
		for state, n := range states {
			if n != want[group][state] {
				t.Errorf("counter of %s: %d, but there are %d", state, n, want[group][state])
			}
		}
	}
	for group, states := range want {
		for state, n := range states {
			if got[group][state] != n {
				t.Errorf("counter of %s: %d, but there are %d", state, got[group][state], n)
			}
		}
	}
}
