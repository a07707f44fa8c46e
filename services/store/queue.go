package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// Queued is a task that waits to be dispatched, as far as the choice needs it.
type Queued struct {
	ID          string
	JobID       string
	State       models.TaskState // WAITING or RETRYING
	Priority    models.Priority
	AvailableAt time.Time
	Attempt     int // number of the last attempt, 0 before the first
	Trigger     models.TriggerKind
	ScheduledAt time.Time
	NodeID      *string // of the last attempt, to be avoided
	TimeoutMS   int64
	Child       bool    // it is a part of another task
	PinnedTo    *string // name of the only node that may run it
	Spread      bool    // it was spread over others before
}

// lanes are the ranges of the index tasks_queue that hold a group's queue, each in
// order of (available_at, id) already, so that nothing is sorted.
var lanes = func() (all [][2]any) {
	for _, p := range models.Priorities {
		for _, state := range models.From(models.EventDispatch) {
			all = append(all, [2]any{state, p})
		}
	}
	return all
}()

// QueuedTasks answers the tasks of a group that may be dispatched until horizon:
// of each state and priority the first perPriority in order of (available_at, id),
// the highest priority first. Tasks of the jobs in except, at most inLimit, are
// passed over; the index tells whose they are.
func (s *Store) QueuedTasks(ctx context.Context, groupID string, horizon time.Time, perPriority int, except []string) ([]Queued, error) {
	const columns = "id, job_id, state, priority, available_at, attempt, trigger_kind, scheduled_at, node_id, timeout_ms, parent_id IS NOT NULL, pinned_to, parent_id IS NULL AND shards IS NOT NULL"
	parts := make([]string, len(lanes))
	var args []any
	others := ""
	if len(except) > 0 {
		others = " AND job_id NOT IN (" + marks(len(except)) + ")"
	}
	for i, lane := range lanes {
		parts[i] = "SELECT " + columns + " FROM tasks" + s.dialect.forceIndex("tasks_queue") +
			" WHERE group_id = ? AND state = ? AND priority = ? AND available_at <= ?" + others + " ORDER BY available_at, id LIMIT ?"
		args = append(args, groupID, lane[0], lane[1], clock.Cut(horizon))
		args = append(append(args, anys(except)...), perPriority)
	}
	rows, err := query(s.read(ctx), s.dialect.union(parts), args...)
	if err != nil {
		return nil, fmt.Errorf("reading a group's queue: %w", err)
	}
	var queue []Queued
	err = scan(rows, func() error {
		var q Queued
		err := rows.Scan(&q.ID, &q.JobID, &q.State, &q.Priority, &q.AvailableAt, &q.Attempt, &q.Trigger, &q.ScheduledAt, &q.NodeID, &q.TimeoutMS,
			&q.Child, &q.PinnedTo, &q.Spread)
		queue = append(queue, q)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading a group's queue: %w", err)
	}
	return queue, nil
}

// NextAvailableAt answers when the first queued task of a group becomes available
// after an instant; nil when none does.
func (s *Store) NextAvailableAt(ctx context.Context, groupID string, after time.Time) (*time.Time, error) {
	parts := make([]string, len(lanes))
	var args []any
	for i, lane := range lanes {
		parts[i] = "SELECT available_at FROM tasks" + s.dialect.forceIndex("tasks_queue") +
			" WHERE group_id = ? AND state = ? AND priority = ? AND available_at > ? ORDER BY available_at LIMIT 1"
		args = append(args, groupID, lane[0], lane[1], clock.Cut(after))
	}
	rows, err := query(s.read(ctx), s.dialect.union(parts), args...)
	if err != nil {
		return nil, fmt.Errorf("reading when a group's next task is available: %w", err)
	}
	var first *time.Time
	err = scan(rows, func() error {
		var at time.Time
		if err := rows.Scan(&at); err != nil {
			return err
		}
		if first == nil || at.Before(*first) {
			first = &at
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading when a group's next task is available: %w", err)
	}
	return first, nil
}

// RunningTasks answers the RUNNING tasks of some groups by id, without parameters,
// checkpoint and result.
func (s *Store) RunningTasks(ctx context.Context, groupIDs []string) ([]models.Task, error) {
	var tasks []models.Task
	for chunk := range chunks(groupIDs, inLimit) {
		rows, err := query(s.read(ctx), "SELECT "+lightColumns.list+" FROM tasks"+s.dialect.forceIndex("tasks_queue")+
			" WHERE group_id IN ("+marks(len(chunk))+") AND state = ?", append(anys(chunk), models.TaskRunning)...)
		if err != nil {
			return nil, fmt.Errorf("reading running tasks: %w", err)
		}
		part, err := lightColumns.scan(rows)
		if err != nil {
			return nil, fmt.Errorf("reading running tasks: %w", err)
		}
		tasks = append(tasks, part...)
	}
	slices.SortFunc(tasks, func(a, b models.Task) int { return strings.Compare(a.ID, b.ID) })
	return tasks, nil
}

// AssignmentRows answers whole tasks by id, to push their attempts again. Ids
// without a task are left out.
func (s *Store) AssignmentRows(ctx context.Context, ids []string) ([]models.Task, error) {
	var tasks []models.Task
	for chunk := range chunks(ids, inLimit) {
		part, err := s.readTasks(s.read(ctx), chunk, fullColumns, "")
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, part...)
	}
	return tasks, nil
}

// JobLive says what is under way of one job.
type JobLive struct {
	Running       int
	Retrying      int
	Backfills     int    // of both, those that make up for past fires
	OldestRunning string // id; empty when none runs
}

// JobLive counts the RUNNING and RETRYING tasks of jobs; those with none are
// missing. What is spread over others counts as one.
func (s *Store) JobLive(ctx context.Context, jobIDs []string) (map[string]JobLive, error) {
	live, err := s.running(s.read(ctx), jobIDs, true)
	if err != nil {
		return nil, err
	}
	for chunk := range chunks(jobIDs, inLimit) {
		rows, err := query(s.read(ctx), "SELECT job_id, COUNT(*), "+backfills+" FROM tasks"+s.dialect.forceIndex("tasks_job")+
			" WHERE job_id IN ("+marks(len(chunk))+") AND shelf = ? GROUP BY job_id", append(anys(chunk), shelfOf(models.TaskRetrying))...)
		if err != nil {
			return nil, fmt.Errorf("counting the RETRYING tasks of %d jobs: %w", len(jobIDs), err)
		}
		err = scan(rows, func() error {
			var id string
			var n, fills int
			if err := rows.Scan(&id, &n, &fills); err != nil {
				return err
			}
			job := live[id]
			job.Retrying = n
			job.Backfills += fills
			live[id] = job
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("counting the RETRYING tasks of %d jobs: %w", len(jobIDs), err)
		}
	}
	return live, nil
}

// backfills counts the tasks of a group that a backfill made.
const backfills = "SUM(CASE WHEN backfill_id IS NULL THEN 0 ELSE 1 END)"

// runs is what running reads: of the rows of a job that are no parts of others how many
// there are, the first, and those of backfills.
const runs = "SUM(CASE WHEN parent_id IS NULL THEN 1 ELSE 0 END), MIN(CASE WHEN parent_id IS NULL THEN id END), " + backfills

// running counts the RUNNING tasks of jobs. They are found by their groups: what
// runs is bounded by slots, and the queue's index holds the job. A job's tasks are in
// groups of its app, whichever group it has now. Unless exact, no row is read but only
// the index: parts of others count then too, and backfills are not told.
func (s *Store) running(tx *gorm.DB, jobIDs []string, exact bool) (map[string]JobLive, error) {
	live := map[string]JobLive{}
	what := "COUNT(*), MIN(id), 0"
	if exact {
		what = runs
	}
	for chunk := range chunks(jobIDs, inLimit) {
		var groups []string
		err := tx.Raw("SELECT id FROM node_groups WHERE app_id IN (SELECT app_id FROM jobs WHERE id IN ?)", chunk).Scan(&groups).Error
		if err != nil {
			return nil, fmt.Errorf("reading the groups of %d jobs: %w", len(jobIDs), err)
		}
		if len(groups) == 0 {
			continue
		}
		args := append(append(anys(groups), models.TaskRunning), anys(chunk)...)
		rows, err := query(tx, "SELECT job_id, "+what+" FROM tasks"+s.dialect.forceIndex("tasks_queue")+
			" WHERE group_id IN ("+marks(len(groups))+") AND state = ? AND job_id IN ("+marks(len(chunk))+") GROUP BY job_id", args...)
		if err != nil {
			return nil, fmt.Errorf("counting the RUNNING tasks of %d jobs: %w", len(jobIDs), err)
		}
		err = scan(rows, func() error {
			var id string
			var oldest *string
			var job JobLive
			if err := rows.Scan(&id, &job.Running, &oldest, &job.Backfills); err != nil {
				return err
			}
			if oldest != nil {
				job.OldestRunning = *oldest
				live[id] = job
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("counting the RUNNING tasks of %d jobs: %w", len(jobIDs), err)
		}
	}
	return live, nil
}
