package task

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

// base is an instant for the tables; at(n) is n seconds later.
var base = time.Date(2031, 5, 6, 7, 8, 0, 0, time.UTC)

func at(n int) time.Time { return base.Add(time.Duration(n) * time.Second) }

func ref(n int) *time.Time { return new(at(n)) }

// row is a task of the tables, changed by edit.
func row(state models.TaskState, edit func(*models.Task)) models.Task {
	t := models.Task{
		ID: "T", State: state, Trigger: models.TriggerCron, ScheduledAt: at(0), AvailableAt: at(0), CreatedAt: at(0), MaxAttempts: 3,
	}
	edit(&t)
	return t
}

// ran puts a current attempt into a row.
func ran(number, dispatched int, started, finished *time.Time, outcome models.Outcome, text string) func(*models.Task) {
	return func(t *models.Task) {
		t.Attempt, t.DispatchedAt, t.StartedAt, t.FinishedAt, t.Outcome, t.Error = number, ref(dispatched), started, finished, outcome, text
		t.NodeID, t.NodeName = new("N1"), "n1"
	}
}

func ended(number, dispatched, finished int, outcome models.Outcome, reason, text string) models.Attempt {
	return models.Attempt{
		TaskID: "T", Number: number, NodeID: new("N1"), NodeName: "n1", Outcome: outcome, Reason: reason,
		AvailableAt: at(dispatched), DispatchedAt: ref(dispatched), StartedAt: ref(dispatched + 1), FinishedAt: ref(finished), Error: text,
	}
}

type history struct {
	task     models.Task
	ended    []models.Attempt
	refusals []models.Refusal
	audits   []models.Audit
	timeline []string // seconds, kind, attempt, actor and message
	attempts []string // number and state
}

func audited(n int, action, reason string) models.Audit {
	return record(at(n), "ada", action, "T", map[string]string{"reason": reason})
}

