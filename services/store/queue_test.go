package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

func TestQueuedTasks(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 3)
		var tasks []models.Task
		for i := range 9 { // of three jobs in turn
			task := w.task(i % 3)
			task.AvailableAt = t0.Add(time.Duration(i) * time.Minute)
			tasks = append(tasks, task)
		}
		tasks[8].Priority = models.PriorityHigh
		create(t, s, tasks...)
		read := func(limit int, except ...string) (ids []string) {
			t.Helper()
			queued, err := s.QueuedTasks(t.Context(), w.group.ID, t0.Add(time.Hour), limit, except)
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range queued {
				ids = append(ids, q.ID)
			}
			return ids
		}
		want := func(what string, got []string, places ...int) {
			t.Helper()
			var ids []string
			for _, i := range places {
				ids = append(ids, tasks[i].ID)
			}
			if diff := cmp.Diff(ids, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", what, diff)
			}
		}
		want("the head", read(3), 8, 0, 1, 2)
		want("past one job", read(3, w.jobs[0].ID), 8, 1, 2, 4)
		want("past two jobs", read(3, w.jobs[0].ID, w.jobs[2].ID), 1, 4, 7)
	})
}
