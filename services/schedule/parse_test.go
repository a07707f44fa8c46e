package schedule

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestParseErrorsPointAtTheFault(t *testing.T) {
	t.Parallel()
	tests := []struct {
		expression, field string
		position          int
		contains          string
	}{
		{"", "", 1, "empty"},
		{"  \t", "", 1, "empty"},
		{"* * * *", "", 8, "4 field(s)"},
		{"* * * * * * * *", "", 15, "8 field(s)"},
		{"@dayly", "", 1, "unknown macro \"@dayly\""},
		{" @Daily", "", 2, "@daily"},
		{"@every 5m", "", 1, "fixed-rate"},
		{"@reboot", "", 1, "API"},
		{"TZ=UTC 0 6 * * *", "", 1, "zone field"},
		{"  CRON_TZ=Asia/Tokyo 0 6 * * *", "", 3, "zone field"},
		{"60 * * * *", "minute", 1, "out of range 0-59"},
		{"0 24 * * *", "hour", 3, "out of range 0-23"},
		{"0 0 * * 8", "weekday", 9, "0 and 7 are Sunday"},
		{"0 0 0 ? * 0", "weekday", 11, "1 is Sunday"},
		{"*/0 * * * *", "minute", 3, "the step 0 is out of range 1-59"},
		{"*/60 * * * *", "minute", 3, "the step 60"},
		{"0 */24 * * *", "hour", 5, "the step 24"},
		{"5x * * * *", "minute", 2, "unexpected 'x'"},
		{"1- * * * *", "minute", 3, "missing"},
		{"1,,2 * * * *", "minute", 3, "missing"},
		{"1, * * * *", "minute", 3, "missing"},
		{"*5 * * * *", "minute", 2, "unexpected '5'"},
		{"*/5/2 * * * *", "minute", 4, "unexpected '/'"},
		{"+5 * * * *", "minute", 1, "unexpected '+'"},
		{"0 22-2 * * *", "hour", 3, "22-2 is reversed"},
		{"0 0 * * FRI-SUN", "weekday", 9, "as 7"},
		{"0 0 0 1 1 ? 2030-2026", "year", 13, "years do not wrap"},
		{"0 0 0 1 1 ? 1969", "year", 13, "out of range 1970-2099"},
		{"0 0 ? * *", "day", 5, "six and seven fields"},
		{"? 0 0 * * ?", "second", 1, "six and seven fields"},
		{"0 0 0 ?,1 * *", "day", 7, "stand alone"},
		{"0 0 0 ? * ?", "weekday", 11, "both ?"},
		{"0 0 0 15 * MON", "weekday", 12, "both set"},
		{"0 0 0 */2 * MON", "weekday", 13, "both set"},
		{"0 0 0 W * ?", "day", 7, "unexpected 'W'"},
		{"0 0 0 L-31 * ?", "day", 9, "out of range 0-30"},
		{"0 0 0 32W * ?", "day", 7, "out of range 1-31"},
		{"0 0 0 ? L *", "month", 9, "unknown name \"L\""},
		{"0 0 0 ? * MON#6", "weekday", 15, "after # 6"},
		{"0 0 0 ? * MON#", "weekday", 15, "missing"},
		{"0 0 * FEBR *", "month", 10, "unexpected 'R'"},
		{"0 0 * * MON-XYZ", "weekday", 13, "unknown name \"XYZ\""},
		{"0 0 * * Monday", "weekday", 12, "unexpected 'd'"},
		{"99999999999999999999 * * * *", "minute", 1, "999999999999… is out of range"},
		{"５ * * * *", "minute", 1, `'\uff15'`},
		{"0\u200b 12 * * *", "minute", 2, `'\u200b'`},
		{"0 12 * * *\u00a0", "weekday", 11, `'\u00a0'`},
		{"0 12 * * \u202e*", "weekday", 10, `'\u202e'`},
		{"0 12 * * fr\u0131", "weekday", 10, "unknown name"},
		{"0 0 1 1 *\n", "weekday", 10, "not allowed"},
		{"\xff * * * *", "minute", 1, "not allowed"},
		{"H(5) * * * *", "minute", 4, "H(2-4)"},
		{"H(5-70) * * * *", "minute", 5, "out of range"},
		{"H(5-7 * * * *", "minute", 6, "not closed"},
		{"H(7-5) * * * *", "minute", 3, "7-5 is reversed"},
		{"0 0 0 1 1 ? H", "year", 13, "not allowed for the year"},
		{strings.Repeat("1,", 800) + "1 * * * *", "", 1, "longer than 1500"},
	}
	for _, test := range tests {
		_, err := ParseCron(test.expression, "")
		var e *ParseError
		if !errors.As(err, &e) {
			t.Errorf("ParseCron(%q) = %v, want a *ParseError", test.expression, err)
			continue
		}
		if e.Field != test.field || e.Position != test.position || !strings.Contains(e.Message, test.contains) {
			t.Errorf("ParseCron(%q):\n got %s|%d|%s\nwant %s|%d|…%s…", test.expression, e.Field, e.Position, e.Message, test.field, test.position, test.contains)
		}
		if test.field != "" && test.field != "weekday" && !strings.Contains(e.Message, "this field takes") {
			t.Errorf("ParseCron(%q): %q does not say what is allowed", test.expression, e.Message)
		}
	}
}

