package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Channels is the resolver for AlertRoute.channels.
func (r *alertRouteResolver) Channels(ctx context.Context, obj *gqlmodel.AlertRoute) ([]*gqlmodel.AlertChannel, error) {
	return r.channelsNamed(ctx, obj.Row.Channels)
}

// People is the resolver for AlertRoute.people.
func (r *alertRouteResolver) People(ctx context.Context, obj *gqlmodel.AlertRoute) ([]*gqlmodel.Person, error) {
	return r.peopleNamed(ctx, obj.Row.People)
}

// Channels is the resolver for Escalation.channels.
func (r *escalationResolver) Channels(ctx context.Context, obj *gqlmodel.Escalation) ([]*gqlmodel.AlertChannel, error) {
	return r.channelsNamed(ctx, obj.Row.Channels)
}

// People is the resolver for Escalation.people.
func (r *escalationResolver) People(ctx context.Context, obj *gqlmodel.Escalation) ([]*gqlmodel.Person, error) {
	return r.peopleNamed(ctx, obj.Row.People)
}

// Notifications is the resolver for Incident.notifications.
func (r *incidentResolver) Notifications(ctx context.Context, obj *gqlmodel.Incident) ([]*gqlmodel.Notification, error) {
	if !seesAll(ctx) { // a message may tell of other apps too
		return nil, nil
	}
	rows, err := r.loaders(ctx).incidentNotes.load(ctx, obj.ID, incidentNotes)
	return each(rows, noteOf), err
}

// Rule is the resolver for Notification.rule.
func (r *notificationResolver) Rule(ctx context.Context, obj *gqlmodel.Notification) (*gqlmodel.AlertRule, error) {
	return r.alertRule(ctx, obj.Row.RuleID)
}

// Incidents is the resolver for Notification.incidents.
func (r *notificationResolver) Incidents(ctx context.Context, obj *gqlmodel.Notification) ([]*gqlmodel.Incident, error) {
	return r.incidentsTold(ctx, obj.Row.IncidentIDs)
}

// OpenIncidents is the resolver for AlertRule.openIncidents.
func (r *alertRuleResolver) OpenIncidents(ctx context.Context, obj *gqlmodel.AlertRule) (int, error) {
	n, _, err := r.loaders(ctx).ruleIncidents.Load(ctx, obj.ID)
	return n, err
}

// App is the resolver for AlertScope.app.
func (r *alertScopeResolver) App(ctx context.Context, obj *gqlmodel.AlertScope) (*gqlmodel.App, error) {
	if obj.Row.AppID == "" {
		return nil, nil //nolint:nilnil // absent is an answer: the schema says null
	}
	row, _, err := r.loaders(ctx).apps.Load(ctx, obj.Row.AppID)
	return appOf(row), err
}

// Group is the resolver for AlertScope.group.
func (r *alertScopeResolver) Group(ctx context.Context, obj *gqlmodel.AlertScope) (*gqlmodel.NodeGroup, error) {
	return r.groupIfAny(ctx, text(obj.Row.GroupID))
}

// Job is the resolver for AlertScope.job.
func (r *alertScopeResolver) Job(ctx context.Context, obj *gqlmodel.AlertScope) (*gqlmodel.Job, error) {
	return r.jobIfAny(ctx, text(obj.Row.JobID))
}

// Rule is the resolver for Incident.rule.
func (r *incidentResolver) Rule(ctx context.Context, obj *gqlmodel.Incident) (*gqlmodel.AlertRule, error) {
	return r.alertRule(ctx, &obj.Row.RuleID)
}

// SilencedBy is the resolver for Incident.silencedBy.
func (r *incidentResolver) SilencedBy(ctx context.Context, obj *gqlmodel.Incident) (*gqlmodel.Silence, error) {
	if obj.Row.SilenceID == nil || !seesAll(ctx) {
		return nil, nil //nolint:nilnil // absent is an answer: the schema says null
	}
	row, _, err := r.loaders(ctx).silences.Load(ctx, *obj.Row.SilenceID)
	return silenceOf(row), err
}

// Job is the resolver for Incident.job.
func (r *incidentResolver) Job(ctx context.Context, obj *gqlmodel.Incident) (*gqlmodel.Job, error) {
	return r.jobIfAny(ctx, obj.Row.JobID)
}

// Group is the resolver for Incident.group.
func (r *incidentResolver) Group(ctx context.Context, obj *gqlmodel.Incident) (*gqlmodel.NodeGroup, error) {
	return r.groupIfAny(ctx, obj.Row.GroupID)
}

// Node is the resolver for Incident.node.
func (r *incidentResolver) Node(ctx context.Context, obj *gqlmodel.Incident) (*gqlmodel.Node, error) {
	return r.node(ctx, obj.Row.NodeID)
}

// LastTask is the resolver for Incident.lastTask.
func (r *incidentResolver) LastTask(ctx context.Context, obj *gqlmodel.Incident) (*gqlmodel.Task, error) {
	return r.task(ctx, obj.Row.LastTaskID)
}

