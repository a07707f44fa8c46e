package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// calendar gives the world's app a calendar.
func (w *world) calendar(t testing.TB, s *Store, name string) models.Calendar {
	t.Helper()
	c := models.Calendar{
		ID: models.NewID(t0), AppID: w.app.ID, Name: name, Description: "holidays", RestDays: 0b1000001,
		Days: json.RawMessage(`[{"date":"2026-10-01","kind":"REST","name":"国庆节"}]`), Version: 1, AppliedVersion: 1, CreatedAt: t0, UpdatedAt: t0,
	}
	if err := s.CreateCalendar(t.Context(), c, models.Audit{ID: models.NewID(t0), At: t0}); err != nil {
		t.Fatal(err)
	}
	return c
}

// resting gives the world a CRON job that rests by a calendar.
func (w *world) resting(t testing.TB, s *Store, name string, next *time.Time, c models.Calendar) models.Job {
	t.Helper()
	j := w.job(name)
	j.TriggerKind, j.Expression, j.Zone, j.NextFireAt = models.TriggerCron, "* * * * *", "UTC", next
	j.CalendarID, j.CalendarVersion, j.OnRestDay, j.TriggerSince = &c.ID, c.Version, models.CalendarSkip, &t0
	if err := s.CreateJob(t.Context(), j, models.Audit{ID: models.NewID(t0), At: t0}); err != nil {
		t.Fatal(err)
	}
	return j
}

// edit counts a calendar's version up.
func editCalendar(t testing.TB, s *Store, id string, at time.Time) models.Calendar {
	t.Helper()
	c, err := s.UpdateCalendar(t.Context(), id, func(c *models.Calendar) (models.Audit, error) {
		c.UpdatedAt = at
		return models.Audit{ID: models.NewID(at), At: at, Kind: "calendar", Object: id}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCalendarsAreKept(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		c := w.calendar(t, s, "china")
		got, err := s.CalendarByName(t.Context(), w.app.ID, "china")
		if diff := cmp.Diff(c, got); err != nil || diff != "" {
			t.Fatalf("%v (-want +got):\n%s", err, diff)
		}
		for name, try := range map[fault.Code]models.Calendar{
			fault.Taken: {ID: models.NewID(t0), AppID: w.app.ID, Name: "china"}, fault.NotFound: {ID: models.NewID(t0), AppID: models.NewID(t0), Name: "x"},
		} {
			try.CreatedAt, try.UpdatedAt = t0, t0
			if err := s.CreateCalendar(t.Context(), try, models.Audit{ID: models.NewID(t0), At: t0}); !fault.Is(err, name) {
				t.Errorf("got %v, want %s", err, name)
			}
		}
		changed, err := s.UpdateCalendar(t.Context(), c.ID, func(c *models.Calendar) (models.Audit, error) {
			c.Name, c.Days, c.RestDays, c.UpdatedAt = "中国", nil, 1, t0.Add(time.Hour)
			return models.Audit{ID: models.NewID(t0), At: t0, Kind: "calendar", Object: c.ID}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		c.Name, c.Days, c.RestDays, c.Version, c.UpdatedAt = "中国", nil, 1, 2, t0.Add(time.Hour)
		if got, err = s.Calendar(t.Context(), c.ID); err != nil || cmp.Diff(c, got) != "" || cmp.Diff(c, changed) != "" {
			t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(c, got))
		}
		no := errors.New("no")
		if _, err := s.UpdateCalendar(t.Context(), c.ID, func(*models.Calendar) (models.Audit, error) { return models.Audit{}, no }); !errors.Is(err, no) {
			t.Errorf("a refused edit: %v", err)
		}
		versions, err := s.CalendarVersions(t.Context(), []string{c.ID, "01NONE"})
		if err != nil || cmp.Diff(map[string]int{c.ID: 2}, versions) != "" {
			t.Errorf("versions %v, %v", versions, err)
		}
		w.calendar(t, s, "a")
		list, err := s.Calendars(t.Context(), w.app.ID)
		if err != nil || len(list) != 2 || list[0].Name != "a" || list[0].Days != nil || list[1].Name != "中国" {
			t.Errorf("list %+v, %v", list, err)
		}
		if all, err := s.Calendars(t.Context(), ""); err != nil || len(all) != 2 {
			t.Errorf("all: %d, %v", len(all), err)
		}
	})
}

func TestCalendarsOfAnAppAreLimited(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		rows := make([]models.Calendar, MaxCalendars)
		for i := range rows {
			rows[i] = models.Calendar{ID: models.NewID(t0), AppID: w.app.ID, Name: fmt.Sprint(i), Version: 1, AppliedVersion: 1, CreatedAt: t0, UpdatedAt: t0}
		}
		if err := s.writer.WithContext(t.Context()).Create(&rows).Error; err != nil {
			t.Fatal(err)
		}
		more := models.Calendar{ID: models.NewID(t0), AppID: w.app.ID, Name: "more", CreatedAt: t0, UpdatedAt: t0}
		if err := s.CreateCalendar(t.Context(), more, models.Audit{ID: models.NewID(t0), At: t0}); !fault.Is(err, fault.Limit) {
			t.Errorf("one more: %v", err)
		}
		if _, err := s.DeleteJob(t.Context(), w.jobs[0].ID, t0, models.Audit{ID: models.NewID(t0), At: t0}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.DeleteApp(t.Context(), w.app.ID, models.Audit{ID: models.NewID(t0), At: t0}); err != nil {
			t.Errorf("deleting the app: %v", err)
		}
	})
}

func TestUsedCalendarStays(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		c := w.calendar(t, s, "china")
		var jobs []models.Job
		for i := range 7 {
			jobs = append(jobs, w.resting(t, s, fmt.Sprint("rest-", i), nil, c))
		}
		audit := func() models.Audit { return models.Audit{ID: models.NewID(t0), At: t0} }
		_, err := s.DeleteCalendar(t.Context(), c.ID, audit())
		if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), `"rest-0", "rest-1", "rest-2", "rest-3", "rest-4" and others`) {
			t.Errorf("a used one: %v", err)
		}
		n, err := s.CountJobsByCalendar(t.Context(), []string{c.ID})
		if err != nil || n[c.ID] != 7 {
			t.Errorf("%v jobs, %v", n, err)
		}
		first, err := s.JobsByCalendar(t.Context(), []string{c.ID}, 2)
		if err != nil || len(first[c.ID]) != 2 || first[c.ID][0].ID >= first[c.ID][1].ID {
			t.Errorf("jobs %v, %v", first, err)
		}
		for _, j := range jobs {
			if _, err := s.DeleteJob(t.Context(), j.ID, t0, audit()); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.DeleteCalendar(t.Context(), c.ID, audit()); err != nil {
			t.Errorf("one that only deleted jobs used: %v", err)
		}
		if err := s.CreateJob(t.Context(), jobs[0], audit()); !fault.Is(err, fault.NotFound) {
			t.Errorf("a job with a calendar that is gone: %v", err)
		}
	})
}

