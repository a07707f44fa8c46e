package graph

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Names of the orders in cursors; the keys are ids.
const (
	incidentOrder = "incident"
	entryOrder    = "incident entry"
)

func alertRuleOf(r *models.AlertRule) *gqlmodel.AlertRule {
	if r == nil {
		return nil
	}
	spec := &r.Spec
	shown := &gqlmodel.AlertRule{
		ID: r.ID, Name: r.Name, Description: r.Description, Enabled: r.Enabled, Scope: scopeShown(&spec.Scope), Conditions: each(spec.Conditions, conditionOf),
		Zone: spec.Zone, Severity: spec.Severity, Windows: each(spec.Windows, severityWindowOf), Routes: each(spec.Routes, alertRouteOf),
		RepeatEvery: lasting(spec.RepeatMS), MaxPerHour: number(spec.MaxPerHour), GroupWait: millis(spec.GroupWaitMS), GroupInterval: millis(spec.GroupIntervalMS),
		Notices: listed(spec.Notices), CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, Version: r.Version, Row: r,
	}
	if e := spec.Escalation; e != nil {
		shown.Escalation = escalationOf(e)
	}
	return shown
}

// listed is a list that is never null.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// lasting is a stored length of time; nil for none.
func lasting(ms int64) *time.Duration {
	if ms == 0 {
		return nil
	}
	return new(millis(ms))
}

// number is a stored number; nil for none.
func number[N int | int64 | float64](n N) *N {
	if n == 0 {
		return nil
	}
	return &n
}

func scopeShown(s *models.AlertScope) *gqlmodel.AlertScope {
	shown := &gqlmodel.AlertScope{Kind: s.Kind, Row: s}
	if len(s.Labels) > 0 {
		if raw, err := json.Marshal(s.Labels); err == nil { // texts always marshal
			shown.Labels = raw
		}
	}
	return shown
}

func conditionOf(c *models.AlertCondition) *gqlmodel.AlertCondition {
	return &gqlmodel.AlertCondition{
		Event: c.Event, Count: c.Count, Of: number(c.Of), Rate: number(c.Rate), Window: lasting(c.WindowMS), LongerThan: lasting(c.LongerMS),
		Factor: number(c.Factor), By: text(c.By), Depth: number(c.Depth), Age: lasting(c.AgeMS),
	}
}

func severityWindowOf(w *models.SeverityWindow) *gqlmodel.SeverityWindow {
	return &gqlmodel.SeverityWindow{Days: weekdaysOf(w.Days), From: w.From, To: w.To, Severity: w.Severity}
}

func alertRouteOf(r *models.AlertRoute) *gqlmodel.AlertRoute {
	return &gqlmodel.AlertRoute{Severities: listed(r.Severities), DigestAt: listed(r.DigestAt), Row: r}
}

func escalationOf(e *models.AlertEscalation) *gqlmodel.Escalation {
	return &gqlmodel.Escalation{After: millis(e.AfterMS), Row: e}
}

func incidentOf(i *models.Incident) *gqlmodel.Incident {
	if i == nil {
		return nil
	}
	return &gqlmodel.Incident{
		ID: i.ID, Title: i.Title, Event: i.Event, Severity: i.Severity, State: i.State, Flapping: i.Flapping, Server: i.ServerID,
		OpenedAt: i.OpenedAt, LastAt: i.LastAt, Count: i.Count, AcknowledgedAt: i.AcknowledgedAt, AcknowledgedBy: text(i.AcknowledgedBy),
		ResolvedAt: i.ResolvedAt, Resolution: text(i.Resolution), Downtime: alert.Downtime(i), LastError: text(i.LastError), Row: i,
	}
}

func incidentEntryOf(e *models.IncidentEntry) *gqlmodel.IncidentEntry {
	return &gqlmodel.IncidentEntry{
		ID: e.ID, At: e.At, Kind: e.Kind, Message: e.Message, Attempt: number(e.Attempt), Actor: text(e.Actor), TaskID: e.TaskID, NodeID: e.NodeID,
	}
}

func silenceOf(s *alert.SilenceView) *gqlmodel.Silence {
	if s == nil {
		return nil
	}
	shown := &gqlmodel.Silence{
		ID: s.ID, Kind: s.Kind, Scope: scopeShown(&s.Scope), Reason: s.Reason, Author: s.Author, StartsAt: s.StartsAt, EndsAt: s.EndsAt,
		RemindBefore: lasting(s.RemindMS), Active: s.Active, ActiveUntil: s.ActiveUntil, Suppressed: s.Suppressed, CreatedAt: s.CreatedAt, RuleID: s.RuleID,
	}
	if r := s.Recurrence; r != nil {
		shown.Recurrence = &gqlmodel.SilenceRecurrence{Days: weekdaysOf(r.Days), From: r.From, To: r.To, Zone: r.Zone}
	}
	return shown
}

