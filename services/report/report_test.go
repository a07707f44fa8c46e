package report

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// Over clock changes, and wherever: one report for each date that is wanted, in order.
func TestOneReportADay(t *testing.T) {
	t.Parallel()
	zones := []string{"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "America/Sao_Paulo"}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(zones).Draw(t, "zone")
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		r := &models.ReportSchedule{Zone: name, Enabled: true, Days: rapid.IntRange(1, 127).Draw(t, "days")}
		r.AtTime = time.Date(0, 1, 1, rapid.IntRange(0, 23).Draw(t, "hour"), rapid.IntRange(0, 59).Draw(t, "minute"), 0, 0, time.UTC).Format("15:04")
		at := time.Date(2011, 12, 20, 0, 0, 0, 0, time.UTC).Add(time.Duration(rapid.IntRange(0, 15*365*24).Draw(t, "start")) * time.Hour)
		seen := map[string]bool{}
		for range 40 {
			n := next(r, at)
			// Two weeks: for one weekday, in the week in which Samoa had no Friday.
			if n == nil || !n.After(at) || n.Sub(at) > 15*24*time.Hour {
				t.Fatalf("after %s comes %v", at, n)
			}
			local := n.In(zone)
			date := local.Format(time.DateOnly)
			if seen[date] {
				t.Fatalf("%s has two", date)
			}
			seen[date] = true
			if r.Days&(1<<local.Weekday()) == 0 {
				t.Fatalf("%s is a %s", date, local.Weekday())
			}
			if got := local.Format("15:04"); got < r.AtTime || got != r.AtTime && !jumps(local) {
				t.Fatalf("at %s instead of %s on %s", got, r.AtTime, date)
			}
			at = *n
		}
	})
}

// jumps says whether the clocks went forward within the three hours before.
func jumps(at time.Time) bool {
	_, before := at.Add(-3 * time.Hour).Zone()
	_, after := at.Zone()
	return after > before
}

func TestSpans(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]time.Duration{"2026-03-29T06:30:00Z": 23 * time.Hour, "2026-10-25T07:30:00Z": 25 * time.Hour, "2026-06-01T06:30:00Z": 24 * time.Hour} {
		instant, _ := time.Parse(time.RFC3339, at)
		from, to := span(instant, 8, 30, berlin)
		if to.Sub(from) != want || !to.Equal(instant) {
			t.Errorf("%s: %s to %s", at, from, to)
		}
	}
}

// Whatever the zone and the time, each report begins where the one of the day before ended,
// to the minute when that is a quarter of an hour, also over clock changes.
func TestReportsFollowOneAnother(t *testing.T) {
	t.Parallel()
	zones := []string{"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Asia/Kolkata", "Australia/Eucla", "Pacific/Chatham"}
	rapid.Check(t, func(t *rapid.T) {
		zone, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		hour, minute := rapid.IntRange(0, 23).Draw(t, "hour"), 15*rapid.IntRange(0, 3).Draw(t, "quarter")
		r := &models.ReportSchedule{Zone: zone.String(), Enabled: true, Days: everyDay, AtTime: fmt.Sprintf("%02d:%02d", hour, minute)}
		at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(rapid.IntRange(0, 10*365*24).Draw(t, "start")) * time.Hour)
		var last time.Time
		for range 40 {
			n := next(r, at)
			if n == nil {
				t.Fatalf("none after %s", at)
			}
			from, to := span(*n, hour, minute, zone)
			if !to.Equal(*n) || !last.IsZero() && !from.Equal(last) {
				t.Fatalf("at %s: from %s to %s; the one before ended at %s", n, from, to, last)
			}
			last, at = to, *n
		}
	})
}

