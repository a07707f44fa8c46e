package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// viewerOf shows who asks; nil for nobody.
func viewerOf(p account.Principal) *gqlmodel.Viewer {
	if p.Role == 0 {
		return nil
	}
	return &gqlmodel.Viewer{
		Name: p.Name, IsToken: p.IsToken, Role: p.Role, Locale: text(p.Locale), TimeZone: text(p.TimeZone),
	}
}

func (r *Resolver) updateViewer(ctx context.Context, in gqlmodel.UpdateViewerInput) (*gqlmodel.ViewerPayload, error) {
	after, err := r.services.Accounts.UpdateViewer(ctx, request.Caller(ctx), account.ViewerUpdate{
		Locale: in.Locale.Value(), TimeZone: in.TimeZone.Value(),
		CurrentPassword: in.CurrentPassword.Value(), NewPassword: in.NewPassword.Value(),
	}, request.Address(ctx))
	refused, err := inInput("id", err)
	if err != nil || len(refused) > 0 {
		return &gqlmodel.ViewerPayload{UserErrors: refused}, err
	}
	return &gqlmodel.ViewerPayload{Viewer: viewerOf(after), UserErrors: refused}, nil
}
