package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// mostKeys is how many keys of an app may be active: the old and the new one while
// workers change over.
const mostKeys = 2

// CreateAppKey adds a key. Faults: NOT_FOUND (the app), LIMIT when two are active.
func (s *Store) CreateAppKey(ctx context.Context, key models.AppKey, audit models.Audit) error {
	return s.write(ctx, "creating an app key", func(tx *gorm.DB) error {
		app, err := s.lockApp(tx, key.AppID) // so that two at once cannot make three
		if err != nil {
			return err
		}
		var active int64
		if err := tx.Model(&models.AppKey{}).Where("app_id = ? AND revoked_at IS NULL", key.AppID).Count(&active).Error; err != nil {
			return err
		}
		if active >= mostKeys {
			return fault.New(fault.Limit, "The app %q has %d active keys already; revoke one first.", app.Name, active)
		}
		if err := tx.Create(&key).Error; err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
}

// RevokeAppKey ends a key; one that has ended is answered as it is, without an
// audit row. audit.Object becomes the key's app. Fault: NOT_FOUND.
func (s *Store) RevokeAppKey(ctx context.Context, id string, at time.Time, audit models.Audit) (models.AppKey, error) {
	var key models.AppKey
	err := s.write(ctx, "revoking an app key", func(tx *gorm.DB) error {
		var err error
		if key, err = one[models.AppKey](s.locked(tx).Where("id = ?", id), "app key "+id); err != nil || key.RevokedAt != nil {
			return err
		}
		key.RevokedAt = &at
		if _, err := exec(tx, "UPDATE app_keys SET revoked_at = ? WHERE id = ?", at, id); err != nil {
			return err
		}
		audit.Object = key.AppID
		return insertAudit(tx, &audit)
	})
	return key, err
}

// AppKey answers a key, revoked or not. Fault: NOT_FOUND.
func (s *Store) AppKey(ctx context.Context, id string) (models.AppKey, error) {
	return one[models.AppKey](s.read(ctx).Where("id = ?", id), "app key "+id)
}

// AppKeys answers the keys of these apps, newest first.
func (s *Store) AppKeys(ctx context.Context, appIDs []string) ([]models.AppKey, error) {
	if len(appIDs) == 0 {
		return nil, nil
	}
	return list[models.AppKey](s.read(ctx).Where("app_id IN ?", appIDs).Order("id DESC"), "app keys")
}

// AppKeyByHash answers a key, active or not, and its app. Fault: NOT_FOUND.
func (s *Store) AppKeyByHash(ctx context.Context, hash string) (models.AppKey, models.App, error) {
	key, err := one[models.AppKey](s.read(ctx).Where("hash = ?", hash), "such app key")
	if err != nil {
		return key, models.App{}, err
	}
	app, err := s.App(ctx, key.AppID)
	return key, app, err
}

// TouchAppKey notes that a key was used.
func (s *Store) TouchAppKey(ctx context.Context, id string, at time.Time) error {
	return s.touch(ctx, "UPDATE app_keys SET last_used_at = ? WHERE id = ?", at, id)
}

// touch runs one small update that needs no transaction of its own.
func (s *Store) touch(ctx context.Context, statement string, args ...any) error {
	return s.write(ctx, "noting a use", func(tx *gorm.DB) error {
		if _, err := exec(tx, statement, args...); err != nil {
			return fmt.Errorf("updating: %w", err)
		}
		return nil
	})
}