func histories() map[string]history {
	return map[string]history{
		"waiting": {
			task:     row(models.TaskWaiting, func(t *models.Task) { t.Trigger, t.ScheduledAt = models.TriggerDelay, at(60) }),
			timeline: []string{"0 CREATED 0 : Asked for ahead of time, scheduled for 2031-05-06 07:09:00 UTC."},
			attempts: []string{"1 PENDING"},
		},
		"run by hand": {
			task:     row(models.TaskWaiting, func(t *models.Task) { t.Trigger = models.TriggerManual }),
			audits:   []models.Audit{audited(0, actionRun, "")},
			timeline: []string{"0 CREATED 0 ada: Asked for by hand, scheduled for 2031-05-06 07:08:00 UTC."},
			attempts: []string{"1 PENDING"},
		},
		"dispatched": {
			task: row(models.TaskRunning, ran(1, 1, nil, nil, models.OutcomeNone, "")),
			timeline: []string{
				"0 CREATED 0 : Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
				"1 DISPATCHED 1 : Attempt 1 was given to node n1.",
			},
			attempts: []string{"1 DISPATCHED"},
		},
		"succeeded": {
			task: row(models.TaskSucceeded, ran(1, 1, ref(2), ref(3), models.OutcomeSucceeded, "")),
			timeline: []string{
				"0 CREATED 0 : Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
				"1 DISPATCHED 1 : Attempt 1 was given to node n1.", "2 STARTED 1 : Attempt 1 started on node n1.",
				"3 FINISHED 1 : Succeeded with attempt 1.",
			},
			attempts: []string{"1 SUCCEEDED"},
		},
		"all in one instant": {
			task: row(models.TaskSucceeded, ran(1, 0, ref(0), ref(0), models.OutcomeSucceeded, "")),
			timeline: []string{
				"0 CREATED 0 : Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
				"0 DISPATCHED 1 : Attempt 1 was given to node n1.", "0 STARTED 1 : Attempt 1 started on node n1.",
				"0 FINISHED 1 : Succeeded with attempt 1.",
			},
			attempts: []string{"1 SUCCEEDED"},
		},
		"waits for its next attempt": {
			task: row(models.TaskRetrying, func(t *models.Task) {
				ran(1, 1, ref(2), ref(3), models.OutcomeFailed, "boom")(t)
				t.AvailableAt = at(13)
			}),
			ended: []models.Attempt{ended(1, 1, 3, models.OutcomeFailed, "", "boom\nstack")},
			timeline: []string{
				"0 CREATED 0 : Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
				"1 DISPATCHED 1 : Attempt 1 was given to node n1.", "2 STARTED 1 : Attempt 1 started on node n1.",
				"3 ATTEMPT_ENDED 1 : Attempt 1 failed on node n1: boom …",
				"3 RETRY_SCHEDULED 2 : Attempt 2 is due at 2031-05-06 07:08:13 UTC.",
			},
			attempts: []string{"1 FAILED", "2 PENDING"},
		},
		"lost, taken over, a late result refused": {
			task:     row(models.TaskSucceeded, ran(2, 20, ref(21), ref(30), models.OutcomeSucceeded, "")),
			ended:    []models.Attempt{ended(1, 1, 18, models.OutcomeLost, models.ReasonLost, "")},
			refusals: []models.Refusal{{TaskID: "T", Attempt: 1, NodeName: "n1", At: at(25), Message: "A late result of attempt 1 was refused."}},
			timeline: []string{
				"0 CREATED 0 : Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
				"1 DISPATCHED 1 : Attempt 1 was given to node n1.", "2 STARTED 1 : Attempt 1 started on node n1.",
				"18 ATTEMPT_ENDED 1 : Attempt 1 was lost with node n1.",
				"18 RETRY_SCHEDULED 2 : Attempt 2 is due at 2031-05-06 07:08:00 UTC.",
				"20 DISPATCHED 2 : Attempt 2 was given to node n1.", "21 STARTED 2 : Attempt 2 started on node n1.",
				"25 STALE_REFUSED 1 : A late result of attempt 1 was refused.",
				"30 FINISHED 2 : Succeeded with attempt 2.",
			},
			attempts: []string{"1 LOST", "2 SUCCEEDED"},
		},
		"in the failed queue": {
			task: row(models.TaskFailed, func(t *models.Task) {
				ran(1, 1, ref(2), ref(3), models.OutcomeTimedOut, "")(t)
				t.Reason = models.ReasonRetriesExhausted
			}),
			timeline: []string{
				"0 CREATED 0 : Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
				"1 DISPATCHED 1 : Attempt 1 was given to node n1.", "2 STARTED 1 : Attempt 1 started on node n1.",
				"3 FINISHED 1 : Attempt 1 was ended by its time limit on node n1. All tries are used up: it waits in the failed queue.",
			},
			attempts: []string{"1 TIMED_OUT"},
		},
		"retried by a person": {
			task:   row(models.TaskRunning, ran(2, 61, nil, nil, models.OutcomeNone, "")),
			ended:  []models.Attempt{ended(1, 1, 3, models.OutcomeFailed, models.ReasonNoRetry, "bad input")},
			audits: []models.Audit{audited(60, actionRetry, "")},
			timeline: []string{
				"0 CREATED 0 : Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
				"1 DISPATCHED 1 : Attempt 1 was given to node n1.", "2 STARTED 1 : Attempt 1 started on node n1.",
				"3 ATTEMPT_ENDED 1 : Attempt 1 failed on node n1: bad input. The handler wants no retry: it waits in the failed queue.",
				"60 RETRIED 0 ada: Run again by ada.",
				"61 DISPATCHED 2 : Attempt 2 was given to node n1.",
			},
			attempts: []string{"1 FAILED", "2 DISPATCHED"},
		},
		"discarded": {
			task: row(models.TaskDiscarded, func(t *models.Task) {
				ran(1, 1, ref(2), ref(3), models.OutcomeFailed, "boom")(t)
				t.Reason, t.CancelRequestedAt, t.CancelReason, t.CancelActor = models.ReasonRequested, ref(90), "known", "ada"
			}),
			timeline: []string{
				"0 CREATED 0 : Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
				"1 DISPATCHED 1 : Attempt 1 was given to node n1.", "2 STARTED 1 : Attempt 1 started on node n1.",
				"3 ATTEMPT_ENDED 1 : Attempt 1 failed on node n1: boom. It waited in the failed queue.",
				"90 FINISHED 0 ada: Taken out of the failed queue: known.",
			},
			attempts: []string{"1 FAILED"},
		},
		"cancelled before it ran": {
			task: row(models.TaskCancelled, func(t *models.Task) {
				t.Reason, t.FinishedAt, t.CancelRequestedAt, t.CancelActor = models.ReasonRequested, ref(5), ref(5), "ada"
			}),
			timeline: []string{
				"0 CREATED 0 : Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
				"5 FINISHED 0 ada: Cancelled.",
			},
		},
		"cancelled while it ran": {
			task: row(models.TaskCancelled, func(t *models.Task) {
				ran(1, 1, ref(2), ref(9), models.OutcomeCancelled, "context canceled")(t)
				t.Reason, t.CancelRequestedAt, t.CancelReason, t.CancelActor = models.ReasonRequested, ref(8), "wrong day!", "ada"
			}),
			timeline: []string{
				"0 CREATED 0 : Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
				"1 DISPATCHED 1 : Attempt 1 was given to node n1.", "2 STARTED 1 : Attempt 1 started on node n1.",
				"8 CANCEL_REQUESTED 1 ada: Its cancellation was asked for: wrong day!",
				"9 FINISHED 1 ada: Cancelled: wrong day!",
			},
			attempts: []string{"1 CANCELLED"},
		},
		"cancelled between two attempts": {
			task: row(models.TaskCancelled, func(t *models.Task) {
				ran(1, 1, ref(2), ref(7), models.OutcomeFailed, "boom")(t)
				t.AvailableAt, t.CancelRequestedAt, t.CancelActor = at(13), ref(7), "ada"
			}),
			ended: []models.Attempt{ended(1, 1, 3, models.OutcomeFailed, "", "boom")},
			timeline: []string{
				"0 CREATED 0 : Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
				"1 DISPATCHED 1 : Attempt 1 was given to node n1.", "2 STARTED 1 : Attempt 1 started on node n1.",
				"3 ATTEMPT_ENDED 1 : Attempt 1 failed on node n1: boom.",
				"3 RETRY_SCHEDULED 2 : Attempt 2 is due at 2031-05-06 07:08:13 UTC.",
				"7 FINISHED 0 ada: Cancelled.",
			},
			attempts: []string{"1 FAILED"},
		},
		"cancelled in the failed queue": {
			task: row(models.TaskCancelled, func(t *models.Task) {
				ran(1, 1, ref(2), ref(3), models.OutcomeFailed, "boom")(t)
				t.CancelRequestedAt, t.CancelActor = ref(7), "ada"
			}),
			timeline: []string{
				"0 CREATED 0 : Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
				"1 DISPATCHED 1 : Attempt 1 was given to node n1.", "2 STARTED 1 : Attempt 1 started on node n1.",
				"3 ATTEMPT_ENDED 1 : Attempt 1 failed on node n1: boom. It waited in the failed queue.",
				"7 FINISHED 0 ada: Cancelled.",
			},
			attempts: []string{"1 FAILED"},
		},
		"succeeded in spite of a wish to cancel": {
			task: row(models.TaskSucceeded, func(t *models.Task) {
				ran(1, 1, ref(2), ref(9), models.OutcomeSucceeded, "")(t)
				t.CancelRequestedAt, t.CancelActor = ref(8), "ada"
			}),
			timeline: []string{
				"0 CREATED 0 : Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
				"1 DISPATCHED 1 : Attempt 1 was given to node n1.", "2 STARTED 1 : Attempt 1 started on node n1.",
				"8 CANCEL_REQUESTED 1 ada: Its cancellation was asked for.",
				"9 FINISHED 1 : Succeeded with attempt 1.",
			},
			attempts: []string{"1 SUCCEEDED"},
		},
		"skipped": {
			task: row(models.TaskSkipped, func(t *models.Task) { t.Reason, t.FinishedAt = models.ReasonOverlap, ref(0) }),
			timeline: []string{
				"0 CREATED 0 : Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
				"0 FINISHED 0 : Not run: an earlier task of the job still ran.",
			},
		},
		"its job was deleted": {
			task: row(models.TaskCancelled, func(t *models.Task) { t.Reason, t.FinishedAt = models.ReasonJobDeleted, ref(4) }),
			timeline: []string{
				"0 CREATED 0 : Made by the job's cron expression, scheduled for 2031-05-06 07:08:00 UTC.",
				"4 FINISHED 0 : Cancelled: its job was deleted.",
			},
		},
		"a repetition": {
			task:     row(models.TaskWaiting, func(t *models.Task) { t.Trigger, t.RootID = models.TriggerManual, new("R") }),
			audits:   []models.Audit{audited(0, actionRerun, "")},
			timeline: []string{"0 CREATED 0 ada: Asked for as a repetition of task R, scheduled for 2031-05-06 07:08:00 UTC."},
			attempts: []string{"1 PENDING"},
		},
	}
}

