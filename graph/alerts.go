package graph

import (
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/signal"
)

// normalTrialDays is how many days a trial looks back.
const normalTrialDays = 7

// isMissing says whether the object itself of an operation is missing, and not one that a
// field of its input names.
func isMissing(err error) bool {
	all := fault.All(err)
	return len(all) == 1 && all[0].Code == fault.NotFound && all[0].Field == nil
}

// alertRule answers the rule with this id; nil without an id and when it was deleted.
func (r *Resolver) alertRule(ctx context.Context, id *string) (*gqlmodel.AlertRule, error) {
	if id == nil || !seesAll(ctx) { // rules name channels and people of the whole installation
		return nil, nil //nolint:nilnil // absent is an answer: the schema says null
	}
	row, _, err := r.loaders(ctx).alertRules.Load(ctx, *id)
	return alertRuleOf(row), err
}

// groupIfAny answers the group with this id; nil without an id and when it was deleted.
func (r *Resolver) groupIfAny(ctx context.Context, id *string) (*gqlmodel.NodeGroup, error) {
	row, err := ifSeen(ctx, r.loaders(ctx).groups, id, appOfGroup)
	return groupOf(row), err
}

// jobIfAny answers the job with this id; nil without an id.
func (r *Resolver) jobIfAny(ctx context.Context, id *string) (*gqlmodel.Job, error) {
	row, err := ifSeen(ctx, r.loaders(ctx).jobs, id, appOfJob)
	return jobOf(row), err
}

func (r *Resolver) incidentPage(ctx context.Context, args page.Args, filter alert.Filter) (*gqlmodel.IncidentConnection, error) {
	window, err := page.Read(incidentOrder, args)
	if err != nil {
		return nil, err
	}
	rows, info, err := r.services.Alerts.Incidents(ctx, filter, alert.Page(window))
	if err != nil {
		return nil, err
	}
	r.loaders(ctx).seeIncidents(pointers(rows))
	return incidentConnection(rows, info), nil
}

func (r *Resolver) timelinePage(ctx context.Context, id string, args page.Args) (*gqlmodel.IncidentEntryConnection, error) {
	window, err := page.Read(entryOrder, args)
	if err != nil {
		return nil, err
	}
	rows, info, err := r.services.Alerts.Timeline(ctx, id, alert.Page(window))
	if err != nil {
		return nil, err
	}
	l := r.loaders(ctx)
	for i := range rows {
		l.tasks.Expect(present(rows[i].TaskID)...)
		l.nodes.Expect(present(rows[i].NodeID)...)
	}
	return entryConnection(rows, info), nil
}

func (r *Resolver) alertSummary(ctx context.Context) (*gqlmodel.AlertSummary, error) {
	counts, err := r.services.Alerts.Summary(ctx, within(ctx))
	if err != nil {
		return nil, err
	}
	return summaryOf(&counts), nil
}

func (r *Resolver) incidentChanged(ctx context.Context, f alert.Filter) (<-chan *gqlmodel.Incident, error) {
	sub, err := r.feeds.incident.Subscribe(
		func(signal.IncidentChange) bool { return true },
		func(i *models.Incident) bool { return matchesIncident(&f, i) },
	)
	if err != nil {
		return nil, refused(err)
	}
	return stream(ctx, sub, incidentOf, func(ctx context.Context) (*models.Incident, error) {
		rows, _, err := r.services.Alerts.Incidents(ctx, f, alert.Page{First: 1})
		return first(rows), err
	}), nil
}

// How often the summary of incidents is read for its subscribers.
const (
	summaryPace = time.Second      // at most
	summaryIdle = 30 * time.Second // at least: a hint may be lost
)

