package graph

import (
	"context"
	"encoding/json"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/services/alert/channel"
)

// Settings is the resolver for AlertChannel.settings.
func (r *alertChannelResolver) Settings(ctx context.Context, obj *gqlmodel.AlertChannel) (json.RawMessage, error) {
	return json.Marshal(r.services.Book.Shown(ctx, obj.Row))
}

// Queued is the resolver for AlertChannel.queued.
func (r *alertChannelResolver) Queued(ctx context.Context, obj *gqlmodel.AlertChannel) (int64, error) {
	n, _, err := r.loaders(ctx).channelQueues.Load(ctx, obj.ID)
	return int64(n), err
}

// CreateAlertChannel is the resolver for Mutation.createAlertChannel.
func (r *mutationResolver) CreateAlertChannel(ctx context.Context, input gqlmodel.AlertChannelInput) (*gqlmodel.AlertChannelPayload, error) {
	in, err := channelInput(&input)
	if err != nil {
		return channelPayload(nil)(inInput("kind", err))
	}
	made, err := r.services.Book.Create(ctx, actor(ctx), in)
	return channelPayload(&made)(inInput("name", err))
}

// UpdateAlertChannel is the resolver for Mutation.updateAlertChannel.
func (r *mutationResolver) UpdateAlertChannel(ctx context.Context, id string, input gqlmodel.AlertChannelInput) (*gqlmodel.AlertChannelPayload, error) {
	in, err := channelInput(&input)
	if err != nil {
		return channelPayload(nil)(inInput("kind", err))
	}
	saved, err := r.services.Book.Update(ctx, actor(ctx), id, in)
	return channelPayload(&saved)(inInput("id", err))
}

// DeleteAlertChannel is the resolver for Mutation.deleteAlertChannel.
func (r *mutationResolver) DeleteAlertChannel(ctx context.Context, id string) (*gqlmodel.AlertChannelPayload, error) {
	gone, err := r.services.Book.Delete(ctx, actor(ctx), id)
	return channelPayload(&gone)(inArgument("id", err))
}

// EnableAlertChannel is the resolver for Mutation.enableAlertChannel.
func (r *mutationResolver) EnableAlertChannel(ctx context.Context, id string) (*gqlmodel.AlertChannelPayload, error) {
	saved, err := r.services.Book.SetEnabled(ctx, actor(ctx), id, true)
	return channelPayload(&saved)(inArgument("id", err))
}

// DisableAlertChannel is the resolver for Mutation.disableAlertChannel.
func (r *mutationResolver) DisableAlertChannel(ctx context.Context, id string) (*gqlmodel.AlertChannelPayload, error) {
	saved, err := r.services.Book.SetEnabled(ctx, actor(ctx), id, false)
	return channelPayload(&saved)(inArgument("id", err))
}

// TestAlertChannel is the resolver for Mutation.testAlertChannel.
func (r *mutationResolver) TestAlertChannel(ctx context.Context, id string) (*gqlmodel.ChannelTestPayload, error) {
	got, err := r.services.Book.Test(ctx, actor(ctx), id)
	refused, err := inArgument("id", err)
	return &gqlmodel.ChannelTestPayload{
		Ok: got.OK, Status: positive(got.Status), Response: text(got.Response), Error: text(got.Error), Duration: got.Duration, UserErrors: refused,
	}, err
}

// UpdateContacts is the resolver for Mutation.updateContacts.
func (r *mutationResolver) UpdateContacts(ctx context.Context, input gqlmodel.UpdateContactsInput) (*gqlmodel.PersonPayload, error) {
	return r.updateContacts(ctx, &input)
}

// AlertChannels is the resolver for Query.alertChannels.
func (r *queryResolver) AlertChannels(ctx context.Context) ([]*gqlmodel.AlertChannel, error) {
	rows, err := r.services.Book.Channels(ctx)
	r.loaders(ctx).seeChannels(pointers(rows))
	return each(rows, channelOf), err
}

// AlertChannel is the resolver for Query.alertChannel.
func (r *queryResolver) AlertChannel(ctx context.Context, id string) (*gqlmodel.AlertChannel, error) {
	return found(channelOf)(r.services.Book.Channel(ctx, id))
}

// ChannelKinds is the resolver for Query.channelKinds.
func (r *queryResolver) ChannelKinds(context.Context) ([]*gqlmodel.ChannelKindInfo, error) {
	var all []*gqlmodel.ChannelKindInfo
	for _, k := range channel.Infos() {
		all = append(all, &gqlmodel.ChannelKindInfo{
			Kind: k.Kind, PerMinute: k.PerMinute, Burst: k.Burst, SizeLimit: k.SizeLimit, SizeUnit: k.SizeUnit.String(), Note: k.Note,
		})
	}
	return all, nil
}

// MessagePreview is the resolver for Query.messagePreview.
func (r *queryResolver) MessagePreview(ctx context.Context, input gqlmodel.MessagePreviewInput) (*gqlmodel.MessagePreview, error) {
	return r.messagePreview(ctx, &input)
}

// People is the resolver for Query.people.
func (r *queryResolver) People(ctx context.Context) ([]*gqlmodel.Person, error) {
	rows, err := r.services.Book.People(ctx)
	return each(rows, personOf), err
}

// AlertChannel answers the resolvers of AlertChannel.
func (r *Resolver) AlertChannel() generated.AlertChannelResolver { return &alertChannelResolver{r} }

type alertChannelResolver struct{ *Resolver }
