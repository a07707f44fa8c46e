package calendar

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// recurrence is a yearly repetition.
type recurrence struct {
	interval, count int    // count 0: without end
	until           string // date; empty: without end
	month, day      int    // of each year; month 0: the start's
	nth             int    // 1 to 5, or -1 for the last; 0: by the day
	weekday         time.Weekday
}

// repeated lists the dates of a repeated event from some years before the present
// one to some after.
func (e *event) repeated(year int) (starts []string, problem string) {
	start, err := time.Parse(time.DateOnly, e.start)
	if err != nil {
		return nil, "DTSTART is no date"
	}
	r, problem := parseRecurrence(e.rule, start)
	if problem != "" {
		return nil, problem
	}
	last := year + yearsAhead
	for n, at := 0, start.Year(); at <= last; at += r.interval {
		date, ok := r.in(at)
		if !ok || date < e.start {
			continue
		}
		if n++; r.count > 0 && n > r.count || r.until != "" && date > r.until {
			break
		}
		if at >= year-yearsBack && schedule.CheckDate(date) == nil {
			starts = append(starts, date)
		}
	}
	return starts, ""
}

// parseRecurrence reads an RRULE. A rule that it does not understand is refused
// rather than read as another.
func parseRecurrence(rule string, start time.Time) (r recurrence, problem string) {
	r = recurrence{interval: 1, month: int(start.Month()), day: start.Day()}
	refuse := func() (recurrence, string) {
		return r, fmt.Sprintf("the repetition %s is not understood, only yearly ones are; write its dates out", check.Quote(rule))
	}
	yearly := false
	for part := range strings.SplitSeq(rule, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		ok := true
		switch name {
		case "FREQ":
			yearly = value == "YEARLY"
		case "INTERVAL":
			r.interval, ok = number(value, 100)
		case "COUNT":
			r.count, ok = number(value, 10_000)
		case "UNTIL":
			r.until = date(value)
			ok = r.until != ""
		case "BYMONTH":
			r.month, ok = number(value, 12)
		case "BYMONTHDAY":
			r.day, ok = number(value, 31)
		case "BYDAY":
			r.nth, r.weekday, ok = nthWeekday(value)
		case "WKST", "":
		default:
			ok = false
		}
		if !ok {
			return refuse()
		}
	}
	if !yearly {
		return refuse()
	}
	return r, ""
}

func number(text string, most int) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 1 && n <= most
}

// nthWeekday reads 4TH or -1MO.
func nthWeekday(text string) (nth int, day time.Weekday, ok bool) {
	if len(text) < 3 {
		return 0, 0, false
	}
	at := strings.Index("SUMOTUWETHFRSA", text[len(text)-2:])
	nth, err := strconv.Atoi(text[:len(text)-2])
	if at < 0 || at%2 != 0 || err != nil || nth != -1 && (nth < 1 || nth > 5) {
		return 0, 0, false
	}
	return nth, time.Weekday(at / 2), true
}

// in is the date within a year, if it has one.
func (r recurrence) in(year int) (string, bool) {
	day := r.day
	first := time.Date(year, time.Month(r.month), 1, 0, 0, 0, 0, time.UTC)
	switch {
	case r.nth > 0:
		day = 1 + (int(r.weekday)-int(first.Weekday())+7)%7 + 7*(r.nth-1)
	case r.nth < 0:
		last := first.AddDate(0, 1, -1)
		day = last.Day() - (int(last.Weekday())-int(r.weekday)+7)%7
	}
	at := first.AddDate(0, 0, day-1)
	return at.Format(time.DateOnly), at.Month() == first.Month()
}
