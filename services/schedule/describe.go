package schedule

import (
	"fmt"
	"math/bits"
	"strings"
)

// Lang is a language of descriptions and warnings.
type Lang string

// The languages. Anything else is treated as English.
const (
	English Lang = "en"
	Chinese Lang = "zh-CN"
)

// say picks a format by language. Formats whose arguments come in another
// order use indexes.
func say(lang Lang, english, chinese string, args ...any) string {
	if lang == Chinese {
		return fmt.Sprintf(chinese, args...)
	}
	return fmt.Sprintf(english, args...)
}

// Describe says in a sentence, without final stop, when the schedule fires.
func (c *Cron) Describe(lang Lang) string {
	w := words{cron: c, expression: c.parsed()}
	if lang == Chinese {
		return chineseWords{w}.sentence()
	}
	return englishWords{w}.sentence()
}

// maxTimes is how many times of day are listed one by one.
const maxTimes = 6

// words holds what both languages need to describe a schedule.
type words struct {
	*expression
	cron *Cron
}

// times lists the seconds of the day of a fixed-time schedule with few fires a
// day; nil for any other.
func (w words) times() []int {
	if w.cron.interval || w.cron.perDay() > maxTimes {
		return nil
	}
	var times []int
	for second, ok := w.cron.timeFrom(0); ok; second, ok = w.cron.timeFrom(second + 1) {
		times = append(times, second)
		if second == daySeconds-1 {
			break
		}
	}
	return times
}

// one returns the value of a field that is a single plain value.
func (w words) one(id fieldID) (int, bool) {
	items := w.fields[id].items
	return items[0].low, len(items) == 1 && items[0].single()
}

// oneDate returns the date of a schedule for one day of one month.
func (w words) oneDate() (month, day int, ok bool) {
	day, ok = w.one(fieldDay)
	months := w.cron.months
	return bits.TrailingZeros16(months), day, ok && bits.OnesCount16(months) == 1 && w.fields[fieldWeekday].free()
}

// bitValues lists the bits that are set, in order.
func bitValues(set uint64) []int {
	var values []int
	for ; set != 0; set &= set - 1 {
		values = append(values, bits.TrailingZeros64(set))
	}
	return values
}

// lastOf returns the last value a stepped range reaches.
func (i item) lastOf(spec *fieldSpec) int {
	low, high := i.low, i.high
	if low > high {
		high += spec.size()
	}
	last := low + (high-low)/max(i.step, 1)*max(i.step, 1)
	return spec.low + (last-spec.low)%spec.size()
}

// expand replaces items that have * or a step by their values, where listing
// them reads better than a rule.
func (w words) expand(id fieldID) []item {
	spec := specOf(w.dialect, id)
	var plain []item
	for _, i := range w.fields[id].items {
		if i.form != formAny && (i.form != formSpan || i.step == 0) {
			plain = append(plain, i)
			continue
		}
		for _, value := range bitValues(i.bits(spec)) {
			plain = append(plain, item{form: formSpan, low: value, high: value})
		}
	}
	return plain
}

// clock prints a time of day, with seconds only if there are any.
func clock(hour, minute, second int) string {
	if second == 0 {
		return fmt.Sprintf("%02d:%02d", hour, minute)
	}
	return fmt.Sprintf("%02d:%02d:%02d", hour, minute, second)
}

func clocks(times []int) []string {
	texts := make([]string, 0, len(times))
	for _, t := range times {
		texts = append(texts, clock(t/3600, t/60%60, t%60))
	}
	return texts
}

// hourSpans are the stretches of the day the hour field covers, such as
// 09:00 to 17:59, for rhythms within hours.
func (w words) hourSpans(format string) []string {
	var spans []string
	for _, i := range w.expand(fieldHour) {
		spans = append(spans, fmt.Sprintf(format, clock(i.low, 0, 0), clock(i.high, 59, 0)))
	}
	return spans
}

// plural is an English list: a, b and c.
func plural(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}
