package backfill

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// Limits of a backfill.
const (
	mostPerMinute = 60_000
	mostRunning   = 10_000
	maxReason     = 500 // characters of a reason that a person gives
)

// Input asks for a backfill.
type Input struct {
	JobID       string
	From        time.Time       // fires at or after
	To          time.Time       // fires before
	Parameters  json.RawMessage // nil: the job's
	OnlyMissing bool
	PerMinute   int
	MaxRunning  int
	RequestID   string // a repeat makes nothing; empty: none
}

// plan is an Input that passed its checks, with its job and fires.
type plan struct {
	Input
	job   models.Job
	fires []time.Time // oldest first, MaxBackfillFires at most
	more  bool        // there are more
}

// prepare checks the input and lists the fires. Faults, all those of the input at
// once: INVALID, NOT_FOUND (job).
func (s *Service) prepare(ctx context.Context, in Input) (*plan, error) {
	p := &plan{Input: in}
	p.From, p.To = in.From.UTC(), in.To.UTC()
	var wrong fault.List
	wrong.Add(check.Instant("from", p.From))
	wrong.Add(check.Instant("to", p.To))
	switch now := s.clock.Now(); {
	case !p.From.Before(p.To):
		wrong.Add(fault.At("to", fault.Invalid, "to is %s, not after from, %s; give a later instant.", stamp(p.To), stamp(p.From)))
	case p.To.After(now):
		wrong.Add(fault.At("to", fault.Invalid, "to is %s, in the future; a backfill makes up for past fires, so give an instant up to now, %s.", stamp(p.To), stamp(now)))
	}
	wrong.Add(check.JSON("parameters", in.Parameters, check.MaxJSON))
	wrong.Add(check.Number("perMinute", in.PerMinute, 1, mostPerMinute))
	wrong.Add(check.Number("maxRunning", in.MaxRunning, 1, mostRunning))
	wrong.Add(check.RequestID(in.RequestID))
	var err error
	p.job, err = s.store.Job(ctx, in.JobID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return nil, fmt.Errorf("reading the job of a backfill: %w", err)
	}
	if err != nil || p.job.DeletedAt != nil {
		wrong.Add(fault.At("job", fault.NotFound, "There is no job %q; it may have been deleted.", in.JobID))
		return nil, wrong
	}
	trigger, bad, err := s.triggerOf(ctx, &p.job)
	if err != nil {
		return nil, err
	}
	wrong.Add(bad)
	if len(wrong) > 0 {
		return nil, wrong
	}
	p.Parameters = check.Compact(in.Parameters)
	p.fires, p.more = firesOf(trigger, p.From, p.To, models.MaxBackfillFires)
	return p, nil
}

// triggerOf is the job's trigger, if it has past fires.
func (s *Service) triggerOf(ctx context.Context, j *models.Job) (*schedule.Trigger, *fault.Error, error) {
	switch j.TriggerKind { //nolint:exhaustive // the others have no fires that lie in the past
	case models.TriggerCron, models.TriggerFixedRate:
	default:
		return nil, fault.At("job", fault.Invalid,
			"The job's trigger is %s, which has no past fires; only cron and fixed-rate jobs can be backfilled. Run this one by hand instead.", j.TriggerKind), nil
	}
	found, err := s.calendars.Of(ctx, *j)
	if err != nil {
		return nil, nil, err
	}
	calendar, ok := timetable.For(found, j)
	if !ok {
		return nil, fault.At("job", fault.Invalid, "The job's calendar is gone, so its past fires are unknown; give it another or none."), nil
	}
	t, err := timetable.Compile(j, calendar.Compiled)
	if err != nil {
		return nil, fault.At("job", fault.Invalid, "The job's trigger cannot work, so it has no past fires: %s; mend it first.", err.Error()), nil
	}
	return t, nil, nil
}

// countable answers why a backfill with these fires is refused, or nil.
func (p *plan) countable() *fault.Error {
	switch {
	case len(p.fires) == 0:
		return fault.At("to", fault.Invalid, "The job has no fires from %s to %s; widen the range.", stamp(p.From), stamp(p.To))
	case p.more:
		return fault.At("to", fault.Invalid, "The range has more than %s fires; end it at %s or before, and begin another backfill there.",
			check.Thousands(models.MaxBackfillFires), stamp(p.fires[len(p.fires)-1]))
	}
	return nil
}

func stamp(t time.Time) string { return t.Format(time.RFC3339) }
