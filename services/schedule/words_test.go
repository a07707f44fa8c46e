package schedule

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite testdata/words.txt from the present output, to be read before it is committed")

// TestWords compares descriptions and warnings in both languages with
// testdata/words.txt. A line that starts with = holds an expression and,
// after a bar, a zone; what follows is the output.
func TestWords(t *testing.T) {
	t.Parallel()
	const file = "testdata/words.txt"
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	after := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for lines := bufio.NewScanner(strings.NewReader(string(want))); lines.Scan(); {
		line, ok := strings.CutPrefix(lines.Text(), "= ")
		if !ok {
			continue
		}
		expression, zone, _ := strings.Cut(line, " | ")
		cron, location := mustCron(t, expression), mustZone(t, zone)
		fmt.Fprintf(&got, "= %s\n", line)
		for _, lang := range []Lang{English, Chinese} {
			fmt.Fprintln(&got, cron.Describe(lang))
			for _, warning := range cron.Warnings(after, location, lang) {
				fmt.Fprintln(&got, "  !", warning)
			}
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestEveryExpressionHasWords: any expression is described in both languages,
// in one line, without a formatting accident, and the same after it was
// printed and parsed again.
func TestEveryExpressionHasWords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawCron(t, 8).text
		cron, err := ParseCron(text, "")
		if err != nil {
			t.Fatal(err)
		}
		zone, err := LoadZone(rapid.SampledFrom(oddHours).Draw(t, "place").zone)
		if err != nil {
			t.Fatal(err)
		}
		checkWords(t, cron, zone, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	})
}

// failer is what *testing.T and *rapid.T have in common.
type failer interface {
	Fatalf(format string, args ...any)
}

func checkWords(t failer, cron *Cron, zone *time.Location, after time.Time) {
	again, err := ParseCron(cron.String(), "")
	if err != nil {
		t.Fatalf("%q: %v", cron, err)
	}
	for _, lang := range []Lang{English, Chinese} {
		description := cron.Describe(lang)
		warnings := cron.Warnings(after, zone, lang)
		for _, text := range append(warnings, description) {
			if text == "" || strings.ContainsAny(text, "\n%") || strings.Contains(text, "  ") || strings.TrimSpace(text) != text {
				t.Fatalf("%q in %s: %q", cron, lang, text)
			}
			if lang == English && strings.Trim(text, asciiAndDash) != "" {
				t.Fatalf("%q: English with other characters: %q", cron, text)
			}
		}
		if again.Describe(lang) != description {
			t.Fatalf("%q: %q became %q", cron, description, again.Describe(lang))
		}
	}
}

var asciiAndDash = func() string {
	set := "–"
	for r := rune(' '); r <= '~'; r++ {
		set += string(r)
	}
	return set
}()

func TestTriggerWords(t *testing.T) {
	t.Parallel()
	start, end := instant(t, "2026-03-01T00:00:00Z"), instant(t, "2026-04-01T00:00:00Z")
	tests := []struct {
		spec             Spec
		english, chinese string
		warnings         int
	}{
		{
			Spec{Kind: KindCron, Expression: "0 2 * * *", Zone: "Europe/Berlin", StartAt: start, EndAt: end, Jitter: 90 * time.Second},
			"At 02:00 every day (Europe/Berlin time), from 2026-03-01T00:00:00Z, until 2026-04-01T00:00:00Z, each put off by up to 1 minute 30 seconds",
			"每天 02:00（Europe/Berlin 时间），自 2026-03-01T00:00:00Z 起，至 2026-04-01T00:00:00Z 止，每次最多推迟 1 分钟 30 秒",
			1,
		},
		{Spec{Kind: KindFixedRate, Every: 36 * time.Hour}, "Every 1 day 12 hours", "每 1 天 12 小时", 0},
		{Spec{Kind: KindFixedRate, Every: 250 * time.Millisecond}, "Every 250 milliseconds", "每 250 毫秒", 1},
		{Spec{Kind: KindFixedDelay, Delay: time.Second}, "1 second after the previous run ended", "上一次运行结束后 1 秒", 0},
		{Spec{Kind: KindManual}, "Only when started by a person, the API or an SDK", "仅由人工、API 或 SDK 启动", 0},
	}
	for _, test := range tests {
		trigger := mustCompile(t, test.spec)
		if got := trigger.Describe(English); got != test.english {
			t.Errorf("got  %s\nwant %s", got, test.english)
		}
		if got := trigger.Describe(Chinese); got != test.chinese {
			t.Errorf("got  %s\nwant %s", got, test.chinese)
		}
		for _, lang := range []Lang{English, Chinese} {
			if got := trigger.Warnings(start, lang); got == nil || len(got) != test.warnings {
				t.Errorf("%+v: %d warnings: %q", test.spec, len(got), got)
			}
		}
	}
}

func TestTriggerWarnings(t *testing.T) {
	t.Parallel()
	start := instant(t, "2026-03-01T00:00:00Z")
	tests := []struct {
		spec  Spec
		after string
		want  []string
	}{
		{
			Spec{Kind: KindCron, Expression: "0 0 30 2 *", EndAt: start},
			"2026-01-01T00:00:00Z",
			[]string{"This schedule never fires: none of the dates it names exists"},
		},
		{
			Spec{Kind: KindCron, Expression: "@yearly", StartAt: start, EndAt: start.AddDate(0, 1, 0)},
			"2026-01-01T00:00:00Z",
			[]string{"This schedule never fires between its start and its end"},
		},
		{
			Spec{Kind: KindCron, Expression: "@daily", EndAt: start},
			"2026-03-01T00:00:00Z",
			[]string{"This schedule ended at 2026-03-01T00:00:00Z"},
		},
		{
			Spec{Kind: KindCron, Expression: "0 0 0 1 1 ? 2020"},
			"2026-03-01T00:00:00Z",
			[]string{"This schedule does not fire any more after 2026-03-01T00:00:00Z"},
		},
		{
			Spec{Kind: KindCron, Expression: "* * * * *", Jitter: time.Hour},
			"2026-03-01T00:00:00Z",
			[]string{"The jitter of 1 hour is longer than the time between two fires: fires may overtake each other"},
		},
		{ // The change of 2026 is over when it starts.
			Spec{Kind: KindCron, Expression: "30 2 * * *", Zone: "America/New_York", StartAt: instant(t, "2026-12-01T00:00:00Z")},
			"2026-01-01T00:00:00Z",
			[]string{"On 2027-03-14 the clocks in America/New_York go forward from 02:00 to 03:00: 02:30 does not exist that day; it fires once instead, at 03:00"},
		},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, mustCompile(t, test.spec).Warnings(instant(t, test.after), English)); diff != "" {
			t.Errorf("%+v: -want +got:\n%s", test.spec, diff)
		}
	}
}
