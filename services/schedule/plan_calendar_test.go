package schedule

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestPlanCountsWhatTheCalendarTookOut: a weekend is recorded with the first fire
// after it and not before, with its reason and exact count, whatever the rhythm.
func TestPlanCountsWhatTheCalendarTookOut(t *testing.T) {
	t.Parallel()
	quiet := []QuietWindow{{From: 22 * 60, To: 6 * 60, Rule: QuietSkip}}
	for name, tt := range map[string]struct {
		expression string
		quiet      []QuietWindow
		last, now  string
		want       string
	}{
		"daily":        {"0 2 * * *", nil, "2026-03-06T02:00:00Z", "2026-03-09T01:59:58Z", "fire 02:00:00; CALENDAR_REST_DAY 2 02:00:00-02:00:00; next 02:00:00"},
		"every minute": {"* * * * *", nil, "2026-03-06T23:59:00Z", "2026-03-08T23:59:58.5Z", "fire 00:00:00; CALENDAR_REST_DAY 2880 00:00:00-23:59:00; next 00:01:00"},
		"every second": {"* * * * * ?", nil, "2026-03-06T23:59:59Z", "2026-03-09T00:00:00Z", "fire 00:00:00; CALENDAR_REST_DAY 172800 00:00:00-23:59:59; next 00:00:01"},
		"with nights":  {"0 * * * *", quiet, "2026-03-06T21:00:00Z", "2026-03-09T06:00:00Z", "fire 06:00:00; CALENDAR_QUIET 8 22:00:00-05:00:00; CALENDAR_REST_DAY 48 00:00:00-23:00:00; next 07:00:00"},
		"nothing":      {"0 2 * * *", nil, "2026-03-04T02:00:00Z", "2026-03-05T02:00:00Z", "fire 02:00:00; next 02:00:00"},
	} {
		calendar := mustCalendar(t, CalendarSpec{RestDays: weekend, Quiet: tt.quiet})
		trigger := mustCompile(t, Spec{Kind: KindCron, Expression: tt.expression, Calendar: calendar})
		next, _ := trigger.Next(instant(t, tt.last))
		in := PlanInput{Trigger: trigger, Next: next, Now: instant(t, tt.now), Last: instant(t, tt.last), Since: instant(t, "2026-01-01T00:00:00Z")}
		in.Horizon = next
		if diff := cmp.Diff(tt.want, planned(Plan(in))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		in.Now, in.Horizon = next.Add(-time.Hour), next.Add(-time.Hour)
		if early := Plan(in); len(early.Missed) > 0 || !early.Next.Equal(next) {
			t.Errorf("%s: recorded ahead: %s", name, planned(early))
		}
		in.Now, in.Horizon, in.Last, in.Since = next, next, time.Time{}, time.Time{}
		if unknown := Plan(in); len(unknown.Missed) > 0 {
			t.Errorf("%s: counted from nowhere: %s", name, planned(unknown))
		}
	}
}

// A stored next fire that the calendar excludes by now is not fired, however late
// it is found; it is counted with the fire after it.
func TestExcludedNextFireIsPassedOver(t *testing.T) {
	t.Parallel()
	trigger := mustCompile(t, Spec{Kind: KindCron, Expression: "0 2 * * *", Calendar: mustCalendar(t, golden())})
	in := PlanInput{
		Trigger: trigger, Next: instant(t, "2026-10-01T02:00:00Z"), Last: instant(t, "2026-09-30T02:00:00Z"), Since: instant(t, "2026-09-30T12:00:00Z"),
	}
	for _, now := range []string{"2026-10-01T01:59:59Z", "2026-10-01T02:00:00Z", "2026-10-01T05:00:00Z", "2026-10-03T00:00:00Z"} {
		in.Now, in.Horizon = instant(t, now), instant(t, now).Add(2*time.Second)
		got := Plan(in)
		if len(got.Fires) > 0 || len(got.Missed) > 0 || !got.Dealt.IsZero() || !got.Next.Equal(instant(t, "2026-10-08T02:00:00Z")) {
			t.Errorf("at %s: %s", now, planned(got))
		}
	}
	in.Next, in.Now = instant(t, "2026-10-08T02:00:00Z"), instant(t, "2026-10-08T02:00:00Z")
	if got, want := planned(Plan(in)), "fire 02:00:00; CALENDAR_REST_DAY 7 02:00:00-02:00:00; next 02:00:00"; got != want {
		t.Errorf("the fire after them: %s, want %s", got, want)
	}
	// The last one of all is no fire any more.
	end := mustCompile(t, Spec{Kind: KindCron, Expression: "0 2 * * *", EndAt: instant(t, "2026-10-01T03:00:00Z"), Calendar: mustCalendar(t, golden())})
	in = PlanInput{Trigger: end, Next: instant(t, "2026-10-01T02:00:00Z"), Last: instant(t, "2026-09-30T02:00:00Z"), Now: instant(t, "2026-10-01T02:00:00Z")}
	if got, want := planned(Plan(in)), "fire; CALENDAR_REST_DAY 1 02:00:00-02:00:00; finished"; got != want {
		t.Errorf("the last one: %s, want %s", got, want)
	}
}

// The specs of the simulated year.
func yearSpecs(t *testing.T) map[string]Spec {
	t.Helper()
	spec := golden()
	for month := 1; month <= 12; month++ {
		spec.Days = append(spec.Days, CalendarDay{Date: fmt.Sprintf("2026-%02d-13", month)})
	}
	quiet := spec
	quiet.Quiet = []QuietWindow{{From: 23 * 60, To: 5 * 60, Rule: QuietDelay}, {From: 12 * 60, To: 13 * 60, Rule: QuietSkip, Days: []time.Weekday{time.Friday}}}
	plain, silent := mustCalendar(t, spec), mustCalendar(t, quiet)
	from, to := instant(t, "2026-02-01T00:00:00Z"), instant(t, "2026-11-15T12:00:00Z")
	cron := func(expression, zone string) Spec { return Spec{Kind: KindCron, Expression: expression, Zone: zone} }
	all := map[string]Spec{
		"daily":             cron("30 2 * * *", "Europe/Berlin"),
		"daily, jitter":     {Kind: KindCron, Expression: "30 1 * * *", Zone: "America/New_York", Jitter: 10 * time.Minute},
		"hourly":            cron("0 * * * *", "Australia/Lord_Howe"),
		"quarter hours":     cron("*/15 * * * *", "Africa/Cairo"),
		"month ends":        cron("0 0 23 LW * ?", "America/Santiago"),
		"bounded":           {Kind: KindCron, Expression: "0 */4 * * *", Zone: "Asia/Tehran", StartAt: from, EndAt: to},
		"fixed rate":        {Kind: KindFixedRate, Every: 7 * time.Hour},
		"fixed rate, bound": {Kind: KindFixedRate, Every: 90 * time.Minute, StartAt: from, EndAt: to, Jitter: time.Minute},
	}
	for name, base := range map[string]Spec{"daily": all["daily"], "hourly": all["hourly"], "quarter hours": all["quarter hours"], "month ends": all["month ends"], "bounded": all["bounded"]} {
		for rule, calendar := range map[RestRule]*Calendar{RestSkip: plain, RestNext: silent, RestPrevious: silent} {
			base.Calendar, base.OnRestDay = calendar, rule
			all[name+", "+string(rule)] = base
		}
	}
	return all
}

// What the preview says is what happens: a year of planning with a clock that
// wakes early, late and twice makes just the previewed fires, each once, and counts
// just what the calendar took out.
func TestYearAsPreviewed(t *testing.T) {
	t.Parallel()
	begin, end := instant(t, "2026-01-01T00:00:00Z"), instant(t, "2027-01-01T00:00:00Z")
	for name, spec := range yearSpecs(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trigger := mustCompile(t, spec)
			var want []string
			for at, ok := trigger.Next(begin); ok && at.Before(end); at, ok = trigger.Next(at) {
				want = append(want, at.Format(time.RFC3339))
			}
			if preview := trigger.Preview(begin, 10); !preview[0].Equal(instant(t, want[0])) {
				t.Fatalf("the preview begins at %s", preview[0])
			}
			for seed := range uint64(3) {
				fires, taken := simulate(t, rand.New(rand.NewPCG(seed, 0)), trigger, begin, end)
				if diff := cmp.Diff(want, fires); diff != "" {
					t.Fatalf("fires (-preview +happened):\n%s", diff)
				}
				counts := map[Reason]int{}
				if len(want) > 0 && trigger.kept != nil {
					for _, m := range trigger.TakenOut(begin, instant(t, want[len(want)-1])) {
						counts[m.Reason] += m.Count
					}
				}
				if diff := cmp.Diff(counts, taken); diff != "" {
					t.Fatalf("taken out (-whole +summed):\n%s", diff)
				}
			}
		})
	}
}

