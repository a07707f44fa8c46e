package store

import (
	"testing"

	"github.com/belfry-scheduler/belfry/models"
)

// A process that has left, was lost or was replaced gets nothing any more, whatever
// the dispatcher still thinks of it: nobody would end that attempt as handed back.
func TestDispatchLooksAtTheNode(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		_, _, group := in.app("shop")
		node, _, err := s.RegisterNode(t.Context(), in.node(group, "n1"))
		in.must(err)
		w := newWorld(t, s, 1)
		tasks := w.tasks(4)
		create(t, s, tasks...)
		give := func(i int, incarnation string) (refused int) {
			t.Helper()
			d := dispatchOf(&tasks[i], 1)
			d.NodeID, d.NodeName, d.Incarnation = node.ID, node.Name, incarnation
			_, all, err := s.DispatchTasks(t.Context(), nil, t0, []Dispatch{d}, nil)
			in.must(err)
			return len(all)
		}
		if give(0, node.Incarnation) != 0 {
			t.Error("a live process was refused")
		}
		if give(1, "an earlier one") != 1 {
			t.Error("a process that was replaced got an attempt")
		}
		_, err = s.SetNodeState(t.Context(), node.ID, node.Incarnation, models.NodeOffline, "")
		in.must(err)
		if give(2, node.Incarnation) != 1 {
			t.Error("a process that has left got an attempt")
		}
		_, err = s.SetNodeState(t.Context(), node.ID, node.Incarnation, models.NodeOnline, "s1")
		in.must(err)
		if give(3, node.Incarnation) != 0 {
			t.Error("a process that is back was refused")
		}
	})
}
