package desk

import (
	"fmt"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// MostTold is how many incidents one message tells of at most; it shows the worst fifty.
// More are told by the next one.
const MostTold = 5000

// Telling is what became of a group of pending rows: a message, a message that is not
// sent, or a wait.
type Telling struct {
	Rows     []models.AlertPending // that it deals with; they are deleted
	Wait     time.Time             // unless zero: nothing is told before; nothing is deleted
	Kind     models.MessageKind
	Severity models.Severity
	Channel  string
	RuleID   string
	GroupKey string
	People   []string
	State    models.NotificationState // Queued or Suppressed; 0: the rows are only deleted
	Reason   string
	// Left out of the message: how many were not sent since the last one.
	Suppressed int
}

// Gather decides about the pending rows of one group, oldest first, and notes in g what
// the channel was told. Cases hold the incidents of the rows; what is told is noted there.
// It answers nil when nothing is due.
func (d *Desk) Gather(rows []models.AlertPending, g *models.AlertGroup, cases map[string]*Case) *Telling {
	rows = d.ready(rows, cases)
	if len(rows) == 0 {
		return nil
	}
	first := &rows[0]
	r := d.Rules[first.RuleID]
	if r == nil {
		return &Telling{Rows: rows} // the rule was deleted, and what it had to say with it
	}
	if last, told := g.Last[first.GroupKey]; told && !first.Digest && first.Notice != models.NoticeEscalated {
		if next := last.Add(r.interval()); d.Now.Before(next) {
			return &Telling{Wait: next, GroupKey: first.GroupKey}
		}
	}
	t := &Telling{
		Rows: rows[:min(len(rows), MostTold)], Kind: kindOf(first), Channel: first.ChannelID, RuleID: first.RuleID, GroupKey: first.GroupKey,
		State: models.NotificationQueued, Reason: fmt.Sprintf("By the rule %q.", r.Name),
	}
	for i := range t.Rows {
		t.Severity = max(t.Severity, t.Rows[i].Severity)
		for _, person := range t.Rows[i].People {
			if !slices.Contains(t.People, person) && len(t.People) < models.MaxRouteTargets {
				t.People = append(t.People, person)
			}
		}
	}
	d.allow(t, r, g)
	d.note(t, r, cases)
	return t
}

// ready answers the rows that are told together now; none while none is due.
func (d *Desk) ready(rows []models.AlertPending, cases map[string]*Case) []models.AlertPending {
	due := false
	var ready []models.AlertPending
	for i := range rows {
		isDue := !rows[i].DueAt.After(d.Now)
		due = due || isDue
		if cases[rows[i].IncidentID] != nil && (isDue || !rows[i].Digest) {
			ready = append(ready, rows[i])
		}
	}
	if !due {
		return nil
	}
	return ready
}

func kindOf(p *models.AlertPending) models.MessageKind {
	switch {
	case p.Digest:
		return models.MessageDigest
	case p.Notice == models.NoticeRecovered:
		return models.MessageRecovery
	case p.Notice == models.NoticeEscalated:
		return models.MessageEscalation
	case p.Notice == models.NoticeFlapping:
		return models.MessageFlapping
	}
	return models.MessageProblem
}

// allow counts the message against the cap of the rule and says why it is not sent.
func (d *Desk) allow(t *Telling, r *Rule, g *models.AlertGroup) {
	if g.Last == nil {
		g.Last = map[string]time.Time{}
	}
	for key, at := range g.Last { // at most a dozen keys; those that hold nothing up are dropped
		if d.Now.Sub(at) > max(r.interval(), time.Hour) {
			delete(g.Last, key)
		}
	}
	g.Last[t.GroupKey] = d.Now
	g.Sent = slices.DeleteFunc(g.Sent, func(at time.Time) bool { return d.Now.Sub(at) >= time.Hour })
	ch := slices.IndexFunc(d.Channels, func(c Channel) bool { return c.ID == t.Channel })
	switch {
	case ch < 0:
		t.State, t.Reason = models.NotificationSuppressed, "The channel was deleted."
	case !d.Channels[ch].Enabled:
		t.State, t.Reason = models.NotificationSuppressed, fmt.Sprintf("The channel %q is switched off.", d.Channels[ch].Name)
	case r.Spec.MaxPerHour > 0 && len(g.Sent) >= r.Spec.MaxPerHour:
		t.State = models.NotificationSuppressed
		t.Reason = fmt.Sprintf("The rule %q allows %s an hour to a channel; the next one says how many were not sent.", r.Name, count(r.Spec.MaxPerHour, "message"))
		g.Suppressed++
	default:
		t.Suppressed, g.Suppressed = g.Suppressed, 0
		if r.Spec.MaxPerHour > 0 {
			g.Sent = append(g.Sent, d.Now)
		}
	}
}

// note writes into the incidents that they were told, or why not.
func (d *Desk) note(t *Telling, r *Rule, cases map[string]*Case) {
	name := t.Channel
	if ch := slices.IndexFunc(d.Channels, func(c Channel) bool { return c.ID == t.Channel }); ch >= 0 {
		name = d.Channels[ch].Name
	}
	for k := range t.Rows {
		p := &t.Rows[k]
		c := cases[p.IncidentID]
		c.Changed = true
		i := &c.Incident
		opens := p.Notice == models.NoticeOpened && i.State == models.IncidentOpen && !i.Flapping
		if t.State == models.NotificationSuppressed {
			d.enter(c, models.EntrySuppressed, fmt.Sprintf("%s: not told to %q. %s", p.Notice, name, t.Reason), nil)
		} else {
			d.enter(c, models.EntryNotified, fmt.Sprintf("%s: told to %q.", p.Notice, name), nil)
			if !slices.Contains(i.Told, p.ChannelID) && len(i.Told) < models.MaxRouteTargets*models.MaxRoutes {
				i.Told = append(i.Told, p.ChannelID)
			}
		}
		if opens { // also when it was held back: somebody else may hear of it by the escalation
			d.clocks(c, r, true)
		}
		c.schedule()
	}
}
