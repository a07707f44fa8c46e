// Package rescue ends what nobody else will: attempts past their time limit, on
// lost nodes, or deaf to their cancellation. All by guarded transitions under the
// partition's epoch; each pass starts from the running attempts, so one that died
// half way is completed by the next.
package rescue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/internal/failpoint"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Ledger is what the rescue needs of the store.
type Ledger interface {
	SilentNodes(ctx context.Context, groupIDs []string, now time.Time) ([]models.Node, error)
	LoseNode(ctx context.Context, id, incarnation string) (bool, error)
	RunningTasks(ctx context.Context, groupIDs []string) ([]models.Task, error)
}

// Running knows the running attempts of the owned groups.
type Running interface {
	Snapshot() []models.Running
	Groups() map[string]models.NodeGroup // by id
	Cancel(ctx context.Context, t *models.Task, cause string)
}

// Owner says which partitions this server may act for.
type Owner interface {
	Partitions() map[int]int64
	Lost(partitions ...int)
}

// Ender ends attempts.
type Ender interface {
	End(ctx context.Context, ends ...store.AttemptEnd) ([]store.EndResult, []error, error)
	EndFenced(ctx context.Context, fence store.Fence, ends []store.AttemptEnd) ([]store.EndResult, error)
}

// Watcher is told of nodes that were declared lost.
type Watcher interface {
	NodeChanged(ctx context.Context, n models.Node)
}

// Config sets up a Rescue.
type Config struct {
	Ledger  Ledger
	Running Running
	Owner   Owner
	Ender   Ender
	Watcher Watcher
	Clock   clock.Clock
	Logger  *slog.Logger
}

const (
	every       = time.Second
	resendAfter = 5 * time.Second  // a cancellation is sent again
	limitGrace  = 10 * time.Second // a worker's own report of a passed time limit is awaited
	cancelGrace = 30 * time.Second // a worker's answer to a cancellation is awaited
	perBatch    = 500
)

// Rescue is started once. Its pass may also be called by tests.
type Rescue struct {
	cfg  Config
	loop *lifecycle.Loop

	healthySince time.Time // first pass without an error since the last one with
}

// New makes a Rescue. It fails on a configuration that a loop cannot run with.
func New(cfg Config) (*Rescue, error) {
	r := &Rescue{cfg: cfg}
	var err error
	r.loop, err = lifecycle.NewLoop(lifecycle.LoopConfig{
		Name: "rescue", Run: r.round, Every: every, MinBackoff: every, MaxBackoff: every, Logger: cfg.Logger,
	})
	if err != nil {
		return nil, fmt.Errorf("making the loop of the rescue: %w", err)
	}
	return r, nil
}

// Start begins to look every second.
func (r *Rescue) Start(ctx context.Context) error { return r.loop.Start(ctx) }

// Stop ends the looking.
func (r *Rescue) Stop(ctx context.Context) error { return r.loop.Stop(ctx) }

// Health tells how the looking fares.
func (r *Rescue) Health() []lifecycle.LoopHealth { return r.loop.Health() }

// round is one pass; the next one repeats what failed. That another server has taken
// partitions over is no failure of the loop, but after it, too, nodes must prove their
// silence anew.
func (r *Rescue) round(ctx context.Context) (time.Duration, error) {
	err := r.Pass(ctx)
	if err == nil {
		if r.healthySince.IsZero() {
			r.healthySince = r.cfg.Clock.Now()
		}
		return every, nil
	}
	r.healthySince = time.Time{}
	if deposed, ok := errors.AsType[*store.DeposedError](err); ok {
		r.cfg.Owner.Lost(deposed.Partitions...)
		return every, nil
	}
	return 0, err
}

// Pass looks once.
func (r *Rescue) Pass(ctx context.Context) error {
	owned := r.cfg.Owner.Partitions()
	if err := r.loseSilentNodes(ctx); err != nil {
		return err
	}
	now := r.cfg.Clock.Now()
	ends := map[int][]store.AttemptEnd{}
	for _, a := range r.cfg.Running.Snapshot() {
		if _, ok := owned[a.Partition]; !ok {
			continue
		}
		if end, over := r.judge(ctx, &a, now); over {
			ends[a.Partition] = append(ends[a.Partition], end)
		}
	}
	for partition, list := range ends {
		for len(list) > 0 {
			n := min(len(list), perBatch)
			failpoint.Here(failpoint.RescueJudged)
			if _, err := r.cfg.Ender.EndFenced(ctx, store.Fence{partition: owned[partition]}, list[:n]); err != nil {
				return err
			}
			list = list[n:]
		}
	}
	return nil
}

