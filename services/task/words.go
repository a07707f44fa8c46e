package task

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/models"
)

// cancelEntry tells who asked to cancel a running task.
func cancelEntry(t *models.Task) Entry {
	message := "Its cancellation was asked for"
	if t.CancelReason != "" {
		message += ": " + brief(t.CancelReason)
	}
	return Entry{
		At: *t.CancelRequestedAt, Kind: KindCancelRequested, Attempt: t.Attempt, NodeID: t.NodeID, NodeName: t.NodeName,
		Message: stopped(message), Actor: t.CancelActor,
	}
}

// finished tells how the task came into its final state or the failed queue.
func finished(t *models.Task, ended []models.Attempt, audits []models.Audit) (Entry, bool) {
	if t.FinishedAt == nil || t.State.Live() {
		return Entry{}, false
	}
	e := Entry{At: *t.FinishedAt, Kind: KindFinished}
	switch {
	case leftFailedQueue(t):
		e.At = *t.CancelRequestedAt
	case t.Outcome != models.OutcomeNone && !holds(ended, t.Attempt):
		e.Attempt, e.NodeID, e.NodeName = t.Attempt, t.NodeID, t.NodeName
	}
	switch t.State {
	case models.TaskSucceeded:
		e.Message = fmt.Sprintf("Succeeded with attempt %d.", t.Attempt)
	case models.TaskFailed:
		if t.Reason == models.ReasonNodeAway {
			e.Message = parked(t.Reason)
			break
		}
		e.Message = strings.TrimSpace(ending(t.Attempt, t.Outcome, t.NodeName, t.Error) + " " + parked(t.Reason))
	case models.TaskCancelled:
		e.Message, e.Actor = cancelled(t), t.CancelActor
	case models.TaskSkipped:
		e.Message = skipped(t.Reason)
	case models.TaskDiscarded:
		e.Message, e.Actor = discarded(t, audits)
	case models.TaskWaiting, models.TaskRunning, models.TaskRetrying:
	}
	return e, true
}

func cancelled(t *models.Task) string {
	switch t.Reason {
	case models.ReasonReplaced:
		return "Cancelled: a newer task of the job replaced it."
	case models.ReasonJobDeleted:
		return "Cancelled: its job was deleted."
	}
	if t.CancelReason != "" {
		return stopped("Cancelled: " + brief(t.CancelReason))
	}
	return "Cancelled."
}

func skipped(reason string) string {
	switch reason {
	case models.ReasonOverlap:
		return "Not run: an earlier task of the job still ran."
	case models.ReasonCoalesced:
		return "Not run: a newer task of the job took its place in the queue."
	case "":
		return "Not run."
	}
	return "Not run (" + reason + ")."
}

// discarded tells who took the task out and why: from its row, or for one that was
// discarded in bulk from the audit log.
func discarded(t *models.Task, audits []models.Audit) (message, actor string) {
	message, actor = "Taken out of the failed queue", t.CancelActor
	why := t.CancelReason
	for i := range audits {
		if a := &audits[i]; a.Action == actionDiscard && actor == "" {
			actor, why = a.Actor, reasonOf(a)
		}
	}
	if why != "" {
		message += ": " + brief(why)
	}
	return stopped(message), actor
}

// ending says how an attempt ended.
func ending(number int, o models.Outcome, node, text string) string {
	on := ""
	if node != "" {
		on = " on node " + node
	}
	message := ""
	switch o {
	case models.OutcomeSucceeded:
		message = fmt.Sprintf("Attempt %d succeeded%s", number, on)
	case models.OutcomeFailed:
		message = fmt.Sprintf("Attempt %d failed%s", number, on)
	case models.OutcomeTimedOut:
		message = fmt.Sprintf("Attempt %d was ended by its time limit%s", number, on)
	case models.OutcomeLost:
		message = fmt.Sprintf("Attempt %d was lost with node %s", number, node)
	case models.OutcomeCancelled:
		message = fmt.Sprintf("Attempt %d was cancelled%s", number, on)
	case models.OutcomeReleased:
		message = fmt.Sprintf("Attempt %d was handed back unfinished by node %s", number, node)
	case models.OutcomeNone:
		message = fmt.Sprintf("Attempt %d ended%s", number, on)
	}
	if text != "" {
		message += ": " + brief(text)
	}
	return stopped(message)
}

// parked says why a task came into the failed queue; empty for other reasons.
func parked(reason string) string {
	switch reason {
	case models.ReasonRetriesExhausted:
		return "All tries are used up: it waits in the failed queue."
	case models.ReasonNoRetry:
		return "The handler wants no retry: it waits in the failed queue."
	case models.ReasonAtMostOnce:
		return "The job must not run twice: it waits in the failed queue."
	case models.ReasonNodeAway:
		return "Not run: the node that it is pinned to was not online, and its rule says not to wait longer: it waits in the failed queue."
	case models.ReasonChildrenFailed:
		return "A retry runs only the parts that failed: it waits in the failed queue."
	case models.ReasonPoison:
		return "The worker process died under it again and again: it waits in the failed queue."
	}
	return ""
}

// because says why another attempt follows, where the attempt's end does not.
func because(reason string) string {
	switch reason {
	case models.ReasonSnoozed:
		return ", as the handler asked"
	case models.ReasonRefused:
		return ", since the node could not take it"
	}
	return ""
}

func instant(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.999 UTC") }

// brief is the first line of a text, cut to what a timeline can show.
func brief(text string) string {
	const most = 300
	line, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.TrimSpace(line)
	if utf8.RuneCountInString(line) > most {
		return string([]rune(line)[:most]) + "…"
	}
	if more {
		return line + " …"
	}
	return line
}

// stopped ends a sentence with a full stop unless it has an end already.
func stopped(s string) string {
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "…") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}
