// Package wire holds the frames of the worker protocol, version 1: plain JSON
// over HTTP under /worker/v1/, so that a worker can be written in any language.
//
// A worker registers, keeps one stream open on which assignments arrive, reports
// what its attempts do, and beats. The app key is sent as a bearer token with
// every request; a node is identified by app (from the key), node name and
// incarnation, never by its address. Every request may go to any server.
//
// Rules that both sides follow:
//   - times are RFC 3339 in UTC, durations are whole milliseconds;
//   - unknown fields are ignored, so fields may be added within version 1;
//   - every frame may arrive twice or late: (task, attempt) makes them harmless.
package wire

import (
	"encoding/json"
	"time"
)

// Version is the protocol version spoken by this package.
const Version = 1

// Paths of the protocol's endpoints.
const (
	PathRegister  = "/worker/v1/register"
	PathStream    = "/worker/v1/stream"
	PathReport    = "/worker/v1/report"
	PathHeartbeat = "/worker/v1/heartbeat"
	PathLeave     = "/worker/v1/leave"
	PathEnqueue   = "/worker/v1/enqueue"
	PathCancel    = "/worker/v1/cancel"
	PathMove      = "/worker/v1/reschedule"
	PathTask      = "/worker/v1/tasks/" // followed by the task's id; ?wait=MS long-polls
)

// Limits that the server enforces and an SDK keeps to.
const (
	MaxReportItems   = 1000      // items in one report
	MaxEnqueueItems  = 1000      // tasks in one enqueue
	MaxBodyBytes     = 8 << 20   // one request body
	MaxParameters    = 256 << 10 // parameters of one task, bytes of JSON
	MaxResultBytes   = 256 << 10 // result of one attempt, bytes of JSON
	MaxErrorBytes    = 16 << 10  // error text of one attempt, cut on a rune
	MaxLogLineBytes  = 16 << 10  // message of one log line, cut on a rune
	MaxLogChunkLines = 500       // lines in one log item
	MaxCheckpoint    = 64 << 10  // checkpoint of one task, bytes of JSON
	MaxGone          = 16        // incarnations in Register.Gone
	MaxStuckListed   = 16        // stuck attempts in one heartbeat
	MaxStuckStack    = 4 << 10   // stack of one of them, cut on a rune
	MaxUpstreamBytes = 32 << 10  // results of upstream tasks in one assignment, bytes of JSON in all
)

// AttemptRef names one attempt. Attempt doubles as the fencing token: a later
// attempt of the same task always has a higher number.
type AttemptRef struct {
	Task    string `json:"task"`
	Attempt int    `json:"attempt"`
}

// Register announces a worker process. It is sent at start and again whenever a
// server answers a request with code NOT_REGISTERED.
type Register struct {
	Protocol    int               `json:"protocol"`
	App         string            `json:"app"`
	Group       string            `json:"group"`
	Node        string            `json:"node"`
	Incarnation string            `json:"incarnation"` // new at every process start
	Slots       int               `json:"slots"`       // attempts it runs at once, 1..10000
	Handlers    []string          `json:"handlers"`
	Labels      map[string]string `json:"labels,omitempty"`
	SDK         string            `json:"sdk,omitempty"` // name and version
	Host        string            `json:"host,omitempty"`
	PID         int               `json:"pid,omitempty"`
	Running     []AttemptRef      `json:"running,omitempty"` // attempts it holds, for reconciliation after a reconnect
	// HandlerSlots limits handlers below Slots; a handler in none of them has no limit of its own.
	HandlerSlots []HandlerSlots `json:"handlerSlots,omitempty"`
	// Gone are incarnations of this node, at most MaxGone, whose processes are proven to
	// have ended, as by a lock that the operating system gives free with a process: their
	// name is not in use, however lately they were heard.
	Gone []string `json:"gone,omitempty"`
}

// HandlerSlots is how many attempts of some handlers, together, a node runs at once.
type HandlerSlots struct {
	Handlers []string `json:"handlers"`
	Slots    int      `json:"slots"`
}

// Registered answers Register.
type Registered struct {
	Server   string       `json:"server"` // the server's name, for logs
	Settings Settings     `json:"settings"`
	Abandon  []AttemptRef `json:"abandon,omitempty"` // attempts of Running that are no longer this node's: stop them
	Draining bool         `json:"draining,omitempty"`
	// Previous is the process that had the node's name before; the answer to a process
	// that registers again does not have it.
	Previous *Previous `json:"previous,omitempty"`
}

// Previous is a process that had a node's name before.
type Previous struct {
	Incarnation string    `json:"incarnation"`
	LastSeenAt  time.Time `json:"lastSeenAt"`
	Left        bool      `json:"left,omitempty"` // it ended in good order
}

