package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
)

// Revisions is the resolver for Job.revisions.
func (r *jobResolver) Revisions(ctx context.Context, obj *gqlmodel.Job, first *int, after *string) (*gqlmodel.JobRevisionConnection, error) {
	window, err := page.Read(revisionOrder, page.Args{First: first, After: after})
	if err != nil {
		return nil, err
	}
	if window.After == "" && window.Last == 0 && window.Before == "" { // as most ask; many jobs are read together
		rows, err := r.loaders(ctx).revisions.load(ctx, obj.ID, window.First)
		if err != nil {
			return nil, err
		}
		return revisionConnection(rows[:min(len(rows), window.First)], job.PageInfo{HasNext: len(rows) > window.First}), nil
	}
	rows, info, err := r.services.Jobs.Revisions(ctx, obj.ID, job.Page(window))
	if err != nil {
		return nil, err
	}
	return revisionConnection(rows, info), nil
}

// Revision is the resolver for Job.revision.
func (r *jobResolver) Revision(ctx context.Context, obj *gqlmodel.Job, number int) (*gqlmodel.JobRevision, error) {
	row, err := r.services.Jobs.Revision(ctx, obj.ID, number)
	if row == nil || err != nil {
		return nil, err
	}
	return revisionOf(row), nil
}

// RollBackChanges is the resolver for JobRevision.rollBackChanges.
func (r *jobRevisionResolver) RollBackChanges(ctx context.Context, obj *gqlmodel.JobRevision) ([]*gqlmodel.JobFieldChange, error) {
	row, err := edge(ctx, r.loaders(ctx).jobs, "job", obj.Row.JobID)
	if err != nil {
		return nil, err
	}
	var upstream []models.Dependency
	if row.TriggerKind == models.TriggerDependency {
		if upstream, _, err = r.loaders(ctx).upstream.Load(ctx, obj.Row.JobID); err != nil {
			return nil, err
		}
	}
	changes, err := job.RollBackChanges(row, upstream, obj.Row)
	return each(changes, fieldChangeOf), err
}

// JobRevision answers the resolvers of JobRevision.
func (r *Resolver) JobRevision() generated.JobRevisionResolver { return &jobRevisionResolver{r} }

type jobRevisionResolver struct{ *Resolver }
