package task

import (
	"encoding/json"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// Actions in the audit log that the timeline reads again.
const (
	actionRun        = "job.run"
	actionRerun      = "task.rerun"
	actionRetry      = "task.retry"
	actionDiscard    = "task.discard"
	actionCancel     = "task.cancel"
	actionReschedule = "task.reschedule"
)

// record is the audit row of an action on a task; detail without empty values.
func record(at time.Time, actor, action, taskID string, detail map[string]string) models.Audit {
	a := models.Audit{ID: models.NewID(at), At: at, Actor: actor, Action: action, Kind: "task", Object: taskID}
	for key, value := range detail {
		if value == "" {
			delete(detail, key)
		}
	}
	if len(detail) > 0 {
		a.Detail, _ = json.Marshal(detail) // strings always marshal
	}
	return a
}

// reasonOf is the reason that a person gave, from the audit row.
func reasonOf(a *models.Audit) string {
	var detail struct {
		Reason string `json:"reason"`
	}
	if json.Unmarshal(a.Detail, &detail) != nil {
		return "" // a row without detail
	}
	return detail.Reason
}

// instantOf is the instant that the audit row of a rescheduling names.
func instantOf(a *models.Audit) (time.Time, bool) {
	var detail struct {
		To time.Time `json:"to"`
	}
	if json.Unmarshal(a.Detail, &detail) != nil || detail.To.IsZero() {
		return time.Time{}, false
	}
	return detail.To, true
}
