package graph

import (
	"context"
	"log/slog"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// Resolver is the root of all resolvers; it holds what they translate to.
type Resolver struct {
	services     Services
	installation Installation
	clock        clock.Clock
	log          *slog.Logger
	feeds        *feeds
}

var _ generated.ResolverRoot = (*Resolver)(nil)

// actor is the name under which a change is recorded.
func actor(ctx context.Context) string { return request.Caller(ctx).Name }

// loaders are those of the response under way.
func (r *Resolver) loaders(ctx context.Context) *loaders {
	s := scopeOf(ctx)
	if l := s.loaders.Load(); l != nil {
		return l
	}
	s.loaders.CompareAndSwap(nil, newLoaders(r.services, false))
	return s.loaders.Load()
}
