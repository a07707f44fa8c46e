package schedule

import (
	"math/bits"
	"time"
)

// Excluded is a fire of the bare expression that a calendar changed.
type Excluded struct {
	At      time.Time // when it would have been
	Reason  Reason    // ReasonRestDay or ReasonQuiet
	MovedTo time.Time // when it happens instead; zero: not at all
}

// Excluded lists the fires of the bare expression in (after, upTo], within the
// trigger's bounds, that its calendar moved or took out; at most limit. It is
// empty, not nil, if there are none.
func (t *Trigger) Excluded(after, upTo time.Time, limit int) []Excluded {
	list := []Excluded{}
	t.bare(after, upTo, func(at, wall int64) int64 {
		o := t.kept.judge(at, wall)
		if o.reason == "" {
			return t.alike(at, wall, o)
		}
		e := Excluded{At: time.Unix(at, 0).UTC(), Reason: o.reason}
		if o.at != 0 {
			e.MovedTo = time.Unix(o.at, 0).UTC()
		}
		if list = append(list, e); len(list) >= limit {
			return stop
		}
		return at
	})
	return list
}

const stop = lastSecond

// lastSecond is after every instant.
const lastSecond = 1 << 60

// bare walks the fires of the bare expression in (after, upTo], within the
// trigger's bounds. each answers the instant after which to go on: the fire itself,
// or a later one.
func (t *Trigger) bare(after, upTo time.Time, each func(at, wall int64) int64) {
	if t.kept == nil {
		return
	}
	if start := t.spec.StartAt; after.Before(start) {
		after = start.Add(-1)
	}
	if end := t.spec.EndAt; !end.IsZero() && upTo.After(end) {
		upTo = end
	}
	s := source{cron: t.cron}
	for from := after.Unix(); from < stop; {
		at, wall, ok := s.next(from, t.zone, t.cron.interval)
		if !ok || at > upTo.Unix() {
			return
		}
		from = max(each(at, wall), at)
	}
}

// alike answers the last instant up to which all fires from at on fare like it, as
// long as the clocks run evenly.
func (t *Trigger) alike(at, wall int64, o outcome) int64 {
	offset, until := offsetAt(t.zone, at)
	if wall != at+offset {
		return at // put off to the end of a gap
	}
	return max(min(o.until-offset, until)-1, at)
}

// TakenOut counts the fires of the bare expression in (after, upTo] that do not
// happen because of the calendar, one range for each reason. It counts whole
// stretches at once, so that a weekend of a job of every second costs no more than
// that of a daily one, and gives up after MaxCounted stretches (AtLeast). nil for
// none.
func (t *Trigger) TakenOut(after, upTo time.Time) []Missed {
	var missed []Missed
	steps := 0
	t.bare(after, upTo, func(at, wall int64) int64 {
		o := t.kept.judge(at, wall)
		last := min(t.alike(at, wall, o), upTo.Unix())
		if o.at == 0 {
			count, end := t.cron.timesTo(wall, wall+last-at)
			missed = note(missed, o.reason, at, at+end-wall, count)
		}
		if steps++; steps == MaxCounted {
			for i := range missed {
				missed[i].AtLeast = true
			}
			return stop
		}
		return last
	})
	return missed
}

// note adds fires that were taken out for a reason to its range.
func note(missed []Missed, reason Reason, first, last int64, count int) []Missed {
	for i := range missed {
		if m := &missed[i]; m.Reason == reason {
			m.Last = time.Unix(last, 0).UTC()
			m.Count += count
			return missed
		}
	}
	return append(missed, Missed{First: time.Unix(first, 0).UTC(), Last: time.Unix(last, 0).UTC(), Count: count, Reason: reason})
}

// timesTo counts the matching times of one date from wall, which matches, to last,
// and answers the latest of them.
func (c *Cron) timesTo(wall, last int64) (count int, latest int64) {
	if last == wall {
		return 1, wall
	}
	date := floorDay(wall) * daySeconds
	from, to := int(wall-date), int(last-date)
	count = c.timesBefore(to+1) - c.timesBefore(from)
	low, high := from, to // the latest lies in [low, high]
	for low < high {
		middle := (low + high + 1) / 2
		if c.timesBefore(to+1) > c.timesBefore(middle) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return count, date + int64(low)
}

// timesBefore counts the matching times of a day before a second of it.
func (c *Cron) timesBefore(second int) int {
	h, m, s := second/3600, second/60%60, second%60
	perMinute := bits.OnesCount64(c.second)
	perHour := perMinute * bits.OnesCount64(c.minute)
	count := bits.OnesCount64(c.hour&(1<<h-1)) * perHour
	if h < 24 && c.hour>>h&1 == 1 {
		count += bits.OnesCount64(c.minute&(1<<m-1)) * perMinute
		if c.minute>>m&1 == 1 {
			count += bits.OnesCount64(c.second & (1<<s - 1))
		}
	}
	return count
}
