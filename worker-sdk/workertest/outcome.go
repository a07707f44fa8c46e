package workertest

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Outcome is what became of a task.
type Outcome struct {
	TaskID  string
	State   string // WAITING, RUNNING, RETRYING, SUCCEEDED, FAILED or CANCELLED
	Attempt int    // number of the latest attempt

	// Ending is how the latest ended attempt ended: succeeded, failed, timed_out,
	// cancelled, released or snoozed; "" before the first one ended. Run may say lost.
	Ending  string
	Err     error  // what the handler returned, as it returned it; only Run knows it
	Error   string // as the server was told
	Stack   string // of a panic
	NoRetry bool
	// Pause is what RetryAfter or Snooze asked for; nil if the handler did not.
	Pause  *time.Duration
	Result json.RawMessage

	Logs       []LogLine
	Progress   Progress        // the latest
	Checkpoint json.RawMessage // the latest
	Attempts   []Ended         // in the order in which they ended

	lost bool // the attempt of Run was given up
}

// LogLine is one line of Task.Logger.
type LogLine struct {
	Seq     int64
	At      time.Time
	Level   string // DEBUG, INFO, WARN or ERROR
	Message string
	Fields  map[string]any // as decoded from JSON; groups are nested
}

// Progress is what Task.Progress was told.
type Progress struct {
	Fraction float64
	Message  string
}

// Ended is an attempt that has ended.
type Ended struct {
	Attempt int
	Ending  string
	Error   string
}

// Snoozed returns for how long the handler put the task off, and whether it did.
func (o Outcome) Snoozed() (time.Duration, bool) {
	if o.Ending != wire.OutcomeSnoozed || o.Pause == nil {
		return 0, false
	}
	return *o.Pause, true
}

// DecodeResult decodes the result into v; without a result it returns an error.
func (o Outcome) DecodeResult(v any) error {
	if len(o.Result) == 0 {
		return errors.New("the task has no result")
	}
	return json.Unmarshal(o.Result, v)
}

// DecodeCheckpoint decodes the latest checkpoint into v; without one it returns an
// error.
func (o Outcome) DecodeCheckpoint(v any) error {
	if len(o.Checkpoint) == 0 {
		return errors.New("the task has no checkpoint")
	}
	return json.Unmarshal(o.Checkpoint, v)
}

// Logged reports whether a line has message, whatever its level.
func (o Outcome) Logged(message string) bool {
	return slices.ContainsFunc(o.Logs, func(l LogLine) bool { return l.Message == message })
}

// LogText returns the lines as "LEVEL message" for a comparison at a glance.
func (o Outcome) LogText() string {
	var b strings.Builder
	for _, line := range o.Logs {
		b.WriteString(line.Level + " " + line.Message + "\n")
	}
	return b.String()
}
