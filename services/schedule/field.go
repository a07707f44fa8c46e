package schedule

// Dialect says how an expression is read: which fields it has and how it
// numbers the days of the week.
type Dialect string

// The dialects.
const (
	// Unix is the five-field form: minute hour day month weekday, with
	// 0 or 7 = Sunday.
	Unix Dialect = "unix"
	// Quartz is the six- and seven-field form: second first, an optional
	// year last, with 1 = Sunday.
	Quartz Dialect = "quartz"
)

// fieldID indexes the fields in the order of a seven-field expression.
type fieldID int

const (
	fieldSecond fieldID = iota
	fieldMinute
	fieldHour
	fieldDay
	fieldMonth
	fieldWeekday
	fieldYear
	fieldCount
)

const (
	minYear = 1970 // lowest year of the year field
	maxYear = 2099 // highest year of the year field
)

// fieldSpec is what a field accepts.
type fieldSpec struct {
	name      string
	low, high int
	names     []string // three letters, upper case; names[i] means low+i
	// hashHigh is the highest value a bare H takes: 28 for days, so that the
	// day exists in every month, and 6 for five-field weekdays, so that
	// Sunday, which is both 0 and 7, is not twice as likely.
	hashHigh int
	allowed  string // what may stand in the field, for error messages
}

var (
	monthNames   = []string{"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"}
	weekdayNames = []string{"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"}
)

var unixFields = [fieldCount]*fieldSpec{
	fieldMinute: &minuteSpec,
	fieldHour:   &hourSpec,
	fieldDay: {
		name: "day", low: 1, high: 31, hashHigh: 28,
		allowed: "1-31, *, lists (1,15), ranges (1-7), steps (*/2), L, L-3, LW, 15W or H",
	},
	fieldMonth: &monthSpec,
	fieldWeekday: {
		name: "weekday", low: 0, high: 7, names: weekdayNames, hashHigh: 6,
		allowed: "0-7 (0 and 7 are Sunday), SUN-SAT, *, lists (1,3), ranges (MON-FRI), steps (*/2), 5L, 5#2 or H",
	},
}

var quartzFields = [fieldCount]*fieldSpec{
	fieldSecond: {
		name: "second", low: 0, high: 59, hashHigh: 59,
		allowed: "0-59, *, lists (0,30), ranges (10-20), steps (*/5) or H",
	},
	fieldMinute: &minuteSpec,
	fieldHour:   &hourSpec,
	fieldDay: {
		name: "day", low: 1, high: 31, hashHigh: 28,
		allowed: "1-31, *, ?, lists (1,15), ranges (1-7), steps (*/2), L, L-3, LW, 15W or H",
	},
	fieldMonth: &monthSpec,
	fieldWeekday: {
		name: "weekday", low: 1, high: 7, names: weekdayNames, hashHigh: 7,
		allowed: "1-7 (1 is Sunday), SUN-SAT, *, ?, lists (2,4), ranges (MON-FRI), steps (*/2), 6L, 6#2 or H",
	},
	fieldYear: {
		name: "year", low: minYear, high: maxYear,
		allowed: "1970-2099, *, lists (2027,2029), ranges (2026-2030) or steps (2026/2)",
	},
}

var (
	minuteSpec = fieldSpec{
		name: "minute", low: 0, high: 59, hashHigh: 59,
		allowed: "0-59, *, lists (0,30), ranges (10-20), steps (*/5) or H",
	}
	hourSpec = fieldSpec{
		name: "hour", low: 0, high: 23, hashHigh: 23,
		allowed: "0-23, *, lists (8,20), ranges (9-17), steps (*/2) or H",
	}
	monthSpec = fieldSpec{
		name: "month", low: 1, high: 12, names: monthNames, hashHigh: 12,
		allowed: "1-12, JAN-DEC, *, lists (1,7), ranges (MAR-MAY), steps (*/3) or H",
	}
)

// specOf returns what field id accepts in dialect; it is nil for a field the
// dialect does not have.
func specOf(dialect Dialect, id fieldID) *fieldSpec {
	if dialect == Unix {
		return unixFields[id]
	}
	return quartzFields[id]
}

// size is the number of values in the field, the distance a range wraps by.
func (s *fieldSpec) size() int { return s.high - s.low + 1 }

// hasName reports whether value, which is within the field, can be written as
// a name.
func (s *fieldSpec) hasName(value int) bool { return value-s.low < len(s.names) }