// A job is not written by a version of its calendar that is not the present one.
func TestJobIsWrittenByThePresentCalendar(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		c := w.calendar(t, s, "china")
		j := w.resting(t, s, "pay", nil, c)
		editCalendar(t, s, c.ID, t0)
		audit := models.Audit{ID: models.NewID(t0), At: t0}
		other := w.job("other")
		other.CalendarID, other.CalendarVersion = &c.ID, 1
		if err := s.CreateJob(t.Context(), other, audit); !errors.Is(err, ErrCalendarMoved) {
			t.Errorf("creating: %v", err)
		}
		edit := JobEdit{Job: j, ExpectVersion: 1, Audit: audit}
		if _, err := s.UpdateJob(t.Context(), edit); !errors.Is(err, ErrCalendarMoved) {
			t.Errorf("editing: %v", err)
		}
		edit.Job.CalendarVersion = 2
		if saved, err := s.UpdateJob(t.Context(), edit); err != nil || saved.CalendarVersion != 2 || *saved.CalendarID != c.ID || saved.OnRestDay != models.CalendarSkip {
			t.Errorf("by the present one: %+v, %v", saved, err)
		}
	})
}

// An edited calendar moves its jobs, whatever they do meanwhile, and may be told to
// do so again.
func TestMoveByCalendar(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		c := w.calendar(t, s, "china")
		ahead, next := t0.Add(time.Second), t0.Add(time.Minute)
		moving, edited, fired := w.resting(t, s, "moving", &ahead, c), w.resting(t, s, "edited", &next, c), w.resting(t, s, "fired", &next, c)
		w.jobs = append(w.jobs, moving)
		// The first one's fire is written ahead.
		written := w.fire(&moving, next)
		written.Calendar = 1
		if won, err := s.RecordFires(t.Context(), nil, []Fires{written}); err != nil || !won[0] {
			t.Fatalf("%v, %v", won, err)
		}
		moving.NextFireAt, moving.LastFireAt = &next, &ahead
		c = editCalendar(t, s, c.ID, t0)
		behind, err := s.JobsBehindCalendar(t.Context(), c.ID, 2, "", 10)
		if err != nil || len(behind) != 3 {
			t.Fatalf("%d jobs are behind, %v", len(behind), err)
		}
		later := t0.Add(time.Hour)
		skipped := []models.SkippedFires{{ID: models.NewID(t0), JobID: moving.ID, FirstAt: t0, LastAt: t0, Count: 3, Reason: models.ReasonCalendarRestDay, RecordedAt: t0}}
		moves := []CalendarMove{
			{Job: moving, Version: 2, Next: &later, Since: t0, Skipped: skipped},
			{Job: edited, Version: 2, Next: &later, Since: t0},
			{Job: fired, Version: 2, Next: nil, Since: t0},
		}
		moves[1].Job.Version, moves[2].Job.NextFireAt = 7, &ahead
		moved, err := s.MoveByCalendar(t.Context(), t0, moves)
		if err != nil || cmp.Diff([]bool{true, false, false}, moved) != "" {
			t.Fatalf("moved %v, %v", moved, err)
		}
		got, err := s.Job(t.Context(), moving.ID)
		if err != nil || !got.NextFireAt.Equal(later) || got.CalendarVersion != 2 || got.Version != 1 || !got.TriggerSince.Equal(t0) || got.LastFireAt != nil {
			t.Errorf("moved to %+v, %v", got, err)
		}
		if _, err := s.Task(t.Context(), written.Tasks[0].ID); !fault.Is(err, fault.NotFound) {
			t.Errorf("the fire that was written ahead is %v", err)
		}
		rows, err := s.SkippedFires(t.Context(), []string{moving.ID}, 5)
		if err != nil || len(rows[moving.ID]) != 1 || rows[moving.ID][0].Count != 3 {
			t.Errorf("skipped %v, %v", rows, err)
		}
		// Who read the job before the calendar moved it does not record its fire.
		stale := written
		stale.ExpectedNext, stale.Next = later, &next
		if won, err := s.RecordFires(t.Context(), nil, []Fires{stale}); err != nil || won[0] {
			t.Errorf("a stale decision: %v, %v", won, err)
		}
		if left, err := s.JobsBehindCalendar(t.Context(), c.ID, 2, "", 10); err != nil || len(left) != 2 {
			t.Errorf("%d jobs are left, %v", len(left), err)
		}
		wantUnapplied(t, s, c.ID)
		if err := s.CalendarApplied(t.Context(), c.ID, 2); err != nil {
			t.Fatal(err)
		}
		wantUnapplied(t, s)
		editCalendar(t, s, c.ID, t0)
		if err := s.CalendarApplied(t.Context(), c.ID, 2); err != nil { // late
			t.Fatal(err)
		}
		wantUnapplied(t, s, c.ID)
	})
}

