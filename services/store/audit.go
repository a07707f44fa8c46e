package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// InsertAudit records a change that has no transaction of its own here.
func (s *Store) InsertAudit(ctx context.Context, a models.Audit) error {
	return s.InsertAudits(ctx, []models.Audit{a})
}

// InsertAudits records several such changes.
func (s *Store) InsertAudits(ctx context.Context, audits []models.Audit) error {
	if len(audits) == 0 {
		return nil
	}
	return s.write(ctx, "writing the audit log", func(tx *gorm.DB) error {
		return insertAudits(tx, audits)
	})
}

// insertAudit records a change within its transaction; nil records nothing. It is called
// last: the row says what the object is then.
func insertAudit(tx *gorm.DB, a *models.Audit) error {
	if a == nil {
		return nil
	}
	return insertAudits(tx, []models.Audit{*a})
}

// insertAudits records several changes within their transaction.
func insertAudits(tx *gorm.DB, audits []models.Audit) error {
	if len(audits) == 0 {
		return nil
	}
	audits = slices.Clone(audits) // a transaction may be tried again
	if err := placeTasks(tx, audits); err != nil {
		return err
	}
	for i := range audits {
		if err := complete(tx, &audits[i]); err != nil {
			return err
		}
	}
	if err := tx.Create(&audits).Error; err != nil {
		return fmt.Errorf("writing the audit log: %w", err)
	}
	return nil
}

// placeTasks fills in the app and the job's name of rows about tasks, of all of them at
// once: an operation in bulk writes a hundred.
func placeTasks(tx *gorm.DB, audits []models.Audit) error {
	at := map[string][]int{}
	for i := range audits {
		if audits[i].Kind == "task" && audits[i].AppID == "" {
			at[audits[i].Object] = append(at[audits[i].Object], i)
		}
	}
	if len(at) == 0 {
		return nil
	}
	ids := make([]string, 0, len(at))
	for id := range at {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for chunk := range chunks(ids, inLimit) {
		rows, err := query(tx, "SELECT t.id, t.app_id, j.name FROM tasks t JOIN jobs j ON j.id = t.job_id WHERE t.id IN ("+marks(len(chunk))+")", anys(chunk)...)
		if err != nil {
			return fmt.Errorf("reading whose tasks the audit log tells of: %w", err)
		}
		err = scan(rows, func() error {
			var id, app, job string
			if err := rows.Scan(&id, &app, &job); err != nil {
				return err
			}
			for _, i := range at[id] {
				audits[i].AppID, audits[i].ObjectName = app, job
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("reading whose tasks the audit log tells of: %w", err)
		}
	}
	return nil
}

// TaskAudits answers what people did to each of these tasks, oldest first.
func (s *Store) TaskAudits(ctx context.Context, taskIDs []string) ([]models.Audit, error) {
	return s.audits(ctx, "task", taskIDs)
}

// audits answers the audit rows of some objects of a kind, oldest first.
func (s *Store) audits(ctx context.Context, kind string, objects []string) ([]models.Audit, error) {
	var rows []models.Audit
	if len(objects) == 0 {
		return rows, nil
	}
	err := s.read(ctx).Where("kind = ? AND object IN ?", kind, objects).Order("at, id").Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("reading the audit log: %w", err)
	}
	return rows, nil
}

// JobAudits answers the latest changes of a job, up to limit, oldest first.
func (s *Store) JobAudits(ctx context.Context, jobID string, limit int) ([]models.Audit, error) {
	rows, err := list[models.Audit](s.read(ctx).Where("kind = ? AND object = ?", "job", jobID).Order("id DESC").Limit(limit), "the audit log")
	slices.Reverse(rows)
	return rows, err
}

// UserAudits answers what was done to an account, oldest first.
func (s *Store) UserAudits(ctx context.Context, userID string) ([]models.Audit, error) {
	return s.audits(ctx, "user", []string{userID})
}

// movedTask says in an audit row from which state a task went to which; nil stays nil.
func movedTask(a *models.Audit, from, to models.TaskState) *models.Audit {
	if a == nil || from == to {
		return a
	}
	a.StateBefore, a.StateAfter = json.RawMessage(`{"state":"`+from.String()+`"}`), json.RawMessage(`{"state":"`+to.String()+`"}`)
	return a
}
