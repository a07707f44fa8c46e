package schedule

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func mustCompile(t testing.TB, spec Spec) *Trigger {
	t.Helper()
	trigger, err := Compile(spec, "seed")
	if err != nil {
		t.Fatal(err)
	}
	return trigger
}

// previewed formats the next fires for comparison.
func previewed(trigger *Trigger, after time.Time, count int) []string {
	texts := []string{}
	for _, fire := range trigger.Preview(after, count) {
		texts = append(texts, fire.Format(time.RFC3339Nano))
	}
	return texts
}

func TestTriggerFires(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		spec  Spec
		after string
		want  []string
	}{
		{
			"cron in its zone",
			Spec{Kind: KindCron, Expression: "30 2 * * *", Zone: "America/New_York"},
			"2026-03-07T12:00:00Z",
			[]string{"2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z", "2026-03-10T06:30:00Z"},
		},
		{
			"cron between its bounds, both included",
			Spec{Kind: KindCron, Expression: "@daily", StartAt: instant(t, "2026-03-01T00:00:00Z"), EndAt: instant(t, "2026-03-02T00:00:00Z")},
			"2025-01-01T00:00:00Z",
			[]string{"2026-03-01T00:00:00Z", "2026-03-02T00:00:00Z"},
		},
		{
			"cron after its end",
			Spec{Kind: KindCron, Expression: "@daily", EndAt: instant(t, "2026-03-02T00:00:00Z")},
			"2026-03-02T00:00:00Z",
			[]string{},
		},
		{
			"one instant",
			Spec{Kind: KindCron, Expression: "@daily", StartAt: instant(t, "2026-03-02T00:00:00Z"), EndAt: instant(t, "2026-03-02T00:00:00Z")},
			"2025-01-01T00:00:00Z",
			[]string{"2026-03-02T00:00:00Z"},
		},
		{
			"fixed rate from the epoch",
			Spec{Kind: KindFixedRate, Every: 90 * time.Second},
			"1970-01-01T00:02:00Z",
			[]string{"1970-01-01T00:03:00Z", "1970-01-01T00:04:30Z", "1970-01-01T00:06:00Z"},
		},
		{
			"fixed rate anchored at its start",
			Spec{Kind: KindFixedRate, Every: time.Hour, StartAt: instant(t, "2026-03-01T00:10:00.25Z"), EndAt: instant(t, "2026-03-01T02:10:00.25Z")},
			"2020-01-01T00:00:00Z",
			[]string{"2026-03-01T00:10:00.25Z", "2026-03-01T01:10:00.25Z", "2026-03-01T02:10:00.25Z"},
		},
		{
			"fixed rate strictly after a grid point",
			Spec{Kind: KindFixedRate, Every: 250 * time.Millisecond},
			"2026-03-01T00:00:00.25Z",
			[]string{"2026-03-01T00:00:00.5Z", "2026-03-01T00:00:00.75Z", "2026-03-01T00:00:01Z"},
		},
		{
			"fixed rate a nanosecond before a grid point",
			Spec{Kind: KindFixedRate, Every: time.Minute},
			"2026-03-01T00:00:59.999999999Z",
			[]string{"2026-03-01T00:01:00Z", "2026-03-01T00:02:00Z", "2026-03-01T00:03:00Z"},
		},
		{"fixed delay", Spec{Kind: KindFixedDelay, Delay: time.Minute}, "2026-03-01T00:00:00Z", []string{}},
		{"manual", Spec{Kind: KindManual}, "2026-03-01T00:00:00Z", []string{}},
	}
	for _, test := range tests {
		trigger := mustCompile(t, test.spec)
		if diff := cmp.Diff(test.want, previewed(trigger, instant(t, test.after), 3)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.name, diff)
		}
	}
}

// TestRestartKeepsPhase is CB-107: an hourly job that last ran at 10:00 and is
// looked at again at 10:50 runs at 11:00, whatever it is anchored to.
func TestRestartKeepsPhase(t *testing.T) {
	t.Parallel()
	restart := instant(t, "2026-03-01T10:50:00Z")
	for _, start := range []time.Time{{}, instant(t, "2026-02-01T10:00:00Z")} {
		trigger := mustCompile(t, Spec{Kind: KindFixedRate, Every: time.Hour, StartAt: start})
		next, _ := trigger.Next(instant(t, "2026-03-01T10:00:00Z"))
		for _, got := range []time.Time{Plan(PlanInput{Trigger: trigger, Next: next, Now: restart}).Next, trigger.Preview(restart, 1)[0]} {
			if !got.Equal(instant(t, "2026-03-01T11:00:00Z")) {
				t.Errorf("start %v: next run %v", start, got)
			}
		}
	}
}

// TestResumeHasNoBacklog is CB-038: a job resumed after a pause runs at the
// next fire after the resume.
func TestResumeHasNoBacklog(t *testing.T) {
	t.Parallel()
	trigger := mustCompile(t, Spec{Kind: KindCron, Expression: "*/5 * * * *"})
	next, _ := trigger.Next(instant(t, "2026-03-02T08:01:30Z"))
	if want := instant(t, "2026-03-02T08:05:00Z"); !next.Equal(want) {
		t.Errorf("next run %v, want %v", next, want)
	}
}

