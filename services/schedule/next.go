package schedule

import (
	"math/bits"
	"time"
)

// How local times become instants when a zone's clocks change:
//
//   - An interval schedule (see expression.interval) fires at every instant
//     whose local time matches: in both passes of a repeated hour, and not at
//     all for local times that are skipped.
//   - A fixed-time schedule fires for every matching local time exactly once:
//     at the first instant at which the zone's clocks have reached or passed
//     it. That is the first of two passes, and the end of the gap for a time
//     that is skipped; several skipped times of one gap make one fire. The
//     date that must match is that of the skipped time.
//
// "Have reached or passed" is monotone, which is why the sequence strictly
// increases by construction: a fixed-time fire after t belongs to a local time
// later than any the clocks have shown up to t.
//
// A local time is a wall second: seconds since 1970-01-01T00:00:00 as the
// zone's clocks show it, so wall = instant + offset.

const (
	// lastYear ends every search. The database and RFC 3339 end there, too.
	lastYear = 9998
	// searchYears is how far Next looks ahead. Dates and zone rules repeat
	// every 400 years; the table part of today's zones ends before 2100.
	searchYears = 600
	// slack exceeds any difference between two offsets of a zone, and between
	// an offset and zero, in seconds. Local dates have jumped by a day.
	slack = 26 * 60 * 60
)

var (
	firstDate    = dayNumber(1, 1, 3)
	firstInstant = firstDate * daySeconds
	lastInstant  = dayNumber(lastYear+1, 1, 1)*daySeconds - 1
	lastDate     = dayNumber(lastYear, 12, 31)
)

// Next returns the first fire strictly after the given instant, in UTC, with
// the schedule read in zone (nil is UTC). It is false if there is none before
// the end of year 9998.
func (c *Cron) Next(after time.Time, zone *time.Location) (time.Time, bool) {
	if zone == nil {
		zone = time.UTC
	}
	s := source{cron: c}
	t, _, ok := s.next(after.Unix(), zone, c.interval)
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(t, 0).UTC(), true
}

// next returns the first fire strictly after an instant and the local time of it
// that the schedule names, which lies before the local time of the fire when that
// is the end of a gap. interval says by which of the two rules above.
func (s *source) next(after int64, zone *time.Location, interval bool) (t, wall int64, ok bool) {
	t = max(after, firstInstant)
	if s.cron.never || t >= lastInstant {
		return 0, 0, false
	}
	span := s.cron.spanAt(zone, t)
	wall = t + span.offset
	if !interval {
		wall = max(wall, span.peak-1)
	}
	if wall, ok = s.wallFrom(wall + 1); !ok {
		return 0, 0, false
	}
	if wall < span.until+span.offset {
		t = wall - span.offset
		return t, wall, t <= lastInstant
	}
	if interval {
		t, wall, ok = s.nextInterval(zone, span.until)
	} else {
		t = firstShown(zone, span.until, wall)
	}
	return t, wall, ok && t <= lastInstant
}

// nextInterval returns the first instant from t on whose local time matches, and
// that local time.
func (s *source) nextInterval(zone *time.Location, t int64) (at, wall int64, ok bool) {
	end := t + searchYears*366*daySeconds
	for t < end {
		// No local time from t on is earlier than t-slack. If nothing matches
		// for long, skip the spans in between.
		far, ok := s.wallFrom(t - slack)
		if !ok {
			return 0, 0, false
		}
		t = max(t, far-slack)
		offset, until := offsetAt(zone, t)
		if wall, ok = s.wallFrom(t + offset); !ok {
			return 0, 0, false
		}
		if wall < until+offset {
			return wall - offset, wall, true
		}
		t = until
	}
	return 0, 0, false
}

// firstShown returns the first instant from t on at which the zone's clocks
// show wall or later; they must not have done so before t.
func firstShown(zone *time.Location, t, wall int64) int64 {
	t = max(t, wall-slack)
	for {
		offset, until := offsetAt(zone, t)
		if wall < until+offset {
			return max(t, wall-offset)
		}
		t = until
	}
}

// wallFrom returns the first matching wall second that is not before wall.
func (c *Cron) wallFrom(wall int64) (int64, bool) {
	s := source{cron: c}
	return s.wallFrom(wall)
}

// wallFrom returns the first matching wall second that is not before wall.
func (s *source) wallFrom(wall int64) (int64, bool) {
	date := floorDay(wall)
	if match, ok := s.dateFrom(date); !ok {
		return 0, false
	} else if match == date {
		if second, ok := s.cron.timeFrom(int(wall - date*daySeconds)); ok {
			return date*daySeconds + int64(second), true
		}
		if match, ok = s.dateFrom(date + 1); !ok {
			return 0, false
		}
		date = match
	} else {
		date = match
	}
	second, _ := s.cron.timeFrom(0)
	return date*daySeconds + int64(second), true
}

// floorDay is the day number of a wall second from year 1 on.
func floorDay(wall int64) int64 {
	const shift = 800_000 // days, to divide a positive number
	return int64(uint64(wall+shift*daySeconds)/daySeconds) - shift
}

// timeFrom returns the first matching second of a day that is not before
// second, if any is left that day.
func (c *Cron) timeFrom(second int) (int, bool) {
	h, m, s := second/3600, second/60%60, second%60
	if c.hour>>h&1 == 1 {
		if c.minute>>m&1 == 1 {
			if rest := c.second >> s; rest != 0 {
				return second + bits.TrailingZeros64(rest), true
			}
		}
		if rest := c.minute >> (m + 1); rest != 0 {
			m += 1 + bits.TrailingZeros64(rest)
			return h*3600 + m*60 + bits.TrailingZeros64(c.second), true
		}
	}
	if rest := c.hour >> (h + 1); rest != 0 {
		h += 1 + bits.TrailingZeros64(rest)
		return h*3600 + bits.TrailingZeros64(c.minute)*60 + bits.TrailingZeros64(c.second), true
	}
	return 0, false
}

// dateFrom returns the first matching date that is not before the given one.
func (c *Cron) dateFrom(date int64) (int64, bool) {
	if c.everyDay {
		return date, date <= lastDate
	}
	year, month, day := civil(date)
	for end := min(year+searchYears, lastYear); year <= end; {
		if c.years != nil {
			match, ok := c.years.from(year)
			if !ok {
				return 0, false
			}
			if match != year {
				year, month, day = match, 1, 1
			}
		}
		for rest := c.months >> month; rest != 0; rest = c.months >> month {
			if skip := bits.TrailingZeros16(rest); skip > 0 {
				month, day = month+skip, 1
			}
			first := dayNumber(year, month, 1)
			days := c.days[weekdayOf(first)][monthLength(year, month)-28]
			if left := days >> day; left != 0 {
				return first + int64(day+bits.TrailingZeros32(left)) - 1, true
			}
			month, day = month+1, 1
		}
		year, month, day = year+1, 1, 1
	}
	return 0, false
}
