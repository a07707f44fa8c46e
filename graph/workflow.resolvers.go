package graph

import (
	"context"
	"slices"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/models"
)

// Job is the resolver for Arrival.job.
func (r *arrivalResolver) Job(ctx context.Context, obj *gqlmodel.Arrival) (*gqlmodel.Job, error) {
	return r.job(ctx, obj.JobID)
}

// Task is the resolver for Arrival.task.
func (r *arrivalResolver) Task(ctx context.Context, obj *gqlmodel.Arrival) (*gqlmodel.Task, error) {
	return r.task(ctx, &obj.TaskID)
}

// Downstream is the resolver for Job.downstream.
func (r *jobResolver) Downstream(ctx context.Context, obj *gqlmodel.Job, first *int) ([]*gqlmodel.Job, error) {
	n, err := page.Size("first", first, page.MaxSize, page.MaxSize)
	if err != nil {
		return nil, err
	}
	jobs, err := r.loaders(ctx).downstream.load(ctx, obj.ID, n)
	return each(seen(ctx, slices.Clone(jobs), appOfJob), jobOf), err
}

// Joins is the resolver for Job.joins.
func (r *jobResolver) Joins(ctx context.Context, obj *gqlmodel.Job, first *int) ([]*gqlmodel.Join, error) {
	n, err := page.Size("first", first, page.DefaultSize, page.MaxSize)
	if err != nil {
		return nil, err
	}
	joins, err := r.loaders(ctx).joins.load(ctx, obj.ID, n)
	if err != nil {
		return nil, err
	}
	shown := make([]*gqlmodel.Join, len(joins))
	for i := range joins {
		if shown[i], err = r.seenJoin(ctx, &joins[i]); err != nil {
			return nil, err
		}
	}
	return shown, nil
}

// Missing is the resolver for Join.missing.
func (r *joinResolver) Missing(ctx context.Context, obj *gqlmodel.Join) ([]*gqlmodel.Job, error) {
	jobs := make([]*gqlmodel.Job, len(obj.MissingIDs))
	for i, id := range obj.MissingIDs {
		job, err := r.job(ctx, id)
		if err != nil {
			return nil, err
		}
		jobs[i] = job
	}
	return jobs, nil
}

// Task is the resolver for Join.task.
func (r *joinResolver) Task(ctx context.Context, obj *gqlmodel.Join) (*gqlmodel.Task, error) {
	return r.task(ctx, obj.TaskID)
}

// Upstream is the resolver for Task.upstream.
func (r *taskResolver) Upstream(ctx context.Context, obj *gqlmodel.Task) ([]*gqlmodel.Task, error) {
	tasks, _, err := r.loaders(ctx).taskUpstream.Load(ctx, obj.ID)
	return each(seen(ctx, slices.Clone(tasks), appOfTask), r.taskOf), err
}

// Downstream is the resolver for Task.downstream.
func (r *taskResolver) Downstream(ctx context.Context, obj *gqlmodel.Task, first *int) ([]*gqlmodel.Task, error) {
	n, err := page.Size("first", first, page.DefaultSize, page.MaxSize)
	if err != nil {
		return nil, err
	}
	tasks, err := r.loaders(ctx).taskDownstream.load(ctx, obj.ID, n)
	return each(seen(ctx, slices.Clone(tasks), appOfTask), r.taskOf), err
}

// Upstream is the resolver for Trigger.upstream.
func (r *triggerResolver) Upstream(ctx context.Context, obj *gqlmodel.Trigger) ([]*gqlmodel.Upstream, error) {
	if obj.Row.TriggerKind != models.TriggerDependency {
		return nil, nil //nolint:nilnil // absent is an answer: the schema says null
	}
	upstream, _, err := r.loaders(ctx).upstream.Load(ctx, obj.Row.ID)
	if err == nil && !seesAll(ctx) {
		upstream, err = r.seenUpstream(ctx, upstream)
	}
	return each(upstream, upstreamOf), err
}

// Job is the resolver for Upstream.job.
func (r *upstreamResolver) Job(ctx context.Context, obj *gqlmodel.Upstream) (*gqlmodel.Job, error) {
	return r.job(ctx, obj.JobID)
}

// Arrival answers the resolvers of Arrival.
func (r *Resolver) Arrival() generated.ArrivalResolver { return &arrivalResolver{r} }

// Join answers the resolvers of Join.
func (r *Resolver) Join() generated.JoinResolver { return &joinResolver{r} }

// Upstream answers the resolvers of Upstream.
func (r *Resolver) Upstream() generated.UpstreamResolver { return &upstreamResolver{r} }

type (
	arrivalResolver  struct{ *Resolver }
	joinResolver     struct{ *Resolver }
	upstreamResolver struct{ *Resolver }
)
