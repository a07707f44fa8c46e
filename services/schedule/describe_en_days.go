package schedule

import (
	"fmt"
	"time"
)

// days describes the day, month and weekday fields.
func (w englishWords) days() string {
	day, weekday := w.fields[fieldDay], w.fields[fieldWeekday]
	if month, day, ok := w.oneDate(); ok {
		return fmt.Sprintf(" on %d %s", day, time.Month(month))
	}
	switch {
	case day.free() && weekday.free():
		return w.everyDay()
	case weekday.free():
		return " on " + plural(w.dayParts()) + w.of()
	case day.free():
		if items := weekday.items; len(items) == 1 && items[0].form == formSpan && items[0].low != items[0].high && items[0].step == 0 {
			return " from " + plural(w.weekdayParts(true))
		}
		return " on " + plural(w.weekdayParts(true))
	case day.starred() || weekday.starred():
		return " on " + plural(w.dayParts()) + w.of() + ", only when that is " + plural(w.weekdayParts(false))
	}
	return " on " + plural(w.dayParts()) + w.of() + " and also on " + plural(w.weekdayParts(true))
}

func (w englishWords) everyDay() string {
	months := ""
	if !w.fields[fieldMonth].any() {
		months = " in " + w.months()
	}
	if w.times() == nil && w.fields[fieldHour].any() {
		return months
	}
	return " every day" + months
}

// of says of which months days are meant.
func (w englishWords) of() string {
	if w.fields[fieldMonth].any() {
		return " of the month"
	}
	return " of " + w.months()
}

func (w englishWords) months() string {
	var parts []string
	for _, i := range w.expand(fieldMonth) {
		part := time.Month(i.low).String()
		if i.low != i.high {
			part += " to " + time.Month(i.high).String()
		}
		parts = append(parts, part)
	}
	return plural(parts)
}

func (w englishWords) dayParts() []string {
	const workday = "weekday (Monday to Friday)"
	var plain []item
	var parts []string
	for _, i := range w.fields[fieldDay].items {
		switch i.form {
		case formLast:
			parts = append(parts, beforeLast(i.nth))
		case formLastWorkday:
			if i.nth == 0 {
				parts = append(parts, "the last "+workday)
				continue
			}
			parts = append(parts, "the "+workday+" nearest to "+beforeLast(i.nth))
		case formNearest:
			parts = append(parts, fmt.Sprintf("the %s nearest to day %d", workday, i.low))
		case formAny:
			parts = append(parts, fromDay(i.step, 1))
		case formSpan:
			switch {
			case i.step == 0:
				plain = append(plain, i)
			case i.open:
				parts = append(parts, fromDay(i.step, i.low))
			default:
				parts = append(parts, fmt.Sprintf("%s to %d", fromDay(i.step, i.low), i.lastOf(specOf(Quartz, fieldDay))))
			}
		case formNone, formLastOf, formNth:
		}
	}
	if len(plain) > 0 {
		parts = append([]string{counted("day", w.spans(plain))}, parts...)
	}
	return parts
}

func fromDay(step, day int) string {
	if step <= 1 {
		return fmt.Sprintf("every day from day %d", day)
	}
	return fmt.Sprintf("every %s day from day %d", ordinal(step), day)
}

func beforeLast(n int) string {
	switch n {
	case 0:
		return "the last day"
	case 1:
		return "the day before the last day"
	}
	return fmt.Sprintf("the day %d days before the last day", n)
}

var nthWords = [...]string{1: "first", "second", "third", "fourth", "fifth"}

// weekdayParts describes the weekday field; placed adds the months.
func (w englishWords) weekdayParts(placed bool) []string {
	spec := specOf(w.dialect, fieldWeekday)
	of, in := " of the month", ""
	if placed && !w.fields[fieldMonth].any() {
		of, in = w.of(), " in "+w.months()
	}
	var plain, parts []string
	for _, i := range w.expand(fieldWeekday) {
		name := time.Weekday(spec.weekday(i.low)).String()
		switch {
		case i.form == formLastOf:
			parts = append(parts, "the last "+name+of)
		case i.form == formNth:
			parts = append(parts, "the "+nthWords[i.nth]+" "+name+of)
		case i.low != i.high:
			plain = append(plain, name+" to "+time.Weekday(spec.weekday(i.high)).String())
		default:
			plain = append(plain, name)
		}
	}
	if len(plain) > 0 {
		parts = append([]string{plural(plain) + in}, parts...)
	}
	return parts
}

func (w englishWords) years() string {
	if w.cron.years == nil {
		return ""
	}
	var plain []item
	var parts []string
	for _, i := range w.fields[fieldYear].items {
		switch {
		case i.form == formAny:
			parts = append(parts, fmt.Sprintf("every %s year from %d to %d", ordinal(i.step), minYear, maxYear))
		case i.step > 0 && i.open:
			parts = append(parts, fmt.Sprintf("every %s year from %d", ordinal(i.step), i.low))
		case i.step > 0:
			parts = append(parts, fmt.Sprintf("every %s year from %d to %d", ordinal(i.step), i.low, i.high))
		default:
			plain = append(plain, i)
		}
	}
	if len(plain) > 0 {
		parts = append([]string{"in " + plural(w.spans(plain))}, parts...)
	}
	return ", " + plural(parts)
}