func TestTimeline(t *testing.T) {
	t.Parallel()
	for name, h := range histories() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, e := range timeline(&h.task, h.ended, h.refusals, h.audits) {
				got = append(got, fmt.Sprintf("%d %s %d %s: %s", e.At.Sub(base)/time.Second, e.Kind, e.Attempt, e.Actor, e.Message))
			}
			if diff := cmp.Diff(h.timeline, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAttempts(t *testing.T) {
	t.Parallel()
	for name, h := range histories() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, a := range attemptsOf(&h.task, h.ended) {
				got = append(got, fmt.Sprintf("%d %s", a.Number, a.State))
				if a.TaskID != "T" || (a.NodeID == nil) != (a.State == AttemptPending) {
					t.Errorf("attempt %d: %+v", a.Number, a)
				}
			}
			if diff := cmp.Diff(h.attempts, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAttemptInstants(t *testing.T) {
	t.Parallel()
	retrying := histories()["waits for its next attempt"]
	all := attemptsOf(&retrying.task, retrying.ended)
	if got := all[1].AvailableAt; !got.Equal(at(13)) {
		t.Errorf("the attempt to come is due at %v", got)
	}
	running := histories()["dispatched"]
	all = attemptsOf(&running.task, nil)
	if all[0].FinishedAt != nil || !all[0].DispatchedAt.Equal(at(1)) {
		t.Errorf("the running attempt: %+v", all[0])
	}
}

func TestBrief(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("长", 400)
	for text, want := range map[string]string{
		"one": "one", " a \n b": "a …", long: strings.Repeat("长", 300) + "…", "": "",
	} {
		if got := brief(text); got != want {
			t.Errorf("brief(%q) = %q, want %q", text, got, want)
		}
	}
}
