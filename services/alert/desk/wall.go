package desk

import "time"

const day = 24 * time.Hour

// span is a time of day of the local clock, in minutes; to not after from ends on the
// next day.
type span struct {
	days     int // bit w: begins on weekday w; 0: every day
	from, to int
}

func (s span) begins(w time.Weekday) bool { return s.days == 0 || s.days>>w&1 == 1 }

// holds says whether the span holds at an instant, by what the clock on the wall shows:
// an hour that comes twice is within both times, and one that is left out is in none.
func (s span) holds(at time.Time, zone *time.Location) bool {
	local := at.In(zone)
	minute := local.Hour()*60 + local.Minute()
	today := local.Weekday()
	if s.from < s.to {
		return s.begins(today) && s.from <= minute && minute < s.to
	}
	yesterday := (today + 6) % 7
	return s.begins(today) && minute >= s.from || s.begins(yesterday) && minute < s.to
}

// until is the first instant after at, at which the span does not hold; at must be
// within it. Spans that follow each other without a gap are one; it looks eight days
// ahead at most.
func (s span) until(at time.Time, zone *time.Location) time.Time {
	end := at
	for range 8 {
		end = next(end, zone, s.to)
		if !s.holds(end, zone) {
			return end
		}
	}
	return end
}

// next is the first instant after at, at which the local clock shows a minute of the day,
// on any day.
func next(at time.Time, zone *time.Location, minute int) time.Time {
	local := at.In(zone)
	for ahead := 0; ; ahead++ {
		if t := wall(local.Year(), local.Month(), local.Day()+ahead, minute, zone); t.After(at) {
			return t
		}
	}
}

// wall is the instant at which the local clock first shows a minute of a date. When the
// clock leaves it out, it is the instant at which the clock goes on.
func wall(year int, month time.Month, date, minute int, zone *time.Location) time.Time {
	return settle(time.Date(year, month, date, minute/60, minute%60, 0, 0, time.UTC), zone)
}

// settle finds the earliest instant that shows utc's wall clock in the zone.
func settle(utc time.Time, zone *time.Location) time.Time {
	_, before := utc.Add(-day).In(zone).Zone()
	_, after := utc.Add(day).In(zone).Zone()
	early := utc.Add(-time.Duration(max(before, after)) * time.Second)
	late := utc.Add(-time.Duration(min(before, after)) * time.Second)
	for _, t := range []time.Time{early, late} {
		if shows(t.In(zone), utc) {
			return t
		}
	}
	// Left out: late lies behind the change.
	if start, _ := late.In(zone).ZoneBounds(); !start.IsZero() && start.After(early) {
		return start.UTC()
	}
	return late
}

func shows(local, utc time.Time) bool {
	return local.Day() == utc.Day() && local.Hour() == utc.Hour() && local.Minute() == utc.Minute()
}
