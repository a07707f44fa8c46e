package alert

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/desk"
	"github.com/belfry-scheduler/belfry/services/alert/message"
	"github.com/belfry-scheduler/belfry/services/store"
)

// tell makes messages of what is pending and due: one for each group, each in a
// transaction that deletes what it tells. More says that there may be more.
func (s *Service) tell(ctx context.Context, fence store.Fence, b *board) (more bool, err error) {
	groups, err := s.store.PendingDue(ctx, s.clock.Now(), dueAtOnce)
	if err != nil || len(groups) == 0 {
		return false, err
	}
	for i := range groups {
		queued, err := s.tellGroup(ctx, fence, b, &groups[i])
		if err != nil {
			return false, err
		}
		if queued {
			s.notify.NotificationsQueued(ctx)
		}
	}
	return true, nil // what was put off is due no more
}

// tellGroup tells what is pending of one group.
func (s *Service) tellGroup(ctx context.Context, fence store.Fence, b *board, like *models.AlertPending) (queued bool, err error) {
	rows, err := s.store.PendingOfGroup(ctx, like.GroupKey, desk.MostTold)
	if err != nil {
		return false, err
	}
	keys := store.IncidentKeys{Rules: b.versions, Group: &models.AlertGroup{RuleID: like.RuleID, ChannelID: like.ChannelID}}
	for i := range rows {
		keys.IDs = append(keys.IDs, rows[i].IncidentID)
	}
	keys.IDs = unique(keys.IDs)
	facts, err := s.gather(ctx, keys.IDs, rows)
	if err != nil {
		return false, err
	}
	now := s.clock.Now()
	var written []string
	err = s.store.WorkIncidents(ctx, fence, keys, func(held *store.IncidentsHeld) (*store.IncidentBooks, error) {
		queued = false
		d := b.desk(now)
		cases := casesOf(held, facts.names.subject)
		out, telling := group(d, like.GroupKey, cases, held.Group)
		if telling != nil {
			n, err := facts.notification(d, telling, cases)
			if err != nil {
				return nil, err
			}
			out.Notifications = append(out.Notifications, n)
			queued = n.State == models.NotificationQueued
		}
		written = changed(out)
		return out, nil
	})
	if err == nil && len(written) > 0 {
		s.notify.IncidentsChanged(ctx, written)
	}
	return queued, err
}

// group has the desk decide about a group; it answers the message to write, if any.
func group(d *desk.Desk, key string, cases []*desk.Case, g models.AlertGroup) (*store.IncidentBooks, *desk.Telling) {
	byID := make(map[string]*desk.Case, len(cases))
	var waiting []models.AlertPending
	for _, c := range cases {
		d.Hush(c) // a silence that began after it was put on the list
		byID[c.Incident.ID] = c
		for i := range c.Waiting {
			if c.Waiting[i].GroupKey == key {
				waiting = append(waiting, c.Waiting[i])
			}
		}
	}
	slices.SortFunc(waiting, func(x, y models.AlertPending) int { return x.DueAt.Compare(y.DueAt) })
	t := d.Gather(waiting, &g, byID)
	out := books(d, cases)
	switch {
	case t == nil:
		return out, nil
	case !t.Wait.IsZero():
		out.Postponed, out.PostponedKey = t.Wait, key
		return out, nil
	}
	for i := range t.Rows {
		out.Dropped = append(out.Dropped, t.Rows[i].ID)
	}
	if t.State == 0 {
		return out, nil
	}
	out.Group = &g
	return out, t
}

