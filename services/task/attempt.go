package task

import (
	"encoding/json"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// AttemptState is the state of an attempt, as the API names it.
type AttemptState string

// States of an attempt.
const (
	AttemptPending    AttemptState = "PENDING"    // not yet given to a node
	AttemptDispatched AttemptState = "DISPATCHED" // given to a node, not yet started
	AttemptRunning    AttemptState = "RUNNING"
	AttemptSucceeded  AttemptState = "SUCCEEDED"
	AttemptFailed     AttemptState = "FAILED"
	AttemptTimedOut   AttemptState = "TIMED_OUT"
	AttemptLost       AttemptState = "LOST"
	AttemptCancelled  AttemptState = "CANCELLED" // cancelled, or handed back unfinished
)

// Attempt is one try to run a task on one node.
type Attempt struct {
	TaskID       string
	Number       int // from 1; also the fencing token
	State        AttemptState
	NodeID       *string
	NodeName     string // empty before dispatch
	AvailableAt  time.Time
	DispatchedAt *time.Time
	StartedAt    *time.Time
	FinishedAt   *time.Time
	Error        string
	Result       json.RawMessage
}

// attemptsOf lists all attempts of t: the ended ones that the history holds, the
// one in t's own row, and the one that is still to come.
func attemptsOf(t *models.Task, ended []models.Attempt) []Attempt {
	list := make([]Attempt, 0, len(ended)+2)
	for i := range ended {
		list = append(list, endedAttempt(&ended[i]))
	}
	if t.Attempt > 0 && !holds(ended, t.Attempt) {
		list = append(list, currentAttempt(t))
	}
	if t.State.Queued() {
		list = append(list, Attempt{TaskID: t.ID, Number: t.Attempt + 1, State: AttemptPending, AvailableAt: t.AvailableAt})
	}
	return list
}

func holds(ended []models.Attempt, number int) bool {
	for i := range ended {
		if ended[i].Number == number {
			return true
		}
	}
	return false
}

func endedAttempt(a *models.Attempt) Attempt {
	return Attempt{
		TaskID: a.TaskID, Number: a.Number, State: stateOf(a.Outcome, a.StartedAt),
		NodeID: a.NodeID, NodeName: a.NodeName,
		AvailableAt: a.AvailableAt, DispatchedAt: a.DispatchedAt, StartedAt: a.StartedAt, FinishedAt: a.FinishedAt,
		Error: a.Error, Result: a.Result,
	}
}

func currentAttempt(t *models.Task) Attempt {
	a := Attempt{
		TaskID: t.ID, Number: t.Attempt, State: stateOf(t.Outcome, t.StartedAt),
		NodeID: t.NodeID, NodeName: t.NodeName,
		AvailableAt: t.AvailableAt, DispatchedAt: t.DispatchedAt, StartedAt: t.StartedAt,
		Error: t.Error, Result: t.Result,
	}
	if t.Outcome != models.OutcomeNone {
		a.FinishedAt = t.FinishedAt
	}
	return a
}

// stateOf is the state of an attempt that was given to a node.
func stateOf(o models.Outcome, startedAt *time.Time) AttemptState {
	switch o {
	case models.OutcomeSucceeded:
		return AttemptSucceeded
	case models.OutcomeFailed:
		return AttemptFailed
	case models.OutcomeTimedOut:
		return AttemptTimedOut
	case models.OutcomeLost:
		return AttemptLost
	case models.OutcomeCancelled, models.OutcomeReleased:
		return AttemptCancelled
	case models.OutcomeNone:
	}
	if startedAt != nil {
		return AttemptRunning
	}
	return AttemptDispatched
}
