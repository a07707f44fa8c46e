package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// CreateLink records a one-time link.
func (s *Store) CreateLink(ctx context.Context, l models.SignInLink) error {
	return s.write(ctx, "creating a one-time link", func(tx *gorm.DB) error {
		if _, err := exec(tx, "DELETE FROM sign_in_links WHERE user_id = ? AND expires_at < ?", l.UserID, l.CreatedAt); err != nil {
			return err
		}
		return tx.Create(&l).Error
	})
}

// Link answers a one-time link, used or not, and its account. Fault: NOT_FOUND.
func (s *Store) Link(ctx context.Context, id string) (models.SignInLink, models.User, error) {
	l, err := one[models.SignInLink](s.read(ctx).Where("id = ?", id), "such one-time link")
	if err != nil {
		return l, models.User{}, err
	}
	u, err := s.User(ctx, l.UserID)
	return l, u, err
}

// Redemption is the use of a one-time link.
type Redemption struct {
	ID, UserID string // of the link and its account
	Hash       string // unless empty, the password of an account that has none
	Session    models.Session
	Step       *models.SignInStep // instead of a session: a second factor is asked for
	At         time.Time
}

// RedeemLink uses a link up and opens a session, or begins its second step. Of several who
// redeem a link at once only one succeeds. Fault: CONFLICT when the link is used up, expired
// or gone, or the account has a password by now.
func (s *Store) RedeemLink(ctx context.Context, r Redemption, audit models.Audit) error {
	return s.write(ctx, "redeeming a one-time link", func(tx *gorm.DB) error {
		const use = "UPDATE sign_in_links SET used_at = ? WHERE id = ? AND user_id = ? AND used_at IS NULL AND expires_at > ?"
		n, err := exec(tx, use, r.At, r.ID, r.UserID, r.At)
		if err != nil {
			return err
		}
		if n != 1 {
			return fault.New(fault.Conflict, "The link was used already or has expired; ask for a new one.")
		}
		if r.Hash != "" {
			n, err := exec(tx, "UPDATE users SET password_hash = ?, updated_at = ? WHERE id = ? AND password_hash = ''", r.Hash, r.At, r.UserID)
			if err != nil {
				return err
			}
			if n != 1 {
				return fault.New(fault.Conflict, "The account has a password by now; sign in with it.")
			}
		}
		if r.Step != nil {
			err = tx.Create(r.Step).Error
		} else {
			err = tx.Create(&r.Session).Error
		}
		if err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
}
