// Package account knows who may do what: users with passwords, browser sessions,
// one-time links and API tokens. It does not know HTTP: cookies and headers are
// its caller's.
package account

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/memo"
	"github.com/belfry-scheduler/belfry/services/store"
)

// Lifetimes of what is handed out.
const (
	SessionIdle = 12 * time.Hour     // a session unused for so long has ended, unless Config says otherwise
	SessionLife = 7 * 24 * time.Hour // and none lives longer than this, likewise
	LinkLife    = 24 * time.Hour
	StepLife    = 5 * time.Minute // to give the second factor
	RenewGrace  = 30 * time.Second

	touchEvery = time.Minute // how exact "last used" is
	cacheFor   = time.Second // a revocation holds everywhere after this, at most
	cacheSize  = 10_000      // principals remembered at once
)

// Require says who must have a second factor.
type Require string

// Whom to ask for a second factor.
const (
	RequireNobody Require = ""
	RequireAdmins Require = "admin" // of all apps or of one
	RequireAll    Require = "all"
)

// Box encrypts secrets for the ledger (services/seal).
type Box interface {
	Seal(plain []byte, about string) (string, error)
	Open(sealed, about string) ([]byte, error)
	Stale(sealed string) bool
}

// Config is what the service needs.
type Config struct {
	Store  *store.Store
	Clock  clock.Clock
	Logger *slog.Logger

	// Box seals the secrets of second factors; nil: nobody can set one up.
	Box Box
	// Require says who must have a second factor to sign in with a password or a link. It
	// does not concern those who come by the identity provider, which asks itself.
	Require Require
	// Installation is what authenticator apps show beside the account; empty: Belfry.
	Installation string
	// Idle and Life end sessions; 0: SessionIdle and SessionLife.
	Idle, Life time.Duration
	// NoPassword refuses passwords: people come by the identity provider, and in an
	// emergency by a one-time link.
	NoPassword bool
	// GroupRoles are the roles that groups of the identity provider have here.
	GroupRoles []GroupRole
	// Address and Agent are the client's address and what it calls itself; nil: unknown.
	Address, Agent func(ctx context.Context) string
}

// Service answers who is asking, and lets people in.
type Service struct {
	c        Config
	store    *store.Store
	clock    clock.Clock
	log      *slog.Logger
	hasher   *hasher
	throttle *throttle
	known    *memo.Cache[string, Principal] // by hash of token or session secret
}

// New makes the service.
func New(c Config) *Service {
	c.Idle, c.Life = cmp.Or(c.Idle, SessionIdle), cmp.Or(c.Life, SessionLife)
	c.Installation = cmp.Or(c.Installation, "Belfry")
	return &Service{
		c: c, store: c.Store, clock: c.Clock, log: c.Logger,
		hasher:   newHasher(),
		throttle: newThrottle(c.Clock),
		known:    memo.New[string, Principal](c.Clock, cacheFor, cacheSize),
	}
}
