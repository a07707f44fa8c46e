package workerapi

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const frames = "../../worker-sdk/wire/testdata"

// frameOf answers an empty value of the type that a golden frame has.
func frameOf(name string) any {
	switch {
	case strings.HasPrefix(name, "frame-"):
		return new(wire.Frame)
	case name == "register":
		return new(wire.Register)
	case name == "registered":
		return new(wire.Registered)
	case name == "report", name == "report-results":
		return new(wire.Report)
	case name == "reported":
		return new(wire.Reported)
	case name == "heartbeat":
		return new(wire.Heartbeat)
	case name == "heartbeat-answer":
		return new(wire.HeartbeatAnswer)
	case name == "leave":
		return new(wire.Leave)
	case name == "enqueue":
		return new(wire.Enqueue)
	case name == "enqueued":
		return new(wire.Enqueued)
	case name == "cancel-request":
		return new(wire.CancelRequest)
	case name == "move-request":
		return new(wire.MoveRequest)
	case name == "task-status":
		return new(wire.TaskStatus)
	case name == "error":
		return new(wire.ErrorBody)
	}
	return nil
}

// TestGoldenFramesAreRead reads the frames that the worker's side is tested with:
// both sides mean the same bytes.
func TestGoldenFramesAreRead(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(frames, "*.json"))
	if err != nil || len(files) < 15 {
		t.Fatalf("%d golden frames, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			frame := frameOf(name)
			if frame == nil {
				t.Fatalf("%s is a frame that this server does not know", name)
			}
			dec := json.NewDecoder(bytes.NewReader(text))
			dec.DisallowUnknownFields()
			if err := dec.Decode(frame); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func report(items ...wire.Item) wire.Report {
	return wire.Report{Node: "n1", Group: "g", Incarnation: "inc-12345", Items: items}
}

var ref = wire.AttemptRef{Task: "01M8NS02QGGZW7NW7SCVSBSXAN", Attempt: 2}

func TestOneBadItemBlocksNoOther(t *testing.T) {
	t.Parallel()
	good := wire.Item{AttemptRef: ref, Result: &wire.Result{Outcome: wire.OutcomeSucceeded}}
	b := newBatch(report(
		wire.Item{AttemptRef: wire.AttemptRef{Task: "x", Attempt: 1}, Result: good.Result},
		wire.Item{AttemptRef: ref},
		wire.Item{AttemptRef: ref, Result: &wire.Result{Outcome: "exploded"}},
		wire.Item{AttemptRef: ref, Result: &wire.Result{Outcome: wire.OutcomeSucceeded, Result: json.RawMessage(`"` + strings.Repeat("x", wire.MaxResultBytes) + `"`)}},
		wire.Item{AttemptRef: ref, Log: &wire.LogChunk{}},
		wire.Item{AttemptRef: ref, Log: &wire.LogChunk{Lines: []wire.LogLine{{Seq: 2}, {Seq: 2}}}},
		good,
	), time.Now(), nil)
	for i, ack := range b.acks {
		want := wire.AckInvalid
		if i == len(b.acks)-1 {
			want = wire.AckAccepted
		}
		if ack.Status != want || want == wire.AckInvalid && ack.Message == "" {
			t.Errorf("item %d: %+v, want %s", i, ack, want)
		}
	}
	if len(b.ends) != 1 || b.endsAt[0] != len(b.acks)-1 {
		t.Errorf("ends %+v at %v", b.ends, b.endsAt)
	}
}

// TestWorkersClockIsTakenOut has a worker whose clock is a day behind report an
// attempt of three seconds that ended a second before.
func TestWorkersClockIsTakenOut(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 8, 7, 30, 0, 0, time.UTC)
	wrong := now.Add(-24 * time.Hour)
	req := report(wire.Item{AttemptRef: ref, Result: &wire.Result{
		Outcome: wire.OutcomeSucceeded, StartedAt: wrong.Add(-4 * time.Second), FinishedAt: wrong.Add(-time.Second),
	}})
	req.SentAt = wrong
	end := newBatch(req, now, nil).ends[0]
	if !end.StartedAt.Equal(now.Add(-4*time.Second)) || !end.FinishedAt.Equal(now.Add(-time.Second)) {
		t.Errorf("started %s, finished %s", end.StartedAt, end.FinishedAt)
	}
	req.SentAt = time.Time{}
	req.Items[0].Result.FinishedAt = now.Add(time.Hour)
	if end := newBatch(req, now, nil).ends[0]; end.FinishedAt.After(now) {
		t.Errorf("an end in the future: %s", end.FinishedAt)
	}
}

func TestLongLinesAreCutOnARune(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a", "字", "😀", "é"} {
		got := cut(strings.Repeat(text, wire.MaxLogLineBytes+1), wire.MaxLogLineBytes)
		if len(got) > wire.MaxLogLineBytes || !strings.HasSuffix(got, "(cut)") || strings.ContainsRune(got, '\uFFFD') {
			t.Errorf("%q: %d bytes, ends %q", text, len(got), got[len(got)-12:])
		}
	}
}

func TestLogSeqGrowsOverAttempts(t *testing.T) {
	t.Parallel()
	tr := translator{req: &wire.Report{}, now: time.Now()}
	first, err := tr.log(&wire.Item{AttemptRef: wire.AttemptRef{Task: ref.Task, Attempt: 1}, Log: &wire.LogChunk{Lines: []wire.LogLine{{Seq: 900}}}})
	if err != nil {
		t.Fatal(err)
	}
	second, err := tr.log(&wire.Item{AttemptRef: wire.AttemptRef{Task: ref.Task, Attempt: 2}, Log: &wire.LogChunk{Lines: []wire.LogLine{{Seq: 1}, {Seq: 5}}}})
	if err != nil {
		t.Fatal(err)
	}
	if second[0].FirstSeq <= first[0].LastSeq {
		t.Errorf("attempt 2 begins at %d, attempt 1 ends at %d", second[0].FirstSeq, first[0].LastSeq)
	}
	if a, n := models.SplitLogSeq(second[0].LastSeq); a != 2 || n != 5 {
		t.Errorf("last line is %d of attempt %d", n, a)
	}
}
