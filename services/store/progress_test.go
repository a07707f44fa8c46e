package store

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

func TestRecordProgress(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		tasks := w.tasks(2)
		create(t, s, tasks...)
		row := dispatch(t, s, t0, tasks[0])[0]
		started := t0.Add(time.Second)
		half, over, none := 0.5, 7.0, math.NaN()
		items := []AttemptProgress{
			{TaskID: row.ID, Attempt: 1, Incarnation: "inc-1", StartedAt: &started},
			{TaskID: row.ID, Attempt: 1, Incarnation: "inc-1", Fraction: &half, Message: strings.Repeat("进", 2000), Checkpoint: json.RawMessage(`{"at":1}`)},
			{TaskID: row.ID, Attempt: 1, Incarnation: "inc-1", Checkpoint: json.RawMessage(`{"at":2}`)},
			{TaskID: row.ID, Attempt: 1, Fraction: &none},
			{TaskID: row.ID, Attempt: 2, Fraction: &over},
			{TaskID: row.ID, Attempt: 1, Incarnation: "inc-2", Fraction: &over},
			{TaskID: tasks[1].ID, Attempt: 0, Fraction: &over},
			{TaskID: models.NewID(t0), Attempt: 1, Fraction: &over},
		}
		for range 2 {
			accepted, err := s.RecordProgress(t.Context(), items)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]bool{true, true, true, true, false, false, false, false}, accepted); diff != "" {
				t.Errorf("accepted (-want +got):\n%s", diff)
			}
		}
		want := row
		want.StartedAt, want.Progress, want.Checkpoint = &started, &half, json.RawMessage(`{"at":2}`)
		want.ProgressMessage = strings.Repeat("进", 999) + "…"
		if diff := cmp.Diff(want, load(t, s, row.ID)); diff != "" {
			t.Errorf("row (-want +got):\n%s", diff)
		}
		// Reports of an attempt in the wrong order: the result overtook the progress (CB-062).
		end(t, s, endOf(&row, models.OutcomeSucceeded, t0))
		if accepted, err := s.RecordProgress(t.Context(), items[:2]); err != nil || accepted[0] || accepted[1] {
			t.Errorf("progress after the end: %v, %v", accepted, err)
		}
		if now := load(t, s, row.ID); now.State != models.TaskSucceeded {
			t.Errorf("progress after the end led to %s", now.State)
		}
	})
}

func TestRefusalsAreBounded(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		task := w.task(0)
		create(t, s, task)
		for i := range mostRefusals + 5 {
			r := models.Refusal{ID: models.NewID(t0), TaskID: task.ID, Attempt: i, NodeName: "n", At: t0, Message: strings.Repeat("m", 3000)}
			for range 2 {
				if err := s.RecordRefusal(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := s.RecordRefusal(t.Context(), models.Refusal{ID: models.NewID(t0), TaskID: models.NewID(t0), At: t0}); err != nil {
			t.Errorf("of no task: %v", err)
		}
		var n int
		if err := queryOne(s.read(t.Context()), &n, "SELECT COUNT(*) FROM refusals"); err != nil || n != mostRefusals {
			t.Errorf("%d refusals, %v; want %d", n, err, mostRefusals)
		}
	})
}

func TestCutChars(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "abc": "abc", "abcd": "abcd", "abcde": "abc…", "𠮷𠮷𠮷𠮷": "𠮷𠮷𠮷𠮷", "𠮷𠮷𠮷𠮷𠮷": "𠮷𠮷𠮷…", "a\xffb": "a\uFFFDb",
	} {
		if got := cutChars(in, 4); got != want {
			t.Errorf("cutChars(%q, 4) = %q, want %q", in, got, want)
		}
	}
}

