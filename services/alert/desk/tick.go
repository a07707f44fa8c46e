package desk

import (
	"fmt"

	"github.com/belfry-scheduler/belfry/models"
)

// Tick does what is due for an incident without an event: escalation, repetition, the end
// of a silence or of flapping, a rate that is lower again.
func (d *Desk) Tick(c *Case) {
	i := &c.Incident
	if i.CheckAt != nil && !i.CheckAt.After(d.Now) {
		i.CheckAt = nil
		c.Changed = true
		d.check(c)
	}
	if i.EscalateAt != nil && !i.EscalateAt.After(d.Now) {
		i.EscalateAt = nil
		c.Changed = true
		d.escalated(c)
	}
	if i.RepeatAt != nil && !i.RepeatAt.After(d.Now) {
		i.RepeatAt = nil
		c.Changed = true
		d.repeat(c)
	}
	c.schedule()
}

func (d *Desk) escalated(c *Case) {
	r := d.Rules[c.Incident.RuleID]
	if r == nil || r.Spec.Escalation == nil || c.Incident.State != models.IncidentOpen || c.Incident.Flapping {
		return
	}
	d.enter(c, models.EntryEscalated, fmt.Sprintf("Nobody acknowledged within %s.", Span(ms(r.Spec.Escalation.AfterMS))), nil)
	d.announce(c, models.NoticeEscalated)
}

func (d *Desk) repeat(c *Case) {
	i := &c.Incident
	r := d.Rules[i.RuleID]
	if r == nil || r.Spec.RepeatMS == 0 || i.State != models.IncidentOpen || i.Flapping {
		return
	}
	if d.worsen(c, r.SeverityAt(d.Now)) {
		d.enter(c, models.EntryEvent, "It still goes on, and is "+i.Severity.String()+" now.", nil)
	}
	d.announce(c, models.NoticeRepeated)
	i.RepeatAt = new(d.Now.Add(ms(r.Spec.RepeatMS)))
}

// check looks at what may have changed by itself.
func (d *Desk) check(c *Case) {
	i := &c.Incident
	if i.Flapping {
		d.calm(c)
	}
	if i.State == models.IncidentResolved {
		return
	}
	if i.Condition.Rate > 0 {
		if c.Rate != nil && *c.Rate < i.Condition.Rate {
			d.recover(c, d.Now, nil)
			return
		}
		i.CheckAt = new(d.Now.Add(RateEvery))
	}
	d.heard(c)
}

// calm ends the flapping of an incident that has not changed for a while.
func (d *Desk) calm(c *Case) {
	i := &c.Incident
	last := i.OpenedAt
	if i.ResolvedAt != nil {
		last = *i.ResolvedAt
	}
	if rest := FlapCalm - d.Now.Sub(last); rest > 0 {
		i.CheckAt = earlier(i.CheckAt, d.Now.Add(rest))
		return
	}
	i.Flapping, i.Flips = false, nil
	c.Changed = true
	if i.State == models.IncidentResolved {
		d.enter(c, models.EntryFlapping, "It has stayed away for "+Span(FlapCalm)+": it does not flap any more.", nil)
		d.announce(c, models.NoticeRecovered)
		return
	}
	d.enter(c, models.EntryFlapping, "It has stayed for "+Span(FlapCalm)+": it does not flap any more.", nil)
	d.announce(c, models.NoticeOpened)
}

// heard tells of an incident whose silence is over.
func (d *Desk) heard(c *Case) {
	i := &c.Incident
	if i.SilenceID == nil {
		return
	}
	if s, until := d.silenceOf(c); s != nil {
		i.CheckAt = earlier(i.CheckAt, until)
		return
	}
	i.SilenceID = nil
	d.enter(c, models.EntrySilenced, "The silence is over, and the problem goes on.", nil)
	if i.State == models.IncidentOpen && !i.Flapping {
		d.announce(c, models.NoticeOpened)
	}
}

// Hush looks at an incident because the silences have changed: one that is new holds back
// what waits, one that is gone lets it go.
func (d *Desk) Hush(c *Case) {
	i := &c.Incident
	if i.State == models.IncidentResolved {
		return
	}
	if s, until := d.silenceOf(c); s == nil {
		d.heard(c)
	} else if i.SilenceID == nil || *i.SilenceID != s.ID {
		c.Changed = true
		d.hold(c, s, until, false)
	}
	c.schedule()
}
