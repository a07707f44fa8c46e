package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/task"
)

// Job is the resolver for Backfill.job.
func (r *backfillResolver) Job(ctx context.Context, obj *gqlmodel.Backfill) (*gqlmodel.Job, error) {
	return r.job(ctx, obj.Row.JobID)
}

// Tasks is the resolver for Backfill.tasks.
func (r *backfillResolver) Tasks(ctx context.Context, obj *gqlmodel.Backfill, first *int, after *string) (*gqlmodel.TaskConnection, error) {
	return r.taskPage(ctx, page.Args{First: first, After: after}, task.Filter{BackfillID: obj.ID})
}

// CreateBackfill is the resolver for Mutation.createBackfill.
func (r *mutationResolver) CreateBackfill(ctx context.Context, input gqlmodel.CreateBackfillInput) (*gqlmodel.BackfillPayload, error) {
	made, err := r.services.Backfills.Create(ctx, actor(ctx), backfillInput(input))
	return backfillPayload(made)(inInput("job", err))
}

// PauseBackfill is the resolver for Mutation.pauseBackfill.
func (r *mutationResolver) PauseBackfill(ctx context.Context, id string) (*gqlmodel.BackfillPayload, error) {
	changed, err := r.services.Backfills.Pause(ctx, actor(ctx), id)
	return backfillPayload(changed)(inArgument("id", err))
}

// ResumeBackfill is the resolver for Mutation.resumeBackfill.
func (r *mutationResolver) ResumeBackfill(ctx context.Context, id string) (*gqlmodel.BackfillPayload, error) {
	changed, err := r.services.Backfills.Resume(ctx, actor(ctx), id)
	return backfillPayload(changed)(inArgument("id", err))
}

// CancelBackfill is the resolver for Mutation.cancelBackfill.
func (r *mutationResolver) CancelBackfill(ctx context.Context, id string, reason *string) (*gqlmodel.BackfillPayload, error) {
	changed, err := r.services.Backfills.Cancel(ctx, actor(ctx), id, or(reason, ""))
	return backfillPayload(changed)(inArgument("id", err))
}

// Backfill is the resolver for Query.backfill.
func (r *queryResolver) Backfill(ctx context.Context, id string) (*gqlmodel.Backfill, error) {
	return found(backfillOf)(r.services.Backfills.Backfill(ctx, id))
}

// Backfills is the resolver for Query.backfills.
func (r *queryResolver) Backfills(ctx context.Context, job *string, first *int, after *string) (*gqlmodel.BackfillConnection, error) {
	window, err := page.Read(backfillOrder, page.Args{First: first, After: after})
	if err != nil {
		return nil, err
	}
	rows, info, err := r.services.Backfills.Page(ctx, or(job, ""), task.Page(window))
	if err != nil {
		return nil, err
	}
	r.loaders(ctx).seeBackfills(pointers(rows))
	return backfillConnection(rows, info), nil
}

// BackfillPreview is the resolver for Query.backfillPreview.
func (r *queryResolver) BackfillPreview(ctx context.Context, input gqlmodel.CreateBackfillInput) (*gqlmodel.BackfillPreview, error) {
	shown, err := r.services.Backfills.Preview(ctx, backfillInput(input))
	if err != nil {
		return nil, fault.Prefix("input", err)
	}
	return backfillPreviewOf(&shown), nil
}

// BackfillChanged is the resolver for Subscription.backfillChanged.
func (r *subscriptionResolver) BackfillChanged(ctx context.Context, id string) (<-chan *gqlmodel.Backfill, error) {
	return r.backfillChanged(ctx, id)
}

// Backfill answers the resolvers of Backfill.
func (r *Resolver) Backfill() generated.BackfillResolver { return &backfillResolver{r} }

type backfillResolver struct{ *Resolver }