// Settings are the group's parameters that a worker follows.
type Settings struct {
	HeartbeatMS  int64 `json:"heartbeatMs"`  // interval of heartbeats
	OfflineMS    int64 `json:"offlineMs"`    // silence after which its attempts are taken over
	ReportMS     int64 `json:"reportMs"`     // longest time a report is held back to be batched
	LogLimit     int64 `json:"logLimit"`     // bytes of log kept of one attempt
	KeepAliveMS  int64 `json:"keepAliveMs"`  // a stream without any frame for three of these is dead
	ReportLimit  int   `json:"reportLimit"`  // most items in a report
	MaxBodyBytes int64 `json:"maxBodyBytes"` // most bytes in a request
}

// Kinds of Frame.
const (
	FrameAssign   = "assign"
	FrameCancel   = "cancel"
	FrameDrain    = "drain"    // take nothing new; what runs goes on
	FrameResume   = "resume"   // take new work again
	FrameSettings = "settings" // replaces the settings of Registered
	FramePing     = "ping"     // keep-alive
	FrameBye      = "bye"      // this server stops: connect to another at once
)

// Frame is one line of the stream (GET PathStream?group=G&node=N&incarnation=I, newline-delimited JSON).
type Frame struct {
	Kind     string       `json:"kind"`
	Seq      int64        `json:"seq"` // counts the stream's frames from 1; echoed in Heartbeat.LastSeq
	Assign   []Assignment `json:"assign,omitempty"`
	Cancel   []Cancel     `json:"cancel,omitempty"`
	Settings *Settings    `json:"settings,omitempty"`
}

// Assignment hands one attempt to the worker. It may be repeated: an attempt
// that the worker already holds, or whose result it still re-sends, is ignored.
type Assignment struct {
	Task        string          `json:"task"`
	Attempt     int             `json:"attempt"`
	MaxAttempts int             `json:"maxAttempts"`
	JobID       string          `json:"jobId"`
	Job         string          `json:"job"`
	Handler     string          `json:"handler"`
	Trigger     string          `json:"trigger"` // CRON, FIXED_RATE, FIXED_DELAY, DELAY, MANUAL, API, DEPENDENCY, BACKFILL
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	ScheduledAt time.Time       `json:"scheduledAt"`
	TimeoutMS   int64           `json:"timeoutMs,omitempty"` // from the moment of receipt; 0 = none
	Deadline    *time.Time      `json:"deadline,omitempty"`  // the server's, by its clock
	UniqueKey   string          `json:"uniqueKey,omitempty"`
	Root        string          `json:"root,omitempty"` // the task that began this chain
	Shard       int             `json:"shard,omitempty"`
	Shards      int             `json:"shards,omitempty"` // 0 = not sharded
	Range       *Range          `json:"range,omitempty"`
	Checkpoint  json.RawMessage `json:"checkpoint,omitempty"` // the last one an earlier attempt saved
	TraceParent string          `json:"traceParent,omitempty"`
	Upstream    []Upstream      `json:"upstream,omitempty"` // of a task of a dependency trigger: the tasks whose ends made it
}

// Upstream is a task whose end made another.
type Upstream struct {
	Job    string          `json:"job"` // its name
	Task   string          `json:"task"`
	State  string          `json:"state"` // at the moment of the assignment: SUCCEEDED, FAILED, CANCELLED; another if it was retried since
	Result json.RawMessage `json:"result,omitempty"`
	// Omitted says that the result would have made the assignment too large; it can be
	// read through PathTask or the API.
	Omitted bool `json:"omitted,omitempty"`
}

// Range is the half-open index range [From, To) of a range shard.
type Range struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Causes of a Cancel.
const (
	CauseCancelled = "cancelled"  // a person or the API
	CauseTimeLimit = "time_limit" // the server enforces the limit
	CauseLost      = "lost"       // the attempt is no longer this node's
	CauseReplaced  = "replaced"   // a newer firing replaces it
)

// Cancel ends one attempt's context. The worker answers with the attempt's result
// as usual; for CauseLost none is awaited.
type Cancel struct {
	AttemptRef
	Cause  string `json:"cause"`
	Reason string `json:"reason,omitempty"`
}

// Report carries what attempts did, in order. Items are processed one by one:
// one bad item never blocks the others.
type Report struct {
	Node        string `json:"node"`
	Group       string `json:"group"`
	Incarnation string `json:"incarnation"`
	// SentAt is the worker's clock as the request left: the server takes the
	// difference to its own clock out of the instants in Items.
	SentAt time.Time `json:"sentAt"`
	Items  []Item    `json:"items"`
}

// Item is one event of one attempt; exactly one of the pointers is set.
type Item struct {
	AttemptRef
	Started    *Started        `json:"started,omitempty"`
	Progress   *Progress       `json:"progress,omitempty"`
	Log        *LogChunk       `json:"log,omitempty"`
	Checkpoint json.RawMessage `json:"checkpoint,omitempty"`
	Refused    *Refused        `json:"refused,omitempty"`
	Result     *Result         `json:"result,omitempty"`
}

