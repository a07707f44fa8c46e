package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
)

// cron gives the world a CRON job that fires next at an instant.
func (w *world) cron(t testing.TB, s *Store, name string, next time.Time) models.Job {
	t.Helper()
	j := w.job(name)
	j.TriggerKind, j.Expression, j.Zone, j.NextFireAt = models.TriggerCron, "* * * * *", "UTC", &next
	if err := s.writer.WithContext(t.Context()).Create(&j).Error; err != nil {
		t.Fatal(err)
	}
	w.jobs = append(w.jobs, j)
	return j
}

// fire is one fire of a job at its next instant.
func (w *world) fire(j *models.Job, next time.Time) Fires {
	task := w.task(0)
	task.ID, task.JobID, task.Trigger = models.FireID(j.ID, *j.NextFireAt, -1), j.ID, models.TriggerCron
	task.ScheduledAt, task.AvailableAt = *j.NextFireAt, *j.NextFireAt
	last := *j.NextFireAt
	return Fires{JobID: j.ID, Version: j.Version, ExpectedNext: *j.NextFireAt, Next: &next, Last: &last, Tasks: []models.Task{task}}
}

func TestDueJobs(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		second := w.cron(t, s, "second", t0.Add(2*time.Second))
		first := w.cron(t, s, "first", t0.Add(time.Second))
		w.cron(t, s, "later", t0.Add(time.Hour))
		for name, change := range map[string]map[string]any{
			"paused": {"enabled": false}, "invalid": {"invalid_reason": "bad"}, "deleted": {"deleted_at": t0},
		} {
			j := w.cron(t, s, name, t0)
			if err := s.writer.WithContext(t.Context()).Table("jobs").Where("id = ?", j.ID).Updates(change).Error; err != nil {
				t.Fatal(err)
			}
		}
		part := []int{w.group.Partition}
		due := func(partitions []int, limit int) []string {
			t.Helper()
			jobs, err := s.DueJobs(t.Context(), partitions, t0.Add(time.Minute), limit)
			if err != nil {
				t.Fatal(err)
			}
			ids := []string{}
			for _, j := range jobs {
				ids = append(ids, j.ID)
			}
			return ids
		}
		if diff := cmp.Diff([]string{first.ID, second.ID}, due(part, 10)); diff != "" {
			t.Errorf("due (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{first.ID}, due(part, 1)); diff != "" {
			t.Errorf("the first due (-want +got):\n%s", diff)
		}
		for _, other := range [][]int{nil, {(w.group.Partition + 1) % models.Partitions}} {
			if got := due(other, 10); len(got) != 0 {
				t.Errorf("due in partitions %v: %v", other, got)
			}
			if next, err := s.NextFireAt(t.Context(), other); next != nil || err != nil {
				t.Errorf("next fire in partitions %v: %v, %v", other, next, err)
			}
		}
		if next, err := s.NextFireAt(t.Context(), part); err != nil || next == nil || !next.Equal(t0.Add(time.Second)) {
			t.Errorf("next fire %v, %v; want %v", next, err, t0.Add(time.Second))
		}
	})
}

func TestRecordFires(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		next := t0.Add(time.Minute)
		winner, edited, moved, paused := w.cron(t, s, "winner", t0), w.cron(t, s, "edited", t0), w.cron(t, s, "moved", t0), w.cron(t, s, "paused", t0)
		fires := []Fires{w.fire(&paused, next), w.fire(&winner, next), w.fire(&edited, next), w.fire(&moved, next)}
		fires[2].Version++
		fires[3].ExpectedNext = t0.Add(time.Microsecond)
		fires[1].Skipped = []models.SkippedFires{{
			ID: models.NewID(t0), JobID: winner.ID, FirstAt: t0.Add(-time.Hour), LastAt: t0.Add(-time.Minute), Count: 60, AtLeast: true,
			Reason: models.ReasonMisfireLimit, RecordedAt: t0,
		}}
		if err := s.writer.WithContext(t.Context()).Table("jobs").Where("id = ?", paused.ID).Update("enabled", false).Error; err != nil {
			t.Fatal(err)
		}
		// The second time stands for a repeat after a lost answer to the commit.
		for i := range 2 {
			won, err := s.RecordFires(t.Context(), nil, fires)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]bool{false, true, false, false}, won); diff != "" {
				t.Errorf("call %d: won (-want +got):\n%s", i, diff)
			}
		}
		var tasks, skipped int
		for query, into := range map[string]*int{"SELECT COUNT(*) FROM tasks": &tasks, "SELECT SUM(fires) FROM skipped_fires": &skipped} {
			if err := queryOne(s.read(t.Context()), into, query); err != nil {
				t.Fatal(err)
			}
		}
		if tasks != 1 || skipped != 60 {
			t.Errorf("%d tasks and %d skipped fires, want 1 and 60", tasks, skipped)
		}
		j, err := one[models.Job](s.read(t.Context()).Where("id = ?", winner.ID), "job")
		if err != nil || !j.NextFireAt.Equal(next) || !j.LastFireAt.Equal(t0) {
			t.Errorf("next %v, last %v, %v", j.NextFireAt, j.LastFireAt, err)
		}
		wantCounters(t, s)
	})
}

