package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// LogQuery says which lines of a task's log are looked for, and where.
type LogQuery struct {
	Text    string // part of the message or of the fields' JSON, in either case; empty: any
	Rank    uint8  // least models.LogRank; 0: any
	Attempt int    // 0: all
	// From is exclusive; 0 means from the beginning, or from the end when Backward.
	From     int64
	Backward bool // latest first
	Limit    int
}

// LogFound is what a search has found.
type LogFound struct {
	Lines []LogLine // in the order of the search
	More  bool      // others may follow: search on from SearchedTo
	// SearchedTo is the position up to which all is looked through; 0 when that is
	// everything.
	SearchedTo int64
}

// One search looks at no more than this, so that it costs about as much as a page
// whatever the log holds. What is left is for the next one.
const (
	searchBytes  = 4 << 20 // of chunks read
	searchChunks = 4000    // chunks whose level is looked at
	searchScan   = 1000    // of them at once
)

// SearchLogs answers up to q.Limit lines that match q.
func (s *Store) SearchLogs(ctx context.Context, taskID string, q LogQuery) (LogFound, error) {
	tx := s.read(ctx)
	low, high := q.bounds()
	if !q.Backward && q.From > 0 { // the chunk that holds the line before the first one
		begin, err := chunkAt(tx, taskID, q.From)
		if err != nil {
			return LogFound{}, err
		}
		low = max(low, begin)
	}
	search := logSearch{q: q, task: taskID, needle: strings.ToLower(q.Text)}
	for seen := 0; seen < searchChunks; {
		list, err := search.scan(tx, low, high)
		if err != nil {
			return LogFound{}, err
		}
		seen += len(list)
		done, err := search.read(tx, list)
		if err != nil || done {
			return search.found, err
		}
		if len(list) < searchScan {
			search.found.SearchedTo, search.found.More = 0, false
			return search.found, nil
		}
		if q.Backward {
			high = list[len(list)-1].first
		} else {
			low = list[len(list)-1].first + 1
		}
	}
	search.found.More = true
	return search.found, nil
}

// bounds are the first seq that chunks may begin with, and the first that they may not.
func (q *LogQuery) bounds() (low, high int64) {
	low, high = 0, models.LogSeq(1<<30, 0)
	if q.Attempt > 0 {
		low, high = models.LogSeq(q.Attempt, 0), models.LogSeq(q.Attempt+1, 0)
	}
	if q.Backward && q.From > 0 {
		high = min(high, q.From)
	}
	return low, high
}

// logSearch is a search under way.
type logSearch struct {
	q      LogQuery
	task   string
	needle string
	bytes  int64
	found  LogFound
}

// chunkRef is a chunk without its lines.
type chunkRef struct {
	first, last, bytes int64
	top                uint8
}

// scan answers the next chunks in the order of the search, without their lines.
func (l *logSearch) scan(tx *gorm.DB, low, high int64) (list []chunkRef, err error) {
	order := ""
	if l.q.Backward {
		order = " DESC"
	}
	rows, err := query(tx, "SELECT first_seq, last_seq, bytes, top_level FROM task_logs WHERE task_id = ? AND first_seq >= ? AND first_seq < ? ORDER BY first_seq"+order+" LIMIT ?",
		l.task, low, high, searchScan)
	if err != nil {
		return nil, fmt.Errorf("looking through the log: %w", err)
	}
	err = scan(rows, func() error {
		var c chunkRef
		if err := rows.Scan(&c.first, &c.last, &c.bytes, &c.top); err != nil {
			return err
		}
		list = append(list, c)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking through the log: %w", err)
	}
	return list, nil
}

// read looks for lines in those of list that can have some. It answers true when
// the search has found or read enough.
func (l *logSearch) read(tx *gorm.DB, list []chunkRef) (done bool, err error) {
	for len(list) > 0 {
		// Those that cannot have a line are passed over, the others read in parts.
		n, part := 0, []chunkRef(nil)
		for n < len(list) && len(part) < chunksRead && l.bytes < searchBytes {
			if c := list[n]; c.top == 0 || c.top >= l.q.Rank {
				part = append(part, c)
				l.bytes += c.bytes
			}
			n++
		}
		if err := l.match(tx, part); err != nil {
			return false, err
		}
		if len(l.found.Lines) > l.q.Limit {
			l.found.Lines, l.found.More = l.found.Lines[:l.q.Limit], true
			l.found.SearchedTo = l.found.Lines[l.q.Limit-1].Seq
			return true, nil
		}
		if n > 0 {
			l.found.SearchedTo = list[n-1].last
			if l.q.Backward {
				l.found.SearchedTo = list[n-1].first
			}
		}
		if list = list[n:]; l.bytes >= searchBytes {
			l.found.More = true
			return true, nil
		}
	}
	return false, nil
}

// match adds the matching lines of chunks, which lie in the order of the search.
func (l *logSearch) match(tx *gorm.DB, part []chunkRef) error {
	if len(part) == 0 {
		return nil
	}
	args := []any{l.task}
	for _, c := range part {
		args = append(args, c.first)
	}
	order := ""
	if l.q.Backward {
		order = " DESC"
	}
	rows, err := query(tx, "SELECT first_seq, line_data FROM task_logs WHERE task_id = ? AND first_seq IN (?"+strings.Repeat(",?", len(part)-1)+") ORDER BY first_seq"+order, args...)
	if err != nil {
		return fmt.Errorf("searching the log: %w", err)
	}
	err = scan(rows, func() error {
		var first int64
		var data []byte
		if err := rows.Scan(&first, &data); err != nil {
			return err
		}
		lines, err := linesOf(first, data)
		if err != nil {
			return err
		}
		if l.q.Backward {
			slices.Reverse(lines)
		}
		for i := range lines {
			if len(l.found.Lines) <= l.q.Limit && l.wanted(&lines[i]) {
				l.found.Lines = append(l.found.Lines, lines[i])
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("searching the log: %w", err)
	}
	return nil
}

// wanted says whether a line matches and was not found before.
func (l *logSearch) wanted(line *LogLine) bool {
	last := l.q.From
	if n := len(l.found.Lines); n > 0 {
		last = l.found.Lines[n-1].Seq
	}
	if l.q.Backward && last > 0 && line.Seq >= last || !l.q.Backward && line.Seq <= last {
		return false
	}
	return models.LogRank(line.Level) >= l.q.Rank &&
		(l.needle == "" || strings.Contains(strings.ToLower(line.Message), l.needle) || strings.Contains(strings.ToLower(string(line.Fields)), l.needle))
}
