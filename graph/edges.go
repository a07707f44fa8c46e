package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/services/fleet"
)

// groupLoad reads what goes on in all groups at once, however many are shown.
func (r *Resolver) groupLoad(ctx context.Context, id string) (fleet.GroupLoad, error) {
	loads, err := r.loaders(ctx).groupLoads.Load(ctx, struct{}{})
	return loads[id], err
}

// node answers the node with this id; nil without an id and when it was removed.
func (r *Resolver) node(ctx context.Context, id *string) (*gqlmodel.Node, error) {
	if id == nil {
		return nil, nil //nolint:nilnil // absent is an answer: the schema says null
	}
	row, err := load(ctx, r.loaders(ctx).nodes, *id)
	return nodeOf(row), err
}

// task answers the task with this id; nil without an id and when it is no more.
func (r *Resolver) task(ctx context.Context, id *string) (*gqlmodel.Task, error) {
	if id == nil {
		return nil, nil //nolint:nilnil // absent is an answer: the schema says null
	}
	row, err := load(ctx, r.loaders(ctx).tasks, *id)
	return r.taskOf(row), err
}
