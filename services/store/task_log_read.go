package store

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// LogLine is one line of a task's log. Seq grows over all attempts of the task;
// the embedded line's own Seq counts within its attempt.
type LogLine struct {
	Seq     int64
	Attempt int
	wire.LogLine
}

// LogHead says what is kept of one attempt's log.
type LogHead struct {
	Attempt int
	Bytes   int64
	Cut     int64 // seq of the last line that was dropped; 0: none
}

// LogPage is a part of a task's log.
type LogPage struct {
	Lines     []LogLine
	More      bool // others follow
	Truncated bool // lines after the position asked for were dropped by the size limit
	Heads     []LogHead
}

// chunksRead is how many chunks are read at once for a page of lines. A chunk has
// at most wire.MaxLogChunkLines lines and usually a handful, and about 64 KiB.
const chunksRead = 32

// TaskLogs answers up to limit lines of a task's log with a seq above after; 0
// means from the beginning.
func (s *Store) TaskLogs(ctx context.Context, taskID string, after int64, limit int) (LogPage, error) {
	tx := s.read(ctx)
	page := LogPage{}
	var err error
	if page.Heads, err = logHeads(tx, taskID); err != nil {
		return LogPage{}, err
	}
	for _, h := range page.Heads {
		page.Truncated = page.Truncated || h.Cut > after
	}
	from, err := chunkAt(tx, taskID, after)
	if err != nil {
		return LogPage{}, err
	}
	for last := after; len(page.Lines) <= limit; {
		read, begun, err := s.logLines(tx, taskID, from, last)
		if err != nil {
			return LogPage{}, err
		}
		if begun == 0 {
			break
		}
		if page.Lines = append(page.Lines, read...); len(read) > 0 {
			last = read[len(read)-1].Seq
		}
		from = begun + 1
	}
	if page.More = len(page.Lines) > limit; page.More {
		page.Lines = page.Lines[:limit]
	}
	return page, nil
}

// logHeads answers what is kept of a task's log, attempt by attempt.
func logHeads(tx *gorm.DB, taskID string) (heads []LogHead, err error) {
	rows, err := query(tx, "SELECT attempt, bytes, cut_seq FROM task_log_heads WHERE task_id = ? ORDER BY attempt", taskID)
	if err != nil {
		return nil, fmt.Errorf("reading the heads of a log: %w", err)
	}
	err = scan(rows, func() error {
		var h LogHead
		if err := rows.Scan(&h.Attempt, &h.Bytes, &h.Cut); err != nil {
			return err
		}
		heads = append(heads, h)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the heads of a log: %w", err)
	}
	return heads, nil
}

// chunkAt answers where the chunk begins that holds the line seq, or the last one
// before it; 0 when there is none.
func chunkAt(tx *gorm.DB, taskID string, seq int64) (first int64, err error) {
	err = queryOne(tx, &first, "SELECT COALESCE(MAX(first_seq), 0) FROM task_logs WHERE task_id = ? AND first_seq <= ?", taskID, seq)
	if err != nil {
		return 0, fmt.Errorf("reading the log's position: %w", err)
	}
	return first, nil
}

// logLines reads some chunks from a position on and answers their lines above
// after, and where the last chunk begins; 0 when there is none.
func (s *Store) logLines(tx *gorm.DB, taskID string, from, after int64) (lines []LogLine, last int64, err error) {
	rows, err := query(tx, "SELECT first_seq, line_data FROM task_logs WHERE task_id = ? AND first_seq >= ? ORDER BY first_seq LIMIT ?", taskID, from, chunksRead)
	if err != nil {
		return nil, 0, fmt.Errorf("reading the log: %w", err)
	}
	err = scan(rows, func() error {
		var data []byte
		if err := rows.Scan(&last, &data); err != nil {
			return err
		}
		chunk, err := s.chunks.lines(taskID, last, data)
		if err != nil {
			return err
		}
		// Chunks that were parted in another way than when they first came may overlap.
		for _, line := range chunk {
			if line.Seq > after {
				lines, after = append(lines, line), line.Seq
			}
		}
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("reading the log: %w", err)
	}
	return lines, last, nil
}

// linesOf reads the lines of the chunk that begins at first.
func linesOf(first int64, data []byte) ([]LogLine, error) {
	var chunk []wire.LogLine
	if err := json.Unmarshal(data, &chunk); err != nil {
		return nil, fmt.Errorf("chunk %d: %w", first, err)
	}
	attempt, _ := models.SplitLogSeq(first)
	lines := make([]LogLine, len(chunk))
	for i := range chunk {
		lines[i] = LogLine{Seq: models.LogSeq(attempt, chunk[i].Seq), Attempt: attempt, LogLine: chunk[i]}
	}
	return lines, nil
}