func wantUnapplied(t *testing.T, s *Store, ids ...string) {
	t.Helper()
	rows, err := s.UnappliedCalendars(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range rows {
		got = append(got, row.ID)
	}
	if diff := cmp.Diff(ids, got); diff != "" {
		t.Errorf("unapplied (-want +got):\n%s", diff)
	}
}

// A decision that made no task, but missed fires, moves the instant since.
func TestRecordFiresMovesSince(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		j := w.cron(t, s, "missed", t0)
		next, since := t0.Add(time.Hour), t0.Add(time.Minute)
		f := Fires{JobID: j.ID, Version: 1, ExpectedNext: t0, Next: &next, Since: &since}
		if won, err := s.RecordFires(t.Context(), nil, []Fires{f}); err != nil || !won[0] {
			t.Fatalf("%v, %v", won, err)
		}
		got, err := s.Job(t.Context(), j.ID)
		if err != nil || !got.NextFireAt.Equal(next) || got.TriggerSince == nil || !got.TriggerSince.Equal(since) || got.LastFireAt != nil {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// The jobs of a calendar are found by its index, among however many others.
func TestCalendarStatementsUseTheirIndexes(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		watch(t, s)
		w := newWorld(t, s, 200)
		c := w.calendar(t, s, "china")
		next := t0.Add(time.Hour)
		var moves []CalendarMove
		for i := range 5 {
			moves = append(moves, CalendarMove{Job: w.resting(t, s, fmt.Sprint("resting-", i), &next, c), Version: 2, Next: &next, Since: t0})
		}
		r := &recorder{}
		ctx := context.WithValue(t.Context(), recorderKey{}, r)
		if _, err := s.JobsBehindCalendar(ctx, c.ID, 2, "", 100); err != nil {
			t.Fatal(err)
		}
		if _, err := s.MoveByCalendar(ctx, t0, moves); err != nil {
			t.Fatal(err)
		}
		if _, err := s.JobsByCalendar(ctx, []string{c.ID}, 3); err != nil {
			t.Fatal(err)
		}
		if len(r.list) < 4 {
			t.Fatalf("only %d statements ran", len(r.list))
		}
		for _, q := range r.list {
			if !strings.HasPrefix(q.statement, "INSERT") {
				wantIndexed(t, q, explain(t, s, q.statement, q.args...))
			}
		}
	})
}
