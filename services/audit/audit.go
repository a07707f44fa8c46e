// Package audit shows who changed what: the audit trail, page by page or as a file, and
// keeps it for as long as the installation wants. The rows themselves are written by the
// transactions of the changes.
package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/store"
)

// leader is the partition whose owner deletes old rows.
const leader = 0

// Limits of the deletion of old rows.
const (
	DefaultKept = 400 * 24 * time.Hour // how long rows are kept when nothing else is said

	every     = 10 * time.Minute // between two looks for old rows
	atOnce    = 500              // rows deleted in one transaction
	perPass   = 20               // transactions in a row; the rest waits for the next look
	pruneName = "belfry"
)

type (
	// Filter chooses rows.
	Filter = store.AuditFilter
	// Page says which part of the trail is wanted.
	Page = store.Page
	// PageInfo says whether the trail goes on around a page.
	PageInfo = store.PageInfo
)

// Ledger is what the trail needs of the ledger.
type Ledger interface {
	AuditPage(ctx context.Context, f store.AuditFilter, p store.Page) ([]models.Audit, store.PageInfo, error)
	InsertAudit(ctx context.Context, a models.Audit) error
	PruneAudits(ctx context.Context, fence store.Fence, before time.Time, limit int) (int, error)
}

// Owner says which partitions this server may act for.
type Owner interface {
	Partitions() map[int]int64 // partition → epoch
	Lost(partitions ...int)
}

// Config is what the service needs.
type Config struct {
	Ledger Ledger
	Owner  Owner
	Kept   time.Duration // how long rows are kept; 0: for ever
	Clock  clock.Clock
	Logger *slog.Logger
}

// Service shows and prunes the trail.
type Service struct {
	cfg  Config
	loop *lifecycle.Loop
}

// New makes the service.
func New(c Config) (*Service, error) {
	s := &Service{cfg: c}
	var err error
	s.loop, err = lifecycle.NewLoop(lifecycle.LoopConfig{Name: "audit retention", Run: s.Prune, Every: every, Logger: c.Logger})
	if err != nil {
		return nil, fmt.Errorf("making the loop of the audit trail: %w", err)
	}
	return s, nil
}

// Start begins to delete old rows.
func (s *Service) Start(ctx context.Context) error { return s.loop.Start(ctx) }

// Stop ends that.
func (s *Service) Stop(ctx context.Context) error { return s.loop.Stop(ctx) }

// Health tells how the loop fares.
func (s *Service) Health() []lifecycle.LoopHealth { return s.loop.Health() }

// Page answers a page of the trail, newest first; positions are ids. A search that has
// looked at enough rows stops, and the page says where (PageInfo.Stopped). Fault: INVALID.
func (s *Service) Page(ctx context.Context, f Filter, p Page) ([]models.Audit, PageInfo, error) {
	return s.cfg.Ledger.AuditPage(ctx, f, p)
}

// Prune deletes rows that were kept for long enough, some at a time, if this server leads,
// and writes into the trail itself how many there were. It answers how long it may rest.
func (s *Service) Prune(ctx context.Context) (time.Duration, error) {
	epoch, ours := s.cfg.Owner.Partitions()[leader]
	if !ours || s.cfg.Kept <= 0 {
		return every, nil
	}
	now := s.cfg.Clock.Now()
	before, gone, more := now.Add(-s.cfg.Kept), 0, true
	var err error
	for range perPass {
		var n int
		if n, err = s.cfg.Ledger.PruneAudits(ctx, store.Fence{leader: epoch}, before, atOnce); err != nil {
			break
		}
		gone += n
		if more = n == atOnce; !more {
			break
		}
	}
	if gone > 0 {
		err = errors.Join(err, s.cfg.Ledger.InsertAudit(ctx, pruned(now, before, gone)))
	}
	if err != nil {
		return 0, store.GiveWay(err, s.cfg.Owner.Lost)
	}
	if more {
		return time.Second, nil
	}
	return every, nil
}

// pruned is the row that tells of deleted ones.
func pruned(now, before time.Time, rows int) models.Audit {
	detail, _ := json.Marshal(map[string]any{"rows": rows, "before": before.UTC().Format(time.RFC3339)}) // plain values always marshal
	return models.Audit{ID: models.NewID(now), At: now, Actor: pruneName, Action: "audit.prune", Kind: "audit", Detail: detail}
}
