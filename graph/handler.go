package graph

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/limit"
	"github.com/belfry-scheduler/belfry/graph/transport"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// operationTimeout bounds a query or mutation.
const operationTimeout = 30 * time.Second

// Handler serves the API at one path: POST, event streams and WebSocket. Who asks
// is found in the request's context (package request).
type Handler struct {
	server  *handler.Server
	streams *transport.Streams
	feeds   *feeds
}

// New makes the API's handler. Start it before it is used.
func New(c Config) (*Handler, error) {
	if c.Logger == nil || c.Clock == nil || c.SignIn == nil {
		return nil, errors.New("graph needs a logger, a clock and a way to sign in")
	}
	r := &Resolver{services: c.Services, clock: c.Clock, installation: c.Installation, log: c.Logger}
	r.feeds = newFeeds(c.Services, func(ctx context.Context) (*gqlmodel.Overview, error) { return r.overview(ctx, nil) }, r.servers, c.Logger)
	h := &Handler{
		server:  handler.New(generated.NewExecutableSchema(generated.Config{Resolvers: r})),
		streams: transport.NewStreams(transport.Who{Caller: callerKey, Address: request.Address}),
		feeds:   r.feeds,
	}
	h.transports(c)
	h.extensions(r, c.Logger)
	return h, nil
}

func (h *Handler) transports(c Config) {
	recheck := patient(c.Logger, request.Recheck)
	h.server.AddTransport(transport.WebSocket{
		Streams: h.streams, SignIn: c.SignIn, Recheck: recheck, Logger: c.Logger, Pace: transport.Standard,
	})
	h.server.AddTransport(transport.SSE{Streams: h.streams, Recheck: recheck, Pace: transport.Standard})
	h.server.AddTransport(transport.POST{})
}

func (h *Handler) extensions(r *Resolver, log *slog.Logger) {
	h.server.SetErrorPresenter(presenter(log))
	h.server.SetRecoverFunc(recoverer(log))
	h.server.SetParserTokenLimit(limit.Standard.Tokens)
	h.server.SetDisableSuggestion(true)
	h.server.SetValidationRulesFn(limit.Rules)
	known := newQueryCache()
	h.server.SetQueryCache(known)
	h.server.Use(extension.AutomaticPersistedQuery{Cache: newTextCache()})
	h.server.Use(limit.TextGuard{Bounds: limit.Standard, Known: func(ctx context.Context, text string) bool {
		_, ok := known.Get(ctx, text)
		return ok
	}})
	h.server.Use(limit.Guard{Bounds: limit.Standard, Allow: r.allow, Role: highestRole, Refused: request.Refused})
	h.server.AroundOperations(r.aroundOperation)
	h.server.AroundRootFields(r.aroundRootField)
	h.server.AroundResponses(aroundResponse)
}

// patient lets a stream live on while it cannot be found out who asks: the
// database may be away for a moment. Only a definite no ends it.
func patient(log *slog.Logger, recheck transport.Recheck) transport.Recheck {
	return func(ctx context.Context) error {
		err := recheck(ctx)
		switch fault.CodeOf(err) {
		case "", fault.Unauthenticated, fault.Forbidden:
			return err
		default:
			log.WarnContext(ctx, "who listens could not be checked", "request_id", request.ID(ctx), "error", err)
			return nil
		}
	}
}

// Start begins to follow the bus for subscriptions.
func (h *Handler) Start(ctx context.Context) error { return h.feeds.Start(ctx) }

// Stop ends all streams and waits for them until ctx ends.
func (h *Handler) Stop(ctx context.Context) error {
	return errors.Join(h.streams.Stop(ctx), h.feeds.Stop(ctx))
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.server.ServeHTTP(w, r) }

// aroundOperation gives an operation its scope, and a query or mutation its time
// limit.
func (r *Resolver) aroundOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	ctx = context.WithValue(ctx, scopeKey{}, &scope{})
	if graphql.GetOperationContext(ctx).Operation.Operation == ast.Subscription {
		return next(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, operationTimeout)
	respond := next(ctx)
	return func(ctx context.Context) *graphql.Response {
		defer cancel()
		return respond(ctx)
	}
}

// aroundRootField gives each field of a mutation loaders of its own: the field
// before it may have changed what they hold.
func (r *Resolver) aroundRootField(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	if graphql.GetOperationContext(ctx).Operation.Operation == ast.Mutation {
		scopeOf(ctx).loaders.Store(nil)
	}
	return next(ctx)
}

// aroundResponse says in an operation's first response what it was reckoned to cost, and
// marks a response before which changes were lost.
func aroundResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	response := next(ctx)
	if response == nil {
		return nil
	}
	extensions := map[string]any{}
	if graphql.HasOperationContext(ctx) { // none when the request was refused before it was read
		if cost, ok := limit.CostAsked(graphql.GetOperationContext(ctx)); ok && !scopeOf(ctx).costTold.Swap(true) {
			extensions["cost"] = cost
		}
	}
	if scopeOf(ctx).resync.Swap(false) {
		extensions["resync"] = true
	}
	if len(extensions) > 0 {
		if response.Extensions == nil {
			response.Extensions = map[string]any{}
		}
		maps.Copy(response.Extensions, extensions)
	}
	return response
}

// highestRole is the highest role that the caller holds, in all apps or in one.
func highestRole(ctx context.Context) models.Role {
	caller := request.Caller(ctx)
	role := caller.Role
	for _, other := range caller.Apps {
		role = max(role, other)
	}
	return role
}

// callerKey tells callers apart: people and tokens.
func callerKey(ctx context.Context) string {
	switch p := request.Caller(ctx); {
	case p.UserID != "":
		return "user " + p.UserID
	case p.TokenID != "":
		return "token " + p.TokenID
	}
	return ""
}
