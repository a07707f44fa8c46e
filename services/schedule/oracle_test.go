package schedule

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The oracle shares nothing with the package: expressions are drawn as text
// together with a plain predicate, and fires are found by walking real time
// second by second or minute by minute with the rules R8 to R11 as written.

// drawn is one random field: its text and what it matches.
type drawn struct {
	text  string
	match func(value int) bool
}

// drawnDay is one random day or weekday field.
type drawnDay struct {
	text  string
	match func(date time.Time) bool
}

// drawnCron is a random expression with its meaning.
type drawnCron struct {
	text                              string
	second, minute, hour, month, year drawn
	day                               func(date time.Time) bool
	interval                          bool
}

func (d drawnCron) matches(wall time.Time) bool {
	return d.second.match(wall.Second()) && d.minute.match(wall.Minute()) && d.hour.match(wall.Hour()) && d.matchesDate(wall)
}

func (d drawnCron) matchesDate(wall time.Time) bool {
	return d.month.match(int(wall.Month())) && d.year.match(wall.Year()) && d.day(wall)
}

// drawSpans draws a list of plain entries over low-high, with values near
// those in likely.
func drawSpans(t *rapid.T, label string, low, high int, wraps bool, likely ...int) drawn {
	value := rapid.OneOf(rapid.IntRange(low, high), rapid.SampledFrom(append(likely, low, high)))
	var texts []string
	var sets []map[int]bool
	for range rapid.IntRange(1, 3).Draw(t, label+" entries") {
		text, set := drawSpan(t, label, low, high, wraps, value)
		texts, sets = append(texts, text), append(sets, set)
	}
	return drawn{strings.Join(texts, ","), func(v int) bool {
		return slices.ContainsFunc(sets, func(set map[int]bool) bool { return set[v] })
	}}
}

func drawSpan(t *rapid.T, label string, low, high int, wraps bool, value *rapid.Generator[int]) (string, map[int]bool) {
	a, b := value.Draw(t, label+" a"), value.Draw(t, label+" b")
	if a > b && !wraps {
		a, b = b, a
	}
	step := rapid.OneOf(rapid.IntRange(1, min(high, 200)), rapid.IntRange(1, 5)).Draw(t, label+" step")
	text, from, to := "", a, b
	switch kind := rapid.IntRange(0, 5).Draw(t, label+" form"); kind {
	case 0:
		text, step, to = fmt.Sprint(a), 1, a
	case 1:
		text, step = fmt.Sprintf("%d-%d", a, b), 1
	case 2:
		text = fmt.Sprintf("%d-%d/%d", a, b, step)
	case 3:
		text, to = fmt.Sprintf("%d/%d", a, step), high
	case 4:
		text, from, to = fmt.Sprintf("*/%d", step), low, high
	case 5:
		text, from, to, step = "*", low, high, 1
	}
	set := map[int]bool{}
	for v, n := from, 0; ; v, n = v+1, n+1 {
		if v > high {
			v = low
		}
		if n%step == 0 {
			set[v] = true
		}
		if v == to {
			return text, set
		}
	}
}

func fixed(text string, values ...int) drawn {
	return drawn{text, func(v int) bool { return slices.Contains(values, v) }}
}

var always = drawn{"*", func(int) bool { return true }}

// drawTime draws second, minute and hour so that small hours, where clocks
// change, are likely and plain values common.
func drawTime(t *rapid.T, quartz bool) (second, minute, hour drawn) {
	second = fixed("0", 0)
	if quartz && rapid.IntRange(0, 4).Draw(t, "seconds") == 0 {
		second = drawSpans(t, "second", 0, 59, true)
	}
	minute, hour = always, always
	switch rapid.IntRange(0, 3).Draw(t, "minutes") {
	case 0:
		m := rapid.IntRange(0, 59).Draw(t, "minute")
		minute = fixed(fmt.Sprint(m), m)
	case 1, 2:
		minute = drawSpans(t, "minute", 0, 59, quartz, 0, 30)
	}
	switch rapid.IntRange(0, 3).Draw(t, "hours") {
	case 0:
		h := rapid.IntRange(0, 4).Draw(t, "hour")
		hour = fixed(fmt.Sprint(h), h)
	case 1, 2:
		hour = drawSpans(t, "hour", 0, 23, quartz, 0, 1, 2, 3)
	}
	return second, minute, hour
}

