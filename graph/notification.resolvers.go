package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
)

// ReplayNotification is the resolver for Mutation.replayNotification.
func (r *mutationResolver) ReplayNotification(ctx context.Context, id string) (*gqlmodel.NotificationPayload, error) {
	n, err := r.services.Book.Replay(ctx, actor(ctx), id)
	refused, err := inArgument("id", err)
	if err != nil || len(refused) > 0 {
		return &gqlmodel.NotificationPayload{UserErrors: refused}, err
	}
	return &gqlmodel.NotificationPayload{Notification: noteOf(&n), UserErrors: refused}, nil
}

// Channel is the resolver for Notification.channel.
func (r *notificationResolver) Channel(ctx context.Context, obj *gqlmodel.Notification) (*gqlmodel.AlertChannel, error) {
	row, _, err := r.loaders(ctx).channels.Load(ctx, obj.Row.ChannelID)
	return channelOf(row), err
}

// Subject is the resolver for Notification.subject.
func (r *notificationResolver) Subject(ctx context.Context, obj *gqlmodel.Notification) (string, error) {
	subject, _, err := r.rendered(ctx, obj.Row)
	return subject, err
}

// Body is the resolver for Notification.body.
func (r *notificationResolver) Body(ctx context.Context, obj *gqlmodel.Notification) (string, error) {
	_, body, err := r.rendered(ctx, obj.Row)
	return body, err
}

// Tries is the resolver for Notification.tries.
func (r *notificationResolver) Tries(ctx context.Context, obj *gqlmodel.Notification) ([]*gqlmodel.DeliveryTry, error) {
	rows, _, err := r.loaders(ctx).noteTries.Load(ctx, obj.ID)
	return each(rows, tryOf), err
}

// Notifications is the resolver for Query.notifications.
func (r *queryResolver) Notifications(ctx context.Context, first *int, after *string, filter *gqlmodel.NotificationFilter) (*gqlmodel.NotificationConnection, error) {
	return r.notePage(ctx, page.Args{First: first, After: after}, noteFilter(filter))
}

// Notification is the resolver for Query.notification.
func (r *queryResolver) Notification(ctx context.Context, id string) (*gqlmodel.Notification, error) {
	return found(noteOf)(r.services.Book.Notification(ctx, id))
}

// NotificationChanged is the resolver for Subscription.notificationChanged.
func (r *subscriptionResolver) NotificationChanged(ctx context.Context, filter *gqlmodel.NotificationFilter) (<-chan *gqlmodel.Notification, error) {
	return r.noteChanged(ctx, noteFilter(filter))
}

// Notification answers the resolvers of Notification.
func (r *Resolver) Notification() generated.NotificationResolver { return &notificationResolver{r} }

type notificationResolver struct{ *Resolver }
