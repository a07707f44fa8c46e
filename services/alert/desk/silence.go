package desk

import (
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// Silence is a silence made ready for use.
type Silence struct {
	models.Silence
	span span
	zone *time.Location // nil: it does not recur
}

// CompileSilence makes a silence ready. It fails on a row that somebody wrote by hand.
func CompileSilence(row models.Silence) (*Silence, error) {
	s := &Silence{Silence: row}
	r := row.Recurrence
	if r == nil {
		return s, nil
	}
	var err error
	if s.span, err = spanOf(r.Days, r.From, r.To); err != nil {
		return nil, fmt.Errorf("reading the recurrence of the silence %s: %w", row.ID, err)
	}
	if s.zone, err = time.LoadLocation(r.Zone); err != nil {
		return nil, fmt.Errorf("reading the zone of the silence %s: %w", row.ID, err)
	}
	return s, nil
}

// Active says whether the silence holds at an instant, and until when this time.
func (s *Silence) Active(at time.Time) (until time.Time, active bool) {
	if at.Before(s.StartsAt) || s.EndsAt != nil && !at.Before(*s.EndsAt) {
		return time.Time{}, false
	}
	if s.zone == nil {
		if s.EndsAt == nil { // only a row that somebody wrote by hand
			return time.Time{}, false
		}
		return *s.EndsAt, true
	}
	if !s.span.holds(at, s.zone) {
		return time.Time{}, false
	}
	until = s.span.until(at, s.zone)
	if s.EndsAt != nil && s.EndsAt.Before(until) {
		until = *s.EndsAt
	}
	return until, true
}

// Reminds says whether people are to be reminded at an instant that the silence ends soon,
// and of which end.
func (s *Silence) Reminds(at time.Time) (end time.Time, due bool) {
	end, active := s.Active(at)
	if !active || s.RemindMS == 0 || at.Before(end.Add(-ms(s.RemindMS))) {
		return end, false
	}
	return end, s.RemindedAt == nil || s.RemindedAt.Before(end)
}

// Over says whether the silence can never hold again.
func (s *Silence) Over(at time.Time) bool { return s.EndsAt != nil && !at.Before(*s.EndsAt) }

// covers says whether the silence is about an incident.
func (s *Silence) covers(i *models.Incident, of *Subject) bool {
	return (s.RuleID == nil || *s.RuleID == i.RuleID) && Covers(&s.Scope, of)
}