// Timeline is the resolver for Incident.timeline.
func (r *incidentResolver) Timeline(ctx context.Context, obj *gqlmodel.Incident, first *int, after *string) (*gqlmodel.IncidentEntryConnection, error) {
	return r.timelinePage(ctx, obj.ID, page.Args{First: first, After: after})
}

// Task is the resolver for IncidentEntry.task.
func (r *incidentEntryResolver) Task(ctx context.Context, obj *gqlmodel.IncidentEntry) (*gqlmodel.Task, error) {
	return r.task(ctx, obj.TaskID)
}

// Node is the resolver for IncidentEntry.node.
func (r *incidentEntryResolver) Node(ctx context.Context, obj *gqlmodel.IncidentEntry) (*string, error) {
	row, err := r.node(ctx, obj.NodeID)
	if err != nil || row == nil {
		return obj.NodeID, err
	}
	return &row.Name, nil
}

// CreateAlertRule is the resolver for Mutation.createAlertRule.
func (r *mutationResolver) CreateAlertRule(ctx context.Context, input gqlmodel.AlertRuleInput) (*gqlmodel.AlertRulePayload, error) {
	in, err := alertRuleInput(&input)
	if err != nil {
		return alertRulePayload(models.AlertRule{})(inInput("id", err))
	}
	saved, err := r.services.Alerts.CreateRule(ctx, actor(ctx), in)
	return alertRulePayload(saved)(inInput("id", err))
}

// UpdateAlertRule is the resolver for Mutation.updateAlertRule.
func (r *mutationResolver) UpdateAlertRule(ctx context.Context, id string, input gqlmodel.AlertRuleInput) (*gqlmodel.AlertRulePayload, error) {
	in, err := alertRuleInput(&input)
	if err != nil {
		return alertRulePayload(models.AlertRule{})(inInput("id", err))
	}
	saved, err := r.services.Alerts.UpdateRule(ctx, actor(ctx), id, in)
	if isMissing(err) {
		return alertRulePayload(saved)(inArgument("id", err))
	}
	return alertRulePayload(saved)(inInput("id", err))
}

// DeleteAlertRule is the resolver for Mutation.deleteAlertRule.
func (r *mutationResolver) DeleteAlertRule(ctx context.Context, id string) (*gqlmodel.AlertRulePayload, error) {
	gone, err := r.services.Alerts.DeleteRule(ctx, actor(ctx), id)
	return alertRulePayload(gone)(inArgument("id", err))
}

// EnableAlertRule is the resolver for Mutation.enableAlertRule.
func (r *mutationResolver) EnableAlertRule(ctx context.Context, id string) (*gqlmodel.AlertRulePayload, error) {
	saved, err := r.services.Alerts.SetRuleEnabled(ctx, actor(ctx), id, true)
	return alertRulePayload(saved)(inArgument("id", err))
}

// DisableAlertRule is the resolver for Mutation.disableAlertRule.
func (r *mutationResolver) DisableAlertRule(ctx context.Context, id string) (*gqlmodel.AlertRulePayload, error) {
	saved, err := r.services.Alerts.SetRuleEnabled(ctx, actor(ctx), id, false)
	return alertRulePayload(saved)(inArgument("id", err))
}

// AcknowledgeIncident is the resolver for Mutation.acknowledgeIncident.
func (r *mutationResolver) AcknowledgeIncident(ctx context.Context, id string, comment *string) (*gqlmodel.IncidentPayload, error) {
	after, err := r.services.Alerts.Acknowledge(ctx, actor(ctx), id, or(comment, ""))
	return incidentPayload(after)(inArgument("id", err))
}

// UnacknowledgeIncident is the resolver for Mutation.unacknowledgeIncident.
func (r *mutationResolver) UnacknowledgeIncident(ctx context.Context, id string) (*gqlmodel.IncidentPayload, error) {
	after, err := r.services.Alerts.Unacknowledge(ctx, actor(ctx), id)
	return incidentPayload(after)(inArgument("id", err))
}

// ResolveIncident is the resolver for Mutation.resolveIncident.
func (r *mutationResolver) ResolveIncident(ctx context.Context, id string, comment *string) (*gqlmodel.IncidentPayload, error) {
	after, err := r.services.Alerts.Resolve(ctx, actor(ctx), id, or(comment, ""))
	return incidentPayload(after)(inArgument("id", err))
}

// CommentIncident is the resolver for Mutation.commentIncident.
func (r *mutationResolver) CommentIncident(ctx context.Context, id string, comment string) (*gqlmodel.IncidentPayload, error) {
	after, err := r.services.Alerts.Comment(ctx, actor(ctx), id, comment)
	return incidentPayload(after)(inArgument("id", err))
}

// CreateSilence is the resolver for Mutation.createSilence.
func (r *mutationResolver) CreateSilence(ctx context.Context, input gqlmodel.SilenceInput) (*gqlmodel.SilencePayload, error) {
	in, err := silenceInput(&input)
	if err != nil {
		return r.silencePayload(models.Silence{})(inInput("id", err))
	}
	made, err := r.services.Alerts.CreateSilence(ctx, actor(ctx), in)
	return r.silencePayload(made)(inInput("id", err))
}

