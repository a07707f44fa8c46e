package job

import (
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// apply puts the fields that are given into the draft of an existing job.
func (s *Service) apply(ctx context.Context, d *draft, in *Update, now time.Time) error {
	if in.GroupID.Set {
		if err := s.setGroup(ctx, d, valueOr(in.GroupID.Value, "")); err != nil {
			return err
		}
	}
	needed(in.Name, d.setName, "")
	needed(in.Handler, d.setHandler, "")
	if in.Parameters.Set {
		d.setParameters(valueOr(in.Parameters.Value, nil))
	}
	if in.Labels.Set {
		d.setLabels(valueOr(in.Labels.Value, nil))
	}
	if in.Trigger.Set {
		trigger := valueOr(in.Trigger.Value, TriggerInput{})
		if err := s.findCalendar(ctx, d, trigger); err != nil {
			return err
		}
		d.setTrigger(trigger, now)
	}
	optional(in.Description, d.setDescription)
	optional(in.Timeout, d.setTimeout)
	optional(in.Retry, d.setRetry)
	optional(in.MaxRunning, d.setMaxRunning)
	optional(in.Misfire, d.setMisfire)
	optional(in.Routing, d.setRouting)
	optional(in.Sharding, d.setSharding)
	j := d.job
	needed(in.Enabled, func(v bool) { j.Enabled = v }, true)
	needed(in.Priority, func(v models.Priority) { j.Priority = v }, models.PriorityNormal)
	needed(in.Concurrency, func(v models.Concurrency) { j.Concurrency = v }, models.ConcurrencyAllow)
	needed(in.Delivery, func(v models.Delivery) { j.Delivery = v }, models.AtLeastOnce)
	return nil
}

// optional sets a field that is given, by nil when it is null.
func optional[T any](f Field[T], set func(*T)) {
	if f.Set {
		set(f.Value)
	}
}

// needed sets a field that is given, by the default when it is null.
func needed[T any](f Field[T], set func(T), byDefault T) {
	if f.Set {
		set(valueOr(f.Value, byDefault))
	}
}
