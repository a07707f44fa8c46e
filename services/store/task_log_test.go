package store

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// chunkOf is a chunk of lines first to last of an attempt.
func chunkOf(t testing.TB, task string, attempt int, first, last int64) models.LogChunk {
	t.Helper()
	var lines []wire.LogLine
	for n := first; n <= last; n++ {
		lines = append(lines, wire.LogLine{Seq: n, At: t0.Add(time.Duration(n) * time.Second), Level: "INFO", Message: fmt.Sprintf("行 %d 😀", n)})
	}
	data, err := json.Marshal(lines)
	if err != nil {
		t.Fatal(err)
	}
	return models.LogChunk{
		TaskID: task, FirstSeq: models.LogSeq(attempt, first), LastSeq: models.LogSeq(attempt, last), Bytes: len(data), Lines: data,
	}
}

// logSeqs reads a whole log in pages and answers its lines as attempt.line.
func logSeqs(t testing.TB, s *Store, task string, page int) (seqs []string, truncated bool) {
	t.Helper()
	after := int64(0)
	for {
		read, err := s.TaskLogs(t.Context(), task, after, page)
		if err != nil {
			t.Fatal(err)
		}
		lines, more, cut := read.Lines, read.More, read.Truncated
		truncated = truncated || cut
		if len(lines) > page || more && len(lines) < page {
			t.Fatalf("a page of %d has %d lines, more: %v", page, len(lines), more)
		}
		for _, line := range lines {
			if line.Seq <= after || line.Seq != models.LogSeq(line.Attempt, line.LogLine.Seq) {
				t.Fatalf("line %+v after %d", line, after)
			}
			after = line.Seq
			seqs = append(seqs, fmt.Sprintf("%d.%d", line.Attempt, line.LogLine.Seq))
		}
		if !more {
			return seqs, truncated
		}
	}
}

func TestLogsArePagedInOrderWithoutRepeats(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		task, other := models.NewID(t0), models.NewID(t0)
		chunks := []models.LogChunk{chunkOf(t, task, 2, 1, 2), chunkOf(t, task, 1, 4, 4), chunkOf(t, other, 1, 1, 1), chunkOf(t, task, 1, 1, 3)}
		for range 2 { // sent again after a lost answer
			if err := s.AppendLogs(t.Context(), append(chunks, chunks[0]), 1<<20); err != nil {
				t.Fatal(err)
			}
		}
		want := []string{"1.1", "1.2", "1.3", "1.4", "2.1", "2.2"}
		for page := 1; page <= 7; page++ {
			got, truncated := logSeqs(t, s, task, page)
			if diff := cmp.Diff(want, got); diff != "" || truncated {
				t.Errorf("pages of %d, truncated %v (-want +got):\n%s", page, truncated, diff)
			}
		}
		read, err := s.TaskLogs(t.Context(), task, models.LogSeq(1, 2), 1)
		lines := read.Lines
		if err != nil || len(lines) != 1 || lines[0].Message != "行 3 😀" || !lines[0].At.Equal(t0.Add(3*time.Second)) {
			t.Errorf("the line after the second: %+v, %v", lines, err)
		}
		if got, truncated := logSeqs(t, s, models.NewID(t0), 10); len(got) != 0 || truncated {
			t.Errorf("the log of no task: %v, %v", got, truncated)
		}
	})
}

func TestLongLogsLoseTheirOldestLines(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		task := models.NewID(t0)
		var chunks []models.LogChunk
		for n := range int64(300) {
			chunks = append(chunks, chunkOf(t, task, 1, n+1, n+1))
		}
		limit := int64(5 * chunks[299].Bytes)
		for i := 0; i < len(chunks); i += 150 {
			if err := s.AppendLogs(t.Context(), chunks[i:i+150], limit); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.AppendLogs(t.Context(), []models.LogChunk{chunkOf(t, task, 2, 1, 1)}, limit); err != nil {
			t.Fatal(err)
		}
		want := []string{"1.296", "1.297", "1.298", "1.299", "1.300", "2.1"}
		got, truncated := logSeqs(t, s, task, 4)
		if diff := cmp.Diff(want, got); diff != "" || !truncated {
			t.Errorf("truncated %v (-want +got):\n%s", truncated, diff)
		}
		// What was dropped does not come back with a repeat, nor is it told of again
		// to a reader who is past it.
		if err := s.AppendLogs(t.Context(), chunks[:10], limit); err != nil {
			t.Fatal(err)
		}
		if again, _ := logSeqs(t, s, task, 4); cmp.Diff(want, again) != "" {
			t.Errorf("after a repeat: %v", again)
		}
		if read, err := s.TaskLogs(t.Context(), task, models.LogSeq(1, 295), 10); err != nil || read.Truncated {
			t.Errorf("past the cut: truncated %v, %v", read.Truncated, err)
		}
		if err := s.AppendLogs(t.Context(), []models.LogChunk{chunkOf(t, task, 3, 1, 50)}, 100); err != nil {
			t.Fatal(err)
		}
		if got, truncated := logSeqs(t, s, task, 10); len(got) != len(want) || !truncated {
			t.Errorf("a chunk above the limit alone: %v, %v", got, truncated)
		}
	})
}

func TestManyWritersOfOneLogKeepTheLimit(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		task := models.NewID(t0)
		limit := int64(8 * chunkOf(t, task, 1, 1000, 1000).Bytes)
		errs := make(chan error)
		for w := range int64(4) {
			go func() {
				var err error
				for n := w*50 + 1; n <= w*50+50 && err == nil; n++ {
					err = s.AppendLogs(t.Context(), []models.LogChunk{chunkOf(t, task, 1, n, n)}, limit)
				}
				errs <- err
			}()
		}
		for range 4 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		var kept, noted int64
		if err := queryOne(s.read(t.Context()), &kept, "SELECT COALESCE(SUM(bytes), 0) FROM task_logs"); err != nil {
			t.Fatal(err)
		}
		if err := queryOne(s.read(t.Context()), &noted, "SELECT bytes FROM task_log_heads"); err != nil {
			t.Fatal(err)
		}
		if kept != noted || kept > limit || kept == 0 {
			t.Errorf("%d bytes kept, %d noted, limit %d", kept, noted, limit)
		}
	})
}
