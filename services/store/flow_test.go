package store

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

func TestServersTellOfThemselves(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		row := serverRow("s1", t0)
		row.Locks, row.Stopping, row.Degraded = models.LockDatabase, true, json.RawMessage(`["Redis is away."]`)
		for _, want := range []models.Server{row, serverRow("s1", t0)} { // the second time all is well again
			if err := s.BeatServer(t.Context(), want); err != nil {
				t.Fatal(err)
			}
			all, err := s.Servers(t.Context(), t0)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]models.Server{want}, all); diff != "" {
				t.Errorf("servers (-want +got):\n%s", diff)
			}
		}
	})
}

func TestOverdueFires(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w, other := newWorld(t, s, 1), newWorld(t, s, 1)
		w.cron(t, s, "early", t0.Add(-time.Minute))
		w.cron(t, s, "earlier", t0.Add(-time.Hour))
		other.cron(t, s, "now", t0)
		newWorld(t, s, 1).cron(t, s, "later", t0.Add(time.Microsecond))
		got, err := s.OverdueFires(t.Context(), t0)
		if err != nil {
			t.Fatal(err)
		}
		want := map[int]time.Time{other.group.Partition: t0}
		want[w.group.Partition] = t0.Add(-time.Hour)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("overdue fires (-want +got):\n%s", diff)
		}
		groups, err := s.GroupsByPartition(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all := 0
		for _, n := range groups {
			all += n
		}
		if all != 3 || groups[w.group.Partition] == 0 {
			t.Errorf("groups by partition: %v", groups)
		}
	})
}

// Due is what may start now: of all priorities, waiting or to be tried again, and
// neither what is put off nor what runs.
func TestDueTasks(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w, idle := newWorld(t, s, 2), newWorld(t, s, 1)
		tasks := w.tasks(12)
		for i := range tasks {
			tasks[i].Priority = models.Priorities[i%4]
			tasks[i].AvailableAt = t0.Add(time.Duration(i) * time.Second)
		}
		create(t, s, tasks...)
		rows := dispatch(t, s, t0, tasks[0], tasks[1])
		end(t, s, endOf(&rows[0], models.OutcomeFailed, t0)) // tried again in a second
		got, err := s.DueTasks(t.Context(), []string{w.group.ID, idle.group.ID, "none"}, t0.Add(4*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]Due{w.group.ID: {Tasks: 4, Oldest: t0.Add(time.Second)}} // 2, 3, 4 and the retry
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("due tasks (-want +got):\n%s", diff)
		}
	})
}

func TestGroupFlows(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w, other := newWorld(t, s, 1), newWorld(t, s, 1)
		oldest, in := t0.Add(-time.Minute), int64(5000)
		held := models.GroupFlow{GroupID: w.group.ID, At: t0, Due: 7, OldestDueAt: &oldest, Released: 3, DrainsInMS: &in, LimitedBy: models.LimitSlots}
		late := models.GroupFlow{GroupID: other.group.ID, At: t0, Due: 1, OldestDueAt: &oldest, LateMS: 60_000, DrainsNote: strings.Repeat("界", 300)}
		fence := Fence{w.group.Partition: 0, other.group.Partition: 0}
		if err := s.WriteGroupFlows(t.Context(), fence, []models.GroupFlow{late, held}); err != nil {
			t.Fatal(err)
		}
		late.DrainsNote = cutChars(late.DrainsNote, 255)
		got, err := s.GroupFlows(t.Context(), []string{w.group.ID, other.group.ID, "none"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]models.GroupFlow{w.group.ID: held, other.group.ID: late}, got); diff != "" {
			t.Errorf("flows (-want +got):\n%s", diff)
		}
		if n, err := s.CountDue(t.Context(), nil); err != nil || n != 8 {
			t.Errorf("%d are due, %v", n, err)
		}
		waiting, err := s.LateFlows(t.Context())
		if err != nil || len(waiting) != 1 || waiting[0].GroupID != other.group.ID {
			t.Errorf("late lines: %v, %v", waiting, err)
		}
		// The word of a deposed owner is not taken.
		if _, err := s.TakePartition(t.Context(), w.group.Partition, "s2"); err != nil {
			t.Fatal(err)
		}
		var deposed *DeposedError
		if err := s.WriteGroupFlows(t.Context(), Fence{w.group.Partition: 0}, []models.GroupFlow{{GroupID: w.group.ID, At: t0}}); !errors.As(err, &deposed) {
			t.Errorf("a deposed owner's word: %v", err)
		}
		// A group takes its line with it.
		if err := s.writer.WithContext(t.Context()).Exec("DELETE FROM jobs").Error; err != nil {
			t.Fatal(err)
		}
		if _, err := s.DeleteGroup(t.Context(), w.group.ID, models.Audit{ID: models.NewID(t0), At: t0}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.DeleteApp(t.Context(), other.app.ID, models.Audit{ID: models.NewID(t0), At: t0}); err != nil {
			t.Fatal(err)
		}
		if left, err := s.GroupFlows(t.Context(), []string{w.group.ID, other.group.ID}); err != nil || len(left) != 0 {
			t.Errorf("left of deleted groups: %v, %v", left, err)
		}
	})
}
