package schedule

import (
	"fmt"
	"slices"
	"sort"
	"time"
)

const (
	dayMinutes  = 24 * 60
	weekMinutes = 7 * dayMinutes
)

// minutes is a stretch of the week's minutes, [from, to), counted from Sunday
// 00:00.
type minutes struct{ from, to int }

// week is a set of minutes of the week: disjoint stretches in order that do not
// touch one another.
type week []minutes

// add puts a window of a weekday in; one that runs over the end of the week goes
// on at its beginning.
func (w *week) add(day time.Weekday, from, to int) {
	if to <= from {
		to += dayMinutes
	}
	from, to = int(day)*dayMinutes+from, int(day)*dayMinutes+to
	*w = append(*w, minutes{from, min(to, weekMinutes)})
	if to > weekMinutes {
		*w = append(*w, minutes{0, to - weekMinutes})
	}
}

// tidy sorts the stretches and joins those that touch.
func (w week) tidy() week {
	slices.SortFunc(w, func(a, b minutes) int { return a.from - b.from })
	var joined week
	for _, m := range w {
		if last := len(joined) - 1; last >= 0 && m.from <= joined[last].to {
			joined[last].to = max(joined[last].to, m.to)
		} else {
			joined = append(joined, m)
		}
	}
	return joined
}

// at returns the stretch that contains a minute; its index is negative if there is
// none.
func (w week) at(minute int) int {
	i := sort.Search(len(w), func(i int) bool { return w[i].to > minute })
	if i == len(w) || w[i].from > minute {
		return -1
	}
	return i
}

// weekMinute is the minute of the week of a local time.
func weekMinute(wall int64) int {
	date := floorDay(wall)
	return weekdayOf(date)*dayMinutes + int(wall-date*daySeconds)/60
}

// end returns the local time at which the stretch around wall ends, if wall lies
// in one.
func (w week) end(wall int64) (int64, bool) {
	if len(w) == 0 {
		return 0, false
	}
	minute := weekMinute(wall)
	i := w.at(minute)
	if i < 0 {
		return 0, false
	}
	left := w[i].to - minute
	if w[i].to == weekMinutes && w[0].from == 0 {
		left += w[0].to // it goes on in the next week
	}
	return floorMinute(wall) + int64(left)*60, true
}

// begin returns the local time at which the stretch around wall began.
func (w week) begin(wall int64) int64 {
	minute := weekMinute(wall)
	i := w.at(minute)
	passed := minute - w[i].from
	if last := len(w) - 1; w[i].from == 0 && w[last].to == weekMinutes {
		passed += weekMinutes - w[last].from
	}
	return floorMinute(wall) - int64(passed)*60
}

// opens returns the local time at which the next stretch after wall begins; wall
// lies in none.
func (w week) opens(wall int64) int64 {
	minute := weekMinute(wall)
	i := sort.Search(len(w), func(i int) bool { return w[i].from > minute })
	if i < len(w) {
		return floorMinute(wall) + int64(w[i].from-minute)*60
	}
	return floorMinute(wall) + int64(weekMinutes-minute+w[0].from)*60
}

// floorMinute is the whole minute of a local time from year 1 on.
func floorMinute(wall int64) int64 {
	date := floorDay(wall)
	return date*daySeconds + (wall-date*daySeconds)/60*60
}

// quietWeek holds a calendar's quiet windows. Where both kinds overlap, skipping
// wins.
type quietWeek struct {
	skip, delay week
	always      bool // no minute of the week is open
}

func newQuietWeek(windows []QuietWindow) (*quietWeek, error) {
	if len(windows) > MaxQuietWindows {
		return nil, calendarError("quietWindows", "the calendar has %d quiet windows; keep it within %d", len(windows), MaxQuietWindows)
	}
	if len(windows) == 0 {
		return nil, nil //nolint:nilnil // a calendar without windows has none
	}
	q := &quietWeek{}
	for i, window := range windows {
		if err := q.add(fmt.Sprintf("quietWindows.%d", i), window); err != nil {
			return nil, err
		}
	}
	q.skip, q.delay = q.skip.tidy(), q.delay.tidy()
	all := append(slices.Clone(q.skip), q.delay...).tidy()
	q.always = len(all) == 1 && all[0] == minutes{0, weekMinutes}
	return q, nil
}

func (q *quietWeek) add(field string, window QuietWindow) error {
	for _, end := range []struct {
		field  string
		minute int
	}{{"from", window.From}, {"to", window.To}} {
		if end.minute < 0 || end.minute >= dayMinutes {
			return calendarError(field+"."+end.field, "%s is minute %d of the day; use 00:00 to 23:59", end.field, end.minute)
		}
	}
	into := &q.skip
	switch window.Rule {
	case QuietSkip:
	case QuietDelay:
		into = &q.delay
	default:
		return calendarError(field+".rule", "unknown rule %q; there are %s and %s", window.Rule, QuietSkip, QuietDelay)
	}
	days := window.Days
	if len(days) == 0 {
		days = everyWeekday
	}
	for _, day := range days {
		into.add(day, window.From, window.To)
	}
	return nil
}

var everyWeekday = []time.Weekday{0, 1, 2, 3, 4, 5, 6}

// settle answers when a fire that is due at t happens: then, or at the first
// instant from t on that lies in no window that delays; false if it does not
// happen. Clocks that go back within such a window may end it early.
func (q *quietWeek) settle(zone *time.Location, t int64) (int64, bool) {
	switch {
	case q == nil:
		return t, true
	case q.always:
		return 0, false
	}
	offset, until := offsetAt(zone, t)
	if _, skipped := q.skip.end(t + offset); skipped {
		return 0, false
	}
	at := t
	for {
		end, delayed := q.delay.end(at + offset)
		if !delayed {
			break
		}
		at = min(end-offset, until)
		offset, until = offsetAt(zone, at)
	}
	if _, skipped := q.skip.end(at + offset); at > t && skipped {
		return 0, false
	}
	return at, true
}

// since answers the first instant from which on, up to t, everything is delayed;
// t+1 if t is not.
func (q *quietWeek) since(zone *time.Location, t int64) int64 {
	offset, _ := offsetAt(zone, t)
	if _, delayed := q.delay.end(t + offset); !delayed {
		return t + 1
	}
	begin := t - (t + offset - q.delay.begin(t+offset))
	if before, until := offsetAt(zone, begin-1); before == offset && until > t {
		return begin
	}
	return q.sinceAcross(zone, t)
}

// sinceAcross is since when the clocks change within the window: it goes back
// from one stretch of equal offset to the one before.
func (q *quietWeek) sinceAcross(zone *time.Location, t int64) int64 {
	type stretch struct{ from, offset int64 }
	var stretches []stretch
	for from := t - weekMinutes*60 - 2*slack; from <= t; {
		offset, until := offsetAt(zone, from)
		stretches = append(stretches, stretch{from, offset})
		from = until
	}
	for _, s := range slices.Backward(stretches) {
		wall := t + s.offset
		if _, delayed := q.delay.end(wall); !delayed {
			return t + 1
		}
		if begin := q.delay.begin(wall) - s.offset; begin > s.from {
			return begin
		}
		t = s.from - 1
	}
	return t + 1
}
