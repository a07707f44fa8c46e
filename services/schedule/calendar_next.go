package schedule

import "time"

// maxTakenOut is how many fires in a row quiet windows may take out before a
// trigger counts as one that never fires: almost thirty years of a daily one.
const maxTakenOut = 10_000

// calendared is a cron schedule as its calendar leaves it.
type calendared struct {
	cron     *Cron
	zone     *time.Location
	calendar *Calendar
	rule     RestRule
}

// next returns the first fire strictly after an instant.
func (c *calendared) next(after int64) (int64, bool) {
	q := c.calendar.quiet
	if q == nil {
		return c.planned(after)
	}
	if q.always {
		return 0, false
	}
	after = max(after, firstInstant)
	// What was delayed up to now counts, too. What is answered lies after it.
	from := min(after, q.since(c.zone, after)-1)
	for range maxTakenOut {
		t, ok := c.planned(from)
		if !ok {
			return 0, false
		}
		at, ok := q.settle(c.zone, t)
		switch {
		case ok && at > after:
			return at, at <= lastInstant
		case ok:
			from = t
		default:
			from = c.skipped(t)
		}
	}
	return 0, false
}

// skipped answers the last instant up to which everything from t on is taken out
// as t is.
func (c *calendared) skipped(t int64) int64 {
	offset, until := offsetAt(c.zone, t)
	end, ok := c.calendar.quiet.skip.end(t + offset)
	if !ok {
		end, ok = c.calendar.quiet.delay.end(t + offset)
	}
	if !ok {
		return t // it was put off by one window into another
	}
	return max(min(end-offset, until)-1, t)
}

// planned returns the first fire strictly after an instant, quiet windows not
// counted.
func (c *calendared) planned(after int64) (int64, bool) {
	s := source{cron: c.cron, calendar: c.calendar, rule: c.rule, kind: workingDates}
	if c.rule != RestNext && c.rule != RestPrevious {
		t, _, ok := s.next(after, c.zone, c.cron.interval)
		return t, ok
	}
	if !c.cron.interval {
		s.kind = finalDates
		t, _, ok := s.next(after, c.zone, false)
		return t, ok
	}
	// An interval's own fires follow the rule for intervals, those that come from
	// rest days the rule for fixed times.
	own, _, ok := s.next(after, c.zone, true)
	s.kind, s.limit = movedDates, lastDate
	if ok {
		s.limit = floorDay(own + slack)
	}
	if moved, _, also := s.next(after, c.zone, false); also && (!ok || moved < own) {
		return moved, true
	}
	return own, ok
}

// outcome is what the calendar makes of one fire of the bare expression.
type outcome struct {
	at     int64 // when it happens; 0: it does not
	reason Reason
	until  int64 // local times before it, from the fire's own on, fare alike as to reason
}

// judge says what becomes of the fire at t, whose local time the expression names
// as wall. Outcome.reason is empty if it happens just then.
func (c *calendared) judge(t, wall int64) outcome {
	date := floorDay(wall)
	o := outcome{at: t, until: (date + 1) * daySeconds}
	if !c.calendar.working(date) {
		o.reason = ReasonRestDay
		to, ok := c.calendar.moved(date, c.rule)
		if !ok {
			o.at = 0
			return o
		}
		shown := to*daySeconds + wall - date*daySeconds
		o.at = firstShown(c.zone, shown-slack, shown)
	}
	q := c.calendar.quiet
	if q == nil {
		return o
	}
	o.until = min(o.until, wall+c.even(o.at))
	at, ok := q.settle(c.zone, o.at)
	switch {
	case !ok:
		o.reason = ReasonQuiet
	case at == t: // perhaps put off to where it was moved from
		o.reason = ""
	case o.reason == "":
		o.reason = ReasonQuiet
	}
	o.at = at
	return o
}

// even answers for how many seconds from an instant on neither the clocks nor the
// quiet windows change.
func (c *calendared) even(at int64) int64 {
	offset, until := offsetAt(c.zone, at)
	return max(min(c.calendar.quiet.changes(at+offset)-offset, until)-at, 1)
}

// changes answers the next local time at which a window begins or ends.
func (q *quietWeek) changes(wall int64) int64 {
	next := wall + weekMinutes*60
	for _, w := range []week{q.skip, q.delay} {
		if len(w) == 0 {
			continue
		}
		if end, ok := w.end(wall); ok {
			next = min(next, end)
		} else {
			next = min(next, w.opens(wall))
		}
	}
	return next
}