func TestRollups(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		hour := t0.Truncate(models.JobHourStep)
		for i, outcome := range []models.Outcome{models.OutcomeSucceeded, models.OutcomeSucceeded, models.OutcomeFailed, models.OutcomeCancelled} {
			task := w.task(0)
			task.AvailableAt = t0
			create(t, s, task)
			row := dispatch(t, s, t0, task)[0]
			e := endOf(&row, outcome, t0.Add(10*time.Second))
			e.StartedAt = new(t0.Add(time.Duration(i+1) * time.Second))
			end(t, s, e)
		}
		w.inState(t, s, models.TaskSkipped)
		w.inState(t, s, models.TaskFailed)
		hours, err := s.JobHours(t.Context(), []string{w.jobs[0].ID, models.NewID(t0)}, hour)
		if err != nil {
			t.Fatal(err)
		}
		want := []models.JobHour{{
			JobID: w.jobs[0].ID, Hour: hour, Succeeded: 2, Failed: 1, Cancelled: 1, Skipped: 1, Retried: 1, DurationMS: 9000 + 8000, DelayMS: 1000 + 2000,
		}}
		if diff := cmp.Diff(want, hours); diff != "" {
			t.Errorf("hours (-want +got):\n%s", diff)
		}
		minutes, err := s.Minutes(t.Context(), t0)
		if err != nil {
			t.Fatal(err)
		}
		wantMinutes := []models.Minute{{GroupID: w.group.ID, Minute: t0, Succeeded: 2, Failed: 1, Cancelled: 1, Skipped: 1, Retried: 1}}
		if diff := cmp.Diff(wantMinutes, minutes); diff != "" {
			t.Errorf("minutes (-want +got):\n%s", diff)
		}
		if later, err := s.Minutes(t.Context(), t0.Add(time.Minute)); err != nil || len(later) != 0 {
			t.Errorf("later minutes: %v, %v", later, err)
		}
	})
}

// TestMassUpdate tries both forms of the statement: one a group of rows with equal
// values, and one with a list of values.
func TestMassUpdate(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		for _, kinds := range []int{1, 3, 1200} {
			tasks := w.tasks(1200)
			create(t, s, tasks...)
			var want [][2]string
			rows := make([][]any, len(tasks))
			for i := range tasks {
				name := fmt.Sprintf("value %d", i%kinds)
				rows[i] = []any{tasks[i].ID, name, &name}
				if i%100 == 99 {
					tasks[i].State = models.TaskRunning // its guard fails
					dispatch(t, s, t0, load(t, s, tasks[i].ID))
					name = ""
				}
				want = append(want, [2]string{tasks[i].ID, name})
			}
			err := s.write(t.Context(), "updating", func(tx *gorm.DB) error {
				n, err := s.updateRows(tx, update{
					table: "tasks", key: "id", set: []string{"cancel_actor", "cancel_reason"}, fixed: "progress_message = 'x'", guard: stateIn(models.TaskWaiting),
				}, rows)
				if n != 1188 {
					t.Errorf("%d kinds: %d rows changed, want 1188", kinds, n)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			var got [][2]string
			found, err := query(s.read(t.Context()), "SELECT id, cancel_reason FROM tasks WHERE id >= ? ORDER BY id", tasks[0].ID)
			if err != nil {
				t.Fatal(err)
			}
			err = scan(found, func() error {
				var row [2]string
				err := found.Scan(&row[0], &row[1])
				got = append(got, row)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d kinds (-want +got):\n%s", kinds, diff)
			}
		}
	})
}

// TestLargeTasksFitIntoStatements: a batch larger than a packet is cut.
func TestLargeTasksFitIntoStatements(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		tasks := w.tasks(100)
		for i := range tasks {
			tasks[i].Parameters = json.RawMessage(`"` + strings.Repeat("x", 256<<10) + `"`) // 25 MiB in all
		}
		create(t, s, tasks...)
		if now := load(t, s, tasks[99].ID); len(now.Parameters) != len(tasks[99].Parameters) {
			t.Errorf("%d bytes of parameters came back", len(now.Parameters))
		}
	})
}
