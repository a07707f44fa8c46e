package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// expiredAtOnce bounds how many dead sessions and links one new session sweeps.
const expiredAtOnce = 100

// CreateSession records a signed-in browser, and sweeps some that have expired.
func (s *Store) CreateSession(ctx context.Context, session models.Session) error {
	return s.write(ctx, "creating a session", func(tx *gorm.DB) error {
		if err := sweepExpired[models.Session](tx, "sessions", session.CreatedAt); err != nil {
			return err
		}
		return tx.Create(&session).Error
	})
}

// Session answers a session and its account. Fault: NOT_FOUND.
func (s *Store) Session(ctx context.Context, id string) (models.Session, models.User, error) {
	session, err := one[models.Session](s.read(ctx).Where("id = ?", id), "such session")
	if err != nil {
		return session, models.User{}, err
	}
	u, err := s.User(ctx, session.UserID)
	return session, u, err
}

// TouchSession notes that a session was used.
func (s *Store) TouchSession(ctx context.Context, id string, at time.Time) error {
	return s.touch(ctx, "UPDATE sessions SET last_seen_at = ? WHERE id = ? AND last_seen_at < ?", at, id, at)
}

// DeleteSession signs a browser out; one that is gone already is no error.
func (s *Store) DeleteSession(ctx context.Context, id string) error {
	return s.touch(ctx, "DELETE FROM sessions WHERE id = ?", id)
}

// Sessions answers the sessions of an account, the latest used first, at most 1,000.
func (s *Store) Sessions(ctx context.Context, userID string) ([]models.Session, error) {
	return list[models.Session](s.read(ctx).Where("user_id = ?", userID).Order("last_seen_at DESC, id").Limit(mostListed), "sessions")
}

// EndSession signs a browser out at somebody's wish.
func (s *Store) EndSession(ctx context.Context, id string, audit models.Audit) error {
	return s.write(ctx, "ending a session", func(tx *gorm.DB) error {
		if _, err := exec(tx, "DELETE FROM sessions WHERE id = ?", id); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
}
