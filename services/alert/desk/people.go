package desk

import (
	"github.com/belfry-scheduler/belfry/models"
)

// Acknowledge notes that somebody takes care: nobody is told again, and nobody is
// escalated to.
func (d *Desk) Acknowledge(c *Case, actor, comment string) {
	i := &c.Incident
	i.State, i.AcknowledgedAt, i.AcknowledgedBy = models.IncidentAcknowledged, new(d.Now), actor
	i.EscalateAt, i.RepeatAt = nil, nil
	c.drop(func(p *models.AlertPending) bool {
		return p.Notice == models.NoticeRepeated || p.Notice == models.NoticeEscalated
	})
	d.Enter(c, models.EntryAcknowledged, comment, nil, actor)
	c.schedule()
}

// Unacknowledge takes that back: escalation and repetition begin anew.
func (d *Desk) Unacknowledge(c *Case, actor string) {
	i := &c.Incident
	i.State, i.AcknowledgedAt, i.AcknowledgedBy = models.IncidentOpen, nil, ""
	d.Enter(c, models.EntryUnacknowledged, "", nil, actor)
	if r := d.Rules[i.RuleID]; r != nil && len(i.Told) > 0 {
		d.clocks(c, r, true)
	}
	c.schedule()
}

// Resolve ends an incident by a person's word, or because its rule or job is no more.
// Nobody is told: the same problem opens a new incident.
func (d *Desk) Resolve(c *Case, why, comment, actor string) {
	d.close(c, d.Now, why)
	c.Incident.Flapping = false
	c.drop(func(*models.AlertPending) bool { return true })
	message := why
	if comment != "" {
		message = comment
	}
	d.Enter(c, models.EntryResolved, message, nil, actor)
	c.schedule()
}

// clocks sets when an incident that was told is repeated and escalated.
func (d *Desk) clocks(c *Case, r *Rule, escalates bool) {
	i := &c.Incident
	if r.Spec.RepeatMS > 0 && r.Tells(models.NoticeRepeated) {
		i.RepeatAt = new(d.Now.Add(ms(r.Spec.RepeatMS)))
	}
	if escalates && r.Spec.Escalation != nil {
		i.EscalateAt = new(d.Now.Add(ms(r.Spec.Escalation.AfterMS)))
	}
}
