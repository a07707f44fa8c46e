package jobfile

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWrittenFile(t *testing.T) {
	t.Parallel()
	documents, err := Read("jobs.yaml", []byte(whole_))
	if err != nil {
		t.Fatal(err)
	}
	documents[0].Jobs[0].Comment = "from line 7 of crontab\nsecond line\n"
	got, err := Write(documents)
	if err != nil {
		t.Fatal(err)
	}
	const file = "testdata/written.golden.yaml"
	if *update {
		if err := os.WriteFile(file, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Error(d)
	}
	again(t, documents)
}

// anyText has what YAML readers stumble over.
var anyText = rapid.OneOf(
	rapid.SampledFrom([]string{
		"", "no", "~", "null", "010", "1e3", "0x1f", "- a", "a: b", "a #b", "#b", " a", "a ", "a\nb", "a\n\nb\n", "\n", "a\n\n", "\ta", "'", `"`, "\\n", "%a", "@a", "`a", "*x", "&x", "!x", "|", ">", "{a}", "[a]", ",", "?", "? a", "---", "...", "<<", "=", "2026-01-01", "12:30:45",
		"a\r\nb", "\u2028", "\ufeff", "\u0085", "夜间", "😀", "a\n  b\n c", "  a\nb", "x\ty\nz", "a:\n- b", "key:", "# c\nd",
	}),
	rapid.String(), rapid.StringMatching(`[a-z \n:#'"-]{0,20}`),
)

func anyValue(depth int) *rapid.Generator[any] {
	plain := []*rapid.Generator[any]{
		rapid.Map(anyText, func(s string) any { return s }), rapid.Map(rapid.Int64(), func(n int64) any { return n }),
		rapid.Map(rapid.Float64Range(-1e300, 1e300), func(v float64) any { return v }), rapid.Just[any](nil), rapid.Just[any](true),
	}
	if depth == 0 {
		return rapid.OneOf(plain...)
	}
	inner := rapid.Deferred(func() *rapid.Generator[any] { return anyValue(depth - 1) })
	return rapid.OneOf(append(plain,
		rapid.Map(rapid.SliceOfN(inner, 0, 4), func(v []any) any { return v }),
		rapid.Map(rapid.MapOfN(anyText, inner, 0, 4), func(v map[string]any) any { return v }))...)
}

// anyJob draws a valid job.
func anyJob(t *rapid.T, name string) Job {
	pick := func(label string, words ...string) string { return rapid.SampledFrom(append(words, "")).Draw(t, label) }
	j := Job{
		Name: name, Handler: rapid.SampledFrom([]string{"Report", "no", "1", "x: y"}).Draw(t, "handler"),
		Description: rapid.SampledFrom([]string{"", "one", "two\nlines", "a\n\n b\n", "# no\ncomment", "- dash"}).Draw(t, "description"),
		Group:       pick("group", "default", "other"), Priority: pick("priority", "LOW", "NORMAL", "CRITICAL"), Timeout: pick("timeout", "1h", "90m", "1500ms"),
		Concurrency: pick("concurrency", "ALLOW", "REPLACE"), Delivery: pick("delivery", "AT_MOST_ONCE"), MaxRunning: rapid.IntRange(0, 3).Draw(t, "maxRunning"),
	}
	raw, err := json.Marshal(anyValue(3).Draw(t, "parameters"))
	if err != nil {
		t.Fatalf("marshalling: %v", err)
	}
	j.Parameters = raw
	if rapid.Bool().Draw(t, "retried") {
		j.Retry = &Retry{MaxAttempts: rapid.IntRange(1, 9).Draw(t, "tries"), Backoff: pick("backoff", "FIXED", "EXPONENTIAL"), Delay: pick("delay", "0s", "10s", "2h"), MaxDelay: pick("maxDelay", "2h", "3h"), Jitter: rapid.SampledFrom([]float64{0, 0.25, 1}).Draw(t, "jitter")}
	}
	if rapid.Bool().Draw(t, "misfires") {
		j.Misfire = &Misfire{Policy: pick("policy", "SKIP", "FIRE_ALL"), Grace: pick("grace", "15s", "1m"), Limit: rapid.SampledFrom([]int{0, 100, 5}).Draw(t, "limit")}
	}
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		j.Trigger.Cron = &Cron{Expression: rapid.SampledFrom([]string{"* * * * *", "@daily", "0 0 2 ? * 6L"}).Draw(t, "cron"), Zone: pick("zone", "UTC", "Asia/Tokyo"), Jitter: pick("by", "0s", "5s"), EndAt: pick("end", "2090-01-01T00:00:00.5Z")}
	case 1:
		j.Trigger.FixedRate = &FixedRate{Every: "90s", StartAt: pick("start", "2026-01-01T00:00:00+08:00")}
	case 2:
		j.Trigger.FixedDelay = &FixedDelay{Delay: "1m30s"}
	case 3:
		j.Trigger.Dependency = &Dependency{Upstream: []Upstream{{Job: "up", App: pick("app", "a", "b"), On: pick("on", "SUCCESS", "FAILURE")}}, Mode: pick("mode", "ANY"), Window: pick("window", "DAY")}
	default:
		j.Trigger.Manual = true
	}
	return j
}

// What is written is read as the same, whatever the texts are.
func TestWriteThenReadIsTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := Document{Version: 1, App: "a", Group: rapid.SampledFrom([]string{"", "default", "g"}).Draw(t, "group")}
		for i := range rapid.IntRange(0, 3).Draw(t, "jobs") {
			d.Jobs = append(d.Jobs, anyJob(t, string(rune('a'+i))))
		}
		again(t, []Document{d})
		sources := []Source{{"f", []Document{d}}}
		var live []Live
		for _, j := range d.Jobs {
			server := j.Normal(d.App, d.Group)
			server.Enabled = new(rapid.Bool().Draw(t, "enabled"))
			live = append(live, Live{Job: server})
		}
		if p := Make(sources, map[string][]Live{"a": live}, true); p.Drift() {
			t.Fatalf("drift without a change:\n%s", p.Show(true))
		}
	})
}
