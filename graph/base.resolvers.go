package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// Servers is the resolver for Installation.servers.
func (r *installationResolver) Servers(ctx context.Context, _ *gqlmodel.Installation) ([]*gqlmodel.Server, error) {
	if !seesAll(ctx) {
		return []*gqlmodel.Server{}, nil
	}
	return r.servers(ctx)
}

// UpdateViewer is the resolver for Mutation.updateViewer.
func (r *mutationResolver) UpdateViewer(ctx context.Context, input gqlmodel.UpdateViewerInput) (*gqlmodel.ViewerPayload, error) {
	return r.updateViewer(ctx, input)
}

// Viewer is the resolver for Query.viewer.
func (r *queryResolver) Viewer(ctx context.Context) (*gqlmodel.Viewer, error) {
	return r.viewerOf(ctx, request.Caller(ctx)), nil
}

// Installation is the resolver for Query.installation.
func (r *queryResolver) Installation(context.Context) (*gqlmodel.Installation, error) {
	shown := &gqlmodel.Installation{
		Version: r.installation.Version, PublicURL: r.installation.PublicURL(), Embedded: r.installation.Embedded,
	}
	if r.installation.Demo != nil {
		shown.Demo = r.installation.Demo()
	}
	return shown, nil
}

// TaskChanged is the resolver for Subscription.taskChanged.
func (r *subscriptionResolver) TaskChanged(ctx context.Context, filter *gqlmodel.TaskFilter) (<-chan *gqlmodel.Task, error) {
	return r.taskChanged(ctx, taskFilter(ctx, filter))
}

// TaskLog is the resolver for Subscription.taskLog.
func (r *subscriptionResolver) TaskLog(ctx context.Context, task string, after *int64) (<-chan *gqlmodel.TaskLogLine, error) {
	return r.taskLog(ctx, task, or(after, 0))
}

// TaskLogParts is the resolver for Subscription.taskLogParts.
func (r *subscriptionResolver) TaskLogParts(ctx context.Context, task string, after *int64) (<-chan *gqlmodel.TaskLogPart, error) {
	return r.taskLogParts(ctx, task, or(after, 0))
}

// NodeChanged is the resolver for Subscription.nodeChanged.
func (r *subscriptionResolver) NodeChanged(ctx context.Context, group *string) (<-chan *gqlmodel.Node, error) {
	return r.nodeChanged(ctx, or(group, ""))
}

// JobChanged is the resolver for Subscription.jobChanged.
func (r *subscriptionResolver) JobChanged(ctx context.Context, filter *gqlmodel.JobFilter) (<-chan *gqlmodel.Job, error) {
	return r.jobChanged(ctx, jobFilter(ctx, filter))
}

// OverviewChanged is the resolver for Subscription.overviewChanged.
func (r *subscriptionResolver) OverviewChanged(ctx context.Context) (<-chan *gqlmodel.Overview, error) {
	return r.overviewChanged(ctx)
}

// Installation answers the resolvers of Installation.
func (r *Resolver) Installation() generated.InstallationResolver { return &installationResolver{r} }

// Mutation answers the resolvers of Mutation.
func (r *Resolver) Mutation() generated.MutationResolver { return &mutationResolver{r} }

// Query answers the resolvers of Query.
func (r *Resolver) Query() generated.QueryResolver { return &queryResolver{r} }

// Subscription answers the resolvers of Subscription.
func (r *Resolver) Subscription() generated.SubscriptionResolver { return &subscriptionResolver{r} }

type (
	installationResolver struct{ *Resolver }
	mutationResolver     struct{ *Resolver }
	queryResolver        struct{ *Resolver }
	subscriptionResolver struct{ *Resolver }
)
