package schedule

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func mustCalendar(t testing.TB, spec CalendarSpec) *Calendar {
	t.Helper()
	c, err := NewCalendar(spec)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var weekend = []time.Weekday{time.Saturday, time.Sunday}

// golden is the golden week of 2026 with its make-up days, as China had it.
func golden() CalendarSpec {
	spec := CalendarSpec{Name: "china", RestDays: weekend}
	for day := 1; day <= 7; day++ {
		spec.Days = append(spec.Days, CalendarDay{Date: "2026-10-0" + string(rune('0'+day)), Name: "国庆节"})
	}
	spec.Days = append(spec.Days, CalendarDay{Date: "2026-09-20", Work: true, Name: "补班"}, CalendarDay{Date: "2026-10-10", Work: true, Name: "补班"})
	return spec
}

func firesOf(t *testing.T, trigger *Trigger, after string, count int) []string {
	t.Helper()
	var list []string
	for _, at := range trigger.Preview(instant(t, after), count) {
		list = append(list, at.In(trigger.Zone()).Format("Mon 01-02 15:04"))
	}
	return list
}

func TestGoldenWeek(t *testing.T) {
	t.Parallel()
	night := QuietWindow{From: 22 * 60, To: 6 * 60, Rule: QuietDelay}
	noon := QuietWindow{Days: []time.Weekday{time.Thursday}, From: 11 * 60, To: 13 * 60, Rule: QuietSkip}
	for name, tt := range map[string]struct {
		expression string
		rule       RestRule
		quiet      []QuietWindow
		want       []string
	}{
		"left out":       {"0 9 * * *", RestSkip, nil, []string{"Wed 09-30 09:00", "Thu 10-08 09:00", "Fri 10-09 09:00", "Sat 10-10 09:00", "Mon 10-12 09:00"}},
		"the day after":  {"0 9 1,4 * *", RestNext, nil, []string{"Thu 10-08 09:00", "Mon 11-02 09:00", "Wed 11-04 09:00", "Tue 12-01 09:00", "Fri 12-04 09:00"}},
		"the day before": {"0 9 1,4 * *", RestPrevious, nil, []string{"Wed 09-30 09:00", "Fri 10-30 09:00", "Wed 11-04 09:00", "Tue 12-01 09:00", "Fri 12-04 09:00"}},
		"put off": {
			"0 23 * * *", RestSkip,
			[]QuietWindow{night},
			[]string{"Wed 09-30 06:00", "Thu 10-01 06:00", "Fri 10-09 06:00", "Sat 10-10 06:00", "Sun 10-11 06:00"},
		},
		"several put off are one": {
			"*/20 0-6 * * *", RestSkip,
			[]QuietWindow{night},
			[]string{"Wed 09-30 06:00", "Wed 09-30 06:20", "Wed 09-30 06:40", "Thu 10-08 06:00", "Thu 10-08 06:20"},
		},
		"quiet after the moving": {
			"0 12 4 * *", RestNext, []QuietWindow{noon}, []string{"Wed 11-04 12:00", "Fri 12-04 12:00", "Mon 01-04 12:00", "Mon 04-05 12:00", "Tue 05-04 12:00"},
		},
	} {
		spec := golden()
		spec.Quiet = tt.quiet
		trigger := mustCompile(t, Spec{Kind: KindCron, Expression: tt.expression, Zone: "Asia/Shanghai", Calendar: mustCalendar(t, spec), OnRestDay: tt.rule})
		if diff := cmp.Diff(tt.want, firesOf(t, trigger, "2026-09-29T16:00:00Z", 5)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A moved fire is at its own time of day on the new date, whatever the clocks do
// there; the time that a gap put off on the rest day is the named one again.
func TestMovedOverClockChanges(t *testing.T) {
	t.Parallel()
	sundays := mustCalendar(t, CalendarSpec{RestDays: []time.Weekday{time.Sunday}})
	friday := mustCalendar(t, CalendarSpec{RestDays: []time.Weekday{time.Thursday}})
	for name, tt := range map[string]struct {
		spec  Spec
		after string
		want  string
	}{
		"from a day with a gap": {Spec{Expression: "30 2 * * SUN", Zone: "Europe/Berlin", Calendar: sundays}, "2026-03-28T12:00:00Z", "2026-03-30T02:30:00+02:00"},
		"into a gap":            {Spec{Expression: "30 0 * * THU", Zone: "Africa/Cairo", Calendar: friday}, "2026-04-22T12:00:00Z", "2026-04-24T01:00:00+03:00"},
		"into a repeated hour":  {Spec{Expression: "30 23 * * WED", Zone: "Africa/Cairo", Calendar: mustCalendar(t, CalendarSpec{RestDays: []time.Weekday{time.Wednesday}})}, "2026-10-27T12:00:00Z", "2026-10-29T23:30:00+03:00"},
	} {
		tt.spec.Kind, tt.spec.OnRestDay = KindCron, RestNext
		trigger := mustCompile(t, tt.spec)
		next, _ := trigger.Next(instant(t, tt.after))
		if got := next.In(trigger.Zone()).Format(time.RFC3339); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestCalendarErrors(t *testing.T) {
	t.Parallel()
	window := QuietWindow{From: 0, To: 60, Rule: QuietSkip}
	for field, spec := range map[string]CalendarSpec{
		"days.0.date":         {Days: []CalendarDay{{Date: "2026-02-30"}}},
		"days.1.date":         {Days: []CalendarDay{{Date: "2026-02-01"}, {Date: "2026-02-01"}}},
		"days":                {Days: make([]CalendarDay, MaxCalendarDays+1)},
		"restDays":            {RestDays: everyWeekday, Days: []CalendarDay{{Date: "2026-02-01"}}},
		"quietWindows":        {Quiet: slices.Repeat([]QuietWindow{window}, MaxQuietWindows+1)},
		"quietWindows.0.to":   {Quiet: []QuietWindow{{To: dayMinutes, Rule: QuietSkip}}},
		"quietWindows.0.rule": {Quiet: []QuietWindow{{To: 1}}},
	} {
		_, err := NewCalendar(spec)
		e, ok := errors.AsType[*CalendarError](err)
		if !ok || e.Field != field || e.Message == "" {
			t.Errorf("%s: %v", field, err)
		}
	}
	for field, spec := range map[string]Spec{
		"calendar":  {Kind: KindManual, Calendar: mustCalendar(t, golden())},
		"onRestDay": {Kind: KindCron, Expression: "* * * * *", OnRestDay: RestNext},
	} {
		_, err := Compile(spec, "")
		if e, ok := errors.AsType[*SpecError](err); !ok || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// Calendars that take everything out answer so at once, the dearest ones too.
func TestNeverIsFound(t *testing.T) {
	t.Parallel()
	skip := func(from, to int) QuietWindow { return QuietWindow{From: from, To: to, Rule: QuietSkip} }
	var slots []QuietWindow
	for hour := range MaxQuietWindows {
		slots = append(slots, skip(hour*60, hour*60+1))
	}
	var decade []CalendarDay
	for day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); len(decade) < MaxCalendarDays; day = day.AddDate(0, 0, 1) {
		decade = append(decade, CalendarDay{Date: day.Format(time.DateOnly)})
	}
	for name, tt := range map[string]struct {
		expression string
		spec       CalendarSpec
	}{
		"weekends on weekends":      {"* * * * SAT,SUN", CalendarSpec{RestDays: weekend}},
		"every second of a weekend": {"* * * * * ? *", CalendarSpec{RestDays: everyWeekday, Days: []CalendarDay{{Date: "2020-01-01", Work: true}}}},
		"a quiet time of day":       {"0 2 * * *", CalendarSpec{Quiet: []QuietWindow{skip(60, 240)}}},
		"every hour quiet":          {"0 0-9 * * *", CalendarSpec{Quiet: slots}},
		"the whole week":            {"* * * * *", CalendarSpec{Quiet: []QuietWindow{skip(0, 0)}}},
		"put off into silence":      {"* * * * *", CalendarSpec{Quiet: []QuietWindow{skip(0, 720), {From: 720, To: 0, Rule: QuietDelay}}}},
		"put off for ever":          {"* * * * *", CalendarSpec{Quiet: []QuietWindow{{From: 0, To: 0, Rule: QuietDelay}}}},
		"its only year":             {"0 0 0 * * ? 2027", CalendarSpec{Days: decade}},
	} {
		trigger := mustCompile(t, Spec{Kind: KindCron, Expression: tt.expression, Zone: "America/New_York", Calendar: mustCalendar(t, tt.spec)})
		began := time.Now() //nolint:forbidigo // the time it takes is what is tested
		next, ok := trigger.Next(instant(t, "2026-03-01T00:00:00Z"))
		took := time.Since(began) //nolint:forbidigo // see above
		if ok || !trigger.TakesAll(instant(t, "2026-03-01T00:00:00Z")) {
			t.Errorf("%s: it fires at %s", name, next)
		}
		t.Logf("%s: %s", name, took)
		if took > time.Second { // some 50 ms; the machine may be busy
			t.Errorf("%s took %s", name, took)
		}
	}
}

// With a calendar, too, one step allocates nothing once the zone is known.
func TestCalendarStepsAreCheap(t *testing.T) {
	trigger := mustCompile(t, Spec{Kind: KindCron, Expression: "*/5 * * * *", Zone: "Asia/Shanghai", Calendar: mustCalendar(t, golden()), OnRestDay: RestNext})
	at := instant(t, "2026-09-29T16:00:00Z")
	if n := testing.AllocsPerRun(1000, func() { at, _ = trigger.Next(at) }); n > 0.5 {
		t.Errorf("%.1f allocations a step", n)
	}
}

func BenchmarkCalendarNext(b *testing.B) {
	spec := golden()
	quiet := spec
	quiet.Quiet = []QuietWindow{{From: 22 * 60, To: 6 * 60, Rule: QuietDelay}}
	for name, s := range map[string]Spec{
		"none":  {Expression: "*/5 * * * *"},
		"skip":  {Expression: "*/5 * * * *", Calendar: mustCalendar(b, spec)},
		"moved": {Expression: "*/5 * * * *", Calendar: mustCalendar(b, spec), OnRestDay: RestNext},
		"quiet": {Expression: "*/5 * * * *", Calendar: mustCalendar(b, quiet), OnRestDay: RestNext},
		"daily": {Expression: "0 2 * * *", Calendar: mustCalendar(b, quiet), OnRestDay: RestPrevious},
	} {
		b.Run(name, func(b *testing.B) {
			s.Kind, s.Zone = KindCron, "Asia/Shanghai"
			trigger, err := Compile(s, "")
			if err != nil {
				b.Fatal(err)
			}
			start := time.Date(2026, 9, 29, 16, 0, 0, 0, time.UTC)
			at := start
			for b.Loop() {
				if at, _ = trigger.Next(at); at.Year() > 2027 {
					at = start
				}
			}
		})
	}
}

func TestCalendarWords(t *testing.T) {
	t.Parallel()
	spec := golden()
	spec.Quiet = []QuietWindow{{From: 60, To: 120, Rule: QuietDelay}}
	for rule, want := range map[RestRule][2]string{
		RestSkip:     {`except on rest days of the calendar "china"`, "日历“china”的休息日除外"},
		RestNext:     {"on the next working day instead", "顺延至下一个工作日"},
		RestPrevious: {"on the working day before instead", "提前至上一个工作日"},
	} {
		trigger := mustCompile(t, Spec{Kind: KindCron, Expression: "0 9 * * *", Zone: "Asia/Shanghai", Calendar: mustCalendar(t, spec), OnRestDay: rule})
		english, chinese := trigger.Describe(English), trigger.Describe(Chinese)
		if !strings.Contains(english, want[0]) || !strings.Contains(chinese, want[1]) || !strings.Contains(english, "quiet") || !strings.Contains(chinese, "静默") {
			t.Errorf("%s:\n%s\n%s", rule, english, chinese)
		}
	}
	trigger := mustCompile(t, Spec{Kind: KindCron, Expression: "0 9 3 10 *", Calendar: mustCalendar(t, golden())})
	for after, want := range map[string][]string{
		"2026-06-01T00:00:00Z": {"takes out every fire of the coming year", "排除了未来一年内的所有触发"},
		"2026-12-01T00:00:00Z": {"has no dates after 2026-10-10", "在 2026-10-10 之后没有日期"},
	} {
		for i, lang := range []Lang{English, Chinese} {
			if got := strings.Join(trigger.Warnings(instant(t, after), lang), "\n"); !strings.Contains(got, want[i]) {
				t.Errorf("%s: warnings %q lack %q", after, got, want[i])
			}
		}
	}
	never := mustCompile(t, Spec{Kind: KindCron, Expression: "0 9 * * SUN", Calendar: mustCalendar(t, CalendarSpec{Name: "c", RestDays: weekend})})
	if got := never.Warnings(instant(t, "2026-06-01T00:00:00Z"), English); len(got) != 1 || !strings.Contains(got[0], `"c" takes out every fire`) {
		t.Errorf("warnings %q", got)
	}
}

// The list of what was taken out or moved says where it went, and in words why.
func TestExcluded(t *testing.T) {
	t.Parallel()
	spec := golden()
	spec.Quiet = []QuietWindow{{From: 8 * 60, To: 10 * 60, Rule: QuietDelay, Days: []time.Weekday{time.Thursday}}}
	trigger := mustCompile(t, Spec{Kind: KindCron, Expression: "0 9 * * *", Calendar: mustCalendar(t, spec), OnRestDay: RestNext})
	got := trigger.Excluded(instant(t, "2026-09-30T12:00:00Z"), instant(t, "2026-10-15T12:00:00Z"), 100)
	var list []string
	for _, e := range got {
		list = append(list, e.At.Format("01-02 ")+string(e.Reason)+" "+e.MovedTo.Format("01-02 15:04"))
	}
	want := []string{
		"10-01 CALENDAR_REST_DAY 10-08 10:00", "10-02 CALENDAR_REST_DAY 10-08 10:00", "10-03 CALENDAR_REST_DAY 10-08 10:00",
		"10-04 CALENDAR_REST_DAY 10-08 10:00", "10-05 CALENDAR_REST_DAY 10-08 10:00", "10-06 CALENDAR_REST_DAY 10-08 10:00",
		"10-07 CALENDAR_REST_DAY 10-08 10:00", "10-08 CALENDAR_QUIET 10-08 10:00", "10-11 CALENDAR_REST_DAY 10-12 09:00",
		"10-15 CALENDAR_QUIET 10-15 10:00",
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := len(trigger.Excluded(instant(t, "2026-09-30T12:00:00Z"), instant(t, "2026-10-15T12:00:00Z"), 3)); n != 3 {
		t.Errorf("%d of at most 3", n)
	}
	for i, lang := range []Lang{English, Chinese} {
		if want := []string{`rest day of the calendar "china"`, "日历“china”的休息日"}[i]; !strings.Contains(got[0].Message("china", lang), want) {
			t.Errorf("%q", got[0].Message("china", lang))
		}
	}
}

// What lies outside of the trigger's bounds would not have fired anyway.
func TestExcludedKeepsToTheBounds(t *testing.T) {
	t.Parallel()
	trigger := mustCompile(t, Spec{
		Kind: KindCron, Expression: "0 9 * * *", Calendar: mustCalendar(t, golden()),
		StartAt: instant(t, "2026-10-03T00:00:00Z"), EndAt: instant(t, "2026-10-05T09:00:00Z"),
	})
	after, upTo := instant(t, "2026-09-01T00:00:00Z"), instant(t, "2026-12-01T00:00:00Z")
	if list := trigger.Excluded(after, upTo, 100); len(list) != 3 || !list[0].At.Equal(instant(t, "2026-10-03T09:00:00Z")) {
		t.Errorf("excluded %+v", list)
	}
	if missed := trigger.TakenOut(after, upTo); len(missed) != 1 || missed[0].Count != 3 {
		t.Errorf("taken out %+v", missed)
	}
}
