package desk

import (
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// Channel is what the desk knows of a channel.
type Channel struct {
	ID      string
	Name    string
	Enabled bool
}

// Desk decides at one instant by the rules, silences and channels of that instant.
type Desk struct {
	Now      time.Time
	Rules    map[string]*Rule // all of them, by id
	Silences []*Silence
	Channels []Channel
	NewID    func() string // ids grow

	// Full says that so much is pending that nothing more is put on the list.
	Full bool

	// Held counts what silences held back, by their ids.
	Held map[string]int64
}

// Case is an incident on the desk, with what is to be written of it.
type Case struct {
	Incident models.Incident
	Subject  Subject
	Waiting  []models.AlertPending // that stand in the ledger and stay

	New     bool
	Changed bool
	Entries []models.IncidentEntry
	Pending []models.AlertPending // new ones
	Dropped []string              // ids of pending rows that are withdrawn
	Rate    *float64              // for Tick: the share of failed ends in the window of the condition, when it was looked up
}

// Signal is an event that meets a condition of a rule.
type Signal struct {
	Event     *models.AlertEvent
	Rule      *Rule
	Condition int
	Title     string
	Subject   Subject
	Words     string // what happened, a sentence for the timeline
}

// Happen adds an event to its incident: c is the latest incident of the fingerprint, or
// nil. It answers the case, which is a new one when there was none to go on with.
func (d *Desk) Happen(c *Case, s *Signal) *Case {
	switch {
	case c == nil || c.Incident.State == models.IncidentResolved && !d.goesOn(&c.Incident):
		return d.open(s)
	case c.Incident.State == models.IncidentResolved:
		d.reopen(c, s)
	default:
		d.again(c, s)
	}
	c.schedule()
	return c
}

// goesOn says whether an incident that is over may be opened again.
func (d *Desk) goesOn(i *models.Incident) bool {
	if !i.Recovered || i.ResolvedAt == nil {
		return false
	}
	within := ReopenWithin
	if i.Flapping {
		within = FlapCalm
	}
	return d.Now.Sub(*i.ResolvedAt) <= within
}

func (d *Desk) open(s *Signal) *Case {
	e := s.Event
	key := Fingerprint(s.Rule.ID, e.Kind, e.Subject)
	c := &Case{New: true, Changed: true, Subject: s.Subject}
	c.Incident = models.Incident{
		ID: d.NewID(), RuleID: s.Rule.ID, RuleName: s.Rule.Name, Event: e.Kind, Condition: s.Rule.Spec.Conditions[s.Condition],
		Subject: e.Subject, Fingerprint: key, OpenKey: &key, Title: cutLine(s.Title, maxTitle), Severity: s.Rule.SeverityAt(e.At), State: models.IncidentOpen,
		AppID: e.AppID, GroupID: e.GroupID, JobID: e.JobID, NodeID: e.NodeID, ServerID: e.ServerID,
		OpenedAt: e.At, Flips: []time.Time{e.At},
	}
	c.take(e)
	d.enter(c, models.EntryOpened, s.Words, e)
	d.looksAtRate(c)
	d.announce(c, models.NoticeOpened)
	c.schedule()
	return c
}

// again adds an event to an incident that is not resolved.
func (d *Desk) again(c *Case, s *Signal) {
	c.take(s.Event)
	words := s.Words
	worse := d.worsen(c, s.Rule.SeverityAt(s.Event.At))
	if worse {
		words += " It is " + c.Incident.Severity.String() + " now."
	}
	if c.Incident.EventEntries < models.MaxIncidentEvents || worse {
		c.Incident.EventEntries++
		d.enter(c, models.EntryEvent, words, s.Event)
	}
	if worse && c.Incident.State == models.IncidentOpen && !c.Incident.Flapping {
		d.announce(c, models.NoticeOpened)
	}
}

// worsen raises an incident's severity and says whether it did.
func (d *Desk) worsen(c *Case, to models.Severity) bool {
	if to <= c.Incident.Severity {
		return false
	}
	c.Incident.Severity = to
	c.Changed = true
	return true
}

func (d *Desk) reopen(c *Case, s *Signal) {
	i := &c.Incident
	key := i.Fingerprint
	i.State, i.OpenKey, i.ResolvedAt, i.Resolution, i.Recovered = models.IncidentOpen, &key, nil, "", false
	i.AcknowledgedAt, i.AcknowledgedBy, i.OpenedAt = nil, "", s.Event.At
	i.Event, i.Condition = s.Event.Kind, s.Rule.Spec.Conditions[s.Condition]
	c.take(s.Event)
	d.worsen(c, s.Rule.SeverityAt(s.Event.At))
	i.Flips = append(slices.DeleteFunc(i.Flips, func(t time.Time) bool { return s.Event.At.Sub(t) > FlapWithin }), s.Event.At)
	i.Flips = i.Flips[max(0, len(i.Flips)-models.MaxFlips):]
	d.enter(c, models.EntryReopened, s.Words, s.Event)
	d.looksAtRate(c)
	switch {
	case i.Flapping:
		i.CheckAt = new(d.Now.Add(FlapCalm))
	case len(i.Flips) >= FlapAfter:
		i.Flapping = true
		d.enter(c, models.EntryFlapping, "It has come and gone "+count(len(i.Flips), "time")+" within an hour: it is told once more, and then when it stays or stays away for "+FlapCalm.String()+".", nil)
		c.drop(func(*models.AlertPending) bool { return true })
		i.CheckAt, i.RepeatAt, i.EscalateAt = new(d.Now.Add(FlapCalm)), nil, nil
		d.announce(c, models.NoticeFlapping)
	default:
		d.announce(c, models.NoticeOpened)
	}
}

// looksAtRate has a problem that a rate opened looked at until the rate is lower.
func (d *Desk) looksAtRate(c *Case) {
	if c.Incident.Condition.Rate > 0 {
		c.Incident.CheckAt = new(d.Now.Add(RateEvery))
	}
}

// Clear ends an incident because of an event that says that its problem is over. One that
// is over already stays as it is. The order of writing counts, not that of the instants:
// whoever wrote the event will not write it again.
func (d *Desk) Clear(c *Case, e *models.AlertEvent) {
	i := &c.Incident
	if i.State == models.IncidentResolved {
		return
	}
	if i.Condition.Rate > 0 {
		i.CheckAt = new(d.Now) // one success says nothing about a rate
		c.Changed = true
		c.schedule()
		return
	}
	d.recover(c, e.At, e)
	c.schedule()
}

// recover ends an incident by itself and tells those who know of it.
func (d *Desk) recover(c *Case, at time.Time, e *models.AlertEvent) {
	i := &c.Incident
	if at.Before(i.OpenedAt) {
		at = i.OpenedAt
	}
	lasted := "It is over after " + Span(at.Sub(i.OpenedAt)) + "."
	d.close(c, at, lasted)
	i.Recovered = true
	d.enter(c, models.EntryRecovered, lasted, e)
	if i.Flapping {
		i.CheckAt = new(d.Now.Add(FlapCalm))
		return
	}
	d.announce(c, models.NoticeRecovered)
}

// close puts an incident into its last state.
func (d *Desk) close(c *Case, at time.Time, why string) {
	i := &c.Incident
	i.State, i.OpenKey, i.ResolvedAt, i.Resolution = models.IncidentResolved, nil, &at, cutLine(why, maxLine)
	i.EscalateAt, i.RepeatAt, i.CheckAt = nil, nil, nil
	c.Changed = true
}

// take notes an event as the latest of an incident.
func (c *Case) take(e *models.AlertEvent) {
	i := &c.Incident
	c.Changed = true
	i.Count++
	if e.At.Before(i.LastAt) {
		return
	}
	i.LastAt, i.LastTaskID, i.LastAttempt, i.LastError, i.LastDetail = e.At, e.TaskID, e.Attempt, cutLine(e.Error, maxLine), e.Detail
}

// schedule sets when the incident is looked at next without an event.
func (c *Case) schedule() {
	i := &c.Incident
	i.NextAt = nil
	for _, t := range []*time.Time{i.EscalateAt, i.RepeatAt, i.CheckAt} {
		if t != nil && (i.NextAt == nil || t.Before(*i.NextAt)) {
			i.NextAt = t
		}
	}
}

// enter writes an entry, as long as there is room for it.
func (d *Desk) enter(c *Case, kind models.IncidentEntryKind, message string, e *models.AlertEvent) {
	d.Enter(c, kind, message, e, "")
}

// Enter writes an entry that a person caused, unless actor is empty.
func (d *Desk) Enter(c *Case, kind models.IncidentEntryKind, message string, e *models.AlertEvent, actor string) {
	c.Changed = true
	if c.Incident.Entries >= models.MaxIncidentEntries {
		return
	}
	c.Incident.Entries++
	entry := models.IncidentEntry{ID: d.NewID(), IncidentID: c.Incident.ID, At: d.Now, Kind: kind, Message: cutLine(message, maxLine), Actor: actor}
	if e != nil {
		entry.At, entry.TaskID, entry.Attempt, entry.NodeID = e.At, e.TaskID, e.Attempt, e.NodeID
	}
	c.Entries = append(c.Entries, entry)
}

// drop withdraws pending rows and answers how many there were.
func (c *Case) drop(which func(*models.AlertPending) bool) int {
	n := 0
	c.Waiting = slices.DeleteFunc(c.Waiting, func(p models.AlertPending) bool {
		if !which(&p) {
			return false
		}
		c.Dropped = append(c.Dropped, p.ID)
		n++
		return true
	})
	c.Pending = slices.DeleteFunc(c.Pending, func(p models.AlertPending) bool {
		if which(&p) {
			n++
			return true
		}
		return false
	})
	return n
}
