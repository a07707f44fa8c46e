package alert

import (
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/desk"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

// What reads take and answer; the shapes are the ledger's.
type (
	// Filter chooses incidents; empty fields choose all.
	Filter = store.IncidentFilter
	// Page says which part of a list: by the positions before and after it.
	Page = store.Page
	// PageInfo says whether the list goes on at either end.
	PageInfo = store.PageInfo
	// Counts are how many incidents are not resolved.
	Counts = store.IncidentCounts
)

const maxComment = 1000 // characters

// Acknowledge notes that somebody takes care of an incident. Faults: NOT_FOUND, CONFLICT
// when it is resolved, INVALID (comment).
func (s *Service) Acknowledge(ctx context.Context, actor, id, comment string) (models.Incident, error) {
	return s.act(ctx, actor, "incident.acknowledge", id, comment, func(d *desk.Desk, c *desk.Case) error {
		if err := unresolved(c, "acknowledged"); err != nil || c.Incident.State == models.IncidentAcknowledged {
			return err
		}
		d.Acknowledge(c, actor, comment)
		return nil
	})
}

// Unacknowledge takes that back. Faults: NOT_FOUND, CONFLICT when it is resolved.
func (s *Service) Unacknowledge(ctx context.Context, actor, id string) (models.Incident, error) {
	return s.act(ctx, actor, "incident.unacknowledge", id, "", func(d *desk.Desk, c *desk.Case) error {
		if err := unresolved(c, "given back"); err != nil || c.Incident.State == models.IncidentOpen {
			return err
		}
		d.Unacknowledge(c, actor)
		return nil
	})
}

// Resolve ends an incident by a person's word. Faults: NOT_FOUND, CONFLICT when it is
// resolved, INVALID (comment).
func (s *Service) Resolve(ctx context.Context, actor, id, comment string) (models.Incident, error) {
	return s.act(ctx, actor, "incident.resolve", id, comment, func(d *desk.Desk, c *desk.Case) error {
		if err := unresolved(c, "resolved"); err != nil {
			return err
		}
		d.Resolve(c, "Resolved by "+actor+".", comment, actor)
		return nil
	})
}

// Comment adds a line to an incident's timeline. Faults: NOT_FOUND, REQUIRED, INVALID,
// LIMIT when the timeline is full.
func (s *Service) Comment(ctx context.Context, actor, id, comment string) (models.Incident, error) {
	if comment == "" {
		return models.Incident{}, fault.At("comment", fault.Required, "comment is missing; write what is to be known.")
	}
	return s.act(ctx, actor, "incident.comment", id, comment, func(d *desk.Desk, c *desk.Case) error {
		if c.Incident.Entries >= models.MaxIncidentEntries {
			return fault.New(fault.Limit, "The timeline of the incident has %d entries, the most there can be.", c.Incident.Entries)
		}
		d.Enter(c, models.EntryComment, comment, nil, actor)
		return nil
	})
}

func unresolved(c *desk.Case, what string) error {
	if c.Incident.State != models.IncidentResolved {
		return nil
	}
	return fault.New(fault.Conflict, "The incident is resolved (%s): it cannot be %s.", c.Incident.Resolution, what)
}

// act does what a person asks to an incident, with its audit row, on any server.
func (s *Service) act(ctx context.Context, actor, action, id, comment string, do func(*desk.Desk, *desk.Case) error) (models.Incident, error) {
	if bad := check.Text("comment", comment, maxComment); bad != nil {
		return models.Incident{}, bad
	}
	now := s.clock.Now()
	b, err := s.read(ctx, now)
	if err != nil {
		return models.Incident{}, err
	}
	var after models.Incident
	err = s.store.WorkIncidents(ctx, nil, store.IncidentKeys{IDs: []string{id}}, func(held *store.IncidentsHeld) (*store.IncidentBooks, error) {
		if len(held.Incidents) == 0 {
			return nil, fault.New(fault.NotFound, "There is no incident %s.", id)
		}
		d := b.desk(now)
		cases := casesOf(held, func(i *models.Incident) desk.Subject {
			return desk.Subject{AppID: or(i.AppID), GroupID: or(i.GroupID), JobID: or(i.JobID)}
		})
		if err := do(d, cases[0]); err != nil {
			return nil, err
		}
		out := books(d, cases)
		after = cases[0].Incident
		if cases[0].Changed {
			detail := map[string]any{}
			if comment != "" {
				detail["comment"] = comment
			}
			out.Audits = []models.Audit{record(now, actor, action, "incident", id, detail)}
		}
		return out, nil
	})
	if err != nil {
		return models.Incident{}, err
	}
	s.notify.IncidentsChanged(ctx, []string{id})
	return after, nil
}

// Incident answers one incident. Fault: NOT_FOUND.
func (s *Service) Incident(ctx context.Context, id string) (models.Incident, error) {
	return s.store.Incident(ctx, id)
}

// Incidents answers a page of incidents, newest first; positions are ids. Fault: INVALID.
func (s *Service) Incidents(ctx context.Context, f Filter, p Page) ([]models.Incident, PageInfo, error) {
	return s.store.IncidentPage(ctx, f, p)
}

// IncidentsByIDs answers the incidents that exist among ids, in no order.
func (s *Service) IncidentsByIDs(ctx context.Context, ids []string) ([]models.Incident, error) {
	return s.store.IncidentsByIDs(ctx, ids)
}

// Timeline answers a page of an incident's timeline, oldest first. Fault: INVALID.
func (s *Service) Timeline(ctx context.Context, id string, p Page) ([]models.IncidentEntry, PageInfo, error) {
	return s.store.IncidentEntries(ctx, id, p)
}

// Summary counts the incidents that are not resolved.
func (s *Service) Summary(ctx context.Context, within []string) (Counts, error) {
	return s.store.CountIncidents(ctx, within)
}

// Downtime is how long an incident's problem lasted; nil while it lasts.
func Downtime(i *models.Incident) *time.Duration {
	if i.ResolvedAt == nil {
		return nil
	}
	d := i.Duration(*i.ResolvedAt)
	return &d
}
