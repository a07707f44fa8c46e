package schedule

import (
	"errors"
	"time"
)

// Trigger is a compiled [Spec]. It does not change after [Compile] and may be
// used from several goroutines.
type Trigger struct {
	spec Spec
	cron *Cron          // cron only
	zone *time.Location // cron only
	kept *calendared    // with a calendar only
}

// Compile checks a spec and prepares it for use. Every H in a cron expression
// is resolved with seed, which should name the job for good.
//
// The error is a *ParseError for the expression, otherwise a *SpecError. A
// trigger that can never fire is no error here, so that a preview can say so;
// whoever saves a job refuses it by [Trigger.Never].
func Compile(spec Spec, seed string) (*Trigger, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}
	spec.StartAt = stored(spec.StartAt)
	spec.EndAt = stored(spec.EndAt)
	t := &Trigger{spec: spec}
	if spec.Kind != KindCron {
		return t, nil
	}
	var err error
	if t.cron, err = ParseCron(spec.Expression, seed); err != nil {
		return nil, err
	}
	if t.zone, err = LoadZone(spec.Zone); err != nil {
		var zoneError *ZoneError
		errors.As(err, &zoneError)
		return nil, &SpecError{Field: "zone", Message: zoneError.Message, cause: err}
	}
	if spec.Calendar != nil {
		t.kept = &calendared{cron: t.cron, zone: t.zone, calendar: spec.Calendar, rule: spec.OnRestDay}
	}
	return t, nil
}

// stored cuts an instant to the precision instants are stored with.
func stored(at time.Time) time.Time {
	if at.IsZero() {
		return time.Time{}
	}
	return at.UTC().Truncate(precision)
}

// Kind returns what makes the trigger fire.
func (t *Trigger) Kind() Kind { return t.spec.Kind }

// Cron returns the compiled expression, nil unless the kind is cron.
func (t *Trigger) Cron() *Cron { return t.cron }

// Zone returns the zone the expression is read in; UTC unless the kind is cron.
func (t *Trigger) Zone() *time.Location {
	if t.zone == nil {
		return time.UTC
	}
	return t.zone
}

// Next returns the first nominal fire strictly after the given instant, in
// UTC. It is false if there is none, and always for fixed delay and manual,
// whose next fire does not depend on the clock.
//
// A cron trigger with a calendar fires as that leaves it: see calendar_dates.go.
// Its bounds are those of the fires as they happen, not of what they were moved
// from.
//
// A fixed rate fires on a grid anchored at StartAt, or else at the Unix epoch,
// so that restarts never shift its phase.
func (t *Trigger) Next(after time.Time) (time.Time, bool) {
	if start := t.spec.StartAt; !start.IsZero() && after.Before(start) {
		after = start.Add(-1)
	}
	var next time.Time
	var ok bool
	switch t.spec.Kind {
	case KindCron:
		next, ok = t.nextCron(after)
	case KindFixedRate:
		next, ok = t.nextOnGrid(after)
	case KindFixedDelay, KindManual:
		return time.Time{}, false
	}
	if end := t.spec.EndAt; !ok || !end.IsZero() && next.After(end) {
		return time.Time{}, false
	}
	return next, true
}

func (t *Trigger) nextCron(after time.Time) (time.Time, bool) {
	if t.kept == nil {
		return t.cron.Next(after, t.zone)
	}
	next, ok := t.kept.next(after.Unix())
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(next, 0).UTC(), true
}

// nextOnGrid counts in microseconds: nanoseconds since an anchor would
// overflow after 292 years.
func (t *Trigger) nextOnGrid(after time.Time) (time.Time, bool) {
	if after.Unix() >= lastInstant {
		return time.Time{}, false
	}
	var anchor int64
	if !t.spec.StartAt.IsZero() {
		anchor = t.spec.StartAt.UnixMicro()
	}
	every := t.spec.Every.Microseconds()
	from := max(after.Unix(), firstInstant)*1e6 + int64(after.Nanosecond())/1000 - anchor
	steps := from / every
	if from%every < 0 {
		steps--
	}
	next := time.UnixMicro(anchor + (steps+1)*every).UTC()
	return next, next.Unix() <= lastInstant
}

// JitterFor returns by how much one nominal fire is put off: a stable duration
// in [0, Jitter), in whole microseconds, drawn from the seed and the fire.
func (t *Trigger) JitterFor(fire time.Time, seed string) time.Duration {
	return hashJitter(seed, fire, t.spec.Jitter)
}

// MaxPreview bounds the fires of one preview.
const MaxPreview = 10_000

// Preview returns the next fires strictly after the given instant, at most
// count and at most MaxPreview. It is empty, not nil, if there are none.
func (t *Trigger) Preview(after time.Time, count int) []time.Time {
	count = min(max(count, 0), MaxPreview)
	fires := make([]time.Time, 0, count)
	for len(fires) < count {
		next, ok := t.Next(after)
		if !ok {
			break
		}
		fires = append(fires, next)
		after = next
	}
	return fires
}

// Never reports whether a cron or fixed-rate trigger has no fire at all
// between its bounds, whatever the time is now. Fixed delay and manual
// triggers do not answer to the clock and are never "never".
func (t *Trigger) Never() bool {
	switch t.spec.Kind {
	case KindFixedDelay, KindManual:
		return false
	case KindCron, KindFixedRate:
	}
	_, ok := t.Next(time.Time{})
	return !ok
}
