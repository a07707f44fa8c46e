package task

import (
	"context"

	"github.com/belfry-scheduler/belfry/services/store"
)

// What reads of logs take and answer; the shapes are the ledger's.
type (
	// LogLine is one line of a task's log with its position.
	LogLine = store.LogLine
	// LogPage is a part of a task's log.
	LogPage = store.LogPage
	// LogHead says what is kept of one attempt's log.
	LogHead = store.LogHead
	// LogQuery says which lines are looked for.
	LogQuery = store.LogQuery
	// LogFound is what a search has found.
	LogFound = store.LogFound
)

// Logs answers up to first lines of a task's log after the position after; 0
// means from the beginning.
func (s *Service) Logs(ctx context.Context, id string, after int64, first int) (LogPage, error) {
	return s.store.TaskLogs(ctx, id, after, first)
}

// SearchLogs answers lines of a task's log that match q. One call reads at most
// 4 MiB of the log and looks at 4,000 of its chunks: see LogFound.SearchedTo.
func (s *Service) SearchLogs(ctx context.Context, id string, q LogQuery) (LogFound, error) {
	return s.store.SearchLogs(ctx, id, q)
}
