package models

import (
	"encoding/json"
	"time"
)

// Job is the definition of work. Table jobs.
type Job struct {
	ID          string
	AppID       string
	GroupID     string
	Partition   int `gorm:"column:part"` // of its group: 0..63
	Name        string
	LiveName    *string // Name while the job exists, nil when deleted: the unique key (app_id, live_name)
	Handler     string
	Description string
	Parameters  json.RawMessage
	Labels      json.RawMessage // object of strings, or nil

	TriggerKind TriggerKind
	Expression  string // CRON
	Zone        string // CRON; DEPENDENCY with a window of the calendar
	StartAt     *time.Time
	EndAt       *time.Time
	JitterMS    int64
	EveryMS     int64 // FIXED_RATE: the period; FIXED_DELAY: the delay

	DependencyMode   DependencyMode   // DEPENDENCY; what it waits for stands in dependencies
	DependencyWindow DependencyWindow // DEPENDENCY

	CalendarID      *string      // CRON: when it may fire; nil: always
	CalendarVersion int          // of the calendar by which NextFireAt was computed; 0 without one
	OnRestDay       CalendarRule // CRON with a calendar; 0 without one
	TriggerSince    *time.Time   // since when the trigger holds; what a calendar took out is counted from here or the last fire

	Enabled     bool
	Priority    Priority
	TimeoutMS   int64
	Concurrency Concurrency
	MaxRunning  *int
	Delivery    Delivery
	Routing     *Routing        // nil: the group's
	RoutingRule json.RawMessage // a models.RoutingRule, or nil; of Routing

	MaxAttempts     int
	Backoff         Backoff
	RetryDelayMS    int64
	RetryMaxDelayMS int64
	RetryJitter     float64

	MisfirePolicy  MisfirePolicy
	MisfireGraceMS int64
	MisfireLimit   int

	NextFireAt    *time.Time // nil: never by itself. Fires before it exist as tasks already
	LastFireAt    *time.Time
	InvalidReason string // why the trigger cannot work; empty while it can

	Version   int       // counts edits from 1
	CreatedAt time.Time `gorm:"autoCreateTime:false"`
	UpdatedAt time.Time `gorm:"autoUpdateTime:false"`
	DeletedAt *time.Time
}

// FiresKept is how many fires of the job wait at most while nobody can run it: one that
// stands for all, or a hundred where each counts.
func (j *Job) FiresKept() int {
	if j.Concurrency == ConcurrencyAllow {
		return 100
	}
	return 1
}

// SkippedFires is a run of fires that did not become tasks. Table skipped_fires.
type SkippedFires struct {
	ID         string
	JobID      string
	FirstAt    time.Time
	LastAt     time.Time
	Count      int64 `gorm:"column:fires"`
	AtLeast    bool  // Count is a lower bound
	Reason     string
	RecordedAt time.Time
}

// TableName is the table's name; a plural cannot be derived from a plural.
func (SkippedFires) TableName() string { return "skipped_fires" }

// LateAfter is how long after it is available a task's first attempt must have
// started, or it counts as late.
const LateAfter = 10 * time.Second

// JobHourStep is how finely a job's ends are counted. All zones of today are whole
// multiples of it away from UTC, so that a local day is exact.
const JobHourStep = 15 * time.Minute

// JobHour counts a job's ends within a JobHourStep. Table job_hours, key (JobID, Hour).
// Before the step was a quarter of an hour it was one: such rows count for their first
// quarter.
type JobHour struct {
	JobID      string    `gorm:"primaryKey"`
	Hour       time.Time `gorm:"primaryKey;column:hour_at"` // when the step begins
	Succeeded  int64
	Failed     int64
	Cancelled  int64
	Skipped    int64
	Retried    int64
	DurationMS int64 // sum over successful attempts
	DelayMS    int64 // sum over successful attempts of start minus available
	Missed     int64 // fires that were missed and never run, by when that was recorded
	Excluded   int64 // fires that a calendar left out, by when that was recorded
	Recovered  int64 // tasks that succeeded after a failed try
	Lost       int64 // attempts that were lost with their node and are made again
	Late       int64 // tasks whose first attempt started late, by its end
}

// Minute counts ends of a group's tasks within one UTC minute. Table minutes,
// key (GroupID, Minute).
type Minute struct {
	GroupID   string    `gorm:"primaryKey"`
	Minute    time.Time `gorm:"primaryKey;column:minute_at"`
	Succeeded int64
	Failed    int64
	Cancelled int64
	Skipped   int64
	Retried   int64
}
