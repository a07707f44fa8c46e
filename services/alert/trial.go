package alert

import (
	"context"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/desk"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Bounds of a trial.
const (
	trialDays    = 14     // as long as events are kept
	trialEvents  = 50_000 // events that meet a condition
	trialLooks   = 5_000  // looks at the ends of jobs, for thresholds and rates
	trialPage    = 1000
	trialEntries = 100
)

// Trial is what a rule would have sent.
type Trial struct {
	Events     int64 // that met a condition
	Incidents  int
	Messages   int
	Suppressed int
	Entries    []TrialEntry // the first hundred
	Err        *fault.Error // why the rule cannot be tried; nil when it was
	From       time.Time    // of the events that were looked at
}

// TrialEntry is a message that a rule would have sent.
type TrialEntry struct {
	At       time.Time
	Channel  string // its name
	Severity models.Severity
	Digest   bool
	Sent     bool
	Title    string // of the first problem
	Problems int
}

// Trial runs a rule over the events of the past days, with the silences of that time and
// jobs, labels and channels as they are now. It writes nothing. Fault: INVALID (days).
func (s *Service) Trial(ctx context.Context, in RuleInput, days int) (Trial, error) {
	if bad := check.Number("days", days, 1, trialDays); bad != nil {
		return Trial{}, bad
	}
	now := s.clock.Now()
	t := Trial{From: now.AddDate(0, 0, -days), Entries: []TrialEntry{}}
	row, err := s.trialRule(ctx, &in)
	if list := fault.All(err); len(list) > 0 {
		t.Err = list[0]
		return t, nil
	}
	if err != nil {
		return t, err
	}
	rule, err := desk.Compile(row)
	if err != nil {
		return t, err
	}
	run := &trialRun{service: s, rule: rule, trial: &t, board: board{rules: map[string]*desk.Rule{rule.ID: rule}}}
	if err := run.prepare(ctx); err != nil {
		return t, err
	}
	err = run.live(ctx, t.From, now)
	if list := fault.All(err); len(list) > 0 {
		t.Err, err = list[0], nil
	}
	t.Incidents = len(run.world.Incidents())
	return t, err
}

// trialRule checks the input; a rule of the same name lends its id, since events of the
// watcher belong to a rule.
func (s *Service) trialRule(ctx context.Context, in *RuleInput) (models.AlertRule, error) {
	row := models.AlertRule{ID: "trial"}
	if err := s.apply(ctx, in, &row); err != nil {
		return row, err
	}
	row.Enabled = true
	rules, err := s.store.AlertRules(ctx)
	for i := range rules {
		if rules[i].Name == in.Name {
			row.ID = rules[i].ID
		}
	}
	return row, err
}

// trialRun is one trial under way.
type trialRun struct {
	service *Service
	rule    *desk.Rule
	board   board
	world   *desk.World
	trial   *Trial
	looks   int
}

func (r *trialRun) prepare(ctx context.Context) error {
	s := r.service
	rows, err := s.store.Silences(ctx)
	if err != nil {
		return err
	}
	channels, err := s.channels(ctx)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, c := range channels {
		names[c.ID] = c.Name
	}
	id := 0
	d := &desk.Desk{
		Now: r.trial.From, Rules: r.board.rules, Silences: s.compileSilences(ctx, rows), Channels: channels,
		NewID: func() string { id++; return fmt.Sprintf("%026d", id) },
	}
	r.world = desk.NewWorld(d)
	r.world.Rate = func(i *models.Incident, at time.Time) *float64 { return r.rate(ctx, i, at) }
	r.world.Tell = func(t *desk.Telling, cases []*desk.Case) { r.note(t, cases, names[t.Channel]) }
	return nil
}

// note counts a message, and shows the first ones.
func (r *trialRun) note(t *desk.Telling, cases []*desk.Case, channel string) {
	sent := t.State == models.NotificationQueued
	if sent {
		r.trial.Messages++
	} else {
		r.trial.Suppressed++
	}
	if len(r.trial.Entries) < trialEntries {
		r.trial.Entries = append(r.trial.Entries, TrialEntry{
			At: r.world.Desk.Now, Channel: channel, Severity: t.Severity, Digest: t.Kind == models.MessageDigest, Sent: sent,
			Title: cases[0].Incident.Title, Problems: len(cases),
		})
	}
}

// rate is the share of failed ends at an instant of the past; nil when the trial has
// looked too often.
func (r *trialRun) rate(ctx context.Context, i *models.Incident, at time.Time) *float64 {
	if i.JobID == nil || r.looks >= trialLooks {
		return nil
	}
	r.looks++
	ends, err := r.service.store.JobEndsBetween(ctx, *i.JobID, at.Add(-i.Condition.Window()), at)
	if err != nil {
		return nil
	}
	share := ends.Share()
	return &share
}

// live lets the events of a span happen.
func (r *trialRun) live(ctx context.Context, from, to time.Time) error {
	for after := ""; ; {
		events, err := r.service.store.AlertEventsBetween(ctx, from, to, after, trialPage)
		if err != nil {
			return err
		}
		if len(events) == 0 {
			r.world.Until(to)
			return nil
		}
		known, err := r.service.namesOf(ctx, events)
		if err != nil {
			return err
		}
		m := meter{store: r.service.store, met: map[measure]bool{}}
		for i := range events {
			if err := r.happen(ctx, &events[i], known, &m); err != nil {
				return err
			}
		}
		r.looks += len(m.met)
		if r.trial.Events > trialEvents || r.looks > trialLooks {
			return fault.At("days", fault.Limit, "Too many events meet the conditions to be tried at once (%d so far); choose fewer days or a narrower scope.", r.trial.Events)
		}
		after = events[len(events)-1].ID
	}
}

func (r *trialRun) happen(ctx context.Context, e *models.AlertEvent, known *names, m *meter) error {
	steps, err := r.board.stepsOf(ctx, e, known, m)
	if err != nil {
		return err
	}
	for i := range steps {
		st := &steps[i]
		switch {
		case st.signal == nil:
			r.world.Clear(st.fingerprint, e)
		case st.below && !r.world.Open(st.fingerprint):
		default:
			r.trial.Events++
			r.world.Happen(st.signal)
		}
	}
	return nil
}
