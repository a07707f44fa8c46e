package models

import (
	"encoding/json"
	"time"
)

// AlertEventKind says what went wrong.
type AlertEventKind uint8

// Alert event kinds. The numbers stand in the ledger: never renumber.
const (
	AlertAttemptFailed    AlertEventKind = iota + 1 // an attempt ended with an error of its handler
	AlertRetriesExhausted                           // a task came into the failed queue: no try is left, or none is allowed
	AlertRecovered                                  // a task succeeded of a job that had failed or missed fires before
	AlertTimedOut                                   // an attempt's time limit passed
	AlertLost                                       // an attempt's node was lost
	AlertPoison                                     // a task came into the failed queue: its process died under it too often
	AlertParked                                     // a task came into the failed queue without an attempt
	AlertFireMissed                                 // fires became no tasks
	AlertFireLate                                   // tasks are due and have not started
	AlertScheduleStopped                            // a job that should fire does not
	AlertRunTooLong                                 // an attempt runs longer than a bound or than its job usually does
	AlertNotFinishedBy                              // a scheduled run has not succeeded by a local time of day
	AlertNodeOffline                                // a node was lost
	AlertGroupEmpty                                 // a group's last node is gone
	AlertQueueBacklog                               // a group's line is too long or too old
	AlertServerLost                                 // a server is not heard of
	AlertRedisDegraded                              // a server does without Redis
	AlertDatabaseDegraded                           // a server has trouble with the database
)

var alertEventNames = []string{
	"", "ATTEMPT_FAILED", "RETRIES_EXHAUSTED", "RECOVERED", "TIMED_OUT", "LOST", "POISON", "PARKED", "FIRE_MISSED", "FIRE_LATE",
	"SCHEDULE_STOPPED", "RUN_TOO_LONG", "NOT_FINISHED_BY", "NODE_OFFLINE", "GROUP_EMPTY", "QUEUE_BACKLOG", "SERVER_LOST",
	"REDIS_DEGRADED", "DATABASE_DEGRADED",
}

// AlertEventKinds lists all kinds in the order of their numbers.
var AlertEventKinds = func() (all []AlertEventKind) {
	for k := AlertAttemptFailed; k <= AlertDatabaseDegraded; k++ {
		all = append(all, k)
	}
	return all
}()

func (k AlertEventKind) String() string { return name(alertEventNames, uint8(k)) }

// ParseAlertEventKind reads a kind's name as the API writes it.
func ParseAlertEventKind(s string) (AlertEventKind, bool) {
	return parse[AlertEventKind](alertEventNames, s)
}

// EndsWithRecovery says whether what the kind tells of is over with the next RECOVERED
// event of the same subject. The others, but for RECOVERED itself, have a cleared event
// of their own kind.
func (k AlertEventKind) EndsWithRecovery() bool {
	switch k {
	case AlertAttemptFailed, AlertRetriesExhausted, AlertTimedOut, AlertLost, AlertPoison, AlertParked, AlertFireMissed:
		return true
	default:
		return false
	}
}

// AlertEvent is something that alerts may tell of, written in the transaction that
// caused it or by the watcher. Table alert_events; kept for AlertEventsKept.
type AlertEvent struct {
	ID      string // ULID; they grow in the order of writing
	Kind    AlertEventKind
	Cleared bool // what the kind tells of is over
	At      time.Time

	AppID    *string
	GroupID  *string
	JobID    *string
	TaskID   *string
	NodeID   *string
	ServerID *string
	Attempt  int

	// Subject is the stable key of what is wrong: JobSubject and the others.
	Subject string
	Error   string  // at most 1,000 characters
	Detail  string  // an AlertDetail as JSON
	RuleID  *string // the condition belongs to this rule alone; nil: to every one that wants the kind
}

// AlertEventsKept is how long events are kept.
const AlertEventsKept = 14 * 24 * time.Hour

