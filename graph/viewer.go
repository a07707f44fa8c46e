package graph

import (
	"context"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// serverSilence is how long ago a server may last have been seen to count as
// alive.
const serverSilence = time.Minute

// viewerOf shows who asks; nil for nobody.
func viewerOf(p account.Principal) *gqlmodel.Viewer {
	if p.Role == 0 {
		return nil
	}
	return &gqlmodel.Viewer{
		Name: p.Name, IsToken: p.IsToken, Role: p.Role, Locale: text(p.Locale), TimeZone: text(p.TimeZone),
	}
}

// servers lists the servers that are alive with the partitions they own.
func (r *Resolver) servers(ctx context.Context) ([]*gqlmodel.Server, error) {
	rows, err := r.services.Counts.Servers(ctx, r.clock.Now().Add(-serverSilence))
	if err != nil {
		return nil, err
	}
	partitions, err := r.services.Counts.PartitionOwners(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b models.Server) int { return a.StartedAt.Compare(b.StartedAt) })
	return each(rows, func(s *models.Server) *gqlmodel.Server {
		owned := 0
		for _, p := range partitions {
			if p.OwnerID == s.ID {
				owned++
			}
		}
		return &gqlmodel.Server{
			ID: s.ID, Name: s.Name, Version: s.Version, StartedAt: s.StartedAt, LastSeenAt: s.LastSeenAt,
			Partitions: owned, ClockOffset: millis(s.ClockOffsetMS),
		}
	}), nil
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
