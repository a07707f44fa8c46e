package schedule

import (
	"strconv"
	"strings"
)

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
