package task

import (
	"context"
	"errors"
	"fmt"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

// Replace cancels the running and retrying tasks of a job that a newer firing
// takes the place of, but not those of backfills: they stand for other instants.
// The newer one starts once all have ended.
func (s *Service) Replace(ctx context.Context, jobID, newer string) error {
	filter := store.TaskFilter{JobID: jobID, States: []models.TaskState{models.TaskRunning, models.TaskRetrying}}
	var failed []error
	for page := (store.Page{First: 100}); ; {
		older, info, err := s.store.TaskPage(ctx, filter, page)
		if err != nil {
			return fmt.Errorf("reading the tasks that %s replaces: %w", newer, err)
		}
		for i := range older {
			if older[i].ID != newer && older[i].BackfillID == nil {
				failed = append(failed, s.replace(ctx, older[i].ID, newer))
			}
		}
		if page.After = info.Stopped; page.After == "" {
			return errors.Join(failed...)
		}
	}
}

func (s *Service) replace(ctx context.Context, id, newer string) error {
	reason := fmt.Sprintf("Replaced by task %s.", newer)
	result, err := s.store.CancelTask(ctx, id, reason, "", models.ReasonReplaced, s.clock.Now(), nil)
	if fault.Is(err, fault.Conflict) {
		return nil // it has ended meanwhile
	}
	if err != nil {
		return fmt.Errorf("replacing task %s: %w", id, err)
	}
	s.cancelled(ctx, &result)
	return nil
}
