package models

import (
	"encoding/json"
	"time"
)

// ReportFigures count what happened in a span of time. In a week's mean they are
// rounded to whole numbers.
type ReportFigures struct {
	Ran       int64 // tasks that ended
	Succeeded int64
	Failed    int64 // ended in the failed queue, or discarded
	Recovered int64 // succeeded after at least one failed attempt
	TakenOver int64 // attempts that were lost with their node and went to another
	Late      int64 // began more than ten seconds after they were due
	Missed    int64 // fires that did not become tasks though nobody wanted that
	Running   int64 // attempts under way at the end of the span
	Slower    int64 // jobs whose mean duration was well above that of the week before
}

// ReportLine is one line of a report: a task that failed or runs, or a job.
type ReportLine struct {
	JobID    string
	JobName  string
	AppName  string
	TaskID   string     // empty for lines about a job
	At       *time.Time // ended, began or last missed
	Count    int64      // how many times
	Error    string     // at most MaxProblemError characters
	Duration time.Duration
	Usual    time.Duration // mean of the week before; 0: unknown
}

// ReportData is a morning report, frozen into its message.
type ReportData struct {
	Name    string // of the schedule; empty when it is only looked at
	AppID   string
	AppName string // empty: all apps
	From    time.Time
	To      time.Time
	Figures ReportFigures
	Week    ReportFigures // mean a day of the seven days before From

	Failures   []ReportLine // at most MaxReportLines each, with how many there are
	Missed     []ReportLine
	Slow       []ReportLine
	Running    []ReportLine
	FailedJobs int64
	MissedJobs int64
}

// MaxReportLines bounds each list of a report.
const MaxReportLines = 20

// ReportSchedule says when a morning report is sent, and to whom. Table
// report_schedules.
type ReportSchedule struct {
	ID         string
	Name       string          // unique
	AppID      *string         // nil: all apps
	Zone       string          // IANA name
	AtTime     string          // 08:30, local
	Days       int             // bit w: weekday w, 0 = Sunday
	Channels   json.RawMessage // list of channel ids
	People     json.RawMessage // list of user ids
	Enabled    bool
	Version    int // counts edits from 1
	LastSentAt *time.Time
	NextAt     *time.Time // nil: not enabled
	CreatedBy  string
	CreatedAt  time.Time `gorm:"autoCreateTime:false"`
	UpdatedAt  time.Time `gorm:"autoUpdateTime:false"`
}
