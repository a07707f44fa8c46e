package schedule

import (
	"fmt"
	"unicode/utf8"
)

// scanner reads the list of one field. It works on bytes of the upper-cased
// text, which has the same offsets as the text itself.
type scanner struct {
	dialect     Dialect
	id          fieldID
	spec        *fieldSpec
	seed        string
	text, upper string // the whole expression, as written and upper-cased
	pos, end    int    // what is left of the field
	metH        bool   // an H was read
}

// fail builds an error at a byte offset and appends what the field takes.
func (s *scanner) fail(at int, format string, args ...any) error {
	return &ParseError{
		Field:    s.spec.name,
		Position: characterAt(s.text, at),
		Message:  fmt.Sprintf(format, args...) + "; this field takes " + s.spec.allowed,
	}
}

// peek returns the next byte, 0 at the end of the field.
func (s *scanner) peek() byte {
	if s.pos < s.end {
		return s.upper[s.pos]
	}
	return 0
}

func (s *scanner) accept(b byte) bool {
	if s.peek() != b {
		return false
	}
	s.pos++
	return true
}

// list reads comma-separated items up to the end of the field.
func (s *scanner) list() ([]item, error) {
	start := s.pos
	var items []item
	for {
		i, err := s.item()
		if err != nil {
			return nil, err
		}
		items = append(items, i)
		if s.pos == s.end {
			break
		}
		if !s.accept(',') {
			return nil, s.unexpected()
		}
	}
	for _, i := range items {
		if i.form == formNone && len(items) > 1 {
			return nil, s.fail(start, "? must stand alone")
		}
	}
	return items, nil
}

// unexpected reports the character the scanner is at.
func (s *scanner) unexpected() error {
	if s.pos == s.end || s.peek() == ',' {
		return s.fail(s.pos, "a value is missing here")
	}
	r, _ := utf8.DecodeRuneInString(s.text[s.pos:])
	if r < ' ' || r > '~' {
		return s.fail(s.pos, "the character %+q is not allowed", r)
	}
	return s.fail(s.pos, "unexpected %q", r)
}

func (s *scanner) item() (item, error) {
	dayField := s.id == fieldDay || s.id == fieldWeekday
	switch b := s.peek(); {
	case b == '*':
		s.pos++
		return s.step(item{form: formAny})
	case b == '?':
		if s.dialect == Unix || !dayField {
			return item{}, s.fail(s.pos, "? is allowed only in the day and weekday fields of six and seven fields")
		}
		s.pos++
		return item{form: formNone}, nil
	case b == 'H' && !isLetter(s.after()):
		return s.hashed()
	case b == 'L' && s.id == fieldDay:
		return s.lastDay()
	case b == 'L' && s.id == fieldWeekday:
		s.pos++
		saturday := s.spec.low + 6
		return item{form: formSpan, low: saturday, high: saturday, lowName: true, highName: true}, nil
	}
	return s.value()
}

// after returns the byte behind the next one, 0 at the end of the field.
func (s *scanner) after() byte {
	if s.pos+1 < s.end {
		return s.upper[s.pos+1]
	}
	return 0
}

func isLetter(b byte) bool { return b >= 'A' && b <= 'Z' }
func isDigit(b byte) bool  { return b >= '0' && b <= '9' }

// value reads everything that begins with a number or a name.
func (s *scanner) value() (item, error) {
	start := s.pos
	low, named, err := s.atom()
	if err != nil {
		return item{}, err
	}
	i := item{form: formSpan, low: low, high: low, lowName: named, highName: named}
	switch {
	case s.id == fieldDay && s.accept('W'):
		i.form = formNearest
		return i, nil
	case s.id == fieldWeekday && s.accept('L'):
		i.form = formLastOf
		return i, nil
	case s.id == fieldWeekday && s.accept('#'):
		i.form = formNth
		i.nth, err = s.number(1, 5, "the number after #")
		return i, err
	case s.accept('-'):
		if i.high, i.highName, err = s.atom(); err != nil {
			return item{}, err
		}
		if err := s.checkOrder(start, i.low, i.high); err != nil {
			return item{}, err
		}
		return s.step(i)
	}
	if i, err = s.step(i); i.step > 0 {
		i.open, i.high, i.highName = true, s.spec.high, false
	}
	return i, err
}

// checkOrder refuses a reversed range where ranges do not wrap.
func (s *scanner) checkOrder(start, low, high int) error {
	switch {
	case low <= high:
		return nil
	case s.id == fieldYear:
		return s.fail(start, "the range %d-%d is reversed; years do not wrap", low, high)
	case s.dialect == Unix && s.id == fieldWeekday && high == 0:
		return s.fail(start, "the range is reversed; write the Sunday at its end as 7")
	case s.dialect == Unix:
		return s.fail(start, "the range %s is reversed; five-field ranges do not wrap: write it as two ranges with a comma", s.text[start:s.pos])
	}
	return nil
}

// step reads an optional /n behind i.
func (s *scanner) step(i item) (item, error) {
	if !s.accept('/') {
		return i, nil
	}
	var err error
	i.step, err = s.number(1, s.spec.high, "the step")
	return i, err
}

// lastDay reads L, L-n, LW and L-nW.
func (s *scanner) lastDay() (item, error) {
	s.pos++
	i := item{form: formLast}
	if s.accept('-') {
		var err error
		if i.nth, err = s.number(0, 30, "the number of days after L-"); err != nil {
			return item{}, err
		}
	}
	if s.accept('W') {
		i.form = formLastWorkday
	}
	return i, nil
}
