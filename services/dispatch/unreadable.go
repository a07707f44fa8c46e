package dispatch

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/store"
)

// readable answers the tasks that can be put into a frame and ends the attempts of
// the others for good. Nothing that the API takes is among them, but what others have
// written into the ledger may be, and a frame with it could not be encoded: the node's
// stream would break, and with it the way of everything else that goes to the node.
func (d *Dispatcher) readable(ctx context.Context, fence store.Fence, tasks []models.Task) []models.Task {
	var ends []store.AttemptEnd
	now := clock.Cut(d.cfg.Clock.Now())
	for i := range tasks {
		if field := unreadable(&tasks[i]); field != "" {
			ends = append(ends, store.AttemptEnd{
				TaskID: tasks[i].ID, Attempt: tasks[i].Attempt, Outcome: models.OutcomeFailed, FinishedAt: now, NoRetry: true,
				Error: fmt.Sprintf("The %s of the task cannot be sent to a worker because they are not JSON: edit the job, and retry the task with other parameters.", field),
			})
		}
	}
	if len(ends) == 0 {
		return tasks
	}
	if _, err := d.cfg.Ender.EndFenced(ctx, fence, ends); err != nil {
		// They are taken back as what their node never received, and come here again.
		d.cfg.Logger.WarnContext(ctx, "unreadable tasks not ended", "tasks", len(ends), "error", err)
	}
	return slices.DeleteFunc(slices.Clone(tasks), func(t models.Task) bool { return unreadable(&t) != "" })
}

// unreadable names what of a task is no JSON, or nothing.
func unreadable(t *models.Task) string {
	switch {
	case len(t.Parameters) > 0 && !json.Valid(t.Parameters):
		return "parameters"
	case len(t.Checkpoint) > 0 && !json.Valid(t.Checkpoint):
		return "checkpoint's contents"
	}
	return ""
}