// judge decides on one running attempt; a cancellation is sent on the way.
func (r *Rescue) judge(ctx context.Context, a *models.Running, now time.Time) (store.AttemptEnd, bool) {
	t := &a.Task
	end := store.AttemptEnd{TaskID: t.ID, Attempt: t.Attempt, FinishedAt: now}
	resend := now.Sub(a.CancelledAt) >= resendAfter
	switch {
	case a.NodeGone:
		end.Outcome, end.Error = models.OutcomeLost, fmt.Sprintf("Node %s was lost while it ran this attempt.", t.NodeName)
		return end, true
	case t.CancelRequestedAt != nil:
		if now.Sub(*t.CancelRequestedAt) >= cancelGrace {
			end.Outcome = models.OutcomeCancelled
			end.Error = fmt.Sprintf("Node %s did not answer the cancellation within %s.", t.NodeName, cancelGrace)
			return end, true
		}
		if resend {
			r.cfg.Running.Cancel(ctx, t, causeOf(t))
		}
	case t.DeadlineAt != nil && now.After(*t.DeadlineAt):
		if now.Sub(*t.DeadlineAt) >= limitGrace {
			end.Outcome = models.OutcomeTimedOut
			end.Error = fmt.Sprintf("The time limit of %s passed and node %s did not end the attempt.", limitOf(t), t.NodeName)
			return end, true
		}
		if resend {
			r.cfg.Running.Cancel(ctx, t, wire.CauseTimeLimit)
		}
	}
	return store.AttemptEnd{}, false
}

func causeOf(t *models.Task) string {
	if t.Reason == models.ReasonReplaced {
		return wire.CauseReplaced
	}
	return wire.CauseCancelled
}

func limitOf(t *models.Task) time.Duration { return time.Duration(t.TimeoutMS) * time.Millisecond }

// loseSilentNodes declares nodes offline that were silent past their group's
// threshold. After an outage of the ledger, or at start, every node looks silent:
// so this server must have read the ledger well for that long as well.
func (r *Rescue) loseSilentNodes(ctx context.Context) error {
	groups := r.cfg.Running.Groups()
	if len(groups) == 0 {
		return nil
	}
	now := r.cfg.Clock.Now()
	silent, err := r.cfg.Ledger.SilentNodes(ctx, slices.Sorted(maps.Keys(groups)), now)
	if err != nil {
		return fmt.Errorf("looking for silent nodes: %w", err)
	}
	for i := range silent {
		g := groups[silent[i].GroupID]
		if r.healthySince.IsZero() || now.Sub(r.healthySince) < g.OfflineAfter() {
			continue
		}
		if err := r.lose(ctx, silent[i]); err != nil {
			return err
		}
	}
	return nil
}

// lose declares a node offline; its attempts are ended by the same pass, which
// sees the node gone, or by the next one.
func (r *Rescue) lose(ctx context.Context, n models.Node) error {
	changed, err := r.cfg.Ledger.LoseNode(ctx, n.ID, n.Incarnation)
	if err != nil {
		return fmt.Errorf("setting node %s offline: %w", n.Name, err)
	}
	if !changed {
		return nil
	}
	r.cfg.Logger.WarnContext(ctx, "node lost", "node", n.Name, "last_seen", n.LastSeenAt)
	n.State, n.ServerID = models.NodeOffline, ""
	r.cfg.Watcher.NodeChanged(ctx, n)
	return r.NodeGone(ctx, n, models.OutcomeLost)
}

// NodeGone ends the attempts of a process that is no more, at once and on
// whatever server: each end is guarded by the attempt. Outcome is LOST, or
// RELEASED when the process left in good order.
func (r *Rescue) NodeGone(ctx context.Context, n models.Node, outcome models.Outcome) error {
	tasks, err := r.cfg.Ledger.RunningTasks(ctx, []string{n.GroupID})
	if err != nil {
		return fmt.Errorf("reading the attempts of node %s: %w", n.Name, err)
	}
	now := r.cfg.Clock.Now()
	var ends []store.AttemptEnd
	for i := range tasks {
		t := &tasks[i]
		if t.NodeID == nil || *t.NodeID != n.ID || t.Incarnation != n.Incarnation {
			continue
		}
		ends = append(ends, store.AttemptEnd{
			TaskID: t.ID, Attempt: t.Attempt, Incarnation: n.Incarnation, Outcome: outcome, FinishedAt: now,
			Error: fmt.Sprintf("Node %s was lost while it ran this attempt.", n.Name),
		})
	}
	if len(ends) == 0 {
		return nil
	}
	_, errs, err := r.cfg.Ender.End(ctx, ends...)
	return errors.Join(append(errs, err)...)
}
