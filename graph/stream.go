package graph

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/live"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/signal"
	"github.com/belfry-scheduler/belfry/services/task"
)

// stream sends a subscriber's changes until ctx ends. Its goroutine belongs to the
// operation: each send selects on ctx. When only the mark of a resync is to be
// sent, it goes with the first row of the list, which newest reads.
func stream[T, H, V any](ctx context.Context, sub *live.Subscriber[T, H], convert func(*T) V, newest func(context.Context) (*T, error)) <-chan V {
	out := make(chan V)
	s := scopeOf(ctx)
	go func() {
		defer close(out)
		defer sub.Close()
		for {
			changes, err := sub.Take(ctx)
			if err != nil {
				return
			}
			if len(changes.Rows) == 0 {
				row, err := newest(ctx)
				if err != nil || row == nil {
					continue // nothing to show is nothing to read again, and the next change is marked anew
				}
				changes.Rows = []*T{row}
			}
			if shared, ok := changes.Shared.(*loaders); ok {
				s.loaders.Store(shared)
			}
			if changes.Resync {
				s.resync.Store(true)
			}
			for _, row := range changes.Rows {
				select {
				case out <- convert(row):
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return out
}

// refused turns ErrFull into an error for people.
func refused(err error) error {
	if errors.Is(err, live.ErrFull) {
		return fault.New(fault.Unavailable, "This server has as many subscribers as it serves: try again, or at another server.")
	}
	return err
}

func (r *Resolver) taskChanged(ctx context.Context, f task.Filter) (<-chan *gqlmodel.Task, error) {
	sub, err := r.feeds.task.Subscribe(
		func(c signal.TaskChange) bool { return mayMatchTask(&f, &c) },
		func(t *models.Task) bool { return matchesTask(&f, t) },
	)
	if err != nil {
		return nil, refused(err)
	}
	return stream(ctx, sub, r.taskOf, func(ctx context.Context) (*models.Task, error) {
		rows, _, err := r.services.Tasks.Page(ctx, f, task.Page{First: 1})
		return first(rows), err
	}), nil
}

// asksFor says whether a filter asks for the parts of a task, or for this one although it is
// a part: lists show the whole otherwise.
func asksFor(f *task.Filter, id, parent string) bool {
	if f.ParentID != "" {
		return f.ParentID == parent
	}
	return parent == "" || f.NodeID != "" || f.Search != "" && strings.HasPrefix(id, strings.ToUpper(f.Search))
}

// mayMatchTask says by a hint whether a task could match.
func mayMatchTask(f *task.Filter, c *signal.TaskChange) bool {
	return asksFor(f, c.ID, c.Parent) &&
		(f.JobID == "" || f.JobID == c.JobID) &&
		(f.AppID == "" || f.AppID == c.AppID) &&
		(f.Within == nil || slices.Contains(f.Within, c.AppID)) &&
		(len(f.States) == 0 || slices.Contains(f.States, c.State)) &&
		(f.Trigger == 0 || f.Trigger == c.Trigger)
}

// matchesTask says whether a task matches, as the ledger would.
func matchesTask(f *task.Filter, t *models.Task) bool {
	return asksFor(f, t.ID, or(t.ParentID, "")) &&
		(f.JobID == "" || f.JobID == t.JobID) &&
		(f.AppID == "" || f.AppID == t.AppID) &&
		(f.Within == nil || slices.Contains(f.Within, t.AppID)) &&
		(f.GroupID == "" || f.GroupID == t.GroupID) &&
		(f.BackfillID == "" || f.BackfillID == or(t.BackfillID, "")) &&
		(f.NodeID == "" || f.NodeID == or(t.NodeID, "")) &&
		(len(f.States) == 0 || slices.Contains(f.States, t.State)) &&
		(f.Trigger == 0 || f.Trigger == t.Trigger) &&
		(f.From == nil || !t.ScheduledAt.Before(*f.From)) &&
		(f.To == nil || t.ScheduledAt.Before(*f.To)) &&
		(f.Search == "" || strings.HasPrefix(t.ID, strings.ToUpper(f.Search)) || or(t.UniqueKey, "") == f.Search)
}

func (r *Resolver) jobChanged(ctx context.Context, f job.Filter) (<-chan *gqlmodel.Job, error) {
	sub, err := r.feeds.job.Subscribe(
		func(c signal.JobChange) bool { return f.GroupID == "" || c.GroupID == "" || f.GroupID == c.GroupID },
		func(j *models.Job) bool { return matchesJob(&f, j) },
	)
	if err != nil {
		return nil, refused(err)
	}
	return stream(ctx, sub, jobOf, func(ctx context.Context) (*models.Job, error) {
		rows, _, err := r.services.Jobs.Page(ctx, f, job.ByName, job.Page{First: 1})
		return first(rows), err
	}), nil
}

// matchesJob says whether a job matches, as the ledger would; a deleted one does
// too, so that lists learn of it.
func matchesJob(f *job.Filter, j *models.Job) bool {
	search := strings.ToLower(f.Search)
	return (f.AppID == "" || f.AppID == j.AppID) &&
		(f.Within == nil || slices.Contains(f.Within, j.AppID)) &&
		(f.GroupID == "" || f.GroupID == j.GroupID) &&
		(f.Enabled == nil || *f.Enabled == j.Enabled) &&
		(f.Trigger == 0 || f.Trigger == j.TriggerKind) &&
		(search == "" || strings.Contains(strings.ToLower(j.Name), search) || strings.Contains(strings.ToLower(j.Handler), search))
}

func (r *Resolver) nodeChanged(ctx context.Context, group string) (<-chan *gqlmodel.Node, error) {
	sub, err := r.feeds.node.Subscribe(
		func(c signal.NodeChange) bool { return group == "" || group == c.GroupID },
		func(n *models.Node) bool { return (group == "" || group == n.GroupID) && sees(ctx, n.AppID) },
	)
	if err != nil {
		return nil, refused(err)
	}
	return stream(ctx, sub, nodeOf, func(ctx context.Context) (*models.Node, error) {
		rows, err := r.services.Fleet.Nodes(ctx, group)
		return first(seen(ctx, rows, appOfNode)), err
	}), nil
}

func (r *Resolver) overviewChanged(ctx context.Context) (<-chan *gqlmodel.Overview, error) {
	watcher, err := r.feeds.overview.Watch()
	if err != nil {
		return nil, refused(err)
	}
	out := make(chan *gqlmodel.Overview)
	s := scopeOf(ctx)
	go func() { // belongs to the operation and ends with ctx
		defer close(out)
		defer watcher.Close()
		for {
			value, shared, err := watcher.Take(ctx)
			if err != nil {
				return
			}
			if l, ok := shared.(*loaders); ok {
				s.loaders.Store(l)
			}
			if !seesAll(ctx) { // what changed is among it, or not
				s.loaders.Store(nil)
				if value, err = r.overview(ctx, within(ctx)); err != nil {
					continue
				}
			}
			select {
			case out <- value:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, nil
}

// first is the first row, nil without any.
func first[T any](rows []T) *T {
	if len(rows) == 0 {
		return nil
	}
	return &rows[0]
}
