package schedule

import (
	"math/bits"
	"sync/atomic"
)

// Cron is a compiled cron expression. It does not change after ParseCron and
// may be used from several goroutines; it must not be copied.
type Cron struct {
	second, minute, hour uint64    // bit v: value v matches
	months               uint16    // bit m: month m matches
	days                 monthDays // which days of a month match
	years                *yearSet  // nil: every year
	everyDay             bool      // every date matches
	interval             bool      // keeps elapsed time over clock changes
	never                bool      // no date matches
	dialect              Dialect
	text                 string // canonical
	hashed               bool   // an H was written

	// recent remembers the stretch of zone time last looked up. It saves the
	// two look-ups that would otherwise take most of the time of Next, and
	// never changes an answer.
	recent atomic.Pointer[span]
}

// yearSet is the year field: bit y-minYear.
type yearSet [(maxYear-minYear)/64 + 1]uint64

func (y *yearSet) add(year int) { y[(year-minYear)/64] |= 1 << ((year - minYear) % 64) }

// from returns the first year in the set that is not before year.
func (y *yearSet) from(year int) (int, bool) {
	at := max(year-minYear, 0)
	for word := at / 64; word < len(y); word++ {
		rest := y[word]
		if word == at/64 {
			rest &= ^uint64(0) << (at % 64)
		}
		if rest != 0 {
			return minYear + word*64 + bits.TrailingZeros64(rest), true
		}
	}
	return 0, false
}

// ParseCron compiles a cron expression of five fields (minute hour day month
// weekday), six (second first) or seven (second first, year last), or a macro
// such as @daily. Every H in it is resolved with the hash of seed. The error
// is a *ParseError.
//
// An expression that is well formed but names only dates that do not exist,
// such as 30 February, is no error: see [Cron.Never].
func ParseCron(expression, seed string) (*Cron, error) {
	e, err := parse(expression, seed)
	if err != nil {
		return nil, err
	}
	return e.compile(), nil
}

func (e *expression) compile() *Cron {
	rules := newDayRules(e)
	c := &Cron{
		second:   e.bits(fieldSecond),
		minute:   e.bits(fieldMinute),
		hour:     e.bits(fieldHour),
		months:   uint16(e.bits(fieldMonth)),
		days:     *rules.months(),
		years:    e.years(),
		interval: e.interval(),
		dialect:  e.dialect,
		text:     e.String(),
		hashed:   e.hashed,
	}
	c.everyDay = c.matchesEveryDay()
	_, ok := c.dateFrom(dayNumber(minYear, 1, 1))
	c.never = !ok
	return c
}

// bits returns the values of a field of plain items.
func (e *expression) bits(id fieldID) uint64 {
	spec := specOf(Quartz, id) // Unix has no second, and its minute to month are the same
	var set uint64
	for _, i := range e.fields[id].items {
		set |= i.bits(spec)
	}
	return set
}

// years returns nil if every year matches, also those beyond maxYear.
func (e *expression) years() *yearSet {
	f := e.fields[fieldYear]
	var set yearSet
	for _, i := range f.items {
		if i.form == formAny && i.step == 0 {
			return nil
		}
		low, high := i.low, i.high
		if i.form == formAny {
			low, high = minYear, maxYear
		}
		for year := low; year <= high; year += max(i.step, 1) {
			set.add(year)
		}
	}
	return &set
}

func (c *Cron) matchesEveryDay() bool {
	if c.years != nil || c.months != 1<<13-2 {
		return false
	}
	for _, kinds := range c.days {
		for extra, days := range kinds {
			if days != 1<<(29+extra)-2 {
				return false
			}
		}
	}
	return true
}

// Dialect tells which dialect the expression was read as. Macros are Unix.
func (c *Cron) Dialect() Dialect { return c.dialect }

// String returns the canonical expression: macros written out, names in upper
// case, every H replaced by what it became. Parsed again it gives the same
// schedule.
func (c *Cron) String() string { return c.text }

// Hashed reports whether the expression has an H, so that its fires depend on the
// seed.
func (c *Cron) Hashed() bool { return c.hashed }

// Never reports whether the schedule can never fire, whatever the zone and the
// instant.
func (c *Cron) Never() bool { return c.never }

// perDay is the number of matching times of an ordinary day.
func (c *Cron) perDay() int {
	return bits.OnesCount64(c.second) * bits.OnesCount64(c.minute) * bits.OnesCount64(c.hour)
}

// parsed returns the canonical expression's items again. They are needed only
// for words, so that a million schedules need not hold them. Canonical text
// always parses, which the tests of String hold.
func (c *Cron) parsed() *expression {
	e, _ := parse(c.text, "")
	return e
}
