package store

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

// saidOf are the events in short, with c for cleared.
func saidOf(t *testing.T, s *Store) []string {
	t.Helper()
	var said []string
	events := unhandled(t, s)
	for i := range events {
		e := &events[i]
		text := strings.SplitN(e.Subject, ":", 2)[0] + " " + e.Kind.String()
		if e.Cleared {
			text += " cleared"
		}
		said = append(said, text)
	}
	return said
}

func TestAlertEventsOfNodes(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		d := newSeed(t, s)
		_, _, group := d.app("shop")
		other := d.group(group.AppID, "other")
		d.store1(&other)
		one, two := d.node(group, "one"), d.node(group, "two")
		d.store1(&one, &two)
		lose := func(n models.Node) {
			t.Helper()
			if changed, err := s.LoseNode(t.Context(), n.ID, n.Incarnation); err != nil || !changed {
				t.Fatalf("changed %v, %v", changed, err)
			}
		}
		state := func(n models.Node, to models.NodeState) {
			t.Helper()
			if _, err := s.SetNodeState(t.Context(), n.ID, n.Incarnation, to, ""); err != nil {
				t.Fatal(err)
			}
		}
		want := func(all ...string) {
			t.Helper()
			if diff := cmp.Diff(all, saidOf(t, s)); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
		}
		state(one, models.NodeDraining)
		lose(one)
		lose(one) // again
		want("node NODE_OFFLINE")
		state(two, models.NodeOffline) // in good order
		want("node NODE_OFFLINE", "group GROUP_EMPTY")
		state(two, models.NodeOnline)
		want("node NODE_OFFLINE", "group GROUP_EMPTY", "group GROUP_EMPTY cleared")
		state(one, models.NodeOnline)
		want("node NODE_OFFLINE", "group GROUP_EMPTY", "group GROUP_EMPTY cleared", "node NODE_OFFLINE cleared")
		events := unhandled(t, s)
		if e := events[0]; e.Details().Node != "one" || *e.NodeID != one.ID || *e.GroupID != group.ID || !e.Details().Since.Equal(one.LastSeenAt) {
			t.Errorf("%+v", e)
		}
		if e := events[2]; e.NodeID != nil || *e.GroupID != group.ID || !e.Details().Since.Equal(events[1].At) {
			t.Errorf("%+v", e)
		}
		// A process that moves to another group leaves its own.
		state(two, models.NodeOffline)
		one.GroupID, one.Incarnation = other.ID, "another"
		if _, _, err := s.RegisterNode(t.Context(), one); err != nil {
			t.Fatal(err)
		}
		if said := saidOf(t, s); len(said) != 5 || said[4] != "group GROUP_EMPTY" {
			t.Errorf("after it moved: %v", said)
		}
		lose(one)
		if _, err := s.RemoveNode(t.Context(), one.ID, d.audit("node", one.ID)); err != nil {
			t.Fatal(err)
		}
		said := saidOf(t, s)
		if diff := cmp.Diff([]string{"node NODE_OFFLINE", "group GROUP_EMPTY", "node NODE_OFFLINE cleared"}, said[5:]); diff != "" {
			t.Errorf("after its removal (-want +got):\n%s", diff)
		}
	})
}

// TestLastNodesGoAtOnce: of nodes that go at the same time one leaves the group empty.
func TestLastNodesGoAtOnce(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		d := newSeed(t, s)
		_, _, group := d.app("shop")
		nodes := make([]models.Node, 8)
		for i := range nodes {
			nodes[i] = d.node(group, string(rune('a'+i)))
			d.store1(&nodes[i])
		}
		var wg sync.WaitGroup
		for _, n := range nodes {
			wg.Go(func() {
				if _, err := s.LoseNode(t.Context(), n.ID, n.Incarnation); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		empty := 0
		for _, said := range saidOf(t, s) {
			if said == "group GROUP_EMPTY" {
				empty++
			}
		}
		if empty != 1 {
			t.Errorf("the group was told empty %d times", empty)
		}
	})
}

// TestRecordAlerts: what is open is told once, what is not open is not cleared.
func TestRecordAlerts(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		rule := models.NewID(t0)
		event := func(since time.Time, rule *string) models.AlertEvent {
			detail := models.AlertDetail{Since: &since}
			return models.AlertEvent{Kind: models.AlertRunTooLong, At: since, Subject: "job:x", RuleID: rule, Detail: detail.Text()}
		}
		record := func(opened, cleared []models.AlertEvent) {
			t.Helper()
			for range 2 { // whatever is repeated, or found by two watchers
				if err := s.RecordAlerts(t.Context(), Fence{0: 0}, opened, cleared); err != nil {
					t.Fatal(err)
				}
			}
		}
		list := func(events ...models.AlertEvent) []models.AlertEvent { return events }
		record(nil, list(event(t0, nil)))
		record(list(event(t0, nil), event(t0, &rule)), nil)
		record(list(event(t0.Add(-time.Minute), nil)), nil)
		record(list(event(t0.Add(time.Hour), nil)), nil)
		watches, err := s.AlertWatches(t.Context())
		if err != nil || len(watches) != 2 || !watches[0].Since.Equal(t0.Add(time.Hour)) || watches[1].RuleID != rule {
			t.Fatalf("%+v, %v", watches, err)
		}
		cleared := event(t0.Add(2*time.Hour), nil)
		cleared.Cleared = true
		record(nil, list(cleared))
		want := []string{"job RUN_TOO_LONG", "job RUN_TOO_LONG", "job RUN_TOO_LONG", "job RUN_TOO_LONG cleared"}
		if diff := cmp.Diff(want, saidOf(t, s)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if err := s.RecordAlerts(t.Context(), Fence{0: 7}, list(event(t0, nil)), nil); err == nil {
			t.Error("a deposed owner told something")
		}
	})
}
