package schedule

import (
	"testing"
	"time"
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

// TestNextDoesNotAllocate covers the hot path: successive fires, also over
// clock changes, of which each may cost one allocation.
//
//nolint:paralleltest // AllocsPerRun counts what the whole process allocates
func TestNextDoesNotAllocate(t *testing.T) {
	for _, bench := range benchmarked {
		cron, zone := mustCron(t, bench.expression), mustZone(t, bench.zone)
		at := time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC)
		cron.Next(at, zone)
		if allocations := testing.AllocsPerRun(100, func() { cron.Next(at, zone) }); allocations > 0 {
			t.Errorf("%s: %v allocations a call", bench.expression, allocations)
		}
	}
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
