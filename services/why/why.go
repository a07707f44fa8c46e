// Package why answers why a job did, or did not, run at an instant. Reading gathers
// the facts; a pure decision makes one code, one sentence and the evidence of them,
// in English or Chinese.
package why

import (
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// Code is the answer as a program reads it.
type Code string

// Codes.
const (
	Ran               Code = "RAN"                // it ran and ended well
	WillRun           Code = "WILL_RUN"           // the instant is to come, and the job fires then
	Waiting           Code = "WAITING"            // its task waits
	Running           Code = "RUNNING"            // its task runs
	NoFire            Code = "NO_FIRE"            // the trigger does not fire then
	NotCreatedYet     Code = "NOT_CREATED_YET"    // the job is younger
	Deleted           Code = "DELETED"            // the job was deleted before
	Paused            Code = "PAUSED"             // the job was paused
	InvalidTrigger    Code = "INVALID_TRIGGER"    // the trigger cannot work
	BeforeStart       Code = "BEFORE_START"       // before the trigger's first instant
	AfterEnd          Code = "AFTER_END"          // after the trigger's last instant
	CalendarRestDay   Code = "CALENDAR_REST_DAY"  // a rest day
	CalendarQuiet     Code = "CALENDAR_QUIET"     // a quiet window
	Moved             Code = "MOVED"              // its calendar has it fire at another time
	Misfire           Code = "MISFIRE"            // it was missed, and the misfire policy left it out
	Edited            Code = "EDITED"             // the trigger was another one then
	Overlap           Code = "OVERLAP"            // an earlier task still ran
	Coalesced         Code = "COALESCED"          // a newer task took its place
	Cancelled         Code = "CANCELLED"          // it was cancelled
	Failed            Code = "FAILED"             // it ran and failed
	NeverByItself     Code = "NEVER_BY_ITSELF"    // the job does not answer to the clock
	UpstreamMissing   Code = "UPSTREAM_MISSING"   // an upstream job has not ended
	UpstreamCondition Code = "UPSTREAM_CONDITION" // an upstream job ended otherwise than asked for
	ServerLate        Code = "SERVER_LATE"        // it is due, and no server has come to it yet
	NoWorker          Code = "NO_WORKER"          // no worker has the handler
	Limited           Code = "LIMITED"            // a limit holds it back
	Unknown           Code = "UNKNOWN"            // nothing is recorded
)

// Evidence is one thing that is recorded.
type Evidence struct {
	At      *time.Time
	Message string
}

// Answer is why.
type Answer struct {
	Code         Code
	Sentence     string
	Evidence     []Evidence
	Task         *models.Task
	PreviousFire *time.Time // of the present trigger, before the instant that was asked about
	NextFire     *time.Time
}

// Facts is what an answer depends on.
type Facts struct {
	Job     models.Job
	Route   models.Route // of its tasks, at present
	Now, At time.Time

	Trigger  *schedule.Trigger // the present one; nil when it does not answer to the clock, or cannot work
	Calendar string            // name of its calendar
	Then     *schedule.Trigger // the one that held at the instant, if the audit log knows of another; nil: the present one
	ThenEdit *models.Audit     // the edit that ended Then

	Fire           *time.Time // the nominal fire that is meant: of Then, or else of Trigger
	Previous, Next *time.Time // fires of Trigger around the instant
	Excluded       *schedule.Excluded

	Task    *models.Task          // of the fire, or near the instant
	Skipped []models.SkippedFires // that hold the fire
	Pause   *models.Audit         // that held at the instant; nil: none is known
	Waits   Waits                 // for a task that waits, or a fire to come
	Join    *Join                 // DEPENDENCY: the window that the instant lies in
}

// Waits says what a task of the job may wait for.
type Waits struct {
	Workers    int  // nodes online in the group
	Able       int  // of them, those that have the handler and are what the job is routed to
	JobRunning int  // tasks of the job that run
	JobLimit   *int // most that may
	GroupFull  bool // the group's own limit is reached
}

// Join is a window of a job that depends on others.
type Join struct {
	Window  string
	Missing []string // names of upstream jobs that have not arrived
	Wrong   []string // names of those that arrived otherwise than asked for
	Reason  string   // why it closed without a task
}
