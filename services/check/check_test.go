package check

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/services/fault"
)

func code(e *fault.Error) fault.Code {
	if e == nil {
		return ""
	}
	return e.Code
}

func TestFields(t *testing.T) {
	t.Parallel()
	family := "👨‍👩‍👧‍👦" // seven characters
	deep := func(n int) json.RawMessage {
		return json.RawMessage(strings.Repeat(`{"a":[`, n/2) + "1" + strings.Repeat("]}", n/2))
	}
	for name, c := range map[string]struct {
		got  *fault.Error
		want fault.Code
	}{
		"name":                 {Name("f", "a-b_9"), ""},
		"no name":              {Name("f", ""), fault.Required},
		"name in capitals":     {Name("f", "Ab"), fault.Invalid},
		"name and a line end":  {Name("f", "ab\n"), fault.Invalid},
		"line":                 {Line("f", "中文 😀 e\u0301", 9), ""},
		"line one too long":    {Line("f", "12345", 4), fault.Invalid},
		"line of a family":     {Line("f", family, 7), ""},
		"line without":         {Line("f", "", 4), fault.Required},
		"line blank at end":    {Line("f", "a\u00a0", 4), fault.Invalid},
		"line with a tab":      {Line("f", "a\tb", 4), fault.Invalid},
		"line not UTF-8":       {Line("f", "a\xffb", 4), fault.Invalid},
		"text":                 {Text("f", "a\n\tb", 4), ""},
		"empty text":           {Text("f", "", 4), ""},
		"text too long":        {Text("f", "12345", 4), fault.Invalid},
		"text with NUL":        {Text("f", "a\x00", 4), fault.Invalid},
		"text not UTF-8":       {Text("f", "\xc3", 4), fault.Invalid},
		"number":               {Number("f", 1, 1, 5), ""},
		"number below":         {Number("f", 0, 1, 5), fault.Invalid},
		"number above":         {Number("f", 6, 1, 5), fault.Invalid},
		"span":                 {Span("f", time.Second, time.Second, Year), ""},
		"span of a year":       {Span("f", Year, time.Second, Year), ""},
		"span below":           {Span("f", time.Second-1, time.Second, Year), fault.Invalid},
		"span above":           {Span("f", Year+1, time.Second, Year), fault.Invalid},
		"span too fine":        {Span("f", time.Second+time.Microsecond, time.Second, Year), fault.Invalid},
		"instant":              {Instant("f", time.Unix(0, 0)), ""},
		"instant long ago":     {Instant("f", time.Unix(-1, 0)), fault.Invalid},
		"instant far away":     {Instant("f", time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)), fault.Invalid},
		"no JSON":              {JSON("f", nil, 5), ""},
		"JSON":                 {JSON("f", json.RawMessage(`[1,2]`), 5), ""},
		"JSON too large":       {JSON("f", json.RawMessage(`[1,22]`), 5), fault.Invalid},
		"JSON broken":          {JSON("f", json.RawMessage(`[1,`), 5), fault.Invalid},
		"empty JSON":           {JSON("f", json.RawMessage{}, 5), fault.Invalid},
		"JSON not UTF-8":       {JSON("f", json.RawMessage("\"\xff\""), 5), fault.Invalid},
		"JSON deep":            {JSON("f", deep(MaxJSONDepth), MaxJSON), ""},
		"JSON too deep":        {JSON("f", deep(MaxJSONDepth+2), MaxJSON), fault.Invalid},
		"brackets in a string": {JSON("f", json.RawMessage(`"`+strings.Repeat(`[\"{`, 200)+`"`), MaxJSON), ""},
		"labels":               {Labels("f", json.RawMessage(`{"a":"","b":"x y"}`)), ""},
		"no labels":            {Labels("f", nil), ""},
		"labels, a list":       {Labels("f", json.RawMessage(`["a"]`)), fault.Invalid},
		"label, a number":      {Labels("f", json.RawMessage(`{"a":1}`)), fault.Invalid},
		"label without a name": {Labels("f", json.RawMessage(`{"":"a"}`)), fault.Invalid},
		"label too long":       {Labels("f", json.RawMessage(`{"a":"`+strings.Repeat("x", 256)+`"}`)), fault.Invalid},
		"labels broken":        {Labels("f", json.RawMessage(`{`)), fault.Invalid},
	} {
		if code(c.got) != c.want {
			t.Errorf("%s: %v, want %q", name, c.got, c.want)
		}
		if c.got != nil && (!strings.HasSuffix(c.got.Message, ".") || c.got.Field[0] != "f") {
			t.Errorf("%s: field %v, %q", name, c.got.Field, c.got.Message)
		}
	}
}

func TestCompact(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{` { "a" : 1 } `: `{"a":1}`, "null": "", " null ": "", "0": "0", "{": "{"} {
		if got := Compact(json.RawMessage(in)); string(got) != want {
			t.Errorf("Compact(%q) = %q", in, got)
		}
	}
	if Compact(nil) != nil || Compact(json.RawMessage("null")) != nil {
		t.Error("nothing became something")
	}
}

func TestWordsOfBounds(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		Year: "366 days", 10 * Year: "10 years", 7 * 24 * time.Hour: "7 days", 24 * time.Hour: "24h", time.Hour: "1h", time.Minute: "1m", time.Second: "1s", 0: "0s", 90 * time.Second: "1m30s",
	} {
		if got := Words(d); got != want {
			t.Errorf("Words(%v) = %q, want %q", d, got, want)
		}
	}
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 262144: "262,144", -1234567: "-1,234,567", -100: "-100"} {
		if got := Thousands(n); got != want {
			t.Errorf("Thousands(%d) = %q, want %q", n, got, want)
		}
	}
}

// TestDepthIsTheDecoders: the depth that is counted is the one that a reader meets.
func TestDepthIsTheDecoders(t *testing.T) {
	t.Parallel()
	var measure func(v any) int
	measure = func(v any) int {
		deepest := 0
		switch v := v.(type) {
		case map[string]any:
			for _, of := range v {
				deepest = max(deepest, measure(of))
			}
			return deepest + 1
		case []any:
			for _, of := range v {
				deepest = max(deepest, measure(of))
			}
			return deepest + 1
		}
		return 0
	}
	rapid.Check(t, func(t *rapid.T) {
		var draw func(level int) any
		draw = func(level int) any {
			switch rapid.IntRange(0, 3-min(level/4, 2)).Draw(t, "kind") {
			case 3:
				return map[string]any{rapid.String().Draw(t, "key"): draw(level + 1), "b": draw(level + 2)}
			case 2:
				return []any{draw(level + 1), draw(level + 2)}
			case 1:
				return rapid.StringMatching(`[\[\]{}"\\a]*`).Draw(t, "text")
			}
			return 1.5
		}
		v := draw(0)
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got := depth(raw); got != measure(v) {
			t.Fatalf("depth(%s) = %d, want %d", raw, got, measure(v))
		}
	})
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"a":[1,"\"]"]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if JSON("f", raw, MaxJSON) != nil {
			return
		}
		var v any
		if err := json.Unmarshal(raw, &v); err != nil && len(raw) > 0 {
			t.Errorf("%q passed: %v", raw, err)
		}
	})
}
