package task

import (
	"fmt"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// Kind is the kind of a timeline entry, as the API names it.
type Kind string

// Kinds of timeline entries.
const (
	KindCreated         Kind = "CREATED"
	KindDispatched      Kind = "DISPATCHED"
	KindStarted         Kind = "STARTED"
	KindAttemptEnded    Kind = "ATTEMPT_ENDED"
	KindRetryScheduled  Kind = "RETRY_SCHEDULED"
	KindCancelRequested Kind = "CANCEL_REQUESTED"
	KindStaleRefused    Kind = "STALE_REFUSED"
	KindRetried         Kind = "RETRIED"
	KindRescheduled     Kind = "RESCHEDULED"
	KindFinished        Kind = "FINISHED"
)

// Entry is one event of a task.
type Entry struct {
	At       time.Time
	Kind     Kind
	Attempt  int     // 0 when none is meant
	NodeID   *string // nil when none is meant
	NodeName string
	Message  string // in words, in English
	Actor    string // empty when nobody did it
}

// timeline tells everything that happened to t, in order. It is computed from the
// rows that decide what happens, so it can never differ from them. audits are
// those of the task, oldest first.
func timeline(t *models.Task, ended []models.Attempt, refusals []models.Refusal, audits []models.Audit) []Entry {
	list := []Entry{createdEntry(t, audits)}
	for i := range ended {
		list = append(list, endedEntries(&ended[i])...)
		if next, ok := nextDue(t, ended, i); ok {
			list = append(list, next)
		}
	}
	if t.Attempt > 0 && !holds(ended, t.Attempt) {
		list = append(list, currentEntries(t)...)
	}
	for i := range refusals {
		r := &refusals[i]
		list = append(list, Entry{At: r.At, Kind: KindStaleRefused, Attempt: r.Attempt, NodeName: r.NodeName, Message: r.Message})
	}
	for i := range audits {
		switch a := &audits[i]; a.Action {
		case actionRetry:
			list = append(list, Entry{At: a.At, Kind: KindRetried, Message: "Run again by " + a.Actor + ".", Actor: a.Actor})
		case actionReschedule:
			if to, ok := instantOf(a); ok {
				list = append(list, Entry{At: a.At, Kind: KindRescheduled, Message: "Rescheduled for " + instant(to) + ".", Actor: a.Actor})
			}
		}
	}
	if askedToCancel(t) {
		list = append(list, cancelEntry(t))
	}
	if e, ok := finished(t, ended, audits); ok {
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b Entry) int {
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		return order(a) - order(b)
	})
	return list
}

// order decides between entries of the same instant.
func order(e Entry) int {
	const perAttempt = 10
	rank := map[Kind]int{
		KindDispatched: 1, KindStarted: 2, KindCancelRequested: 3, KindAttemptEnded: 4, KindRetryScheduled: 5, KindRetried: 6, KindStaleRefused: 7, KindRescheduled: 8,
	}
	switch e.Kind {
	case KindCreated:
		return -1
	case KindFinished:
		return 1 << 40
	case KindDispatched, KindStarted, KindAttemptEnded, KindRetryScheduled, KindCancelRequested, KindStaleRefused, KindRetried, KindRescheduled:
	}
	return e.Attempt*perAttempt + rank[e.Kind]
}

func createdEntry(t *models.Task, audits []models.Audit) Entry {
	e := Entry{At: t.CreatedAt, Kind: KindCreated}
	for i := range audits {
		if a := audits[i].Action; a == actionRun || a == actionRerun {
			e.Actor = audits[i].Actor
		}
	}
	e.Message = fmt.Sprintf("%s, scheduled for %s.", madeBy(t), instant(t.ScheduledAt))
	return e
}

func madeBy(t *models.Task) string {
	if t.Child() {
		return "Made as a part of task " + *t.ParentID
	}
	switch t.Trigger {
	case models.TriggerCron:
		return "Made by the job's cron expression"
	case models.TriggerFixedRate:
		return "Made by the job's fixed rate"
	case models.TriggerFixedDelay:
		return "Made by the job's fixed delay"
	case models.TriggerDelay:
		return "Asked for ahead of time"
	case models.TriggerManual:
		if t.RootID != nil {
			return "Asked for as a repetition of task " + *t.RootID
		}
		return "Asked for by hand"
	case models.TriggerAPI:
		return "Asked for by a program"
	case models.TriggerDependency:
		return "Made when the upstream jobs had ended"
	case models.TriggerBackfill:
		return "Made up for a past fire"
	}
	return "Made"
}

