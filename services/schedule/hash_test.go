package schedule

import (
	"fmt"
	"testing"
	"time"
)

// TestHashNeverChanges holds answers of the hash. Customers' jobs run at the
// times it gives: if this test fails, the code is wrong, not the test.
func TestHashNeverChanges(t *testing.T) {
	t.Parallel()
	tests := []struct {
		seed, label string
		want        uint64
	}{
		{"", "", 0xb9034ad37056f5fb},
		{"", "minute", 0x1b53d3494fed3963},
		{"orders/sync", "minute", 0xaefc1f71ccff04a2},
		{"orders/sync", "hour", 0x73878f5f4ac23de5},
		{"订单", "second", 0x55a87ff4265b8db4},
	}
	for _, test := range tests {
		if got := hash(test.seed, test.label); got != test.want {
			t.Errorf("hash(%q, %q) = %#x, want %#x", test.seed, test.label, got, test.want)
		}
	}
	resolved := map[string]string{
		"H H(2-4) * * *":        "10 4 * * *",
		"H/15 * * * *":          "10-59/15 * * * *",
		"H H H ? H H":           "28 10 5 ? JUN THU",
		"H(0-5)/32 H/7 * * H/3": "4-5/32 5-23/7 * * SUN-SAT/3",
		"0 0 H(22-2) ? * H":     "0 0 23 ? * THU",
		"0 H H H H/5 ?":         "0 10 5 5 FEB-DEC/5 ?",
	}
	for expression, want := range resolved {
		cron, err := ParseCron(expression, "orders/sync")
		if err != nil {
			t.Fatal(err)
		}
		if cron.String() != want {
			t.Errorf("%q became %q, want %q", expression, cron, want)
		}
	}
	fire := time.Date(2026, 3, 8, 7, 30, 0, 0, time.UTC)
	if got := hashJitter("orders/sync", fire, time.Minute); got != 16_500_846*time.Microsecond {
		t.Errorf("jitter %v", got)
	}
}

// TestHashSpreads checks that H uses its whole range evenly enough.
func TestHashSpreads(t *testing.T) {
	t.Parallel()
	const seeds = 60_000
	var minutes [60]int
	for n := range seeds {
		minutes[hash(fmt.Sprintf("job-%d", n), "minute")%60]++
	}
	for minute, count := range minutes {
		if count < seeds/60*8/10 || count > seeds/60*12/10 {
			t.Errorf("minute %d drawn %d times of %d", minute, count, seeds)
		}
	}
}

// TestHashedDaysExistInEveryMonth: a bare H for the day stays within 1-28, and
// one for a five-field weekday counts Sunday once.
func TestHashedDaysExistInEveryMonth(t *testing.T) {
	t.Parallel()
	weekdays := map[uint8]int{}
	for n := range 7_000 {
		cron, err := ParseCron("0 0 H * *", fmt.Sprint(n))
		if err != nil {
			t.Fatal(err)
		}
		if day := cron.parsed().fields[fieldDay].items[0]; !day.single() || day.low < 1 || day.low > 28 {
			t.Fatalf("%q", cron)
		}
		cron, err = ParseCron("0 0 * * H", fmt.Sprint(n))
		if err != nil {
			t.Fatal(err)
		}
		rules := newDayRules(cron.parsed())
		weekdays[rules.weekdays]++
	}
	if len(weekdays) != 7 || weekdays[1] < 800 || weekdays[1] > 1200 {
		t.Errorf("weekdays drawn: %v", weekdays)
	}
}
