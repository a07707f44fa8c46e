package job

import (
	"encoding/json"
	"math"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// Limits and defaults of a job.
const (
	maxName        = 128  // characters
	maxDescription = 2000 // characters
	mostRunning    = 100_000

	defaultTimeout = time.Hour
	shortest       = time.Second // time limit, period, grace
	longest        = check.Year

	mostAttempts    = 1000
	longestDelay    = 24 * time.Hour
	longestMaxDelay = 7 * 24 * time.Hour
	defaultDelay    = 10 * time.Second
	defaultMaxDelay = time.Hour

	defaultLimit = 100
	mostMisfires = 1000
)

// draft is a job in the making. Each set method puts one input field in and notes
// what is wrong with it; nil means the default.
type draft struct {
	job      *models.Job
	before   *models.Job         // as it is stored; nil for a new job
	upstream []models.Dependency // of a dependency trigger that is put in; else nil
	calendar namedCalendar       // that the trigger names
	wrong    fault.List
}

func (d *draft) setName(v string) {
	d.job.Name = v
	d.wrong.Add(check.Line("name", v, maxName))
}

func (d *draft) setHandler(v string) {
	d.job.Handler = v
	d.wrong.Add(check.Line("handler", v, maxName))
}

func (d *draft) setDescription(v *string) {
	d.job.Description = valueOr(v, "")
	d.wrong.Add(check.Text("description", d.job.Description, maxDescription))
}

func (d *draft) setParameters(v json.RawMessage) {
	d.wrong.Add(check.JSON("parameters", v, check.MaxJSON))
	d.job.Parameters = check.Compact(v)
}

func (d *draft) setLabels(v json.RawMessage) {
	v = check.Compact(v)
	d.wrong.Add(check.Labels("labels", v))
	d.job.Labels = v
}

func (d *draft) setTimeout(v *time.Duration) {
	limit := valueOr(v, defaultTimeout)
	d.wrong.Add(check.Span("timeout", limit, shortest, longest))
	d.job.TimeoutMS = limit.Milliseconds()
}

func (d *draft) setMaxRunning(v *int) {
	d.job.MaxRunning = v
	if v != nil {
		d.wrong.Add(check.Number("maxRunning", *v, 1, mostRunning))
	}
}

func (d *draft) setRetry(v *RetryInput) {
	if v == nil {
		v = &RetryInput{MaxAttempts: 1, Delay: defaultDelay}
	}
	j := d.job
	j.MaxAttempts = v.MaxAttempts
	j.Backoff = valueOr(v.Backoff, models.BackoffFixed)
	j.RetryJitter = valueOr(v.Jitter, 0)
	maxDelay := valueOr(v.MaxDelay, max(v.Delay, defaultMaxDelay))
	j.RetryDelayMS, j.RetryMaxDelayMS = v.Delay.Milliseconds(), maxDelay.Milliseconds()

	d.wrong.Add(check.Number("retry.maxAttempts", v.MaxAttempts, 1, mostAttempts))
	badDelay := check.Span("retry.delay", v.Delay, 0, longestDelay)
	d.wrong.Add(badDelay)
	badMax := check.Span("retry.maxDelay", maxDelay, 0, longestMaxDelay)
	if v.MaxDelay != nil {
		d.wrong.Add(badMax)
	}
	if badDelay == nil && badMax == nil && maxDelay < v.Delay {
		d.wrong.Add(fault.At("retry.maxDelay", fault.Invalid,
			"retry.maxDelay is %s and shorter than retry.delay, %s; make it at least as long.", maxDelay, v.Delay))
	}
	if math.IsNaN(j.RetryJitter) || j.RetryJitter < 0 || j.RetryJitter > 1 {
		d.wrong.Add(fault.At("retry.jitter", fault.Invalid, "retry.jitter is %g; it must be 0 to 1.", j.RetryJitter))
	}
}

func (d *draft) setMisfire(v *MisfireInput) {
	if v == nil {
		v = &MisfireInput{Policy: models.MisfireFireOnce}
	}
	grace, limit := valueOr(v.Grace, schedule.GraceOf(schedule.Policy(v.Policy.String()))), valueOr(v.Limit, defaultLimit)
	d.wrong.Add(check.Span("misfire.grace", grace, shortest, longest))
	d.wrong.Add(check.Number("misfire.limit", limit, 1, mostMisfires))
	d.job.MisfirePolicy, d.job.MisfireGraceMS, d.job.MisfireLimit = v.Policy, grace.Milliseconds(), limit
}

func (d *draft) setRouting(v *RoutingInput) {
	d.job.Routing, d.job.RoutingRule = nil, nil
	if v == nil {
		return
	}
	rule, wrong := check.Routing("routing", *v)
	d.job.Routing, d.job.RoutingRule = &v.Strategy, rule
	d.wrong = append(d.wrong, wrong...)
}

func (d *draft) setSharding(v *ShardingInput) {
	if v != nil {
		d.wrong.Add(fault.At("sharding", fault.Unsupported, "sharding is not possible in this version; leave it out and split the work in the handler."))
	}
}

// setGroup puts the job into a group, which decides its app and partition. err is
// why there is no such group.
func (d *draft) setGroup(g models.NodeGroup, err error) error {
	switch {
	case fault.Is(err, fault.NotFound):
		d.wrong.Add(fault.At("group", fault.NotFound, "There is no node group %s; choose one of the app's groups.", check.Quote(g.ID)))
		return nil
	case err != nil:
		return err
	case d.job.AppID != "" && d.job.AppID != g.AppID:
		d.wrong.Add(fault.At("group", fault.Invalid, "The node group %q belongs to another app; choose one of the job's own app.", g.Name))
		return nil
	}
	d.job.AppID, d.job.GroupID, d.job.Partition = g.AppID, g.ID, g.Partition
	return nil
}

func valueOr[T any](v *T, otherwise T) T {
	if v == nil {
		return otherwise
	}
	return *v
}
