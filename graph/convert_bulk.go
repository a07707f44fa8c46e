package graph

import (
	"context"
	"fmt"
	"slices"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/bulk"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/signal"
)

// bulkOrder is the name of the order of bulk operations in cursors; the key is the id.
const bulkOrder = "bulk"

// usualRefusals is how many refusals are answered when nothing is said.
const usualRefusals = 20

// bulkInput cuts what a filter means to the apps in which the caller may act, and refuses
// tasks of others that are named.
func (r *Resolver) bulkInput(ctx context.Context, in *gqlmodel.CreateBulkOperationInput) (bulk.Input, error) {
	wanted := bulk.Input{
		Kind: in.Kind, TaskIDs: in.Tasks.Value(), AsOf: in.AsOf.Value(), Parameters: raw(in.Parameters), Patch: raw(in.Patch),
		Reason: given(in.Reason), RequestID: given(in.RequestID),
	}
	if f := in.Filter.Value(); f != nil {
		wanted.Filter = new(taskFilter(ctx, f))
		wanted.Filter.Within = withRole(ctx, models.RoleOperator)
	}
	apps := withRole(ctx, models.RoleOperator)
	if apps == nil || len(wanted.TaskIDs) == 0 || len(wanted.TaskIDs) > bulk.MaxNamed {
		return wanted, nil
	}
	rows, err := r.services.Tasks.ByIDs(ctx, wanted.TaskIDs)
	if err != nil {
		return wanted, err
	}
	may := map[string]bool{}
	for i := range rows {
		may[rows[i].ID] = slices.Contains(apps, rows[i].AppID)
	}
	for i, id := range wanted.TaskIDs {
		if !may[id] {
			return wanted, fault.At(fmt.Sprintf("tasks.%d", i), fault.NotFound, "There is no task %s that you may act on.", check.Quote(id))
		}
	}
	return wanted, nil
}

// Bulk operations may touch many apps: who does not see all of them sees those that are
// their own.

// bulkOwner is whose bulk operations the caller sees; empty: everybody's.
func bulkOwner(ctx context.Context) string {
	if seesAll(ctx) {
		return ""
	}
	return actor(ctx)
}

func ownsBulk(ctx context.Context, b *models.BulkOperation) bool {
	owner := bulkOwner(ctx)
	return owner == "" || b.CreatedBy == owner
}

// ownBulk refuses another's bulk operation, as if there were none, to who does not hold a
// role in all apps.
func (r *Resolver) ownBulk(ctx context.Context, id string, atLeast models.Role) error {
	if withRole(ctx, atLeast) == nil {
		return nil
	}
	row, err := r.services.Bulks.Bulk(ctx, id)
	if err == nil && row.CreatedBy != actor(ctx) {
		err = unseen("bulk operation", id)
	}
	return err
}

func bulkOf(b *models.BulkOperation) *gqlmodel.BulkOperation {
	if b == nil {
		return nil
	}
	return &gqlmodel.BulkOperation{
		ID: b.ID, Kind: b.Kind, State: b.State, Total: b.Total, Done: b.Done, Refused: b.Refused, Progress: b.Progress(),
		Parameters: b.Parameters, Patch: b.Patch, Reason: b.Reason, Selection: b.Selection,
		CreatedBy: b.CreatedBy, CreatedAt: b.CreatedAt, FinishedAt: b.FinishedAt,
	}
}

func bulkConnection(rows []models.BulkOperation, info bulk.PageInfo) *gqlmodel.BulkOperationConnection {
	c := &gqlmodel.BulkOperationConnection{
		Edges: make([]*gqlmodel.BulkOperationEdge, len(rows)), Nodes: make([]*gqlmodel.BulkOperation, len(rows)),
		PageInfo: &gqlmodel.PageInfo{HasNextPage: info.HasNext, HasPreviousPage: info.HasPrevious},
	}
	for i := range rows {
		c.Nodes[i] = bulkOf(&rows[i])
		c.Edges[i] = &gqlmodel.BulkOperationEdge{Cursor: page.Cursor(bulkOrder, rows[i].ID), Node: c.Nodes[i]}
	}
	if len(c.Edges) > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[len(rows)-1].Cursor
	}
	return c
}

func bulkPreviewOf(p *bulk.Preview) *gqlmodel.BulkPreview {
	shown := &gqlmodel.BulkPreview{Total: int64(p.Total), More: p.More, AsOf: p.AsOf}
	if p.Err != nil {
		field := append([]string{"input"}, p.Err.Field...)
		shown.Error = &gqlmodel.UserError{Code: string(p.Err.Code), Field: field, Message: p.Err.Message}
	}
	return shown
}

// bulkPayload makes the answer of the mutations of bulk operations.
func bulkPayload(changed models.BulkOperation) func([]*gqlmodel.UserError, error) (*gqlmodel.BulkOperationPayload, error) {
	return func(refused []*gqlmodel.UserError, err error) (*gqlmodel.BulkOperationPayload, error) {
		if err != nil || len(refused) > 0 {
			return &gqlmodel.BulkOperationPayload{UserErrors: refused}, err
		}
		return &gqlmodel.BulkOperationPayload{BulkOperation: bulkOf(&changed), UserErrors: refused}, nil
	}
}

// bulkRefusals reads what an operation left as it is.
func (r *Resolver) bulkRefusals(ctx context.Context, id string, first *int) ([]*gqlmodel.BulkRefusal, error) {
	n := or(first, usualRefusals)
	if n < 1 || n > models.MaxBulkRefusals {
		return nil, fault.At("first", fault.Invalid, "first is %d; it must be 1 to %d.", n, models.MaxBulkRefusals)
	}
	rows, err := r.loaders(ctx).bulkRefusals.load(ctx, id, n)
	return each(rows, func(row *models.BulkRefusal) *gqlmodel.BulkRefusal {
		return &gqlmodel.BulkRefusal{TaskID: row.TaskID, Message: row.Message}
	}), err
}

func (r *Resolver) bulkChanged(ctx context.Context, id string) (<-chan *gqlmodel.BulkOperation, error) {
	sub, err := r.feeds.bulk.Subscribe(
		func(c signal.BulkChange) bool { return c.ID == id },
		func(b *models.BulkOperation) bool { return b.ID == id },
	)
	if err != nil {
		return nil, refused(err)
	}
	return stream(ctx, sub, bulkOf, func(ctx context.Context) (*models.BulkOperation, error) {
		rows, err := r.services.Bulks.ByIDs(ctx, []string{id})
		return first(rows), err
	}), nil
}
