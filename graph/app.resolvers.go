package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
)

// Keys is the resolver for App.keys.
func (r *appResolver) Keys(ctx context.Context, obj *gqlmodel.App) ([]*gqlmodel.AppKey, error) {
	keys, _, err := r.loaders(ctx).appKeys.Load(ctx, obj.ID)
	return each(keys, appKeyOf), err
}

// NodeGroups is the resolver for App.nodeGroups.
func (r *appResolver) NodeGroups(ctx context.Context, obj *gqlmodel.App) ([]*gqlmodel.NodeGroup, error) {
	groups, _, err := r.loaders(ctx).appGroups.Load(ctx, obj.ID)
	return each(groups, groupOf), err
}

// JobCount is the resolver for App.jobCount.
func (r *appResolver) JobCount(ctx context.Context, obj *gqlmodel.App) (int, error) {
	n, _, err := r.loaders(ctx).appJobs.Load(ctx, obj.ID)
	return n, err
}

// OnlineNodeCount is the resolver for App.onlineNodeCount.
func (r *appResolver) OnlineNodeCount(ctx context.Context, obj *gqlmodel.App) (int, error) {
	n, _, err := r.loaders(ctx).appOnline.Load(ctx, obj.ID)
	return n, err
}

// CreateApp is the resolver for Mutation.createApp.
func (r *mutationResolver) CreateApp(ctx context.Context, input gqlmodel.CreateAppInput) (*gqlmodel.CreateAppPayload, error) {
	app, key, err := r.services.Fleet.CreateApp(ctx, actor(ctx), input.Name, given(input.Description))
	refused, err := inInput("id", err)
	if err != nil || len(refused) > 0 {
		return &gqlmodel.CreateAppPayload{UserErrors: refused}, err
	}
	return &gqlmodel.CreateAppPayload{App: appOf(&app), Key: &key, UserErrors: refused}, nil
}

// UpdateApp is the resolver for Mutation.updateApp.
func (r *mutationResolver) UpdateApp(ctx context.Context, input gqlmodel.UpdateAppInput) (*gqlmodel.AppPayload, error) {
	description, set := input.Description.ValueOK()
	if set && description == nil {
		description = new("") // null sets the default
	}
	app, err := r.services.Fleet.UpdateApp(ctx, actor(ctx), input.ID, description)
	return appPayload(app)(inInput("id", err))
}

// DeleteApp is the resolver for Mutation.deleteApp.
func (r *mutationResolver) DeleteApp(ctx context.Context, id string) (*gqlmodel.AppPayload, error) {
	app, err := r.services.Fleet.DeleteApp(ctx, actor(ctx), id)
	return appPayload(app)(inArgument("id", err))
}

// CreateAppKey is the resolver for Mutation.createAppKey.
func (r *mutationResolver) CreateAppKey(ctx context.Context, app string) (*gqlmodel.CreateAppKeyPayload, error) {
	row, key, err := r.services.Fleet.CreateKey(ctx, actor(ctx), app)
	refused, err := inArgument("app", err)
	if err != nil || len(refused) > 0 {
		return &gqlmodel.CreateAppKeyPayload{UserErrors: refused}, err
	}
	return &gqlmodel.CreateAppKeyPayload{AppKey: appKeyOf(&row), Key: &key, UserErrors: refused}, nil
}

// RevokeAppKey is the resolver for Mutation.revokeAppKey.
func (r *mutationResolver) RevokeAppKey(ctx context.Context, id string) (*gqlmodel.AppKeyPayload, error) {
	key, err := r.services.Fleet.RevokeKey(ctx, actor(ctx), id)
	refused, err := inArgument("id", err)
	if err != nil || len(refused) > 0 {
		return &gqlmodel.AppKeyPayload{UserErrors: refused}, err
	}
	return &gqlmodel.AppKeyPayload{AppKey: appKeyOf(&key), UserErrors: refused}, nil
}

// App is the resolver for Query.app.
func (r *queryResolver) App(ctx context.Context, name string) (*gqlmodel.App, error) {
	return found(appOf)(r.services.Fleet.AppByName(ctx, name))
}

// Apps is the resolver for Query.apps.
func (r *queryResolver) Apps(ctx context.Context) ([]*gqlmodel.App, error) {
	apps, err := r.services.Fleet.Apps(ctx)
	apps = seen(ctx, apps, appID)
	r.loaders(ctx).seeApps(pointers(apps))
	return each(apps, appOf), err
}

// App answers the resolvers of App.
func (r *Resolver) App() generated.AppResolver { return &appResolver{r} }

type appResolver struct{ *Resolver }
