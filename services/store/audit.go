package store

import (
	"context"
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
		return tx.Create(&audits).Error
	})
}

// insertAudit records a change within its transaction; nil records nothing.
func insertAudit(tx *gorm.DB, a *models.Audit) error {
	if a == nil {
		return nil
	}
	if err := tx.Create(a).Error; err != nil {
		return fmt.Errorf("writing the audit log: %w", err)
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
