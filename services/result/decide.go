package result

import (
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// poisonLimit is how often the process may die under a task before the task is
// parked in the failed queue: whatever kills workers must not wander through
// the whole group.
const poisonLimit = 3

// maxAfter bounds what a handler may ask for with retry-after or snooze.
const maxAfter = 366 * 24 * time.Hour

// decide answers what an ended attempt means for its task. It is pure: chance
// is a number in [0, 1) for the jitter of the back-off. Job may be nil when its
// definition is gone; the task's own limits hold then, without a wait.
func decide(t *models.Task, job *models.Job, e *store.AttemptEnd, chance float64) store.Decision {
	if e.Outcome == models.OutcomeSucceeded {
		return store.Decision{Event: models.EventSucceed}
	}
	if t.CancelRequestedAt != nil || e.Outcome == models.OutcomeCancelled {
		// A cancelled task starts no new attempt, however its last one ended.
		return store.Decision{Event: models.EventCancel, Reason: cancelReason(t)}
	}
	switch e.Outcome {
	default:
	case models.OutcomeReleased:
		return released(t, e)
	case models.OutcomeLost:
		if d, over := lost(t, job); over {
			return d
		}
	}
	return failed(t, job, e, chance)
}

func cancelReason(t *models.Task) string {
	if t.Reason == models.ReasonReplaced {
		return models.ReasonReplaced
	}
	return models.ReasonRequested
}

// released puts a task that its worker handed back into the queue again; it has
// used up no try.
//
// What nobody takes comes back ever more seldom, lest it writes an attempt a second for
// as long as that lasts.
func released(t *models.Task, e *store.AttemptEnd) store.Decision {
	d := store.Decision{Event: models.EventRetry, Reason: e.Reason, Uncounted: true, HandedBack: true}
	wait := models.HandedBackDelay(t.HandedBack)
	switch e.Reason {
	case models.ReasonSnoozed: // its handler took it, and said when
		d.HandedBack = false
		wait = 0
	case "":
		d.Reason = models.ReasonReleased
		wait = models.HandedBackDelay(t.HandedBack - 1) // the first time it moves to another node at once
	}
	if e.After != nil {
		wait = clampAfter(*e.After)
	}
	d.AvailableAt = e.FinishedAt.Add(wait)
	return d
}

// lost answers the ends that only lost attempts have: a job that must not run
// twice, and a task that keeps killing its process.
func lost(t *models.Task, job *models.Job) (store.Decision, bool) {
	if job != nil && job.Delivery == models.AtMostOnce {
		return store.Decision{Event: models.EventFail, Reason: models.ReasonAtMostOnce, Poisoned: true}, true
	}
	if t.LostCount+1 >= poisonLimit {
		return store.Decision{Event: models.EventFail, Reason: models.ReasonPoison, Poisoned: true}, true
	}
	return store.Decision{}, false
}

// failed answers the end of an attempt that counts as a try.
func failed(t *models.Task, job *models.Job, e *store.AttemptEnd, chance float64) store.Decision {
	poisoned := e.Outcome == models.OutcomeLost
	switch {
	case e.NoRetry:
		return store.Decision{Event: models.EventFail, Reason: models.ReasonNoRetry}
	case t.Tries() >= t.MaxAttempts:
		return store.Decision{Event: models.EventFail, Reason: models.ReasonRetriesExhausted, Poisoned: poisoned}
	}
	wait := time.Duration(0)
	switch {
	case e.After != nil:
		wait = clampAfter(*e.After)
	case e.Outcome == models.OutcomeLost:
		// Takeover is at once: the node failed, not the handler.
	case job != nil:
		wait = Delay(job, t.Tries(), chance)
	}
	return store.Decision{
		Event: models.EventRetry, Reason: retryReason(e.Outcome), AvailableAt: e.FinishedAt.Add(wait), Poisoned: poisoned,
	}
}

func retryReason(o models.Outcome) string {
	switch o {
	case models.OutcomeLost:
		return models.ReasonLost
	case models.OutcomeTimedOut:
		return models.ReasonTimedOut
	default:
		return ""
	}
}

func clampAfter(d time.Duration) time.Duration { return min(max(d, 0), maxAfter) }
