package schedule

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ParseError says what is wrong with a cron expression, where, and what would
// be right there.
type ParseError struct {
	Field    string // second, minute, hour, day, month, weekday, year; empty: the expression as a whole
	Position int    // 1-based, in characters of the expression
	Message  string // a sentence without final stop that names the remedy
}

// Error implements error.
func (e *ParseError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("position %d: %s", e.Position, e.Message)
	}
	return fmt.Sprintf("%s field, position %d: %s", e.Field, e.Position, e.Message)
}

// maxExpression bounds the length of an expression, in bytes. Every value of
// every field written out singly fits in.
const maxExpression = 1500

const fieldsHelp = "write five fields (minute hour day month weekday), six (second first) or seven (second first, year last)"

var macros = map[string]string{
	"@yearly":   "0 0 1 1 *",
	"@annually": "0 0 1 1 *",
	"@monthly":  "0 0 1 * *",
	"@weekly":   "0 0 * * 0",
	"@daily":    "0 0 * * *",
	"@midnight": "0 0 * * *",
	"@hourly":   "0 * * * *",
}

// parse reads an expression and resolves each H with seed. The error is a
// *ParseError.
func parse(text, seed string) (*expression, error) {
	if len(text) > maxExpression {
		return nil, wholeError(text, 0, "the expression is longer than %d bytes; split it into several jobs", maxExpression)
	}
	trimmed := strings.Trim(text, " \t")
	at := strings.Index(text, trimmed)
	switch {
	case trimmed == "":
		return nil, wholeError(text, 0, "the expression is empty; %s, or a macro such as @daily", fieldsHelp)
	case trimmed[0] == '@':
		return parseMacro(text, trimmed, at, seed)
	case strings.HasPrefix(trimmed, "TZ=") || strings.HasPrefix(trimmed, "CRON_TZ="):
		return nil, wholeError(text, at, "a time zone may not stand in the expression; put its IANA name into the zone field")
	}
	return parseFields(text, seed)
}

func parseMacro(text, trimmed string, at int, seed string) (*expression, error) {
	if fields, ok := macros[trimmed]; ok {
		return parse(fields, seed)
	}
	lower := strings.ToLower(trimmed)
	switch {
	case strings.HasPrefix(lower, "@every"):
		return nil, wholeError(text, at, "@every is not a cron expression; use a fixed-rate trigger for a period")
	case lower == "@reboot":
		return nil, wholeError(text, at, "@reboot has no instants; start the job through the API when your service starts")
	case macros[lower] != "":
		return nil, wholeError(text, at, "unknown macro %q; macros are in lower case: %s", trimmed, lower)
	}
	return nil, wholeError(text, at, "unknown macro %q; there are @yearly, @annually, @monthly, @weekly, @daily, @midnight and @hourly", trimmed)
}

// wholeError is an error about the expression as a whole, at a byte offset.
func wholeError(text string, at int, format string, args ...any) error {
	return &ParseError{Position: characterAt(text, at), Message: fmt.Sprintf(format, args...)}
}

// characterAt turns a byte offset into a 1-based position in characters.
func characterAt(text string, at int) int { return utf8.RuneCountInString(text[:at]) + 1 }

func parseFields(text, seed string) (*expression, error) {
	bounds := splitFields(text)
	e := &expression{dialect: Quartz, hasYear: len(bounds) == 7}
	id := fieldSecond
	switch n := len(bounds); n {
	case 5:
		e.dialect, id = Unix, fieldMinute
	case 6, 7:
	default:
		at := len(text)
		if n > 7 {
			at = bounds[7][0]
		}
		return nil, wholeError(text, at, "the expression has %d field(s); %s", n, fieldsHelp)
	}
	e.fields[fieldSecond].items = []item{{form: formSpan}}
	e.fields[fieldYear].items = []item{{form: formAny}}
	upper := upperASCII(text)
	for _, b := range bounds {
		s := scanner{dialect: e.dialect, id: id, spec: specOf(e.dialect, id), seed: seed, text: text, upper: upper, pos: b[0], end: b[1]}
		items, err := s.list()
		if err != nil {
			return nil, err
		}
		e.fields[id] = field{items: items, at: b[0]}
		e.hashed = e.hashed || s.metH
		id++
	}
	return e, e.checkDays(text)
}

// splitFields returns the byte bounds of the fields, which blanks and tabs
// separate.
func splitFields(text string) [][2]int {
	bounds := make([][2]int, 0, 8)
	start := -1
	for i := range len(text) {
		blank := text[i] == ' ' || text[i] == '\t'
		switch {
		case blank && start >= 0:
			bounds = append(bounds, [2]int{start, i})
			start = -1
		case !blank && start < 0:
			start = i
		}
	}
	if start >= 0 {
		bounds = append(bounds, [2]int{start, len(text)})
	}
	return bounds
}

// upperASCII upper-cases a-z only and keeps every byte offset.
// strings.ToUpper would turn a dotless i into an ASCII I.
func upperASCII(text string) string {
	upper := []byte(text)
	for i, b := range upper {
		if b >= 'a' && b <= 'z' {
			upper[i] = b - 'a' + 'A'
		}
	}
	return string(upper)
}

// checkDays applies the rules that tie the two day fields of six and seven
// fields together: one of them must be * or ?, and not both ?.
func (e *expression) checkDays(text string) error {
	if e.dialect == Unix {
		return nil
	}
	day, weekday := e.fields[fieldDay], e.fields[fieldWeekday]
	problem := ""
	switch {
	case day.none() && weekday.none():
		problem = "day and weekday are both ?; write * in one of them or say which days are meant"
	case !day.free() && !weekday.free():
		problem = "day and weekday are both set; in six and seven fields one of them must be * or ?"
	default:
		return nil
	}
	return &ParseError{Field: "weekday", Position: characterAt(text, weekday.at), Message: problem}
}
