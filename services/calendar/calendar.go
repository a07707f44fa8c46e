// Package calendar keeps the calendars that jobs rest by: it checks what people
// enter, reads holiday lists in two formats, writes each change with its audit row,
// and computes the next fires of all jobs of an edited calendar anew.
package calendar

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

// Notifier tells others, after the commit, that the next fires of jobs moved. It is
// a hint and may be lost; it must return quickly.
type Notifier interface {
	JobsMoved(ctx context.Context, jobs []models.Job)
}

// Config is what the service needs.
type Config struct {
	Store    *store.Store
	Clock    clock.Clock
	Logger   *slog.Logger
	Notifier Notifier
}

// Service creates, changes and answers calendars. Started, it also finishes what
// another server or an earlier process left undone.
type Service struct {
	store  *store.Store
	clock  clock.Clock
	log    *slog.Logger
	notify Notifier

	loop *lifecycle.Loop // woken when something is left to do
}

// New makes the service. It fails on a configuration that a loop cannot run with.
func New(c Config) (*Service, error) {
	s := &Service{store: c.Store, clock: c.Clock, log: c.Logger, notify: c.Notifier}
	sweep := func(ctx context.Context) (time.Duration, error) { return sweepEvery, s.Sweep(ctx) }
	var err error
	s.loop, err = lifecycle.NewLoop(lifecycle.LoopConfig{
		Name: "calendars", Run: sweep, Every: sweepEvery, MinBackoff: afterBroken, MaxBackoff: afterBroken, Logger: c.Logger,
	})
	if err != nil {
		return nil, fmt.Errorf("making the loop of calendars: %w", err)
	}
	return s, nil
}

// Create makes a calendar. Faults, all those of the input at once: INVALID,
// REQUIRED, TAKEN (name), NOT_FOUND (app), LIMIT.
func (s *Service) Create(ctx context.Context, actor string, in Input) (models.Calendar, error) {
	now := s.clock.Now()
	c := models.Calendar{ID: models.NewID(now), AppID: in.AppID, Version: 1, AppliedVersion: 1, CreatedAt: now, UpdatedAt: now}
	if err := in.apply(&c); err != nil {
		return models.Calendar{}, err
	}
	if err := s.store.CreateCalendar(ctx, c, record(now, actor, "calendar.create", c.ID, map[string]any{"name": c.Name})); err != nil {
		return models.Calendar{}, err
	}
	return c, nil
}

// Update changes a calendar. The change holds for every fire after this moment, of
// all jobs that use it. Faults as of Create, and CONFLICT when the version differs,
// NOT_FOUND.
func (s *Service) Update(ctx context.Context, actor string, in Update) (models.Calendar, error) {
	return s.change(ctx, in.ID, func(c *models.Calendar, now time.Time) (models.Audit, error) {
		before := *c
		if err := in.apply(c); err != nil {
			return models.Audit{}, err
		}
		return record(now, actor, "calendar.update", c.ID, diff(&before, c)), nil
	})
}

// change edits a calendar under its lock and moves the fires of its jobs.
func (s *Service) change(ctx context.Context, id string, edit func(*models.Calendar, time.Time) (models.Audit, error)) (models.Calendar, error) {
	var before models.Calendar
	saved, err := s.store.UpdateCalendar(ctx, id, func(c *models.Calendar) (models.Audit, error) {
		before = *c
		now := s.clock.Now() // under the lock: no job was saved by this version before
		audit, err := edit(c, now)
		c.UpdatedAt = now
		return audit, err
	})
	if err != nil {
		return models.Calendar{}, err
	}
	s.applyAtOnce(ctx, &before, &saved)
	return saved, nil
}

// Delete takes a calendar away. Faults: NOT_FOUND, CONFLICT while jobs use it.
func (s *Service) Delete(ctx context.Context, actor, id string) (models.Calendar, error) {
	return s.store.DeleteCalendar(ctx, id, record(s.clock.Now(), actor, "calendar.delete", id, nil))
}

// Calendar answers one calendar. Fault: NOT_FOUND.
func (s *Service) Calendar(ctx context.Context, id string) (models.Calendar, error) {
	return s.store.Calendar(ctx, id)
}

// Calendars answers the calendars of one app, or of all for an empty id, by name
// and without their dated days; at most 1,000.
func (s *Service) Calendars(ctx context.Context, appID string) ([]models.Calendar, error) {
	return s.store.Calendars(ctx, appID)
}

// ByIDs answers the calendars that exist among ids, in no order.
func (s *Service) ByIDs(ctx context.Context, ids []string) ([]models.Calendar, error) {
	return s.store.CalendarsByIDs(ctx, ids)
}

// JobCounts answers how many jobs use each of these calendars.
func (s *Service) JobCounts(ctx context.Context, ids []string) (map[string]int, error) {
	return s.store.CountJobsByCalendar(ctx, ids)
}

// Jobs answers the first jobs that use each of these calendars.
func (s *Service) Jobs(ctx context.Context, ids []string, perCalendar int) (map[string][]models.Job, error) {
	return s.store.JobsByCalendar(ctx, ids, perCalendar)
}

func record(now time.Time, actor, action, id string, detail map[string]any) models.Audit {
	a := models.Audit{ID: models.NewID(now), At: now, Actor: actor, Action: action, Kind: "calendar", Object: id}
	if len(detail) > 0 {
		if raw, err := json.Marshal(detail); err == nil { // plain values always marshal
			a.Detail = raw
		}
	}
	return a
}
