package account

import (
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
)

const (
	maxTokenName = 128 // characters
	longestToken = 10 * check.Year
)

// NewToken asks for an API token.
type NewToken struct {
	Name string
	Role models.Role
	Life time.Duration // 0: it does not expire
}

// CreateToken makes an API token and answers it; it is shown only here. Faults:
// INVALID, REQUIRED.
func (s *Service) CreateToken(ctx context.Context, actor string, n NewToken) (string, models.APIToken, error) {
	var wrong fault.List
	wrong.Add(check.Line("name", n.Name, maxTokenName))
	if n.Role < models.RoleViewer || n.Role > models.RoleAdmin {
		wrong.Add(fault.At("role", fault.Invalid, "role is %s; it must be VIEWER, OPERATOR, DEVELOPER or ADMIN.", n.Role))
	}
	if n.Life != 0 {
		wrong.Add(check.Span("expires", n.Life, time.Second, longestToken))
	}
	if err := wrong.Err(); err != nil {
		return "", models.APIToken{}, err
	}
	now := s.clock.Now()
	secret := newSecret(tokenPrefix)
	t := models.APIToken{
		ID: models.NewID(now), Name: n.Name, Hash: hashSecret(secret), Prefix: secret[:shownOfToken], Role: n.Role, CreatedAt: now,
	}
	if n.Life != 0 {
		t.ExpiresAt = new(now.Add(n.Life))
	}
	audit := s.audit(actor, "token.create", t.ID)
	audit.Kind = "token"
	if err := s.store.CreateToken(ctx, t, audit); err != nil {
		return "", models.APIToken{}, err
	}
	return secret, t, nil
}

// RevokeToken ends an API token: here at once, on other servers within a second.
// Fault: NOT_FOUND.
func (s *Service) RevokeToken(ctx context.Context, actor, id string) (models.APIToken, error) {
	audit := s.audit(actor, "token.revoke", id)
	audit.Kind = "token"
	t, err := s.store.RevokeToken(ctx, id, s.clock.Now(), audit)
	if err != nil {
		return models.APIToken{}, err
	}
	s.known.Drop(t.Hash)
	return t, nil
}

// Tokens answers all API tokens, newest first, without their secrets; at most
// 1,000.
func (s *Service) Tokens(ctx context.Context) ([]models.APIToken, error) { return s.store.Tokens(ctx) }
