package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

// alertPath calls what the watcher reads and writes, for the plans of the statements.
func alertPath(ctx context.Context, t *testing.T, s *Store, w *world) {
	t.Helper()
	job := w.jobs[0].ID
	for name, read := range map[string]func() error{
		"watches": func() error { _, err := s.AlertWatches(ctx); return err },
		"record": func() error {
			e := models.AlertEvent{Kind: models.AlertRunTooLong, At: t0, Subject: models.JobSubject(job)}
			return s.RecordAlerts(ctx, Fence{w.group.Partition: 0}, []models.AlertEvent{e}, nil)
		},
		"late":      func() error { _, _, err := s.LateTasks(ctx, w.group.ID, t0.Add(time.Hour), 100); return err },
		"lines":     func() error { _, err := s.DueLines(ctx); return err },
		"running":   func() error { _, err := s.RunningBefore(ctx, t0.Add(time.Hour), 100); return err },
		"retrying":  func() error { _, err := s.RetryingGroups(ctx, t0.Add(time.Hour)); return err },
		"back":      func() error { _, _, err := s.HandedBackTasks(ctx, w.group.ID, t0, t0.Add(time.Hour), 100); return err },
		"busy":      func() error { _, err := s.BusyFixedDelays(ctx, []string{job, w.jobs[1].ID}); return err },
		"times":     func() error { _, err := s.RunTimes(ctx, job, t0.Add(time.Hour), 100); return err },
		"succeeded": func() error { _, err := s.SucceededSince(ctx, []JobSince{{job, t0}, {w.jobs[1].ID, t0}}); return err },
		"jobs":      func() error { _, err := s.JobsAfter(ctx, job, 10); return err },
		"inhabited": func() error { _, err := s.InhabitedGroups(ctx, []string{w.group.ID, models.NewID(t0)}); return err },
		"last ends": func() error { _, err := s.LastJobEnds(ctx, job, t0.Add(time.Hour), 10); return err },
		"ends":      func() error { _, err := s.JobEndsBetween(ctx, job, t0.Add(-time.Hour), t0.Add(time.Hour)); return err },
		"count": func() error {
			_, err := s.CountAlertEvents(ctx, models.JobSubject(job), models.AlertAttemptFailed, t0.Add(-time.Hour), s.clock.Now(), 10)
			return err
		},
		"invalid": func() error { return s.MarkJobInvalid(ctx, job, 1, "test") },
	} {
		if err := read(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

func TestLateTasks(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 3)
		tasks := w.tasks(9) // a millisecond apart, of the jobs in turn
		for i := range tasks {
			tasks[i].Priority = models.Priorities[i%2]
		}
		create(t, s, tasks...)
		dispatch(t, s, t0, tasks[0])
		read := func(before time.Time, perLane int) ([]LateJob, bool) {
			t.Helper()
			jobs, cut, err := s.LateTasks(t.Context(), w.group.ID, before, perLane)
			if err != nil {
				t.Fatal(err)
			}
			return jobs, cut
		}
		at := func(n int) time.Time { return t0.Add(time.Duration(n) * time.Millisecond) }
		want := []LateJob{{w.jobs[0].ID, 1, at(3)}, {w.jobs[1].ID, 2, at(1)}, {w.jobs[2].ID, 2, at(2)}}
		slices.SortFunc(want, func(a, b LateJob) int { return cmpText(a.JobID, b.JobID) })
		jobs, cut := read(at(5), 10)
		if diff := cmp.Diff(want, jobs); diff != "" || cut {
			t.Errorf("cut %v (-want +got):\n%s", cut, diff)
		}
		if jobs, cut = read(at(5), 2); !cut || len(jobs) == 0 {
			t.Errorf("two of each lane: %v, cut %v", jobs, cut)
		}
		if jobs, cut = read(at(-1), 10); cut || len(jobs) != 0 {
			t.Errorf("nothing is late: %v, cut %v", jobs, cut)
		}
	})
}

func cmpText(a, b string) int {
	if a < b {
		return -1
	}
	return 1
}

func TestRunningBeforeAndRunTimes(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		tasks := w.tasks(6)
		create(t, s, tasks...)
		rows := dispatch(t, s, t0.Add(time.Minute), tasks...)
		for i := range 4 {
			e := endOf(&rows[i], models.OutcomeSucceeded, t0.Add(2*time.Minute))
			started := e.FinishedAt.Add(-time.Duration(i+1) * time.Second)
			if e.StartedAt = &started; i == 1 {
				e.Outcome = models.OutcomeFailed
			}
			end(t, s, e)
		}
		running, err := s.RunningBefore(t.Context(), t0.Add(time.Minute), 10)
		if err != nil || len(running) != 2 || running[0].JobID != w.jobs[0].ID || running[0].NodeName != "worker-1" {
			t.Errorf("%v, %v", running, err)
		}
		if running, err = s.RunningBefore(t.Context(), t0.Add(time.Minute), 1); err != nil || len(running) != 1 {
			t.Errorf("one: %v, %v", running, err)
		}
		if running, err = s.RunningBefore(t.Context(), t0.Add(59*time.Second), 10); err != nil || len(running) != 0 {
			t.Errorf("begun later: %v, %v", running, err)
		}
		times, err := s.RunTimes(t.Context(), w.jobs[0].ID, t0.Add(time.Hour), 10)
		slices.Sort(times)
		if diff := cmp.Diff([]time.Duration{time.Second, 3 * time.Second, 4 * time.Second}, times); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		if times, err = s.RunTimes(t.Context(), w.jobs[0].ID, t0.Add(-time.Hour), 10); err != nil || len(times) != 0 {
			t.Errorf("before the first: %v, %v", times, err)
		}
	})
}