func TestCanonicalText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		expression, want string
		dialect          Dialect
	}{
		{" */5  08\t* jan mon-Fri ", "*/5 8 * JAN MON-FRI", Unix},
		{"@weekly", "0 0 * * 0", Unix},
		{"0 0 L,LW,L-3,L-3W,15w * *", "0 0 L,LW,L-3,L-3W,15W * *", Unix},
		{"0 0 0 ? * fril,2#5,L 2026/2", "0 0 0 ? * FRIL,2#5,SAT 2026/2", Quartz},
		{"0 0 22-2 ? * 5-5", "0 0 22-2 ? * 5", Quartz},
		{"0 0 L-0 * *", "0 0 L * *", Unix},
		{"0 0 * * 5-7", "0 0 * * 5-7", Unix},
		{"5-5/2 0 * * 7", "5-5/2 0 * * 7", Unix},
	}
	for _, test := range tests {
		cron := mustCron(t, test.expression)
		if cron.String() != test.want || cron.Dialect() != test.dialect {
			t.Errorf("%q is %s %q, want %s %q", test.expression, cron.Dialect(), cron, test.dialect, test.want)
		}
		checkReparse(t, cron)
	}
}

// checkReparse asserts that the canonical text means the same schedule.
func checkReparse(t testing.TB, cron *Cron) {
	t.Helper()
	again, err := ParseCron(cron.String(), "another seed")
	if err != nil {
		t.Fatalf("canonical %q: %v", cron, err)
	}
	if again.String() != cron.String() || !sameSchedule(again, cron) {
		t.Fatalf("canonical %q gives another schedule: %q", cron, again)
	}
}

func sameSchedule(a, b *Cron) bool {
	years := a.years == b.years || a.years != nil && b.years != nil && *a.years == *b.years
	return years && a.second == b.second && a.minute == b.minute && a.hour == b.hour && a.months == b.months &&
		a.days == b.days && a.everyDay == b.everyDay && a.interval == b.interval && a.never == b.never && a.dialect == b.dialect
}

func TestMacros(t *testing.T) {
	t.Parallel()
	for macro, fields := range macros {
		if !sameSchedule(mustCron(t, macro), mustCron(t, fields)) {
			t.Errorf("%s is not %s", macro, fields)
		}
	}
}

// TestInterval is R8: only * and / in second, minute or hour count.
func TestInterval(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]bool{
		"0 2 */2 */3 *": false, "0,30 1-9 * * *": false, "* 2 * * *": true, "0 * * * *": true, "0 0/12 * * *": true,
		"5-5/2 1 * * *": true, "*/30 0 2 * * ?": true, "0 0 2 * * ?": false, "H H(2-4) * * *": false, "H/30 2 * * *": true, "H(0-3)/9 2 * * *": true,
	} {
		if cron := mustCron(t, expression); cron.interval != want {
			t.Errorf("%q: interval is %v", expression, cron.interval)
		}
	}
}

// TestNever covers R13: no next run is an answer, and found quickly.
func TestNever(t *testing.T) {
	t.Parallel()
	for _, expression := range []string{
		"0 0 30 2 *", "0 0 0 31 4,6 ?", "0 0 0 29 2 ? 2098-2099", "0 0 0 29 2 ? 2027,2029-2031", "0 0 0 L-30 2,4 ?", "0 0 0 30W 2 ?", "0 0 0 L-29W 2 ? 2027",
	} {
		cron := mustCron(t, expression)
		if next, ok := cron.Next(time.Time{}, nil); !cron.Never() || ok {
			t.Errorf("%q: Never %v, Next %v", expression, cron.Never(), next)
		}
	}
	for _, expression := range []string{"0 0 0 29 2 ?", "0 0 0 L-30 3 ?", "0 0 29W 2 *", "0 0 30 2 MON", "0 0 0 1 1 ? 1970"} {
		if mustCron(t, expression).Never() {
			t.Errorf("%q: Never is true", expression)
		}
	}
}

// TestNextAtTheEdges: any instant may be asked for, and every answer can be
// stored and printed.
func TestNextAtTheEdges(t *testing.T) {
	t.Parallel()
	leap := mustCron(t, "0 0 0 29 2 ?")
	if next, ok := leap.Next(instant(t, "2096-03-01T00:00:00Z"), nil); !ok || next.Year() != 2104 {
		t.Errorf("after 2096: %v", next)
	}
	if next, ok := mustCron(t, "0 0 0 29 2 ? *").Next(instant(t, "2096-03-01T00:00:00Z"), nil); !ok || next.Year() != 2104 {
		t.Errorf("after 2096 with year *: %v", next)
	}
	hourly := mustCron(t, "@hourly")
	for _, after := range []time.Time{{}, time.Unix(-1<<60, 0), time.Unix(-1<<63, 0)} {
		if next, ok := hourly.Next(after, mustZone(t, "Europe/Berlin")); !ok || next.Year() != 1 || !next.After(after) {
			t.Errorf("after %d: %v %v", after.Unix(), next, ok)
		}
	}
	for _, after := range []time.Time{time.Unix(1<<60, 0), time.Unix(1<<63-1, 0), instant(t, "9998-12-31T23:59:00Z")} {
		if next, ok := hourly.Next(after, mustZone(t, "America/New_York")); ok {
			t.Errorf("after %v: %v", after, next)
		}
	}
}