// Started says that the handler began. A worker omits it when the result goes
// into the same report, since Result carries the instant too.
type Started struct {
	At time.Time `json:"at"`
}

// Progress is the latest progress; older ones are overwritten.
type Progress struct {
	Fraction float64 `json:"fraction"` // 0..1
	Message  string  `json:"message,omitempty"`
}

// LogChunk is a run of log lines. Once built it is re-sent unchanged until it is
// accepted, so that (task, attempt, first line's Seq) identifies it.
type LogChunk struct {
	Lines []LogLine `json:"lines"`
}

// LogLine is one line. Seq counts the attempt's lines from 1; a gap means that
// lines were dropped by a limit.
type LogLine struct {
	Seq     int64           `json:"seq"`
	At      time.Time       `json:"at"`
	Level   string          `json:"level"` // DEBUG, INFO, WARN, ERROR
	Message string          `json:"message"`
	Fields  json.RawMessage `json:"fields,omitempty"` // a JSON object
}

// Refused hands an assignment back before the handler began.
type Refused struct {
	Reason string `json:"reason"` // one of the Refuse… codes
}

// Reasons of Refused.
const (
	RefuseDraining  = "draining"
	RefuseNoSlot    = "no_slot"
	RefuseNoHandler = "no_handler"
)

// Outcomes of a Result.
const (
	OutcomeSucceeded = "succeeded"
	OutcomeFailed    = "failed"
	OutcomeTimedOut  = "timed_out"
	OutcomeCancelled = "cancelled"
	OutcomeReleased  = "released" // ended by the worker's own shutdown: uses up no attempt
	OutcomeSnoozed   = "snoozed"  // asks to be run again later: uses up no attempt
)

// Result ends an attempt. The worker repeats it until an Ack says accepted or stale.
type Result struct {
	Outcome    string          `json:"outcome"`
	StartedAt  time.Time       `json:"startedAt"`
	FinishedAt time.Time       `json:"finishedAt"`
	Result     json.RawMessage `json:"result,omitempty"`
	Error      string          `json:"error,omitempty"`
	Stack      string          `json:"stack,omitempty"` // of a panic
	NoRetry    bool            `json:"noRetry,omitempty"`
	AfterMS    *int64          `json:"afterMs,omitempty"` // retry-after or snooze: wait this long instead of the back-off
}

// Statuses of an Ack.
const (
	AckAccepted = "accepted"
	AckStale    = "stale"   // the attempt is over or another's: stop it and forget it
	AckRetry    = "retry"   // could not be stored now: send it again
	AckInvalid  = "invalid" // can never be accepted: drop it, Message says why
)

// Ack answers one Item, in the order of the report.
type Ack struct {
	Status  string `json:"status"`
	Message string `json:"message,omitempty"`
}

// Reported answers Report.
type Reported struct {
	Acks []Ack `json:"acks"`
}

// Heartbeat says that the process lives and what it really runs.
type Heartbeat struct {
	Node        string       `json:"node"`
	Group       string       `json:"group"`
	Incarnation string       `json:"incarnation"`
	LastSeq     int64        `json:"lastSeq"` // last frame received on the present stream; 0 without a stream
	Slots       int          `json:"slots"`
	Held        []AttemptRef `json:"held"` // attempts running, queued, or finished with an unacknowledged result
	Draining    bool         `json:"draining,omitempty"`
	CPU         float64      `json:"cpu,omitempty"`    // of the machine, 0..1, if known
	Memory      int64        `json:"memory,omitempty"` // bytes of this process, if known
	// Stuck counts handlers that go on long after their context has ended, for people to see.
	Stuck int `json:"stuck,omitempty"`
	// Lingering counts the slots taken by handlers whose attempts are not in Held, as they
	// are not this node's any more.
	Lingering int `json:"lingering,omitempty"`
	// StuckAttempts are those that Stuck counts, longest first: at most MaxStuckListed.
	StuckAttempts []StuckAttempt `json:"stuckAttempts,omitempty"`
}

// StuckAttempt is a handler that goes on long after its context has ended.
type StuckAttempt struct {
	Task    string `json:"task"`
	Attempt int    `json:"attempt"`
	Handler string `json:"handler"`
	ForMS   int64  `json:"forMs"`           // how long ago its context ended
	Cause   string `json:"cause,omitempty"` // why it was to stop
	Stack   string `json:"stack,omitempty"` // where it was when that was found out, cut to MaxStuckStack
}

// HeartbeatAnswer corrects what the worker runs.
type HeartbeatAnswer struct {
	Cancel    []Cancel  `json:"cancel,omitempty"`
	Draining  bool      `json:"draining"`  // a person drains this node
	Reconnect bool      `json:"reconnect"` // the server sees no working stream: open a new one
	Settings  *Settings `json:"settings,omitempty"`
}

// Leave says good-bye after a drain; what the node still holds is taken over at once.
type Leave struct {
	Node        string `json:"node"`
	Group       string `json:"group"`
	Incarnation string `json:"incarnation"`
}
