package schedule

import "time"

// words say what a calendar does to a schedule, as the end of its description.
func (c *calendared) words(lang Lang) string {
	var text string
	name := c.calendar.name
	switch c.rule {
	case RestNext:
		text = say(lang, ", on rest days of the calendar %q on the next working day instead", "，遇日历“%s”的休息日顺延至下一个工作日", name)
	case RestPrevious:
		text = say(lang, ", on rest days of the calendar %q on the working day before instead", "，遇日历“%s”的休息日提前至上一个工作日", name)
	case RestSkip:
		fallthrough
	default:
		text = say(lang, ", except on rest days of the calendar %q", "，日历“%s”的休息日除外", name)
	}
	if q := c.calendar.quiet; q != nil {
		text += quietWords(q, lang)
	}
	return text
}

func quietWords(q *quietWeek, lang Lang) string {
	switch {
	case len(q.delay) == 0:
		return say(lang, " and within its quiet windows", "，静默时段内不触发")
	case len(q.skip) == 0:
		return say(lang, ", put off to the end of its quiet windows", "，静默时段内的触发推迟到时段结束")
	}
	return say(lang, ", left out or put off within its quiet windows", "，静默时段内的触发被跳过或推迟")
}

// TakesAll reports whether the expression fires after an instant and within the
// bounds, but not with the calendar.
func (t *Trigger) TakesAll(after time.Time) bool {
	if t.kept == nil {
		return false
	}
	if start := t.spec.StartAt; after.Before(start) {
		after = start.Add(-1)
	}
	next, ok := t.cron.Next(after, t.zone)
	return ok && (t.spec.EndAt.IsZero() || !next.After(t.spec.EndAt))
}

// aYear is how far ahead calendars are looked at for warnings.
const aYear = 366 * 24 * time.Hour

// CalendarWarnings are those of the Warnings that tell of the calendar; nil without
// one.
func (t *Trigger) CalendarWarnings(after time.Time, lang Lang) []string {
	if t.kept == nil {
		return nil
	}
	var list []string
	name := t.kept.calendar.name
	if next, _ := t.Next(after); next.Sub(after) > aYear {
		if bare, ok := t.cron.Next(after, t.zone); ok && bare.Sub(after) <= aYear {
			list = append(list, say(lang, "The calendar %q takes out every fire of the coming year", "日历“%s”排除了未来一年内的所有触发", name))
		}
	}
	if days := t.kept.calendar.days; len(days) > 0 && days[len(days)-1].Date < after.In(t.zone).Format(time.DateOnly) {
		list = append(list, say(lang, "The calendar %[1]q has no dates after %[2]s: enter those of the coming year", "日历“%[1]s”在 %[2]s 之后没有日期：请补充未来一年的日期", name, days[len(days)-1].Date))
	}
	return list
}

// Message says in a sentence, with final stop, why a fire did not happen when the
// expression says.
func (e Excluded) Message(calendar string, lang Lang) string {
	why := say(lang, "It is a rest day of the calendar %q", "这一天是日历“%s”的休息日", calendar)
	if e.Reason == ReasonQuiet {
		why = say(lang, "It lies within a quiet window of the calendar %q", "该时刻在日历“%s”的静默时段内", calendar)
	}
	if e.MovedTo.IsZero() {
		return why + say(lang, ": it does not fire.", "：不触发。")
	}
	return why + say(lang, ": it fires at another time instead.", "：改在其他时间触发。")
}

// ClockChange is a change of a zone's clocks.
type ClockChange struct {
	At            time.Time
	Before, After int // seconds east of UTC
}

// ClockChanges lists the changes of the trigger's zone in (after, upTo], at most
// limit; empty, not nil, for none.
func (t *Trigger) ClockChanges(after, upTo time.Time, limit int) []ClockChange {
	list := []ClockChange{}
	for _, c := range changesBetween(t.Zone(), after.Unix(), min(upTo.Unix(), lastInstant)+1) {
		if len(list) == limit {
			break
		}
		list = append(list, ClockChange{At: time.Unix(c.at, 0).UTC(), Before: int(c.before), After: int(c.after)})
	}
	return list
}
