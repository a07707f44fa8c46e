package alert

import (
	"context"
	"encoding/json"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/desk"
	"github.com/belfry-scheduler/belfry/services/alert/watch"
)

// Watched answers what the enabled rules want to be watched for.
func (s *Service) Watched(ctx context.Context) ([]watch.Condition, error) {
	rules, err := s.store.AlertRules(ctx)
	if err != nil {
		return nil, err
	}
	var all []watch.Condition
	for i := range rules {
		if rules[i].Enabled {
			all = append(all, watched(&rules[i])...)
		}
	}
	return all, nil
}

// watched are the conditions of one rule that are no ends of attempts.
func watched(r *models.AlertRule) []watch.Condition {
	scope := r.Spec.Scope
	jobs := func(j *models.Job) bool {
		of := desk.Subject{AppID: j.AppID, GroupID: j.GroupID, JobID: j.ID}
		if scope.Kind == models.ScopeLabels && len(j.Labels) > 0 && json.Unmarshal(j.Labels, &of.Labels) != nil {
			return false // labels written by hand match nothing
		}
		return desk.Covers(&scope, &of)
	}
	groups := func(g *models.NodeGroup) bool {
		return desk.Covers(&scope, &desk.Subject{AppID: g.AppID, GroupID: g.ID})
	}
	if scope.Kind == models.ScopeAll {
		jobs, groups = nil, nil
	}
	var all []watch.Condition
	for i := range r.Spec.Conditions {
		c := &r.Spec.Conditions[i]
		if c.Event.EndsWithRecovery() {
			continue
		}
		all = append(all, watch.Condition{
			RuleID: r.ID, Kind: c.Event, Since: r.UpdatedAt, Jobs: jobs, Groups: groups, LongerThan: ms(c.LongerMS), Factor: c.Factor,
			By: c.By, Zone: r.Spec.Zone, Depth: c.Depth, Age: ms(c.AgeMS),
		})
	}
	return all
}
