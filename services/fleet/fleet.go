// Package fleet keeps what jobs run on: apps and their keys, node groups and
// nodes. It checks what people enter and answers which app a worker's key belongs
// to. It does not follow heartbeats; that is registry's.
package fleet

import (
	"context"
	"log/slog"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/memo"
	"github.com/belfry-scheduler/belfry/services/store"
)

// Notifier tells others, after the commit, what changed. Its calls are hints and
// may be lost; they must return quickly.
type Notifier interface {
	// NodeChanged says that a node's order to drain changed, or that it is gone.
	NodeChanged(ctx context.Context, nodeID, groupID string)
	// GroupChanged says that a group's limits changed, or that it came or went.
	GroupChanged(ctx context.Context, groupID string)
}

// Config is what the service needs.
type Config struct {
	Store    *store.Store
	Clock    clock.Clock
	Logger   *slog.Logger
	Notifier Notifier
	// LostAfter is the silence after which a server counts as lost: that of the ownership.
	LostAfter time.Duration
}

const (
	touchEvery = time.Minute // how exact "last used" is
	cacheFor   = time.Second // a revoked key is refused everywhere after this, at most
	cacheSize  = 10_000      // keys remembered at once
)

// Service creates, changes and answers apps, keys, groups and nodes.
type Service struct {
	store  *store.Store
	clock  clock.Clock
	log    *slog.Logger
	notify Notifier
	lost   time.Duration                 // silence after which a server counts as lost
	known  *memo.Cache[string, keyOwner] // by hash of the key
}

type keyOwner struct {
	app models.App
	key models.AppKey
}

// New makes the service.
func New(c Config) *Service {
	return &Service{
		store: c.Store, clock: c.Clock, log: c.Logger, notify: c.Notifier, lost: c.LostAfter,
		known: memo.New[string, keyOwner](c.Clock, cacheFor, cacheSize),
	}
}

// audit is the record of a change that actor makes now.
func audit(now time.Time, actor, action, kind, object string, detail []byte) models.Audit {
	return models.Audit{ID: models.NewID(now), At: now, Actor: actor, Action: action, Kind: kind, Object: object, Detail: detail}
}
