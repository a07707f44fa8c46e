package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// logKey names the log of one attempt.
type logKey struct {
	task    string
	attempt int
}

// logHead is the row that says how much of an attempt's log is kept.
type logHead struct {
	bytes int64
	cut   int64 // last seq that was dropped; 0: none
	fresh []*models.LogChunk
}

// AppendLogs stores chunks of log lines in one transaction. A chunk that was
// stored before, or dropped since, is ignored. While the kept chunks of an attempt
// exceed limitBytes its oldest ones are dropped, and up to where is remembered.
func (s *Store) AppendLogs(ctx context.Context, chunks []models.LogChunk, limitBytes int64) error {
	if len(chunks) == 0 {
		return nil
	}
	return s.write(ctx, fmt.Sprintf("storing %d chunks of logs", len(chunks)), func(tx *gorm.DB) error {
		keys := logKeys(chunks)
		heads, err := s.lockLogs(tx, keys)
		if err != nil {
			return err
		}
		if err := newChunks(tx, chunks, heads); err != nil {
			return err
		}
		if err := s.insertChunks(tx, keys, heads); err != nil {
			return err
		}
		rows := make([][]any, 0, len(keys))
		for _, key := range keys {
			head := heads[key]
			if err := dropOldest(tx, key, head, limitBytes); err != nil {
				return err
			}
			rows = append(rows, []any{key.task, key.attempt, head.bytes, head.cut})
		}
		return s.insertRows(tx, "task_log_heads", headColumns, rows,
			s.dialect.onConflict("task_id, attempt", "bytes = new(bytes)", "cut_seq = new(cut_seq)"))
	})
}

var headColumns = []string{"task_id", "attempt", "bytes", "cut_seq"}

// logKeys answers the logs that chunks belong to, in order.
func logKeys(chunks []models.LogChunk) []logKey {
	keys := make([]logKey, len(chunks))
	for i := range chunks {
		attempt, _ := models.SplitLogSeq(chunks[i].FirstSeq)
		keys[i] = logKey{chunks[i].TaskID, attempt}
	}
	slices.SortFunc(keys, func(a, b logKey) int {
		return cmp.Or(strings.Compare(a.task, b.task), cmp.Compare(a.attempt, b.attempt))
	})
	return slices.Compact(keys)
}

// lockLogs makes the heads of logs where they are missing, locks and reads them.
func (s *Store) lockLogs(tx *gorm.DB, keys []logKey) (map[logKey]*logHead, error) {
	heads := make(map[logKey]*logHead, len(keys))
	rows := make([][]any, len(keys))
	for i, key := range keys {
		rows[i] = []any{key.task, key.attempt, 0, 0}
		heads[key] = &logHead{}
	}
	if err := s.insertRows(tx, "task_log_heads", headColumns, rows, s.dialect.onConflict("task_id, attempt", "bytes = bytes")); err != nil {
		return nil, fmt.Errorf("locking %d logs: %w", len(keys), err)
	}
	const one = "(task_id = ? AND attempt = ?)"
	for chunk := range chunks(keys, 100) {
		args := make([]any, 0, 2*len(chunk))
		for _, key := range chunk {
			args = append(args, key.task, key.attempt)
		}
		found, err := query(tx, "SELECT task_id, attempt, bytes, cut_seq FROM task_log_heads WHERE "+one+strings.Repeat(" OR "+one, len(chunk)-1), args...)
		if err != nil {
			return nil, fmt.Errorf("reading the heads of logs: %w", err)
		}
		err = scan(found, func() error {
			var key logKey
			var head logHead
			if err := found.Scan(&key.task, &key.attempt, &head.bytes, &head.cut); err != nil {
				return err
			}
			heads[key] = &head
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("reading the heads of logs: %w", err)
		}
	}
	return heads, nil
}

// newChunks adds to each head those chunks that are neither stored nor dropped.
func newChunks(tx *gorm.DB, list []models.LogChunk, heads map[logKey]*logHead) error {
	type chunkKey struct {
		task string
		seq  int64
	}
	stored := map[chunkKey]bool{}
	const one = "(task_id = ? AND first_seq = ?)"
	for part := range chunks(list, 100) {
		args := make([]any, 0, 2*len(part))
		for i := range part {
			args = append(args, part[i].TaskID, part[i].FirstSeq)
		}
		found, err := query(tx, "SELECT task_id, first_seq FROM task_logs WHERE "+one+strings.Repeat(" OR "+one, len(part)-1), args...)
		if err != nil {
			return fmt.Errorf("looking up log chunks: %w", err)
		}
		err = scan(found, func() error {
			var key chunkKey
			if err := found.Scan(&key.task, &key.seq); err != nil {
				return err
			}
			stored[key] = true
			return nil
		})
		if err != nil {
			return fmt.Errorf("looking up log chunks: %w", err)
		}
	}
	for i := range list {
		c := &list[i]
		attempt, _ := models.SplitLogSeq(c.FirstSeq)
		head, key := heads[logKey{c.TaskID, attempt}], chunkKey{c.TaskID, c.FirstSeq}
		if stored[key] || c.LastSeq <= head.cut || len(c.Lines) == 0 {
			continue
		}
		stored[key] = true // the same chunk twice in one call
		head.fresh = append(head.fresh, c)
	}
	return nil
}

// insertChunks stores the new chunks in order of their keys.
func (s *Store) insertChunks(tx *gorm.DB, keys []logKey, heads map[logKey]*logHead) error {
	var rows [][]any
	for _, key := range keys {
		head := heads[key]
		slices.SortFunc(head.fresh, func(a, b *models.LogChunk) int { return cmp.Compare(a.FirstSeq, b.FirstSeq) })
		for _, c := range head.fresh {
			rows = append(rows, []any{c.TaskID, c.FirstSeq, c.LastSeq, c.TopLevel, len(c.Lines), document(c.Lines)})
			head.bytes += int64(len(c.Lines))
		}
	}
	err := s.insertRows(tx, "task_logs", []string{"task_id", "first_seq", "last_seq", "top_level", "bytes", "line_data"}, rows, "")
	if err != nil {
		return fmt.Errorf("inserting %d log chunks: %w", len(rows), err)
	}
	return nil
}

// dropOldest drops an attempt's oldest chunks while more than limit is kept.
func dropOldest(tx *gorm.DB, key logKey, head *logHead, limit int64) error {
	first, end := models.LogSeq(key.attempt, 0), models.LogSeq(key.attempt+1, 0)
	for head.bytes > limit {
		rows, err := query(tx, "SELECT last_seq, bytes FROM task_logs WHERE task_id = ? AND first_seq >= ? AND first_seq < ? ORDER BY first_seq LIMIT 100",
			key.task, first, end)
		if err != nil {
			return fmt.Errorf("reading the oldest log chunks: %w", err)
		}
		seen := 0
		err = scan(rows, func() error {
			var last, bytes int64
			if err := rows.Scan(&last, &bytes); err != nil {
				return err
			}
			seen++
			if head.bytes > limit {
				head.bytes -= bytes
				head.cut = last
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("reading the oldest log chunks: %w", err)
		}
		if seen == 0 {
			head.bytes = 0 // nothing is left to drop
			return nil
		}
		if _, err := exec(tx, "DELETE FROM task_logs WHERE task_id = ? AND first_seq >= ? AND first_seq <= ?", key.task, first, head.cut); err != nil {
			return fmt.Errorf("dropping the oldest log chunks: %w", err)
		}
	}
	return nil
}
