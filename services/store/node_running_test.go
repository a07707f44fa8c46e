package store

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

// What runs is counted by node and handler, for the present process alone.
func TestHandlersRunning(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		_, _, other := in.app("bank")
		one, two, far := in.node(g, "one"), in.node(g, "two"), in.node(other, "far")
		in.store1(&one, &two, &far)
		handler := func(name string) func(*models.Job) { return func(j *models.Job) { j.Handler = name } }
		pay, mail := in.storedJob(g, "pay", handler("Pay")), in.storedJob(g, "mail", handler("Mail"))
		abroad := in.storedJob(other, "abroad", handler("Pay"))
		run := func(j models.Job, state models.TaskState, n models.Node, incarnation string) models.Task {
			return in.task(j, state, func(t *models.Task) { t.NodeID, t.Incarnation = &n.ID, incarnation })
		}
		in.created(
			run(pay, models.TaskRunning, one, one.Incarnation), run(pay, models.TaskRunning, one, one.Incarnation),
			run(mail, models.TaskRunning, one, one.Incarnation), run(mail, models.TaskRunning, one, "an old one"),
			run(pay, models.TaskSucceeded, one, one.Incarnation), run(pay, models.TaskRunning, two, two.Incarnation),
			run(abroad, models.TaskRunning, far, far.Incarnation),
		)
		got, err := s.HandlersRunning(t.Context(), []models.Node{one, far})
		in.must(err)
		want := map[string]map[string]int{one.ID: {"Pay": 2, "Mail": 1}, far.ID: {"Pay": 1}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("what runs (-want +got):\n%s", diff)
		}
		if got, err := s.HandlersRunning(t.Context(), nil); err != nil || len(got) != 0 {
			t.Errorf("of no nodes: %v, %v", got, err)
		}
	})
}

// Where stuck handlers are belongs to a process: another one of the node begins without.
func TestStuckHandlersOfANode(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, g := in.app("shop")
		n := in.node(g, "one")
		in.store1(&n)
		list := json.RawMessage(`[{"task":"01JDYV5W00Q2FGNDPT3P1YB480","attempt":1}]`)
		set := func(incarnation string, list json.RawMessage) bool {
			t.Helper()
			changed, err := s.SetNodeStuck(t.Context(), n.ID, incarnation, list)
			in.must(err)
			return changed
		}
		stored := func() string {
			t.Helper()
			got, err := s.Node(t.Context(), n.ID)
			in.must(err)
			return string(got.StuckAttempts)
		}
		if set("another", list) || stored() != "" {
			t.Errorf("another process has noted %s", stored())
		}
		if !set(n.Incarnation, list) || stored() != string(list) {
			t.Errorf("noted %s", stored())
		}
		if !set(n.Incarnation, nil) || stored() != "" {
			t.Errorf("after their end: %s", stored())
		}
		set(n.Incarnation, list)
		next := n
		next.Incarnation = "the next"
		_, _, err := s.RegisterNode(t.Context(), next)
		in.must(err)
		if stored() != "" {
			t.Errorf("the next process has %s", stored())
		}
	})
}
