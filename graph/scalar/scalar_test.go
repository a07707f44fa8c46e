package scalar_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"
	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/scalar"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
)

func written(m graphql.Marshaler) string {
	var b strings.Builder
	m.MarshalGQL(&b)
	return b.String()
}

func TestLong(t *testing.T) {
	t.Parallel()
	for in, want := range map[any]int64{
		"9223372036854775807": 1<<63 - 1, json.Number("9007199254740993"): 9007199254740993, int64(-5): -5, "0": 0,
	} {
		if got, err := scalar.UnmarshalLong(in); err != nil || got != want {
			t.Errorf("UnmarshalLong(%v) = %d, %v; want %d", in, got, err, want)
		}
	}
	for _, in := range []any{1.5, json.Number("1.5"), "1e3", "", "9223372036854775808", true, nil} {
		if got, err := scalar.UnmarshalLong(in); !fault.Is(err, fault.Invalid) {
			t.Errorf("UnmarshalLong(%v) = %d, %v; want INVALID", in, got, err)
		}
	}
	if got := written(scalar.MarshalLong(1<<63 - 1)); got != `"9223372036854775807"` {
		t.Errorf("MarshalLong = %s", got)
	}
}

func TestIntHas32Bits(t *testing.T) {
	t.Parallel()
	for _, in := range []any{int64(1) << 31, json.Number("2147483648"), "7", 1.5, json.Number("1.0")} {
		if got, err := scalar.UnmarshalInt(in); !fault.Is(err, fault.Invalid) {
			t.Errorf("UnmarshalInt(%v) = %d, %v; want INVALID", in, got, err)
		}
	}
	if got, err := scalar.UnmarshalInt(json.Number("-2147483648")); err != nil || got != -1<<31 {
		t.Errorf("the smallest Int is %d, %v", got, err)
	}
}

func TestID(t *testing.T) {
	t.Parallel()
	for in, want := range map[any]string{"01ABC": "01ABC", int64(7): "7", json.Number("8"): "8"} {
		if got, err := scalar.UnmarshalID(in); err != nil || got != want {
			t.Errorf("UnmarshalID(%v) = %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []any{true, "😀", "a\x00", "\u200d", "a\nb", "\xff", strings.Repeat("x", 201)} {
		if got, err := scalar.UnmarshalID(in); !fault.Is(err, fault.Invalid) {
			t.Errorf("%v was taken as the ID %q: %v", in, got, err)
		}
	}
}

func TestTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 8, 7, 30, 0, 250_000_999, time.UTC)
	for _, in := range []string{"2026-03-08T07:30:00.250000999Z", "2026-03-08T02:30:00.25-05:00"} {
		got, err := scalar.UnmarshalTime(in)
		if err != nil || !got.Equal(clock.Cut(at)) || got.Location() != time.UTC {
			t.Errorf("UnmarshalTime(%s) = %v, %v", in, got, err)
		}
	}
	for _, in := range []any{"", "2026-03-08", "2026-03-08 07:30:00", "0001-01-01T00:00:00Z", "2026-02-30T00:00:00Z", int64(5), nil} {
		if got, err := scalar.UnmarshalTime(in); !fault.Is(err, fault.Invalid) {
			t.Errorf("UnmarshalTime(%v) = %v, %v; want INVALID", in, got, err)
		}
	}
	if got := written(scalar.MarshalTime(at)); got != `"2026-03-08T07:30:00.25Z"` {
		t.Errorf("MarshalTime = %s", got)
	}
}

func TestDuration(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0s", 250 * time.Millisecond: "250ms", 90 * time.Second: "1m30s", time.Minute: "1m", time.Hour: "1h",
		90 * time.Minute: "1h30m", time.Hour + time.Second: "1h0m1s", 10 * time.Second: "10s", 100 * time.Hour: "100h",
		10 * time.Minute: "10m", -time.Hour: "-1h",
	} {
		if got := written(scalar.MarshalDuration(d)); got != `"`+want+`"` {
			t.Errorf("MarshalDuration(%s) = %s, want %q", d, got, want)
		}
	}
	for _, in := range []any{"", "90", "1 hour", "soon", "9999999999h", int64(90), nil} {
		if got, err := scalar.UnmarshalDuration(in); !fault.Is(err, fault.Invalid) {
			t.Errorf("UnmarshalDuration(%v) = %s, %v; want INVALID", in, got, err)
		}
	}
}

func TestDurationsComeBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64().Draw(t, "d"))
		got, err := scalar.UnmarshalDuration(strings.Trim(written(scalar.MarshalDuration(d)), `"`))
		if err != nil || got != d {
			t.Fatalf("%s came back as %s, %v", d, got, err)
		}
	})
}

