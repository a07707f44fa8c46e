package calendar

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// heard notes which jobs were said to have moved.
type heard struct {
	mu   sync.Mutex
	jobs int
}

func (h *heard) JobsMoved(_ context.Context, jobs []models.Job) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.jobs += len(jobs)
}

type shop struct {
	*testing.T
	*Service
	clock *testledger.Clock
	store *store.Store
	heard *heard
	app   models.App
	group models.NodeGroup
}

// start is Wednesday, 30 September 2026.
var start = time.Date(2026, 9, 30, 12, 0, 0, 0, time.UTC)

func newShop(t *testing.T) *shop {
	t.Helper()
	c := testledger.NewClock(start)
	s := &shop{T: t, clock: c, store: testledger.Open(t, c), heard: &heard{}}
	var err error
	if s.Service, err = New(Config{Store: s.store, Clock: c, Logger: slog.New(slog.DiscardHandler), Notifier: s.heard}); err != nil {
		t.Fatal(err)
	}
	s.app = models.App{ID: models.NewID(start), Name: "shop", CreatedAt: start, UpdatedAt: start}
	id := models.NewID(start)
	s.group = models.NodeGroup{
		ID: id, AppID: s.app.ID, Name: "default", Partition: models.PartitionOf(id), Routing: models.RouteLeastLoaded,
		HeartbeatMS: 5000, HeartbeatMisses: 3, CreatedAt: start, UpdatedAt: start,
	}
	key := models.AppKey{ID: models.NewID(start), AppID: s.app.ID, Hash: s.app.ID, CreatedAt: start}
	s.must(s.store.CreateApp(t.Context(), s.app, key, s.group, models.Audit{ID: models.NewID(start), At: start}))
	return s
}

func (s *shop) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *shop) calendar(edit ...func(*Input)) models.Calendar {
	s.Helper()
	in := Input{AppID: s.app.ID, Name: "china", RestDays: []time.Weekday{time.Saturday, time.Sunday}}
	for _, e := range edit {
		e(&in)
	}
	c, err := s.Create(s.Context(), "ada", in)
	s.must(err)
	return c
}

// job makes a job that fires at 02:00 UTC and rests by a calendar.
func (s *shop) job(name string, c models.Calendar, edit ...func(*models.Job)) models.Job {
	s.Helper()
	now := s.clock.Now()
	j := models.Job{
		ID: models.NewID(now), AppID: s.app.ID, GroupID: s.group.ID, Partition: s.group.Partition, Name: name, LiveName: &name,
		Handler: "Work", TriggerKind: models.TriggerCron, Expression: "0 2 * * *", Zone: "UTC", Enabled: true,
		CalendarID: &c.ID, CalendarVersion: c.Version, OnRestDay: models.CalendarSkip, TriggerSince: &now,
		Priority: models.PriorityNormal, Concurrency: models.ConcurrencyAllow, Delivery: models.AtLeastOnce, MaxAttempts: 1,
		Backoff: models.BackoffFixed, MisfirePolicy: models.MisfireFireOnce, MisfireGraceMS: 60_000, MisfireLimit: 10,
		Version: 1, CreatedAt: now, UpdatedAt: now,
	}
	for _, e := range edit {
		e(&j)
	}
	compiled, err := timetable.CompileCalendar(&c)
	s.must(err)
	trigger, err := timetable.Compile(&j, compiled)
	s.must(err)
	if next, ok := trigger.Next(now); ok && j.Enabled && j.NextFireAt == nil {
		j.NextFireAt = &next
	}
	s.must(s.store.CreateJob(s.Context(), j, models.Audit{ID: models.NewID(now), At: now}))
	return j
}

func (s *shop) next(id string) string {
	s.Helper()
	j, err := s.store.Job(s.Context(), id)
	s.must(err)
	if j.NextFireAt == nil {
		return "never"
	}
	return j.NextFireAt.Format("2006-01-02 15:04")
}

func rest(dates ...string) *[]models.CalendarDay {
	var days []models.CalendarDay
	for _, date := range dates {
		days = append(days, models.CalendarDay{Date: date, Kind: models.DayRest})
	}
	return &days
}

