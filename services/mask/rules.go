package mask

import (
	"bufio"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/services/fault"
)

const (
	maxRules   = 200
	maxPattern = 1000    // bytes of an expression
	maxFile    = 1 << 20 // bytes of a file of rules
)

// Rules are what people add to the default rules.
type Rules struct {
	Names []string // ends of further names whose values are secret
	Keep  []string // ends of names that are not secret after all
	// patterns are expressions: of what they match the first group is secret, or all
	// when they have none.
	patterns []pattern
}

// Parse reads rules, one a line: "name iban", "keep token" or "pattern EXPRESSION"
// with the syntax of RE2. Blank lines and those that begin with # are left out.
// Fault: INVALID with the line, at most ten of them.
func Parse(text string) (Rules, error) {
	var r Rules
	var bad fault.List
	if len(text) > maxFile {
		return r, fault.New(fault.Invalid, "The rules have %d bytes: at most %d are read.", len(text), maxFile)
	}
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, maxFile)
	count := 0
	for n := 1; lines.Scan() && len(bad) < 10; n++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" || line[0] == '#' {
			continue
		}
		if count++; count > maxRules {
			return r, fault.New(fault.Invalid, "There are more than %d rules: join some patterns by |.", maxRules)
		}
		if err := r.add(line); err != nil {
			bad = append(bad, fault.At("", fault.Invalid, "Line %d, %q: %s.", n, shown(line), err))
		}
	}
	return r, bad.Err()
}

func (r *Rules) add(line string) error {
	kind, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch kind {
	case "name", "keep":
		if normalised := normal([]string{rest}); len(normalised) == 0 || len(rest) > maxName || strings.ContainsFunc(rest, func(c rune) bool { return c < utf8.RuneSelf && !nameByte(byte(c)) }) {
			return fmt.Errorf("a name has 1 to %d letters, digits, dots, - and _", maxName)
		}
		if kind == "name" {
			r.Names = append(r.Names, rest)
		} else {
			r.Keep = append(r.Keep, rest)
		}
		return nil
	case "pattern":
		p, err := newPattern(rest)
		r.patterns = append(r.patterns, p)
		return err
	}
	return fmt.Errorf("a rule begins with name, keep or pattern")
}

// shown shortens a line for an error.
func shown(line string) string {
	if runes := []rune(line); len(runes) > 100 {
		return string(runes[:100]) + "…"
	}
	return line
}

// pattern is one expression.
type pattern struct{ re *regexp.Regexp }

func newPattern(text string) (pattern, error) {
	switch {
	case text == "":
		return pattern{}, fmt.Errorf("the expression is missing")
	case len(text) > maxPattern:
		return pattern{}, fmt.Errorf("the expression has %d bytes: at most %d are allowed", len(text), maxPattern)
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return pattern{}, fmt.Errorf("%s: write it in the syntax of RE2, which has no look-around and no back-references", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	if re.MatchString("") {
		return pattern{}, fmt.Errorf("the expression matches the empty text, and so everywhere: require a character")
	}
	return pattern{re}, nil
}

// replace masks what the expression matches in s. What lies within a mark is left.
func (p *pattern) replace(s string) string {
	found := p.re.FindAllStringSubmatchIndex(s, -1)
	if len(found) == 0 {
		return s
	}
	w := writer{s: s}
	for _, match := range found {
		from, to := match[0], match[1]
		if len(match) > 2 && match[2] >= 0 {
			from, to = match[2], match[3]
		}
		if from < to && from >= w.from && !withinMark(s, from, to) {
			w.mask(from, to)
		}
	}
	return w.done()
}

// withinMark says whether the part from…to lies within a mark.
func withinMark(s string, from, to int) bool {
	if to-from > len(Mark) {
		return false
	}
	first := max(to-len(Mark), 0)
	i := strings.Index(s[first:min(from+len(Mark), len(s))], Mark)
	return i >= 0 && first+i <= from
}
