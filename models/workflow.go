package models

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// DependencyCondition says which end of an upstream task counts.
type DependencyCondition uint8

// Conditions. The numbers stand in the ledger: never renumber.
const (
	OnSuccess    DependencyCondition = iota + 1
	OnFailure                        // it entered the failed queue
	OnCompletion                     // it succeeded, failed or was cancelled
)

// Met says whether a task that ended in a state meets the condition.
func (v DependencyCondition) Met(s TaskState) bool {
	switch v {
	case OnSuccess:
		return s == TaskSucceeded
	case OnFailure:
		return s == TaskFailed
	case OnCompletion:
		return s == TaskSucceeded || s == TaskFailed || s == TaskCancelled
	}
	return false
}

// DependencyMode says how many upstream jobs must have arrived.
type DependencyMode uint8

// Modes.
const (
	DependencyAll DependencyMode = iota + 1
	DependencyAny
)

// DependencyWindow says which upstream tasks belong together.
type DependencyWindow uint8

// Windows.
const (
	WindowRun DependencyWindow = iota + 1 // of the same root task
	WindowHour
	WindowDay
	WindowWeek // ISO: Monday to Sunday
	WindowMonth
)

// DownstreamRule says what a task's end means for the jobs that depend on its job.
// The tasks that follow from it inherit the rule.
type DownstreamRule uint8

// Rules. The numbers stand in the ledger: never renumber.
const (
	DownstreamTriggers DownstreamRule = iota // dependents go by their own rules
	DownstreamNone                           // dependents are not told
	DownstreamAll                            // dependents run after this very run, whatever their window
)

var (
	conditionNames  = []string{"", "SUCCESS", "FAILURE", "COMPLETION"}
	modeNames       = []string{"", "ALL", "ANY"}
	windowNames     = []string{"", "RUN", "HOUR", "DAY", "WEEK", "MONTH"}
	downstreamNames = []string{"TRIGGERS", "NONE", "ALL"}
)

func (v DependencyCondition) String() string { return name(conditionNames, uint8(v)) }
func (v DependencyMode) String() string      { return name(modeNames, uint8(v)) }
func (v DependencyWindow) String() string    { return name(windowNames, uint8(v)) }

func (v DownstreamRule) String() string {
	if int(v) < len(downstreamNames) {
		return downstreamNames[v]
	}
	return fmt.Sprintf("UNKNOWN(%d)", uint8(v))
}

// ParseDependencyCondition reads a condition's name as the API writes it.
func ParseDependencyCondition(s string) (DependencyCondition, bool) {
	return parse[DependencyCondition](conditionNames, s)
}

// ParseDependencyMode reads a mode's name as the API writes it.
func ParseDependencyMode(s string) (DependencyMode, bool) { return parse[DependencyMode](modeNames, s) }

// ParseDependencyWindow reads a window's name as the API writes it.
func ParseDependencyWindow(s string) (DependencyWindow, bool) {
	return parse[DependencyWindow](windowNames, s)
}

// ParseDownstreamRule reads a rule's name as the API writes it.
func ParseDownstreamRule(s string) (DownstreamRule, bool) {
	i := slices.Index(downstreamNames, s)
	return DownstreamRule(max(i, 0)), i >= 0
}

// Dependency is one upstream job of a job with a dependency trigger. Table
// dependencies, key (JobID, UpstreamID).
type Dependency struct {
	JobID      string `gorm:"primaryKey"`
	UpstreamID string `gorm:"primaryKey"`
	On         DependencyCondition
	Place      int // in the order in which they were entered
}

// Arrival tells a job that an upstream task has ended; it waits to be joined with
// others. Table arrivals.
type Arrival struct {
	ID          string
	Partition   int    // of the job
	JobID       string // the one that depends
	UpstreamID  string // the ended task's job
	TaskID      string
	Attempt     int
	State       TaskState      // SUCCEEDED, FAILED or CANCELLED
	Downstream  DownstreamRule // of the ended task
	RootID      string         // of the ended task; its own id for a first one
	ScheduledAt time.Time      // of the ended task
	EndedAt     time.Time
}

// Join is one window of a job with a dependency trigger. Table joins, key (JobID,
// Window).
type Join struct {
	JobID      string `gorm:"primaryKey"`
	Window     string `gorm:"primaryKey"` // the root task's id, or the window's name in the job's zone, such as 2026-03-08
	Downstream DownstreamRule
	OpenedAt   time.Time
	FiredAt    *time.Time
	TaskID     *string // what it fired
	Reason     string  // why it closed without a task; empty otherwise
}

// Closed says whether the window has fired or never will.
func (j *Join) Closed() bool { return j.FiredAt != nil || j.Reason != "" }

// JoinArrival is, within a window, the end of one upstream job that counts. Table
// join_arrivals, key (JobID, Window, UpstreamID).
type JoinArrival struct {
	JobID       string `gorm:"primaryKey"`
	Window      string `gorm:"primaryKey"`
	UpstreamID  string `gorm:"primaryKey"`
	TaskID      string
	Attempt     int
	State       TaskState
	ScheduledAt time.Time
	EndedAt     time.Time
}

// TaskInput links a task to an upstream task whose end made it. Table task_inputs,
// key (TaskID, UpstreamID).
type TaskInput struct {
	TaskID     string `gorm:"primaryKey"`
	UpstreamID string `gorm:"primaryKey"`
}

// UpstreamResult is a task whose end made another; it is put together from several
// rows and not stored.
type UpstreamResult struct {
	TaskID  string
	JobName string
	State   TaskState
	Result  json.RawMessage // nil without one, and when it is larger than was asked for
	Bytes   int             // of the result
}
