package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// ErrFireMoved says that a job fired between being read and being edited: read it
// again and repeat the edit.
var ErrFireMoved = errors.New("the job has just fired")

// JobEdit replaces a job's definition.
type JobEdit struct {
	Job           models.Job // as it shall be; Version and LastFireAt are not looked at
	ExpectVersion int        // as it was read
	ExpectNext    *time.Time // its next fire as it was read
	Skipped       []models.SkippedFires
	Upstream      []models.Dependency // what it waits for from now on, each job once; nil: as before
	Audit         models.Audit
}

// jobColumns are what an edit replaces.
var jobColumns = []string{
	"GroupID", "Partition", "Name", "LiveName", "Handler", "Description", "Parameters", "Labels",
	"TriggerKind", "Expression", "Zone", "StartAt", "EndAt", "JitterMS", "EveryMS",
	"DependencyMode", "DependencyWindow", "CalendarID", "CalendarVersion", "OnRestDay", "TriggerSince",
	"Enabled", "Priority", "TimeoutMS", "Concurrency", "MaxRunning", "Delivery", "Routing",
	"MaxAttempts", "Backoff", "RetryDelayMS", "RetryMaxDelayMS", "RetryJitter",
	"MisfirePolicy", "MisfireGraceMS", "MisfireLimit", "NextFireAt", "InvalidReason", "Version", "UpdatedAt",
}

// UpdateJob replaces a job's definition and answers it. Its fires after
// Job.UpdatedAt that were written ahead are taken back, so that the edit holds for
// all of them. A FIXED_DELAY job without a next fire gets one at once unless a
// task of it is under way, whose end will give it one. Errors: NOT_FOUND (also of
// the group, the calendar or an upstream job), CONFLICT (the version differs), TAKEN
// (name), INVALID (a circle of dependencies), ErrFireMoved, ErrCalendarMoved.
func (s *Store) UpdateJob(ctx context.Context, e JobEdit) (models.Job, error) {
	var saved models.Job
	err := s.write(ctx, "changing a job", func(tx *gorm.DB) error {
		present, err := s.lockJob(tx, e.Job.ID)
		switch {
		case err != nil:
			return err
		case present.Version != e.ExpectVersion:
			return fault.At("version", fault.Conflict, "The job has been changed meanwhile: it has version %d by now, not %d; read it again.",
				present.Version, e.ExpectVersion)
		case !sameTime(present.NextFireAt, cutTime(e.ExpectNext)):
			return ErrFireMoved
		}
		if present.GroupID != e.Job.GroupID {
			if err := s.lockGroupOf(tx, &e.Job); err != nil {
				return err
			}
		}
		if err := s.checkCalendarOf(tx, &e.Job); err != nil {
			return err
		}
		saved = e.Job
		saved.Version = present.Version + 1
		saved.LastFireAt = present.LastFireAt
		if err := s.saveJob(tx, &present, &saved, &e); err != nil {
			return err
		}
		saved, err = one[models.Job](tx.Where("id = ?", saved.ID), "job "+saved.ID)
		return err
	})
	return saved, err
}

// lockJob reads a job that is not deleted and keeps others from changing it or
// recording its fires. Fault: NOT_FOUND.
func (s *Store) lockJob(tx *gorm.DB, id string) (models.Job, error) {
	j, err := one[models.Job](s.locked(tx).Where("id = ?", id), "job "+id)
	if err == nil && j.DeletedAt != nil {
		return j, fault.New(fault.NotFound, "The job %q was deleted.", j.Name)
	}
	return j, err
}

func (s *Store) saveJob(tx *gorm.DB, present, saved *models.Job, e *JobEdit) error {
	if err := s.takeBackFires(tx, present, saved.UpdatedAt); err != nil {
		return err
	}
	// UpdateColumns, since Updates would set the time of the change by itself.
	err := tx.Model(&models.Job{}).Where("id = ?", saved.ID).Select(jobColumns).UpdateColumns(saved).Error
	if err != nil {
		return taken(err, saved.Name, "another job of the app")
	}
	if saved.TriggerKind == models.TriggerFixedDelay && saved.Enabled && saved.NextFireAt == nil {
		if err := s.restartFixedDelay(tx, saved.ID, saved.UpdatedAt); err != nil {
			return err
		}
	}
	if e.Upstream != nil {
		if err := s.saveUpstream(tx, saved, e.Upstream, false); err != nil {
			return err
		}
	}
	if err := s.insertSkipped(tx, e.Skipped); err != nil {
		return err
	}
	if err := s.countSkipped(tx, e.Skipped); err != nil {
		return err
	}
	return insertAudit(tx, &e.Audit)
}

// takeBackFires deletes the waiting tasks of scheduled fires after an instant.
// They lie between it and the job's next fire, which is how far was written ahead.
func (s *Store) takeBackFires(tx *gorm.DB, j *models.Job, after time.Time) error {
	c := conditions{}
	c.add("job_id = ? AND shelf = ?", j.ID, shelfMoving)
	c.add("id >= ?", models.LowestID(after))
	if j.NextFireAt != nil {
		c.add("id < ?", models.LowestID(j.NextFireAt.Add(time.Millisecond)))
	}
	c.add("state = ? AND trigger_kind IN (?, ?)", models.TaskWaiting, models.TriggerCron, models.TriggerFixedRate)
	c.add("scheduled_at > ?", after)
	rows, err := query(tx, "SELECT "+lightColumns.list+" FROM tasks"+s.dialect.forceIndex("tasks_job")+c.where()+" ORDER BY id"+s.dialect.lockRows(), c.args...)
	if err != nil {
		return fmt.Errorf("looking for fires written ahead: %w", err)
	}
	tasks, err := lightColumns.scan(rows)
	if err != nil {
		return fmt.Errorf("looking for fires written ahead: %w", err)
	}
	counts := tally{}
	for part := range chunks(tasks, inLimit) {
		ids := make([]any, len(part))
		for i := range part {
			ids[i] = part[i].ID
			counts.move(part[i].GroupID, models.TaskWaiting, 0)
		}
		if _, err := exec(tx, "DELETE FROM tasks WHERE id IN ("+marks(len(ids))+")", ids...); err != nil {
			return fmt.Errorf("taking %d fires back: %w", len(ids), err)
		}
	}
	return s.writeCounters(tx, byPeople, counts)
}
