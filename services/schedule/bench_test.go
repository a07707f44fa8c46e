package schedule

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// benchmarked are expressions of every kind, from dense to never.
var benchmarked = []struct{ name, expression, zone string }{
	{"every_5_minutes", "0 */5 * * * ?", "UTC"},
	{"every_5_minutes_new_york", "0 */5 * * * ?", "America/New_York"},
	{"every_second", "* * * * * ?", "UTC"},
	{"every_minute", "* * * * *", "UTC"},
	{"every_minute_lord_howe", "* * * * *", "Australia/Lord_Howe"},
	{"hourly", "@hourly", "Asia/Shanghai"},
	{"daily", "0 2 * * *", "UTC"},
	{"daily_new_york", "30 2 * * *", "America/New_York"},
	{"daily_casablanca", "30 2 * * *", "Africa/Casablanca"},
	{"office_hours", "*/15 9-17 * * 1-5", "Asia/Kolkata"},
	{"lists", "0 10,44 14 ? 3 WED", "UTC"},
	{"either_day", "0 0 1,15 * 3", "Europe/Berlin"},
	{"last_day", "0 0 0 L * ?", "Asia/Shanghai"},
	{"last_workday", "0 0 0 LW * ?", "UTC"},
	{"nearest_workday", "0 0 12 15W * ?", "UTC"},
	{"last_friday", "0 15 10 ? * 6L", "America/New_York"},
	{"fifth_friday", "0 0 0 ? * 6#5", "UTC"},
	{"monthly", "@monthly", "America/New_York"},
	{"leap_day", "0 0 2 29 2 ?", "UTC"},
	{"one_year", "0 0 0 1 1 ? 2090", "Europe/Berlin"},
	{"never", "0 0 0 30 2 ?", "UTC"},
	{"never_in_zone", "0 * 2 ? 3 1#2", "America/New_York"},
}

func BenchmarkNext(b *testing.B) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, bench := range benchmarked {
		b.Run(bench.name, func(b *testing.B) {
			cron, zone := mustCron(b, bench.expression), mustZone(b, bench.zone)
			at := start
			b.ReportAllocs()
			for b.Loop() {
				next, ok := cron.Next(at, zone)
				if at = next; !ok || at.Year() > 2400 {
					at = start
				}
			}
		})
	}
}

func BenchmarkParseCron(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseCron("0 15 10 ? JAN-MAR MON-FRI 2026-2030", ""); err != nil {
			b.Fatal(err)
		}
	}
}

// walker is a schedule's walk over its next fires, for as long as it has some before 2400.
func walker(next func(time.Time) (time.Time, bool)) func() {
	start := time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC)
	far := time.Date(2400, 1, 1, 0, 0, 0, 0, time.UTC)
	return func() {
		at := start
		for range 1000 {
			n, ok := next(at)
			if at = n; !ok || at.After(far) {
				at = start
			}
		}
	}
}

// TestNextDoesNotAllocate covers the hot path: a thousand successive fires, over however
// many clock changes and centuries. What it has to know of a zone is worked out on the
// way the first time, and shared by all schedules.
//
//nolint:paralleltest // AllocsPerRun counts what the whole process allocates
func TestNextDoesNotAllocate(t *testing.T) {
	for _, bench := range benchmarked {
		cron, zone := mustCron(t, bench.expression), mustZone(t, bench.zone)
		step := walker(func(at time.Time) (time.Time, bool) { return cron.Next(at, zone) })
		if allocations := testing.AllocsPerRun(1, step); allocations > 0 { // it warms up with a run of its own
			t.Errorf("%s: %v allocations in a thousand fires", bench.expression, allocations)
		}
	}
	for name, spec := range map[string]Spec{
		"cron":       {Kind: KindCron, Expression: "30 2 * * *", Zone: "America/New_York"},
		"a calendar": {Kind: KindCron, Expression: "30 2 * * *", Zone: "America/New_York", Calendar: officeCalendar(t), OnRestDay: RestNext},
		"fixed rate": {Kind: KindFixedRate, Every: 90 * time.Minute},
	} {
		trigger, err := Compile(spec, "seed")
		if err != nil {
			t.Fatal(err)
		}
		if allocations := testing.AllocsPerRun(1, walker(trigger.Next)); allocations > 0 {
			t.Errorf("%s: %v allocations in a thousand fires", name, allocations)
		}
	}
}

// officeCalendar has weekends off, a holiday a year and quiet nights.
func officeCalendar(t testing.TB) *Calendar {
	t.Helper()
	spec := CalendarSpec{
		Name: "office", RestDays: []time.Weekday{time.Saturday, time.Sunday},
		Quiet: []QuietWindow{{From: 2 * 60, To: 4 * 60, Rule: QuietDelay}},
	}
	for year := 2026; year < 2036; year++ {
		spec.Days = append(spec.Days, CalendarDay{Date: fmt.Sprintf("%d-05-01", year), Name: "Labour Day"})
	}
	return mustCalendar(t, spec)
}

// The spans of a zone are those that a walk to the instant finds, wherever it lies.
func TestSpansOfAZone(t *testing.T) {
	t.Parallel()
	zones := []string{
		"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "Asia/Shanghai", "Africa/Monrovia",
		"America/Caracas", "Antarctica/Troll", "Europe/Dublin", "Asia/Kathmandu", "Etc/GMT+12",
	}
	rapid.Check(t, func(t *rapid.T) {
		zone, err := LoadZone(rapid.SampledFrom(zones).Draw(t, "zone"))
		known, ok := spans.Load(zone)
		if err != nil || !ok {
			t.Fatalf("%s is not known: %v", zone, err)
		}
		at := rapid.OneOf(
			rapid.Int64Range(firstInstant, lastInstant),
			rapid.Int64Range(dayNumber(1850, 1, 1)*daySeconds, dayNumber(2150, 1, 1)*daySeconds),
		).Draw(t, "at")
		if rapid.Bool().Draw(t, "at a change") {
			at = known.(*zoneSpans).at(at).until
			if at > lastInstant {
				return
			}
			at += rapid.Int64Range(-1, 1).Draw(t, "beside")
		}
		got, want := known.(*zoneSpans).at(at), findSpan(zone, at)
		if got.offset != want.offset || got.from > at || got.until < want.until || got.zone != zone {
			t.Fatalf("%s at %s: %+v, found %+v", zone, time.Unix(at, 0).UTC(), got, want)
		}
		// What the clocks have shown matters where it is later than what they show.
		if shows := at + want.offset; max(got.peak, shows) != max(want.peak, shows) {
			t.Fatalf("%s at %s: peak %d, found %d, they show %d", zone, time.Unix(at, 0).UTC(), got.peak, want.peak, shows)
		}
	})
}

func mustCron(t testing.TB, expression string) *Cron {
	t.Helper()
	cron, err := ParseCron(expression, "seed")
	if err != nil {
		t.Fatal(err)
	}
	return cron
}

func mustZone(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}
