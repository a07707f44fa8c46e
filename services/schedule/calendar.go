package schedule

import (
	"fmt"
	"slices"
	"time"
)

// RestRule says what becomes of a fire that falls on a rest day of the calendar.
type RestRule string

// The rules. The empty rule is SKIP.
const (
	RestSkip     RestRule = "SKIP"                 // it does not happen
	RestNext     RestRule = "NEXT_WORKING_DAY"     // it happens at the same local time of the next working day
	RestPrevious RestRule = "PREVIOUS_WORKING_DAY" // … of the working day before
)

// QuietRule says what becomes of a fire within a quiet window.
type QuietRule string

// The rules.
const (
	QuietSkip  QuietRule = "SKIP"  // it does not happen; wins where windows overlap
	QuietDelay QuietRule = "DELAY" // it is put off to the window's end
)

// Bounds of a calendar.
const (
	MaxCalendarDays  = 2_000
	MaxQuietWindows  = 10
	FirstCalendarDay = "1970-01-01"
	LastCalendarDay  = "2199-12-31"
)

// CalendarSpec describes a calendar.
type CalendarSpec struct {
	Name     string         // for descriptions
	RestDays []time.Weekday // rest on each of these, unless a dated day says otherwise
	Days     []CalendarDay  // in any order, each date once
	Quiet    []QuietWindow
}

// CalendarDay is a date that is not what its weekday says.
type CalendarDay struct {
	Date string // 2026-10-01
	Work bool   // a working day that makes up for one; else a rest day
	Name string
}

// QuietWindow is a time of day in which nothing fires, in the local time of the
// job. From and To are minutes of the day; the window ends before To, on the next
// day when To is not after From (a whole day when they are equal).
type QuietWindow struct {
	Days     []time.Weekday // of its beginning; none: every day
	From, To int            // 0 to 1439
	Rule     QuietRule
}

// CalendarError says which part of a CalendarSpec is wrong.
type CalendarError struct {
	Field   string // dotted path, such as days.3.date
	Message string // a sentence without final stop
}

// Error implements error.
func (e *CalendarError) Error() string { return e.Message }

// Calendar says on which dates and at which times of day a cron trigger may fire.
// It does not change and may be shared.
type Calendar struct {
	name  string
	rest  uint8         // bit w: weekday w is a rest day, 0 = Sunday
	days  []CalendarDay // by date
	first int64         // day number of the first bit of work
	work  []uint64      // bit d: date first+d is a working day; covers all dated days
	quiet *quietWeek    // nil: none
}

// NewCalendar compiles a calendar. The error is a *CalendarError: a date that does
// not exist, is out of bounds or comes twice; a window that is none; too many of
// either; a week without working days and no dated one.
func NewCalendar(spec CalendarSpec) (*Calendar, error) {
	c := &Calendar{name: spec.Name, days: slices.Clone(spec.Days)}
	for _, day := range spec.RestDays {
		c.rest |= 1 << day
	}
	numbers, err := spec.numbers()
	if err != nil {
		return nil, err
	}
	working := func(d CalendarDay) bool { return d.Work }
	if c.rest == allWeek && !slices.ContainsFunc(spec.Days, working) {
		return nil, calendarError("restDays", "all seven days of the week are rest days and no dated working day is left; take a day out")
	}
	slices.SortFunc(c.days, func(a, b CalendarDay) int { return compareText(a.Date, b.Date) })
	c.fill(numbers)
	if c.quiet, err = newQuietWeek(spec.Quiet); err != nil {
		return nil, err
	}
	return c, nil
}

const allWeek = 1<<7 - 1

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func calendarError(field, format string, args ...any) *CalendarError {
	return &CalendarError{Field: field, Message: fmt.Sprintf(format, args...)}
}

// numbers answers the day number of each dated day and whether it is a working one.
func (s *CalendarSpec) numbers() (map[int64]bool, error) {
	if len(s.Days) > MaxCalendarDays {
		return nil, calendarError("days", "the calendar has %d dated days; keep it within %d, for example by leaving out past years", len(s.Days), MaxCalendarDays)
	}
	numbers := make(map[int64]bool, len(s.Days))
	for i, day := range s.Days {
		field := fmt.Sprintf("days.%d.date", i)
		number, err := parseDate(day.Date)
		if err != nil {
			return nil, calendarError(field, "%s", err.Error())
		}
		if _, twice := numbers[number]; twice {
			return nil, calendarError(field, "the date %s comes twice; leave one out", day.Date)
		}
		numbers[number] = day.Work
	}
	return numbers, nil
}

// parseDate answers the day number of a date of a calendar.
func parseDate(date string) (int64, error) {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil || len(date) != len(time.DateOnly) {
		return 0, fmt.Errorf("%q is no date; write it like 2026-10-01", cutText(date))
	}
	if date < FirstCalendarDay || date > LastCalendarDay {
		return 0, fmt.Errorf("the date %s is out of range; use %s to %s", date, FirstCalendarDay, LastCalendarDay)
	}
	return at.Unix() / daySeconds, nil
}

// CheckDate says in a sentence, without final stop, what is wrong with a date of a
// calendar; nil when nothing is.
func CheckDate(date string) error {
	_, err := parseDate(date)
	return err
}

func cutText(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// fill makes the bits of the stretch from the first to the last dated day.
func (c *Calendar) fill(numbers map[int64]bool) {
	if len(numbers) == 0 {
		return
	}
	low, high := lastDate, int64(0)
	for number := range numbers {
		low, high = min(low, number), max(high, number)
	}
	c.first = low
	c.work = make([]uint64, (high-low)/64+1)
	for i := range int64(len(c.work)) * 64 {
		working, dated := numbers[low+i]
		if !dated {
			working = !c.restWeekday(low + i)
		}
		if working {
			c.work[i/64] |= 1 << (i % 64)
		}
	}
}

// Name is the calendar's name.
func (c *Calendar) Name() string { return c.name }

// Days lists the dated days whose local date in zone lies in (after, upTo], by
// date, at most limit.
func (c *Calendar) Days(after, upTo time.Time, zone *time.Location, limit int) []CalendarDay {
	list := []CalendarDay{}
	from, to := after.In(zone).Format(time.DateOnly), upTo.In(zone).Format(time.DateOnly)
	for _, day := range c.days {
		if day.Date >= from && day.Date <= to && len(list) < limit {
			list = append(list, day)
		}
	}
	return list
}
