package watch

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/store"
)

var t0 = time.Date(2026, 3, 8, 7, 30, 0, 0, time.UTC)

// apply does what the ledger does with events.
func apply(open map[store.WatchKey]models.AlertWatch, opened, cleared []models.AlertEvent) {
	for i := range opened {
		e := &opened[i]
		row := models.AlertWatch{Kind: e.Kind, Subject: e.Subject, Since: *e.Details().Since, Detail: e.Detail}
		if e.RuleID != nil {
			row.RuleID = *e.RuleID
		}
		open[keyOf(e)] = row
	}
	for i := range cleared {
		delete(open, keyOf(&cleared[i]))
	}
}

// TestSettle: over any history each spell of a condition is told once and cleared once,
// and what nobody can judge stays as it was.
func TestSettle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := &look{now: t0, open: map[store.WatchKey]models.AlertWatch{}, conditions: []Condition{{RuleID: "r", Kind: models.AlertRunTooLong}}}
		subjects := []string{"job:a", "job:b", "job:c"}
		told := map[string]bool{}
		for range rapid.IntRange(1, 20).Draw(t, "passes") {
			l.now = l.now.Add(every)
			f := finding{judged: kindJudged(models.AlertRunTooLong)}
			judged := rapid.Bool().Draw(t, "judged")
			if !judged {
				f.judged = nothing
			}
			holds := map[string]bool{}
			for _, subject := range subjects {
				for range rapid.IntRange(0, 2).Draw(t, subject) {
					holds[subject] = true
					rule, since := "r", l.now.Add(-time.Duration(rapid.IntRange(0, 99).Draw(t, "since"))*time.Second)
					d := models.AlertDetail{Since: &since}
					f.holds = append(f.holds, models.AlertEvent{Kind: models.AlertRunTooLong, Subject: subject, RuleID: &rule, Detail: d.Text()})
				}
			}
			opened, cleared := settle(l, []finding{f, rulesGone(l)})
			if len(opened) == 0 && len(cleared) == 0 && rapid.Bool().Draw(t, "taken over") {
				opened, cleared = settle(l, []finding{f})
			}
			for _, e := range opened {
				if told[e.Subject] || !holds[e.Subject] || !e.At.Equal(l.now) {
					t.Fatalf("%s is told although told %t, holds %t", e.Subject, told[e.Subject], holds[e.Subject])
				}
				told[e.Subject] = true
			}
			for _, e := range cleared {
				if !told[e.Subject] || holds[e.Subject] || !judged || !e.Cleared {
					t.Fatalf("%s is cleared although told %t, holds %t, judged %t", e.Subject, told[e.Subject], holds[e.Subject], judged)
				}
				delete(told, e.Subject)
			}
			apply(l.open, opened, cleared)
			for _, subject := range subjects {
				if judged && told[subject] != holds[subject] {
					t.Fatalf("%s: told %t, holds %t", subject, told[subject], holds[subject])
				}
			}
		}
		l.conditions = nil
		if _, cleared := settle(l, []finding{rulesGone(l)}); len(cleared) != len(told) {
			t.Fatalf("a rule that is gone leaves %d of %d", len(told)-len(cleared), len(told))
		}
	})
}

func TestNotFinishedIsToldEachDay(t *testing.T) {
	t.Parallel()
	l := &look{now: t0, open: map[store.WatchKey]models.AlertWatch{}}
	for day, want := range []int{1, 1, 0} {
		since := t0.Add(24 * time.Hour * time.Duration(min(day, 1)))
		d := models.AlertDetail{Since: &since}
		f := finding{holds: []models.AlertEvent{{Kind: models.AlertNotFinishedBy, Subject: "job:a", Detail: d.Text()}}, judged: nothing}
		opened, _ := settle(l, []finding{f})
		if len(opened) != want {
			t.Errorf("look %d: told %d times", day, len(opened))
		}
		apply(l.open, opened, nil)
	}
}

