package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// HasUsers says whether any account exists.
func (s *Store) HasUsers(ctx context.Context) (bool, error) {
	rows, err := list[models.User](s.read(ctx).Select("id").Limit(1), "accounts")
	return len(rows) > 0, err
}

// CreateUser makes an account. Fault: TAKEN.
func (s *Store) CreateUser(ctx context.Context, u models.User, audit models.Audit) error {
	return s.write(ctx, "creating an account", func(tx *gorm.DB) error {
		if err := tx.Create(&u).Error; err != nil {
			return taken(err, u.Name, "another account")
		}
		return insertAudit(tx, &audit)
	})
}

// User answers one account. Fault: NOT_FOUND.
func (s *Store) User(ctx context.Context, id string) (models.User, error) {
	return one[models.User](s.read(ctx).Where("id = ?", id), "account "+id)
}

// UserByName answers one account. Fault: NOT_FOUND.
func (s *Store) UserByName(ctx context.Context, name string) (models.User, error) {
	return one[models.User](s.read(ctx).Where("name = ?", name), "account "+name)
}

// UserChange is what people change of their own account; nil stays.
type UserChange struct {
	Locale, TimeZone *string
	// NewHash replaces OldHash; all sessions and unused links of the account end.
	OldHash, NewHash string
}

// UpdateUser changes an account. Faults: NOT_FOUND, CONFLICT when the password is
// no longer the one with OldHash.
func (s *Store) UpdateUser(ctx context.Context, id string, c UserChange, at time.Time, audit models.Audit) (models.User, error) {
	var u models.User
	err := s.changing(ctx, "changing an account", &audit, func(tx *gorm.DB) error {
		var err error
		if u, err = one[models.User](s.locked(tx).Where("id = ?", id), "account "+id); err != nil {
			return err
		}
		if c.Locale != nil {
			u.Locale = *c.Locale
		}
		if c.TimeZone != nil {
			u.TimeZone = *c.TimeZone
		}
		if c.NewHash != "" {
			if u.PasswordHash != c.OldHash {
				return fault.New(fault.Conflict, "The password has just been changed by somebody else; sign in with the new one.")
			}
			if err := endSessions(tx, id); err != nil {
				return err
			}
			u.PasswordHash = c.NewHash
		}
		u.UpdatedAt = at
		const set = "UPDATE users SET locale = ?, time_zone = ?, password_hash = ?, updated_at = ? WHERE id = ?"
		if _, err := exec(tx, set, u.Locale, u.TimeZone, u.PasswordHash, at, id); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	return u, err
}

// endSessions signs an account out everywhere and voids its links and sign-ins under way.
func endSessions(tx *gorm.DB, userID string) error {
	for _, statement := range []string{"DELETE FROM sessions WHERE user_id = ?", "DELETE FROM sign_in_links WHERE user_id = ?", "DELETE FROM sign_in_steps WHERE user_id = ?"} {
		if _, err := exec(tx, statement, userID); err != nil {
			return fmt.Errorf("ending the account's sessions: %w", err)
		}
	}
	return nil
}

// ResetPassword takes an account's password away, signs it out everywhere and
// makes a link with which a new password is chosen. Fault: NOT_FOUND.
func (s *Store) ResetPassword(ctx context.Context, name string, link models.SignInLink, audit models.Audit) error {
	return s.write(ctx, "resetting a password", func(tx *gorm.DB) error {
		u, err := one[models.User](s.locked(tx).Where("name = ?", name), "account "+name)
		if err != nil {
			return err
		}
		was, err := readObject(tx, "user", u.ID)
		if err != nil {
			return err
		}
		if err := endSessions(tx, u.ID); err != nil {
			return err
		}
		if _, err := exec(tx, "UPDATE users SET password_hash = '', updated_at = ? WHERE id = ?", audit.At, u.ID); err != nil {
			return err
		}
		link.UserID, audit.Object, audit.Was = u.ID, u.ID, was.state
		if err := tx.Create(&link).Error; err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
}

// UserFilter chooses accounts; the zero value lets all through.
type UserFilter struct {
	Search   string // part of the name
	Disabled *bool  // whether they cannot sign in
}

// Users answers a page of accounts by name; positions are names. Fault: INVALID.
func (s *Store) Users(ctx context.Context, f UserFilter, p Page) ([]models.User, PageInfo, error) {
	n, backward, err := p.size()
	if err != nil {
		return nil, PageInfo{}, err
	}
	q := s.read(ctx).Limit(n + 1)
	if f.Search != "" {
		q = q.Where("INSTR(LOWER(name), ?) > 0", strings.ToLower(f.Search))
	}
	if f.Disabled != nil {
		q = q.Where(map[bool]string{true: "disabled_at IS NOT NULL", false: "disabled_at IS NULL"}[*f.Disabled])
	}
	if p.After != "" {
		q = q.Where("name > ?", p.After)
	}
	if p.Before != "" {
		q = q.Where("name < ?", p.Before)
	}
	order := "name"
	if backward {
		order = "name DESC"
	}
	rows, err := list[models.User](q.Order(order), "accounts")
	if err != nil {
		return nil, PageInfo{}, err
	}
	rows, info := cut(rows, p, n, backward)
	return rows, info, nil
}

// InviteUser makes an account, its roles in single apps and a one-time link. Fault: TAKEN.
func (s *Store) InviteUser(ctx context.Context, u models.User, roles []models.AppRole, link models.SignInLink, audit models.Audit) error {
	return s.write(ctx, "creating an account", func(tx *gorm.DB) error {
		if err := tx.Create(&u).Error; err != nil {
			return taken(err, u.Name, "another account")
		}
		if err := setAppRoles(tx, u.ID, roles); err != nil {
			return err
		}
		if err := tx.Create(&link).Error; err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
}

// Permission is what administrators change of an account; nil stays.
type Permission struct {
	Role     *models.Role
	Apps     *[]models.AppRole
	Disabled *bool
	At       time.Time
}

// PermitUser changes what an account may do; a disabled one is signed out. Faults:
// NOT_FOUND, CONFLICT when no administrator of all apps would be left who can sign in.
func (s *Store) PermitUser(ctx context.Context, id string, p Permission, audit models.Audit) (models.User, error) {
	var u models.User
	err := s.changing(ctx, "changing what an account may do", &audit, func(tx *gorm.DB) error {
		// All administrators are locked in key order: two who take each other's role away
		// must not both succeed.
		admins, err := list[models.User](s.locked(tx).Where("role = ? AND disabled_at IS NULL OR id = ?", models.RoleAdmin, id).Order("id"), "administrators")
		if err != nil {
			return err
		}
		others := 0
		for i := range admins {
			if admins[i].ID == id {
				u = admins[i]
			} else if admins[i].PasswordHash != "" {
				others++
			}
		}
		if u.ID == "" {
			return fault.New(fault.NotFound, "There is no account %s.", id)
		}
		was := u.Role == models.RoleAdmin && u.DisabledAt == nil
		p.apply(&u)
		if was && (u.Role != models.RoleAdmin || u.DisabledAt != nil) && others == 0 {
			return fault.New(fault.Conflict, "%q is the last administrator who can sign in; make another one first.", u.Name)
		}
		const set = "UPDATE users SET role = ?, disabled_at = ?, updated_at = ? WHERE id = ?"
		if _, err := exec(tx, set, u.Role, u.DisabledAt, p.At, id); err != nil {
			return err
		}
		if u.DisabledAt != nil {
			if err := endSessions(tx, id); err != nil {
				return err
			}
		}
		if p.Role != nil || p.Apps != nil {
			if _, err := exec(tx, "UPDATE sessions SET renew = 1 WHERE user_id = ?", id); err != nil {
				return err
			}
		}
		if p.Apps != nil {
			if err := setAppRoles(tx, id, *p.Apps); err != nil {
				return err
			}
		}
		return insertAudit(tx, &audit)
	})
	return u, err
}

func (p *Permission) apply(u *models.User) {
	if p.Role != nil {
		u.Role = *p.Role
	}
	switch {
	case p.Disabled == nil:
	case !*p.Disabled:
		u.DisabledAt = nil
	case u.DisabledAt == nil:
		u.DisabledAt = &p.At
	}
	u.UpdatedAt = p.At
}
