package cmd

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// told are the notifications of a server, oldest first.
func told(t *testing.T, s *server) []models.Notification {
	t.Helper()
	rows, _, err := s.store.NotificationPage(t.Context(), store.NotificationFilter{}, store.Page{First: 100})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(rows)
	return rows
}

// rule has every failure for good and its end told at once, and nothing else.
func (s *server) rule(t *testing.T, c models.AlertChannel) {
	t.Helper()
	if _, err := s.desk.DeleteRule(t.Context(), "test", models.DefaultAlertRule); err != nil {
		t.Fatal(err)
	}
	_, err := s.desk.CreateRule(t.Context(), "test", alert.RuleInput{Name: "failures", Enabled: true, Spec: models.AlertSpec{
		Scope:      models.AlertScope{Kind: models.ScopeAll},
		Conditions: []models.AlertCondition{{Event: models.AlertRetriesExhausted, Count: 1}},
		Zone:       "UTC", Severity: models.SeverityCritical, GroupIntervalMS: time.Minute.Milliseconds(),
		Routes:  []models.AlertRoute{{Severities: []models.Severity{models.SeverityCritical}, Channels: []string{c.ID}}},
		Notices: []models.AlertNotice{models.NoticeOpened, models.NoticeRecovered},
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// The whole way of an alert: a job fails for good, one incident is opened and one message
// received; the job succeeds, the incident is closed and one message more says so. A
// server that stops right after the failure changes nothing of that.
func TestTheWayOfAnAlert(t *testing.T) {
	t.Parallel()
	for name, restart := range map[string]bool{"one server": false, "stopped after the failure": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newHookReceiver(t)
			file := filepath.Join(t.TempDir(), "belfry.db")
			s, start := alertServer(t, file)
			stop := start()
			s.rule(t, s.hook(t, r.URL))
			app, key, err := s.fleet.CreateApp(t.Context(), "test", "shop", "")
			if err != nil {
				t.Fatal(err)
			}
			groups, err := s.fleet.Groups(t.Context(), app.ID)
			if err != nil {
				t.Fatal(err)
			}
			p := &plant{server: s, t: t, key: key, group: groups[0].ID, url: "http://" + s.front.Addr()}
			var mended atomic.Bool
			work := func() (end func()) {
				return p.work("w1", func(w *worker.Worker) {
					worker.Handle(w, "Bill", func(context.Context, *worker.Task, none) error {
						if mended.Load() {
							return nil
						}
						return errors.New("the printer is on fire")
					})
				})
			}
			end := work()
			j := p.job("Bill", func(in *job.Input) { in.Retry = &job.RetryInput{MaxAttempts: 1} })
			failed := p.trigger(j)
			p.awaitState(failed, models.TaskFailed)
			if restart {
				end()
				stop()
				s, start = alertServer(t, file)
				stop = start()
				p.server, p.url = s, "http://"+s.front.Addr()
				end = work()
			}
			defer func() { end(); stop() }()
			eventually(t, "the failure was told", func() bool {
				rows := told(t, s)
				return len(rows) == 1 && rows[0].State == models.NotificationSent
			})
			open, _, err := s.desk.Incidents(t.Context(), alert.Filter{}, alert.Page{First: 10})
			if err != nil || len(open) != 1 || open[0].State != models.IncidentOpen || open[0].Severity != models.SeverityCritical {
				t.Fatalf("incidents %+v, %v", open, err)
			}
			mended.Store(true)
			p.awaitState(p.trigger(j), models.TaskSucceeded)
			eventually(t, "its end was told", func() bool {
				rows := told(t, s)
				return len(rows) == 2 && rows[1].State == models.NotificationSent
			})
			rows := told(t, s)
			if rows[0].Kind != models.MessageProblem || rows[1].Kind != models.MessageRecovery {
				t.Errorf("told %s, then %s", rows[0].Kind, rows[1].Kind)
			}
			closed, err := s.desk.Incident(t.Context(), open[0].ID)
			if err != nil || closed.State != models.IncidentResolved || closed.ResolvedAt == nil || !closed.ResolvedAt.After(closed.OpenedAt) {
				t.Errorf("at its end %+v, %v", closed, err)
			}
			if got := r.seen(); !slices.Equal(got, []string{rows[0].ID, rows[1].ID}) || r.forged != 0 {
				t.Errorf("received %v with %d wrong signatures", got, r.forged)
			}
		})
	}
}
