package schedule

import "math/bits"

// A calendar changes the dates of a schedule, never its times of day: the local
// times that an expression names on a rest day do not happen (SKIP), or happen on
// another date. So a schedule with a calendar is the same schedule with another
// source of dates, and moved times follow the rule for fixed times when the clocks
// change on the new date: the end of the gap, the first of two passes.
//
// It is the local time that the expression names which is moved, not the instant
// of the fire: what was put off to the end of a gap on the rest day has its own
// time of day again on the working day.

func (c *Calendar) restWeekday(date int64) bool { return c.rest>>weekdayOf(date)&1 == 1 }

// dated reports whether a date lies within the bits.
func (c *Calendar) dated(date int64) bool {
	return date >= c.first && date < c.first+int64(len(c.work))*64
}

// working reports whether a date is a working day.
func (c *Calendar) working(date int64) bool {
	if c.dated(date) {
		at := date - c.first
		return c.work[at/64]>>(at%64)&1 == 1
	}
	return !c.restWeekday(date)
}

// next returns the first date from the given one on that is a working day, or a
// rest day. It looks at whole words, so that a thousand holidays in a row cost
// some nanoseconds.
func (c *Calendar) next(date int64, working bool) (int64, bool) {
	for date <= lastDate {
		if !c.dated(date) {
			match, found := c.nextWeekday(date, working)
			if found && (date > c.first || match < c.first || len(c.work) == 0) {
				return match, match <= lastDate
			}
			if date > c.first || len(c.work) == 0 {
				return 0, false
			}
			date = c.first
			continue
		}
		at := date - c.first
		word := c.work[at/64]
		if !working {
			word = ^word
		}
		if rest := word >> (at % 64); rest != 0 {
			return date + int64(bits.TrailingZeros64(rest)), true
		}
		date = c.first + (at/64+1)*64
	}
	return 0, false
}

// nextWeekday is next by the weekday alone.
func (c *Calendar) nextWeekday(date int64, working bool) (int64, bool) {
	for range 7 {
		if c.restWeekday(date) != working {
			return date, true
		}
		date++
	}
	return 0, false
}

// previous returns the last working day up to the given date.
func (c *Calendar) previous(date int64) (int64, bool) {
	for date >= firstDate {
		if !c.dated(date) {
			end := c.first + int64(len(c.work))*64 - 1
			behind := len(c.work) > 0 && date > end // the bits lie before it
			for back := range int64(7) {
				if behind && date-back <= end {
					break
				}
				if !c.restWeekday(date - back) {
					return date - back, date-back >= firstDate
				}
			}
			if !behind {
				return 0, false
			}
			date = end
			continue
		}
		at := date - c.first
		if rest := c.work[at/64] << (63 - at%64); rest != 0 {
			return date - int64(bits.LeadingZeros64(rest)), true
		}
		date = c.first + at/64*64 - 1
	}
	return 0, false
}

// end is the last date that the bits tell of; after it only weekdays count.
func (c *Calendar) end() int64 { return c.first + int64(len(c.work))*64 }

// moved returns the working day to which a rest day's fires go, if there is one.
func (c *Calendar) moved(date int64, rule RestRule) (int64, bool) {
	switch rule {
	case RestNext:
		return c.next(date, true)
	case RestPrevious:
		return c.previous(date)
	case RestSkip:
	}
	return 0, false
}

// dateKind says which dates a source answers.
type dateKind uint8

const (
	allDates     dateKind = iota // those of the expression
	workingDates                 // of these, the working days
	movedDates                   // the working days to which fires of rest days go
	finalDates                   // the two together
)

// source answers the dates of a schedule: those of the expression alone, or as a
// calendar leaves them.
type source struct {
	cron     *Cron
	calendar *Calendar // nil for allDates
	rule     RestRule
	kind     dateKind
	limit    int64 // movedDates: looks no further than this date
}

// dateFrom returns the first date that is not before the given one.
func (s *source) dateFrom(date int64) (int64, bool) {
	switch s.kind {
	case workingDates:
		return s.workingFrom(date)
	case movedDates:
		return s.movedFrom(date)
	case finalDates:
		return s.finalFrom(date)
	case allDates:
	}
	return s.cron.dateFrom(date)
}

// period is after how many days weekdays and dates repeat: 400 years.
const period = 146_097

// workingFrom jumps from rest to rest, at most through one period of dates and
// weekdays behind the last dated day.
func (s *source) workingFrom(date int64) (int64, bool) {
	for end := max(date, s.calendar.end()) + period; date <= end; {
		match, ok := s.cron.dateFrom(date)
		if !ok {
			return 0, false
		}
		if date, ok = s.calendar.next(match, true); !ok {
			return 0, false
		}
		if date == match {
			return match, true
		}
	}
	return 0, false
}

// origin returns the first date whose fires may end on the given date or later.
func (s *source) origin(date int64) (int64, bool) {
	if s.rule == RestPrevious {
		return s.calendar.next(date, true)
	}
	if last, ok := s.calendar.previous(date - 1); ok {
		return last + 1, true
	}
	return firstDate, true
}

// finalFrom needs one look: moving keeps the order of dates, so that the first
// date of the expression becomes the first of all.
func (s *source) finalFrom(date int64) (int64, bool) {
	from, ok := s.origin(date)
	if !ok {
		return 0, false
	}
	match, ok := s.cron.dateFrom(from)
	if !ok || s.calendar.working(match) {
		return match, ok
	}
	return s.calendar.moved(match, s.rule)
}

// movedFrom jumps from one run of rest days to the next.
func (s *source) movedFrom(date int64) (int64, bool) {
	from, ok := s.origin(date)
	for end := max(date, s.calendar.end()) + period; ok && from <= min(end, s.limit+1); {
		if from, ok = s.calendar.next(from, false); !ok {
			break
		}
		var match int64
		if match, ok = s.cron.dateFrom(from); !ok {
			break
		}
		if !s.calendar.working(match) {
			return s.calendar.moved(match, s.rule)
		}
		from = match
	}
	return 0, false
}
