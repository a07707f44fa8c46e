package models

import (
	"encoding/json"
	"time"
)

// Task is one firing of a job, with its current attempt in the same row.
// Table tasks.
type Task struct {
	ID      string // ULID; its time part is ScheduledAt
	JobID   string
	AppID   string
	GroupID string

	State    TaskState
	Trigger  TriggerKind `gorm:"column:trigger_kind"`
	Priority Priority
	Reason   string // one of the Reason codes, or empty

	ScheduledAt time.Time // the nominal instant
	AvailableAt time.Time // may be dispatched from then on
	CreatedAt   time.Time `gorm:"autoCreateTime:false"`

	// The current attempt, the latest one.
	Attempt      int // its number, 0 before the first; doubles as the fencing token
	Uncounted    int // attempts that used up no try (released, refused, snoozed)
	HandedBack   int // of them, those refused or released since an attempt ended otherwise
	MaxAttempts  int // tries in all
	LostCount    int // attempts whose process died under them
	NodeID       *string
	NodeName     string
	Incarnation  string
	DispatchedAt *time.Time
	StartedAt    *time.Time
	FinishedAt   *time.Time
	DeadlineAt   *time.Time
	Outcome      Outcome
	Error        string
	Result       json.RawMessage

	TimeoutMS  int64 // time limit of one attempt
	Parameters json.RawMessage
	Checkpoint json.RawMessage

	Progress        *float64
	ProgressMessage string

	UniqueKey *string
	RootID    *string // the task that began the chain; nil for a first one
	ParentID  *string // the task that it is a part of; see family.go
	Shard     *int    // of a child: its number, from 0
	Shards    *int    // of a parent and its children: how many children there are
	PinnedTo  *string // name of the only node that may run it

	BackfillID *string // the backfill that made it

	Downstream DownstreamRule // inherited by the tasks that follow from it

	CancelRequestedAt *time.Time
	CancelReason      string
	CancelActor       string
}

// Tries is how many attempts have counted against MaxAttempts so far.
func (t *Task) Tries() int { return t.Attempt - t.Uncounted }

// Running is a running attempt as its partition's owner knows it; it is not stored.
type Running struct {
	Task        Task // without parameters, result and checkpoint
	Partition   int
	CancelledAt time.Time // when its cancellation was last sent
	NodeGone    bool      // its node is offline, removed, or a new process by now
}

// Attempt is an ended attempt of a task that went on after it. Table attempts,
// key (TaskID, Number).
type Attempt struct {
	TaskID       string `gorm:"primaryKey"`
	Number       int    `gorm:"primaryKey;autoIncrement:false"`
	NodeID       *string
	NodeName     string
	Incarnation  string
	Outcome      Outcome
	Reason       string
	AvailableAt  time.Time
	DispatchedAt *time.Time
	StartedAt    *time.Time
	FinishedAt   *time.Time
	Error        string
	Result       json.RawMessage
}

// TaskKey holds a unique key while its task is unfinished. Table task_keys, key
// (JobID, UniqueKey).
type TaskKey struct {
	JobID     string `gorm:"primaryKey"`
	UniqueKey string `gorm:"primaryKey"`
	TaskID    string
}

// TaskMove remembers that a request moved a task, for repeats of the request.
// Table task_moves; kept for a day or two.
type TaskMove struct {
	ID      string // MoveID
	TaskID  string
	MovedAt time.Time
}

// Refusal records a late report of an older attempt, for the timeline. Table
// refusals; at most 100 a task are kept.
type Refusal struct {
	ID       string
	TaskID   string
	Attempt  int
	NodeName string
	At       time.Time
	Message  string
}
