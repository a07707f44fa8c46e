package worker

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// randomItem makes an item and what it should be on the wire.
func randomItem(r *rand.Rand) (item, wire.Item) {
	texts := []string{"", "plain", `quo"te \ back`, "Täglich 每日", "line\nbreak\x00\x1f\x7f", "<&>\u2028", "bad \xff utf-8"}
	text := func() string { return texts[r.IntN(len(texts))] }
	valid := func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
	at := time.Unix(1_700_000_000+r.Int64N(1e6), r.Int64N(1e9)).UTC()
	a := &attempt{ref: wire.AttemptRef{Task: text(), Attempt: r.IntN(1000)}, startedAt: at, refusal: wire.RefuseNoSlot}
	want := wire.Item{AttemptRef: wire.AttemptRef{Task: valid(a.ref.Task), Attempt: a.ref.Attempt}}
	it := item{a: a}
	switch r.IntN(6) {
	case 0:
		it.started, want.Started = true, &wire.Started{At: at}
	case 1:
		it.progress = &wire.Progress{Fraction: r.Float64(), Message: text()}
		want.Progress = &wire.Progress{Fraction: it.progress.Fraction, Message: valid(it.progress.Message)}
	case 2:
		var l lines
		l.add([]byte(`"at":"2026-11-30T07:30:00Z","level":"INFO","message":"a"}`), 1<<20, at)
		l.add([]byte(`"at":"2026-11-30T07:30:01Z","level":"WARN","message":"b","fields":{"x":1}}`), 1<<20, at)
		it.chunk = l.take()
		day := time.Date(2026, 11, 30, 7, 30, 0, 0, time.UTC)
		want.Log = &wire.LogChunk{Lines: []wire.LogLine{
			{Seq: 1, At: day, Level: "INFO", Message: "a"},
			{Seq: 2, At: day.Add(time.Second), Level: "WARN", Message: "b", Fields: json.RawMessage(`{"x":1}`)},
		}}
	case 3:
		it.checkpoint, want.Checkpoint = &checkpoint{data: json.RawMessage(`{"n":[1]}`)}, json.RawMessage(`{"n":[1]}`)
	case 4:
		it.refusal, want.Refused = true, &wire.Refused{Reason: wire.RefuseNoSlot}
	case 5:
		e := &ending{outcome: wire.OutcomeFailed, startedAt: at, finishedAt: at.Add(time.Second), err: text(), stack: text(), noRetry: r.IntN(2) == 0, after: r.Int64N(3) - 1}
		result := &wire.Result{Outcome: e.outcome, StartedAt: at, FinishedAt: e.finishedAt, Error: valid(e.err), Stack: valid(e.stack), NoRetry: e.noRetry}
		if e.after >= 0 {
			result.AfterMS = &e.after
		}
		if r.IntN(2) == 0 {
			e.result, result.Result = json.RawMessage(`"ok"`), json.RawMessage(`"ok"`)
		}
		it.ending, want.Result = e, result
	}
	return it, want
}

func TestReportsAreWhatEncodingJSONReads(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	cfg := Config{Name: `n"1`, Group: "grüße"}
	head := reportHead(&cfg, "01JD")
	for range 2000 {
		sent := time.Unix(1_700_000_000+r.Int64N(1e6), r.Int64N(1e6)*1000).UTC()
		want := wire.Report{Node: `n"1`, Group: "grüße", Incarnation: "01JD", SentAt: sent, Items: []wire.Item{}}
		var items []item
		for range r.IntN(4) {
			it, on := randomItem(r)
			items, want.Items = append(items, it), append(want.Items, on)
		}
		body := appendReport(nil, head, sent, items)
		check(t, body, want)
		want.SentAt = sent.Add(time.Hour)
		check(t, resent(body, head, want.SentAt), want)
	}
}

func check(t *testing.T, body []byte, want wire.Report) {
	t.Helper()
	var got wire.Report
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s:\ngot  %+v\nwant %+v", body, got, want)
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"short", "short"},
		{strings.Repeat("x", 30), strings.Repeat("x", 30)},
		{strings.Repeat("x", 31), strings.Repeat("x", 30-len(cutMark)) + cutMark},
		{strings.Repeat("é", 16), strings.Repeat("é", 10) + cutMark},
		{"a\xffb", "a\uFFFDb"},
		{strings.Repeat("\xff", 30), "\uFFFD" + cutMark}, // a run of bad bytes becomes one mark
		{strings.Repeat("a\xff", 15), ""},
	} {
		got := cut(c.in, 30)
		if c.want != "" && got != c.want && !strings.HasPrefix(c.in, "\xff") || len(got) > 30 || !utf8.ValidString(got) {
			t.Errorf("cut(%q) = %q", c.in, got)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("héllo wörld", 20)
	f.Add("\xff\xfe\xfd", 12)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = 2*len(cutMark) + limit&0xff
		got := cut(s, limit)
		if len(got) > limit || !utf8.ValidString(got) {
			t.Fatalf("cut(%q, %d) = %q", s, limit, got)
		}
		if len(s) <= limit && utf8.ValidString(s) && got != s {
			t.Fatalf("cut(%q, %d) = %q although it fits", s, limit, got)
		}
	})
}

func TestSettingsAreBounded(t *testing.T) {
	t.Parallel()
	def := settingsOf(wire.Settings{})
	if def.heartbeat != 5*time.Second || def.offline != 15*time.Second || def.report != 100*time.Millisecond || def.reportLimit != wire.MaxReportItems {
		t.Errorf("defaults %+v", def)
	}
	odd := settingsOf(wire.Settings{HeartbeatMS: 1, OfflineMS: 1 << 60, ReportMS: -5, KeepAliveMS: 1, ReportLimit: 1 << 30, LogLimit: -1})
	if odd.heartbeat < 50*time.Millisecond || odd.offline != time.Hour || odd.report != 100*time.Millisecond || odd.reportLimit != wire.MaxReportItems || odd.logLimit != defaultLogKept {
		t.Errorf("odd settings %+v", odd)
	}
}

func TestParseStat(t *testing.T) {
	t.Parallel()
	busy, total, ok := parseStat([]byte("cpu  10 20 30 400 50 6 7 8 9 9\ncpu0 1 1 1 1\n"))
	if !ok || busy != 10+20+30+6+7+8 || total != busy+450 {
		t.Errorf("busy %d, total %d, %v", busy, total, ok)
	}
	for _, bad := range []string{"", "cpu", "intr 1 2 3 4 5 6", "cpu a b c d e f"} {
		if _, _, ok := parseStat([]byte(bad)); ok {
			t.Errorf("%q is accepted", bad)
		}
	}
	var l load
	if _, memory := l.read(); memory <= 0 {
		t.Errorf("memory %d", memory)
	}
	if cpu, _ := l.read(); cpu < 0 || cpu > 1 {
		t.Errorf("cpu %f", cpu)
	}
}
