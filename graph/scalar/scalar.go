package scalar

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// The instants that every supported database can hold and a TaskId can carry.
var (
	earliest = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
)

// invalid refuses a value; the message carries value and remedy.
func invalid(format string, args ...any) error {
	return fault.New(fault.Invalid, format, args...)
}

// write answers a marshaler that writes s as it is.
func write(s string) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = io.WriteString(w, s) })
}

// MarshalID writes an id.
func MarshalID(id string) graphql.Marshaler { return graphql.MarshalString(id) }

// longestID is far beyond any id that is given out; ids of nobody's are echoed in answers.
const longestID = 200

// UnmarshalID reads an id: a string, or an integer as GraphQL allows. Ids are of ASCII, and
// so are the columns that hold them: MariaDB compares nothing else with them.
func UnmarshalID(v any) (string, error) {
	switch v := v.(type) {
	case string:
		if len(v) > longestID || strings.ContainsFunc(v, func(c rune) bool { return c < ' ' || c > '~' }) {
			return "", invalid("An ID cannot be %s: give one that the API has answered.", show(v))
		}
		return v, nil
	case json.Number:
		return v.String(), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	default:
		return "", invalid("An ID cannot be %s: give a string.", show(v))
	}
}

// MarshalDate writes a date.
func MarshalDate(date string) graphql.Marshaler { return graphql.MarshalString(date) }

// UnmarshalDate reads a date. Whether there is such a date is for the service to
// say, which knows the field.
func UnmarshalDate(v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", invalid("A Date cannot be %s: give a string such as \"2026-10-01\".", show(v))
	}
	return s, nil
}

// MarshalInt writes a number.
func MarshalInt(n int) graphql.Marshaler { return write(strconv.Itoa(n)) }

// UnmarshalInt reads a whole number of 32 bits.
func UnmarshalInt(v any) (int, error) {
	n, ok := whole(v)
	if _, isText := v.(string); !ok || isText || n < math.MinInt32 || n > math.MaxInt32 {
		return 0, invalid("An Int cannot be %s: give a whole number of up to 32 bits.", show(v))
	}
	return int(n), nil
}

// MarshalLong writes a 64-bit number as a string, so that no client loses digits.
func MarshalLong(n int64) graphql.Marshaler { return write(`"` + strconv.FormatInt(n, 10) + `"`) }

// UnmarshalLong reads a 64-bit number from a string or a number.
func UnmarshalLong(v any) (int64, error) {
	n, ok := whole(v)
	if !ok {
		return 0, invalid("A Long cannot be %s: give a whole number of up to 64 bits, as a string.", show(v))
	}
	return n, nil
}

// whole reads a 64-bit number in any form in which a request can carry it.
func whole(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case int:
		return int64(v), true
	case json.Number:
		n, err := strconv.ParseInt(v.String(), 10, 64)
		return n, err == nil
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		return n, err == nil
	default:
		return 0, false
	}
}

// MarshalTime writes an instant in UTC with up to six fractional digits.
func MarshalTime(t time.Time) graphql.Marshaler {
	return write(`"` + clock.Cut(t).Format("2006-01-02T15:04:05.999999Z07:00") + `"`)
}

// UnmarshalTime reads an RFC 3339 instant of any offset; finer digits than
// microseconds are cut off.
func UnmarshalTime(v any) (time.Time, error) {
	s, ok := v.(string)
	if !ok {
		return time.Time{}, invalid("A Time cannot be %s: write it as a string such as 2026-03-08T07:30:00Z.", show(v))
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, invalid("%s is not a Time: write it as RFC 3339, for example 2026-03-08T07:30:00Z.", show(v))
	}
	if t.Before(earliest) || t.After(latest) {
		return time.Time{}, invalid("The Time %s is outside 1970 to 9999: choose one within.", show(v))
	}
	return clock.Cut(t), nil
}

// MarshalDuration writes a length of time as Go does, without trailing zero
// units: 1h30m, 1m30s, 250ms, 0s.
func MarshalDuration(d time.Duration) graphql.Marshaler { return write(`"` + duration(d) + `"`) }

func duration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// UnmarshalDuration reads a length of time as Go writes it.
func UnmarshalDuration(v any) (time.Duration, error) {
	s, ok := v.(string)
	if !ok {
		return 0, invalid("A Duration cannot be %s: write it as a string such as 90s, 1h30m or 250ms.", show(v))
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, invalid("%s is not a Duration: write it like 90s, 1h30m or 250ms.", show(v))
	}
	return d, nil
}

// MarshalJSON writes a stored JSON value; an empty one is null. One that is no
// JSON, which no check should have let in, is shown as a text: it must not spoil
// the whole answer.
func MarshalJSON(raw json.RawMessage) graphql.Marshaler {
	if len(raw) == 0 {
		return graphql.Null
	}
	if !json.Valid(raw) {
		return graphql.MarshalString(string(raw))
	}
	return graphql.WriterFunc(func(w io.Writer) { _, _ = w.Write(raw) })
}

// UnmarshalJSON reads any JSON value. Numbers keep all their digits, and nothing
// is escaped that JSON does not demand.
func UnmarshalJSON(v any) (json.RawMessage, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, invalid("A JSON value cannot be %s: give any JSON.", show(v))
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}

// show prints a value for a message, cut to a length that a person can read.
func show(v any) string {
	const most = 60
	s, isText := v.(string)
	if isText {
		s = strconv.Quote(s)
	} else {
		s = fmt.Sprint(v)
	}
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	return s
}
