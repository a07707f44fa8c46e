package calendar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// What is read of iCalendar (RFC 5545): all-day events, DTSTART with a date and
// DTEND or DURATION; yearly repetition on the same date or on the n-th weekday of a
// month, with INTERVAL, COUNT, UNTIL and EXDATE, for the years about now. Events
// with a time of day and cancelled ones are no holidays. A working day that makes up
// for a holiday is known by Apple's X-APPLE-SPECIAL-DAY or by 班 in the summary, as
// the Chinese lists have it.

const (
	yearsBack  = 1 // repeated events are written out from so many years before now
	yearsAhead = 5 // … to so many after
)

// event is what an event says of interest.
type event struct {
	line               int // of its BEGIN
	summary            string
	start, end         string // dates; end is exclusive, may be empty
	duration           string
	rule               string
	except             []string
	timed, off, worked bool
}

// parseICS reads the all-day events. year is the present one. Faults: INVALID.
func parseICS(text string, year int) ([]models.CalendarDay, error) {
	var days []models.CalendarDay
	var wrong fault.List
	for _, e := range events(text) {
		more, problem := e.days(year)
		if problem != "" {
			wrong.Add(fault.At("text", fault.Invalid, "The event %s in line %d: %s.", check.Quote(e.summary), e.line, problem))
			if len(wrong) == mostProblems {
				break
			}
		}
		if days = append(days, more...); len(days) > mostRead {
			return nil, tooMany()
		}
	}
	return days, wrong.Err()
}

// events finds the events and their properties; those of parts within an event,
// such as alarms, are left out.
func events(text string) []event {
	var found []event
	depth := 0 // of parts within the event; 0: outside of one
	for _, l := range unfold(text) {
		name, value := property(l.text)
		switch {
		case name == "BEGIN" && depth == 0:
			if strings.EqualFold(value, "VEVENT") {
				found, depth = append(found, event{line: l.number}), 1
			}
		case name == "BEGIN":
			depth++
		case name == "END" && depth > 0:
			depth--
		case depth == 1:
			found[len(found)-1].set(name, value)
		}
	}
	return found
}

// contentLine is a line after unfolding, with the number of its first piece.
type contentLine struct {
	number int
	text   string
}

// unfold joins lines that were folded: a line that begins with a blank goes on with
// the one before.
func unfold(text string) []contentLine {
	var lines []contentLine
	var open strings.Builder
	flush := func() {
		if n := len(lines) - 1; n >= 0 {
			lines[n].text += open.String()
		}
		open.Reset()
	}
	number := 0
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") {
		number++
		line = strings.TrimSuffix(line, "\r")
		if len(line) > 0 && (line[0] == ' ' || line[0] == '\t') && len(lines) > 0 {
			open.WriteString(line[1:])
			continue
		}
		flush()
		lines = append(lines, contentLine{number, line})
	}
	flush()
	return lines
}

// property splits NAME;PARAM=…:value; parameters tell nothing that the value does
// not. A colon within quotes belongs to a parameter.
func property(line string) (name, value string) {
	quoted := false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == ':' && !quoted:
			name, _, _ = strings.Cut(line[:i], ";")
			return strings.ToUpper(strings.TrimSpace(name)), strings.TrimSpace(line[i+1:])
		}
	}
	return "", ""
}

var unescape = strings.NewReplacer(`\\`, `\`, `\,`, ",", `\;`, ";", `\n`, " ", `\N`, " ")

func (e *event) set(name, value string) {
	switch name {
	case "SUMMARY":
		e.summary = cutName(unescape.Replace(value))
		e.worked = e.worked || workSummary(e.summary)
	case "DTSTART":
		e.start, e.timed = date(value), e.timed || len(value) != len("20261001")
	case "DTEND":
		e.end = date(value)
	case "DURATION":
		e.duration = value
	case "RRULE":
		e.rule = strings.ToUpper(value)
	case "EXDATE":
		for v := range strings.SplitSeq(value, ",") {
			e.except = append(e.except, date(v))
		}
	case "STATUS":
		e.off = e.off || strings.EqualFold(value, "CANCELLED")
	case "X-APPLE-SPECIAL-DAY":
		e.worked = e.worked || strings.EqualFold(value, "ALTERNATE-WORKDAY")
	}
}

// workSummary knows the make-up days of Chinese lists: 国庆节（班）, 春节补班.
func workSummary(s string) bool {
	for _, mark := range []string{"（班）", "(班)", "补班", "调休上班", "上班日"} {
		if strings.Contains(s, mark) {
			return true
		}
	}
	return false
}

// date rewrites 20261001 or 20261001T… as 2026-10-01; anything else is empty.
func date(value string) string {
	if len(value) < 8 {
		return ""
	}
	text := value[:4] + "-" + value[4:6] + "-" + value[6:8]
	if schedule.CheckDate(text) != nil {
		return ""
	}
	return text
}

// days writes an event out.
func (e *event) days(year int) (days []models.CalendarDay, problem string) {
	if e.timed && e.start != "" || e.off {
		return nil, ""
	}
	if e.start == "" {
		return nil, "DTSTART is no date from " + schedule.FirstCalendarDay + " to " + schedule.LastCalendarDay
	}
	length, problem := e.length()
	if problem != "" {
		return nil, problem
	}
	starts := []string{e.start}
	if e.rule != "" {
		if starts, problem = e.repeated(year); problem != "" {
			return nil, problem
		}
	}
	day := models.CalendarDay{Kind: models.DayRest, Name: e.summary}
	if e.worked {
		day.Kind = models.DayWork
	}
	for _, start := range starts {
		if slices.Contains(e.except, start) {
			continue
		}
		first, err := time.Parse(time.DateOnly, start)
		if err != nil {
			continue
		}
		last := first.AddDate(0, 0, length-1).Format(time.DateOnly)
		more, problem := daysFrom(start, last, day)
		if problem != "" {
			return nil, problem
		}
		days = append(days, more...)
	}
	return days, ""
}

// length is how many days an event lasts.
func (e *event) length() (n int, problem string) {
	switch {
	case e.end != "":
		first, errFirst := time.Parse(time.DateOnly, e.start)
		last, errLast := time.Parse(time.DateOnly, e.end)
		if errFirst != nil || errLast != nil || last.Before(first) {
			return 0, "DTEND is before DTSTART"
		}
		n = max(int(last.Sub(first)/(24*time.Hour)), 1) // some write the same date twice
	case e.duration != "":
		if n = durationDays(e.duration); n == 0 {
			return 0, fmt.Sprintf("DURATION %s is not in days or weeks", check.Quote(e.duration))
		}
	default:
		n = 1
	}
	if n > longestRange {
		return 0, "it lasts longer than a year; split it"
	}
	return n, ""
}

// durationDays reads P3D and P1W; anything else is 0.
func durationDays(text string) int {
	text = strings.TrimPrefix(strings.TrimPrefix(strings.ToUpper(text), "+"), "P")
	if len(text) < 2 || len(text) > 5 {
		return 0
	}
	n, err := strconv.Atoi(text[:len(text)-1])
	if err != nil || n < 1 {
		return 0
	}
	switch text[len(text)-1] {
	case 'D':
		return n
	case 'W':
		return 7 * n
	}
	return 0
}
