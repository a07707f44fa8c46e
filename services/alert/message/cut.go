package message

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Unit is what a channel's limit counts.
type Unit uint8

// Units.
const (
	Bytes Unit = iota // of UTF-8
	Runes             // characters
	UTF16             // code units, as Telegram and JavaScript count
)

func (u Unit) String() string {
	return [...]string{"bytes", "characters", "UTF-16 units"}[u]
}

// Size is the length of a text in the unit.
func (u Unit) Size(text string) int {
	switch u {
	case Runes:
		return utf8.RuneCountInString(text)
	case UTF16:
		n := 0
		for _, r := range text {
			n += units16(r)
		}
		return n
	default:
		return len(text)
	}
}

func units16(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// ellipsis stands at the end of what was cut.
const ellipsis = "…"

// Cut makes a text fit a limit and says whether it had to. It cuts between two
// characters, at the end of a line where one is near, and never within an HTML tag or
// entity, a link or a piece of code or bold text; HTML elements that are open are
// closed.
func Cut(text string, limit int, unit Unit, format Format) (cut string, truncated bool) {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if unit.Size(text) <= limit {
		return text, false
	}
	s := scanner{unit: unit, html: format == TelegramHTML || format == pageHTML, marked: format != Plain, format: format}
	return s.cut(text, limit-unit.Size(ellipsis)), true
}

// scanner goes through a text and remembers where it may end.
type scanner struct {
	unit   Unit
	html   bool
	marked bool
	format Format

	size  int      // so far
	open  []string // HTML elements
	spans [4]bool  // Markdown: within bold, code, a link's text, its address
	begun bool     // the address has begun
}

func (s *scanner) cut(text string, limit int) string {
	if limit < 0 {
		return ""
	}
	best, bestOpen, line, lineOpen := 0, []string(nil), -1, []string(nil)
	for i := 0; i < len(text); {
		token := s.token(text[i:])
		s.size += s.unit.Size(token)
		i += len(token)
		s.follow(token)
		if s.size+s.closing() > limit {
			break
		}
		if s.whole() {
			best, bestOpen = i, append([]string(nil), s.open...)
			if token == "\n" {
				line, lineOpen = i-1, bestOpen
			}
		}
	}
	if line >= 0 && best-line < max(limit/5, 1) { // a whole line is worth more than a fifth of the text
		best, bestOpen = line, lineOpen
	}
	var out strings.Builder
	out.WriteString(text[:best] + ellipsis)
	for _, name := range slices.Backward(bestOpen) {
		out.WriteString("</" + name + ">")
	}
	return out.String()
}

// token is the next piece that is kept or left as one.
func (s *scanner) token(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case s.html && r == '<':
		if end := strings.IndexByte(text, '>'); end >= 0 {
			return text[:end+1]
		}
	case (s.html || s.format == Slack || s.format == Feishu) && r == '&':
		if end := strings.IndexByte(text, ';'); end > 0 && end < 12 && !strings.ContainsAny(text[:end], " \n<") {
			return text[:end+1]
		}
	case s.format == Slack && r == '<':
		if end := strings.IndexByte(text, '>'); end >= 0 && !strings.Contains(text[:end], "\n") {
			return text[:end+1]
		}
	case s.marked && !s.html && strings.HasPrefix(text, "**"):
		return "**"
	case r == '\\' && (s.format == Teams || s.format == Discord) && len(text) > 1:
		_, next := utf8.DecodeRuneInString(text[1:])
		return text[:1+next]
	}
	return text[:size]
}

// follow notes what a token opens or ends.
func (s *scanner) follow(token string) {
	if s.html {
		if len(token) > 2 && token[0] == '<' {
			s.element(token)
		}
		return
	}
	if !s.marked {
		return
	}
	const bold, code, text, address = 0, 1, 2, 3
	switch {
	case token == "\n":
		s.spans = [4]bool{} // none of them goes over the end of a line
	case token == "`":
		s.spans[code] = !s.spans[code]
	case s.spans[code]:
	case token == "**", token == "*" && s.format == Slack:
		s.spans[bold] = !s.spans[bold]
	case token == "[" && s.format != Slack:
		s.spans[text] = true
	case token == "]" && s.spans[text]:
		s.spans[text], s.spans[address], s.begun = false, true, false
	case s.spans[address] && !s.begun: // an address follows at once, or there is none
		s.spans[address], s.begun = token == "(", true
	case token == ")":
		s.spans[address] = false
	}
}

func (s *scanner) element(tag string) {
	name := strings.ToLower(strings.Trim(tag, "</>"))
	if i := strings.IndexAny(name, " \n\t"); i >= 0 {
		name = name[:i]
	}
	switch {
	case tag[1] == '/':
		if n := len(s.open); n > 0 && s.open[n-1] == name {
			s.open = s.open[:n-1]
		}
	case !strings.HasSuffix(tag, "/>") && name != "br":
		s.open = append(s.open, name)
	}
}

// closing is the size of what would close the open elements.
func (s *scanner) closing() int {
	n := 0
	for _, name := range s.open {
		n += len(name) + len("</>")
	}
	return n
}

// whole says whether the text may end here.
func (s *scanner) whole() bool { return s.spans == [4]bool{} }