// drawCron draws an expression. dates: how many of ten expressions restrict
// their dates.
func drawCron(t *rapid.T, dates int) drawnCron {
	quartz := rapid.Bool().Draw(t, "quartz")
	d := drawnCron{month: always, year: always}
	d.second, d.minute, d.hour = drawTime(t, quartz)
	day, weekday := "*", "*"
	d.day = func(time.Time) bool { return true }
	if rapid.IntRange(0, 9).Draw(t, "dates") < dates {
		day, weekday, d.day = drawDays(t, quartz)
		if rapid.Bool().Draw(t, "months") {
			d.month = drawSpans(t, "month", 1, 12, quartz)
		}
	}
	fields := []string{d.minute.text, d.hour.text, day, d.month.text, weekday}
	if quartz {
		fields = append([]string{d.second.text}, fields...)
		if dates > 0 && rapid.IntRange(0, 3).Draw(t, "years") == 0 {
			d.year = drawSpans(t, "year", 1970, 2099, false, 2026, 2030)
			if slices.Contains(strings.Split(d.year.text, ","), "*") {
				d.year.match = always.match // also beyond 2099 and before 1970
			}
			fields = append(fields, d.year.text)
		}
	}
	d.text = strings.Join(fields, " ")
	d.interval = strings.ContainsAny(d.second.text+d.minute.text+d.hour.text, "*/")
	return d
}

// drawDays draws the day and the weekday field and joins them by R3 and R4.
func drawDays(t *rapid.T, quartz bool) (day, weekday string, match func(time.Time) bool) {
	days, weekdays := drawDayField(t, quartz), drawWeekdayField(t, quartz)
	if !quartz {
		if strings.HasPrefix(days.text, "*") || strings.HasPrefix(weekdays.text, "*") {
			return days.text, weekdays.text, func(d time.Time) bool { return days.match(d) && weekdays.match(d) }
		}
		return days.text, weekdays.text, func(d time.Time) bool { return days.match(d) || weekdays.match(d) }
	}
	open := rapid.SampledFrom([]string{"*", "?"}).Draw(t, "open day field")
	if rapid.Bool().Draw(t, "by weekday") {
		return open, weekdays.text, weekdays.match
	}
	return days.text, open, days.match
}

func drawDayField(t *rapid.T, quartz bool) drawnDay {
	var texts []string
	var matches []func(time.Time) bool
	for range rapid.IntRange(1, 2).Draw(t, "day forms") {
		n := rapid.IntRange(1, 31).Draw(t, "day")
		off := rapid.IntRange(0, 30).Draw(t, "days before last")
		switch rapid.IntRange(0, 5).Draw(t, "day form") {
		case 0:
			texts = append(texts, "L")
			matches = append(matches, func(d time.Time) bool { return d.Day() == lastDayOf(d) })
		case 1:
			texts = append(texts, fmt.Sprintf("L-%d", off))
			matches = append(matches, func(d time.Time) bool { return d.Day() == lastDayOf(d)-off })
		case 2:
			texts = append(texts, fmt.Sprintf("%dW", n))
			matches = append(matches, func(d time.Time) bool { return d.Day() == nearestWorkday(d, n) })
		case 3:
			texts = append(texts, "LW")
			matches = append(matches, func(d time.Time) bool { return d.Day() == nearestWorkday(d, lastDayOf(d)) })
		case 4:
			texts = append(texts, fmt.Sprintf("L-%dW", off))
			matches = append(matches, func(d time.Time) bool { return d.Day() == nearestWorkday(d, lastDayOf(d)-off) })
		case 5:
			plain := drawSpans(t, "day", 1, 31, quartz)
			texts = append(texts, plain.text)
			matches = append(matches, func(d time.Time) bool { return plain.match(d.Day()) })
		}
	}
	return drawnDay{strings.Join(texts, ","), anyOf(matches)}
}

