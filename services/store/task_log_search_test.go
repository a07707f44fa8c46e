package store

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// levelChunk is a chunk of an attempt's lines with these levels, its own noted or not.
func levelChunk(t testing.TB, task string, attempt int, first int64, noted bool, levels ...string) models.LogChunk {
	t.Helper()
	var lines []wire.LogLine
	c := models.LogChunk{TaskID: task, FirstSeq: models.LogSeq(attempt, first), LastSeq: models.LogSeq(attempt, first+int64(len(levels))-1)}
	for i, level := range levels {
		n := first + int64(i)
		lines = append(lines, wire.LogLine{Seq: n, At: t0, Level: level, Message: fmt.Sprintf("Line %d Ä", n), Fields: json.RawMessage(fmt.Sprintf(`{"Order":%d}`, 100*n))})
		if noted {
			c.TopLevel = max(c.TopLevel, models.LogRank(level))
		}
	}
	data, err := json.Marshal(lines)
	if err != nil {
		t.Fatal(err)
	}
	c.Bytes, c.Lines = len(data), data
	return c
}

// searchWhole follows a search to its end and answers its lines as attempt.line.
func searchWhole(t testing.TB, s *Store, task string, q LogQuery) (seqs []string) {
	t.Helper()
	for range 1000 {
		found, err := s.SearchLogs(t.Context(), task, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range found.Lines {
			seqs = append(seqs, fmt.Sprintf("%d.%d", line.Attempt, line.LogLine.Seq))
		}
		if !found.More {
			return seqs
		}
		if found.SearchedTo == q.From || found.SearchedTo == 0 {
			t.Fatalf("the search stays at %d", q.From)
		}
		q.From = found.SearchedTo
	}
	t.Fatal("the search does not end")
	return nil
}

func TestLogSearch(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		task := models.NewID(t0)
		chunks := []models.LogChunk{
			levelChunk(t, task, 1, 1, true, "INFO", "DEBUG", "ERROR"), levelChunk(t, task, 1, 4, true, "INFO", "INFO"),
			levelChunk(t, task, 1, 6, false, "WARN", "ERROR"), levelChunk(t, task, 2, 1, true, "ERROR", "INFO", "ERROR"),
			levelChunk(t, models.NewID(t0), 1, 1, true, "ERROR"),
		}
		if err := s.AppendLogs(t.Context(), chunks, 1<<20); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name string
			q    LogQuery
			want []string
		}{
			{"errors", LogQuery{Rank: 4}, []string{"1.3", "1.7", "2.1", "2.3"}},
			{"errors from the end", LogQuery{Rank: 4, Backward: true}, []string{"2.3", "2.1", "1.7", "1.3"}},
			{"the next error", LogQuery{Rank: 4, From: models.LogSeq(1, 3)}, []string{"1.7", "2.1", "2.3"}},
			{"errors before", LogQuery{Rank: 4, From: models.LogSeq(2, 3), Backward: true}, []string{"2.1", "1.7", "1.3"}},
			{"within a chunk", LogQuery{From: models.LogSeq(1, 1), Attempt: 1}, []string{"1.2", "1.3", "1.4", "1.5", "1.6", "1.7"}},
			{"warnings of an attempt", LogQuery{Rank: 3, Attempt: 1}, []string{"1.3", "1.6", "1.7"}},
			{"text in either case", LogQuery{Text: "lINE 7 ä"}, []string{"1.7"}},
			{"text in fields", LogQuery{Text: `"order":300`}, []string{"1.3", "2.3"}},
			{"text and level", LogQuery{Text: "line 3", Rank: 4, Attempt: 2}, []string{"2.3"}},
			{"nothing", LogQuery{Text: "%"}, nil},
		} {
			for limit := 1; limit <= 5; limit += 2 {
				c.q.Limit = limit
				if diff := cmp.Diff(c.want, searchWhole(t, s, task, c.q)); diff != "" {
					t.Errorf("%s, %d at once (-want +got):\n%s", c.name, limit, diff)
				}
			}
		}
	})
}

// TestLogSearchIsBounded looks for a rare line in much text, and for an error
// among many chunks without one.
func TestLogSearchIsBounded(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		task, quiet := models.NewID(t0), models.NewID(t0)
		var chunks []models.LogChunk
		for n := range int64(100) {
			data, err := json.Marshal([]wire.LogLine{{Seq: n + 1, At: t0, Level: "INFO", Message: strings.Repeat("x", 100<<10) + fmt.Sprintf(" %d", n)}})
			if err != nil {
				t.Fatal(err)
			}
			chunks = append(chunks, models.LogChunk{TaskID: task, FirstSeq: models.LogSeq(1, n+1), LastSeq: models.LogSeq(1, n+1), TopLevel: 2, Bytes: len(data), Lines: data})
		}
		for n := range int64(searchChunks + 10) {
			chunks = append(chunks, levelChunk(t, quiet, 1, n+1, true, "INFO"))
		}
		chunks = append(chunks, levelChunk(t, quiet, 1, searchChunks+11, true, "ERROR"))
		for i := 0; i < len(chunks); i += 500 {
			if err := s.AppendLogs(t.Context(), chunks[i:min(i+500, len(chunks))], 1<<30); err != nil {
				t.Fatal(err)
			}
		}
		found, err := s.SearchLogs(t.Context(), task, LogQuery{Text: "x 99", Limit: 1})
		if _, n := models.SplitLogSeq(found.SearchedTo); err != nil || len(found.Lines) != 0 || !found.More || n < 40 || n > 42 {
			t.Errorf("one search came to line %d: %d lines, more %v, %v", n, len(found.Lines), found.More, err)
		}
		for _, backward := range []bool{false, true} {
			if got := searchWhole(t, s, task, LogQuery{Text: "x 99", Limit: 1, Backward: backward}); len(got) != 1 {
				t.Errorf("backward %v: found %v", backward, got)
			}
		}
		found, err = s.SearchLogs(t.Context(), quiet, LogQuery{Rank: 4, Limit: 1})
		if _, n := models.SplitLogSeq(found.SearchedTo); err != nil || len(found.Lines) != 0 || !found.More || n != searchChunks {
			t.Errorf("one search came to line %d: %v, %v", n, found, err)
		}
		if got := searchWhole(t, s, quiet, LogQuery{Rank: 4, Limit: 1}); cmp.Diff([]string{fmt.Sprintf("1.%d", searchChunks+11)}, got) != "" {
			t.Errorf("found %v", got)
		}
	})
}

func TestOverlappingChunksGiveEachLineOnce(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		task := models.NewID(t0)
		if err := s.AppendLogs(t.Context(), []models.LogChunk{chunkOf(t, task, 1, 1, 4), chunkOf(t, task, 1, 3, 6)}, 1<<20); err != nil {
			t.Fatal(err)
		}
		for page := 1; page < 8; page++ {
			if got, _ := logSeqs(t, s, task, page); cmp.Diff([]string{"1.1", "1.2", "1.3", "1.4", "1.5", "1.6"}, got) != "" {
				t.Errorf("pages of %d: %v", page, got)
			}
		}
		if got := searchWhole(t, s, task, LogQuery{Limit: 2}); len(got) != 6 {
			t.Errorf("a search finds %v", got)
		}
	})
}
