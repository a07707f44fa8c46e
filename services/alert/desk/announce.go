package desk

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// announce has the channels of a rule told of an incident, or writes down why they are
// not. Whatever else changes must have been changed before.
func (d *Desk) announce(c *Case, n models.AlertNotice) {
	i := &c.Incident
	r := d.Rules[i.RuleID]
	if r == nil {
		return // the rule is being deleted: that closes the incident
	}
	if n == models.NoticeRecovered && !d.recoveryTells(c, r) {
		return
	}
	if !r.Tells(n) {
		if n == models.NoticeOpened {
			d.enter(c, models.EntrySuppressed, fmt.Sprintf("Not told: the rule %q tells only of %s.", r.Name, noticesOf(r)), nil)
		}
		return
	}
	if d.silenced(c) {
		return
	}
	if d.Full {
		d.enter(c, models.EntrySuppressed, fmt.Sprintf("Not told: %d messages wait already, the most there can be.", models.MaxPending), nil)
		return
	}
	if n == models.NoticeEscalated {
		d.escalate(c, r)
		return
	}
	if n == models.NoticeRecovered && len(i.Told) > 0 {
		d.tellEnd(c, r)
		return
	}
	d.route(c, r, n)
}

// recoveryTells withdraws what is not told yet of a problem that is over, and says whether
// anybody is to be told of its end.
func (d *Desk) recoveryTells(c *Case, r *Rule) bool {
	i := &c.Incident
	gone := c.drop(func(p *models.AlertPending) bool { return !p.Digest || slices.Contains(i.Told, p.ChannelID) })
	if len(i.Told) == 0 && gone > 0 && len(c.Waiting)+len(c.Pending) == 0 {
		d.enter(c, models.EntrySuppressed, "Not told: it was over before the first message went out.", nil)
	}
	onlyFix := !r.Tells(models.NoticeOpened) // then nobody can know of it, and the end is what is wanted
	return len(i.Told) > 0 || onlyFix
}

// silenced holds the messages of an incident back while a silence is about it.
func (d *Desk) silenced(c *Case) bool {
	s, until := d.silenceOf(c)
	if s == nil {
		return false
	}
	d.hold(c, s, until, true)
	return true
}

// hold notes that a silence is about an incident and withdraws what waits. It counts as
// held back when there is news, or something waited.
func (d *Desk) hold(c *Case, s *Silence, until time.Time, news bool) {
	i := &c.Incident
	i.CheckAt = earlier(i.CheckAt, until)
	if withdrawn := c.drop(func(*models.AlertPending) bool { return true }); news || withdrawn > 0 {
		if d.Held == nil {
			d.Held = map[string]int64{}
		}
		d.Held[s.ID]++
	}
	if i.SilenceID != nil && *i.SilenceID == s.ID {
		return
	}
	i.SilenceID = &s.ID
	what := "a silence"
	if s.Kind == models.SilenceMaintenance {
		what = "a maintenance window"
	}
	d.enter(c, models.EntrySilenced, fmt.Sprintf("Held back until %s by %s of %s: %s", clockOf(until), what, s.Author, s.Reason), nil)
}

// silenceOf finds the silence about an incident that holds longest.
func (d *Desk) silenceOf(c *Case) (found *Silence, until time.Time) {
	for _, s := range d.Silences {
		if !s.covers(&c.Incident, &c.Subject) {
			continue
		}
		if end, active := s.Active(d.Now); active && (found == nil || end.After(until)) {
			found, until = s, end
		}
	}
	return found, until
}

// route writes a pending row for each channel that the rule names for the severity.
func (d *Desk) route(c *Case, r *Rule, n models.AlertNotice) {
	i := &c.Incident
	routed, reached := false, false
	old := map[string]bool{}
	for _, p := range slices.Concat(c.Waiting, c.Pending) {
		old[p.ID] = p.Notice != models.NoticeEscalated
	}
	for k := range r.routes {
		way := &r.routes[k]
		if !slices.Contains(way.Severities, i.Severity) {
			continue
		}
		routed = true
		due, digest := way.due(r, d.Now)
		if n == models.NoticeFlapping {
			due, digest = d.Now, false
		}
		for _, ch := range d.channels(way.Channels) {
			if n == models.NoticeOpened { // what waits for this channel is told with it, or is not true any more
				c.drop(func(p *models.AlertPending) bool { return p.ChannelID == ch && old[p.ID] })
			}
			reached = true
			d.pend(c, n, ch, due, digest, way.People)
		}
	}
	switch {
	case !routed:
		d.enter(c, models.EntrySuppressed, fmt.Sprintf("Not told: the rule %q has no route for %s.", r.Name, i.Severity), nil)
	case !reached:
		d.enter(c, models.EntrySuppressed, "Not told: there is no channel that is switched on. Add one under Alerts, Channels.", nil)
	}
}

