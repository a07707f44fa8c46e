package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	"Enabled", "Priority", "TimeoutMS", "Concurrency", "MaxRunning", "Delivery", "Routing", "RoutingRule",
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
		was, err := s.keepPresent(tx, &present)
		if err != nil {
			return err
		}
		if err := s.saveJob(tx, &present, &saved, &e); err != nil {
			return err
		}
		if e.Upstream != nil {
			was = e.Upstream
		}
		if err := s.keepRevision(tx, &saved, was, &e.Audit); err != nil {
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
	back, err := s.takeBackFires(tx, present, saved.UpdatedAt)
	if err != nil {
		return err
	}
	columns := jobColumns
	if back.any {
		columns = append(slices.Clone(columns), "LastFireAt")
		saved.LastFireAt = back.last
		if sameTime(saved.TriggerSince, present.TriggerSince) && present.LastFireAt != nil {
			// What a calendar took out before these fires is counted; they come again.
			saved.TriggerSince = present.LastFireAt
		}
	}
	// UpdateColumns, since Updates would set the time of the change by itself.
	err = tx.Model(&models.Job{}).Where("id = ?", saved.ID).Select(columns).UpdateColumns(saved).Error
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
	e.Audit.Was = stateOf(present)
	return insertAudit(tx, &e.Audit)
}

// takenBack says what takeBackFires did.
type takenBack struct {
	any  bool
	last *time.Time // with any: the job's last fire now; nil: none is known
}

// takeBackFires deletes the waiting tasks of scheduled fires after an instant.
// They lie between it and the job's next fire, which is how far was written ahead.
func (s *Store) takeBackFires(tx *gorm.DB, j *models.Job, after time.Time) (takenBack, error) {
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
		return takenBack{}, fmt.Errorf("looking for fires written ahead: %w", err)
	}
	tasks, err := lightColumns.scan(rows)
	if err != nil {
		return takenBack{}, fmt.Errorf("looking for fires written ahead: %w", err)
	}
	if len(tasks) == 0 {
		return takenBack{}, nil
	}
	counts := tally{}
	for part := range chunks(tasks, inLimit) {
		ids := make([]any, len(part))
		for i := range part {
			ids[i] = part[i].ID
			counts.move(part[i].GroupID, models.TaskWaiting, 0)
		}
		if _, err := exec(tx, "DELETE FROM tasks WHERE id IN ("+marks(len(ids))+")", ids...); err != nil {
			return takenBack{}, fmt.Errorf("taking %d fires back: %w", len(ids), err)
		}
	}
	upTo := tasks[len(tasks)-1].ScheduledAt
	if j.NextFireAt != nil {
		upTo = *j.NextFireAt
	}
	last, err := s.lastFire(tx, j.ID, upTo)
	if err != nil {
		return takenBack{}, err
	}
	return takenBack{any: true, last: last}, s.writeCounters(tx, byPeople, counts)
}

// mostBetween is among how many of a job's newest tasks in each state its last fire is
// looked for: those that people and programs asked for lie between.
const mostBetween = 1000

// lastFire reads the latest scheduled fire of a job up to an instant off its tasks; nil
// when there is none among the newest.
func (s *Store) lastFire(tx *gorm.DB, jobID string, upTo time.Time) (*time.Time, error) {
	parts := make([]string, len(shelves))
	args := make([]any, 0, 6*len(shelves))
	for i, shelf := range shelves {
		parts[i] = "SELECT scheduled_at FROM (SELECT scheduled_at, trigger_kind FROM tasks" + s.dialect.forceIndex("tasks_job") +
			" WHERE job_id = ? AND shelf = ? AND id < ? ORDER BY id DESC LIMIT ?) newest WHERE trigger_kind IN (?, ?)"
		args = append(args, jobID, shelf, models.LowestID(upTo.Add(time.Millisecond)), mostBetween, models.TriggerCron, models.TriggerFixedRate)
	}
	rows, err := query(tx, strings.Join(parts, " UNION ALL "), args...)
	if err != nil {
		return nil, fmt.Errorf("looking for the last fire of a job: %w", err)
	}
	var last *time.Time
	err = scan(rows, func() error {
		var at time.Time
		if err := rows.Scan(&at); err != nil {
			return err
		}
		if last == nil || at.After(*last) {
			last = &at
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for the last fire of a job: %w", err)
	}
	return last, nil
}
