package alert

import (
	"context"
	"encoding/json"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/desk"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// SilenceInput is a new silence.
type SilenceInput struct {
	Kind         models.SilenceKind
	Scope        models.AlertScope
	RuleID       string // empty: of all rules
	Reason       string
	StartsAt     *time.Time // nil: now
	EndsAt       *time.Time // nil only when it recurs
	Recurrence   *models.SilenceRecurrence
	RemindBefore time.Duration // 0: never
}

const longestSilence = check.Year

// CreateSilence makes a silence. Faults, all those of the input at once: INVALID,
// REQUIRED, NOT_FOUND, LIMIT.
func (s *Service) CreateSilence(ctx context.Context, actor string, in SilenceInput) (models.Silence, error) {
	now := s.clock.Now()
	row := models.Silence{
		ID: models.NewID(now), Kind: in.Kind, Scope: in.Scope, Reason: in.Reason, Author: actor, StartsAt: now, EndsAt: in.EndsAt,
		Recurrence: in.Recurrence, RemindMS: in.RemindBefore.Milliseconds(), CreatedAt: now,
	}
	if in.StartsAt != nil {
		row.StartsAt = *in.StartsAt
	}
	wrong := checkSilence(&row, now)
	more, err := s.resolveScope(ctx, "scope", &row.Scope)
	if err != nil {
		return models.Silence{}, err
	}
	wrong = append(wrong, more...)
	if in.RuleID != "" {
		row.RuleID = &in.RuleID
		_, err := s.store.AlertRule(ctx, in.RuleID)
		switch {
		case fault.Is(err, fault.NotFound):
			wrong.Add(fault.At("rule", fault.NotFound, "There is no alert rule %s; choose one of the list.", check.Quote(in.RuleID)))
		case err != nil:
			return models.Silence{}, err
		}
	}
	if err := wrong.Err(); err != nil {
		return models.Silence{}, err
	}
	detail := map[string]any{"reason": row.Reason, "scope": row.Scope.Kind.String()}
	if err := s.store.CreateSilence(ctx, row, now, record(now, actor, "silence.create", "silence", row.ID, detail)); err != nil {
		return models.Silence{}, err
	}
	s.notify.AlertsEdited(ctx)
	return row, nil
}

func checkSilence(row *models.Silence, now time.Time) (wrong fault.List) {
	wrong.Add(check.Line("reason", row.Reason, 500))
	wrong.Add(check.Instant("startsAt", row.StartsAt))
	switch {
	case row.EndsAt == nil && row.Recurrence == nil:
		wrong.Add(fault.At("endsAt", fault.Required, "endsAt is missing; a silence that does not recur must end."))
	case row.EndsAt != nil && !row.EndsAt.After(row.StartsAt):
		wrong.Add(fault.At("endsAt", fault.Invalid, "endsAt is %s, not after startsAt; choose a later instant.", row.EndsAt.UTC().Format(time.RFC3339)))
	case row.EndsAt != nil && !row.EndsAt.After(now):
		wrong.Add(fault.At("endsAt", fault.Invalid, "endsAt is %s, which is past; choose a later instant.", row.EndsAt.UTC().Format(time.RFC3339)))
	case row.EndsAt != nil && row.Recurrence == nil && row.EndsAt.Sub(row.StartsAt) > longestSilence:
		wrong.Add(fault.At("endsAt", fault.Invalid, "endsAt is %s, more than %s after startsAt; choose an earlier instant, or switch the rule off.", row.EndsAt.UTC().Format(time.RFC3339), check.Words(longestSilence)))
	}
	if row.EndsAt != nil {
		wrong.Add(check.Instant("endsAt", *row.EndsAt))
	}
	if row.RemindMS != 0 {
		wrong.Add(check.Span("remindBefore", ms(row.RemindMS), time.Minute, 7*24*time.Hour))
	}
	if r := row.Recurrence; r != nil {
		wrong = append(wrong, checkTimes("recurrence.", map[string]string{"from": r.From, "to": r.To})...)
		if _, err := time.LoadLocation(r.Zone); err != nil || r.Zone == "" || r.Zone == "Local" {
			wrong.Add(fault.At("recurrence.zone", fault.Invalid, "recurrence.zone is %s; it must be UTC or an IANA name such as Europe/Berlin.", check.Quote(r.Zone)))
		}
		if from, err := timetable.MinuteOfDay(r.From); err == nil && r.Days == 0 {
			if to, err := timetable.MinuteOfDay(r.To); err == nil && from == to {
				wrong.Add(fault.At("recurrence.to", fault.Invalid, "recurrence.to is %s, as recurrence.from, on every day: that is always. Name days, or switch the rule off.", r.To))
			}
		}
	}
	return wrong
}

// EndSilence ends a silence now. Fault: NOT_FOUND.
func (s *Service) EndSilence(ctx context.Context, actor, id string) (models.Silence, error) {
	now := s.clock.Now()
	row, err := s.store.EndSilence(ctx, id, now, record(now, actor, "silence.end", "silence", id, nil))
	if err != nil {
		return models.Silence{}, err
	}
	s.notify.AlertsEdited(ctx)
	return row, nil
}

// SilenceView is a silence as it stands.
type SilenceView struct {
	models.Silence
	Active      bool
	ActiveUntil *time.Time // nil while it is not active
}

// Silences answers silences, newest first, at most 1,000: those that are active now, those
// that are not, or all for nil.
func (s *Service) Silences(ctx context.Context, active *bool) ([]SilenceView, error) {
	rows, err := s.store.Silences(ctx)
	if err != nil {
		return nil, err
	}
	var views []SilenceView
	for i := range rows {
		if v := s.View(rows[i]); active == nil || *active == v.Active {
			views = append(views, v)
		}
	}
	return views, nil
}

// View says whether a silence is active now. One that cannot be read is not.
func (s *Service) View(row models.Silence) SilenceView {
	v := SilenceView{Silence: row}
	compiled, err := desk.CompileSilence(row)
	if err != nil {
		return v
	}
	if until, active := compiled.Active(s.clock.Now()); active {
		v.Active, v.ActiveUntil = true, &until
	}
	return v
}

// SilencesByIDs answers the silences that exist among ids, in no order.
func (s *Service) SilencesByIDs(ctx context.Context, ids []string) ([]SilenceView, error) {
	rows, err := s.store.SilencesByIDs(ctx, ids)
	views := make([]SilenceView, len(rows))
	for i := range rows {
		views[i] = s.View(rows[i])
	}
	return views, err
}

// CheckLabels checks the labels of a scope: an object of at most 32 strings. Fault:
// INVALID.
func CheckLabels(path string, labels json.RawMessage) error {
	if bad := check.Labels(path, labels); bad != nil {
		return bad
	}
	return nil
}
