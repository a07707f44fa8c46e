package task

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// logOf stores lines of an attempt, from number first on.
func (d *desk) logOf(id string, attempt int, first int64, lines ...wire.LogLine) {
	for i := range lines {
		lines[i].Seq, lines[i].At = first+int64(i), d.clock.Now()
	}
	body, err := json.Marshal(lines)
	d.must(err)
	d.must(d.store.AppendLogs(d.Context(), []models.LogChunk{{
		TaskID: id, FirstSeq: models.LogSeq(attempt, first), LastSeq: models.LogSeq(attempt, first+int64(len(lines))-1), Bytes: len(body), Lines: body,
	}}, 1<<30))
}

func TestLogsAreWrittenOut(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	task := d.run(NewTask{})
	d.logOf(task.ID, 1, 3, wire.LogLine{Level: "INFO", Message: "\x1b[31mred\x1b[0m \x1b]8;;http://x\x1b\\link", Fields: json.RawMessage(`{"a":1}`)},
		wire.LogLine{Level: "ERROR", Message: "字\n\tat main.go:1"})
	d.logOf(task.ID, 2, 1, wire.LogLine{Level: "DEBUG", Message: "again"})
	at := d.clock.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	node := ""
	attempts, err := d.Attempts(t.Context(), []models.Task{task})
	d.must(err)
	for _, a := range attempts[task.ID] {
		if a.Number == 1 && a.NodeName != "" {
			node = " on " + a.NodeName
		}
	}
	write := func(e LogExport) string {
		var out strings.Builder
		d.must(d.WriteLog(t.Context(), &out, task.ID, e, func() error { return nil }))
		return out.String()
	}
	first := fmt.Sprintf("--- attempt 1%s ---\n--- 2 lines were dropped here by the size limit ---\n%s INFO  red link {\"a\":1}\n%s ERROR 字\n\tat main.go:1\n", node, at, at)
	second := fmt.Sprintf("--- attempt 2 ---\n%s DEBUG again\n", at)
	if diff := cmp.Diff(first+second, write(LogExport{Format: LogText})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(second, write(LogExport{Format: LogText, Attempt: 2})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(first, write(LogExport{Format: LogText, Attempt: 1})); diff != "" {
		t.Error(diff)
	}
	if got := write(LogExport{Format: LogRaw}); got != "\x1b[31mred\x1b[0m \x1b]8;;http://x\x1b\\link\n字\n\tat main.go:1\nagain\n" {
		t.Errorf("raw: %q", got)
	}
	lines := strings.Split(strings.TrimSpace(write(LogExport{Format: LogNDJSON})), "\n")
	var one struct {
		Seq     int64
		Attempt int
		Level   string
		Message string
		Fields  map[string]int
	}
	if err := json.Unmarshal([]byte(lines[0]), &one); err != nil || len(lines) != 3 || one.Attempt != 1 || one.Fields["a"] != 1 || one.Seq != models.LogSeq(1, 3) {
		t.Errorf("%d lines, the first is %+v, %v", len(lines), one, err)
	}
	err = d.WriteLog(t.Context(), nil, task.ID, LogExport{Format: "pdf"}, nil)
	if !fault.Is(err, fault.Unsupported) {
		t.Errorf("another format: %v", err)
	}
	err = d.WriteLog(t.Context(), nil, models.NewID(d.clock.Now()), LogExport{Format: LogText}, nil)
	if !fault.Is(err, fault.NotFound) {
		t.Errorf("another task: %v", err)
	}
}

// pageSink notes how much is written between two flushes, and ends after some.
type pageSink struct{ bytes, most, flushes, stopAt int }

func (p *pageSink) Write(b []byte) (int, error) {
	p.bytes += len(b)
	p.most = max(p.most, p.bytes)
	return len(b), nil
}

func TestLogsAreWrittenPageByPage(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	task := d.run(NewTask{})
	line := strings.Repeat("x", 100)
	for n := range int64(10) {
		lines := make([]wire.LogLine, 400)
		for i := range lines {
			lines[i].Message = line
		}
		d.logOf(task.ID, 1, 400*n+1, lines...)
	}
	gone := errors.New("the client has gone")
	sink := pageSink{stopAt: 3}
	flush := func() error {
		sink.bytes = 0
		if sink.flushes++; sink.flushes == sink.stopAt {
			return gone
		}
		return nil
	}
	if err := d.WriteLog(t.Context(), &sink, task.ID, LogExport{Format: LogRaw}, flush); !errors.Is(err, gone) || sink.flushes != 3 {
		t.Errorf("%d pages, then %v", sink.flushes, err)
	}
	sink = pageSink{}
	d.must(d.WriteLog(t.Context(), &sink, task.ID, LogExport{Format: LogRaw}, flush))
	if sink.flushes != 8 || sink.most != exportPage*101 {
		t.Errorf("%d pages of at most %d bytes", sink.flushes, sink.most)
	}
}
