package simulation

import (
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// ledger is one server's way to the database: it ends with the server, stands still
// with it, and may lose the answer to a commit.
type ledger struct {
	*store.Store
	s *server
}

// through does a call of a server.
func through[T any](l *ledger, writes bool, call func() (T, error)) (T, error) {
	var zero T
	if err := l.s.life.pass(); err != nil {
		return zero, err
	}
	late := false
	if writes {
		var dies bool
		if dies, late = l.s.dies(); dies && !late {
			return zero, errDead
		}
	}
	v, err := call()
	if late {
		l.s.life.die()
	}
	if dead := l.s.life.pass(); dead != nil {
		return zero, dead // what was written stands
	}
	if err == nil && writes && l.s.w.chance(l.s.w.rates.Load().unknown) {
		return zero, store.ErrCommitUnknown
	}
	return v, err
}

// two makes one value of two.
type two[A, B any] struct {
	a A
	b B
}

func (l *ledger) RecordFires(ctx context.Context, f store.Fence, fires []store.Fires) ([]bool, error) {
	return through(l, true, func() ([]bool, error) { return l.Store.RecordFires(ctx, f, fires) })
}

func (l *ledger) DueJobs(ctx context.Context, partitions []int, before time.Time, limit int) ([]models.Job, error) {
	return through(l, false, func() ([]models.Job, error) { return l.Store.DueJobs(ctx, partitions, before, limit) })
}

func (l *ledger) DispatchTasks(ctx context.Context, f store.Fence, at time.Time, items []store.Dispatch, limits []store.JobLimit) ([]models.Task, []string, error) {
	v, err := through(l, true, func() (v two[[]models.Task, []string], err error) {
		v.a, v.b, err = l.Store.DispatchTasks(ctx, f, at, items, limits)
		return v, err
	})
	return v.a, v.b, err
}

func (l *ledger) QueuedTasks(ctx context.Context, group string, horizon time.Time, n int, except []string) ([]store.Queued, error) {
	return through(l, false, func() ([]store.Queued, error) { return l.Store.QueuedTasks(ctx, group, horizon, n, except) })
}

func (l *ledger) RunningTasks(ctx context.Context, groups []string) ([]models.Task, error) {
	return through(l, false, func() ([]models.Task, error) { return l.Store.RunningTasks(ctx, groups) })
}

func (l *ledger) AssignmentRows(ctx context.Context, ids []string) ([]models.Task, error) {
	return through(l, false, func() ([]models.Task, error) { return l.Store.AssignmentRows(ctx, ids) })
}

func (l *ledger) EndAttempts(ctx context.Context, f store.Fence, ends []store.AttemptEnd, decide func(*models.Task, *store.AttemptEnd) store.Decision) ([]store.EndResult, error) {
	return through(l, true, func() ([]store.EndResult, error) { return l.Store.EndAttempts(ctx, f, ends, decide) })
}

func (l *ledger) RecordProgress(ctx context.Context, items []store.AttemptProgress) ([]bool, error) {
	return through(l, true, func() ([]bool, error) { return l.Store.RecordProgress(ctx, items) })
}

func (l *ledger) RegisterNode(ctx context.Context, n models.Node) (models.Node, *models.Node, error) {
	v, err := through(l, true, func() (v two[models.Node, *models.Node], err error) {
		v.a, v.b, err = l.Store.RegisterNode(ctx, n)
		return v, err
	})
	return v.a, v.b, err
}

func (l *ledger) NodeByName(ctx context.Context, app, name string) (models.Node, error) {
	return through(l, false, func() (models.Node, error) { return l.Store.NodeByName(ctx, app, name) })
}

func (l *ledger) BeatNodes(ctx context.Context, beats []store.NodeBeat) error {
	_, err := through(l, true, func() (struct{}, error) { return struct{}{}, l.Store.BeatNodes(ctx, beats) })
	return err
}

func (l *ledger) SetNodeState(ctx context.Context, id, incarnation string, to models.NodeState, server string) (bool, error) {
	return through(l, true, func() (bool, error) { return l.Store.SetNodeState(ctx, id, incarnation, to, server) })
}

func (l *ledger) DropNodeStream(ctx context.Context, id, incarnation, server string) (bool, error) {
	return through(l, true, func() (bool, error) { return l.Store.DropNodeStream(ctx, id, incarnation, server) })
}

func (l *ledger) SilentNodes(ctx context.Context, groups []string, now time.Time) ([]models.Node, error) {
	return through(l, false, func() ([]models.Node, error) { return l.Store.SilentNodes(ctx, groups, now) })
}

func (l *ledger) TasksByIDs(ctx context.Context, ids []string) ([]models.Task, error) {
	return through(l, false, func() ([]models.Task, error) { return l.Store.TasksByIDs(ctx, ids) })
}
