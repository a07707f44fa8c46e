package wire

import (
	"encoding/json"
	"time"
)

// Enqueue creates tasks, all or none of one request's valid items.
type Enqueue struct {
	Tasks []NewTask `json:"tasks"`
}

// NewTask asks for one run of a job of the key's app.
type NewTask struct {
	RequestID  string          `json:"requestId,omitempty"` // a ULID made by the client: repeats of it create nothing
	Job        string          `json:"job"`                 // name or id
	Parameters json.RawMessage `json:"parameters,omitempty"`
	DelayMS    int64           `json:"delayMs,omitempty"`
	RunAt      *time.Time      `json:"runAt,omitempty"` // instead of DelayMS
	UniqueKey  string          `json:"uniqueKey,omitempty"`
	OnKeyHeld  string          `json:"onKeyHeld,omitempty"` // one of the Key… rules; empty = KEEP
	Priority   string          `json:"priority,omitempty"`  // LOW, NORMAL, HIGH, CRITICAL; empty = the job's
}

// Rules of NewTask.OnKeyHeld: what becomes of the unfinished task that holds the
// unique key. One that runs, or waits in the failed queue, is left alone by all of
// them: RESCHEDULE and REPLACE answer CONFLICT then.
const (
	KeyKeep       = "KEEP"       // it stays and is the answer
	KeyReschedule = "RESCHEDULE" // it stays, with its parameters, and gets the new instant
	KeyReplace    = "REPLACE"    // it is cancelled, and the new task is made
)

// Enqueued answers Enqueue, one entry a task, in order.
type Enqueued struct {
	Tasks []EnqueuedTask `json:"tasks"`
}

// EnqueuedTask is the created task, or the one that already holds the unique
// key or request id (Existing), or an error.
type EnqueuedTask struct {
	ID       string `json:"id,omitempty"`
	Existing bool   `json:"existing,omitempty"`
	Moved    bool   `json:"moved,omitempty"`    // the existing one was given the new instant
	Replaced string `json:"replaced,omitempty"` // the task that was cancelled for this one
	Error    *Error `json:"error,omitempty"`
}

// CancelRequest cancels by Task, or by Job and UniqueKey.
type CancelRequest struct {
	Task      string `json:"task,omitempty"`
	Job       string `json:"job,omitempty"`
	UniqueKey string `json:"uniqueKey,omitempty"`
	Reason    string `json:"reason,omitempty"`
}

// MoveRequest gives a task that waits, by Task or by Job and UniqueKey, another
// instant: after DelayMS or at RunAt. It is answered by TaskStatus.
type MoveRequest struct {
	Task      string     `json:"task,omitempty"`
	Job       string     `json:"job,omitempty"`
	UniqueKey string     `json:"uniqueKey,omitempty"`
	DelayMS   int64      `json:"delayMs,omitempty"`
	RunAt     *time.Time `json:"runAt,omitempty"` // instead of DelayMS
}

// TaskStatus answers GET PathTask+id, CancelRequest and MoveRequest. With ?wait=MS the server
// answers as soon as the task is final, or after that time at the latest.
type TaskStatus struct {
	ID         string          `json:"id"`
	Job        string          `json:"job"`
	State      string          `json:"state"` // as GraphQL's TaskState
	Final      bool            `json:"final"` // FAILED counts as final here: it waits for a person
	Attempt    int             `json:"attempt"`
	Result     json.RawMessage `json:"result,omitempty"`
	Error      string          `json:"error,omitempty"`
	FinishedAt *time.Time      `json:"finishedAt,omitempty"`
}

// Codes of Error.
const (
	CodeUnauthenticated = "UNAUTHENTICATED" // 401: the key is missing, wrong or revoked
	CodeNotRegistered   = "NOT_REGISTERED"  // 409: register first
	CodeNameInUse       = "NAME_IN_USE"     // 409: a live process has this node name
	CodeReplaced        = "REPLACED"        // 410: a newer incarnation of this node has registered; this process stops
	CodeNotFound        = "NOT_FOUND"       // 404
	CodeConflict        = "CONFLICT"        // 409: the task's state does not allow it
	CodeInvalid         = "INVALID"         // 400: Field and Message say what and how to mend it
	CodeTooLarge        = "TOO_LARGE"       // 413
	CodeVersion         = "VERSION"         // 426: this protocol version is not served
	CodeUnavailable     = "UNAVAILABLE"     // 503: try again, at another server first
)

// Error is the body of every answer with a status of 400 or more.
type Error struct {
	Code    string `json:"code"`
	Field   string `json:"field,omitempty"`
	Message string `json:"message"`
}

// ErrorBody wraps Error on the wire.
type ErrorBody struct {
	Error Error `json:"error"`
}
