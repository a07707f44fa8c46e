package limit

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// public are the root fields that anybody may ask: the console must learn that
// nobody is signed in.
var public = map[string]bool{"Query.viewer": true}

// Guard is the executor's extension that refuses operations.
type Guard struct {
	Bounds Bounds
	// Allow answers nil when the caller behind ctx may ask for a field with this rule;
	// id is what its argument leads to the app by, empty without one. Else
	// UNAUTHENTICATED, FORBIDDEN or, where the caller may not learn whether there is
	// such an id, NOT_FOUND.
	Allow func(ctx context.Context, rule Rule, id string) error
	// Role is the highest role that the caller behind ctx holds anywhere, by which the
	// largest cost goes; nil: Bounds hold for everybody.
	Role func(ctx context.Context) models.Role
	// Refused is why nothing at all may be answered; nil, or answering nil: nothing
	// stands against it.
	Refused func(ctx context.Context) error
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
} = Guard{}

// ExtensionName implements graphql.HandlerExtension.
func (Guard) ExtensionName() string { return "Guard" }

// Validate refuses a schema with a root field that has no rule.
func (g Guard) Validate(schema graphql.ExecutableSchema) error {
	if g.Allow == nil {
		return errors.New("limit.Guard needs Allow")
	}
	for _, root := range []*ast.Definition{schema.Schema().Query, schema.Schema().Mutation, schema.Schema().Subscription} {
		if root == nil {
			continue
		}
		for _, field := range root.Fields {
			if _, err := rule(root.Name, field); err != nil {
				return err
			}
		}
	}
	return nil
}

// MutateOperationContext implements graphql.OperationContextMutator: it refuses,
// or opens introspection to callers that are signed in.
func (g Guard) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	if g.Refused != nil {
		if err := g.Refused(ctx); err != nil {
			return refuse(err)
		}
	}
	if err := g.roles(ctx, op.Operation.SelectionSet, op.Variables); err != nil {
		return refuse(err)
	}
	if err := g.scopes(ctx, op.Operation.SelectionSet); err != nil {
		return refuse(err)
	}
	bounds, size := g.Bounds, Measure(op.Operation, op.Variables)
	if g.Role != nil {
		bounds = bounds.For(g.Role(ctx))
	}
	if err := bounds.Check(size); err != nil {
		return refuse(err)
	}
	op.Stats.SetExtension(costKey, Cost{Requested: size.Cost, Limit: bounds.Cost})
	op.DisableIntrospection = g.Allow(ctx, anybody, "") != nil
	return nil
}

// Cost is what an operation was reckoned to cost, as its first response says it: in values
// that it can read, page sizes multiplied.
type Cost struct {
	Requested int `json:"requested"`
	Limit     int `json:"limit"` // for this caller
}

const costKey = "cost"

// CostAsked answers what an operation that was let through was reckoned to cost.
func CostAsked(op *graphql.OperationContext) (Cost, bool) {
	cost, ok := op.Stats.GetExtension(costKey).(Cost)
	return cost, ok
}

func refuse(err error) *gqlerror.Error { return gqlerror.Wrap(err) }

// roles checks every root field, those within fragments too. Every fragment is
// looked at once: a text may spread them very often.
func (g Guard) roles(ctx context.Context, set ast.SelectionSet, variables map[string]any) error {
	seen := map[*ast.FragmentDefinition]bool{}
	var walk func(ast.SelectionSet) error
	walk = func(set ast.SelectionSet) error {
		for _, selection := range set {
			var err error
			switch s := selection.(type) {
			case *ast.Field:
				err = g.field(ctx, s, variables)
			case *ast.InlineFragment:
				err = walk(s.SelectionSet)
			case *ast.FragmentSpread:
				if s.Definition != nil && !seen[s.Definition] {
					seen[s.Definition] = true
					err = walk(s.Definition.SelectionSet)
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return walk(set)
}

func (g Guard) field(ctx context.Context, f *ast.Field, variables map[string]any) error {
	switch f.Name {
	case "__typename":
		return nil
	case "__schema", "__type":
		return g.Allow(ctx, anybody, "")
	}
	if f.Definition == nil || f.ObjectDefinition == nil {
		return fault.New(fault.Forbidden, "%s has no rule that says who may ask for it.", f.Name)
	}
	r, err := rule(f.ObjectDefinition.Name, f.Definition)
	if err != nil || r.AtLeast == 0 {
		return err
	}
	return g.Allow(ctx, r, argument(f.ArgumentMap(variables), r.At))
}

// scopes checks what is read below the root fields: it may belong to other areas.
func (g Guard) scopes(ctx context.Context, set ast.SelectionSet) error {
	areas, err := nested(set)
	if err != nil {
		return err
	}
	for _, area := range slices.Sorted(maps.Keys(areas)) {
		if err := g.Allow(ctx, Rule{AtLeast: models.RoleViewer, In: AnyApp, Scope: area.Read()}, ""); err != nil {
			return err
		}
	}
	return nil
}
