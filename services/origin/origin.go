// Package origin carries through a context where a change comes from, so that the ledger
// can write it into the audit trail whichever way the change takes.
package origin

import (
	"context"

	"github.com/belfry-scheduler/belfry/models"
)

// Origin is where a change comes from; the zero value is Belfry itself.
type Origin struct {
	Kind      models.AuthorKind // empty: Belfry itself
	Address   string            // IP address of the client; empty without one
	RequestID string            // by which its lines are found in the log; empty outside a request
	Agent     string            // family of the program, for example Firefox, curl or belfry token create
}

type key struct{}

// With puts an origin into a context.
func With(ctx context.Context, o Origin) context.Context { return context.WithValue(ctx, key{}, o) }

// Of is the origin in a context.
func Of(ctx context.Context) Origin {
	o, _ := ctx.Value(key{}).(Origin)
	return o
}

// WithKind says what kind of caller an origin turned out to be.
func WithKind(ctx context.Context, kind models.AuthorKind) context.Context {
	o := Of(ctx)
	o.Kind = kind
	return With(ctx, o)
}
