package mask

import "strings"

// named looks at a = or a colon: what stands before it may be a name, and what
// comes after it a secret.
func (m *Masker) named(s string, i int) (from, to int) {
	if s[i] == ':' && strings.HasPrefix(s[i:], "://") {
		return address(s, i+len("://"))
	}
	return m.namedAt(s, i, i+1, s[i])
}

// namedAt looks at the separator sep that lies between before and after.
func (m *Masker) namedAt(s string, before, after int, sep byte) (from, to int) {
	name, start := m.nameBefore(s, before)
	if name == "" || !m.names.secret(name) || sep == ':' && strings.EqualFold(name, "pass") {
		return 0, 0
	}
	p := after
	for p < len(s) && (s[p] == '=' || s[p] == '>' || s[p] == ':') { // := => ==
		p++
	}
	for p < len(s) && (s[p] == ' ' || s[p] == '\t') {
		p++
	}
	if strings.HasSuffix(strings.ToLower(name), "pwd") && strings.HasPrefix(s[p:], "/") {
		return -1, p // the shell's working directory
	}
	if sep == ':' && isHeader(name) && !quoted(s, p) {
		return header(s, start, p)
	}
	return value(s, p)
}

// nameBefore answers the name that ends before the separator at i, and where it
// begins: spaces, a closing quote or bracket may lie between. It is empty when it
// cannot be secret.
func (m *Masker) nameBefore(s string, i int) (name string, start int) {
	end := i
	for end > 0 && end > i-2 && s[end-1] == ' ' {
		end--
	}
	if end > 0 && (isQuote(s[end-1]) || s[end-1] == ']') {
		end--
		if end > 0 && s[end-1] == '\\' {
			end--
		}
	}
	if end > 3 && strings.EqualFold(s[end-3:end], "%5d") {
		end -= 3
	}
	if end == 0 || !m.names.may(s[end-1]) { // most names end here
		return "", end
	}
	start = end
	for start > 0 && start > end-2*maxName && nameByte(s[start-1]) {
		start--
	}
	return s[start:end], start
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// quoted says whether a quoted text begins at p.
func quoted(s string, p int) bool {
	return p < len(s) && (isQuote(s[p]) || s[p] == '\\' && p+1 < len(s) && isQuote(s[p+1]))
}

// value answers where the value lies that begins at p.
func value(s string, p int) (from, to int) {
	if p >= len(s) {
		return 0, 0
	}
	if quoted(s, p) {
		from, to = insideQuotes(s, p)
	} else if (s[p] == '{' || s[p] == '[' || s[p] == '(') && !strings.HasPrefix(s[p:], Mark) {
		if from, to = p, closing(s, p); to < len(s) && (nameByte(s[to]) || strings.IndexByte("{[(", s[to]) >= 0) {
			to = run(s, to)
		}
	} else {
		from, to = p, run(s, p)
	}
	if next := afterScheme(s, from, to); next > from {
		if next >= to && !quoted(s, p) {
			to = run(s, next)
		}
		from = next
	}
	if from >= to || !telling(s[from:to]) {
		return -1, max(to, p)
	}
	return from, to
}

// telling says whether a value can be a secret: a bracket alone is a piece of
// syntax that an error speaks of.
func telling(v string) bool {
	for i := range len(v) {
		if c := v[i]; c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
			return true
		}
	}
	return len(v) > 3
}

// insideQuotes answers what the quotes that open at p hold; without closing ones
// that is all the rest.
func insideQuotes(s string, p int) (from, to int) {
	escaped := s[p] == '\\'
	if escaped {
		p++
	}
	q := s[p]
	for i := p + 1; i < len(s); i++ {
		switch {
		case escaped && s[i] == '\\' && i+1 < len(s) && s[i+1] == q:
			return p + 1, i
		case escaped:
		case s[i] == '\\':
			i++
		case s[i] == q:
			return p + 1, i
		}
	}
	return p + 1, len(s)
}

// closing answers the end of what the bracket at p opens; without a closing one
// that is the end of the text.
func closing(s string, p int) int {
	depth := 0
	for i := p; i < len(s); i++ {
		switch s[i] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// run answers the end of a value without quotes that begins at p: at a blank, a
// quote, or where another name begins. Punctuation at its end does not belong to it.
func run(s string, p int) int {
	end := p
loop:
	for end < len(s) {
		switch c := s[end]; c {
		case ' ', '\t', '\n', '\r', '"', '\'', '`':
			break loop
		case '\\':
			if end+1 < len(s) && isQuote(s[end+1]) {
				break loop
			}
		case ',', ';', '&', '|':
			if end > p && anotherName(s, end+1) {
				break loop
			}
		}
		end++
	}
	trimmed := end
	for trimmed > p && !strings.HasSuffix(s[p:trimmed], Mark) && strings.IndexByte(",;.)]}", s[trimmed-1]) >= 0 {
		trimmed--
	}
	if trimmed == p {
		return end
	}
	return trimmed
}

// anotherName says whether name= or name: begins at p.
func anotherName(s string, p int) bool {
	for p < len(s) && s[p] == ' ' {
		p++
	}
	start := p
	for p < len(s) && p < start+maxName && (nameByte(s[p]) || strings.IndexByte("[]%", s[p]) >= 0) {
		p++
	}
	return p > start && p < len(s) && (s[p] == '=' || s[p] == ':')
}

// schemes of authorization that stand before the secret; those that are followed
// by several parameters are no exception: all of these are secret then.
var schemes = []string{"bearer ", "basic ", "token ", "apikey ", "digest ", "negotiate ", "aws4-hmac-sha256 "}

// afterScheme answers where the secret begins when the value at from begins with
// the name of a scheme; else from.
func afterScheme(s string, from, to int) int {
	for _, scheme := range schemes {
		end := from + len(scheme)
		if end < len(s) && end <= to+1 && strings.EqualFold(s[from:end], scheme) && s[end] != ' ' && !quoted(s, end) {
			return end
		}
	}
	return from
}

// header answers the value of a header: the rest of its line, or up to the quote
// that stands before its name.
func header(s string, start, p int) (from, to int) {
	end := len(s)
	if i := strings.IndexAny(s[p:], "\r\n"); i >= 0 {
		end = p + i
	}
	if start > 0 && isQuote(s[start-1]) {
		if i := strings.IndexByte(s[p:end], s[start-1]); i >= 0 {
			end = p + i
		}
	}
	for end > p && (s[end-1] == ' ' || s[end-1] == '\t') {
		end--
	}
	from = afterScheme(s, p, end)
	if from >= end {
		return -1, max(end, p)
	}
	return from, end
}

// flag looks at --name value, where quotes and a comma may lie between, as in a
// printed list of arguments.
func (m *Masker) flag(s string, i int) (from, to int) {
	if i > 0 && nameByte(s[i-1]) {
		return 0, 0
	}
	end := i + 2
	for end < len(s) && nameByte(s[end]) {
		end++
	}
	if end == i+2 || !m.names.secret(s[i+2:end]) {
		return -1, max(end, i+1)
	}
	p := end
	for p < len(s) && (isQuote(s[p]) || s[p] == '\\' || s[p] == ',') && p < end+3 {
		p++
	}
	if p >= len(s) || s[p] != ' ' {
		return -1, end
	}
	for p < len(s) && s[p] == ' ' {
		p++
	}
	if strings.HasPrefix(s[p:], "-") {
		return -1, end
	}
	return value(s, p)
}
