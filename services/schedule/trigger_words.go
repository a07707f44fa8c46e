package schedule

import (
	"fmt"
	"strings"
	"time"
)

// Describe says in a sentence, without final stop, what makes the trigger
// fire, with its zone, bounds and jitter.
func (t *Trigger) Describe(lang Lang) string {
	var text string
	switch t.spec.Kind {
	case KindCron:
		text = t.cron.Describe(lang) + say(lang, " (%s time)", "（%s 时间）", t.zone)
	case KindFixedRate:
		text = say(lang, "Every %s", "每 %s", durationWords(lang, t.spec.Every))
	case KindFixedDelay:
		text = say(lang, "%s after the previous run ended", "上一次运行结束后 %s", durationWords(lang, t.spec.Delay))
	case KindManual:
		text = say(lang, "Only when started by a person, the API or an SDK", "仅由人工、API 或 SDK 启动")
	}
	if !t.spec.StartAt.IsZero() {
		text += say(lang, ", from %s", "，自 %s 起", t.spec.StartAt.Format(time.RFC3339Nano))
	}
	if !t.spec.EndAt.IsZero() {
		text += say(lang, ", until %s", "，至 %s 止", t.spec.EndAt.Format(time.RFC3339Nano))
	}
	if t.kept != nil {
		text += t.kept.words(lang)
	}
	if t.spec.Jitter > 0 {
		text += say(lang, ", each put off by up to %s", "，每次最多推迟 %s", durationWords(lang, t.spec.Jitter))
	}
	return text
}

// Warnings lists, in words, what the author of the trigger may not expect; see
// [Cron.Warnings]. It is empty, not nil, if there is nothing to say.
func (t *Trigger) Warnings(after time.Time, lang Lang) []string {
	if t.spec.Kind == KindFixedDelay || t.spec.Kind == KindManual {
		return []string{}
	}
	next, ok := t.Next(after)
	if !ok && (t.cron == nil || !t.cron.Never()) {
		return []string{t.neverText(after, lang)}
	}
	list := []string{}
	if t.cron != nil {
		if after.Before(t.spec.StartAt) {
			after = t.spec.StartAt.Add(-1)
		}
		list = append(t.cron.warnings(after, t.spec.EndAt, t.zone, lang), t.CalendarWarnings(after, lang)...)
	} else if perDay := int(24 * time.Hour / t.spec.Every); perDay > manyPerDay {
		list = append(list, say(lang, "It fires up to %s times a day", "每天最多触发 %s 次", thousands(perDay)))
	}
	if second, more := t.Next(next); ok && more && second.Sub(next) < t.spec.Jitter {
		list = append(list, say(lang, "The jitter of %s is longer than the time between two fires: fires may overtake each other",
			"抖动 %s 比两次触发之间的间隔还长：触发顺序可能颠倒", durationWords(lang, t.spec.Jitter)))
	}
	return list
}

// neverText says why there is no fire after an instant.
func (t *Trigger) neverText(after time.Time, lang Lang) string {
	switch end := t.spec.EndAt; {
	case t.TakesAll(after):
		return say(lang, "The calendar %q takes out every fire: this schedule never fires", "日历“%s”排除了所有触发：该计划永远不会触发", t.kept.calendar.name)
	case t.Never() && !end.IsZero():
		return say(lang, "This schedule never fires between its start and its end", "该计划在起止时间之间永远不会触发")
	case !end.IsZero() && !after.Before(end):
		return say(lang, "This schedule ended at %s", "该计划已于 %s 结束", end.Format(time.RFC3339Nano))
	}
	return say(lang, "This schedule does not fire any more after %s", "该计划在 %s 之后不再触发", after.UTC().Format(time.RFC3339))
}

// durationWords prints a duration of whole milliseconds in words.
func durationWords(lang Lang, d time.Duration) string {
	units := []struct {
		size             time.Duration
		english, chinese string
	}{
		{24 * time.Hour, "day", "天"},
		{time.Hour, "hour", "小时"},
		{time.Minute, "minute", "分钟"},
		{time.Second, "second", "秒"},
		{time.Millisecond, "millisecond", "毫秒"},
	}
	var parts []string
	for _, unit := range units {
		n := d / unit.size
		if d -= n * unit.size; n == 0 {
			continue
		}
		english := unit.english
		if n != 1 {
			english += "s"
		}
		parts = append(parts, say(lang, "%[1]d %[2]s", "%[1]d %[3]s", int64(n), english, unit.chinese))
	}
	if len(parts) == 0 {
		return fmt.Sprint(d)
	}
	return strings.Join(parts, " ")
}