func drawWeekdayField(t *rapid.T, quartz bool) drawnDay {
	low, high := 0, 7
	if quartz {
		low = 1
	}
	names := []string{"sun", "Mon", "TUE", "wEd", "THU", "FRI", "SAT"}
	var texts []string
	var matches []func(time.Time) bool
	for range rapid.IntRange(1, 2).Draw(t, "weekday forms") {
		n := rapid.IntRange(low, high).Draw(t, "weekday")
		k := rapid.IntRange(1, 5).Draw(t, "which")
		text := fmt.Sprint(n)
		if rapid.Bool().Draw(t, "by name") {
			text = names[(n-low)%7]
		}
		is := func(d time.Time) bool { return int(d.Weekday()) == (n-low)%7 }
		switch rapid.IntRange(0, 3).Draw(t, "weekday form") {
		case 0:
			texts = append(texts, text)
			matches = append(matches, is)
		case 1:
			texts = append(texts, text+"L")
			matches = append(matches, func(d time.Time) bool { return is(d) && d.AddDate(0, 0, 7).Month() != d.Month() })
		case 2:
			texts = append(texts, fmt.Sprintf("%s#%d", text, k))
			matches = append(matches, func(d time.Time) bool {
				return is(d) && d.AddDate(0, 0, -7*(k-1)).Month() == d.Month() && d.AddDate(0, 0, -7*k).Month() != d.Month()
			})
		case 3:
			plain := drawSpans(t, "weekday", low, high, quartz)
			texts = append(texts, plain.text)
			matches = append(matches, func(d time.Time) bool {
				w := int(d.Weekday())
				return plain.match(w+low) || !quartz && w == 0 && plain.match(7)
			})
		}
	}
	return drawnDay{strings.Join(texts, ","), anyOf(matches)}
}

func anyOf(matches []func(time.Time) bool) func(time.Time) bool {
	return func(d time.Time) bool {
		return slices.ContainsFunc(matches, func(match func(time.Time) bool) bool { return match(d) })
	}
}

func lastDayOf(d time.Time) int {
	return time.Date(d.Year(), d.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// nearestWorkday is the Monday-to-Friday day of d's month closest to day n, 0
// if the month has no day n.
func nearestWorkday(d time.Time, n int) int {
	best, distance := 0, 99
	if n < 1 || n > lastDayOf(d) {
		return 0
	}
	for day := 1; day <= lastDayOf(d); day++ {
		w := time.Date(d.Year(), d.Month(), day, 0, 0, 0, 0, time.UTC).Weekday()
		if away := max(day-n, n-day); w != time.Saturday && w != time.Sunday && away < distance {
			best, distance = day, away
		}
	}
	return best
}

// TestDatesAgainstWalk compares the dates of random expressions with a walk
// over every day of a dozen years.
func TestDatesAgainstWalk(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := drawCron(t, 10)
		cron, err := ParseCron(d.text, "")
		if err != nil {
			t.Fatalf("%q: %v", d.text, err)
		}
		start := time.Date(rapid.IntRange(1960, 2110).Draw(t, "from"), 1, 1, 0, 0, 0, 0, time.UTC)
		end := start.AddDate(12, 0, 0)
		var want, got []string
		for date := start; date.Before(end); date = date.AddDate(0, 0, 1) {
			if d.matchesDate(date) {
				want = append(want, date.Format(time.DateOnly))
			}
		}
		for at := start.Add(-time.Second); ; {
			next, ok := cron.Next(at, time.UTC)
			if !ok || !next.Before(end) {
				break
			}
			got = append(got, next.Format(time.DateOnly))
			at = next.Truncate(24 * time.Hour).Add(24*time.Hour - time.Second)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q from %s: -want +got:\n%s", d.text, start, diff)
		}
		if cron.Never() && len(want) > 0 {
			t.Fatalf("%q: Never is true", d.text)
		}
	})
}
