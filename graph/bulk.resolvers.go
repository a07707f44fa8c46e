package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/bulk"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Refusals is the resolver for BulkOperation.refusals.
func (r *bulkOperationResolver) Refusals(ctx context.Context, obj *gqlmodel.BulkOperation, first *int) ([]*gqlmodel.BulkRefusal, error) {
	return r.bulkRefusals(ctx, obj.ID, first)
}

// Task is the resolver for BulkRefusal.task.
func (r *bulkRefusalResolver) Task(ctx context.Context, obj *gqlmodel.BulkRefusal) (*gqlmodel.Task, error) {
	return r.task(ctx, &obj.TaskID)
}

// CreateBulkOperation is the resolver for Mutation.createBulkOperation.
func (r *mutationResolver) CreateBulkOperation(ctx context.Context, input gqlmodel.CreateBulkOperationInput) (*gqlmodel.BulkOperationPayload, error) {
	wanted, err := r.bulkInput(ctx, &input)
	if err != nil {
		return bulkPayload(models.BulkOperation{})(inInput("tasks", err))
	}
	made, err := r.services.Bulks.Create(ctx, actor(ctx), wanted)
	return bulkPayload(made)(inInput("filter", err))
}

// CancelBulkOperation is the resolver for Mutation.cancelBulkOperation.
func (r *mutationResolver) CancelBulkOperation(ctx context.Context, id string) (*gqlmodel.BulkOperationPayload, error) {
	if err := r.ownBulk(ctx, id, models.RoleOperator); err != nil {
		return bulkPayload(models.BulkOperation{})(inArgument("id", err))
	}
	changed, err := r.services.Bulks.Cancel(ctx, actor(ctx), id)
	return bulkPayload(changed)(inArgument("id", err))
}

// BulkOperation is the resolver for Query.bulkOperation.
func (r *queryResolver) BulkOperation(ctx context.Context, id string) (*gqlmodel.BulkOperation, error) {
	row, err := r.services.Bulks.Bulk(ctx, id)
	if err == nil && !ownsBulk(ctx, &row) {
		return nil, nil
	}
	return found(bulkOf)(row, err)
}

// BulkOperations is the resolver for Query.bulkOperations.
func (r *queryResolver) BulkOperations(ctx context.Context, first *int, after *string) (*gqlmodel.BulkOperationConnection, error) {
	window, err := page.Read(bulkOrder, page.Args{First: first, After: after})
	if err != nil {
		return nil, err
	}
	rows, info, err := r.services.Bulks.Page(ctx, bulkOwner(ctx), bulk.Page(window))
	if err != nil {
		return nil, err
	}
	for i := range rows {
		r.loaders(ctx).bulkRefusals.expect(rows[i].ID)
	}
	return bulkConnection(rows, info), nil
}

// BulkPreview is the resolver for Query.bulkPreview.
func (r *queryResolver) BulkPreview(ctx context.Context, input gqlmodel.CreateBulkOperationInput) (*gqlmodel.BulkPreview, error) {
	wanted, err := r.bulkInput(ctx, &input)
	if err != nil {
		return nil, fault.Prefix("input", err)
	}
	shown, err := r.services.Bulks.Preview(ctx, wanted)
	if err != nil {
		return nil, err
	}
	return bulkPreviewOf(&shown), nil
}

// BulkOperationChanged is the resolver for Subscription.bulkOperationChanged.
func (r *subscriptionResolver) BulkOperationChanged(ctx context.Context, id string) (<-chan *gqlmodel.BulkOperation, error) {
	if err := r.ownBulk(ctx, id, models.RoleViewer); err != nil {
		return nil, err
	}
	return r.bulkChanged(ctx, id)
}

// BulkOperation answers the resolvers of BulkOperation.
func (r *Resolver) BulkOperation() generated.BulkOperationResolver { return &bulkOperationResolver{r} }

// BulkRefusal answers the resolvers of BulkRefusal.
func (r *Resolver) BulkRefusal() generated.BulkRefusalResolver { return &bulkRefusalResolver{r} }

type (
	bulkOperationResolver struct{ *Resolver }
	bulkRefusalResolver   struct{ *Resolver }
)
