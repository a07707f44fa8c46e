package result

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

var end = time.Date(2026, 3, 8, 7, 30, 0, 0, time.UTC)

func TestDecide(t *testing.T) {
	t.Parallel()
	job := &models.Job{
		MaxAttempts: 3, Backoff: models.BackoffExponential, RetryDelayMS: 1000, RetryMaxDelayMS: 60_000, Delivery: models.AtLeastOnce,
	}
	once := *job
	once.Delivery = models.AtMostOnce
	tests := map[string]struct {
		task models.Task
		job  *models.Job
		end  store.AttemptEnd
		want store.Decision
	}{
		"success": {
			models.Task{Attempt: 1, MaxAttempts: 1},
			job,
			store.AttemptEnd{Outcome: models.OutcomeSucceeded},
			store.Decision{Event: models.EventSucceed},
		},
		"success of a task whose cancellation came too late": {
			models.Task{Attempt: 1, MaxAttempts: 1, CancelRequestedAt: &end},
			job,
			store.AttemptEnd{Outcome: models.OutcomeSucceeded},
			store.Decision{Event: models.EventSucceed},
		},
		"first failure waits the delay": {
			models.Task{Attempt: 1, MaxAttempts: 3},
			job,
			store.AttemptEnd{Outcome: models.OutcomeFailed},
			store.Decision{Event: models.EventRetry, AvailableAt: end.Add(time.Second)},
		},
		"second failure waits twice as long": {
			models.Task{Attempt: 2, MaxAttempts: 3},
			job,
			store.AttemptEnd{Outcome: models.OutcomeFailed},
			store.Decision{Event: models.EventRetry, AvailableAt: end.Add(2 * time.Second)},
		},
		"released attempts do not count": {
			models.Task{Attempt: 5, Uncounted: 3, MaxAttempts: 3},
			job,
			store.AttemptEnd{Outcome: models.OutcomeFailed},
			store.Decision{Event: models.EventRetry, AvailableAt: end.Add(2 * time.Second)},
		},
		"last failure": {
			models.Task{Attempt: 3, MaxAttempts: 3},
			job,
			store.AttemptEnd{Outcome: models.OutcomeFailed},
			store.Decision{Event: models.EventFail, Reason: models.ReasonRetriesExhausted},
		},
		"a handler that says no retry": {
			models.Task{Attempt: 1, MaxAttempts: 3},
			job,
			store.AttemptEnd{Outcome: models.OutcomeFailed, NoRetry: true},
			store.Decision{Event: models.EventFail, Reason: models.ReasonNoRetry},
		},
		"a handler that says when": {
			models.Task{Attempt: 1, MaxAttempts: 3},
			job,
			store.AttemptEnd{Outcome: models.OutcomeFailed, After: new(time.Hour)},
			store.Decision{Event: models.EventRetry, AvailableAt: end.Add(time.Hour)},
		},
		"a handler that says never in effect": {
			models.Task{Attempt: 1, MaxAttempts: 3},
			job,
			store.AttemptEnd{Outcome: models.OutcomeFailed, After: new(time.Duration(1 << 62))},
			store.Decision{Event: models.EventRetry, AvailableAt: end.Add(maxAfter)},
		},
		"time limit": {
			models.Task{Attempt: 1, MaxAttempts: 3},
			job,
			store.AttemptEnd{Outcome: models.OutcomeTimedOut},
			store.Decision{Event: models.EventRetry, Reason: models.ReasonTimedOut, AvailableAt: end.Add(time.Second)},
		},
		"cancelled": {
			models.Task{Attempt: 1, MaxAttempts: 3},
			job,
			store.AttemptEnd{Outcome: models.OutcomeCancelled},
			store.Decision{Event: models.EventCancel, Reason: models.ReasonRequested},
		},
		"a cancelled task that fails is not tried again": {
			models.Task{Attempt: 1, MaxAttempts: 3, CancelRequestedAt: &end},
			job,
			store.AttemptEnd{Outcome: models.OutcomeFailed},
			store.Decision{Event: models.EventCancel, Reason: models.ReasonRequested},
		},
		"a cancelled task whose node is lost is not tried again": {
			models.Task{Attempt: 1, MaxAttempts: 3, CancelRequestedAt: &end},
			job,
			store.AttemptEnd{Outcome: models.OutcomeLost},
			store.Decision{Event: models.EventCancel, Reason: models.ReasonRequested},
		},
		"a replaced task": {
			models.Task{Attempt: 1, MaxAttempts: 3, CancelRequestedAt: &end, Reason: models.ReasonReplaced},
			job,
			store.AttemptEnd{Outcome: models.OutcomeCancelled},
			store.Decision{Event: models.EventCancel, Reason: models.ReasonReplaced},
		},
		"lost goes to another node at once": {
			models.Task{Attempt: 1, MaxAttempts: 3},
			job,
			store.AttemptEnd{Outcome: models.OutcomeLost},
			store.Decision{Event: models.EventRetry, Reason: models.ReasonLost, AvailableAt: end, Poisoned: true},
		},
		"lost on the last try": {
			models.Task{Attempt: 1, MaxAttempts: 1},
			job,
			store.AttemptEnd{Outcome: models.OutcomeLost},
			store.Decision{Event: models.EventFail, Reason: models.ReasonRetriesExhausted, Poisoned: true},
		},
		"lost for the third time": {
			models.Task{Attempt: 3, MaxAttempts: 9, LostCount: 2},
			job,
			store.AttemptEnd{Outcome: models.OutcomeLost},
			store.Decision{Event: models.EventFail, Reason: models.ReasonPoison, Poisoned: true},
		},
		"lost and not to run twice": {
			models.Task{Attempt: 1, MaxAttempts: 3},
			&once,
			store.AttemptEnd{Outcome: models.OutcomeLost},
			store.Decision{Event: models.EventFail, Reason: models.ReasonAtMostOnce, Poisoned: true},
		},
		"released uses up no try": {
			models.Task{Attempt: 1, MaxAttempts: 1},
			job,
			store.AttemptEnd{Outcome: models.OutcomeReleased},
			store.Decision{Event: models.EventRetry, Reason: models.ReasonReleased, AvailableAt: end, Uncounted: true, HandedBack: true},
		},
		"released again waits": {
			models.Task{Attempt: 2, Uncounted: 1, HandedBack: 1, MaxAttempts: 1},
			job,
			store.AttemptEnd{Outcome: models.OutcomeReleased},
			store.Decision{Event: models.EventRetry, Reason: models.ReasonReleased, AvailableAt: end.Add(time.Second), Uncounted: true, HandedBack: true},
		},
		"refused waits": {
			models.Task{Attempt: 1, MaxAttempts: 1},
			job,
			store.AttemptEnd{Outcome: models.OutcomeReleased, Reason: models.ReasonRefused},
			store.Decision{Event: models.EventRetry, Reason: models.ReasonRefused, AvailableAt: end.Add(time.Second), Uncounted: true, HandedBack: true},
		},
		"refused for the fourth time in a row": {
			models.Task{Attempt: 9, Uncounted: 8, HandedBack: 3, MaxAttempts: 1},
			job,
			store.AttemptEnd{Outcome: models.OutcomeReleased, Reason: models.ReasonRefused},
			store.Decision{Event: models.EventRetry, Reason: models.ReasonRefused, AvailableAt: end.Add(8 * time.Second), Uncounted: true, HandedBack: true},
		},
		"a cancelled task that is refused is not tried again": {
			models.Task{Attempt: 1, MaxAttempts: 3, CancelRequestedAt: &end},
			job,
			store.AttemptEnd{Outcome: models.OutcomeReleased, Reason: models.ReasonRefused},
			store.Decision{Event: models.EventCancel, Reason: models.ReasonRequested},
		},
		"snoozed": {
			models.Task{Attempt: 1, MaxAttempts: 1},
			job,
			store.AttemptEnd{Outcome: models.OutcomeReleased, Reason: models.ReasonSnoozed, After: new(time.Minute)},
			store.Decision{Event: models.EventRetry, Reason: models.ReasonSnoozed, AvailableAt: end.Add(time.Minute), Uncounted: true},
		},
		"the definition is gone": {
			models.Task{Attempt: 1, MaxAttempts: 3},
			nil,
			store.AttemptEnd{Outcome: models.OutcomeFailed},
			store.Decision{Event: models.EventRetry, AvailableAt: end},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.end.FinishedAt = end
			got := decide(&tt.task, tt.job, &tt.end, 0)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("decide (-want +got):\n%s", diff)
			}
			if _, legal := models.Next(models.TaskRunning, got.Event); !legal {
				t.Errorf("%s is not legal from RUNNING", got.Event)
			}
		})
	}
}
