// Package account knows who may do what: users with passwords, browser sessions,
// one-time links and API tokens. It does not know HTTP: cookies and headers are
// its caller's.
package account

import (
	"log/slog"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
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
