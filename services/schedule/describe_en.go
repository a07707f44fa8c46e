package schedule

import (
	"fmt"
	"strings"
)

// englishWords describes a schedule in English: the rhythm or the times of
// day, then the days, then the years.
type englishWords struct{ words }

func (w englishWords) sentence() string {
	text := w.rhythm()
	if times := w.times(); times != nil {
		text = "at " + plural(clocks(times))
	}
	text += w.days() + w.years()
	return strings.ToUpper(text[:1]) + text[1:]
}

// rhythm describes the time fields of a schedule with many fires a day.
func (w englishWords) rhythm() string {
	second, oneSecond := w.one(fieldSecond)
	minute, oneMinute := w.one(fieldMinute)
	switch {
	case oneSecond && oneMinute:
		return plural(w.hourly(minute, second))
	case oneSecond:
		text := plural(w.entries(fieldMinute, "minute"))
		if second != 0 {
			text += fmt.Sprintf(" at second %d", second)
		}
		return text + w.hours(strings.HasPrefix(text, "at"))
	}
	text := plural(w.entries(fieldSecond, "second"))
	if minute, ok := w.one(fieldMinute); ok {
		if hour, ok := w.one(fieldHour); ok {
			return fmt.Sprintf("%[1]s between %02[2]d:%02[3]d:00 and %02[2]d:%02[3]d:59", text, hour, minute)
		}
	}
	if !w.fields[fieldMinute].any() {
		return text + " in " + counted("minute", w.spans(w.expand(fieldMinute))) + w.hours(true)
	}
	if strings.HasPrefix(text, "at") {
		text += " of every minute"
	}
	return text + w.hours(false)
}

// entries describes a second or minute field: every 5 minutes, at minute 5.
func (w englishWords) entries(id fieldID, unit string) []string {
	var plain []item
	var parts []string
	for _, i := range w.fields[id].items {
		switch {
		case i.form == formAny || i.open && i.low == 0:
			parts = append(parts, every(i.step, unit))
		case i.open:
			parts = append(parts, fmt.Sprintf("%s from %s %d", every(i.step, unit), unit, i.low))
		case i.single():
			plain = append(plain, i)
		default:
			parts = append(parts, fmt.Sprintf("%s from %s %d to %d", every(i.step, unit), unit, i.low, i.lastOf(specOf(Quartz, id))))
		}
	}
	if len(plain) > 0 {
		parts = append([]string{"at " + counted(unit, w.spans(plain))}, parts...)
	}
	return parts
}

// hours restricts a rhythm to hours. named asks for words even if every hour
// is meant.
func (w englishWords) hours(named bool) string {
	switch {
	case !w.fields[fieldHour].any():
		return " " + plural(w.hourSpans("between %s and %s"))
	case named:
		return " of every hour"
	}
	return ""
}

// hourly describes an hour field when minute and second are single values.
func (w englishWords) hourly(minute, second int) []string {
	var parts, at []string
	spec := specOf(Quartz, fieldHour)
	for _, i := range w.fields[fieldHour].items {
		from := clock(i.low, minute, second)
		switch {
		case i.form == formAny && i.step <= 1:
			part := "every hour"
			if minute != 0 || second != 0 {
				part += fmt.Sprintf(" at minute %d", minute)
			}
			if second != 0 {
				part += fmt.Sprintf(" and second %d", second)
			}
			parts = append(parts, part)
		case i.form == formAny || i.open:
			parts = append(parts, every(i.step, "hour")+" from "+from)
		case i.single():
			at = append(at, from)
		default:
			parts = append(parts, every(i.step, "hour")+" from "+from+" to "+clock(i.lastOf(spec), minute, second))
		}
	}
	if len(at) > 0 {
		parts = append([]string{"at " + plural(at)}, parts...)
	}
	return parts
}

// spans prints plain values and ranges as numbers.
func (w englishWords) spans(items []item) []string {
	var parts []string
	for _, i := range items {
		part := fmt.Sprint(i.low)
		if i.low != i.high {
			part += fmt.Sprintf(" to %d", i.high)
		}
		parts = append(parts, part)
	}
	return parts
}

// counted puts a unit before numbers: minute 5, minutes 5 and 10 to 20.
func counted(unit string, spans []string) string {
	if len(spans) > 1 || strings.Contains(spans[0], " ") {
		unit += "s"
	}
	return unit + " " + plural(spans)
}

func every(step int, unit string) string {
	if step <= 1 {
		return "every " + unit
	}
	return fmt.Sprintf("every %d %ss", step, unit)
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, suffix)
}
