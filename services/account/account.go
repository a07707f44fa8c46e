// Package account knows who may do what: users with passwords, browser sessions,
// one-time links and API tokens. It does not know HTTP: cookies and headers are
// its caller's.
package account

import (
	"log/slog"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/memo"
	"github.com/belfry-scheduler/belfry/services/store"
)

// Lifetimes of what is handed out.
const (
	SessionIdle = 12 * time.Hour     // a session unused for so long has ended
	SessionLife = 7 * 24 * time.Hour // and none lives longer than this
	LinkLife    = 24 * time.Hour

	touchEvery = time.Minute // how exact "last used" is
	cacheFor   = time.Second // a revocation holds everywhere after this, at most
	cacheSize  = 10_000      // principals remembered at once
)

// Principal is who is asking. The zero value is nobody.
type Principal struct {
	Name      string
	Role      models.Role
	IsToken   bool
	UserID    string // empty for a token
	TokenID   string // empty for a person
	SessionID string // empty for a token
	Locale    string // empty until chosen
	TimeZone  string // empty until chosen
	EndsAt    time.Time
}

// Allow is the one place where roles are checked. It answers nil, UNAUTHENTICATED
// for nobody, or FORBIDDEN.
func Allow(p Principal, atLeast models.Role) error {
	switch {
	case p.Role == 0:
		return fault.New(fault.Unauthenticated, "Nobody is signed in; sign in or send an API token.")
	case p.Role < atLeast:
		return fault.New(fault.Forbidden, "This needs the role %s and %q has %s; ask an administrator.", atLeast, p.Name, p.Role)
	}
	return nil
}

// Config is what the service needs.
type Config struct {
	Store  *store.Store
	Clock  clock.Clock
	Logger *slog.Logger
}

// Service answers who is asking, and lets people in.
type Service struct {
	store    *store.Store
	clock    clock.Clock
	log      *slog.Logger
	hasher   *hasher
	throttle *throttle
	known    *memo.Cache[string, Principal] // by hash of token or session secret
}

// New makes the service.
func New(c Config) *Service {
	return &Service{
		store: c.Store, clock: c.Clock, log: c.Logger,
		hasher:   newHasher(),
		throttle: newThrottle(c.Clock),
		known:    memo.New[string, Principal](c.Clock, cacheFor, cacheSize),
	}
}