func (r *Resolver) alertSummaryChanged(ctx context.Context) (<-chan *gqlmodel.AlertSummary, error) {
	watcher, err := r.feeds.summary.Watch()
	if err != nil {
		return nil, refused(err)
	}
	out := make(chan *gqlmodel.AlertSummary)
	go func() { // belongs to the operation and ends with ctx
		defer close(out)
		defer watcher.Close()
		for {
			value, _, err := watcher.Take(ctx)
			if err != nil {
				return
			}
			if !seesAll(ctx) { // what changed is among it, or not
				if value, err = r.alertSummary(ctx); err != nil {
					continue
				}
			}
			select {
			case out <- value:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, nil
}

// alertRulePayload makes the answer of the mutations of alert rules.
func alertRulePayload(saved models.AlertRule) func([]*gqlmodel.UserError, error) (*gqlmodel.AlertRulePayload, error) {
	return func(refused []*gqlmodel.UserError, err error) (*gqlmodel.AlertRulePayload, error) {
		if err != nil || len(refused) > 0 {
			return &gqlmodel.AlertRulePayload{UserErrors: refused}, err
		}
		return &gqlmodel.AlertRulePayload{AlertRule: alertRuleOf(&saved), UserErrors: refused}, nil
	}
}

// incidentPayload makes the answer of the mutations of incidents.
func incidentPayload(after models.Incident) func([]*gqlmodel.UserError, error) (*gqlmodel.IncidentPayload, error) {
	return func(refused []*gqlmodel.UserError, err error) (*gqlmodel.IncidentPayload, error) {
		if err != nil || len(refused) > 0 {
			return &gqlmodel.IncidentPayload{UserErrors: refused}, err
		}
		return &gqlmodel.IncidentPayload{Incident: incidentOf(&after), UserErrors: refused}, nil
	}
}

// silencePayload makes the answer of the mutations of silences.
func (r *Resolver) silencePayload(row models.Silence) func([]*gqlmodel.UserError, error) (*gqlmodel.SilencePayload, error) {
	return func(refused []*gqlmodel.UserError, err error) (*gqlmodel.SilencePayload, error) {
		if err != nil || len(refused) > 0 {
			return &gqlmodel.SilencePayload{UserErrors: refused}, err
		}
		view := r.services.Alerts.View(row)
		return &gqlmodel.SilencePayload{Silence: silenceOf(&view), UserErrors: refused}, nil
	}
}

// channelsNamed answers the channels that exist among ids, in their order.
func (r *Resolver) channelsNamed(ctx context.Context, ids []string) ([]*gqlmodel.AlertChannel, error) {
	shown := []*gqlmodel.AlertChannel{}
	for _, id := range ids {
		row, found, err := r.loaders(ctx).channels.Load(ctx, id)
		if err != nil {
			return nil, err
		}
		if found {
			shown = append(shown, channelOf(row))
		}
	}
	return shown, nil
}

// peopleNamed answers the people who exist among ids, in their order.
func (r *Resolver) peopleNamed(ctx context.Context, ids []string) ([]*gqlmodel.Person, error) {
	shown := []*gqlmodel.Person{}
	for _, id := range ids {
		row, found, err := r.loaders(ctx).people.Load(ctx, id)
		if err != nil {
			return nil, err
		}
		if found {
			shown = append(shown, personOf(row))
		}
	}
	return shown, nil
}

// Sizes of lists that are no connections, in entries.
const (
	incidentNotes = 50
	noteIncidents = 100
)

// incidentsTold answers the incidents that a notification tells.
func (r *Resolver) incidentsTold(ctx context.Context, ids []string) ([]*gqlmodel.Incident, error) {
	shown := []*gqlmodel.Incident{}
	l := r.loaders(ctx)
	l.incidents.Expect(ids[:min(len(ids), noteIncidents)]...)
	for _, id := range ids[:min(len(ids), noteIncidents)] {
		row, found, err := l.incidents.Load(ctx, id)
		if err != nil {
			return nil, err
		}
		if found {
			shown = append(shown, incidentOf(row))
		}
	}
	return shown, nil
}
