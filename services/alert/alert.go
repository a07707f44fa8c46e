// Package alert keeps rules, incidents and silences, and runs the desk: the one place of a
// cluster at which events become incidents and incidents become messages. What the desk
// decides is in the package desk, which is pure; here are the loops, the ledger and what
// people do.
package alert

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/store"
)

// Partition is the partition whose owner has the desk of the cluster.
const Partition = 0

// Owner says what this server may act for.
type Owner interface {
	// Fence are the epochs of partitions; ok is false when one may not be acted for.
	Fence(partitions ...int) (fence map[int]int64, ok bool)
	Lost(partitions ...int)
}

// Notifier tells others, after the commit. It is a hint and may be lost; it must return
// quickly.
type Notifier interface {
	// IncidentsChanged says that incidents are new or have changed.
	IncidentsChanged(ctx context.Context, ids []string)
	// NotificationsQueued says that there is something to send.
	NotificationsQueued(ctx context.Context)
	// AlertsEdited says that rules or silences have changed: the desk looks again.
	AlertsEdited(ctx context.Context)
}

// Config is what the service needs.
type Config struct {
	Store    *store.Store
	Owner    Owner
	Clock    clock.Clock
	Logger   *slog.Logger
	Notifier Notifier
}

// Service keeps rules, incidents and silences. Started, it runs the desk while this server
// owns Partition.
type Service struct {
	store  *store.Store
	owner  Owner
	clock  clock.Clock
	log    *slog.Logger
	notify Notifier
	loop   *lifecycle.Loop

	// Of the loop alone.
	hushed   string    // the silences by which open incidents were last looked at
	sweptAt  time.Time // when that was
	prunedAt time.Time // when old rows were last deleted
	passedAt time.Time // the last pass
	more     bool      // it left something to do
}

// Rests of the loop.
const (
	idle       = time.Second // with nothing to do; wakes shorten it
	pruneEvery = 10 * time.Minute
	gathers    = 100 * time.Millisecond // between two passes, however often it is woken
)

// New makes the service. It fails on a configuration that a loop cannot run with.
func New(c Config) (*Service, error) {
	s := &Service{store: c.Store, owner: c.Owner, clock: c.Clock, log: c.Logger, notify: c.Notifier}
	var err error
	s.loop, err = lifecycle.NewLoop(lifecycle.LoopConfig{Name: "alerts", Run: s.Pass, Every: idle, MaxBackoff: idle, Logger: c.Logger})
	if err != nil {
		return nil, fmt.Errorf("making the loop of alerts: %w", err)
	}
	return s, nil
}

// Start begins to run the desk.
func (s *Service) Start(ctx context.Context) error { return s.loop.Start(ctx) }

// Stop ends it.
func (s *Service) Stop(ctx context.Context) error { return s.loop.Stop(ctx) }

// Wake has the desk look at once: events were written, or the partition was taken over.
func (s *Service) Wake() { s.loop.Wake() }

// Health tells how the loop fares.
func (s *Service) Health() []lifecycle.LoopHealth { return s.loop.Health() }

func record(now time.Time, actor, action, kind, id string, detail map[string]any) models.Audit {
	a := models.Audit{ID: models.NewID(now), At: now, Actor: actor, Action: action, Kind: kind, Object: id}
	if len(detail) > 0 {
		if raw, err := json.Marshal(detail); err == nil { // plain values always marshal
			a.Detail = raw
		}
	}
	return a
}
