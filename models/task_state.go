package models

import "slices"

// TaskState is the state of a task. WAITING, RUNNING and RETRYING are live;
// FAILED waits for a person; the others are final and kept for ever.
type TaskState uint8

// Task states. The numbers stand in the ledger: never renumber.
const (
	TaskWaiting TaskState = iota + 1
	TaskRunning
	TaskRetrying
	TaskSucceeded
	TaskFailed
	TaskCancelled
	TaskSkipped
	TaskDiscarded
)

var taskStateNames = []string{"", "WAITING", "RUNNING", "RETRYING", "SUCCEEDED", "FAILED", "CANCELLED", "SKIPPED", "DISCARDED"}

// TaskStates lists all states in the order of their numbers.
var TaskStates = [...]TaskState{
	TaskWaiting, TaskRunning, TaskRetrying, TaskSucceeded, TaskFailed, TaskCancelled, TaskSkipped, TaskDiscarded,
}

func (s TaskState) String() string { return name(taskStateNames, uint8(s)) }

// ParseTaskState reads a task state's name as the API writes it.
func ParseTaskState(s string) (TaskState, bool) { return parse[TaskState](taskStateNames, s) }

// Queued says whether the task waits to be dispatched.
func (s TaskState) Queued() bool { return s == TaskWaiting || s == TaskRetrying }

// Live says whether the system will still do something with the task by itself.
func (s TaskState) Live() bool { return s.Queued() || s == TaskRunning }

// Final says whether the state can never change again.
func (s TaskState) Final() bool { return s >= TaskSucceeded && s != TaskFailed }

// Event is something that moves a task from one state to another.
type Event uint8

// Events.
const (
	EventDispatch Event = iota + 1 // an attempt is given to a node, or spread over children
	EventSucceed                   // the attempt ended well
	EventRetry                     // the attempt ended and another will follow
	EventFail                      // the attempt ended and a person must decide
	EventCancel                    // cancelled by a person, the API or a policy
	EventSkip                      // will not run, with a reason
	EventDiscard                   // a person takes it out of the failed queue
	EventRequeue                   // a person has the failed task tried again
	EventPark                      // it cannot run and a person must decide; no attempt was made
)

var eventNames = []string{"", "DISPATCH", "SUCCEED", "RETRY", "FAIL", "CANCEL", "SKIP", "DISCARD", "REQUEUE", "PARK"}

func (e Event) String() string { return name(eventNames, uint8(e)) }

// Transition is one legal move of a task.
type Transition struct {
	Event Event
	From  []TaskState
	To    TaskState
}

// Transitions is the whole life of a task. Every write that changes a state is
// guarded by From in the database; what is not listed here cannot happen.
var Transitions = []Transition{
	{EventDispatch, []TaskState{TaskWaiting, TaskRetrying}, TaskRunning},
	{EventSucceed, []TaskState{TaskRunning}, TaskSucceeded},
	{EventRetry, []TaskState{TaskRunning}, TaskRetrying},
	{EventFail, []TaskState{TaskRunning}, TaskFailed},
	{EventCancel, []TaskState{TaskWaiting, TaskRunning, TaskRetrying, TaskFailed}, TaskCancelled},
	{EventSkip, []TaskState{TaskWaiting}, TaskSkipped},
	{EventDiscard, []TaskState{TaskFailed}, TaskDiscarded},
	{EventRequeue, []TaskState{TaskFailed}, TaskRetrying},
	{EventPark, []TaskState{TaskWaiting, TaskRetrying}, TaskFailed},
}

// Next answers the state that event e leads to from state s, and whether the
// move is legal.
func Next(s TaskState, e Event) (TaskState, bool) {
	for _, t := range Transitions {
		if t.Event == e && slices.Contains(t.From, s) {
			return t.To, true
		}
	}
	return s, false
}

// From lists the states from which event e is legal.
func From(e Event) []TaskState {
	for _, t := range Transitions {
		if t.Event == e {
			return t.From
		}
	}
	return nil
}

// Outcome says how an attempt ended.
type Outcome uint8

// Outcomes. The numbers stand in the ledger: never renumber.
const (
	OutcomeNone      Outcome = iota // it has not ended
	OutcomeSucceeded                // the handler returned
	OutcomeFailed                   // the handler returned an error or panicked
	OutcomeTimedOut                 // its time limit passed
	OutcomeLost                     // its node was lost
	OutcomeCancelled                // cancelled while it ran
	OutcomeReleased                 // handed back unfinished: worker shut down, refused it, or snoozed
)

var outcomeNames = []string{"NONE", "SUCCEEDED", "FAILED", "TIMED_OUT", "LOST", "CANCELLED", "RELEASED"}

func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return name(nil, uint8(o))
}

// Reason codes: why a task is in its state when the state alone does not say it.
const (
	ReasonOverlap           = "OVERLAP"            // SKIPPED: an earlier task of the job still ran
	ReasonCoalesced         = "COALESCED"          // SKIPPED: a newer task took its place in the queue
	ReasonReplaced          = "REPLACED"           // CANCELLED: a newer task replaced it
	ReasonRetriesExhausted  = "RETRIES_EXHAUSTED"  // FAILED
	ReasonNoRetry           = "NO_RETRY"           // FAILED: the handler said so
	ReasonAtMostOnce        = "AT_MOST_ONCE"       // FAILED: lost, and the job must not run twice
	ReasonPoison            = "POISON"             // FAILED: its process died under it three times
	ReasonNodeAway          = "NODE_AWAY"          // FAILED: its pinned node was not online, and it does not wait
	ReasonChildrenFailed    = "CHILDREN_FAILED"    // FAILED: some of the tasks that it was spread over failed
	ReasonRequested         = "REQUESTED"          // CANCELLED, DISCARDED: a person or program asked
	ReasonJobDeleted        = "JOB_DELETED"        // CANCELLED
	ReasonBackfillCancelled = "BACKFILL_CANCELLED" // CANCELLED: the backfill that made it was
	ReasonLost              = "LOST"               // RETRYING: its node was lost
	ReasonTimedOut          = "TIMED_OUT"          // RETRYING: its time limit passed
	ReasonReleased          = "RELEASED"           // RETRYING: the worker handed it back
	ReasonSnoozed           = "SNOOZED"            // RETRYING: the handler asked for a later time
	ReasonRefused           = "REFUSED"            // RETRYING: the worker had no slot or no such handler
)

// Reason codes of fires that never became a task.
const (
	ReasonMisfireSkipped   = "MISFIRE_SKIPPED"
	ReasonMisfireCoalesced = "MISFIRE_COALESCED"
	ReasonMisfireLimit     = "MISFIRE_LIMIT"
	ReasonPaused           = "PAUSED"            // the job was paused
	ReasonInvalidTrigger   = "INVALID_TRIGGER"   // its trigger could not work
	ReasonCalendarRestDay  = "CALENDAR_REST_DAY" // the job's calendar has a rest day
	ReasonCalendarQuiet    = "CALENDAR_QUIET"    // … a quiet window
	ReasonNoWorker         = "NO_WORKER"         // no node that could run it was there, and enough fires waited already
)
