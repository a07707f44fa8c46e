package store

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// CreateToken records an API token and its roles in single apps.
func (s *Store) CreateToken(ctx context.Context, t models.APIToken, roles []models.AppRole, audit models.Audit) error {
	return s.write(ctx, "creating an API token", func(tx *gorm.DB) error {
		if err := tx.Create(&t).Error; err != nil {
			return err
		}
		if err := setAppRoles(tx, t.ID, roles); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
}

// TokenByHash answers an API token, valid or not. Fault: NOT_FOUND.
func (s *Store) TokenByHash(ctx context.Context, hash string) (models.APIToken, error) {
	return one[models.APIToken](s.read(ctx).Where("hash = ?", hash), "such API token")
}

// TokenFilter chooses API tokens; the zero value lets all through.
type TokenFilter struct {
	Search string // part of the name, or the first characters of the token
	Active *bool  // whether they are neither revoked nor expired at At
	At     time.Time
}

// Tokens answers a page of API tokens, newest first; positions are ids. Fault: INVALID.
func (s *Store) Tokens(ctx context.Context, f TokenFilter, p Page) ([]models.APIToken, PageInfo, error) {
	q := s.read(ctx).Table("api_tokens")
	if f.Search != "" {
		q = q.Where("(INSTR(LOWER(name), ?) > 0 OR INSTR(prefix, ?) = 1)", strings.ToLower(f.Search), f.Search)
	}
	if f.Active != nil && *f.Active {
		q = q.Where("revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)", f.At)
	}
	if f.Active != nil && !*f.Active {
		q = q.Where("revoked_at IS NOT NULL OR expires_at <= ?", f.At)
	}
	return newest[models.APIToken](q, p, "API tokens")
}

// RevokeToken ends an API token; one that has ended is answered as it is, without
// an audit row. Fault: NOT_FOUND.
func (s *Store) RevokeToken(ctx context.Context, id string, at time.Time, audit models.Audit) (models.APIToken, error) {
	var t models.APIToken
	err := s.changing(ctx, "revoking an API token", &audit, func(tx *gorm.DB) error {
		var err error
		if t, err = one[models.APIToken](s.locked(tx).Where("id = ?", id), "API token "+id); err != nil || t.RevokedAt != nil {
			return err
		}
		t.RevokedAt = &at
		if _, err := exec(tx, "UPDATE api_tokens SET revoked_at = ? WHERE id = ?", at, id); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	return t, err
}

// TouchToken notes that an API token was used.
func (s *Store) TouchToken(ctx context.Context, id string, at time.Time) error {
	return s.touch(ctx, "UPDATE api_tokens SET last_used_at = ? WHERE id = ?", at, id)
}
