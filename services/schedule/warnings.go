package schedule

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"
)

// manyPerDay is the number of fires a day above which a warning is given.
const manyPerDay = 10_000

// Warnings lists, in words, what the author of an expression may not expect:
// that it never fires, fires very often, leaves months out, how its weekday
// numbers and steps are read, and what the first clock changes of the year
// after the given instant do to it. It is empty, not nil, if there is nothing
// to say.
func (c *Cron) Warnings(after time.Time, zone *time.Location, lang Lang) []string {
	return c.warnings(after, time.Time{}, zone, lang)
}

// warnings leaves out clock changes after until, unless that is zero.
func (c *Cron) warnings(after, until time.Time, zone *time.Location, lang Lang) []string {
	if zone == nil {
		zone = time.UTC
	}
	w := warner{words: words{cron: c, expression: c.parsed()}, lang: lang, zone: zone, after: after, until: until, list: []string{}}
	if c.never {
		w.add("This schedule never fires: none of the dates it names exists", "该计划永远不会触发：它指定的日期都不存在")
		return w.list
	}
	if _, ok := c.Next(after, zone); !ok {
		w.add("This schedule does not fire any more after %s", "该计划在 %s 之后不再触发", after.UTC().Format(time.RFC3339))
		return w.list
	}
	w.often()
	w.everyMinute()
	w.leapDay()
	w.shortMonths()
	w.bothDays()
	w.weekdayNumbers()
	w.unevenSteps()
	w.clockChanges()
	return w.list
}

// warner collects warnings.
type warner struct {
	words
	lang         Lang
	zone         *time.Location
	after, until time.Time
	list         []string
}

func (w *warner) add(english, chinese string, args ...any) {
	if text := say(w.lang, english, chinese, args...); !slices.Contains(w.list, text) {
		w.list = append(w.list, text)
	}
}

func (w *warner) often() {
	if n := w.cron.perDay(); n > manyPerDay {
		w.add("It fires up to %s times a day", "每天最多触发 %s 次", thousands(n))
	}
}

// everyMinute covers the commonest slip: * where 0 was meant.
func (w *warner) everyMinute() {
	second, minute, hour := w.fields[fieldSecond], w.fields[fieldMinute], w.fields[fieldHour]
	switch {
	case second.any() && plainValues(minute):
		w.add("It fires in every second of the minutes it names; for one fire a minute write 0 in the second field",
			"它会在所指定的每一分钟内每秒触发；如需每分钟只触发一次，请将秒字段写成 0")
	case second.any() && minute.any() && plainValues(hour):
		w.add("It fires in every second of the hours it names; for one fire an hour write 0 in the second and minute fields",
			"它会在所指定的每一小时内每秒触发；如需每小时只触发一次，请将秒字段和分钟字段写成 0")
	case minute.any() && plainValues(hour):
		w.add("It fires in every minute of the hours it names; for one fire an hour write 0 in the minute field",
			"它会在所指定的每一小时内每分钟触发；如需每小时只触发一次，请将分钟字段写成 0")
	}
}

// plainValues reports whether a field is a list of single values.
func plainValues(f field) bool {
	for _, i := range f.items {
		if !i.single() {
			return false
		}
	}
	return true
}

// onlyLeapDay reports whether 29 February is the only date that matches.
func (c *Cron) onlyLeapDay() bool {
	if c.months != 1<<2 {
		return false
	}
	for _, kinds := range c.days {
		if kinds[0] != 0 {
			return false
		}
	}
	return true
}

func (w *warner) leapDay() {
	if !w.cron.onlyLeapDay() {
		return
	}
	next, _ := w.cron.Next(w.after, w.zone)
	w.add("It fires only on 29 February, that is in leap years; the next is %d", "它只在 2 月 29 日触发，即只在闰年触发；下一次是 %d 年", next.In(w.zone).Year())
}

// shortMonths names the months that lack a day the expression asks for.
func (w *warner) shortMonths() {
	if w.cron.onlyLeapDay() {
		return
	}
	for _, i := range w.fields[fieldDay].items {
		lowest := i.low
		switch {
		case i.form == formLast || i.form == formLastWorkday:
			lowest = i.nth + 1
		case i.form != formNearest && (i.form != formSpan || i.low > i.high):
			continue
		}
		if months := w.shorterThan(lowest); months != "" {
			w.add("Months without a day %[1]d are left out, not moved: %[2]s", "没有第 %[1]d 天的月份会被跳过，不会顺延：%[2]s", lowest, months)
		}
	}
	for _, i := range w.fields[fieldWeekday].items {
		if i.form == formNth && i.nth == 5 {
			day := specOf(w.dialect, fieldWeekday).weekday(i.low)
			w.add("Months without a fifth %[1]s are left out", "没有第五个星期%[2]s的月份会被跳过", time.Weekday(day), chineseDays[day])
		}
	}
}

