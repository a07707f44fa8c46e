package schedule

import (
	"fmt"
	"strconv"
	"strings"
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
		i := item{form: formAny}
		return i, s.step(&i)
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
		return i, s.step(&i)
	}
	if err := s.step(&i); err != nil {
		return item{}, err
	}
	if i.step > 0 {
		i.open, i.high, i.highName = true, s.spec.high, false
	}
	return i, nil
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

// step reads an optional /n into i.
func (s *scanner) step(i *item) (err error) {
	if s.accept('/') {
		i.step, err = s.number(1, s.spec.high, "the step")
	}
	return err
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

// hashed reads H, H(a-b), H/n and H(a-b)/n and resolves it to a value or a
// stepped range.
func (s *scanner) hashed() (item, error) {
	if s.id == fieldYear {
		return item{}, s.fail(s.pos, "H is not allowed for the year")
	}
	s.pos++
	low, high := s.spec.low, s.spec.hashHigh
	given := s.accept('(')
	if given {
		var err error
		if low, high, err = s.hashRange(); err != nil {
			return item{}, err
		}
	}
	var i item
	if err := s.step(&i); err != nil {
		return item{}, err
	}
	if i.step > 0 && !given {
		high = s.spec.high
		if s.id == fieldWeekday {
			high = low + 6
		}
	}
	return s.resolve(low, high, i.step), nil
}

// hashRange reads a-b) behind H(.
func (s *scanner) hashRange() (low, high int, err error) {
	start := s.pos
	if low, _, err = s.atom(); err != nil {
		return 0, 0, err
	}
	if !s.accept('-') {
		return 0, 0, s.fail(s.pos, "H( needs a range such as H(2-4)")
	}
	if high, _, err = s.atom(); err != nil {
		return 0, 0, err
	}
	if err = s.checkOrder(start, low, high); err != nil {
		return 0, 0, err
	}
	if !s.accept(')') {
		return 0, 0, s.fail(s.pos, "the bracket of H( is not closed")
	}
	return low, high, nil
}

// resolve draws the hash for a range, which may wrap. With a step the hash
// shifts the start of the grid, by less than the step and within the range.
func (s *scanner) resolve(low, high, step int) item {
	count := high - low + 1
	if low > high {
		count += s.spec.size()
	}
	spread := count
	if step > 0 {
		spread = min(step, count)
	}
	start := low + int(hash(s.seed, s.spec.name)%uint64(spread))
	if start > s.spec.high {
		start -= s.spec.size()
	}
	if step == 0 {
		high = start
	}
	return item{
		form: formSpan, low: start, high: high, step: step,
		lowName: s.spec.hasName(start), highName: s.spec.hasName(high),
	}
}

// atom reads a number or a name within the field's bounds.
func (s *scanner) atom() (value int, named bool, err error) {
	if len(s.spec.names) > 0 && isLetter(s.peek()) {
		value, err = s.name()
		return value, true, err
	}
	value, err = s.number(s.spec.low, s.spec.high, "the value")
	return value, false, err
}

func (s *scanner) name() (int, error) {
	if s.pos+3 <= s.end {
		word := s.upper[s.pos : s.pos+3]
		for n, name := range s.spec.names {
			if word == name {
				s.pos += 3
				return s.spec.low + n, nil
			}
		}
	}
	stop := s.pos
	for stop < s.end && isLetter(s.upper[stop]) {
		stop++
	}
	return 0, s.fail(s.pos, "unknown name %q; names are %s", s.text[s.pos:stop], strings.Join(s.spec.names, " "))
}

// number reads digits only: no sign, no base prefix, no fraction.
func (s *scanner) number(low, high int, what string) (int, error) {
	start := s.pos
	for isDigit(s.peek()) {
		s.pos++
	}
	digits := s.upper[start:s.pos]
	if digits == "" {
		return 0, s.unexpected()
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < low || n > high {
		if len(digits) > 12 {
			digits = digits[:12] + "…"
		}
		return 0, s.fail(start, "%s %s is out of range %d-%d", what, digits, low, high)
	}
	return n, nil
}
