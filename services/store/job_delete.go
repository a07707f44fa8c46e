package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

const (
	cancelAtOnce = 500    // tasks cancelled in one transaction
	cancelLooked = 20_000 // ids of queued tasks looked for at once
)

// DeleteJob takes a job away: its name is free again and it fires no more. Then
// its queued tasks are cancelled (JOB_DELETED), some hundred in a transaction,
// since there may be millions; it answers how many. When that is cut short the
// job stands deleted, and CancelQueued goes on with it. Running tasks go on.
// Faults: NOT_FOUND, CONFLICT while other jobs depend on it.
func (s *Store) DeleteJob(ctx context.Context, id string, at time.Time, audit models.Audit) (cancelled int, err error) {
	err = s.changing(ctx, "deleting a job", &audit, func(tx *gorm.DB) error {
		present, err := s.lockJob(tx, id)
		if err != nil {
			return err
		}
		was, err := s.keepPresent(tx, &present)
		if err != nil {
			return err
		}
		present.Version++
		present.DeletedAt = &at
		if err := s.keepRevision(tx, &present, was, &audit); err != nil {
			return err
		}
		if err := s.dropDependencies(tx, id); err != nil {
			return err
		}
		const set = "UPDATE jobs SET live_name = NULL, deleted_at = ?, next_fire_at = NULL, version = version + 1, updated_at = ? WHERE id = ?"
		if _, err := exec(tx, set, at, at, id); err != nil {
			return err
		}
		if err := cancelBackfillsOf(tx, id, at); err != nil {
			return err
		}
		if _, err := exec(tx, s.dialect.deleteByKey("alert_failing")+" WHERE job_id = ?", id); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	if err != nil {
		return 0, err
	}
	return s.CancelQueued(ctx, id, at)
}

// CancelQueued cancels the queued tasks of a deleted job and answers how many.
func (s *Store) CancelQueued(ctx context.Context, jobID string, at time.Time) (cancelled int, err error) {
	for {
		ids, err := s.queuedOf(ctx, jobID)
		if err != nil {
			return cancelled, err
		}
		for part := range chunks(ids, cancelAtOnce) {
			n, err := s.cancelDeleted(ctx, part, at)
			cancelled += n
			if err != nil {
				return cancelled, err
			}
		}
		if len(ids) < cancelLooked {
			return cancelled, nil
		}
	}
}

// queuedOf finds queued tasks of a job in the queue's index, which holds the job.
func (s *Store) queuedOf(ctx context.Context, jobID string) ([]string, error) {
	// All groups of the app: tasks stay in the group that the job was in.
	statement := "SELECT id FROM tasks" + s.dialect.forceIndex("tasks_queue") + ` WHERE group_id IN (
			SELECT id FROM node_groups WHERE app_id = (SELECT app_id FROM jobs WHERE id = ?)
		) AND state IN (?, ?) AND job_id = ? LIMIT ?`
	return readIDs(s.read(ctx), statement, jobID, models.TaskWaiting, models.TaskRetrying, jobID, cancelLooked)
}

// cancelDeleted cancels those of ids that are still queued.
func (s *Store) cancelDeleted(ctx context.Context, ids []string, at time.Time) (n int, err error) {
	return s.cancelWaiting(ctx, "cancelling the tasks of a deleted job", ids, models.ReasonJobDeleted, at)
}

// cancelWaiting cancels those of ids that are still queued, with a reason code, and
// answers how many.
func (s *Store) cancelWaiting(ctx context.Context, what string, ids []string, code string, at time.Time) (n int, err error) {
	err = s.write(ctx, what, func(tx *gorm.DB) error {
		n = 0
		locked, err := s.lockTasks(tx, ids, lightColumns)
		if err != nil {
			return err
		}
		books := newBooks(byPeople)
		var queued []any
		for _, id := range ids {
			t := locked[id]
			if t == nil || !t.State.Queued() {
				continue
			}
			from := t.State
			t.State, _ = models.Next(from, models.EventCancel) // legal from every queued state
			queued = append(queued, id)
			books.moved(t, from, models.EventCancel, at)
		}
		n = len(queued)
		if n == 0 {
			return nil
		}
		statement := "UPDATE tasks SET state = ?, reason = ?, finished_at = ?, deadline_at = NULL WHERE id IN (" + marks(n) + ")"
		if _, err := exec(tx, statement, append([]any{models.TaskCancelled, code, at}, queued...)...); err != nil {
			return fmt.Errorf("cancelling %d tasks: %w", n, err)
		}
		return s.settle(tx, books)
	})
	return n, err
}