// notification writes the message of a telling; its id is the message's everywhere.
func (f *facts) notification(d *desk.Desk, t *desk.Telling, cases []*desk.Case) (models.Notification, error) {
	told := map[string]bool{}
	var incidents []string
	for i := range t.Rows {
		if id := t.Rows[i].IncidentID; !told[id] {
			told[id] = true
			incidents = append(incidents, id)
		}
	}
	m := models.Message{
		ID: d.NewID(), Kind: t.Kind, Severity: t.Severity, At: d.Now, RuleID: t.RuleID, Total: len(incidents), Suppressed: t.Suppressed,
	}
	if r := d.Rules[t.RuleID]; r != nil {
		m.RuleName, m.Zone = r.Name, r.Spec.Zone
	}
	for _, id := range t.People {
		if who, known := f.people[id]; known {
			m.Mentions = append(m.Mentions, who)
		}
	}
	worst := make([]*models.Incident, 0, len(incidents))
	for _, c := range cases {
		if told[c.Incident.ID] {
			worst = append(worst, &c.Incident)
		}
	}
	slices.SortStableFunc(worst, worse)
	for _, i := range worst[:min(len(worst), models.MaxMessageProblems)] {
		m.Problems = append(m.Problems, f.problem(i))
	}
	message.Describe(&m)
	body, err := json.Marshal(&m)
	if err != nil {
		return models.Notification{}, fmt.Errorf("writing a message: %w", err)
	}
	return models.Notification{
		ID: m.ID, ChannelID: t.Channel, RuleID: &t.RuleID, Kind: t.Kind, Severity: t.Severity, State: t.State, GroupKey: t.GroupKey,
		Message: body, Problems: m.Total, NextAt: d.Now, CreatedAt: d.Now, Reason: t.Reason, IncidentIDs: incidents,
	}, nil
}

// worse orders incidents for a message: what is open first, then by severity, then the
// latest.
func worse(a, b *models.Incident) int {
	open := func(i *models.Incident) int {
		if i.State == models.IncidentResolved {
			return 1
		}
		return 0
	}
	if n := open(a) - open(b); n != 0 {
		return n
	}
	if n := int(b.Severity) - int(a.Severity); n != 0 {
		return n
	}
	return b.LastAt.Compare(a.LastAt)
}

// remind tells of silences that end soon.
func (s *Service) remind(ctx context.Context, fence store.Fence, b *board, now time.Time) error {
	for _, silence := range b.silences {
		end, due := silence.Reminds(now)
		if !due {
			continue
		}
		rows, err := b.reminders(silence, end, now)
		if err != nil {
			return err
		}
		if err := s.store.RemindSilence(ctx, fence, silence.ID, end, rows); err != nil {
			return err
		}
		if len(rows) > 0 {
			s.notify.NotificationsQueued(ctx)
		}
	}
	return nil
}

// reminders are the messages that a silence ends soon: to the channels of the rules that
// it may hold back, at most models.MaxRouteTargets.
func (b *board) reminders(silence *desk.Silence, end, now time.Time) ([]models.Notification, error) {
	var channels []string
	zone := "UTC"
	for _, id := range sortedKeys(b.rules) {
		r := b.rules[id]
		if !r.Enabled || silence.RuleID != nil && *silence.RuleID != id || silence.RuleID == nil && !overlap(&silence.Scope, &r.Spec.Scope) {
			continue
		}
		zone = r.Spec.Zone
		for _, ch := range r.AllChannels(b.channels) {
			if !slices.Contains(channels, ch) && len(channels) < models.MaxRouteTargets {
				channels = append(channels, ch)
			}
		}
	}
	about := &models.SilenceNote{
		Maintenance: silence.Kind == models.SilenceMaintenance, Author: silence.Author, Reason: silence.Reason, EndsAt: end,
	}
	what := "The silence"
	if about.Maintenance {
		what = "The maintenance window"
	}
	local, err := time.LoadLocation(zone)
	if err != nil {
		local = time.UTC
	}
	note := fmt.Sprintf("%s of %s (%s) ends at %s.", what, silence.Author, silence.Reason, end.In(local).Format("2006-01-02 15:04 MST"))
	var rows []models.Notification
	for _, ch := range channels {
		m := models.Message{ID: b.newID(), Kind: models.MessageSilenceEnds, Severity: models.SeverityInfo, At: now, Zone: zone, Note: note, Silence: about}
		body, err := json.Marshal(&m)
		if err != nil {
			return nil, fmt.Errorf("writing a reminder: %w", err)
		}
		rows = append(rows, models.Notification{
			ID: m.ID, ChannelID: ch, Kind: m.Kind, Severity: m.Severity, State: models.NotificationQueued, GroupKey: "silence/" + silence.ID,
			Message: body, NextAt: now, CreatedAt: now, Reason: "The silence asks for a reminder before its end.",
		})
	}
	return rows, nil
}

// overlap says whether two scopes may include the same subject, as far as they say
// themselves.
func overlap(a, b *models.AlertScope) bool {
	differ := func(x, y string) bool { return x != "" && y != "" && x != y }
	return !differ(a.AppID, b.AppID) && !differ(a.GroupID, b.GroupID) && !differ(a.JobID, b.JobID)
}
