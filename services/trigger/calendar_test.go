package trigger

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// everything is an owner of all partitions.
type everything struct{}

func (everything) Partitions() map[int]int64 {
	all := map[int]int64{}
	for id := range models.Partitions {
		all[id] = 0
	}
	return all
}

func (everything) Lost(...int) {}

// nobody watches.
type nobody struct{}

func (nobody) TasksQueued(context.Context, []string)   {}
func (nobody) JobsFired(context.Context, []models.Job) {}

// counting counts the reads of calendars.
type counting struct {
	*store.Store
	reads int
}

func (c *counting) CalendarVersions(ctx context.Context, ids []string) (map[string]int, error) {
	c.reads++
	return c.Store.CalendarVersions(ctx, ids)
}

func (c *counting) CalendarsByIDs(ctx context.Context, ids []string) ([]models.Calendar, error) {
	c.reads++
	return c.Store.CalendarsByIDs(ctx, ids)
}

type bench struct {
	*testing.T
	clock   *testledger.Clock
	ledger  *counting
	trigger *Trigger
	group   models.NodeGroup
}

// begin is Friday, 2 October 2026, one second before 02:00 UTC.
var begin = time.Date(2026, 10, 2, 1, 59, 59, 0, time.UTC)

func newBench(t *testing.T) *bench {
	t.Helper()
	c := testledger.NewClock(begin)
	b := &bench{T: t, clock: c, ledger: &counting{Store: testledger.Open(t, c)}}
	b.trigger = New(Config{Ledger: b.ledger, Owner: everything{}, Watcher: nobody{}, Clock: c, Logger: slog.New(slog.DiscardHandler)})
	app := models.App{ID: models.NewID(begin), Name: "shop", CreatedAt: begin, UpdatedAt: begin}
	id := models.NewID(begin)
	b.group = models.NodeGroup{
		ID: id, AppID: app.ID, Name: "default", Partition: models.PartitionOf(id), Routing: models.RouteLeastLoaded,
		HeartbeatMS: 5000, HeartbeatMisses: 3, CreatedAt: begin, UpdatedAt: begin,
	}
	key := models.AppKey{ID: models.NewID(begin), AppID: app.ID, Hash: app.ID, CreatedAt: begin}
	b.must(b.ledger.CreateApp(t.Context(), app, key, b.group, b.audit()))
	return b
}

func (b *bench) audit() models.Audit { return models.Audit{ID: models.NewID(begin), At: begin} }

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) calendar(days string) models.Calendar {
	b.Helper()
	c := models.Calendar{
		ID: models.NewID(begin), AppID: b.group.AppID, Name: "china", RestDays: 0b1000001, Days: json.RawMessage(days),
		Version: 1, AppliedVersion: 1, CreatedAt: begin, UpdatedAt: begin,
	}
	b.must(b.ledger.CreateCalendar(b.Context(), c, b.audit()))
	return c
}

// job makes a job of every day at 02:00 whose next fire is at an instant.
func (b *bench) job(name string, next time.Time, c *models.Calendar) models.Job {
	b.Helper()
	last := next.Add(-24 * time.Hour)
	j := models.Job{
		ID: models.NewID(begin), AppID: b.group.AppID, GroupID: b.group.ID, Partition: b.group.Partition, Name: name, LiveName: &name,
		Handler: "Work", TriggerKind: models.TriggerCron, Expression: "0 2 * * *", Zone: "UTC", Enabled: true, NextFireAt: &next, LastFireAt: &last,
		Priority: models.PriorityNormal, Concurrency: models.ConcurrencyAllow, Delivery: models.AtLeastOnce, MaxAttempts: 1,
		Backoff: models.BackoffFixed, MisfirePolicy: models.MisfireFireOnce, MisfireGraceMS: 60_000, MisfireLimit: 10,
		TriggerSince: new(begin.Add(-time.Hour)), Version: 1, CreatedAt: begin, UpdatedAt: begin,
	}
	if c != nil {
		j.CalendarID, j.CalendarVersion, j.OnRestDay = &c.ID, c.Version, models.CalendarSkip
	}
	b.must(b.ledger.CreateJob(b.Context(), j, b.audit()))
	return j
}

func (b *bench) pass() {
	b.Helper()
	_, err := b.trigger.Pass(b.Context())
	b.must(err)
}

// fires says what a job fired and when it fires next.
func (b *bench) fires(j models.Job, at ...time.Time) string {
	b.Helper()
	now, err := b.ledger.Job(b.Context(), j.ID)
	b.must(err)
	text := ""
	for _, instant := range at {
		if _, err := b.ledger.Task(b.Context(), models.FireID(j.ID, instant, -1)); err == nil {
			text += instant.Format("fired 01-02 15:04; ")
		}
	}
	if now.NextFireAt == nil {
		return text + "never " + now.InvalidReason
	}
	return text + now.NextFireAt.Format("next 01-02 15:04")
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
	if b.ledger.reads != 2 {
		t.Errorf("%d reads of calendars for 20 jobs", b.ledger.reads)
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
