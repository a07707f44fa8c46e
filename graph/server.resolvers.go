package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
)

// Servers is the resolver for Query.servers.
func (r *queryResolver) Servers(ctx context.Context) ([]*gqlmodel.Server, error) {
	return r.servers(ctx)
}

// ServerChanged is the resolver for Subscription.serverChanged.
func (r *subscriptionResolver) ServerChanged(ctx context.Context) (<-chan *gqlmodel.Server, error) {
	return r.serverChanged(ctx)
}
