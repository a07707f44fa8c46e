package imports

import (
	"encoding/hex"
	"strings"
)

type tokenKind int

const (
	tokenEnd  tokenKind = iota
	tokenWord           // a keyword, plain name or number
	tokenName           // a name in backquotes
	tokenText           // a text in quotes
	tokenSign
)

type sqlToken struct {
	kind     tokenKind
	text     string
	line     int
	adjacent bool // only blanks lie between it and the text before it
}

func (t sqlToken) is(keyword string) bool {
	return t.kind == tokenWord && strings.EqualFold(t.text, keyword)
}
func (t sqlToken) sign(s string) bool { return t.kind == tokenSign && t.text == s }

// lexer takes SQL apart as MySQL writes it.
type lexer struct {
	text   string
	at     int
	line   int
	ahead  *sqlToken
	before tokenKind
}

func (l *lexer) peek() sqlToken {
	if l.ahead == nil {
		t := l.read()
		l.ahead = &t
	}
	return *l.ahead
}

func (l *lexer) next() sqlToken {
	t := l.peek()
	l.ahead = nil
	return t
}

func (l *lexer) read() sqlToken {
	l.blanks()
	t := sqlToken{line: l.line}
	if l.at >= len(l.text) {
		return t
	}
	switch c := l.text[l.at]; {
	case c == '\'' || c == '"':
		t.kind, t.text, t.adjacent = tokenText, l.quoted(c), l.before == tokenText
	case c == '`':
		t.kind, t.text = tokenName, l.name()
	case wordByte(c):
		from := l.at
		for l.at < len(l.text) && wordByte(l.text[l.at]) {
			l.at++
		}
		t.kind, t.text = tokenWord, l.text[from:l.at]
		if digits, ok := strings.CutPrefix(strings.ToLower(t.text), "0x"); ok && digits != "" {
			if b, err := hex.DecodeString(digits); err == nil {
				t.kind, t.text = tokenText, strings.ToValidUTF8(string(b), "\ufffd")
			}
		}
	default:
		t.kind, t.text = tokenSign, l.text[l.at:l.at+1]
		l.at++
	}
	l.before = t.kind
	return t
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// blanks passes over blanks and comments. What stands in /*! … */ is SQL.
func (l *lexer) blanks() {
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		switch {
		case rest[0] == '\n':
			l.line++
			l.at++
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == ';':
			l.at++
		case rest[0] == '#' || strings.HasPrefix(rest, "-- ") || strings.HasPrefix(rest, "--\n") || strings.HasPrefix(rest, "--\r") || rest == "--":
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			l.at += end
		case strings.HasPrefix(rest, "/*!"):
			l.at += 3
			for l.at < len(l.text) && l.text[l.at] >= '0' && l.text[l.at] <= '9' {
				l.at++
			}
		case strings.HasPrefix(rest, "*/"):
			l.at += 2
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				end = len(rest) - 4
			}
			l.skip(end + 4)
		default:
			return
		}
	}
}

func (l *lexer) skip(n int) {
	n = min(max(n, 1), len(l.text)-l.at)
	l.line += strings.Count(l.text[l.at:l.at+n], "\n")
	l.at += n
}

// quoted reads a text with ” and backslashes.
func (l *lexer) quoted(quote byte) string {
	var b strings.Builder
	l.at++
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch {
		case c == quote && l.at+1 < len(l.text) && l.text[l.at+1] == quote:
			b.WriteByte(quote)
			l.at += 2
		case c == quote:
			l.at++
			return b.String()
		case c == '\\' && l.at+1 < len(l.text):
			if l.text[l.at+1] == '\n' {
				l.line++
			}
			b.WriteString(unescape(l.text[l.at+1]))
			l.at += 2
		default:
			if c == '\n' {
				l.line++
			}
			b.WriteByte(c)
			l.at++
		}
	}
	return b.String()
}

// unescape is what a backslash and a character stand for in MySQL.
func unescape(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case 'r':
		return "\r"
	case 't':
		return "\t"
	case 'b':
		return "\b"
	case '0':
		return "\x00"
	case 'Z':
		return "\x1a"
	}
	return string([]byte{c})
}

func (l *lexer) name() string {
	var b strings.Builder
	l.at++
	for l.at < len(l.text) {
		c := l.text[l.at]
		l.at++
		if c == '`' {
			if l.at >= len(l.text) || l.text[l.at] != '`' {
				break
			}
			l.at++
		}
		if c == '\n' {
			l.line++
		}
		b.WriteByte(c)
	}
	return b.String()
}