// An edit moves the next fire of every job at once, forwards and back, in batches.
func TestEditMovesAllJobs(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	c := s.calendar()
	ids := make([]string, 2*jobsAtOnce+1)
	for i := range ids {
		ids[i] = s.job(fmt.Sprint("job-", i), c).ID
	}
	paused := s.job("paused", c, func(j *models.Job) { j.Enabled = false })
	for _, step := range []struct {
		days *[]models.CalendarDay
		want string
	}{{rest("2026-10-01", "2026-10-02"), "2026-10-05 02:00"}, {rest("2026-10-01"), "2026-10-02 02:00"}, {rest(), "2026-10-01 02:00"}} {
		saved, err := s.Update(t.Context(), "ada", Update{ID: c.ID, Days: step.days})
		s.must(err)
		for _, id := range []string{ids[0], ids[jobsAtOnce], ids[len(ids)-1]} {
			if got := s.next(id); got != step.want {
				t.Errorf("with %v the next fire is at %s, want %s", *step.days, got, step.want)
			}
		}
		left, err := s.store.JobsBehindCalendar(t.Context(), c.ID, saved.Version, "", 10)
		if err != nil || len(left) > 0 {
			t.Errorf("%d jobs are behind, %v", len(left), err)
		}
		unapplied, err := s.store.UnappliedCalendars(t.Context())
		if err != nil || len(unapplied) > 0 {
			t.Errorf("%d calendars are unapplied, %v", len(unapplied), err)
		}
	}
	if got := s.next(paused.ID); got != "never" {
		t.Errorf("the paused job fires at %s", got)
	}
	if s.heard.jobs != 3*(len(ids)+1) {
		t.Errorf("%d jobs were told of", s.heard.jobs)
	}
}

// What an edit left undone, as the process died, the sweep of any server finishes,
// as often as it is told to.
func TestSweepFinishesAnEdit(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	c := s.calendar()
	j := s.job("pay", c)
	broken, err := s.store.UpdateCalendar(t.Context(), c.ID, func(c *models.Calendar) (models.Audit, error) {
		u := Update{Days: rest("2026-10-01", "2026-10-02")}
		c.UpdatedAt = s.clock.Now()
		return models.Audit{ID: models.NewID(start), At: start}, u.apply(c)
	})
	s.must(err)
	if got := s.next(j.ID); got != "2026-10-01 02:00" {
		t.Fatalf("before the sweep it fires at %s", got)
	}
	for range 2 {
		s.must(s.Sweep(t.Context()))
		if got := s.next(j.ID); got != "2026-10-05 02:00" {
			t.Errorf("after the sweep it fires at %s", got)
		}
	}
	after, err := s.Calendar(t.Context(), c.ID)
	if err != nil || after.AppliedVersion != broken.Version {
		t.Errorf("applied %d of %d, %v", after.AppliedVersion, broken.Version, err)
	}
}

// The service's own goroutine sweeps at its start.
func TestServiceSweepsAtStart(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	c := s.calendar()
	j := s.job("pay", c)
	_, err := s.store.UpdateCalendar(t.Context(), c.ID, func(c *models.Calendar) (models.Audit, error) {
		u := Update{Days: rest("2026-10-01")}
		return models.Audit{ID: models.NewID(start), At: start}, u.apply(c)
	})
	s.must(err)
	moved := make(chan struct{})
	s.notify = tell(func() { close(moved) })
	s.must(s.Start(t.Context()))
	<-moved
	s.must(s.Stop(t.Context()))
	if got := s.next(j.ID); got != "2026-10-02 02:00" {
		t.Errorf("it fires at %s", got)
	}
}

type tell func()

func (f tell) JobsMoved(context.Context, []models.Job) { f() }

// A fire that was due before the edit stays owed; one that the trigger wrote ahead
// is taken back.
func TestOwedStaysOwed(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	c := s.calendar()
	due := start.Add(-time.Minute)
	owed := s.job("owed", c, func(j *models.Job) { j.NextFireAt = &due })
	_, err := s.Update(t.Context(), "ada", Update{ID: c.ID, Days: rest("2026-10-01")})
	s.must(err)
	if got := s.next(owed.ID); got != due.Format("2006-01-02 15:04") {
		t.Errorf("the owed fire is now at %s", got)
	}
}

