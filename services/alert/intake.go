package alert

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/desk"
	"github.com/belfry-scheduler/belfry/services/store"
)

// step is what one event does to one problem.
type step struct {
	fingerprint string
	signal      *desk.Signal       // it happens; nil: it is over
	over        *models.AlertEvent // it is over
	below       bool               // the condition's threshold is not reached: only an incident that is open takes it
}

// intake makes events part of incidents. More says that there may be more.
func (s *Service) intake(ctx context.Context, fence store.Fence, b *board) (more bool, err error) {
	events, err := s.store.UnhandledAlertEvents(ctx, eventsAtOnce)
	if err != nil || len(events) == 0 {
		return false, err
	}
	steps, names, err := s.plan(ctx, b, events)
	if err != nil {
		return false, err
	}
	now := s.clock.Now()
	keys := store.IncidentKeys{Since: now.Add(-desk.FlapCalm), Rules: b.versions}
	for i := range steps {
		keys.Fingerprints = append(keys.Fingerprints, steps[i].fingerprint)
	}
	handled := make([]string, len(events))
	for i := range events {
		handled[i] = events[i].ID
	}
	var written []string
	err = s.store.WorkIncidents(ctx, fence, keys, func(held *store.IncidentsHeld) (*store.IncidentBooks, error) {
		d := b.desk(now)
		out := books(d, follow(d, steps, casesOf(held, names.subject)))
		out.Handled = handled
		written = changed(out)
		return out, nil
	})
	if err != nil {
		return false, err
	}
	if len(written) > 0 {
		s.notify.IncidentsChanged(ctx, written)
	}
	return len(events) == eventsAtOnce, nil
}

// follow lets the steps happen in order and answers all cases.
func follow(d *desk.Desk, steps []step, cases []*desk.Case) []*desk.Case {
	latest := map[string]*desk.Case{}
	for _, c := range cases { // oldest first; one that is open wins
		if known := latest[c.Incident.Fingerprint]; known == nil || known.Incident.OpenKey == nil {
			latest[c.Incident.Fingerprint] = c
		}
	}
	for i := range steps {
		st := &steps[i]
		c := latest[st.fingerprint]
		if st.signal == nil {
			if c != nil {
				d.Clear(c, st.over)
			}
			continue
		}
		if st.below && (c == nil || c.Incident.OpenKey == nil) {
			continue
		}
		after := d.Happen(c, st.signal)
		if after != c {
			latest[st.fingerprint] = after
			cases = append(cases, after)
		}
	}
	return cases
}

// plan says what events do, by the rules alone.
func (s *Service) plan(ctx context.Context, b *board, events []models.AlertEvent) ([]step, *names, error) {
	known, err := s.namesOf(ctx, events)
	if err != nil {
		return nil, nil, err
	}
	m := meter{store: s.store, met: map[measure]bool{}}
	var steps []step
	for i := range events {
		more, err := b.stepsOf(ctx, &events[i], known, &m)
		if err != nil {
			return nil, nil, err
		}
		steps = append(steps, more...)
	}
	return steps, known, nil
}

// stepsOf says what one event does to the problems of all rules.
func (b *board) stepsOf(ctx context.Context, e *models.AlertEvent, known *names, m *meter) ([]step, error) {
	var steps []step
	subject := known.subjectOf(e)
	for _, id := range sortedKeys(b.rules) {
		r := b.rules[id]
		if e.Kind == models.AlertRecovered || e.Cleared {
			for _, key := range r.Ends(e) {
				steps = append(steps, step{fingerprint: key, over: e})
			}
			continue
		}
		met := r.Wants(e, &subject)
		if len(met) == 0 {
			continue
		}
		first, reached := met[0], false
		for _, k := range met {
			yes, err := m.reached(ctx, r, k, e)
			if err != nil {
				return nil, err
			}
			if yes {
				first, reached = k, true
				break
			}
		}
		steps = append(steps, step{
			fingerprint: desk.Fingerprint(r.ID, e.Kind, e.Subject), below: !reached,
			signal: &desk.Signal{Event: e, Rule: r, Condition: first, Title: known.title(e), Subject: subject, Words: words(e)},
		})
	}
	return steps, nil
}

// measure is one threshold about one subject.
type measure struct {
	rule      string
	condition int
	subject   string
}

// meter looks thresholds up, each once for the events of a batch. Bounded by these.
type meter struct {
	store *store.Store
	met   map[measure]bool
}

