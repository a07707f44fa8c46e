// Package task is what people and programs do with single firings: ask for a
// run, cancel, run again, discard, and read what happened. It neither triggers,
// dispatches nor finishes tasks.
package task

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/batch"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/store"
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
	// CancelRequested says that the running task t is to be cancelled.
	CancelRequested(ctx context.Context, t models.Task)
}

// Config is what the service needs.
type Config struct {
	Store    *store.Store
	Clock    clock.Clock
	Logger   *slog.Logger
	Notifier Notifier
}

// Service answers and changes tasks. Start it before use.
type Service struct {
	store      *store.Store
	clock      clock.Clock
	log        *slog.Logger
	notify     Notifier
	writer     *batch.Writer[request, Created] // of single enqueues, which share commits
	forgetting *lifecycle.Loop
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{store: c.Store, clock: c.Clock, log: c.Logger, notify: c.Notifier}
	s.writer = batch.New(batch.Config[request, Created]{
		Write:    s.create,
		Whole:    func(error) bool { return true }, // what one item can spoil, create answers by itself
		MaxItems: enqueueBatch,
		Writers:  enqueueWriters,
	})
	return s
}

// Start begins to take enqueues.
func (s *Service) Start(ctx context.Context) error {
	var err error
	s.forgetting, err = lifecycle.NewLoop(lifecycle.LoopConfig{Name: "old moves", Run: s.forget, Every: forgetEvery, Logger: s.log})
	if err != nil {
		return fmt.Errorf("making the loop that forgets old moves: %w", err)
	}
	s.writer.Start(ctx)
	return s.forgetting.Start(ctx)
}

// Stop writes the enqueues that wait and takes no more.
func (s *Service) Stop(ctx context.Context) error {
	return errors.Join(s.forgetting.Stop(ctx), s.writer.Stop(ctx))
}
