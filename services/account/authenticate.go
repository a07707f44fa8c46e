package account

import (
	"context"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Credentials are what a request carries; a bearer token goes before a cookie.
type Credentials struct {
	Bearer string // API token
	Cookie string // secret of a session
}

// Authenticate answers who is asking. Fault: UNAUTHENTICATED without credentials,
// and for unknown, expired or revoked ones. An answer is at most a second old.
func (s *Service) Authenticate(ctx context.Context, c Credentials) (Principal, error) {
	secret, read := c.Cookie, s.bySession
	if c.Bearer != "" {
		if !strings.HasPrefix(c.Bearer, tokenPrefix) {
			return Principal{}, badToken()
		}
		secret, read = c.Bearer, s.byToken
	}
	if secret == "" || len(secret) > longestSecret {
		return Principal{}, Allow(Principal{}, models.RoleViewer)
	}
	asOf := s.clock.Now()
	hash := hashSecret(secret)
	p, ok := s.known.Get(hash)
	if !ok {
		var err error
		if p, err = read(ctx, hash, asOf); err != nil {
			return Principal{}, err
		}
		s.known.Put(hash, p, asOf)
	}
	if !p.EndsAt.IsZero() && !asOf.Before(p.EndsAt) { // it may end while it is remembered
		return Principal{}, ended(p.IsToken)
	}
	return p, nil
}

func (s *Service) bySession(ctx context.Context, hash string, now time.Time) (Principal, error) {
	session, user, err := s.store.Session(ctx, hash)
	if fault.Is(err, fault.NotFound) {
		return Principal{}, ended(false)
	}
	if err != nil {
		return Principal{}, err
	}
	idleEnd := session.LastSeenAt.Add(s.c.Idle)
	if !same(session.ID, hash) || user.DisabledAt != nil || !now.Before(session.ExpiresAt) || !now.Before(idleEnd) {
		return Principal{}, ended(false)
	}
	if now.Sub(session.LastSeenAt) >= touchEvery {
		// Not worth refusing anybody: the next request tries again.
		if err := s.store.TouchSession(ctx, hash, now); err != nil {
			s.log.WarnContext(ctx, "noting the use of a session failed", "user", user.Name, "error", err)
		}
		idleEnd = now.Add(s.c.Idle)
	}
	p, err := s.withApps(ctx, principal(&user), user.ID)
	if err != nil {
		return Principal{}, err
	}
	if lacks, err := s.lacksFactor(ctx, &user, p, session.Method); err != nil || lacks {
		if err == nil {
			err = ended(false) // the next sign-in asks for one
		}
		return Principal{}, err
	}
	p.SessionID, p.RenewSession = session.ID, session.Renew
	p.EndsAt = session.ExpiresAt
	if idleEnd.Before(p.EndsAt) {
		p.EndsAt = idleEnd
	}
	return p, nil
}

func (s *Service) byToken(ctx context.Context, hash string, now time.Time) (Principal, error) {
	t, err := s.store.TokenByHash(ctx, hash)
	if fault.Is(err, fault.NotFound) {
		return Principal{}, badToken()
	}
	if err != nil {
		return Principal{}, err
	}
	expired := t.ExpiresAt != nil && !now.Before(*t.ExpiresAt)
	if !same(t.Hash, hash) || t.RevokedAt != nil || expired {
		return Principal{}, badToken()
	}
	if t.LastUsedAt == nil || now.Sub(*t.LastUsedAt) >= touchEvery {
		if err := s.store.TouchToken(ctx, t.ID, now); err != nil {
			s.log.WarnContext(ctx, "noting the use of an API token failed", "token", t.Name, "error", err)
		}
	}
	p, err := s.withApps(ctx, Principal{Name: t.Name, Role: t.Role, Scopes: models.SplitScopes(t.Scopes), IsToken: true, TokenID: t.ID}, t.ID)
	if err != nil {
		return Principal{}, err
	}
	if t.ExpiresAt != nil {
		p.EndsAt = *t.ExpiresAt
	}
	return p, nil
}

func principal(u *models.User) Principal {
	return Principal{Name: u.Name, Role: u.Role, UserID: u.ID, Locale: u.Locale, TimeZone: u.TimeZone}
}

// withApps adds the roles that a holder has in single apps.
func (s *Service) withApps(ctx context.Context, p Principal, holderID string) (Principal, error) {
	roles, err := s.store.AppRoles(ctx, []string{holderID})
	if err != nil {
		return Principal{}, err
	}
	if held := roles[holderID]; len(held) > 0 {
		p.Apps = make(map[string]models.Role, len(held))
		for _, r := range held {
			p.Apps[r.AppID] = r.Role
		}
	}
	return p, nil
}

func ended(token bool) error {
	if token {
		return badToken()
	}
	return fault.New(fault.Unauthenticated, "The session has ended; sign in again.")
}

func badToken() error {
	return fault.New(fault.Unauthenticated, "The API token is wrong, expired or revoked; send a valid one as bearer token.")
}

// forget drops what is remembered of an account's sessions.
func (s *Service) forget(userID string) {
	s.known.DropIf(func(_ string, p Principal) bool { return p.UserID == userID })
}
