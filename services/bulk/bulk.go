// Package bulk does the same to many tasks: tries them again, discards or cancels
// them. What was selected is fixed when it is asked for; the owner of partition 0
// goes through it in small transactions.
package bulk

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

// What reads take and answer; the shapes are the ledger's.
type (
	// Filter says which tasks.
	Filter = store.TaskFilter
	// Page says which part of a list: by the positions before and after it.
	Page = store.Page
	// PageInfo says whether the list goes on at either end.
	PageInfo = store.PageInfo
)

// Notifier tells others what happened, after the commit. Its calls are hints and
// may be lost; they must return quickly.
type Notifier interface {
	// TasksQueued says that tasks of these groups wait to be dispatched.
	TasksQueued(ctx context.Context, groupIDs []string)
	// TaskChanged says that these tasks have changed.
	TaskChanged(ctx context.Context, taskIDs []string)
	// CancelRequested says that the running task t is to be cancelled.
	CancelRequested(ctx context.Context, t models.Task)
	// BulkChanged says that a bulk operation is new or has changed.
	BulkChanged(ctx context.Context, b models.BulkOperation)
}

// Owner says which partitions this server may act for.
type Owner interface {
	Partitions() map[int]int64 // partition → epoch
	Lost(partitions ...int)
}

// Repeater makes the task that repeats one that has ended. A repeated request id
// makes nothing.
type Repeater interface {
	Repeat(ctx context.Context, actor, id string, parameters json.RawMessage, requestID string) (models.Task, error)
}

// Config is what the service needs.
type Config struct {
	Store    *store.Store
	Owner    Owner
	Repeater Repeater
	Clock    clock.Clock
	Logger   *slog.Logger
	Notifier Notifier
}

// Service makes, carries out and answers bulk operations. Start it, and they go on.
type Service struct {
	store    *store.Store
	owner    Owner
	repeater Repeater
	clock    clock.Clock
	log      *slog.Logger
	notify   Notifier
	loop     *lifecycle.Loop
}

const (
	leader  = 0               // the partition whose owner carries them out
	longest = 5 * time.Second // between two looks, lest a hint was lost
	perStep = 100             // tasks of one transaction
)

// New makes the service.
func New(c Config) (*Service, error) {
	s := &Service{store: c.Store, owner: c.Owner, repeater: c.Repeater, clock: c.Clock, log: c.Logger, notify: c.Notifier}
	var err error
	s.loop, err = lifecycle.NewLoop(lifecycle.LoopConfig{Name: "bulk operations", Run: s.Pass, Every: longest, Logger: c.Logger})
	if err != nil {
		return nil, fmt.Errorf("making the loop of bulk operations: %w", err)
	}
	return s, nil
}

// Start begins to carry out what is asked for.
func (s *Service) Start(ctx context.Context) error { return s.loop.Start(ctx) }

// Stop ends that; another server, or the next start, goes on where this one stopped.
func (s *Service) Stop(ctx context.Context) error { return s.loop.Stop(ctx) }

// Health tells how the loop fares.
func (s *Service) Health() []lifecycle.LoopHealth { return s.loop.Health() }

// Wake makes the owner look at once.
func (s *Service) Wake() { s.loop.Wake() }

// Bulk answers one bulk operation. Fault: NOT_FOUND.
func (s *Service) Bulk(ctx context.Context, id string) (models.BulkOperation, error) {
	return s.store.Bulk(ctx, id)
}

// ByIDs answers the bulk operations that exist among ids, in no order.
func (s *Service) ByIDs(ctx context.Context, ids []string) ([]models.BulkOperation, error) {
	return s.store.BulksByIDs(ctx, ids)
}

// Page answers a page of somebody's bulk operations, or of everybody's for an empty name,
// newest first; positions are ids. Fault: INVALID.
func (s *Service) Page(ctx context.Context, createdBy string, p Page) ([]models.BulkOperation, PageInfo, error) {
	return s.store.BulkPage(ctx, createdBy, p)
}

// Refusals answers up to perBulk tasks that each of these operations left as they
// are, and why.
func (s *Service) Refusals(ctx context.Context, bulkIDs []string, perBulk int) (map[string][]models.BulkRefusal, error) {
	return s.store.BulkRefusals(ctx, bulkIDs, perBulk)
}