func TestSucceededSince(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 3)
		tasks := w.tasks(3)
		create(t, s, tasks...)
		rows := dispatch(t, s, t0, tasks...)
		for i := range rows {
			outcome := models.OutcomeSucceeded
			if rows[i].JobID == w.jobs[2].ID {
				outcome = models.OutcomeFailed
			}
			end(t, s, endOf(&rows[i], outcome, t0.Add(time.Minute)))
		}
		done, err := s.SucceededSince(t.Context(), []JobSince{{w.jobs[0].ID, t0}, {w.jobs[1].ID, t0.Add(time.Second)}, {w.jobs[2].ID, t0}})
		if diff := cmp.Diff(map[string]bool{w.jobs[0].ID: true}, done); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
}

func TestJobsAfter(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 5)
		var walked []string
		for after := ""; ; {
			page, err := s.JobsAfter(t.Context(), after, 2)
			if err != nil {
				t.Fatal(err)
			}
			for i := range page {
				walked = append(walked, page[i].ID)
			}
			if len(page) < 2 {
				break
			}
			after = page[1].ID
		}
		var want []string
		for i := range w.jobs {
			want = append(want, w.jobs[i].ID)
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, walked); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestInvalidJobIsToldOnce: however often its trigger is found not to work.
func TestInvalidJobIsToldOnce(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		for i := range 3 {
			if err := s.MarkJobInvalid(t.Context(), w.jobs[0].ID, 1, fmt.Sprintf("reason %d", i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.MarkJobInvalid(t.Context(), w.jobs[0].ID, 2, "another version"); err != nil {
			t.Fatal(err)
		}
		events := unhandled(t, s)
		if len(events) != 1 || events[0].Kind != models.AlertScheduleStopped || events[0].Error != "reason 0" || *events[0].AppID != w.app.ID {
			t.Errorf("%+v", events)
		}
	})
}

func TestInhabitedGroups(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		d := newSeed(t, s)
		_, _, full := d.app("full")
		_, _, empty := d.app("empty")
		n, gone := d.node(full, "n"), d.node(empty, "gone")
		gone.State = models.NodeOffline
		d.store1(&n, &gone)
		found, err := s.InhabitedGroups(t.Context(), []string{full.ID, empty.ID})
		if diff := cmp.Diff(map[string]bool{full.ID: true}, found); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
}

// Since when a task is handed back follows from how often it was.
func TestHandedBackTasks(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 2)
		tasks := w.tasks(4)
		create(t, s, tasks...)
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		at := t0
		for i := range 9 { // the last is the only one of its job that is refused but once
			back := tasks[:2]
			if i == 8 {
				back = tasks[:4]
			}
			var ends []AttemptEnd
			current, err := s.AssignmentRows(t.Context(), idsOfTasks(back))
			must(err)
			for _, row := range dispatch(t, s, at, current...) {
				e := endOf(&row, models.OutcomeReleased, at)
				e.Reason = models.ReasonRefused
				ends = append(ends, e)
			}
			_, err = s.EndAttempts(t.Context(), nil, ends, func(task *models.Task, e *AttemptEnd) Decision {
				return Decision{Event: models.EventRetry, AvailableAt: e.FinishedAt.Add(models.HandedBackDelay(task.HandedBack)), Uncounted: true, HandedBack: true}
			})
			must(err)
			at = at.Add(models.HandedBackDelay(i))
		}
		groups, err := s.RetryingGroups(t.Context(), at)
		must(err)
		if diff := cmp.Diff([]string{w.group.ID}, groups); diff != "" {
			t.Errorf("groups: %s", diff)
		}
		if groups, err = s.RetryingGroups(t.Context(), t0.Add(time.Minute)); err != nil || len(groups) != 0 {
			t.Errorf("before: %v %v", groups, err)
		}
		jobs, cut, err := s.HandedBackTasks(t.Context(), w.group.ID, t0.Add(time.Minute), at, 10)
		must(err)
		want := []LateJob{{JobID: w.jobs[0].ID, Tasks: 1, Oldest: at.Add(-models.HandedBackFor(9))}, {JobID: w.jobs[1].ID, Tasks: 1, Oldest: at.Add(-models.HandedBackFor(9))}}
		slices.SortFunc(want, func(a, b LateJob) int { return strings.Compare(a.JobID, b.JobID) })
		if diff := cmp.Diff(want, jobs); diff != "" || cut {
			t.Errorf("handed back, cut %v: %s", cut, diff)
		}
		if since := at.Add(-models.HandedBackFor(9)); since.Before(t0) || since.Sub(t0) > time.Minute {
			t.Errorf("since %s, not %s", since, t0)
		}
		if _, cut, err = s.HandedBackTasks(t.Context(), w.group.ID, t0, at, 2); err != nil || !cut {
			t.Errorf("two of four: cut %v, %v", cut, err)
		}
		busy, err := s.BusyFixedDelays(t.Context(), []string{w.jobs[0].ID, models.NewID(t0)})
		if err != nil || len(busy) != 0 {
			t.Errorf("tasks that no delay made: %v %v", busy, err)
		}
		own := w.task(1)
		own.Trigger = models.TriggerFixedDelay
		create(t, s, own)
		if busy, err = s.BusyFixedDelays(t.Context(), []string{w.jobs[0].ID, w.jobs[1].ID}); err != nil || !cmp.Equal(busy, map[string]bool{w.jobs[1].ID: true}) {
			t.Errorf("its own task: %v %v", busy, err)
		}
	})
}