// shorterThan lists those months of the schedule that do not always have the
// given day.
func (w *warner) shorterThan(day int) string {
	var names []string
	for month := 1; month <= 12; month++ {
		if w.cron.months>>month&1 == 1 && monthLengths[month] < day {
			name := time.Month(month).String()
			if w.lang == Chinese {
				name = fmt.Sprintf("%d 月", month)
			}
			if month == 2 && day == 29 {
				name += say(w.lang, " (except in leap years)", "（闰年除外）")
			}
			names = append(names, name)
		}
	}
	return w.join(names)
}

func (w *warner) join(parts []string) string {
	if w.lang == Chinese {
		return strings.Join(parts, enumeration)
	}
	return plural(parts)
}

// bothDays explains how the two day fields work together.
func (w *warner) bothDays() {
	day, weekday := w.fields[fieldDay], w.fields[fieldWeekday]
	switch {
	case day.free() || weekday.free():
	case day.starred() || weekday.starred():
		w.add("A day field begins with *: it fires only on days that match both day fields", "有一个日期字段以 * 开头：只有两个日期字段都匹配的日子才会触发")
	default:
		w.add("Both day fields are set: it fires on days that match either of them", "两个日期字段都有限制：任意一个匹配的日子都会触发")
	}
}

// weekdayNumbers says which weekdays numbers stand for, as the dialects count
// differently.
func (w *warner) weekdayNumbers() {
	numbered := false
	for _, i := range w.fields[fieldWeekday].items {
		switch i.form {
		case formSpan:
			numbered = numbered || !i.lowName || !i.open && !i.highName
		case formLastOf, formNth:
			numbered = numbered || !i.lowName
		case formAny, formNone, formLast, formLastWorkday, formNearest:
		}
	}
	if !numbered {
		return
	}
	english := strings.ReplaceAll(plural(englishWords{w.words}.weekdayParts(false)), " of the month", "")
	chinese := strings.Join(chineseWords{w.words}.weekdayParts(), enumeration)
	if w.dialect == Unix {
		w.add("Weekday numbers: with five fields 1 is Monday and 0 or 7 is Sunday; here they mean %[1]s",
			"星期数字：五个字段时 1 是星期一，0 或 7 是星期日；此处表示%[2]s", english, chinese)
		return
	}
	w.add("Weekday numbers: with six or seven fields 1 is Sunday and 7 is Saturday; here they mean %[1]s",
		"星期数字：六或七个字段时 1 是星期日，7 是星期六；此处表示%[2]s", english, chinese)
}

// unevenSteps tells of steps that do not divide their field: they start again
// with it, so that the last gap is shorter.
func (w *warner) unevenSteps() {
	for _, f := range []struct {
		id               fieldID
		size             int
		english, chinese string
	}{
		{fieldSecond, 60, "minute", "分钟"},
		{fieldMinute, 60, "hour", "小时"},
		{fieldHour, 24, "day", "天"},
		{fieldDay, 0, "month", "月"},
	} {
		for _, i := range w.fields[f.id].items {
			if i.step > 1 && (i.form == formAny || i.open) && (f.size == 0 || f.size%i.step != 0) {
				w.add("The step of %[1]d in the %[2]s field starts again each %[3]s, so that the gap there is shorter",
					"%[4]s字段的步长 %[1]d 每%[5]s重新开始计数，因此在交界处的间隔会变短",
					i.step, specOf(Quartz, f.id).name, f.english, chineseFields[f.id], f.chinese)
			}
		}
	}
}

var chineseFields = [fieldCount]string{"秒", "分钟", "小时", "日", "月", "星期", "年"}

// thousands prints a number as 86,400.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

// keepsRhythm reports whether moving the clocks by so many seconds leaves the
// rhythm of an interval schedule as it was.
func (c *Cron) keepsRhythm(seconds int64) bool {
	if bits.OnesCount64(c.hour) != 24 {
		return false
	}
	shift := int(max(seconds, -seconds))
	minutes := shift / 60 % 60
	const sixty = 1<<60 - 1
	turned := (c.minute<<minutes | c.minute>>(60-minutes)) & sixty
	return turned == c.minute && shift%60 == 0
}