// simulate plans from begin to end as the trigger service does, its wake-ups
// irregular but never later than the grace. It answers the fires before end and the
// sums of what the calendar took out up to the last of them.
func simulate(t *testing.T, random *rand.Rand, trigger *Trigger, begin, end time.Time) (fires []string, taken map[Reason]int) {
	t.Helper()
	taken = map[Reason]int{}
	next, ok := trigger.Next(begin)
	var last time.Time
	for ok && !next.IsZero() && next.Before(end) {
		// Early by up to 3 s, of which the look-ahead covers 2; late by up to 55 s.
		now := next.Add(time.Duration(random.IntN(58_000)-3_000) * time.Millisecond)
		got := Plan(PlanInput{Trigger: trigger, Next: next, Now: now, Horizon: now.Add(2 * time.Second), Since: begin, Last: last, Seed: "job"})
		for _, f := range got.Fires {
			if !f.At.Before(end) {
				return fires, taken
			}
			if f.Misfire || f.Available.Before(f.At) {
				t.Fatalf("%+v", f)
			}
			fires, last = append(fires, f.At.Format(time.RFC3339)), f.At
		}
		for _, m := range got.Missed {
			taken[m.Reason] += m.Count
		}
		if len(got.Fires) == 0 { // too early: the clock goes on
			got = Plan(PlanInput{Trigger: trigger, Next: next, Now: next, Since: begin, Last: last, Seed: "job"})
			fires, last = append(fires, got.Fires[0].At.Format(time.RFC3339)), got.Fires[len(got.Fires)-1].At
			for _, m := range got.Missed {
				taken[m.Reason] += m.Count
			}
		}
		next = got.Next
	}
	return fires, taken
}

// A fire that a quiet window puts off to the very instant it was moved from happens
// just when the expression says: it is neither moved nor taken out.
func TestMovedAndPutOffBack(t *testing.T) {
	t.Parallel()
	calendar := mustCalendar(t, CalendarSpec{
		Days:  []CalendarDay{{Date: "2026-04-29"}},
		Quiet: []QuietWindow{{Days: []time.Weekday{time.Tuesday}, From: 60, To: 0, Rule: QuietDelay}, {From: 0, To: 60, Rule: QuietDelay}},
	})
	trigger := mustCompile(t, Spec{Kind: KindCron, Expression: "0 1 29 4 *", Calendar: calendar, OnRestDay: RestPrevious})
	after, at := instant(t, "2026-04-01T00:00:00Z"), instant(t, "2026-04-29T01:00:00Z")
	if next, _ := trigger.Next(after); !next.Equal(at) {
		t.Errorf("it fires at %s", next)
	}
	if list := trigger.Excluded(after, at, 10); len(list) != 0 {
		t.Errorf("excluded %+v", list)
	}
}
