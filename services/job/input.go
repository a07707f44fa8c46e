package job

import (
	"encoding/json"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
)

// Input is a new job in the terms of the API. Nil means absent: the default.
type Input struct {
	GroupID     string
	Name        string
	Handler     string
	Parameters  json.RawMessage
	Description *string
	Labels      json.RawMessage
	Trigger     TriggerInput
	Enabled     *bool
	Priority    *models.Priority
	Timeout     *time.Duration
	Retry       *RetryInput
	Concurrency *models.Concurrency
	MaxRunning  *int
	Misfire     *MisfireInput
	Delivery    *models.Delivery
	Routing     *RoutingInput
	Sharding    *ShardingInput
}

// Field is a field of an update: absent (the zero value), null (Set, Value nil:
// the default) or a value.
type Field[T any] struct {
	Set   bool
	Value *T
}

// Some is a field that is given.
func Some[T any](v T) Field[T] { return Field[T]{Set: true, Value: &v} }

// Null is a field that is given as null.
func Null[T any]() Field[T] { return Field[T]{Set: true} }

// Update is a change of a job: absent fields stay, null sets the default.
type Update struct {
	ID          string
	Version     *int // nil: not checked
	GroupID     Field[string]
	Name        Field[string]
	Handler     Field[string]
	Parameters  Field[json.RawMessage]
	Description Field[string]
	Labels      Field[json.RawMessage]
	Trigger     Field[TriggerInput]
	Enabled     Field[bool]
	Priority    Field[models.Priority]
	Timeout     Field[time.Duration]
	Retry       Field[RetryInput]
	Concurrency Field[models.Concurrency]
	MaxRunning  Field[int]
	Misfire     Field[MisfireInput]
	Delivery    Field[models.Delivery]
	Routing     Field[RoutingInput]
	Sharding    Field[ShardingInput]
}

// TriggerInput is a trigger; exactly one field is set.
type TriggerInput struct {
	Cron       *CronInput
	FixedRate  *FixedRateInput
	FixedDelay *FixedDelayInput
	Dependency *DependencyInput
	Manual     *bool
}

// CronInput is a cron trigger.
type CronInput struct {
	Expression string
	Zone       *string
	StartAt    *time.Time
	EndAt      *time.Time
	Jitter     *time.Duration
	Calendar   *string              // name within the job's app; nil and "": none
	OnRestDay  *models.CalendarRule // nil: SKIP
}

// FixedRateInput is a trigger on a grid.
type FixedRateInput struct {
	Every   time.Duration
	StartAt *time.Time
}

// FixedDelayInput is a trigger that counts from the end of the last run.
type FixedDelayInput struct {
	Delay time.Duration
}

// DependencyInput is a trigger by upstream jobs.
type DependencyInput struct {
	Upstream []UpstreamInput
	Mode     *models.DependencyMode   // nil: ALL
	Window   *models.DependencyWindow // nil: RUN
	Zone     *string                  // nil: UTC
}

// UpstreamInput is one upstream job.
type UpstreamInput struct {
	Job string                      // its id; of any app
	On  *models.DependencyCondition // nil: SUCCESS
}

// RetryInput holds the rules for trying again.
type RetryInput struct {
	MaxAttempts int
	Backoff     *models.Backoff
	Delay       time.Duration
	MaxDelay    *time.Duration
	Jitter      *float64
}

// MisfireInput holds the rules for missed fires.
type MisfireInput struct {
	Policy models.MisfirePolicy
	Grace  *time.Duration
	Limit  *int
}

// RoutingInput is a job's own routing.
type RoutingInput = check.Route

// ShardingInput asks for shards. This version refuses it.
type ShardingInput struct {
	Shards int
}

// PreviewInput asks what a trigger would do.
type PreviewInput struct {
	Trigger TriggerInput
	AppID   string     // whose calendars are meant; may be empty without one
	JobID   string     // whose trigger it is; empty for a new job
	After   *time.Time // nil: now
	Count   *int       // nil: 10
	Locale  *string    // nil: en
}