// reached says whether the threshold of a rule's condition is reached with an event.
func (m *meter) reached(ctx context.Context, r *desk.Rule, condition int, e *models.AlertEvent) (bool, error) {
	c := &r.Spec.Conditions[condition]
	if c.Rate == 0 && c.Count <= 1 {
		return true, nil
	}
	key := measure{rule: r.ID, condition: condition, subject: e.Subject}
	if m.met[key] {
		return true, nil // what was reached within the batch stays so
	}
	yes, err := m.look(ctx, c, e)
	m.met[key] = yes
	return yes, err
}

func (m *meter) look(ctx context.Context, c *models.AlertCondition, e *models.AlertEvent) (bool, error) {
	switch {
	case c.Rate > 0:
		if e.JobID == nil {
			return false, nil
		}
		ends, err := m.store.JobEndsBetween(ctx, *e.JobID, e.At.Add(-c.Window()), e.At)
		return ends.Failed >= c.Count && ends.Share() >= c.Rate, err
	case c.Of > 0:
		if e.JobID == nil {
			return false, nil
		}
		ends, err := m.store.LastJobEnds(ctx, *e.JobID, e.At, c.Of)
		return ends.Failed >= c.Count, err
	}
	n, err := m.store.CountAlertEvents(ctx, e.Subject, e.Kind, e.At.Add(-c.Window()), e.At, c.Count)
	return n >= c.Count, err
}

// names are those of what events and incidents are about.
type names struct {
	jobs   map[string]*models.Job
	groups map[string]*models.NodeGroup
	apps   map[string]*models.App
	labels map[string]map[string]string // of jobs
}

func (s *Service) namesOf(ctx context.Context, events []models.AlertEvent) (*names, error) {
	var jobs, groups, apps []string
	for i := range events {
		e := &events[i]
		jobs, groups, apps = add(jobs, e.JobID), add(groups, e.GroupID), add(apps, e.AppID)
	}
	return s.lookUp(ctx, jobs, groups, apps)
}

// subjects answers what incidents are about, as scopes ask.
func (s *Service) subjects(ctx context.Context, rows []models.Incident) (func(*models.Incident) desk.Subject, error) {
	var jobs []string
	for i := range rows {
		jobs = add(jobs, rows[i].JobID)
	}
	known, err := s.lookUp(ctx, jobs, nil, nil)
	if err != nil {
		return nil, err
	}
	return known.subject, nil
}

func (s *Service) lookUp(ctx context.Context, jobIDs, groupIDs, appIDs []string) (*names, error) {
	n := &names{jobs: map[string]*models.Job{}, groups: map[string]*models.NodeGroup{}, apps: map[string]*models.App{}, labels: map[string]map[string]string{}}
	jobs, err := s.store.JobsByIDs(ctx, unique(jobIDs))
	if err != nil {
		return nil, err
	}
	for i := range jobs {
		n.jobs[jobs[i].ID] = &jobs[i]
		var labels map[string]string
		if len(jobs[i].Labels) > 0 && json.Unmarshal(jobs[i].Labels, &labels) == nil { // labels written by hand match nothing
			n.labels[jobs[i].ID] = labels
		}
	}
	groups, err := s.store.GroupsByIDs(ctx, unique(groupIDs))
	if err != nil {
		return nil, err
	}
	for i := range groups {
		n.groups[groups[i].ID] = &groups[i]
	}
	apps, err := s.store.AppsByIDs(ctx, unique(appIDs))
	if err != nil {
		return nil, err
	}
	for i := range apps {
		n.apps[apps[i].ID] = &apps[i]
	}
	return n, nil
}

func (n *names) subjectOf(e *models.AlertEvent) desk.Subject {
	return n.about(e.AppID, e.GroupID, e.JobID)
}

func (n *names) subject(i *models.Incident) desk.Subject { return n.about(i.AppID, i.GroupID, i.JobID) }

func (n *names) about(app, group, job *string) desk.Subject {
	of := desk.Subject{AppID: or(app), GroupID: or(group), JobID: or(job)}
	of.Labels = n.labels[of.JobID]
	return of
}

func or(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// add appends an id that is given.
func add(ids []string, id *string) []string {
	if id != nil {
		ids = append(ids, *id)
	}
	return ids
}

func unique(ids []string) []string { return slices.Compact(slices.Sorted(slices.Values(ids))) }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// silent is a length of time in words, for the timeline.
func silent(ms int64) string { return desk.Span(time.Duration(ms) * time.Millisecond) }
