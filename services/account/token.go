package account

import (
	"context"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

const (
	maxTokenName = 128 // characters
	longestToken = 10 * check.Year
)

// Token is an API token with its roles in single apps.
type Token struct {
	models.APIToken
	Apps []models.AppRole
}

// NewToken asks for an API token.
type NewToken struct {
	Name   string
	Role   models.Role
	Apps   []string       // ids of the only apps in which the role counts; empty: all, those to come too
	Scopes []models.Scope // all that it may do of what the role allows; empty: all of it
	Life   time.Duration  // 0: it does not expire
}

// CreateToken makes an API token and answers it; it is shown only here. Faults:
// INVALID, REQUIRED, NOT_FOUND (apps).
func (s *Service) CreateToken(ctx context.Context, actor string, n NewToken) (string, Token, error) {
	var wrong fault.List
	wrong.Add(check.Line("name", n.Name, maxTokenName))
	if n.Role < models.RoleViewer || n.Role > models.RoleAdmin {
		wrong.Add(fault.At("role", fault.Invalid, "role is %s; it must be VIEWER, OPERATOR, DEVELOPER or ADMIN.", n.Role))
	}
	if n.Life != 0 {
		wrong.Add(check.Span("expires", n.Life, time.Second, longestToken))
	}
	for _, scope := range n.Scopes {
		if _, ok := models.ParseScope(scope.String()); !ok {
			wrong.Add(fault.At("scopes", fault.Invalid, "scopes has %s; it may have %s.", scope, strings.Join(models.ScopeNames(), ", ")))
		}
	}
	roles := make([]models.AppRole, len(n.Apps))
	for i, app := range n.Apps {
		roles[i] = models.AppRole{AppID: app, Role: n.Role}
	}
	if err := s.checkRoles(ctx, "apps", roles, &wrong); err != nil {
		return "", Token{}, err
	}
	if err := wrong.Err(); err != nil {
		return "", Token{}, err
	}
	now := s.clock.Now()
	secret := newSecret(tokenPrefix)
	t := models.APIToken{
		ID: models.NewID(now), Name: n.Name, Hash: hashSecret(secret), Prefix: secret[:shownOfToken], Role: n.Role,
		Scopes: models.JoinScopes(n.Scopes), CreatedAt: now,
	}
	if len(roles) > 0 {
		t.Role = 0
	}
	if n.Life != 0 {
		t.ExpiresAt = new(now.Add(n.Life))
	}
	audit := s.audit(actor, "token.create", t.ID)
	audit.Kind = "token"
	audit.Detail = detail(map[string]any{"name": n.Name, "role": n.Role.String(), "apps": n.Apps, "scopes": t.Scopes, "expires": t.ExpiresAt})
	if err := s.store.CreateToken(ctx, t, roles, audit); err != nil {
		return "", Token{}, err
	}
	return secret, Token{APIToken: t, Apps: roles}, nil
}

// RevokeToken ends an API token: here at once, on other servers within a second.
// Fault: NOT_FOUND.
func (s *Service) RevokeToken(ctx context.Context, actor, id string) (Token, error) {
	audit := s.audit(actor, "token.revoke", id)
	audit.Kind = "token"
	t, err := s.store.RevokeToken(ctx, id, s.clock.Now(), audit)
	if err != nil {
		return Token{}, err
	}
	s.known.Drop(t.Hash)
	all, err := s.withRoles(ctx, []models.APIToken{t})
	if err != nil {
		return Token{}, err
	}
	return all[0], nil
}

// TokenFilter chooses API tokens.
type TokenFilter struct {
	Search string // part of the name, or the first characters of the token
	Active *bool  // whether they are neither revoked nor expired
}

// Tokens answers a page of API tokens, newest first, without their secrets; positions are
// ids. Fault: INVALID.
func (s *Service) Tokens(ctx context.Context, f TokenFilter, p Page) ([]Token, PageInfo, error) {
	rows, info, err := s.store.Tokens(ctx, store.TokenFilter{Search: f.Search, Active: f.Active, At: s.clock.Now()}, p)
	if err != nil {
		return nil, PageInfo{}, err
	}
	all, err := s.withRoles(ctx, rows)
	return all, info, err
}

func (s *Service) withRoles(ctx context.Context, rows []models.APIToken) ([]Token, error) {
	roles, err := rolesOf(ctx, s, rows, func(t *models.APIToken) string { return t.ID })
	if err != nil {
		return nil, err
	}
	all := make([]Token, len(rows))
	for i := range rows {
		all[i] = Token{APIToken: rows[i], Apps: roles[rows[i].ID]}
	}
	return all, nil
}