// tellEnd has every channel that knows of a problem told that it is over: by its route for
// the severity, by any other of its routes, or at once when it knows from an escalation.
func (d *Desk) tellEnd(c *Case, r *Rule) {
	i := &c.Incident
	for _, ch := range i.Told {
		if !slices.ContainsFunc(d.Channels, func(k Channel) bool { return k.ID == ch }) {
			continue
		}
		due, digest, people := d.Now.Add(r.wait()), false, []string(nil)
		if way := d.wayTo(r, ch, i.Severity); way != nil {
			due, digest = way.due(r, d.Now)
			people = way.People
		}
		d.pend(c, models.NoticeRecovered, ch, due, digest, people)
	}
}

// wayTo finds the route to a channel, that of the severity if there is one.
func (d *Desk) wayTo(r *Rule, channel string, severity models.Severity) (found *route) {
	for k := range r.routes {
		way := &r.routes[k]
		if !slices.Contains(d.channels(way.Channels), channel) {
			continue
		}
		if slices.Contains(way.Severities, severity) {
			return way
		}
		found = way
	}
	return found
}

func (d *Desk) escalate(c *Case, r *Rule) {
	e := r.Spec.Escalation
	if e == nil {
		return
	}
	reached := false
	for _, ch := range d.channels(e.Channels) {
		reached = true
		d.pend(c, models.NoticeEscalated, ch, d.Now, false, e.People)
	}
	if !reached {
		d.enter(c, models.EntrySuppressed, "Not escalated: there is no channel that is switched on. Add one under Alerts, Channels.", nil)
	}
}

// channels answers those of the named channels that exist; every one that is switched on
// when none is named. One that is switched off is told nothing, but that is written down
// as a notification.
func (d *Desk) channels(named []string) []string {
	var ids []string
	for _, ch := range d.Channels {
		if len(named) == 0 && ch.Enabled || slices.Contains(named, ch.ID) {
			ids = append(ids, ch.ID)
		}
	}
	return ids
}

// pend writes a pending row, unless the channel is to be told the same already.
func (d *Desk) pend(c *Case, n models.AlertNotice, channel string, due time.Time, digest bool, people []string) {
	i := &c.Incident
	p := models.AlertPending{
		ID: d.NewID(), IncidentID: i.ID, RuleID: i.RuleID, ChannelID: channel, Notice: n, Severity: i.Severity, Digest: digest,
		DueAt: due, People: people, CreatedAt: d.Now,
	}
	p.GroupKey = groupKey(&p)
	for _, list := range [][]models.AlertPending{c.Waiting, c.Pending} {
		if slices.ContainsFunc(list, func(o models.AlertPending) bool { return o.GroupKey == p.GroupKey && (!digest || o.DueAt.Equal(due)) }) {
			return
		}
	}
	c.Pending = append(c.Pending, p)
	c.Changed = true
}

// groupKey is what is told together: one rule to one channel, for the same reason and
// equally bad; a digest is of all reasons.
func groupKey(p *models.AlertPending) string {
	if p.Digest {
		return p.RuleID + "/" + p.ChannelID + "/DIGEST"
	}
	n := p.Notice
	if n == models.NoticeRepeated {
		n = models.NoticeOpened
	}
	return p.RuleID + "/" + p.ChannelID + "/" + n.String() + "/" + p.Severity.String()
}

// earlier is the earlier of two instants; at may be nil.
func earlier(at *time.Time, other time.Time) *time.Time {
	if at != nil && at.Before(other) {
		return at
	}
	return &other
}

func noticesOf(r *Rule) string {
	var names []string
	for _, n := range r.Spec.Notices {
		names = append(names, n.String())
	}
	return strings.Join(names, ", ")
}
