package models

import (
	"encoding/json"
	"time"
)

// AuthorKind says what kind of caller made a change.
type AuthorKind string

// Kinds of authors. The texts stand in the ledger.
const (
	AuthorPerson AuthorKind = "PERSON"
	AuthorToken  AuthorKind = "TOKEN"  // a program with an API token, such as belfry apply
	AuthorSystem AuthorKind = "SYSTEM" // Belfry itself, or a command on the database
)

// JobRevision is a version of a job as it was. Table job_revisions, key (JobID,
// Number); the newest RevisionsKept of each job.
type JobRevision struct {
	JobID      string `gorm:"primaryKey"`
	Number     int    `gorm:"primaryKey;autoIncrement:false"` // Job.Version
	At         time.Time
	Author     string
	AuthorKind AuthorKind
	Action     string          // as in the audit log: job.create, job.update …
	Fields     json.RawMessage // names of the fields that it changed, a list of texts; nil: not known
	Snapshot   json.RawMessage // a JobSnapshot
}

// RevisionsKept is how many revisions of a job are kept. With parameters of the largest
// size they take 25 MiB.
const RevisionsKept = 100

// JobSnapshot is the definition of a job, as its revisions keep it: enumerations by
// name, lengths of time in milliseconds. A field is never renamed.
type JobSnapshot struct {
	Name        string          `json:"name"`
	Group       string          `json:"group"` // id
	Handler     string          `json:"handler"`
	Description string          `json:"description,omitempty"`
	Labels      json.RawMessage `json:"labels,omitempty"`
	Trigger     TriggerSnapshot `json:"trigger"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Enabled     bool            `json:"enabled"`
	Priority    string          `json:"priority"`
	TimeoutMS   int64           `json:"timeoutMs"`
	Retry       RetrySnapshot   `json:"retry"`
	Concurrency string          `json:"concurrency"`
	MaxRunning  *int            `json:"maxRunning,omitempty"`
	Misfire     MisfireSnapshot `json:"misfire"`
	Delivery    string          `json:"delivery"`
	Routing     string          `json:"routing,omitempty"` // empty: the group's
	RoutingRule json.RawMessage `json:"routingRule,omitempty"`
	Deleted     bool            `json:"deleted,omitempty"`
}

// TriggerSnapshot is when a job fires.
type TriggerSnapshot struct {
	Kind       string             `json:"kind"`
	Expression string             `json:"expression,omitempty"`
	Zone       string             `json:"zone,omitempty"`
	StartAt    *time.Time         `json:"startAt,omitempty"`
	EndAt      *time.Time         `json:"endAt,omitempty"`
	JitterMS   int64              `json:"jitterMs,omitempty"`
	EveryMS    int64              `json:"everyMs,omitempty"`
	Calendar   string             `json:"calendar,omitempty"` // id
	OnRestDay  string             `json:"onRestDay,omitempty"`
	Mode       string             `json:"mode,omitempty"`
	Window     string             `json:"window,omitempty"`
	Upstream   []UpstreamSnapshot `json:"upstream,omitempty"`
}

// UpstreamSnapshot is a job that is waited for.
type UpstreamSnapshot struct {
	Job string `json:"job"` // id
	On  string `json:"on"`
}

// RetrySnapshot holds the rules for trying again.
type RetrySnapshot struct {
	MaxAttempts int     `json:"maxAttempts"`
	Backoff     string  `json:"backoff"`
	DelayMS     int64   `json:"delayMs"`
	MaxDelayMS  int64   `json:"maxDelayMs"`
	Jitter      float64 `json:"jitter,omitempty"`
}

// MisfireSnapshot holds the rules for missed fires.
type MisfireSnapshot struct {
	Policy  string `json:"policy"`
	GraceMS int64  `json:"graceMs"`
	Limit   int    `json:"limit"`
}

// SnapshotOf is a job's definition with what it waits for.
func SnapshotOf(j *Job, upstream []Dependency) JobSnapshot {
	s := JobSnapshot{
		Name: j.Name, Group: j.GroupID, Handler: j.Handler, Description: j.Description, Labels: j.Labels, Parameters: j.Parameters,
		Trigger: triggerSnapshot(j, upstream), Enabled: j.Enabled, Priority: j.Priority.String(), TimeoutMS: j.TimeoutMS,
		Retry: RetrySnapshot{
			MaxAttempts: j.MaxAttempts, Backoff: j.Backoff.String(), DelayMS: j.RetryDelayMS, MaxDelayMS: j.RetryMaxDelayMS, Jitter: j.RetryJitter,
		},
		Concurrency: j.Concurrency.String(), MaxRunning: j.MaxRunning,
		Misfire:  MisfireSnapshot{Policy: j.MisfirePolicy.String(), GraceMS: j.MisfireGraceMS, Limit: j.MisfireLimit},
		Delivery: j.Delivery.String(), RoutingRule: j.RoutingRule, Deleted: j.DeletedAt != nil,
	}
	if j.Routing != nil {
		s.Routing = j.Routing.String()
	}
	return s
}

func triggerSnapshot(j *Job, upstream []Dependency) TriggerSnapshot {
	t := TriggerSnapshot{
		Kind: j.TriggerKind.String(), Expression: j.Expression, Zone: j.Zone, StartAt: inUTC(j.StartAt), EndAt: inUTC(j.EndAt),
		JitterMS: j.JitterMS, EveryMS: j.EveryMS,
	}
	if j.CalendarID != nil {
		t.Calendar, t.OnRestDay = *j.CalendarID, j.OnRestDay.String()
	}
	if j.TriggerKind == TriggerDependency {
		t.Mode, t.Window = j.DependencyMode.String(), j.DependencyWindow.String()
		for _, u := range upstream {
			t.Upstream = append(t.Upstream, UpstreamSnapshot{Job: u.UpstreamID, On: u.On.String()})
		}
	}
	return t
}

func inUTC(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	utc := at.UTC()
	return &utc
}