// TestGridProperty: every fixed-rate answer is on the grid, strictly after the
// question and less than one step away.
func TestGridProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		every := time.Duration(rapid.Int64Range(1, MaxPeriod.Milliseconds()).Draw(t, "every")) * time.Millisecond
		start := time.UnixMicro(rapid.Int64Range(0, 4e15).Draw(t, "start")).UTC()
		after := start.Add(time.Duration(rapid.Int64Range(0, 1<<62).Draw(t, "after")))
		trigger, err := Compile(Spec{Kind: KindFixedRate, Every: every, StartAt: start}, "")
		if err != nil {
			t.Fatal(err)
		}
		next, ok := trigger.Next(after)
		if !ok || !next.After(after) || next.Sub(after) > every || next.Sub(start)%every != 0 {
			t.Fatalf("every %s from %s after %s: %s", every, start, after, next)
		}
	})
}

func TestJitter(t *testing.T) {
	t.Parallel()
	trigger := mustCompile(t, Spec{Kind: KindCron, Expression: "@hourly", Jitter: time.Minute})
	spread := map[time.Duration]bool{}
	for _, fire := range trigger.Preview(time.Time{}, 200) {
		jitter := trigger.JitterFor(fire, "job")
		if jitter < 0 || jitter >= time.Minute || jitter != trigger.JitterFor(fire, "job") {
			t.Fatalf("jitter %s", jitter)
		}
		spread[jitter.Truncate(10*time.Second)] = true
	}
	if len(spread) != 6 {
		t.Errorf("jitter falls into %d of 6 parts of the minute", len(spread))
	}
	if jitter := mustCompile(t, Spec{Kind: KindManual}).JitterFor(time.Time{}, "job"); jitter != 0 {
		t.Errorf("without jitter: %s", jitter)
	}
}

func TestSpecsAreRefused(t *testing.T) {
	t.Parallel()
	at := instant(t, "2026-03-01T00:00:00Z")
	tests := []struct {
		field string
		spec  Spec
	}{
		{"kind", Spec{}},
		{"kind", Spec{Kind: "CRON "}},
		{"zone", Spec{Kind: KindCron, Expression: "@daily", Zone: "Local"}},
		{"every", Spec{Kind: KindFixedRate}},
		{"every", Spec{Kind: KindFixedRate, Every: -time.Second}},
		{"every", Spec{Kind: KindFixedRate, Every: time.Millisecond + 1}},
		{"every", Spec{Kind: KindFixedRate, Every: 1<<63 - 1}},
		{"delay", Spec{Kind: KindFixedDelay}},
		{"delay", Spec{Kind: KindFixedDelay, Delay: -1}},
		{"jitter", Spec{Kind: KindCron, Expression: "@daily", Jitter: -time.Second}},
		{"jitter", Spec{Kind: KindCron, Expression: "@daily", Jitter: 1000 * time.Hour}},
		{"jitter", Spec{Kind: KindFixedRate, Every: time.Second, Jitter: 2 * time.Second}},
		{"endAt", Spec{Kind: KindCron, Expression: "@daily", StartAt: at, EndAt: at.Add(-1)}},
		{"startAt", Spec{Kind: KindCron, Expression: "@daily", StartAt: at.AddDate(9000, 0, 0)}},
		{"expression", Spec{Kind: KindManual, Expression: "@daily"}},
		{"zone", Spec{Kind: KindFixedRate, Every: time.Second, Zone: "UTC"}},
		{"every", Spec{Kind: KindCron, Expression: "@daily", Every: time.Second}},
		{"delay", Spec{Kind: KindManual, Delay: time.Second}},
		{"startAt", Spec{Kind: KindManual, StartAt: at}},
		{"endAt", Spec{Kind: KindFixedDelay, Delay: time.Second, EndAt: at}},
		{"jitter", Spec{Kind: KindManual, Jitter: time.Second}},
	}
	for _, test := range tests {
		_, err := Compile(test.spec, "")
		if specError, ok := errors.AsType[*SpecError](err); !ok || specError.Field != test.field || specError.Message == "" {
			t.Errorf("%+v: %v, want an error in %s", test.spec, err, test.field)
		}
	}
	if _, err := Compile(Spec{Kind: KindCron}, ""); err == nil {
		t.Error("a cron trigger without expression compiles")
	} else if _, ok := errors.AsType[*ParseError](err); !ok {
		t.Errorf("%v is no *ParseError", err)
	}
}

func TestTriggerNever(t *testing.T) {
	t.Parallel()
	at := instant(t, "2026-03-01T00:00:00Z")
	tests := []struct {
		spec Spec
		want bool
	}{
		{Spec{Kind: KindManual}, false},
		{Spec{Kind: KindFixedDelay, Delay: time.Second}, false},
		{Spec{Kind: KindFixedRate, Every: time.Hour, StartAt: at}, false},
		{Spec{Kind: KindCron, Expression: "@daily"}, false},
		{Spec{Kind: KindCron, Expression: "0 0 30 2 *"}, true},
		{Spec{Kind: KindCron, Expression: "0 * 2 ? 3 1#2", Zone: "America/New_York", StartAt: at}, true},
		{Spec{Kind: KindCron, Expression: "@yearly", StartAt: at, EndAt: at.AddDate(0, 9, 0)}, true},
	}
	for _, test := range tests {
		if got := mustCompile(t, test.spec).Never(); got != test.want {
			t.Errorf("%+v: Never is %v", test.spec, got)
		}
	}
}
