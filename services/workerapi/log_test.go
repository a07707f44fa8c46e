package workerapi

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/mask"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// storedLines are the lines of chunks as they are stored.
func storedLines(t *testing.T, chunks []models.LogChunk) (lines []wire.LogLine) {
	t.Helper()
	for _, c := range chunks {
		var part []wire.LogLine
		if err := json.Unmarshal(c.Lines, &part); err != nil {
			t.Fatal(err)
		}
		_, first := models.SplitLogSeq(c.FirstSeq)
		_, last := models.SplitLogSeq(c.LastSeq)
		if part[0].Seq != first || part[len(part)-1].Seq != last || c.Bytes != len(c.Lines) {
			t.Errorf("chunk %d to %d of %d bytes holds %d to %d", first, last, c.Bytes, part[0].Seq, part[len(part)-1].Seq)
		}
		lines = append(lines, part...)
	}
	return lines
}

func TestWhatAttemptsReportIsMasked(t *testing.T) {
	t.Parallel()
	const secret = "hunter2-7391"
	half := 0.5
	req := report(
		wire.Item{AttemptRef: ref, Log: &wire.LogChunk{Lines: []wire.LogLine{
			{Seq: 1, Level: "INFO", Message: "password=" + secret, Fields: json.RawMessage(`{"token":"` + secret + `","a":["--password","` + secret + `"]}`)},
			{Seq: 2, Level: "INFO", Message: strings.Repeat("x", wire.MaxLogLineBytes-10) + " password=" + secret},
		}}},
		wire.Item{AttemptRef: ref, Progress: &wire.Progress{Fraction: half, Message: "token: " + secret}},
		wire.Item{AttemptRef: ref, Refused: &wire.Refused{Reason: "token=" + secret}},
		wire.Item{AttemptRef: ref, Result: &wire.Result{
			Outcome: wire.OutcomeFailed, Error: "dial https://bob:" + secret + "@db", Stack: "secret=" + secret, Result: json.RawMessage(`{"apiKey":"` + secret + `"}`),
		}},
	)
	whole, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	stored := func(m *mask.Masker) string {
		var fresh wire.Report
		if err := json.Unmarshal(whole, &fresh); err != nil {
			t.Fatal(err)
		}
		b := newBatch(fresh, time.Now(), m)
		text := fmt.Sprintf("%+v", storedLines(t, b.logs))
		for _, line := range storedLines(t, b.logs) {
			text += string(line.Fields)
		}
		for _, p := range b.progress {
			text += p.Message
		}
		for _, e := range b.ends {
			text += e.Error + string(e.Result)
		}
		return text
	}
	if got := stored(nil); strings.Count(got, secret) < 8 {
		t.Errorf("without masking the secret is there %d times", strings.Count(got, secret))
	}
	if got := stored(mask.New(mask.Rules{})); strings.Contains(got, "hunter2") || strings.Count(got, mask.Mark) < 7 {
		t.Errorf("masked %d times: %s", strings.Count(got, mask.Mark), got)
	}
}

func TestLogItemsArePartedAndTidied(t *testing.T) {
	t.Parallel()
	var lines []wire.LogLine
	for n := range int64(100) {
		lines = append(lines, wire.LogLine{Seq: n + 1, Level: "info", Message: strings.Repeat("字", wire.MaxLogLineBytes)})
	}
	lines[7].Level, lines[9].Level, lines[11].Level = "Critical", "warning", "notice"
	lines[13].Fields = json.RawMessage(`"` + strings.Repeat("x", wire.MaxLogLineBytes) + `"`)
	item := &wire.Item{AttemptRef: ref, Log: &wire.LogChunk{Lines: lines}}
	tr := translator{req: &wire.Report{}, now: time.Now()}
	chunks, err := tr.log(item)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range chunks {
		want := uint8(2)
		switch i {
		case 1:
			want = 4
		case 2:
			want = 3
		}
		if c.Bytes > 2*maxChunkBytes || c.TopLevel != want {
			t.Errorf("chunk %d: %d bytes, level %d, want %d", i, c.Bytes, c.TopLevel, want)
		}
	}
	got := storedLines(t, chunks)
	if len(got) != 100 || got[7].Level != "ERROR" || got[9].Level != "WARN" || got[11].Level != "INFO" || !strings.Contains(string(got[13].Fields), "dropped") {
		t.Errorf("%d lines, levels %s %s %s, fields %.50s", len(got), got[7].Level, got[9].Level, got[11].Level, got[13].Fields)
	}
	again, err := tr.log(item)
	if diff := cmp.Diff(chunks, again); err != nil || diff != "" {
		t.Errorf("sent again: %v %s", err, diff)
	}
}
