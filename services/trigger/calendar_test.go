package trigger

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

func (b *bench) calendar(days string) models.Calendar {
	b.Helper()
	c := models.Calendar{
		ID: models.NewID(begin), AppID: b.group.AppID, Name: "china", RestDays: 0b1000001, Days: json.RawMessage(days),
		Version: 1, AppliedVersion: 1, CreatedAt: begin, UpdatedAt: begin,
	}
	b.must(b.ledger.CreateCalendar(b.Context(), c, b.audit()))
	return c
}

// A job whose stored next fire its calendar has come to exclude does not fire it,
// although nobody has moved the job yet.
func TestExcludedFireIsNotFired(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.calendar(`[{"date":"2026-10-05","kind":"REST"}]`)
	due := begin.Add(time.Second)
	bare, resting := b.job("bare", due, nil), b.job("resting", due, &c)
	_, err := b.ledger.UpdateCalendar(t.Context(), c.ID, func(c *models.Calendar) (models.Audit, error) {
		c.Days = json.RawMessage(`[{"date":"2026-10-02","kind":"REST"},{"date":"2026-10-05","kind":"REST"}]`)
		return b.audit(), nil
	})
	b.must(err)
	b.pass()
	for j, want := range map[*models.Job]string{&bare: "fired 10-02 02:00; next 10-03 02:00", &resting: "next 10-06 02:00"} {
		if diff := cmp.Diff(want, b.fires(*j, due)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", j.Name, diff)
		}
	}
	// The fire after them records what was taken out, once.
	b.clock.Advance(time.Date(2026, 10, 6, 2, 0, 0, 0, time.UTC).Sub(b.clock.Now()))
	for range 2 {
		b.pass()
	}
	rows, err := b.ledger.SkippedFires(t.Context(), []string{resting.ID}, 10)
	b.must(err)
	got := rows[resting.ID]
	if len(got) != 1 || got[0].Reason != models.ReasonCalendarRestDay || got[0].Count != 4 || !got[0].FirstAt.Equal(due) {
		t.Errorf("recorded %+v", got)
	}
}

// What was missed is counted as missed and not again by the next decision.
func TestMissedFiresAreNotCountedTwice(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.calendar(`[]`)
	due := begin.Add(time.Second)
	j := b.job("resting", due, &c)
	b.must(setMisfire(b, j.ID, models.MisfireSkip))
	for _, now := range []time.Time{time.Date(2026, 10, 5, 3, 0, 0, 0, time.UTC), time.Date(2026, 10, 6, 2, 0, 0, 0, time.UTC)} {
		b.clock.Advance(now.Sub(b.clock.Now()))
		b.pass()
	}
	rows, err := b.ledger.SkippedFires(t.Context(), []string{j.ID}, 10)
	b.must(err)
	counts := map[string]int64{}
	for _, row := range rows[j.ID] {
		counts[row.Reason] += row.Count
	}
	if diff := cmp.Diff(map[string]int64{models.ReasonMisfireSkipped: 2, models.ReasonCalendarRestDay: 2}, counts); diff != "" {
		t.Errorf("recorded (-want +got):\n%s", diff)
	}
}

func setMisfire(b *bench, id string, policy models.MisfirePolicy) error {
	j, err := b.ledger.Job(b.Context(), id)
	if err != nil {
		return err
	}
	j.MisfirePolicy, j.UpdatedAt = policy, begin
	_, err = b.ledger.UpdateJob(b.Context(), store.JobEdit{Job: j, ExpectVersion: j.Version, ExpectNext: j.NextFireAt, Audit: b.audit()})
	return err
}

// A job whose calendar is gone is parked; the others fire, and however many jobs and
// calendars are due, the calendars cost two statements, and one once they are known.
func TestCalendarsAreReadTogether(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	due := begin.Add(time.Second)
	var jobs []models.Job
	for i := range 20 {
		c := models.Calendar{ID: models.NewID(begin), AppID: b.group.AppID, Name: fmt.Sprint(i), Version: 1, AppliedVersion: 1, CreatedAt: begin, UpdatedAt: begin}
		b.must(b.ledger.CreateCalendar(t.Context(), c, b.audit()))
		jobs = append(jobs, b.job(fmt.Sprint("job-", i), due, &c))
	}
	b.pass()
	if b.ledger.calendarReads != 2 {
		t.Errorf("%d reads of calendars for 20 jobs", b.ledger.calendarReads)
	}
	for _, j := range jobs {
		if got, want := b.fires(j, due), "fired 10-02 02:00; next 10-03 02:00"; got != want {
			t.Errorf("%s: %s", j.Name, got)
		}
	}
	found, err := b.trigger.calendars.Of(t.Context(), jobs...)
	if err != nil || len(found) != 20 {
		t.Errorf("%d calendars, %v", len(found), err)
	}
	gone := "01NONE"
	if _, err := b.trigger.compile(&models.Job{CalendarID: &gone, TriggerKind: models.TriggerCron, Expression: "* * * * *"}, map[string]timetable.KnownCalendar{}); err == nil {
		t.Error("a job without its calendar would fire")
	}
}
