package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// CreateSilence makes a silence. Fault: LIMIT.
func (s *Store) CreateSilence(ctx context.Context, row models.Silence, now time.Time, audit models.Audit) error {
	return s.write(ctx, "creating a silence", func(tx *gorm.DB) error {
		var n int
		index := s.dialect.forceIndex("silences_ends")
		err := queryOne(tx, &n, "SELECT (SELECT COUNT(*) FROM silences"+index+" WHERE ends_at IS NULL) + (SELECT COUNT(*) FROM silences"+index+" WHERE ends_at > ?)", clock.Cut(now))
		if err != nil {
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
	err := s.changing(ctx, "ending a silence", &audit, func(tx *gorm.DB) error {
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
	var all []models.Silence
	table := "silences" + s.dialect.forceIndex("silences_ends")
	for _, q := range []*gorm.DB{s.read(ctx).Table(table).Where("ends_at IS NULL"), s.read(ctx).Table(table).Where("ends_at > ?", clock.Cut(at))} {
		rows, err := list[models.Silence](q.Limit(mostListed), "silences")
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	slices.SortFunc(all, func(a, b models.Silence) int { return strings.Compare(b.ID, a.ID) })
	return all, nil
}

// Silences answers the latest silences, newest first, at most 1,000.
func (s *Store) Silences(ctx context.Context) ([]models.Silence, error) {
	return list[models.Silence](s.read(ctx).Order("id DESC").Limit(mostListed), "silences")
}

// PruneSilences deletes silences that ended before an instant and answers how many there
// were.
func (s *Store) PruneSilences(ctx context.Context, before time.Time) (int, error) {
	var n int
	err := s.write(ctx, "deleting old silences", func(tx *gorm.DB) (err error) {
		n, err = s.deleteSilences(tx, s.dialect.forceIndex("silences_ends")+" WHERE ends_at < ?", clock.Cut(before))
		return err
	})
	return n, err
}

// deleteSilencesOf deletes the silences of a rule.
func (s *Store) deleteSilencesOf(tx *gorm.DB, ruleID string) error {
	_, err := s.deleteSilences(tx, " WHERE rule_id = ?", ruleID)
	return err
}

// deleteSilences finds silences without locks and deletes them by their keys, lest it waits
// for whoever counts what others held back.
func (s *Store) deleteSilences(tx *gorm.DB, which string, value any) (int, error) {
	ids, err := readIDs(tx, "SELECT id FROM silences"+which, value)
	if err != nil {
		return 0, err
	}
	slices.Sort(ids)
	for chunk := range chunks(ids, inLimit) {
		if _, err := exec(tx, s.dialect.deleteByKey("silences")+" WHERE id IN ("+marks(len(chunk))+")", anys(chunk)...); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}
