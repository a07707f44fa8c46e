package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// CreateJob makes a job, which waits for the jobs upstream, each named once. Errors:
// TAKEN (name), NOT_FOUND (group, calendar, an upstream job), ErrCalendarMoved.
func (s *Store) CreateJob(ctx context.Context, j models.Job, audit models.Audit, upstream ...models.Dependency) error {
	return s.write(ctx, "creating a job", func(tx *gorm.DB) error {
		if err := s.lockGroupOf(tx, &j); err != nil {
			return err
		}
		if err := s.checkCalendarOf(tx, &j); err != nil {
			return err
		}
		if err := tx.Create(&j).Error; err != nil {
			return taken(err, j.Name, "another job of the app")
		}
		if len(upstream) > 0 {
			if err := s.saveUpstream(tx, &j, upstream, true); err != nil {
				return err
			}
		}
		if err := s.keepRevision(tx, &j, upstream, &audit); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
}

// lockGroupOf keeps the group of a job from being deleted meanwhile. Fault:
// NOT_FOUND.
func (s *Store) lockGroupOf(tx *gorm.DB, j *models.Job) error {
	_, err := s.lockGroup(tx, j.GroupID)
	if fault.Is(err, fault.NotFound) {
		return fault.At("group", fault.NotFound, "There is no node group %q; choose one of the app's groups.", j.GroupID)
	}
	return err
}

// Job answers one job, deleted or not. Fault: NOT_FOUND.
func (s *Store) Job(ctx context.Context, id string) (models.Job, error) {
	return one[models.Job](s.read(ctx).Where("id = ?", id), "job "+id)
}

// JobByName answers a job of an app that is not deleted. Fault: NOT_FOUND.
func (s *Store) JobByName(ctx context.Context, appID, name string) (models.Job, error) {
	return one[models.Job](s.read(ctx).Where("app_id = ? AND live_name = ?", appID, name), "job "+name)
}

// JobsByNames answers the jobs of an app, not deleted, that exist among names, in
// no order.
func (s *Store) JobsByNames(ctx context.Context, appID string, names []string) ([]models.Job, error) {
	if len(names) == 0 {
		return nil, nil
	}
	return list[models.Job](s.read(ctx).Where("app_id = ? AND live_name IN ?", appID, names), "jobs by name")
}

// JobsByIDs answers the jobs, deleted or not, that exist among ids, in no order.
func (s *Store) JobsByIDs(ctx context.Context, ids []string) ([]models.Job, error) {
	return byIDs[models.Job](s.read(ctx), ids, "jobs")
}

// CountJobsByApp answers how many jobs each of these apps has; apps without any
// are left out.
func (s *Store) CountJobsByApp(ctx context.Context, appIDs []string) (map[string]int, error) {
	return s.countJobsBy(ctx, "app_id", appIDs)
}

// CountJobsByGroup answers how many jobs are dispatched to each of these groups;
// groups without any are left out.
func (s *Store) CountJobsByGroup(ctx context.Context, groupIDs []string) (map[string]int, error) {
	return s.countJobsBy(ctx, "group_id", groupIDs)
}

func (s *Store) countJobsBy(ctx context.Context, column string, ids []string) (map[string]int, error) {
	if len(ids) == 0 {
		return map[string]int{}, nil
	}
	return counts(s.read(ctx).Model(&models.Job{}).Select(column+" AS k, COUNT(*) AS n").
		Where(column+" IN ? AND live_name IS NOT NULL", ids).Group(column), "jobs")
}

// UpcomingJobs answers the jobs that fire next, soonest first, of some apps or, with nil, of
// all.
func (s *Store) UpcomingJobs(ctx context.Context, within []string, limit int) ([]models.Job, error) {
	return s.dueRange(ctx, JobFilter{Within: within}, jobPosition{}, true, false, limit)
}

// SkippedFires answers the latest fires that became no task, newest first, for
// each job.
func (s *Store) SkippedFires(ctx context.Context, jobIDs []string, perJob int) (map[string][]models.SkippedFires, error) {
	all := make(map[string][]models.SkippedFires, len(jobIDs))
	for _, id := range jobIDs { // an index range each; a window function would read all of them
		rows, err := list[models.SkippedFires](s.read(ctx).Where("job_id = ?", id).Order("id DESC").Limit(perJob), "skipped fires")
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 {
			all[id] = rows
		}
	}
	return all, nil
}
