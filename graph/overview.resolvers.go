package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
)

// Overview is the resolver for Query.overview.
func (r *queryResolver) Overview(ctx context.Context) (*gqlmodel.Overview, error) {
	return r.overview(ctx, within(ctx))
}
