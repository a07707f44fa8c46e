package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// Joins answers the windows of each job that were opened last, newest first.
func (s *Store) Joins(ctx context.Context, jobIDs []string, perJob int) (map[string][]models.Join, error) {
	all := make(map[string][]models.Join, len(jobIDs))
	for _, id := range jobIDs { // an index range each
		rows, err := list[models.Join](s.read(ctx).Table("joins"+s.dialect.forceIndex("joins_job")).
			Where("job_id = ?", id).Order("opened_at DESC").Limit(perJob), "windows")
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 {
			all[id] = rows
		}
	}
	return all, nil
}

// JoinArrivals answers what has come in windows, in order of the instants, by job and
// window.
func (s *Store) JoinArrivals(ctx context.Context, joins []models.Join) (map[[2]string][]models.JoinArrival, error) {
	all := make(map[[2]string][]models.JoinArrival, len(joins))
	const one = "(job_id = ? AND window_key = ?)"
	for chunk := range chunks(joins, 100) {
		args := make([]any, 0, 2*len(chunk))
		for i := range chunk {
			args = append(args, chunk[i].JobID, chunk[i].Window)
		}
		rows, err := list[models.JoinArrival](s.read(ctx).Where(one+strings.Repeat(" OR "+one, len(chunk)-1), args...), "the arrivals of windows")
		if err != nil {
			return nil, err
		}
		slices.SortFunc(rows, func(a, b models.JoinArrival) int {
			return cmp.Or(a.EndedAt.Compare(b.EndedAt), strings.Compare(a.UpstreamID, b.UpstreamID))
		})
		for _, a := range rows {
			key := [2]string{a.JobID, a.Window}
			all[key] = append(all[key], a)
		}
	}
	return all, nil
}

// TaskInputs answers, for each task that upstream tasks made, the ids of these.
func (s *Store) TaskInputs(ctx context.Context, taskIDs []string) (map[string][]string, error) {
	all := map[string][]string{}
	for chunk := range chunks(taskIDs, inLimit) {
		rows, err := list[models.TaskInput](s.read(ctx).Where("task_id IN ?", chunk).Order("task_id, upstream_id"), "what made tasks")
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			all[r.TaskID] = append(all[r.TaskID], r.UpstreamID)
		}
	}
	return all, nil
}

// TaskOutputs answers, for each task, the ids of those that its end made or helped to
// make, latest scheduled first.
func (s *Store) TaskOutputs(ctx context.Context, taskIDs []string, perTask int) (map[string][]string, error) {
	all := map[string][]string{}
	for _, id := range taskIDs { // an index range each
		rows, err := list[models.TaskInput](s.read(ctx).Table("task_inputs"+s.dialect.forceIndex("task_inputs_upstream")).
			Where("upstream_id = ?", id).Order("task_id DESC").Limit(perTask), "what a task made")
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			all[id] = append(all[id], r.TaskID)
		}
	}
	return all, nil
}

// ForgetJoins removes up to limit windows that were opened before an instant, whatever
// became of them, and answers how many it removed.
func (s *Store) ForgetJoins(ctx context.Context, before time.Time, limit int) (int, error) {
	rows, err := list[models.Join](s.read(ctx).Table("joins"+s.dialect.forceIndex("joins_opened")).
		Where("opened_at < ?", clock.Cut(before)).Order("opened_at").Limit(limit), "old windows")
	if err != nil {
		return 0, err
	}
	return s.forget(ctx, rows)
}

// TrimJoins removes up to limit of the oldest windows of a job beyond the keep newest
// ones, and answers how many it removed.
func (s *Store) TrimJoins(ctx context.Context, jobID string, keep, limit int) (int, error) {
	rows, err := list[models.Join](s.read(ctx).Table("joins"+s.dialect.forceIndex("joins_job")).
		Where("job_id = ?", jobID).Order("opened_at DESC").Offset(keep).Limit(limit), "old windows")
	if err != nil {
		return 0, err
	}
	return s.forget(ctx, rows)
}

func (s *Store) forget(ctx context.Context, joins []models.Join) (n int, err error) {
	const one = "(job_id = ? AND window_key = ?)"
	for chunk := range chunks(joins, 100) {
		args := make([]any, 0, 2*len(chunk))
		for i := range chunk {
			args = append(args, chunk[i].JobID, chunk[i].Window)
		}
		where := " WHERE " + one + strings.Repeat(" OR "+one, len(chunk)-1)
		for _, table := range []string{"join_arrivals", "joins"} {
			if _, err := exec(s.writer.WithContext(ctx), s.dialect.deleteByKey(table)+where, args...); err != nil {
				return n, fmt.Errorf("forgetting %d windows: %w", len(chunk), err)
			}
		}
		n += len(chunk)
	}
	return n, nil
}

// DependencyJobs answers the ids after an id of jobs that wait for others, in order.
func (s *Store) DependencyJobs(ctx context.Context, after string, limit int) ([]string, error) {
	return readIDs(s.read(ctx), "SELECT DISTINCT job_id FROM dependencies"+s.dialect.byKey()+" WHERE job_id > ? ORDER BY job_id LIMIT ?", after, limit)
}