func summaryOf(c *alert.Counts) *gqlmodel.AlertSummary {
	return &gqlmodel.AlertSummary{Open: c.Open, Acknowledged: c.Acknowledged, Critical: c.Critical}
}

func trialOf(t *alert.Trial) *gqlmodel.AlertTrial {
	shown := &gqlmodel.AlertTrial{
		Events: t.Events, Incidents: t.Incidents, Messages: t.Messages, Suppressed: t.Suppressed, CoveredFrom: t.From,
		Entries: each(t.Entries, func(e *alert.TrialEntry) *gqlmodel.AlertTrialEntry {
			return &gqlmodel.AlertTrialEntry{At: e.At, Channel: e.Channel, Severity: e.Severity, Digest: e.Digest, Sent: e.Sent, Title: e.Title, Problems: e.Problems}
		}),
	}
	if t.Err != nil {
		shown.Error = &gqlmodel.UserError{Code: string(t.Err.Code), Field: append([]string{"input"}, t.Err.Field...), Message: t.Err.Message}
		if len(t.Err.Field) == 1 && t.Err.Field[0] == "days" {
			shown.Error.Field = t.Err.Field
		}
	}
	return shown
}

func incidentConnection(rows []models.Incident, info alert.PageInfo) *gqlmodel.IncidentConnection {
	c := &gqlmodel.IncidentConnection{
		Edges: make([]*gqlmodel.IncidentEdge, len(rows)), Nodes: make([]*gqlmodel.Incident, len(rows)),
		PageInfo: &gqlmodel.PageInfo{HasNextPage: info.HasNext, HasPreviousPage: info.HasPrevious},
	}
	for i := range rows {
		c.Nodes[i] = incidentOf(&rows[i])
		c.Edges[i] = &gqlmodel.IncidentEdge{Cursor: page.Cursor(incidentOrder, rows[i].ID), Node: c.Nodes[i]}
	}
	if len(c.Edges) > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[len(rows)-1].Cursor
	}
	return c
}

func entryConnection(rows []models.IncidentEntry, info alert.PageInfo) *gqlmodel.IncidentEntryConnection {
	c := &gqlmodel.IncidentEntryConnection{
		Edges: make([]*gqlmodel.IncidentEntryEdge, len(rows)), Nodes: make([]*gqlmodel.IncidentEntry, len(rows)),
		PageInfo: &gqlmodel.PageInfo{HasNextPage: info.HasNext, HasPreviousPage: info.HasPrevious},
	}
	for i := range rows {
		c.Nodes[i] = incidentEntryOf(&rows[i])
		c.Edges[i] = &gqlmodel.IncidentEntryEdge{Cursor: page.Cursor(entryOrder, rows[i].ID), Node: c.Nodes[i]}
	}
	if len(c.Edges) > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[len(rows)-1].Cursor
	}
	return c
}

// Of AlertRuleInput where it says nothing.
const (
	normalGroupWait     = 10 * time.Second
	normalGroupInterval = 5 * time.Minute
)

func alertRuleInput(in *gqlmodel.AlertRuleInput) (alert.RuleInput, error) {
	scope, err := alertScope(in.Scope)
	if err != nil {
		return alert.RuleInput{}, err
	}
	out := alert.RuleInput{
		Version: in.Version.Value(), Name: in.Name, Description: given(in.Description), Enabled: or(in.Enabled.Value(), true),
		Spec: models.AlertSpec{
			Scope: scope, Zone: or(in.Zone.Value(), "UTC"), Severity: or(in.Severity.Value(), models.SeverityWarning),
			RepeatMS: given(in.RepeatEvery).Milliseconds(), GroupWaitMS: or(in.GroupWait.Value(), normalGroupWait).Milliseconds(),
			GroupIntervalMS: or(in.GroupInterval.Value(), normalGroupInterval).Milliseconds(), Notices: in.Notices.Value(),
		},
	}
	spec := &out.Spec
	if n := in.MaxPerHour.Value(); n != nil {
		if spec.MaxPerHour = *n; *n == 0 { // stored, it stands for any number
			return out, fault.At("maxPerHour", fault.Invalid, "maxPerHour is 0; it must be 1 to 1,000. Leave it out for any number.")
		}
	}
	if !in.Notices.IsSet() || spec.Notices == nil {
		spec.Notices = []models.AlertNotice{models.NoticeOpened, models.NoticeRecovered}
		if spec.RepeatMS != 0 {
			spec.Notices = append(spec.Notices, models.NoticeRepeated)
		}
	}
	for _, c := range in.Conditions {
		spec.Conditions = append(spec.Conditions, conditionInput(c))
	}
	for _, w := range in.Windows.Value() {
		spec.Windows = append(spec.Windows, models.SeverityWindow{Days: weekdayBits(w.Days.Value()), From: w.From, To: w.To, Severity: w.Severity})
	}
	for _, r := range in.Routes {
		spec.Routes = append(spec.Routes, models.AlertRoute{Severities: r.Severities, Channels: r.Channels.Value(), People: r.People.Value(), DigestAt: r.DigestAt.Value()})
	}
	if e := in.Escalation.Value(); e != nil {
		spec.Escalation = &models.AlertEscalation{AfterMS: e.After.Milliseconds(), Channels: e.Channels.Value(), People: e.People.Value()}
	}
	return out, nil
}