// endedEntries tells of an attempt after which the task went on.
func endedEntries(a *models.Attempt) []Entry {
	list := begunEntries(a.Number, a.NodeID, a.NodeName, a.DispatchedAt, a.StartedAt)
	if a.FinishedAt == nil {
		return list
	}
	message := ending(a.Number, a.Outcome, a.NodeName, a.Error)
	if why := parked(a.Reason); why != "" {
		message += " " + why
	}
	return append(list, Entry{
		At: *a.FinishedAt, Kind: KindAttemptEnded, Attempt: a.Number, NodeID: a.NodeID, NodeName: a.NodeName, Message: message,
	})
}

// begunEntries tells that an attempt was given to a node and that it started.
func begunEntries(number int, nodeID *string, nodeName string, dispatchedAt, startedAt *time.Time) []Entry {
	var list []Entry
	if nodeName == "" && dispatchedAt != nil { // of a parent
		return []Entry{{At: *dispatchedAt, Kind: KindDispatched, Attempt: number, Message: fmt.Sprintf("Attempt %d was spread over the task's parts.", number)}}
	}
	if dispatchedAt != nil {
		list = append(list, Entry{
			At: *dispatchedAt, Kind: KindDispatched, Attempt: number, NodeID: nodeID, NodeName: nodeName,
			Message: fmt.Sprintf("Attempt %d was given to node %s.", number, nodeName),
		})
	}
	if startedAt != nil {
		list = append(list, Entry{
			At: *startedAt, Kind: KindStarted, Attempt: number, NodeID: nodeID, NodeName: nodeName,
			Message: fmt.Sprintf("Attempt %d started on node %s.", number, nodeName),
		})
	}
	return list
}

// currentEntries tells of the attempt in the task's own row. Its end is told by
// the task's, unless people decided later what becomes of the task.
func currentEntries(t *models.Task) []Entry {
	list := begunEntries(t.Attempt, t.NodeID, t.NodeName, t.DispatchedAt, t.StartedAt)
	if leftFailedQueue(t) {
		list = append(list, Entry{
			At: *t.FinishedAt, Kind: KindAttemptEnded, Attempt: t.Attempt, NodeID: t.NodeID, NodeName: t.NodeName,
			Message: ending(t.Attempt, t.Outcome, t.NodeName, t.Error) + " It waited in the failed queue.",
		})
	}
	return list
}

// leftFailedQueue says whether a person took the task out of the failed queue for
// good. The end of its attempt stays in the row then, and the person's decision
// stands beside it.
func leftFailedQueue(t *models.Task) bool {
	if t.FinishedAt == nil || t.CancelRequestedAt == nil || t.Outcome == models.OutcomeNone {
		return false
	}
	return t.State == models.TaskDiscarded || t.State == models.TaskCancelled && t.CancelRequestedAt.After(*t.FinishedAt)
}

// askedToCancel says whether the wish to cancel is an event of its own: not when
// it was fulfilled at once.
func askedToCancel(t *models.Task) bool {
	if t.CancelRequestedAt == nil || t.State == models.TaskDiscarded {
		return false
	}
	return t.State != models.TaskCancelled || t.FinishedAt != nil && t.CancelRequestedAt.Before(*t.FinishedAt)
}

// nextDue tells when the attempt after the i-th ended one is or was due.
func nextDue(t *models.Task, ended []models.Attempt, i int) (Entry, bool) {
	a := &ended[i]
	if a.FinishedAt == nil || parked(a.Reason) != "" {
		return Entry{}, false
	}
	due := t.AvailableAt
	if i+1 < len(ended) {
		due = ended[i+1].AvailableAt
	}
	return Entry{
		At: *a.FinishedAt, Kind: KindRetryScheduled, Attempt: a.Number + 1,
		Message: fmt.Sprintf("Attempt %d is due at %s%s.", a.Number+1, instant(due), because(a.Reason)),
	}, true
}
