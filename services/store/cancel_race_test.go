package store

import (
	"sync"
	"testing"

	"github.com/belfry-scheduler/belfry/models"
)

// A task that is cancelled while the rescue ends its lost attempt stays cancelled,
// whichever comes first (CB-083): the end looks at the row under its lock.
func TestCancelAgainstRescue(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		const rounds = 40
		tasks := w.tasks(rounds)
		create(t, s, tasks...)
		rows := dispatch(t, s, t0, tasks...)
		decide := func(t *models.Task, e *AttemptEnd) Decision {
			if t.CancelRequestedAt != nil {
				return Decision{Event: models.EventCancel, Reason: models.ReasonRequested}
			}
			return decideBy(t, e)
		}
		for i := range rows {
			var both sync.WaitGroup
			both.Go(func() {
				if _, err := s.EndAttempts(t.Context(), nil, []AttemptEnd{endOf(&rows[i], models.OutcomeLost, t0)}, decide); err != nil {
					t.Error(err)
				}
			})
			both.Go(func() {
				if _, err := s.CancelTask(t.Context(), rows[i].ID, "ada", "no more", models.ReasonRequested, t0, nil); err != nil {
					t.Error(err)
				}
			})
			both.Wait()
			got := load(t, s, rows[i].ID)
			if got.State != models.TaskCancelled {
				t.Fatalf("round %d: the cancelled task is %s", i, got.State)
			}
			if _, refused, err := s.DispatchTasks(t.Context(), nil, t0, []Dispatch{dispatchOf(&got, 2)}, nil); err != nil || len(refused) != 1 {
				t.Fatalf("round %d: it was given to a node again: %v", i, err)
			}
		}
	})
}
