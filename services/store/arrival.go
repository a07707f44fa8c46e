package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// OnArrivals has told called after each commit that wrote arrivals, with the
// partitions of the jobs they are for. It must return quickly, and is set once,
// before the store is used.
func (s *Store) OnArrivals(told func(ctx context.Context, partitions []int)) { s.arrived = told }

// ended is a task that has just ended.
type ended struct {
	task *models.Task
	at   time.Time
}

// arrives says whether a move of t is an end that dependents may wait for. DISCARD
// adds nothing: the task had failed before. A skipped task never ran.
func arrives(t *models.Task, e models.Event) bool {
	return (e == models.EventSucceed || e == models.EventFail || e == models.EventPark || e == models.EventCancel) && t.Downstream != models.DownstreamNone
}

// writeArrivals tells the jobs that depend on those of ended tasks. Where nobody
// depends on any, this is one look into an index for a whole batch.
func (s *Store) writeArrivals(tx *gorm.DB, b *books) error {
	if len(b.ended) == 0 {
		return nil
	}
	found, err := s.dependentsOf(tx, b.ended)
	if err != nil || len(found) == 0 {
		return err
	}
	parts, err := partsOf(tx, s.dialect, found)
	if err != nil {
		return err
	}
	notes := notesOf(tx)
	var rows [][]any
	for _, e := range b.ended {
		t := e.task
		for _, job := range found[t.JobID] {
			part, there := parts[job]
			if !there {
				continue
			}
			notes.arrived(part)
			rows = append(rows, []any{
				models.NewID(s.clock.Now()), part, job, t.JobID, t.ID, t.Attempt, t.State, t.Downstream, rootOf(t),
				clock.Cut(t.ScheduledAt), clock.Cut(e.at),
			})
		}
	}
	err = s.insertRows(tx, "arrivals", arrivalColumns, rows, "")
	if err != nil {
		return fmt.Errorf("writing %d arrivals: %w", len(rows), err)
	}
	return nil
}

var arrivalColumns = []string{
	"id", "part", "job_id", "upstream_id", "task_id", "attempt", "state", "downstream", "root_id", "scheduled_at", "ended_at",
}

// rootOf is the task that began a task's run.
func rootOf(t *models.Task) string {
	if t.RootID != nil {
		return *t.RootID
	}
	return t.ID
}

// dependentsOf answers, by job, the jobs that depend on those of some tasks.
func (s *Store) dependentsOf(tx *gorm.DB, tasks []ended) (map[string][]string, error) {
	distinct := make(map[string]bool, 8)
	for _, e := range tasks {
		distinct[e.task.JobID] = true
	}
	ids := slices.Sorted(maps.Keys(distinct))
	var found map[string][]string
	for chunk := range chunks(ids, inLimit) {
		rows, err := query(tx, "SELECT upstream_id, job_id FROM dependencies"+s.dialect.forceIndex("dependencies_upstream")+
			" WHERE upstream_id IN ("+marks(len(chunk))+")", anys(chunk)...)
		if err != nil {
			return nil, fmt.Errorf("looking for dependents: %w", err)
		}
		err = scan(rows, func() error {
			var upstream, job string
			if err := rows.Scan(&upstream, &job); err != nil {
				return err
			}
			if found == nil {
				found = map[string][]string{}
			}
			found[upstream] = append(found[upstream], job)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("looking for dependents: %w", err)
		}
	}
	return found, nil
}

// partsOf answers the partitions of the jobs that were found.
func partsOf(tx *gorm.DB, d dialect, found map[string][]string) (map[string]int, error) {
	var ids []string
	for _, jobs := range found {
		ids = append(ids, jobs...)
	}
	slices.Sort(ids)
	parts := make(map[string]int, len(ids))
	for chunk := range chunks(slices.Compact(ids), inLimit) {
		rows, err := query(tx, "SELECT id, part FROM jobs"+d.byKey()+" WHERE id IN ("+marks(len(chunk))+")", anys(chunk)...)
		if err != nil {
			return nil, fmt.Errorf("reading the dependents' partitions: %w", err)
		}
		err = scan(rows, func() error {
			var id string
			var part int
			err := rows.Scan(&id, &part)
			parts[id] = part
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("reading the dependents' partitions: %w", err)
		}
	}
	return parts, nil
}

// PendingArrivals answers the oldest arrivals for jobs of some partitions that are
// still to be joined.
func (s *Store) PendingArrivals(ctx context.Context, partitions []int, limit int) ([]models.Arrival, error) {
	// In the order of the key; those of other partitions that are passed over are
	// few, since their owners take them out.
	return list[models.Arrival](s.read(ctx).Table("arrivals"+s.dialect.byKey()).
		Where("id > '' AND part IN ?", orNone(partitions)).Order("id").Limit(limit), "arrivals")
}
