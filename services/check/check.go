// Package check holds the rules for input fields that several use cases share:
// names, texts, numbers, lengths of time and JSON. Every refusal names the field,
// its value and the remedy. Paths are dotted, as fault.At takes them.
package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// Limits that several fields share.
const (
	MaxJSON      = 256 << 10 // bytes of parameters
	MaxJSONDepth = 100       // many readers recurse; MySQL's own JSON type ends here too
	Year         = 366 * 24 * time.Hour
)

var name = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,63}$`)

// Name checks the name of an app or node group.
func Name(path, v string) *fault.Error {
	switch {
	case v == "":
		return fault.At(path, fault.Required, "%s is missing; write 1 to 64 of a-z, 0-9, - and _, beginning with a letter.", path)
	case !name.MatchString(v):
		return fault.At(path, fault.Invalid, "%s %s is not allowed; write 1 to 64 of a-z, 0-9, - and _, beginning with a letter.", path, Quote(v))
	}
	return nil
}

// Line checks a text of one line that is shown in lists: at least one and at
// most limit characters, without control characters and blanks at its ends.
func Line(path, v string, limit int) *fault.Error {
	n := utf8.RuneCountInString(v)
	switch {
	case v == "":
		return fault.At(path, fault.Required, "%s is missing; write 1 to %d characters.", path, limit)
	case n > limit:
		return fault.At(path, fault.Invalid, "%s has %d characters; shorten it to %d.", path, n, limit)
	case !utf8.ValidString(v):
		return fault.At(path, fault.Invalid, "%s %s is not valid UTF-8; send it in UTF-8.", path, Quote(v))
	case strings.TrimFunc(v, unicode.IsSpace) != v:
		return fault.At(path, fault.Invalid, "%s %s begins or ends with a blank; take it away.", path, Quote(v))
	case strings.ContainsFunc(v, unicode.IsControl):
		return fault.At(path, fault.Invalid, "%s %s has a control character; take it out.", path, Quote(v))
	}
	return nil
}

// Text checks a free text: at most limit characters; lines and tabs are allowed.
func Text(path, v string, limit int) *fault.Error {
	if n := utf8.RuneCountInString(v); n > limit {
		return fault.At(path, fault.Invalid, "%s has %d characters; shorten it to %d.", path, n, limit)
	}
	if !utf8.ValidString(v) {
		return fault.At(path, fault.Invalid, "%s is not valid UTF-8; send it in UTF-8.", path)
	}
	if strings.ContainsRune(v, 0) {
		return fault.At(path, fault.Invalid, "%s has a NUL character; take it out.", path)
	}
	return nil
}

// Number checks a whole number.
func Number(path string, v, low, high int) *fault.Error {
	if v < low || v > high {
		return fault.At(path, fault.Invalid, "%s is %d; it must be %s to %s.", path, v, Thousands(low), Thousands(high))
	}
	return nil
}

// Span checks a length of time. What is stored has whole milliseconds, so finer
// ones are refused rather than rounded.
func Span(path string, v, low, high time.Duration) *fault.Error {
	switch {
	case v < low || v > high:
		return fault.At(path, fault.Invalid, "%s is %s; it must be %s to %s.", path, v, Words(low), Words(high))
	case v%time.Millisecond != 0:
		return fault.At(path, fault.Invalid, "%s is %s; it must be a whole number of milliseconds.", path, v)
	}
	return nil
}

// Instant checks an instant that will be stored: the ledger holds years 1000 to
// 9999, and a ULID's time part begins in 1970.
func Instant(path string, v time.Time) *fault.Error {
	if y := v.UTC().Year(); y < 1970 || y > 9998 {
		return fault.At(path, fault.Invalid, "%s is %s; it must lie between the years 1970 and 9998.", path, v.UTC().Format(time.RFC3339))
	}
	return nil
}

// JSON checks a JSON value of at most limit bytes; nil passes.
func JSON(path string, v json.RawMessage, limit int) *fault.Error {
	switch {
	case v == nil:
		return nil
	case len(v) > limit:
		return fault.At(path, fault.Invalid, "%s has %s bytes of JSON; keep it within %s, or hand over a reference to the data.", path, Thousands(len(v)), Thousands(limit))
	case !utf8.Valid(v):
		return fault.At(path, fault.Invalid, "%s is not valid UTF-8; send it in UTF-8.", path)
	case !json.Valid(v):
		return fault.At(path, fault.Invalid, "%s is not valid JSON.", path)
	}
	if d := depth(v); d > MaxJSONDepth {
		return fault.At(path, fault.Invalid, "%s is nested %d deep; keep it within %d.", path, d, MaxJSONDepth)
	}
	return nil
}

// Compact is v without needless blanks, or nil for nil and for null.
func Compact(v json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if v == nil || json.Compact(&b, v) != nil {
		return v
	}
	if b.String() == "null" {
		return nil
	}
	return b.Bytes()
}

// depth is how deep the brackets of valid JSON nest.
func depth(v []byte) int {
	deepest, open := 0, 0
	text, escaped := false, false
	for _, c := range v {
		switch {
		case escaped:
			escaped = false
		case text:
			escaped = c == '\\'
			text = c != '"'
		case c == '"':
			text = true
		case c == '{' || c == '[':
			open++
			deepest = max(deepest, open)
		case c == '}' || c == ']':
			open--
		}
	}
	return deepest
}

// Labels checks an object of at most 32 strings; nil passes.
func Labels(path string, v json.RawMessage) *fault.Error {
	if v == nil {
		return nil
	}
	if err := JSON(path, v, MaxJSON); err != nil {
		return err
	}
	var labels map[string]string
	if err := json.Unmarshal(v, &labels); err != nil {
		return fault.At(path, fault.Invalid, `%s is not an object of strings; write for example {"team": "billing"}.`, path)
	}
	if len(labels) > 32 {
		return fault.At(path, fault.Invalid, "%s has %d entries; keep it within 32.", path, len(labels))
	}
	for key, value := range labels {
		if err := Line("the label's name", key, 63); err != nil {
			return fault.At(path, fault.Invalid, "%s: %s", path, err.Message)
		}
		if err := Text("the label "+Quote(key), value, 255); err != nil {
			return fault.At(path, fault.Invalid, "%s: %s", path, err.Message)
		}
	}
	return nil
}

// Quote shows a value in a message: quoted, escaped, and cut when it is long.
func Quote(v string) string {
	const most = 60
	if utf8.RuneCountInString(v) > most {
		v = string([]rune(v)[:most]) + "…"
	}
	return fmt.Sprintf("%q", v)
}

// Thousands writes n with a comma between groups of three digits.
func Thousands(n int) string {
	digits := fmt.Sprint(n)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Words writes a bound as people say it: 366 days, 24h, 1s.
func Words(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d > day && d%Year == 0 && d > Year:
		return fmt.Sprintf("%d years", d/Year)
	case d > day && d%day == 0:
		return fmt.Sprintf("%d days", d/day)
	case d >= time.Hour && d%time.Hour == 0:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d >= time.Minute && d%time.Minute == 0:
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	return d.String()
}