func TestGather(t *testing.T) {
	t.Parallel()
	sums := func(id string, h models.JobHour) *store.JobSums {
		h.JobID = id
		return &store.JobSums{JobHour: h, Name: "job-" + id, AppID: "app"}
	}
	day := map[string]*store.JobSums{
		"a": sums("a", models.JobHour{Succeeded: 10, Failed: 2, DurationMS: 100_000, Recovered: 3, Lost: 1, Late: 4}),
		"b": sums("b", models.JobHour{Succeeded: 5, Missed: 7, DurationMS: 5000}),
		"c": sums("c", models.JobHour{Failed: 9}),
	}
	week := map[string]*store.JobSums{
		"a": sums("a", models.JobHour{Succeeded: 70, Failed: 7, DurationMS: 350_000}), "b": sums("b", models.JobHour{Succeeded: 2, DurationMS: 20}),
		"gone": sums("gone", models.JobHour{Succeeded: 4, Missed: 14}),
	}
	d := gather(day, week, map[string]string{"app": "shop"})
	if want := (models.ReportFigures{Ran: 26, Succeeded: 15, Failed: 11, Recovered: 3, TakenOver: 1, Late: 4, Missed: 7, Slower: 1}); d.Figures != want {
		t.Errorf("%+v", d.Figures)
	}
	if want := (models.ReportFigures{Ran: 12, Succeeded: 11, Failed: 1, Missed: 2}); d.Week != want {
		t.Errorf("week %+v", d.Week)
	}
	if len(d.Failures) != 2 || d.Failures[0].JobID != "c" || d.FailedJobs != 2 || len(d.Missed) != 1 || d.Missed[0].Count != 7 ||
		len(d.Slow) != 1 || d.Slow[0].Duration != 10*time.Second || d.Slow[0].Usual != 5*time.Second || d.Slow[0].AppName != "shop" {
		t.Errorf("%+v", d)
	}
}

type settable struct {
	mu sync.Mutex
	at time.Time
}

func (c *settable) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.at }

func (c *settable) set(at time.Time) { c.mu.Lock(); defer c.mu.Unlock(); c.at = at }

type owner struct{}

func (owner) Partitions() map[int]int64 { return map[int]int64{0: 0} }
func (owner) Lost(...int)               {}

type quiet struct{}

func (quiet) NotificationsQueued(context.Context)            {}
func (quiet) NotificationsChanged(context.Context, []string) {}

// A report is sent once, two services or not; after an outage only the latest.
func TestPass(t *testing.T) {
	t.Parallel()
	clock := &settable{at: time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)}
	st, err := store.Open(t.Context(), store.Options{URL: "sqlite://" + filepath.Join(t.TempDir(), "b.db"), Logger: slog.New(slog.DiscardHandler), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	if err := st.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := models.AlertChannel{ID: models.NewID(clock.Now()), Name: "ops", Kind: models.ChannelSlack, Enabled: true, Language: "en", CreatedAt: clock.Now(), UpdatedAt: clock.Now()}
	if err := st.CreateChannel(t.Context(), c, models.Audit{ID: models.NewID(clock.Now()), At: clock.Now()}); err != nil {
		t.Fatal(err)
	}
	var both []*Service
	for range 2 {
		s, err := New(Config{Store: st, Owner: owner{}, Clock: clock, Logger: slog.New(slog.DiscardHandler), Notifier: quiet{}})
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, s)
	}
	r, err := both[0].Create(t.Context(), "test", Input{Name: "night", Zone: "Europe/Berlin", At: "08:30", Channels: []string{c.ID}, Enabled: true})
	if err != nil || r.NextAt == nil || !r.NextAt.Equal(time.Date(2026, 3, 2, 7, 30, 0, 0, time.UTC)) {
		t.Fatalf("%+v %v", r, err)
	}
	pass := func() []models.Notification {
		t.Helper()
		for _, s := range both {
			if _, err := s.Pass(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		rows, _, err := st.NotificationPage(t.Context(), store.NotificationFilter{}, store.Page{First: 100})
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	if rows := pass(); len(rows) != 0 {
		t.Errorf("sent before its time: %d", len(rows))
	}
	clock.set(time.Date(2026, 3, 2, 7, 30, 1, 0, time.UTC))
	rows := pass()
	if len(rows) != 1 {
		t.Fatalf("%d were sent", len(rows))
	}
	var m models.Message
	if err := json.Unmarshal(rows[0].Message, &m); err != nil || m.Report == nil || m.Report.Name != "night" || !m.Report.To.Equal(time.Date(2026, 3, 2, 7, 30, 0, 0, time.UTC)) {
		t.Errorf("%+v %v", m.Report, err)
	}
	clock.set(time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC))
	if rows = pass(); len(rows) != 2 {
		t.Errorf("%d were sent after an outage of three days", len(rows))
	}
	if r, err = st.Report(t.Context(), r.ID); err != nil || !r.NextAt.Equal(time.Date(2026, 3, 6, 7, 30, 0, 0, time.UTC)) {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := both[0].SendNow(t.Context(), "test", r.ID); err != nil {
		t.Fatal(err)
	}
	if rows = pass(); len(rows) != 3 {
		t.Errorf("%d after sending by hand", len(rows))
	}
}
