package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

func (r *Resolver) updateViewer(ctx context.Context, in gqlmodel.UpdateViewerInput) (*gqlmodel.ViewerPayload, error) {
	after, err := r.services.Accounts.UpdateViewer(ctx, request.Caller(ctx), account.ViewerUpdate{
		Locale: in.Locale.Value(), TimeZone: in.TimeZone.Value(),
		CurrentPassword: in.CurrentPassword.Value(), NewPassword: in.NewPassword.Value(),
	}, request.Address(ctx))
	refused, err := inInput("id", err)
	if err != nil || len(refused) > 0 {
		return &gqlmodel.ViewerPayload{UserErrors: refused}, err
	}
	return &gqlmodel.ViewerPayload{Viewer: r.viewerOf(ctx, after), UserErrors: refused}, nil
}