// EndSilence is the resolver for Mutation.endSilence.
func (r *mutationResolver) EndSilence(ctx context.Context, id string) (*gqlmodel.SilencePayload, error) {
	ended, err := r.services.Alerts.EndSilence(ctx, actor(ctx), id)
	return r.silencePayload(ended)(inArgument("id", err))
}

// AlertRules is the resolver for Query.alertRules.
func (r *queryResolver) AlertRules(ctx context.Context, app *string) ([]*gqlmodel.AlertRule, error) {
	rows, err := r.services.Alerts.Rules(ctx, or(app, ""))
	r.loaders(ctx).seeAlertRules(pointers(rows))
	return each(rows, alertRuleOf), err
}

// AlertRule is the resolver for Query.alertRule.
func (r *queryResolver) AlertRule(ctx context.Context, id string) (*gqlmodel.AlertRule, error) {
	return found(alertRuleOf)(r.services.Alerts.Rule(ctx, id))
}

// AlertRuleTrial is the resolver for Query.alertRuleTrial.
func (r *queryResolver) AlertRuleTrial(ctx context.Context, input gqlmodel.AlertRuleInput, days *int) (*gqlmodel.AlertTrial, error) {
	in, err := alertRuleInput(&input)
	if err != nil {
		return nil, fault.Prefix("input", err)
	}
	t, err := r.services.Alerts.Trial(ctx, in, or(days, normalTrialDays))
	if err != nil {
		return nil, err
	}
	return trialOf(&t), nil
}

// Incidents is the resolver for Query.incidents.
func (r *queryResolver) Incidents(ctx context.Context, first *int, after *string, filter *gqlmodel.IncidentFilter) (*gqlmodel.IncidentConnection, error) {
	return r.incidentPage(ctx, page.Args{First: first, After: after}, incidentFilter(ctx, filter))
}

// Incident is the resolver for Query.incident.
func (r *queryResolver) Incident(ctx context.Context, id string) (*gqlmodel.Incident, error) {
	return found(incidentOf)(r.services.Alerts.Incident(ctx, id))
}

// Silences is the resolver for Query.silences.
func (r *queryResolver) Silences(ctx context.Context, active *bool) ([]*gqlmodel.Silence, error) {
	rows, err := r.services.Alerts.Silences(ctx, active)
	r.loaders(ctx).seeSilences(pointers(rows))
	return each(rows, silenceOf), err
}

// AlertSummary is the resolver for Query.alertSummary.
func (r *queryResolver) AlertSummary(ctx context.Context) (*gqlmodel.AlertSummary, error) {
	return r.alertSummary(ctx)
}

// Rule is the resolver for Silence.rule.
func (r *silenceResolver) Rule(ctx context.Context, obj *gqlmodel.Silence) (*gqlmodel.AlertRule, error) {
	return r.alertRule(ctx, obj.RuleID)
}

// IncidentChanged is the resolver for Subscription.incidentChanged.
func (r *subscriptionResolver) IncidentChanged(ctx context.Context, filter *gqlmodel.IncidentFilter) (<-chan *gqlmodel.Incident, error) {
	return r.incidentChanged(ctx, incidentFilter(ctx, filter))
}

// AlertSummaryChanged is the resolver for Subscription.alertSummaryChanged.
func (r *subscriptionResolver) AlertSummaryChanged(ctx context.Context) (<-chan *gqlmodel.AlertSummary, error) {
	return r.alertSummaryChanged(ctx)
}

// AlertRule answers the resolvers of AlertRule.
func (r *Resolver) AlertRule() generated.AlertRuleResolver { return &alertRuleResolver{r} }

// AlertScope answers the resolvers of AlertScope.
func (r *Resolver) AlertScope() generated.AlertScopeResolver { return &alertScopeResolver{r} }

// Incident answers the resolvers of Incident.
func (r *Resolver) Incident() generated.IncidentResolver { return &incidentResolver{r} }

// IncidentEntry answers the resolvers of IncidentEntry.
func (r *Resolver) IncidentEntry() generated.IncidentEntryResolver { return &incidentEntryResolver{r} }

// Silence answers the resolvers of Silence.
func (r *Resolver) Silence() generated.SilenceResolver { return &silenceResolver{r} }

// AlertRoute answers the resolvers of AlertRoute.
func (r *Resolver) AlertRoute() generated.AlertRouteResolver { return &alertRouteResolver{r} }

// Escalation answers the resolvers of Escalation.
func (r *Resolver) Escalation() generated.EscalationResolver { return &escalationResolver{r} }

type (
	alertRouteResolver    struct{ *Resolver }
	escalationResolver    struct{ *Resolver }
	alertRuleResolver     struct{ *Resolver }
	alertScopeResolver    struct{ *Resolver }
	incidentResolver      struct{ *Resolver }
	incidentEntryResolver struct{ *Resolver }
	silenceResolver       struct{ *Resolver }
)
