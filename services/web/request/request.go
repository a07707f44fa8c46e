// Package request carries through a request's context what the HTTP front has
// found out about it: its id, where it came from and who asks.
package request

import (
	"context"
	"crypto/rand"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/origin"
)

type (
	idKey      struct{}
	addressKey struct{}
	agentKey   struct{}
	callerKey  struct{}
)

// NewID makes the id of a request: 26 random characters.
func NewID() string { return rand.Text() }

// WithID puts a request's id into its context.
func WithID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, idKey{}, id)
}

// ID is the request's id, by which its lines are found in the log; empty outside
// a request.
func ID(ctx context.Context) string {
	id, _ := ctx.Value(idKey{}).(string)
	return id
}

// WithAddress puts the client's address into a request's context.
func WithAddress(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, addressKey{}, address)
}

// WithAgent puts what the client calls itself into a request's context.
func WithAgent(ctx context.Context, agent string) context.Context {
	return context.WithValue(ctx, agentKey{}, agent)
}

// Agent is what the client calls itself (User-Agent), as it was sent; empty outside a request.
func Agent(ctx context.Context) string {
	agent, _ := ctx.Value(agentKey{}).(string)
	return agent
}

// Address is the client's IP address; empty outside a request.
func Address(ctx context.Context) string {
	address, _ := ctx.Value(addressKey{}).(string)
	return address
}

// Again finds out anew who a credential belongs to.
type Again func(ctx context.Context) (account.Principal, error)

type caller struct {
	principal account.Principal
	again     Again
	refused   error
}

// WithCaller puts who asks into a request's context, with the way to find it out
// again.
func WithCaller(ctx context.Context, p account.Principal, again Again) context.Context {
	kind := models.AuthorPerson
	if p.IsToken {
		kind = models.AuthorToken
	}
	return context.WithValue(origin.WithKind(ctx, kind), callerKey{}, caller{principal: p, again: again})
}

// WithRefusal notes that the request's credentials are bad: nothing that it asks
// for may be answered, not even what anybody may know.
func WithRefusal(ctx context.Context, err error) context.Context {
	return context.WithValue(ctx, callerKey{}, caller{refused: err})
}

// Caller is who asks; the zero principal is nobody.
func Caller(ctx context.Context) account.Principal { return callerOf(ctx).principal }

// Refused is why nothing may be answered; nil otherwise.
func Refused(ctx context.Context) error { return callerOf(ctx).refused }

// Recheck answers nil while who asked may still ask the same: the session or
// token has not ended, and its roles are the same. Long answers call it from time to
// time. Faults: UNAUTHENTICATED, FORBIDDEN.
func Recheck(ctx context.Context) error {
	c := callerOf(ctx)
	if c.again == nil {
		return fault.New(fault.Unauthenticated, "Nobody is signed in; sign in or send an API token.")
	}
	now, err := c.again(ctx)
	if err != nil {
		return err
	}
	if !now.Same(&c.principal) {
		return fault.New(fault.Forbidden, "The roles of %q have changed; connect again.", now.Name)
	}
	return nil
}

func callerOf(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}
