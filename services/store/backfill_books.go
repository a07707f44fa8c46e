package store

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// filled is what a transaction changes of a backfill's counts.
type filled struct {
	succeeded, failed, cancelled int64
	at                           time.Time // latest
}

// fill notes that a backfill's task went from one state to its present one.
func (b *books) fill(t *models.Task, from models.TaskState, at time.Time) {
	if t.BackfillID == nil {
		return
	}
	f := b.fills[*t.BackfillID]
	if f == nil {
		if b.fills == nil {
			b.fills = map[string]*filled{}
		}
		f = &filled{}
		b.fills[*t.BackfillID] = f
	}
	if at.After(f.at) {
		f.at = at
	}
	f.count(from, -1)
	f.count(t.State, 1)
}

func (f *filled) count(state models.TaskState, n int64) {
	switch state { //nolint:exhaustive // the others are no ends
	case models.TaskSucceeded:
		f.succeeded += n
	case models.TaskFailed, models.TaskDiscarded:
		f.failed += n
	case models.TaskCancelled, models.TaskSkipped:
		f.cancelled += n
	}
}

// writeBackfills adds to the counts of backfills in order of id, and ends those that
// have made all their tasks and whose tasks have all ended.
func (s *Store) writeBackfills(tx *gorm.DB, fills map[string]*filled) error {
	for _, id := range slices.Sorted(maps.Keys(fills)) {
		f := fills[id]
		if f.succeeded != 0 || f.failed != 0 || f.cancelled != 0 {
			_, err := exec(tx, "UPDATE backfills SET succeeded = succeeded + ?, failed = failed + ?, cancelled = cancelled + ? WHERE id = ?",
				f.succeeded, f.failed, f.cancelled, id)
			if err != nil {
				return fmt.Errorf("counting the ends of a backfill: %w", err)
			}
		}
		_, err := exec(tx, `UPDATE backfills SET state = ?, work = ?, finished_at = ? WHERE id = ? AND state IN (?, ?)
			AND created + present = total AND created = succeeded + failed + cancelled`,
			models.BackfillFinished, false, clock.Cut(f.at), id, models.BackfillRunning, models.BackfillPaused)
		if err != nil {
			return fmt.Errorf("finishing a backfill: %w", err)
		}
		_, err = exec(tx, "UPDATE backfills SET work = ? WHERE id = ? AND state = ? AND created = succeeded + failed + cancelled",
			false, id, models.BackfillCancelled)
		if err != nil {
			return fmt.Errorf("closing a cancelled backfill: %w", err)
		}
	}
	return nil
}