// TestOneJobTwiceInACall: the first decision about a job wins, the second does not
// spoil the batch.
func TestOneJobTwiceInACall(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		j := w.cron(t, s, "j", t0)
		first, later := w.fire(&j, t0.Add(time.Minute)), w.fire(&j, t0.Add(2*time.Minute))
		later.ExpectedNext = t0.Add(time.Minute)
		won, err := s.RecordFires(t.Context(), nil, []Fires{first, later, first})
		if diff := cmp.Diff([]bool{true, false, true}, won); err != nil || diff != "" {
			t.Errorf("%v, won (-want +got):\n%s", err, diff)
		}
		wantCounters(t, s)
	})
}

// TestRecordFiresLeavesTasksAlone: a task of the same fire, made under another
// owner, is not made again, whatever the job's row says.
func TestRecordFiresLeavesTasksAlone(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		j := w.cron(t, s, "j", t0)
		f := w.fire(&j, t0.Add(time.Minute))
		create(t, s, f.Tasks[0])
		dispatch(t, s, t0, f.Tasks[0])
		if won, err := s.RecordFires(t.Context(), nil, []Fires{f}); err != nil || !won[0] {
			t.Fatalf("won %v, %v", won, err)
		}
		if now := load(t, s, f.Tasks[0].ID); now.State != models.TaskRunning {
			t.Errorf("a running task was overwritten: %s", now.State)
		}
		wantCounters(t, s)
	})
}

func TestOneOfSeveralServersRecordsAFire(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		var fires []Fires
		for _, name := range []string{"a", "b", "c", "d"} {
			j := w.cron(t, s, name, t0)
			fires = append(fires, w.fire(&j, t0.Add(time.Minute)))
		}
		results := make(chan error)
		for i := range 4 {
			mine := slices.Clone(fires)
			for j := range mine { // the same fires, but each server believes in another next one
				next := t0.Add(time.Duration(i+2) * time.Minute)
				mine[j].Next = &next
			}
			slices.Reverse(mine[i:])
			go func() {
				_, err := s.RecordFires(t.Context(), nil, mine)
				results <- err
			}()
		}
		for range 4 {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
		var n int
		if err := queryOne(s.read(t.Context()), &n, "SELECT COUNT(*) FROM tasks"); err != nil || n != len(fires) {
			t.Errorf("%d tasks, %v; want %d", n, err, len(fires))
		}
		wantCounters(t, s)
	})
}

func TestMarkJobInvalid(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		j := w.cron(t, s, "j", t0)
		part := []int{w.group.Partition}
		if err := s.MarkJobInvalid(t.Context(), j.ID, j.Version+1, "another version"); err != nil {
			t.Fatal(err)
		}
		if due, err := s.DueJobs(t.Context(), part, t0, 10); err != nil || len(due) != 1 {
			t.Errorf("an edited job was marked: %d due, %v", len(due), err)
		}
		if err := s.MarkJobInvalid(t.Context(), j.ID, j.Version, "The zone Mars/Olympus does not exist."); err != nil {
			t.Fatal(err)
		}
		if due, err := s.DueJobs(t.Context(), part, t0, 10); err != nil || len(due) != 0 {
			t.Errorf("an invalid job is due: %d, %v", len(due), err)
		}
		if won, err := s.RecordFires(t.Context(), nil, []Fires{w.fire(&j, t0)}); err != nil || won[0] {
			t.Errorf("an invalid job fires: %v, %v", won, err)
		}
	})
}

