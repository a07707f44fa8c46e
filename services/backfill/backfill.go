// Package backfill makes up for past fires of a job: over a range of time, oldest
// first, at a bounded rate and with a bounded number of tasks under way. People ask
// for it; the owner of the job's partition makes the tasks.
package backfill

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// Notifier tells others what happened, after the commit. Its calls are hints and
// may be lost; they must return quickly.
type Notifier interface {
	// TasksQueued says that tasks of these groups wait to be dispatched.
	TasksQueued(ctx context.Context, groupIDs []string)
	// TasksCreated says that these tasks are new.
	TasksCreated(ctx context.Context, tasks []models.Task)
	// TaskChanged says that these tasks have changed.
	TaskChanged(ctx context.Context, taskIDs []string)
	// BackfillChanged says that a backfill is new or has changed.
	BackfillChanged(ctx context.Context, b models.Backfill)
}

// Owner says which partitions this server may act for.
type Owner interface {
	Partitions() map[int]int64 // partition → epoch
	Lost(partitions ...int)
}

// Config is what the service needs.
type Config struct {
	Store    *store.Store
	Owner    Owner
	Clock    clock.Clock
	Logger   *slog.Logger
	Notifier Notifier
}

// Service makes, changes and answers backfills. Start it, and tasks are made.
type Service struct {
	store     *store.Store
	owner     Owner
	clock     clock.Clock
	log       *slog.Logger
	notify    Notifier
	loop      *lifecycle.Loop
	calendars timetable.Calendars

	mu    sync.Mutex
	fires map[string][]time.Time // instants of backfills under way; at most keptFires of them
}

const (
	longest    = 5 * time.Second // between two looks, lest a hint was lost
	keptFires  = 20              // backfills whose instants are kept in memory, 2.4 MB each at most
	perPass    = 1000            // backfills looked at in one pass
	perStep    = 500             // instants looked at, and tasks made, in one transaction
	sweepBatch = 1000            // waiting tasks of a cancelled backfill cancelled at once
)

// New makes the service.
func New(c Config) (*Service, error) {
	s := &Service{store: c.Store, owner: c.Owner, clock: c.Clock, log: c.Logger, notify: c.Notifier, fires: map[string][]time.Time{}}
	s.calendars.Ledger = c.Store
	var err error
	s.loop, err = lifecycle.NewLoop(lifecycle.LoopConfig{Name: "backfills", Run: s.Pass, Every: longest, Logger: c.Logger})
	if err != nil {
		return nil, fmt.Errorf("making the loop of backfills: %w", err)
	}
	return s, nil
}

// Start begins to make tasks.
func (s *Service) Start(ctx context.Context) error { return s.loop.Start(ctx) }

// Stop ends the making of tasks; those made go on.
func (s *Service) Stop(ctx context.Context) error { return s.loop.Stop(ctx) }

// Health tells how the loop fares.
func (s *Service) Health() []lifecycle.LoopHealth { return s.loop.Health() }

// Wake makes the owner look at once: a backfill has changed, or a task of one ended.
func (s *Service) Wake() { s.loop.Wake() }
