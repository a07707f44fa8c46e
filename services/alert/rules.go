package alert

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/desk"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

// CreateRule makes a rule. Faults, all those of the input at once: INVALID, REQUIRED,
// NOT_FOUND, TAKEN (name), LIMIT.
func (s *Service) CreateRule(ctx context.Context, actor string, in RuleInput) (models.AlertRule, error) {
	now := s.clock.Now()
	r := models.AlertRule{ID: models.NewID(now), Version: 1, CreatedBy: actor, CreatedAt: now, UpdatedAt: now}
	if err := s.apply(ctx, &in, &r); err != nil {
		return models.AlertRule{}, err
	}
	if err := s.store.CreateAlertRule(ctx, r, record(now, actor, "alert_rule.create", "alert_rule", r.ID, map[string]any{"name": r.Name})); err != nil {
		return models.AlertRule{}, err
	}
	s.notify.AlertsEdited(ctx)
	return r, nil
}

// UpdateRule replaces what a rule says. Incidents that it does not know any more are
// closed. Faults as of CreateRule, and CONFLICT when the version differs, NOT_FOUND.
func (s *Service) UpdateRule(ctx context.Context, actor, id string, in RuleInput) (models.AlertRule, error) {
	checked := models.AlertRule{ID: id}
	if err := s.apply(ctx, &in, &checked); err != nil {
		return models.AlertRule{}, err
	}
	return s.edit(ctx, id, func(r *models.AlertRule, now time.Time) (models.Audit, string, error) {
		if in.Version != nil && *in.Version != r.Version {
			return models.Audit{}, "", fault.At("version", fault.Conflict, "The rule has version %d by now, not %d; read it again and repeat the change.", r.Version, *in.Version)
		}
		before := *r
		r.Name, r.Description, r.Enabled, r.Spec = checked.Name, checked.Description, checked.Enabled, checked.Spec
		return record(now, actor, "alert_rule.update", "alert_rule", id, diffRules(&before, r)), "The rule was changed by " + actor + " and is not about this any more.", nil
	})
}

// SetRuleEnabled switches a rule on or off; switched off, its open incidents are closed.
// Fault: NOT_FOUND.
func (s *Service) SetRuleEnabled(ctx context.Context, actor, id string, enabled bool) (models.AlertRule, error) {
	action := "alert_rule.disable"
	if enabled {
		action = "alert_rule.enable"
	}
	return s.edit(ctx, id, func(r *models.AlertRule, now time.Time) (models.Audit, string, error) {
		r.Enabled = enabled
		return record(now, actor, action, "alert_rule", id, nil), "The rule was switched off by " + actor + ".", nil
	})
}

// edit changes a rule under its lock.
func (s *Service) edit(ctx context.Context, id string, change func(*models.AlertRule, time.Time) (audit models.Audit, why string, err error)) (models.AlertRule, error) {
	saved, closed, err := s.store.UpdateAlertRule(ctx, id, func(r *models.AlertRule) (store.RuleEdit, error) {
		now := s.clock.Now()
		audit, why, err := change(r, now)
		if err != nil {
			return store.RuleEdit{}, err
		}
		r.UpdatedAt = now
		after := *r
		return store.RuleEdit{Audit: audit, At: now, Over: func(i *models.Incident) string {
			if desk.Keeps(&after, i) {
				return ""
			}
			return why
		}}, nil
	})
	if err != nil {
		return models.AlertRule{}, err
	}
	s.told(ctx, closed)
	return saved, nil
}

// DeleteRule takes a rule away; its open incidents are closed, its history stays. Fault:
// NOT_FOUND.
func (s *Service) DeleteRule(ctx context.Context, actor, id string) (models.AlertRule, error) {
	now := s.clock.Now()
	gone, closed, err := s.store.DeleteAlertRule(ctx, id, now, "The rule was deleted by "+actor+".", record(now, actor, "alert_rule.delete", "alert_rule", id, nil))
	if err != nil {
		return models.AlertRule{}, err
	}
	s.told(ctx, closed)
	return gone, nil
}

// told tells others that rules and incidents have changed.
func (s *Service) told(ctx context.Context, incidents []string) {
	s.notify.AlertsEdited(ctx)
	if len(incidents) > 0 {
		s.notify.IncidentsChanged(ctx, incidents)
	}
}

// Rule answers one rule. Fault: NOT_FOUND.
func (s *Service) Rule(ctx context.Context, id string) (models.AlertRule, error) {
	return s.store.AlertRule(ctx, id)
}

// Rules answers the rules that are about an app alone, or all for an empty id, by name.
func (s *Service) Rules(ctx context.Context, appID string) ([]models.AlertRule, error) {
	rows, err := s.store.AlertRules(ctx)
	if err != nil || appID == "" {
		return rows, err
	}
	var of []models.AlertRule
	for i := range rows {
		if rows[i].Spec.Scope.AppID == appID {
			of = append(of, rows[i])
		}
	}
	return of, nil
}

// RulesByIDs answers the rules that exist among ids, in no order.
func (s *Service) RulesByIDs(ctx context.Context, ids []string) ([]models.AlertRule, error) {
	return s.store.AlertRulesByIDs(ctx, ids)
}

// OpenIncidents answers how many incidents of each of these rules are not resolved.
func (s *Service) OpenIncidents(ctx context.Context, ruleIDs []string) (map[string]int, error) {
	return s.store.CountIncidentsByRule(ctx, ruleIDs)
}

// diffRules is what changed, as the audit log shows it.
func diffRules(before, after *models.AlertRule) map[string]any {
	changed := map[string]any{}
	note := func(field string, from, to any) {
		if fmt.Sprint(from) != fmt.Sprint(to) {
			changed[field] = map[string]any{"from": from, "to": to}
		}
	}
	note("name", before.Name, after.Name)
	note("description", before.Description, after.Description)
	note("enabled", before.Enabled, after.Enabled)
	was, is := fields(&before.Spec), fields(&after.Spec)
	for field := range is {
		note(field, was[field], is[field])
	}
	for field := range was {
		if _, stays := is[field]; !stays {
			note(field, was[field], nil)
		}
	}
	return changed
}

func fields(spec *models.AlertSpec) map[string]any {
	all := map[string]any{}
	if raw, err := json.Marshal(spec); err == nil { // plain values always marshal
		_ = json.Unmarshal(raw, &all)
	}
	return all
}
