package schedule

import (
	"fmt"
	"strings"
)

// days describes the day, month and weekday fields.
func (w chineseWords) days() string {
	day, weekday := w.fields[fieldDay], w.fields[fieldWeekday]
	if month, day, ok := w.oneDate(); ok {
		return w.yearly() + fmt.Sprintf("%d 月 %d 日", month, day)
	}
	days := func() string { return w.month() + strings.Join(w.dayParts(), enumeration) }
	switch {
	case day.free() && weekday.free():
		if w.fields[fieldMonth].any() {
			return "每天"
		}
		return w.month() + "每天"
	case weekday.free():
		return days()
	case day.free():
		return w.weekdays()
	case day.starred() || weekday.starred():
		return days() + "，且仅当当天是" + strings.Join(w.weekdayParts(), "或")
	}
	return days() + "，以及" + w.weekdays()
}

// month says of which months days are meant; what follows joins on directly.
func (w chineseWords) month() string {
	if w.fields[fieldMonth].any() {
		return "每月"
	}
	var parts []string
	for _, i := range w.expand(fieldMonth) {
		part := fmt.Sprintf("%d 月", i.low)
		if i.low != i.high {
			part += fmt.Sprintf("至 %d 月", i.high)
		}
		parts = append(parts, part)
	}
	return w.yearly() + strings.Join(parts, enumeration) + "的"
}

// yearly begins a date that names its month, unless years are named already.
func (w chineseWords) yearly() string {
	if w.cron.years != nil {
		return ""
	}
	return "每年 "
}

func (w chineseWords) dayParts() []string {
	const workday = "工作日（星期一至星期五）"
	var parts []string
	for _, i := range w.fields[fieldDay].items {
		switch i.form {
		case formLast:
			parts = append(parts, chineseBeforeLast(i.nth))
		case formLastWorkday:
			if i.nth == 0 {
				parts = append(parts, "最后一个"+workday)
				continue
			}
			parts = append(parts, "离"+chineseBeforeLast(i.nth)+"最近的"+workday)
		case formNearest:
			parts = append(parts, fmt.Sprintf("离 %d 日最近的%s", i.low, workday))
		case formAny:
			parts = append(parts, "从 1 日起"+chineseEvery(i.step, "天"))
		case formSpan:
			switch {
			case i.single():
				parts = append(parts, fmt.Sprintf(" %d 日", i.low))
			case i.open:
				parts = append(parts, fmt.Sprintf("从 %d 日起%s", i.low, chineseEvery(i.step, "天")))
			case i.step > 0:
				parts = append(parts, fmt.Sprintf("从 %d 日到 %d 日%s", i.low, i.lastOf(specOf(Quartz, fieldDay)), chineseEvery(i.step, "天")))
			default:
				parts = append(parts, fmt.Sprintf(" %d 日至 %d 日", i.low, i.high))
			}
		case formNone, formLastOf, formNth:
		}
	}
	for n := 1; n < len(parts); n++ {
		parts[n] = strings.TrimPrefix(parts[n], " ")
	}
	return parts
}

func chineseBeforeLast(n int) string {
	if n == 0 {
		return "最后一天"
	}
	return fmt.Sprintf("倒数第 %d 天", n+1)
}

var (
	chineseDays = [...]string{"日", "一", "二", "三", "四", "五", "六"}
	chineseNth  = [...]string{1: "一", "二", "三", "四", "五"}
)

// weekdays describes the weekday field with its months.
func (w chineseWords) weekdays() string {
	var plain, special []string
	parts := w.weekdayParts()
	for n, i := range w.expand(fieldWeekday) {
		if i.form == formLastOf || i.form == formNth {
			special = append(special, parts[n])
		} else {
			plain = append(plain, parts[n])
		}
	}
	month := w.month()
	var texts []string
	if len(plain) > 0 {
		text := "每" + strings.Join(plain, enumeration)
		if !w.fields[fieldMonth].any() {
			text = month + text
		}
		texts = append(texts, text)
	}
	if len(special) > 0 {
		texts = append(texts, month+strings.Join(special, enumeration))
	}
	return strings.Join(texts, "，以及")
}

// weekdayParts names the weekdays, one part an expanded item.
func (w chineseWords) weekdayParts() []string {
	spec := specOf(w.dialect, fieldWeekday)
	var parts []string
	for _, i := range w.expand(fieldWeekday) {
		name := "星期" + chineseDays[spec.weekday(i.low)]
		switch {
		case i.form == formLastOf:
			name = "最后一个" + name
		case i.form == formNth:
			name = "第" + chineseNth[i.nth] + "个" + name
		case i.low != i.high:
			name += "至星期" + chineseDays[spec.weekday(i.high)]
		}
		parts = append(parts, name)
	}
	return parts
}

// years ends in a comma if it is not empty.
func (w chineseWords) years() string {
	if w.cron.years == nil {
		return ""
	}
	var parts []string
	for _, i := range w.fields[fieldYear].items {
		switch {
		case i.form == formAny:
			parts = append(parts, fmt.Sprintf("%d 年至 %d 年%s", minYear, maxYear, chineseEvery(i.step, "年")))
		case i.step > 0 && i.open:
			parts = append(parts, fmt.Sprintf("从 %d 年起%s", i.low, chineseEvery(i.step, "年")))
		case i.low != i.high:
			part := fmt.Sprintf("%d 年至 %d 年", i.low, i.high)
			if i.step > 0 {
				part += chineseEvery(i.step, "年")
			}
			parts = append(parts, part)
		default:
			parts = append(parts, fmt.Sprintf("%d 年", i.low))
		}
	}
	return strings.Join(parts, enumeration) + "，"
}
