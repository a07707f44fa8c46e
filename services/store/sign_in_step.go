package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// CreateSignInStep records a sign-in that waits for its second factor, and sweeps some that
// have expired.
func (s *Store) CreateSignInStep(ctx context.Context, step models.SignInStep) error {
	return s.write(ctx, "creating a step of a sign-in", func(tx *gorm.DB) error {
		if err := sweepExpired[models.SignInStep](tx, "sign_in_steps", step.CreatedAt); err != nil {
			return err
		}
		return tx.Create(&step).Error
	})
}

// sweepExpired deletes some rows of a table that have expired. They are chosen first, since
// SQLite knows no limit on DELETE.
func sweepExpired[T any](tx *gorm.DB, table string, now time.Time) error {
	var ids []string
	err := tx.Model(new(T)).Where("expires_at < ?", now).Order("expires_at").Limit(expiredAtOnce).Pluck("id", &ids).Error
	if err != nil || len(ids) == 0 {
		return err
	}
	_, err = exec(tx, "DELETE FROM "+table+" WHERE id IN ("+marks(len(ids))+")", anys(ids)...)
	return err
}

// SignInStep answers a sign-in that waits and its account. Fault: NOT_FOUND.
func (s *Store) SignInStep(ctx context.Context, id string) (models.SignInStep, models.User, error) {
	step, err := one[models.SignInStep](s.read(ctx).Where("id = ?", id), "such step of a sign-in")
	if err != nil {
		return step, models.User{}, err
	}
	u, err := s.User(ctx, step.UserID)
	return step, u, err
}

// FinishSignIn uses a step up and opens a session; of several who do so at once only one
// succeeds. Fault: CONFLICT when the step is gone.
func (s *Store) FinishSignIn(ctx context.Context, id string, session models.Session) error {
	return s.write(ctx, "finishing a sign-in", func(tx *gorm.DB) error {
		n, err := exec(tx, "DELETE FROM sign_in_steps WHERE id = ? AND user_id = ? AND expires_at > ?", id, session.UserID, session.CreatedAt)
		if err != nil {
			return err
		}
		if n != 1 {
			return fault.New(fault.Conflict, "The sign-in was finished already or took too long; begin again.")
		}
		return tx.Create(&session).Error
	})
}

// RenewSession moves a session that is to change its id to a new one. What was under way
// with the old id may end until then. Fault: CONFLICT when somebody else has just done so.
func (s *Store) RenewSession(ctx context.Context, old models.Session, id string, until time.Time) error {
	return s.write(ctx, "renewing a session", func(tx *gorm.DB) error {
		n, err := exec(tx, "UPDATE sessions SET renew = 0, expires_at = ? WHERE id = ? AND renew = 1 AND expires_at > ?", until, old.ID, until)
		if err != nil {
			return err
		}
		if n != 1 {
			return fault.New(fault.Conflict, "The session was renewed already.")
		}
		fresh := old
		fresh.ID, fresh.Renew = id, false
		return tx.Create(&fresh).Error
	})
}