func conditionInput(c *gqlmodel.AlertConditionInput) models.AlertCondition {
	return models.AlertCondition{
		Event: c.Event, Count: or(c.Count.Value(), 1), Of: given(c.Of), Rate: given(c.Rate), WindowMS: given(c.Window).Milliseconds(),
		LongerMS: given(c.LongerThan).Milliseconds(), Factor: given(c.Factor), By: given(c.By), Depth: given(c.Depth), AgeMS: given(c.Age).Milliseconds(),
	}
}

func weekdayBits(in []gqlmodel.Weekday) int {
	set := 0
	for _, day := range weekdays(in) {
		set |= 1 << day
	}
	return set
}

func alertScope(in *gqlmodel.AlertScopeInput) (models.AlertScope, error) {
	s := models.AlertScope{Kind: in.Kind, AppID: given(in.App), GroupID: given(in.Group), JobID: given(in.Job)}
	labels := raw(in.Labels)
	if labels == nil || in.Kind != models.ScopeLabels {
		return s, nil
	}
	if err := alert.CheckLabels("scope.labels", labels); err != nil {
		return s, err
	}
	if err := json.Unmarshal(labels, &s.Labels); err != nil {
		return s, fault.At("scope.labels", fault.Invalid, `scope.labels is not an object of strings; write for example {"team": "billing"}.`)
	}
	return s, nil
}

func silenceInput(in *gqlmodel.SilenceInput) (alert.SilenceInput, error) {
	scope, err := alertScope(in.Scope)
	if err != nil {
		return alert.SilenceInput{}, err
	}
	out := alert.SilenceInput{
		Kind: or(in.Kind.Value(), models.SilencePlain), Scope: scope, RuleID: given(in.Rule), Reason: in.Reason,
		StartsAt: in.StartsAt.Value(), EndsAt: in.EndsAt.Value(), RemindBefore: given(in.RemindBefore),
	}
	if r := in.Recurrence.Value(); r != nil {
		out.Recurrence = &models.SilenceRecurrence{Days: weekdayBits(r.Days.Value()), From: r.From, To: r.To, Zone: r.Zone}
	}
	return out, nil
}

func incidentFilter(ctx context.Context, in *gqlmodel.IncidentFilter) alert.Filter {
	if in == nil {
		return alert.Filter{Within: within(ctx)}
	}
	return alert.Filter{
		States: in.States.Value(), Severities: in.Severities.Value(), Events: in.Events.Value(),
		AppID: given(in.App), GroupID: given(in.Group), JobID: given(in.Job), RuleID: given(in.Rule), From: in.From.Value(), To: in.To.Value(),
		Within: within(ctx),
	}
}

// matchesIncident says whether an incident matches, as the ledger would.
func matchesIncident(f *alert.Filter, i *models.Incident) bool {
	return (len(f.States) == 0 || slices.Contains(f.States, i.State)) &&
		(len(f.Severities) == 0 || slices.Contains(f.Severities, i.Severity)) &&
		(len(f.Events) == 0 || slices.Contains(f.Events, i.Event)) &&
		(f.AppID == "" || f.AppID == or(i.AppID, "")) &&
		(f.Within == nil || slices.Contains(f.Within, or(i.AppID, ""))) &&
		(f.GroupID == "" || f.GroupID == or(i.GroupID, "")) &&
		(f.JobID == "" || f.JobID == or(i.JobID, "")) &&
		(f.RuleID == "" || f.RuleID == i.RuleID) &&
		(f.From == nil || i.ID >= models.LowestID(*f.From)) &&
		(f.To == nil || i.ID < models.LowestID(*f.To))
}
