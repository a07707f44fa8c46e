package store

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

// Tasks that cannot run come into the failed queue without an attempt, are counted
// there, and can be tried again from there.
func TestParkTasks(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		tasks := w.tasks(3)
		create(t, s, tasks...)
		rows := dispatch(t, s, t0, tasks[0], tasks[1])
		end(t, s, endOf(&rows[0], models.OutcomeFailed, t0)) // RETRYING; the second runs, the third waits
		var deposed *DeposedError
		if _, err := s.TakePartition(t.Context(), w.group.Partition, "s2"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.ParkTasks(t.Context(), Fence{w.group.Partition: 0}, t0.Add(time.Minute), models.ReasonNodeAway, idsOfTasks(tasks)); !errors.As(err, &deposed) {
			t.Errorf("a deposed owner parked: %v", err)
		}
		parked, err := s.ParkTasks(t.Context(), Fence{w.group.Partition: 1}, t0.Add(time.Minute), models.ReasonNodeAway, idsOfTasks(tasks))
		if err != nil || len(parked) != 2 {
			t.Fatalf("parked %d, %v", len(parked), err)
		}
		for _, id := range []string{tasks[0].ID, tasks[2].ID} {
			if got := load(t, s, id); got.State != models.TaskFailed || got.Reason != models.ReasonNodeAway || got.FinishedAt == nil {
				t.Errorf("parked as %s (%s)", got.State, got.Reason)
			}
		}
		if got := load(t, s, tasks[1].ID); got.State != models.TaskRunning {
			t.Errorf("the running one is %s", got.State)
		}
		counts, err := s.Counters(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := map[models.TaskState]int64{models.TaskFailed: 2, models.TaskRunning: 1, models.TaskWaiting: 0, models.TaskRetrying: 0}
		if diff := cmp.Diff(want, counts[w.group.ID]); diff != "" {
			t.Errorf("counters (-want +got):\n%s", diff)
		}
		again, err := s.RequeueTask(t.Context(), tasks[2].ID, nil, t0.Add(time.Hour), nil)
		if err != nil || again.State != models.TaskRetrying {
			t.Errorf("tried again: %s, %v", again.State, err)
		}
	})
}

func TestRouteInputsAndLastNodes(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		key := "order 7"
		tasks := w.tasks(6) // every other one of job 0
		tasks[0].UniqueKey = &key
		tasks[1].Parameters = nil
		create(t, s, tasks...)
		got, err := s.RouteInputs(t.Context(), []string{tasks[0].ID, tasks[1].ID, "none"})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]RouteInput{
			tasks[0].ID: {UniqueKey: key, Parameters: json.RawMessage(`{"order":12345,"customer":"an average one"}`)}, tasks[1].ID: {},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("inputs (-want +got):\n%s", diff)
		}
		items := []Dispatch{dispatchOf(&tasks[0], 1), dispatchOf(&tasks[2], 2)}
		if _, refused, err := s.DispatchTasks(t.Context(), nil, t0, items, nil); err != nil || len(refused) > 0 {
			t.Fatalf("%v, %v", refused, err)
		}
		last, err := s.LastNodes(t.Context(), []string{w.jobs[0].ID, w.jobs[1].ID})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{w.jobs[0].ID: items[1].NodeID}, last); diff != "" {
			t.Errorf("last nodes (-want +got):\n%s", diff)
		}
	})
}
