package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// JobEnds are ends of a job's tasks: those in the failed queue and those taken out of it
// failed.
type JobEnds struct {
	Failed, Succeeded int
}

// Share is the share of failed ends, 0 without any.
func (e JobEnds) Share() float64 {
	if e.Failed+e.Succeeded == 0 {
		return 0
	}
	return float64(e.Failed) / float64(e.Failed+e.Succeeded)
}

// endShelves are the shelves on which ends lie that count.
var endShelves = []int{shelfMoving, int(models.TaskFailed), int(models.TaskDiscarded)}

// LastJobEnds counts among the last ends of a job's tasks that were scheduled before an
// instant, by their scheduled instants. It reads a range of the index for each shelf.
func (s *Store) LastJobEnds(ctx context.Context, jobID string, before time.Time, last int) (JobEnds, error) {
	return s.jobEnds(ctx, jobID, models.LowestID(before.Add(time.Millisecond)), "", last)
}

// mostEnds is how many ends one look at a job's rate reads.
const mostEnds = 10_000

// JobEndsBetween counts the ends of a job's tasks that were scheduled between two instants,
// the latest 10,000 if there are more.
func (s *Store) JobEndsBetween(ctx context.Context, jobID string, from, to time.Time) (JobEnds, error) {
	return s.jobEnds(ctx, jobID, models.LowestID(to.Add(time.Millisecond)), models.LowestID(from), mostEnds)
}

func (s *Store) jobEnds(ctx context.Context, jobID, below, from string, last int) (JobEnds, error) {
	statement, args := s.jobEndsQuery(jobID, below, from, last)
	type end struct {
		id    string
		state models.TaskState
	}
	var ends []end
	rows, err := query(s.read(ctx), statement, args...)
	if err == nil {
		err = scan(rows, func() error {
			var e end
			err := rows.Scan(&e.id, &e.state)
			ends = append(ends, e)
			return err
		})
	}
	if err != nil {
		return JobEnds{}, fmt.Errorf("reading the ends of a job: %w", err)
	}
	slices.SortFunc(ends, func(a, b end) int { return strings.Compare(b.id, a.id) })
	var n JobEnds
	for _, e := range ends[:min(len(ends), last)] {
		if e.state == models.TaskSucceeded {
			n.Succeeded++
		} else {
			n.Failed++
		}
	}
	return n, nil
}

func (s *Store) jobEndsQuery(jobID, below, from string, last int) (string, []any) {
	parts := make([]string, 0, len(endShelves))
	var args []any
	for _, shelf := range endShelves {
		parts = append(parts, "SELECT id, state FROM tasks"+s.dialect.forceIndex("tasks_job")+
			" WHERE job_id = ? AND shelf = ? AND id < ? AND id >= ? AND state IN (?, ?, ?) ORDER BY id DESC LIMIT ?")
		args = append(args, jobID, shelf, below, from, models.TaskSucceeded, models.TaskFailed, models.TaskDiscarded, last)
	}
	return s.dialect.union(parts), args
}

// CountAlertEvents counts the events of a kind about a subject that were written between
// two instants, up to most.
func (s *Store) CountAlertEvents(ctx context.Context, subject string, kind models.AlertEventKind, from, to time.Time, most int) (int, error) {
	var n int
	err := queryOne(s.read(ctx), &n, "SELECT COUNT(*) FROM (SELECT 1 FROM alert_events"+s.dialect.forceIndex("alert_events_subject")+
		" WHERE subject = ? AND kind = ? AND id >= ? AND id < ? AND cleared = ? LIMIT ?) e",
		subject, kind, models.LowestID(from), models.LowestID(to.Add(time.Millisecond)), false, most)
	if err != nil {
		return 0, fmt.Errorf("counting alert events: %w", err)
	}
	return n, nil
}
