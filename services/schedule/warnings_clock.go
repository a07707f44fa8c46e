package schedule

import "time"

// changeHorizon is how far ahead clock changes are looked for: a year and a
// bit, so that each yearly change comes up once.
const changeHorizon = 400 * daySeconds

// clockChange is one change of a zone's offset.
type clockChange struct {
	at            int64 // the instant
	before, after int64 // offsets
}

// skipped and repeated local times are those in [low, high).
func (c clockChange) low() int64  { return c.at + min(c.before, c.after) }
func (c clockChange) high() int64 { return c.at + max(c.before, c.after) }

// changesBetween lists the clock changes in (from, to).
func changesBetween(zone *time.Location, from, to int64) []clockChange {
	var changes []clockChange
	offset, until := offsetAt(zone, from)
	for until < to {
		next, upTo := offsetAt(zone, until)
		if next != offset {
			changes = append(changes, clockChange{until, offset, next})
		}
		offset, until = next, upTo
	}
	return changes
}

// clockChanges warns of the first change forwards and the first change
// backwards that meets a fire.
func (w *warner) clockChanges() {
	from := max(w.after.Unix(), firstInstant)
	to := min(from+changeHorizon, lastInstant)
	if !w.until.IsZero() {
		to = min(to, w.until.Unix())
	}
	forwards, backwards := false, false
	for _, change := range changesBetween(w.zone, from, to) {
		first, last, ok := w.cron.within(change.low(), change.high())
		if !ok || w.cron.interval && w.cron.keepsRhythm(change.after-change.before) {
			continue
		}
		if change.after > change.before && !forwards {
			forwards = true
			w.forwards(change, first, last)
		}
		if change.after < change.before && !backwards {
			backwards = true
			w.backwards(change, first, last)
		}
	}
}

// within returns the first and the last matching wall second in [low, high).
func (c *Cron) within(low, high int64) (first, last int64, ok bool) {
	first, ok = c.wallFrom(low)
	if !ok || first >= high {
		return 0, 0, false
	}
	last = first
	// Bisect for the last: matches only get fewer as the start moves up.
	for from, to := first, high; to-from > 1; {
		middle := from + (to-from)/2
		if wall, ok := c.wallFrom(middle); ok && wall < high {
			last, from = wall, wall
		} else {
			to = middle
		}
	}
	return first, last, true
}

func (w *warner) forwards(change clockChange, first, last int64) {
	date := floorDay(first)
	times, end := wallTimes(first, last), wallTime(change.high(), date)
	if !w.cron.interval {
		w.add("%[1]s: %[2]s does not exist that day; it fires once instead, at %[3]s",
			"%[1]s：当天 %[2]s 不存在，改为在 %[3]s 触发一次", w.changeText(change), times, end)
		return
	}
	if wall, ok := w.cron.wallFrom(date * daySeconds); ok && wall >= first {
		if wall, ok = w.cron.wallFrom(change.high()); !ok || wall >= (date+1)*daySeconds {
			w.add("%[1]s: %[2]s does not exist, so that it does not fire at all on that day",
				"%[1]s：%[2]s 不存在，因此当天完全不会触发", w.changeText(change), times)
			return
		}
	}
	w.add("%[1]s: %[2]s does not exist that day and is not made up for",
		"%[1]s：当天 %[2]s 不存在，且不会补触发", w.changeText(change), times)
}

func (w *warner) backwards(change clockChange, first, last int64) {
	times := wallTimes(first, last)
	if !w.cron.interval {
		w.add("%[1]s: %[2]s comes twice that day; it fires the first time only",
			"%[1]s：当天 %[2]s 出现两次，只在第一次触发", w.changeText(change), times)
		return
	}
	w.add("%[1]s: %[2]s comes twice that day, and it fires twice",
		"%[1]s：当天 %[2]s 出现两次，会触发两次", w.changeText(change), times)
}

// changeText begins a warning: when, where and how the clocks change.
func (w *warner) changeText(change clockChange) string {
	from, to := change.at+change.before, change.at+change.after
	date := floorDay(min(from, to))
	if change.after > change.before {
		return say(w.lang, "On %s the clocks in %s go forward from %s to %s", "%s %s 的时钟从 %s 拨快到 %s",
			wallDate(from), w.zone, wallTime(from, date), wallTime(to, date))
	}
	return say(w.lang, "On %s the clocks in %s go back from %s to %s", "%s %s 的时钟从 %s 拨回到 %s",
		wallDate(to), w.zone, wallTime(from, date), wallTime(to, date))
}

func wallDate(wall int64) string { return time.Unix(wall, 0).UTC().Format(time.DateOnly) }

// wallTime prints the time of day, and the date only if it is not the given one.
func wallTime(wall, date int64) string {
	at := time.Unix(wall, 0).UTC()
	text := clock(at.Hour(), at.Minute(), at.Second())
	if floorDay(wall) != date {
		return at.Format(time.DateOnly) + " " + text
	}
	return text
}

// wallTimes prints one time of day or the first and last of several.
func wallTimes(first, last int64) string {
	text := wallTime(first, floorDay(first))
	if last != first {
		text += "–" + wallTime(last, floorDay(first))
	}
	return text
}