// TestDeadlines compares with a walk over all minutes, in zones whose clocks change.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	zones := []string{"UTC", "America/New_York", "Europe/Berlin", "Asia/Shanghai", "Australia/Lord_Howe", "America/Sao_Paulo", "Africa/Cairo", "Asia/Kathmandu"}
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom(zones).Draw(t, "zone")
		loc, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		minute := rapid.IntRange(0, 24*60-1).Draw(t, "minute")
		if rapid.Bool().Draw(t, "at night") { // when clocks change
			minute %= 4 * 60
		}
		by := fmt.Sprintf("%02d:%02d", minute/60, minute%60)
		now := time.Date(rapid.IntRange(2015, 2030).Draw(t, "year"), 1, 1, 0, rapid.IntRange(0, 366*24*60-1).Draw(t, "of the year"), 30, 0, time.UTC)
		before, last, err := deadlines(by, zone, now)
		if err != nil {
			t.Fatal(err)
		}
		var want []time.Time
		date := ""
		for at := now.Truncate(time.Minute).Add(-80 * time.Hour); !at.After(now); at = at.Add(time.Minute) {
			local := at.In(loc)
			if day := local.Format(time.DateOnly); local.Format("15:04") == by && day != date {
				date = day // the second time of a night counts not
				want = append(want, at)
			}
		}
		for _, got := range []time.Time{before, last} {
			if local := got.In(loc); local.Format("15:04") != by {
				// Left out by a clock change: nothing on that day is this time of day.
				day := local.Format(time.DateOnly)
				for _, w := range want {
					if w.In(loc).Format(time.DateOnly) == day {
						t.Fatalf("%s in %s: got %s, but there is %s", by, zone, local, w.In(loc))
					}
				}
				return
			}
		}
		if n := len(want); !last.Equal(want[n-1]) || !before.Equal(want[n-2]) {
			t.Fatalf("%s in %s at %s: got %s and %s, want %s and %s", by, zone, now.In(loc), before.In(loc), last.In(loc), want[n-2].In(loc), want[n-1].In(loc))
		}
	})
}

func TestDeadlinesOverClockChanges(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ by, zone, now, before, last string }{
		"an hour left out":      {"02:30", "America/New_York", "2026-03-08T12:00:00Z", "2026-03-07T07:30:00Z", "2026-03-08T07:30:00Z"},
		"before it":             {"02:30", "America/New_York", "2026-03-08T07:29:59Z", "2026-03-06T07:30:00Z", "2026-03-07T07:30:00Z"},
		"an hour twice":         {"01:30", "America/New_York", "2026-11-01T06:00:00Z", "2026-10-31T05:30:00Z", "2026-11-01T05:30:00Z"},
		"its second time":       {"01:30", "America/New_York", "2026-11-01T06:30:00Z", "2026-10-31T05:30:00Z", "2026-11-01T05:30:00Z"},
		"this very instant":     {"06:30", "Europe/Berlin", "2026-07-01T04:30:00Z", "2026-06-30T04:30:00Z", "2026-07-01T04:30:00Z"},
		"a day that never came": {"06:30", "Pacific/Apia", "2011-12-30T20:00:00Z", "2011-12-29T16:30:00Z", "2011-12-30T16:30:00Z"},
	} {
		before, last, err := deadlines(c.by, c.zone, parse(t, c.now))
		if err != nil || !before.Equal(parse(t, c.before)) || !last.Equal(parse(t, c.last)) {
			t.Errorf("%s: %s and %s, %v", name, before.UTC(), last.UTC(), err)
		}
	}
	for _, bad := range [][2]string{{"24:00", "UTC"}, {"6:30", "UTC"}, {"06:30", "Mars/Olympus"}} {
		if _, _, err := deadlines(bad[0], bad[1], t0); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}

func parse(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestLastFire compares with a walk over all fires.
func TestLastFire(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		expression := rapid.SampledFrom([]string{"30 23 * * *", "*/7 * * * *", "0 0 1 * *", "15 5 * * 1-5", "0 */3 * * *", "* * * * *"}).Draw(t, "expression")
		trigger, err := schedule.Compile(schedule.Spec{Kind: schedule.KindCron, Expression: expression, Zone: "Europe/Berlin"}, "seed")
		if err != nil {
			t.Fatal(err)
		}
		upTo := t0.Add(time.Duration(rapid.IntRange(0, 60*24*40).Draw(t, "minute")) * time.Minute)
		after := upTo.Add(-time.Duration(rapid.IntRange(1, 60*26).Draw(t, "span")) * time.Minute)
		var want time.Time
		for at, ok := trigger.Next(after); ok && !at.After(upTo); at, ok = trigger.Next(at) {
			want = at
		}
		got, ok := lastFire(trigger, after, upTo)
		if ok != !want.IsZero() || !got.Equal(want) {
			t.Fatalf("%q in (%s, %s]: %s, want %s", expression, after, upTo, got, want)
		}
	})
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	var times []time.Duration
	for i := range 100 {
		times = append(times, time.Duration(i*37%100+1)*time.Second)
	}
	for n, want := range map[int]time.Duration{0: 0, 19: 0, 100: 95 * time.Second} {
		if got := percentile95(times[:n]); got != want {
			t.Errorf("of %d: %s, want %s", n, got, want)
		}
	}
	if got := percentile95(make([]time.Duration, 20)); got != 1 {
		t.Errorf("of nothing but zeros: %s", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(usualLeast, usualRuns).Draw(t, "n")
		list := make([]time.Duration, n)
		for i := range list {
			list[i] = time.Duration(rapid.IntRange(1, 1000).Draw(t, "time"))
		}
		p, within, below := percentile95(list), 0, 0
		for _, d := range list {
			if d <= p {
				within++
			}
			if d < p {
				below++
			}
		}
		if within*100 < 95*n || below*100 >= 95*n {
			t.Fatalf("%s: %d of %d are within, %d below", p, within, n, below)
		}
	})
}

func TestBoundOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		longer time.Duration
		factor float64
		p95    time.Duration
		want   time.Duration
	}{
		{0, 0, time.Minute, 0},
		{time.Minute, 0, time.Second, time.Minute},
		{0, 2, time.Minute, 2 * time.Minute},
		{0, 2, 0, 0},
		{time.Minute, 3, 10 * time.Second, 30 * time.Second},
		{time.Minute, 3, time.Hour, time.Minute},
		{time.Minute, 3, 0, time.Minute},
		{0, 1e300, time.Hour, 1<<62 - 1},
	} {
		got := boundOf(&Condition{LongerThan: c.longer, Factor: c.factor}, c.p95)
		if got != c.want && (c.factor < 1e9 || got < 1<<61) {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestStopOf(t *testing.T) {
	t.Parallel()
	at := func(d time.Duration) *time.Time { return new(t0.Add(d)) }
	daily := func(edit func(*models.Job)) *models.Job {
		j := &models.Job{ID: "j", TriggerKind: models.TriggerCron, Expression: "0 9 * * *", Zone: "UTC", Enabled: true, NextFireAt: at(90 * time.Minute), UpdatedAt: t0}
		edit(j)
		return j
	}
	year9999 := time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		edit func(*models.Job)
		want string
	}{
		"all is well":             {func(*models.Job) {}, ""},
		"paused":                  {func(j *models.Job) { j.Enabled, j.NextFireAt = false, nil }, ""},
		"deleted":                 {func(j *models.Job) { j.DeletedAt, j.NextFireAt = &t0, nil }, ""},
		"invalid":                 {func(j *models.Job) { j.InvalidReason = "no such zone" }, stopInvalid},
		"no next fire":            {func(j *models.Job) { j.NextFireAt = nil }, stopNoNext},
		"at its end":              {func(j *models.Job) { j.NextFireAt, j.EndAt = nil, at(time.Hour) }, ""},
		"year 9999":               {func(j *models.Job) { j.NextFireAt = &year9999 }, stopFar},
		"a day too late":          {func(j *models.Job) { j.NextFireAt = at(25*time.Hour + 30*time.Minute) }, stopFar},
		"long past":               {func(j *models.Job) { j.NextFireAt = at(-3 * time.Minute) }, stopPast},
		"past a moment":           {func(j *models.Job) { j.NextFireAt = at(-time.Minute) }, ""},
		"empty, and no next":      {func(j *models.Job) { j.Expression, j.NextFireAt = "", nil }, stopInvalid},
		"a step of zero":          {func(j *models.Job) { j.Expression, j.NextFireAt = "*/0 * * * *", nil }, stopInvalid},
		"by hand":                 {func(j *models.Job) { j.TriggerKind, j.NextFireAt = models.TriggerManual, nil }, ""},
		"fixed delay, under way":  {func(j *models.Job) { j.TriggerKind, j.NextFireAt = models.TriggerFixedDelay, nil }, ""},
		"fixed rate without next": {func(j *models.Job) { j.TriggerKind, j.EveryMS, j.NextFireAt = models.TriggerFixedRate, 60_000, nil }, stopNoNext},
	} {
		j := daily(c.edit)
		got := stopOf(j, t0, func() (*schedule.Trigger, error) {
			w := &Watcher{}
			return w.compiled.Compile(j, nil)
		})
		if got.code != c.want || (got.why == "") != (c.want == "") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	broken := daily(func(*models.Job) {})
	if got := stopOf(broken, t0, func() (*schedule.Trigger, error) { return nil, errors.New("its calendar is gone") }); got.code != stopInvalid {
		t.Errorf("without its calendar: %+v", got)
	}
}

func TestLateOf(t *testing.T) {
	t.Parallel()
	group := &models.NodeGroup{ID: "g", AppID: "a"}
	jobs, tasks := map[string]*models.Job{}, []store.LateJob{}
	for i := range 30 {
		id := fmt.Sprintf("j%02d", i)
		jobs[id] = &models.Job{ID: id, AppID: "a", GroupID: "g"}
		tasks = append(tasks, store.LateJob{JobID: id, Tasks: 2, Oldest: t0.Add(-time.Duration(i) * time.Minute)})
	}
	l := &look{now: t0, open: map[store.WatchKey]models.AlertWatch{
		{Kind: models.AlertFireLate, Subject: "job:j29", RuleID: "r"}: {}, {Kind: models.AlertFireLate, Subject: "job:j28", RuleID: "other"}: {},
	}}
	subjects := func(c Condition) (all []string) {
		c.RuleID = "r"
		for _, e := range lateOf(&c, group, jobs, tasks, false, l) {
			all = append(all, e.Subject)
		}
		return all
	}
	if got := subjects(Condition{LongerThan: 27 * time.Minute}); !cmp.Equal(got, []string{"job:j27", "job:j28", "job:j29"}) {
		t.Errorf("three are late: %v", got)
	}
	if got := subjects(Condition{LongerThan: time.Minute, Jobs: func(j *models.Job) bool { return j.ID == "j20" }}); !cmp.Equal(got, []string{"job:j20"}) {
		t.Errorf("one is in scope: %v", got)
	}
	if got := subjects(Condition{LongerThan: time.Minute}); !cmp.Equal(got, []string{"group:g", "job:j29"}) {
		t.Errorf("many are late: %v", got)
	}
	e := lateOf(&Condition{RuleID: "r", LongerThan: time.Minute}, group, jobs, tasks, true, l)[0]
	if d := e.Details(); d.Count != 58 || !d.AtLeast || d.LateMS != 29*60_000 || d.BoundMS != 60_000 || *e.GroupID != "g" {
		t.Errorf("%+v", d)
	}
}

func TestTooLongLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		c    Condition
		due  int64
		age  time.Duration
		told bool
		want bool
	}{
		"short":              {Condition{Depth: 100}, 99, time.Hour, false, false},
		"deep":               {Condition{Depth: 100}, 100, 0, false, true},
		"hovers":             {Condition{Depth: 100}, 81, 0, true, true},
		"has fallen":         {Condition{Depth: 100}, 79, 0, true, false},
		"old":                {Condition{Age: time.Minute}, 1, time.Minute, false, true},
		"young":              {Condition{Age: time.Minute}, 1, 59 * time.Second, false, false},
		"nothing is due":     {Condition{Age: time.Minute}, 0, time.Hour, false, false},
		"either of both":     {Condition{Depth: 100, Age: time.Minute}, 5, 2 * time.Minute, false, true},
		"without any bounds": {Condition{}, 1 << 40, time.Hour, false, false},
	} {
		line := &models.GroupFlow{Due: c.due, OldestDueAt: new(t0.Add(-c.age))}
		if got := tooLongLine(&c.c, line, t0, c.told); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestServersOf(t *testing.T) {
	t.Parallel()
	server := func(id, name string, silent time.Duration, degraded string) models.Server {
		return models.Server{ID: id, Name: name, LastSeenAt: t0.Add(-silent), Degraded: []byte(degraded)}
	}
	rows := []models.Server{
		server("1", "one", time.Second, `["Redis does not answer it: its locks are leases."]`),
		server("2", "two", time.Minute, `["Redis does not answer it: long ago."]`),
		server("3", "three", time.Minute, ""), // and again:
		server("4", "three", 2*time.Second, `["Its clock is wrong.","Redis does not answer it: too."]`),
		server("5", "five", 3*time.Second, `no JSON`),
	}
	lost := lostOf(rows, t0, 8*time.Second)
	if len(lost) != 1 || lost[0].Subject != "server:2" || lost[0].Details().Server != "two" {
		t.Errorf("lost: %+v", lost)
	}
	degraded := degradedOf(rows, t0, 8*time.Second)
	want := []string{"one: Redis does not answer it: its locks are leases.", "three: Redis does not answer it: too."}
	if len(degraded) != 1 || degraded[0].Subject != models.SubjectRedis || !cmp.Equal(degraded[0].Details().Sentences, want) {
		t.Errorf("degraded: %+v", degraded)
	}
}