// Subjects of events that concern no job, node, group or server.
const (
	SubjectRedis    = "redis"
	SubjectDatabase = "database"
)

// JobSubject is the subject of events about a job and its runs.
func JobSubject(id string) string { return "job:" + id }

// NodeSubject is the subject of events about a node.
func NodeSubject(id string) string { return "node:" + id }

// GroupSubject is the subject of events about a node group and its line.
func GroupSubject(id string) string { return "group:" + id }

// ServerSubject is the subject of events about a server.
func ServerSubject(id string) string { return "server:" + id }

// AlertDetail is what a message says beyond the event's own columns. Fields that do
// not concern the kind are absent.
type AlertDetail struct {
	Reason      string     `json:"reason,omitempty"`      // a reason code, or why a schedule is invalid
	Node        string     `json:"node,omitempty"`        // name of the node
	Server      string     `json:"server,omitempty"`      // name of the server
	Tries       int        `json:"tries,omitempty"`       // tries used up, the one that ended included
	MaxAttempts int        `json:"maxAttempts,omitempty"` // tries in all
	RetryAt     *time.Time `json:"retryAt,omitempty"`     // when the next try may begin
	TakenOver   bool       `json:"takenOver,omitempty"`   // another node goes on with the task
	ScheduledAt *time.Time `json:"scheduledAt,omitempty"` // the nominal instant of the task or fire
	Since       *time.Time `json:"since,omitempty"`       // since when it is so; cleared or recovered: when it began
	Until       *time.Time `json:"until,omitempty"`       // FIRE_MISSED: the last of the fires; NOT_FINISHED_BY: the instant that passed
	LateMS      int64      `json:"lateMs,omitempty"`      // FIRE_LATE, SCHEDULE_STOPPED: how late; QUEUE_BACKLOG: age of the oldest
	RunningMS   int64      `json:"runningMs,omitempty"`   // RUN_TOO_LONG: how long it has been running
	BoundMS     int64      `json:"boundMs,omitempty"`     // the bound that was passed
	P95MS       int64      `json:"p95Ms,omitempty"`       // RUN_TOO_LONG by its own history: what 95 of 100 runs take at most
	Count       int64      `json:"count,omitempty"`       // FIRE_MISSED: fires; FIRE_LATE: late tasks; QUEUE_BACKLOG: due tasks
	AtLeast     bool       `json:"atLeast,omitempty"`     // Count is a lower bound
	Depth       int64      `json:"depth,omitempty"`       // QUEUE_BACKLOG: the bound of Count
	Sentences   []string   `json:"sentences,omitempty"`   // what a server says of itself
}

// Text is the detail as a row holds it.
func (d *AlertDetail) Text() string {
	raw, _ := json.Marshal(d) // texts, numbers and instants always marshal
	return string(raw)
}

// Details reads the event's detail; what cannot be read is empty.
func (e *AlertEvent) Details() AlertDetail {
	var d AlertDetail
	if json.Unmarshal([]byte(e.Detail), &d) != nil {
		return AlertDetail{}
	}
	return d
}

// FailingJob is a job that has failed or missed fires since its last success. Table
// alert_failing, key JobID.
type FailingJob struct {
	JobID string `gorm:"primaryKey"`
	Since time.Time
}

// AlertWatch is a condition that was told as an event and is not over. Table
// alert_watch, key (Kind, Subject, RuleID): whoever takes over tells nothing twice and
// clears what is over.
type AlertWatch struct {
	Kind    AlertEventKind `gorm:"primaryKey;autoIncrement:false"`
	Subject string         `gorm:"primaryKey"`
	RuleID  string         `gorm:"primaryKey"` // empty: of no rule
	Since   time.Time
	Detail  string // of the event, as JSON
}

// TableName is the table's name.
func (AlertWatch) TableName() string { return "alert_watch" }

// TableName is the table's name.
func (FailingJob) TableName() string { return "alert_failing" }
