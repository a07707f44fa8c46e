package store

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// CreateIdentityFlow records a browser that goes to the identity provider, and sweeps some
// that never came back.
func (s *Store) CreateIdentityFlow(ctx context.Context, f models.IdentityFlow) error {
	return s.write(ctx, "beginning a sign-in by the identity provider", func(tx *gorm.DB) error {
		if err := sweepExpired[models.IdentityFlow](tx, "identity_flows", f.CreatedAt); err != nil {
			return err
		}
		return tx.Create(&f).Error
	})
}

// TakeIdentityFlow uses a flow up and answers it; of several who do so at once only one
// succeeds. Fault: NOT_FOUND when it is unknown, used or too old.
func (s *Store) TakeIdentityFlow(ctx context.Context, id string, now time.Time) (models.IdentityFlow, error) {
	var f models.IdentityFlow
	err := s.write(ctx, "ending a sign-in by the identity provider", func(tx *gorm.DB) error {
		var err error
		if f, err = one[models.IdentityFlow](tx.Where("id = ? AND expires_at > ?", id, now), "such sign-in under way"); err != nil {
			return err
		}
		n, err := exec(tx, "DELETE FROM identity_flows WHERE id = ?", id)
		if err == nil && n != 1 {
			err = fault.New(fault.NotFound, "There is no such sign-in under way.")
		}
		return err
	})
	return f, err
}

// Identity answers who somebody of the identity provider is here. Fault: NOT_FOUND.
func (s *Store) Identity(ctx context.Context, id string) (models.Identity, models.User, error) {
	i, err := one[models.Identity](s.read(ctx).Where("id = ?", id), "such identity")
	if err != nil {
		return i, models.User{}, err
	}
	u, err := s.User(ctx, i.UserID)
	return i, u, err
}

// CreateIdentity makes an account for somebody of the identity provider, with its session.
// Fault: TAKEN when the name or the identity is.
func (s *Store) CreateIdentity(ctx context.Context, u models.User, i models.Identity, roles []models.AppRole, session models.Session, audit models.Audit) error {
	return s.write(ctx, "creating an account of the identity provider", func(tx *gorm.DB) error {
		if err := tx.Create(&u).Error; err != nil {
			return taken(err, u.Name, "another account")
		}
		if err := tx.Create(&i).Error; err != nil {
			return taken(err, i.Label, "another account")
		}
		if err := setAppRoles(tx, u.ID, roles); err != nil {
			return err
		}
		if err := tx.Create(&session).Error; err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
}

// EnterByIdentity opens a session for an account of the identity provider and gives it the
// roles that its groups have now; audit is written when they were others. Faults: NOT_FOUND,
// FORBIDDEN when the account is disabled.
func (s *Store) EnterByIdentity(ctx context.Context, i models.Identity, role models.Role, roles []models.AppRole, session models.Session, audit models.Audit) error {
	return s.write(ctx, "signing in by the identity provider", func(tx *gorm.DB) error {
		u, err := one[models.User](s.locked(tx).Where("id = ?", i.UserID), "account "+i.UserID)
		if err != nil {
			return err
		}
		if u.DisabledAt != nil {
			return fault.New(fault.Forbidden, "The account %q is disabled here; ask an administrator.", u.Name)
		}
		if _, err := exec(tx, "UPDATE identities SET label = ?, last_used_at = ? WHERE id = ?", i.Label, audit.At, i.ID); err != nil {
			return err
		}
		if err := s.follow(tx, &u, role, roles, audit); err != nil {
			return err
		}
		return tx.Create(&session).Error
	})
}

// follow gives an account other roles when they differ from those it has.
func (s *Store) follow(tx *gorm.DB, u *models.User, role models.Role, roles []models.AppRole, audit models.Audit) error {
	held, err := list[models.AppRole](tx.Where("holder_id = ?", u.ID).Order("app_id"), "roles in apps")
	if err != nil {
		return err
	}
	same := slices.EqualFunc(held, roles, func(a, b models.AppRole) bool { return a.AppID == b.AppID && a.Role == b.Role })
	if same && u.Role == role {
		return nil
	}
	if _, err := exec(tx, "UPDATE users SET role = ?, updated_at = ? WHERE id = ?", role, audit.At, u.ID); err != nil {
		return err
	}
	if err := setAppRoles(tx, u.ID, roles); err != nil {
		return err
	}
	if _, err := exec(tx, "UPDATE sessions SET renew = 1 WHERE user_id = ?", u.ID); err != nil {
		return err
	}
	return insertAudit(tx, &audit)
}