// TestFixedDelayGoesOnAfterEveryEnd: the next fire follows from the end of the
// job's task, however it ended, once and only while no other task is under way.
func TestFixedDelayGoesOnAfterEveryEnd(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		at := t0.Add(time.Minute)
		ends := map[string]struct {
			end  func(task models.Task)
			want bool
		}{
			"succeeded": {func(task models.Task) {
				end(t, s, endOf(&dispatch(t, s, t0, task)[0], models.OutcomeSucceeded, at))
			}, true},
			"failed for good": {func(task models.Task) {
				e := endOf(&dispatch(t, s, t0, task)[0], models.OutcomeFailed, at)
				e.NoRetry = true
				end(t, s, e)
			}, true},
			"retried": {func(task models.Task) {
				end(t, s, endOf(&dispatch(t, s, t0, task)[0], models.OutcomeFailed, at))
			}, false},
			"skipped": {func(task models.Task) {
				if _, err := s.SkipTasks(t.Context(), nil, at, models.ReasonOverlap, []string{task.ID}); err != nil {
					t.Error(err)
				}
			}, true},
			"cancelled": {func(task models.Task) {
				if _, err := s.CancelTask(t.Context(), task.ID, "", "ada", models.ReasonRequested, at, nil); err != nil {
					t.Error(err)
				}
			}, true},
			"a person's run ended": {func(task models.Task) {
				other := w.task(0)
				other.JobID = task.JobID
				create(t, s, other)
				end(t, s, endOf(&dispatch(t, s, t0, other)[0], models.OutcomeSucceeded, at))
			}, false},
			"an older one ended too": {func(task models.Task) {
				older := w.task(0)
				older.JobID, older.Trigger = task.JobID, models.TriggerFixedDelay
				create(t, s, older)
				end(t, s, endOf(&dispatch(t, s, t0, older)[0], models.OutcomeSucceeded, at))
			}, false},
		}
		for name, tt := range ends {
			j := w.job(name)
			j.TriggerKind, j.EveryMS = models.TriggerFixedDelay, 90_000
			if err := s.writer.WithContext(t.Context()).Create(&j).Error; err != nil {
				t.Fatal(err)
			}
			task := w.task(0)
			task.JobID, task.Trigger = j.ID, models.TriggerFixedDelay
			create(t, s, task)
			tt.end(task)
			now, err := one[models.Job](s.read(t.Context()).Where("id = ?", j.ID), "job")
			if err != nil {
				t.Fatal(err)
			}
			if tt.want != (now.NextFireAt != nil) || tt.want && !now.NextFireAt.Equal(at.Add(90*time.Second)) {
				t.Errorf("%s: next fire %v, want one: %v", name, now.NextFireAt, tt.want)
			}
		}
	})
}

// Fires of which each is told by itself grow one row, until a task comes between or
// the reason changes; and the hours count them.
func TestSkippedFiresGrow(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		j := w.cron(t, s, "cron", t0)
		next := t0
		record := func(reason string, count int64, task bool) {
			t.Helper()
			at := next
			next = at.Add(time.Minute)
			f := Fires{JobID: j.ID, Version: j.Version, ExpectedNext: at, Next: &next}
			if task {
				made := w.fire(&j, next)
				f.Tasks, f.Last = made.Tasks, &at
				f.Tasks[0].ID = models.FireID(j.ID, at, -1)
			}
			if reason != "" {
				f.Skipped = []models.SkippedFires{{
					ID: models.NewID(at), JobID: j.ID, FirstAt: at, LastAt: at, Count: count, Reason: reason, RecordedAt: at,
				}}
			}
			for range 2 { // the second time the answer of the first was lost
				won, err := s.RecordFires(t.Context(), nil, []Fires{f})
				if err != nil || len(won) != 1 {
					t.Fatal(won, err)
				}
			}
		}
		for _, step := range []struct {
			reason string
			count  int64
			task   bool
		}{
			{models.ReasonNoWorker, 1, false},
			{models.ReasonNoWorker, 2, false},
			{models.ReasonNoWorker, 1, false},
			{"", 0, true},
			{models.ReasonNoWorker, 1, false},
			{"CALENDAR_REST_DAY", 1, false},
			{"CALENDAR_REST_DAY", 1, false},
			{"CALENDAR_QUIET", 1, false},
			{models.ReasonMisfireSkipped, 5, false},
			{models.ReasonMisfireCoalesced, 7, true},
			{"EDITED", 9, false},
		} {
			record(step.reason, step.count, step.task)
		}
		all, err := s.SkippedFires(t.Context(), []string{j.ID}, 100)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range all[j.ID] {
			got = append(got, fmt.Sprintf("%s %d %s", f.Reason, f.Count, f.LastAt.Sub(f.FirstAt)))
		}
		want := []string{
			"EDITED 9 0s", "MISFIRE_COALESCED 7 0s", "MISFIRE_SKIPPED 5 0s", "CALENDAR_QUIET 1 0s", "CALENDAR_REST_DAY 2 1m0s",
			"NO_WORKER 1 0s", "NO_WORKER 4 2m0s",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("runs (-want +got):\n%s", diff)
		}
		hours, err := s.JobHours(t.Context(), []string{j.ID}, t0.Add(-time.Hour))
		if err != nil || len(hours) != 1 || hours[0].Missed != 12 || hours[0].Excluded != 3 || hours[0].Skipped != 5 {
			t.Errorf("hours %+v, %v", hours, err)
		}
	})
}
