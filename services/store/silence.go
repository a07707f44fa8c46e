package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// CreateSilence makes a silence. Fault: LIMIT.
func (s *Store) CreateSilence(ctx context.Context, row models.Silence, now time.Time, audit models.Audit) error {
	return s.write(ctx, "creating a silence", func(tx *gorm.DB) error {
		var n int64
		if err := tx.Model(&models.Silence{}).Where("ends_at IS NULL OR ends_at > ?", clock.Cut(now)).Count(&n).Error; err != nil {
			return err
		}
		if n >= models.MaxSilences {
			return fault.New(fault.Limit, "There are %d silences that have not ended, the most there can be; end one first.", n)
		}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
}

// EndSilence has a silence end at an instant, and answers it; one that has ended already
// stays as it is. Fault: NOT_FOUND.
func (s *Store) EndSilence(ctx context.Context, id string, at time.Time, audit models.Audit) (models.Silence, error) {
	var row models.Silence
	err := s.write(ctx, "ending a silence", func(tx *gorm.DB) error {
		var err error
		if row, err = one[models.Silence](s.locked(tx).Where("id = ?", id), "silence "+id); err != nil {
			return err
		}
		at := clock.Cut(at)
		if row.EndsAt != nil && !row.EndsAt.After(at) {
			return nil
		}
		row.EndsAt = &at
		if _, err := exec(tx, "UPDATE silences SET ends_at = ? WHERE id = ?", at, id); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	return row, err
}

// RemindSilence notes for which end of a silence people were reminded, and writes the
// notifications, under the fence; once for each end.
func (s *Store) RemindSilence(ctx context.Context, fence Fence, id string, end time.Time, rows []models.Notification) error {
	return s.write(ctx, "reminding of a silence", func(tx *gorm.DB) error {
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		end := clock.Cut(end)
		n, err := exec(tx, "UPDATE silences SET reminded_at = ? WHERE id = ? AND (reminded_at IS NULL OR reminded_at < ?)", end, id, end)
		if err != nil || n == 0 {
			return err
		}
		return s.AddNotifications(tx, rows)
	})
}

// Silence answers one silence. Fault: NOT_FOUND.
func (s *Store) Silence(ctx context.Context, id string) (models.Silence, error) {
	return one[models.Silence](s.read(ctx).Where("id = ?", id), "silence "+id)
}

// SilencesByIDs answers the silences that exist among ids, in no order.
func (s *Store) SilencesByIDs(ctx context.Context, ids []string) ([]models.Silence, error) {
	return byIDs[models.Silence](s.read(ctx), ids, "silences")
}

// OpenSilences answers the silences that have not ended at an instant, newest first; there
// are at most models.MaxSilences.
func (s *Store) OpenSilences(ctx context.Context, at time.Time) ([]models.Silence, error) {
	return list[models.Silence](s.read(ctx).Where("ends_at IS NULL OR ends_at > ?", clock.Cut(at)).Order("id DESC").Limit(mostListed), "silences")
}

// Silences answers the latest silences, newest first, at most 1,000.
func (s *Store) Silences(ctx context.Context) ([]models.Silence, error) {
	return list[models.Silence](s.read(ctx).Order("id DESC").Limit(mostListed), "silences")
}

// PruneSilences deletes silences that ended before an instant and answers how many there
// were.
func (s *Store) PruneSilences(ctx context.Context, before time.Time) (int64, error) {
	var n int64
	err := s.write(ctx, "deleting old silences", func(tx *gorm.DB) (err error) {
		n, err = exec(tx, "DELETE FROM silences WHERE ends_at < ?", clock.Cut(before))
		return err
	})
	return n, err
}
