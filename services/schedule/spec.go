package schedule

import (
	"fmt"
	"time"
)

// Kind says what makes a trigger fire.
type Kind string

// The kinds of trigger this package knows. Only cron and fixed rate have fires
// that can be computed ahead.
const (
	KindCron       Kind = "CRON"
	KindFixedRate  Kind = "FIXED_RATE"  // on a grid of equal steps
	KindFixedDelay Kind = "FIXED_DELAY" // some time after the last run ended
	KindManual     Kind = "MANUAL"      // by a person, the API or an SDK
)

// Bounds of a spec.
const (
	MinPeriod = time.Millisecond      // shortest Every and Delay
	MaxPeriod = 3660 * 24 * time.Hour // longest Every and Delay, ten years
	MaxJitter = 7 * 24 * time.Hour    // longest Jitter
	precision = time.Microsecond      // of every instant, as stored
	gridUnit  = time.Millisecond      // Every, Delay and Jitter are multiples of it
)

// Spec describes a trigger as it is stored. Fields that do not belong to the
// kind must be zero.
type Spec struct {
	Kind       Kind
	Expression string        // cron: see ParseCron
	Zone       string        // cron: IANA name, empty for UTC
	Every      time.Duration // fixed rate: the step of the grid, whole milliseconds
	Delay      time.Duration // fixed delay: from the end of a run to the next start, whole milliseconds
	StartAt    time.Time     // cron, fixed rate: no fire before it; also the anchor of a fixed rate's grid; zero: none
	EndAt      time.Time     // cron, fixed rate: no fire after it; a fire at it is the last; zero: none
	Jitter     time.Duration // each fire may start up to so much later, whole milliseconds
	Calendar   *Calendar     // cron: when it may fire; nil: always
	OnRestDay  RestRule      // cron with a calendar: what becomes of fires on rest days; empty: SKIP
}

// SpecError says which field of a Spec is wrong and what is allowed there.
type SpecError struct {
	Field   string // kind, zone, every, delay, startAt, endAt, jitter, expression, calendar, onRestDay
	Message string // a sentence without final stop that names the remedy
	cause   error
}

// Error implements error.
func (e *SpecError) Error() string { return e.Message }

// Unwrap returns the *ZoneError behind a zone that was refused.
func (e *SpecError) Unwrap() error { return e.cause }

func specError(field, format string, args ...any) error {
	return &SpecError{Field: field, Message: fmt.Sprintf(format, args...)}
}

// check validates all but the expression and the zone.
func (s *Spec) check() error {
	for _, rule := range []func() error{s.checkKind, s.checkForeign, s.checkDurations, s.checkBounds} {
		if err := rule(); err != nil {
			return err
		}
	}
	return nil
}

func (s *Spec) checkKind() error {
	switch s.Kind {
	case KindCron, KindFixedRate, KindFixedDelay, KindManual:
		return nil
	}
	return specError("kind", "unknown trigger kind %q; there are %s, %s, %s and %s", s.Kind, KindCron, KindFixedRate, KindFixedDelay, KindManual)
}

// checkForeign refuses fields of another kind: a value that is silently
// ignored would be believed in.
func (s *Spec) checkForeign() error {
	timed := s.Kind == KindCron || s.Kind == KindFixedRate
	foreign := []struct {
		field string
		set   bool
	}{
		{"expression", s.Expression != "" && s.Kind != KindCron},
		{"zone", s.Zone != "" && s.Kind != KindCron},
		{"every", s.Every != 0 && s.Kind != KindFixedRate},
		{"delay", s.Delay != 0 && s.Kind != KindFixedDelay},
		{"startAt", !s.StartAt.IsZero() && !timed},
		{"endAt", !s.EndAt.IsZero() && !timed},
		{"jitter", s.Jitter != 0 && !timed},
		{"calendar", s.Calendar != nil && s.Kind != KindCron},
		{"onRestDay", s.OnRestDay != "" && s.Kind != KindCron},
	}
	for _, f := range foreign {
		if f.set {
			return specError(f.field, "%s does not belong to a trigger of kind %s; leave it out", f.field, s.Kind)
		}
	}
	return s.checkRestRule()
}

func (s *Spec) checkRestRule() error {
	switch s.OnRestDay {
	case "", RestSkip:
		return nil
	case RestNext, RestPrevious:
		if s.Calendar == nil {
			return specError("onRestDay", "onRestDay is %s, but there is no calendar that names rest days; choose one or leave onRestDay out", s.OnRestDay)
		}
		return nil
	}
	return specError("onRestDay", "unknown rule %q; there are %s, %s and %s", s.OnRestDay, RestSkip, RestNext, RestPrevious)
}

func (s *Spec) checkDurations() error {
	if s.Kind == KindFixedRate {
		if err := checkDuration("every", s.Every, MinPeriod, MaxPeriod); err != nil {
			return err
		}
	}
	if s.Kind == KindFixedDelay {
		if err := checkDuration("delay", s.Delay, MinPeriod, MaxPeriod); err != nil {
			return err
		}
	}
	if err := checkDuration("jitter", s.Jitter, 0, MaxJitter); err != nil {
		return err
	}
	if s.Kind == KindFixedRate && s.Jitter > s.Every {
		return specError("jitter", "jitter %s is longer than the period %s; fires would overtake each other: use at most the period", s.Jitter, s.Every)
	}
	return nil
}

func checkDuration(field string, value, low, high time.Duration) error {
	if value < low || value > high {
		return specError(field, "%s %s is out of range; use %s to %s", field, value, low, high)
	}
	if value%gridUnit != 0 {
		return specError(field, "%s %s has a part below a millisecond; use whole milliseconds", field, value)
	}
	return nil
}

func (s *Spec) checkBounds() error {
	for _, bound := range []struct {
		field string
		at    time.Time
	}{{"startAt", s.StartAt}, {"endAt", s.EndAt}} {
		if year := bound.at.UTC().Year(); !bound.at.IsZero() && (year < minYear || year > lastYear) {
			return specError(bound.field, "%s is in the year %d; use %d to %d", bound.field, year, minYear, lastYear)
		}
	}
	if !s.StartAt.IsZero() && !s.EndAt.IsZero() && s.EndAt.Before(s.StartAt) {
		return specError("endAt", "endAt %s is before startAt %s; exchange them", s.EndAt.UTC().Format(time.RFC3339), s.StartAt.UTC().Format(time.RFC3339))
	}
	return nil
}
