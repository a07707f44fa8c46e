package desk

import (
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// World is a desk with its rows in memory: what the ledger and the loops do, without
// either. Trials live through past events in it. It is bounded by the events that are
// given to it, and must not be used by two goroutines at once.
type World struct {
	Desk *Desk
	Tell func(t *Telling, cases []*Case)                 // of each message, in order of time
	Rate func(i *models.Incident, at time.Time) *float64 // nil: not known

	cases  map[string]*Case // by incident
	latest map[string]*Case // by fingerprint
	groups map[string]*models.AlertGroup
	order  []*Case
	next   time.Time // when something is due, at the earliest; zero: never
}

// NewWorld makes an empty world.
func NewWorld(d *Desk) *World {
	return &World{Desk: d, cases: map[string]*Case{}, latest: map[string]*Case{}, groups: map[string]*models.AlertGroup{}}
}

// Happen lets an event happen at its own instant, after all that is due before it.
func (w *World) Happen(s *Signal) {
	w.Until(s.Event.At)
	key := Fingerprint(s.Rule.ID, s.Event.Kind, s.Event.Subject)
	c := w.Desk.Happen(w.latest[key], s)
	if w.cases[c.Incident.ID] == nil {
		w.cases[c.Incident.ID], w.latest[key] = c, c
		w.order = append(w.order, c)
	}
	w.settle(c)
}

// Clear lets an event end the problem of a fingerprint.
func (w *World) Clear(fingerprint string, e *models.AlertEvent) {
	w.Until(e.At)
	if c := w.latest[fingerprint]; c != nil {
		w.Desk.Clear(c, e)
		w.settle(c)
	}
}

// settle does what the end of a transaction does.
func (w *World) settle(c *Case) {
	c.Waiting = append(c.Waiting, c.Pending...)
	c.Pending, c.Dropped, c.New, c.Changed = nil, nil, false, false
	w.expect(c)
}

// expect notes when an incident is looked at again.
func (w *World) expect(c *Case) {
	note := func(t time.Time) {
		if w.next.IsZero() || t.Before(w.next) {
			w.next = t
		}
	}
	if c.Incident.NextAt != nil {
		note(*c.Incident.NextAt)
	}
	for i := range c.Waiting {
		note(c.Waiting[i].DueAt)
	}
}

// Incidents answers all incidents in order of opening.
func (w *World) Incidents() []*Case { return w.order }

// Until lets time pass to an instant, with all that is due meanwhile. The clock does not
// go back.
func (w *World) Until(at time.Time) {
	for !w.next.IsZero() && !w.next.After(at) {
		w.Desk.Now = later(w.Desk.Now, w.next)
		w.tick()
		w.gather()
		w.next = time.Time{}
		for _, c := range w.order {
			w.expect(c)
		}
	}
	w.Desk.Now = later(w.Desk.Now, at)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func (w *World) tick() {
	for _, c := range w.order {
		if c.Incident.NextAt != nil && !c.Incident.NextAt.After(w.Desk.Now) {
			c.Rate = nil
			if w.Rate != nil && c.Incident.Condition.Rate > 0 {
				c.Rate = w.Rate(&c.Incident, w.Desk.Now)
			}
			w.Desk.Tick(c)
			w.settle(c)
		}
	}
}

func (w *World) gather() {
	byKey := map[string][]models.AlertPending{}
	var keys []string
	for _, c := range w.order {
		for _, p := range c.Waiting {
			if byKey[p.GroupKey] == nil {
				keys = append(keys, p.GroupKey)
			}
			byKey[p.GroupKey] = append(byKey[p.GroupKey], p)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		w.tell(byKey[key])
	}
}

func (w *World) tell(rows []models.AlertPending) {
	slices.SortFunc(rows, func(a, b models.AlertPending) int { return strings.Compare(a.ID, b.ID) })
	id := rows[0].RuleID + "/" + rows[0].ChannelID
	g := w.groups[id]
	if g == nil {
		g = &models.AlertGroup{RuleID: rows[0].RuleID, ChannelID: rows[0].ChannelID}
		w.groups[id] = g
	}
	t := w.Desk.Gather(rows, g, w.cases)
	if t == nil {
		return
	}
	if !t.Wait.IsZero() {
		for i := range rows {
			w.cases[rows[i].IncidentID].postpone(rows[i].ID, t.Wait)
		}
		return
	}
	var told []*Case
	for i := range t.Rows {
		c := w.cases[t.Rows[i].IncidentID]
		c.Waiting = slices.DeleteFunc(c.Waiting, func(p models.AlertPending) bool { return p.ID == t.Rows[i].ID })
		told = append(told, c)
	}
	if w.Tell != nil && t.State != 0 {
		w.Tell(t, told)
	}
}

func (c *Case) postpone(id string, to time.Time) {
	for i := range c.Waiting {
		if c.Waiting[i].ID == id {
			c.Waiting[i].DueAt = to
		}
	}
}

// Open says whether an incident of a fingerprint is open.
func (w *World) Open(fingerprint string) bool {
	c := w.latest[fingerprint]
	return c != nil && c.Incident.OpenKey != nil
}
