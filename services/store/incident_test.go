package store

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

func incidentOf(n int, key string) models.Incident {
	return models.Incident{
		ID: models.NewID(t0.Add(time.Duration(n) * time.Second)), RuleID: models.DefaultAlertRule, RuleName: "default", Event: models.AlertLost,
		Condition: models.AlertCondition{Event: models.AlertLost, Count: 1}, Subject: "job:x", Fingerprint: key, OpenKey: &key, Title: "x", Severity: models.SeverityWarning,
		State: models.IncidentOpen, OpenedAt: t0, LastAt: t0, Count: 1, Told: []string{"a"}, Flips: []time.Time{t0}, NextAt: &t0,
	}
}

// What one transaction writes the next one finds, under locks; one open incident of a
// problem is all there can be; rules that moved and a fence that fell stop it.
func TestWorkIncidents(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		ctx := t.Context()
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		key := fmt.Sprintf("%064d", 1)
		made := incidentOf(1, key)
		pending := models.AlertPending{ID: models.NewID(t0), IncidentID: made.ID, RuleID: made.RuleID, ChannelID: "c", Notice: models.NoticeOpened, Severity: made.Severity, GroupKey: "g", DueAt: t0, People: []string{"p"}, CreatedAt: t0}
		group := models.AlertGroup{RuleID: made.RuleID, ChannelID: "c", Last: map[string]time.Time{"g": t0}, Sent: []time.Time{t0}, Suppressed: 2}
		rules := map[string]int{models.DefaultAlertRule: 1}
		books := func() *IncidentBooks {
			return &IncidentBooks{
				Made: []models.Incident{made}, Pending: []models.AlertPending{pending}, Group: &group,
				Entries: []models.IncidentEntry{{ID: models.NewID(t0), IncidentID: made.ID, At: t0, Kind: models.EntryOpened, Message: "lost"}},
			}
		}
		keys := IncidentKeys{Fingerprints: []string{key}, Since: t0.Add(-time.Hour), Rules: rules, Group: &models.AlertGroup{RuleID: made.RuleID, ChannelID: "c"}}
		must(s.WorkIncidents(ctx, nil, keys, func(h *IncidentsHeld) (*IncidentBooks, error) {
			if len(h.Incidents) != 0 || h.Group.Suppressed != 0 {
				t.Errorf("held %+v", h)
			}
			return books(), nil
		}))
		must(s.WorkIncidents(ctx, nil, keys, func(h *IncidentsHeld) (*IncidentBooks, error) {
			if diff := cmp.Diff([]models.Incident{made}, h.Incidents); diff != "" {
				t.Errorf("incidents: %s", diff)
			}
			if diff := cmp.Diff([]models.AlertPending{pending}, h.Pending); diff != "" {
				t.Errorf("pending: %s", diff)
			}
			if diff := cmp.Diff(group, h.Group); diff != "" {
				t.Errorf("group: %s", diff)
			}
			changed := h.Incidents[0]
			changed.Count, changed.State, changed.OpenKey, changed.ResolvedAt = 2, models.IncidentResolved, nil, &t0
			h.Group.Suppressed = 3
			return &IncidentBooks{Changed: []models.Incident{changed}, Postponed: t0.Add(time.Hour), PostponedKey: "g", Group: &h.Group, Held: map[string]int64{"none": 1}}, nil
		}))
		next, err := s.NextAlert(ctx)
		must(err)
		if !next.Equal(t0) {
			t.Errorf("next is due at %s", next)
		}
		due, err := s.PendingDue(ctx, t0.Add(2*time.Hour), 10)
		must(err)
		if len(due) != 1 || !due[0].DueAt.Equal(t0.Add(time.Hour)) {
			t.Errorf("put off: %+v", due)
		}
		other := incidentOf(2, key)
		twice := incidentOf(3, key)
		err = s.WorkIncidents(ctx, nil, keys, func(h *IncidentsHeld) (*IncidentBooks, error) {
			if len(h.Incidents) != 1 || h.Incidents[0].Count != 2 {
				t.Errorf("one that ended of late: %+v", h.Incidents)
			}
			return &IncidentBooks{Made: []models.Incident{other, twice}}, nil
		})
		if err == nil {
			t.Error("two incidents of one problem are open")
		}
		if err := s.WorkIncidents(ctx, Fence{0: 99}, keys, nil); !errors.Is(err, ErrDeposed) {
			t.Errorf("with a fence that fell: %v", err)
		}
		keys.Rules = map[string]int{models.DefaultAlertRule: 7}
		if err := s.WorkIncidents(ctx, nil, keys, nil); !errors.Is(err, ErrRulesMoved) {
			t.Errorf("with a rule that moved: %v", err)
		}
		entries, _, err := s.IncidentEntries(ctx, made.ID, Page{First: 10})
		must(err)
		if len(entries) != 1 || entries[0].Message != "lost" {
			t.Errorf("entries %+v", entries)
		}
		must(s.WorkIncidents(ctx, nil, IncidentKeys{}, func(*IncidentsHeld) (*IncidentBooks, error) {
			return &IncidentBooks{Made: []models.Incident{other}, Dropped: []string{pending.ID}}, nil
		}))
		counts, err := s.CountIncidents(ctx, nil)
		must(err)
		if diff := cmp.Diff(IncidentCounts{Open: 1}, counts); diff != "" {
			t.Error(diff)
		}
		audit := models.Audit{ID: models.NewID(t0), At: t0}
		_, closed, err := s.DeleteAlertRule(ctx, models.DefaultAlertRule, t0, "deleted", audit)
		must(err)
		if diff := cmp.Diff([]string{other.ID}, closed); diff != "" {
			t.Error(diff)
		}
		n, err := s.PruneIncidents(ctx, t0.Add(time.Hour), 10)
		must(err)
		if n != 2 {
			t.Errorf("%d incidents pruned", n)
		}
		ends, err := s.LastJobEnds(ctx, "x", t0, 5)
		must(err)
		events, err := s.CountAlertEvents(ctx, "job:x", models.AlertLost, t0, t0, 5)
		must(err)
		if ends != (JobEnds{}) || events != 0 {
			t.Errorf("ends %+v, events %d", ends, events)
		}
	})
}