// What the old calendar took out up to the edit is recorded, once.
func TestEditCountsWhatWasTakenOut(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	c := s.calendar()
	j := s.job("pay", c, func(j *models.Job) { j.Expression = "0 */6 * * *" })
	s.clock.Advance(4 * 24 * time.Hour) // Sunday noon
	after := time.Date(2026, 10, 5, 0, 0, 0, 0, time.UTC)
	last := time.Date(2026, 10, 2, 18, 0, 0, 0, time.UTC)
	won, err := s.store.RecordFires(t.Context(), nil, []store.Fires{{
		JobID: j.ID, Version: 1, Calendar: 1, ExpectedNext: *j.NextFireAt, Next: &after, Last: &last,
	}})
	if err != nil || !won[0] {
		t.Fatalf("%v, %v", won, err)
	}
	for _, days := range []*[]models.CalendarDay{rest("2026-10-07"), rest("2026-10-08")} {
		_, err = s.Update(t.Context(), "ada", Update{ID: c.ID, Days: days})
		s.must(err)
	}
	rows, err := s.store.SkippedFires(t.Context(), []string{j.ID}, 10)
	s.must(err)
	got := rows[j.ID]
	if len(got) != 1 || got[0].Count != 7 || got[0].Reason != models.ReasonCalendarRestDay ||
		!got[0].FirstAt.Equal(time.Date(2026, 10, 3, 0, 0, 0, 0, time.UTC)) || !got[0].LastAt.Equal(time.Date(2026, 10, 4, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("recorded %+v", got)
	}
}

func TestImport(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	c := s.calendar(func(in *Input) {
		in.Days = []models.CalendarDay{
			{Date: "2025-10-01", Kind: models.DayRest, Name: "old"},
			{Date: "2026-01-01", Kind: models.DayRest, Name: "New Year"},
			{Date: "2026-05-01", Kind: models.DayRest, Name: "gone"},
			{Date: "2026-10-01", Kind: models.DayWork},
		}
	})
	j := s.job("pay", c)
	in := Import{ID: c.ID, Format: FormatList, Text: "2026-01-01 New Year\n2026-10-01..2026-10-02 National Day # a comment\n", ReplaceYear: new(2026), DryRun: true}
	want := Imported{
		Added: []models.CalendarDay{
			{Date: "2026-10-01", Kind: models.DayRest, Name: "National Day"}, {Date: "2026-10-02", Kind: models.DayRest, Name: "National Day"},
		},
		Removed:   []models.CalendarDay{{Date: "2026-05-01", Kind: models.DayRest, Name: "gone"}, {Date: "2026-10-01", Kind: models.DayWork}},
		Unchanged: 1,
	}
	for _, dry := range []bool{true, false} {
		in.DryRun = dry
		got, err := s.Import(t.Context(), "ada", in)
		s.must(err)
		if version := map[bool]int{true: 1, false: 2}[dry]; got.Calendar.Version != version {
			t.Errorf("dry %t: version %d", dry, got.Calendar.Version)
		}
		got.Calendar = models.Calendar{}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("dry %t (-want +got):\n%s", dry, diff)
		}
	}
	if got := s.next(j.ID); got != "2026-10-05 02:00" {
		t.Errorf("it fires at %s", got)
	}
	days, err := timetable.Days(new(must(s.Calendar(t.Context(), c.ID))))
	if err != nil || len(days) != 4 || days[0].Name != "old" {
		t.Errorf("days %v, %v", days, err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err) //nolint:forbidigo // ends the test
	}
	return v
}

func TestImportRefusals(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	c := s.calendar()
	var many strings.Builder
	for year := 1990; year < 1996; year++ {
		fmt.Fprintf(&many, "%d-01-01..%d-12-31\n", year, year)
	}
	for name, tt := range map[string]struct {
		in   Import
		code fault.Code
		says string
	}{
		"nothing":      {Import{Format: FormatList, Text: "# nothing\n"}, fault.Required, "no days"},
		"a bad line":   {Import{Format: FormatList, Text: "2026-13-01 x"}, fault.Invalid, "Line 1"},
		"backwards":    {Import{Format: FormatList, Text: "2026-02-01..2026-01-01"}, fault.Invalid, "exchange"},
		"a long range": {Import{Format: FormatList, Text: "2026-02-01..2036-01-01"}, fault.Invalid, "longer than a year"},
		"too many":     {Import{Format: FormatList, Text: many.String()}, fault.Invalid, "2,000"},
		"too long":     {Import{Format: FormatList, Text: strings.Repeat("#", maxText+1)}, fault.Invalid, "bytes"},
		"a format":     {Import{Format: "XML", Text: "x"}, fault.Invalid, "ICS or LIST"},
		"no event":     {Import{Format: FormatICS, Text: "BEGIN:VCALENDAR\nEND:VCALENDAR"}, fault.Required, "no days"},
		"no calendar":  {Import{ID: "01NONE", Format: FormatList, Text: "2026-01-01"}, fault.NotFound, "01NONE"},
	} {
		if tt.in.ID == "" {
			tt.in.ID = c.ID
		}
		if _, err := s.Import(t.Context(), "ada", tt.in); !fault.Is(err, tt.code) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Every change leaves an audit row with what it changed.
func TestChangesAreAudited(t *testing.T) {
	t.Parallel()
	before := models.Calendar{Name: "a", RestDays: 1}
	after := models.Calendar{Name: "b", RestDays: 0b1000001}
	if err := setDays(&after, *rest("2026-10-01")).Err(); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"name": map[string]any{"from": "a", "to": "b"}, "restDays": map[string]any{"from": "SUNDAY", "to": "SUNDAY SATURDAY"},
		"daysAdded": map[string]any{"count": 1, "first": []string{"2026-10-01 REST"}},
	}
	if diff := cmp.Diff(want, diff(&before, &after)); diff != "" {
		t.Error(diff)
	}
}
