package schedule

import (
	"fmt"
	"strings"
)

// chineseWords describes a schedule in simplified Chinese: the years, then the
// days, then the times of day or the rhythm.
type chineseWords struct{ words }

const enumeration = "、"

func (w chineseWords) sentence() string {
	years := w.years()
	if times := w.times(); times != nil {
		days, gap := w.days(), " "
		if strings.Contains(days, "，") {
			gap = "，"
		} else if strings.HasSuffix(days, "）") {
			gap = ""
		}
		return years + days + gap + strings.Join(clocks(times), enumeration)
	}
	days := w.days()
	if w.fields[fieldHour].any() && days == "每天" {
		days = ""
	}
	if years+days == "" {
		return w.rhythm()
	}
	return strings.TrimSuffix(years+days, "，") + "，" + w.rhythm()
}

// rhythm describes the time fields of a schedule with many fires a day.
func (w chineseWords) rhythm() string {
	second, oneSecond := w.one(fieldSecond)
	minute, oneMinute := w.one(fieldMinute)
	switch {
	case oneSecond && oneMinute:
		return strings.Join(w.hourly(minute, second), "，以及")
	case oneSecond:
		entries := w.entries(fieldMinute, "分钟", "分")
		text := w.hours(!strings.HasPrefix(entries[0], "每")) + strings.Join(entries, "，以及")
		if second != 0 {
			text += fmt.Sprintf("的第 %d 秒", second)
		}
		return text
	}
	text := strings.Join(w.entries(fieldSecond, "秒", "秒"), "，以及")
	if minute, ok := w.one(fieldMinute); ok {
		if hour, ok := w.one(fieldHour); ok {
			return fmt.Sprintf("%02[1]d:%02[2]d:00 至 %02[1]d:%02[2]d:59 之间，%[3]s", hour, minute, text)
		}
	}
	if !w.fields[fieldMinute].any() {
		return w.hours(true) + "第 " + strings.Join(chineseSpans(w.expand(fieldMinute)), enumeration) + " 分内，" + text
	}
	if !strings.HasPrefix(text, "每") {
		text = "每分钟" + text
	}
	return w.hours(false) + text
}

// entries describes a second or minute field; unit counts durations, place
// names positions.
func (w chineseWords) entries(id fieldID, unit, place string) []string {
	var plain []item
	var parts []string
	for _, i := range w.fields[id].items {
		switch {
		case i.form == formAny || i.open && i.low == 0:
			parts = append(parts, chineseEvery(i.step, unit))
		case i.open:
			parts = append(parts, fmt.Sprintf("从第 %d %s起%s", i.low, place, chineseEvery(i.step, unit)))
		case i.single():
			plain = append(plain, i)
		default:
			parts = append(parts, fmt.Sprintf("从第 %d %s到第 %d %s%s", i.low, place, i.lastOf(specOf(Quartz, id)), place, chineseEvery(i.step, unit)))
		}
	}
	if len(plain) > 0 {
		parts = append([]string{"第 " + strings.Join(chineseSpans(plain), enumeration) + " " + place}, parts...)
	}
	return parts
}

// hours restricts a rhythm to hours. named asks for words even if every hour
// is meant.
func (w chineseWords) hours(named bool) string {
	switch {
	case !w.fields[fieldHour].any():
		return strings.Join(w.hourSpans("%s 至 %s"), enumeration) + " 之间，"
	case named:
		return "每小时"
	}
	return ""
}

// hourly describes an hour field when minute and second are single values.
func (w chineseWords) hourly(minute, second int) []string {
	var parts, at []string
	spec := specOf(Quartz, fieldHour)
	for _, i := range w.fields[fieldHour].items {
		from := clock(i.low, minute, second)
		switch {
		case i.form == formAny && i.step <= 1:
			part := "每小时"
			if minute != 0 || second != 0 {
				part += fmt.Sprintf("第 %d 分", minute)
			}
			if second != 0 {
				part += fmt.Sprintf(" %d 秒", second)
			}
			parts = append(parts, part)
		case i.form == formAny || i.open:
			parts = append(parts, "从 "+from+" 起"+chineseEvery(i.step, "小时"))
		case i.single():
			at = append(at, from)
		default:
			parts = append(parts, "从 "+from+" 到 "+clock(i.lastOf(spec), minute, second)+" "+chineseEvery(i.step, "小时"))
		}
	}
	if len(at) > 0 {
		parts = append([]string{strings.Join(at, enumeration)}, parts...)
	}
	return parts
}

// chineseSpans prints plain values and ranges as numbers.
func chineseSpans(items []item) []string {
	var parts []string
	for _, i := range items {
		part := fmt.Sprint(i.low)
		if i.low != i.high {
			part += fmt.Sprintf(" 至 %d", i.high)
		}
		parts = append(parts, part)
	}
	return parts
}

func chineseEvery(step int, unit string) string {
	if step <= 1 {
		return "每" + unit
	}
	return fmt.Sprintf("每 %d %s", step, unit)
}