func TestJSONKeepsWhatItGets(t *testing.T) {
	t.Parallel()
	in := map[string]any{"n": json.Number("9007199254740993"), "html": "<b>&</b>", "😀": "中文\u0000", "nil": nil, "list": []any{true, 1.5}}
	raw, err := scalar.UnmarshalJSON(in)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"html":"<b>&</b>","list":[true,1.5],"n":9007199254740993,"nil":null,"😀":"中文\u0000"}`
	if got := written(scalar.MarshalJSON(raw)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := written(scalar.MarshalJSON(json.RawMessage(`{"cut`))); got != `"{\"cut"` {
		t.Errorf("broken JSON is written as %s", got)
	}
	if got := written(scalar.MarshalJSON(nil)); got != "null" {
		t.Errorf("no JSON is written as %s", got)
	}
}

func TestMessagesAreShort(t *testing.T) {
	t.Parallel()
	_, err := scalar.UnmarshalDuration(strings.Repeat("😀", 10_000))
	if err == nil || len(err.Error()) > 500 {
		t.Errorf("the message has %d bytes", len(err.Error()))
	}
}

// The API's enumerations and the ledger's have the same values.
func TestEnumerations(t *testing.T) {
	t.Parallel()
	schema := generated.NewExecutableSchema(generated.Config{}).Schema()
	for name, again := range map[string]func(any) (string, error){
		"Role": func(v any) (string, error) {
			x, err := scalar.UnmarshalRole(v)
			return written(scalar.MarshalRole(x)), err
		},
		"TokenScope": func(v any) (string, error) {
			x, err := scalar.UnmarshalTokenScope(v)
			return written(scalar.MarshalTokenScope(x)), err
		},
		"TriggerKind": func(v any) (string, error) {
			x, err := scalar.UnmarshalTriggerKind(v)
			return written(scalar.MarshalTriggerKind(x)), err
		},
		"ConcurrencyPolicy": func(v any) (string, error) {
			x, err := scalar.UnmarshalConcurrencyPolicy(v)
			return written(scalar.MarshalConcurrencyPolicy(x)), err
		},
		"KeyRule": func(v any) (string, error) {
			x, err := scalar.UnmarshalKeyRule(v)
			return written(scalar.MarshalKeyRule(x)), err
		},
		"BulkKind": func(v any) (string, error) {
			x, err := scalar.UnmarshalBulkKind(v)
			return written(scalar.MarshalBulkKind(x)), err
		},
		"BulkState": func(v any) (string, error) {
			x, err := scalar.UnmarshalBulkState(v)
			return written(scalar.MarshalBulkState(x)), err
		},
		"BackfillState": func(v any) (string, error) {
			x, err := scalar.UnmarshalBackfillState(v)
			return written(scalar.MarshalBackfillState(x)), err
		},
		"Delivery": func(v any) (string, error) {
			x, err := scalar.UnmarshalDelivery(v)
			return written(scalar.MarshalDelivery(x)), err
		},
		"Priority": func(v any) (string, error) {
			x, err := scalar.UnmarshalPriority(v)
			return written(scalar.MarshalPriority(x)), err
		},
		"Backoff": func(v any) (string, error) {
			x, err := scalar.UnmarshalBackoff(v)
			return written(scalar.MarshalBackoff(x)), err
		},
		"MisfirePolicy": func(v any) (string, error) {
			x, err := scalar.UnmarshalMisfirePolicy(v)
			return written(scalar.MarshalMisfirePolicy(x)), err
		},
		"ChannelKind": func(v any) (string, error) {
			x, err := scalar.UnmarshalChannelKind(v)
			return written(scalar.MarshalChannelKind(x)), err
		},
		"MessageKind": func(v any) (string, error) {
			x, err := scalar.UnmarshalMessageKind(v)
			return written(scalar.MarshalMessageKind(x)), err
		},
		"NotificationState": func(v any) (string, error) {
			x, err := scalar.UnmarshalNotificationState(v)
			return written(scalar.MarshalNotificationState(x)), err
		},
		"AlertSeverity": func(v any) (string, error) {
			x, err := scalar.UnmarshalAlertSeverity(v)
			return written(scalar.MarshalAlertSeverity(x)), err
		},
		"RoutingStrategy": func(v any) (string, error) {
			x, err := scalar.UnmarshalRoutingStrategy(v)
			return written(scalar.MarshalRoutingStrategy(x)), err
		},
		"DependencyCondition": func(v any) (string, error) {
			x, err := scalar.UnmarshalDependencyCondition(v)
			return written(scalar.MarshalDependencyCondition(x)), err
		},
		"DependencyMode": func(v any) (string, error) {
			x, err := scalar.UnmarshalDependencyMode(v)
			return written(scalar.MarshalDependencyMode(x)), err
		},
		"DependencyWindow": func(v any) (string, error) {
			x, err := scalar.UnmarshalDependencyWindow(v)
			return written(scalar.MarshalDependencyWindow(x)), err
		},
		"DownstreamRule": func(v any) (string, error) {
			x, err := scalar.UnmarshalDownstreamRule(v)
			return written(scalar.MarshalDownstreamRule(x)), err
		},
		"NodeState": func(v any) (string, error) {
			x, err := scalar.UnmarshalNodeState(v)
			return written(scalar.MarshalNodeState(x)), err
		},
		"CalendarRule": func(v any) (string, error) {
			x, err := scalar.UnmarshalCalendarRule(v)
			return written(scalar.MarshalCalendarRule(x)), err
		},
		"TaskState": func(v any) (string, error) {
			x, err := scalar.UnmarshalTaskState(v)
			return written(scalar.MarshalTaskState(x)), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got, want []string
			for _, value := range valuesOf(t, schema, name) {
				text, err := again(value)
				if err != nil {
					t.Errorf("%s: %v", value, err)
				}
				want, got = append(want, `"`+value+`"`), append(got, text)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("values (-schema +ledger):\n%s", diff)
			}
			for _, bad := range []any{"", "NONSENSE", nil, 3} {
				if _, err := again(bad); !fault.Is(err, fault.Invalid) {
					t.Errorf("%v was taken: %v", bad, err)
				}
			}
		})
	}
}

func valuesOf(t *testing.T, schema *ast.Schema, enum string) []string {
	t.Helper()
	var names []string
	for _, v := range schema.Types[enum].EnumValues {
		names = append(names, v.Name)
	}
	if len(names) == 0 {
		t.Fatalf("%s has no values", enum)
	}
	return names
}
