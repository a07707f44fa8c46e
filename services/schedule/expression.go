package schedule

import (
	"strconv"
	"strings"
)

// form is the shape of one entry of a field.
type form uint8

const (
	formAny         form = iota // * and */n
	formNone                    // ?
	formSpan                    // a, a-b, a/n, a-b/n
	formLast                    // day: L, L-n
	formLastWorkday             // day: LW, L-nW
	formNearest                 // day: nW
	formLastOf                  // weekday: nL
	formNth                     // weekday: n#k
)

// item is one entry of a field's list. low above high is a range that wraps.
type item struct {
	form      form
	low, high int
	step      int  // 0: none written
	open      bool // a/n: the range runs to the end of the field
	nth       int  // formNth: 1-5; formLast, formLastWorkday: days before the last
	lowName   bool // low was written as a name
	highName  bool // high was written as a name
}

// single reports whether the item is one plain value.
func (i item) single() bool { return i.form == formSpan && i.low == i.high && i.step == 0 }

// field is the parsed list of one field and the byte offset it began at.
type field struct {
	items []item
	at    int
}

// any reports whether the field is exactly *.
func (f field) any() bool {
	return len(f.items) == 1 && f.items[0].form == formAny && f.items[0].step == 0
}

// none reports whether the field is exactly ?.
func (f field) none() bool { return len(f.items) == 1 && f.items[0].form == formNone }

// free reports whether the field leaves everything open: * or ?.
func (f field) free() bool { return f.any() || f.none() }

// starred reports whether the field begins with *, which makes a five-field
// day field count as unrestricted even when it has a step.
func (f field) starred() bool { return f.items[0].form == formAny }

// stepped reports whether the field contains * or a step.
func (f field) stepped() bool {
	for _, i := range f.items {
		if i.form == formAny || i.step > 0 {
			return true
		}
	}
	return false
}

// expression is a parsed cron expression with every H resolved. Five-field
// expressions hold second 0 and year *.
type expression struct {
	dialect Dialect
	fields  [fieldCount]field
	hasYear bool // the year was written
	hashed  bool // an H was written
}

// interval reports whether the schedule keeps the rhythm of elapsed time over
// clock changes: its second, minute or hour field contains * or a step.
// Everything else names fixed times of the day.
func (e *expression) interval() bool {
	return e.fields[fieldSecond].stepped() || e.fields[fieldMinute].stepped() || e.fields[fieldHour].stepped()
}

// fieldRange returns the first and last field that are written out.
func (e *expression) fieldRange() (first, last fieldID) {
	switch {
	case e.dialect == Unix:
		return fieldMinute, fieldWeekday
	case e.hasYear:
		return fieldSecond, fieldYear
	default:
		return fieldSecond, fieldWeekday
	}
}

// String prints the expression in canonical form: one blank between fields,
// names in upper case, no leading zeros, every H replaced by what it became.
func (e *expression) String() string {
	var b strings.Builder
	first, last := e.fieldRange()
	for id := first; id <= last; id++ {
		if id > first {
			b.WriteByte(' ')
		}
		spec := specOf(e.dialect, id)
		for n, i := range e.fields[id].items {
			if n > 0 {
				b.WriteByte(',')
			}
			i.print(&b, spec)
		}
	}
	return b.String()
}

func (i item) print(b *strings.Builder, spec *fieldSpec) {
	switch i.form {
	case formAny:
		b.WriteByte('*')
	case formNone:
		b.WriteByte('?')
	case formSpan:
		b.WriteString(spec.word(i.low, i.lowName))
		if !i.open && (i.low != i.high || i.step > 0) {
			b.WriteString("-" + spec.word(i.high, i.highName))
		}
	case formLast, formLastWorkday:
		b.WriteByte('L')
		if i.nth > 0 {
			b.WriteString("-" + strconv.Itoa(i.nth))
		}
		if i.form == formLastWorkday {
			b.WriteByte('W')
		}
	case formNearest:
		b.WriteString(strconv.Itoa(i.low) + "W")
	case formLastOf:
		b.WriteString(spec.word(i.low, i.lowName) + "L")
	case formNth:
		b.WriteString(spec.word(i.low, i.lowName) + "#" + strconv.Itoa(i.nth))
	}
	if i.step > 0 {
		b.WriteString("/" + strconv.Itoa(i.step))
	}
}

// word prints a value as its name if it was written as one. The second
// Sunday of a five-field week, 7, has no name of its own.
func (s *fieldSpec) word(value int, named bool) string {
	if named && s.hasName(value) {
		return s.names[value-s.low]
	}
	return strconv.Itoa(value)
}
