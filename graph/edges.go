package graph

import (
	"context"
	"fmt"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/load"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fleet"
)

// edge reads a row that must be there: the ledger deletes nothing that is still
// referred to.
func edge[V any](ctx context.Context, l *load.Loader[string, *V], what, id string) (*V, error) {
	row, found, err := l.Load(ctx, id)
	if err == nil && !found {
		err = fmt.Errorf("the ledger has no %s %s, although something refers to it", what, id)
	}
	return row, err
}

// ifSeen reads a row that need not be there: nil without an id, when there is none, and
// when it is of an app that the caller may not see.
func ifSeen[V any](ctx context.Context, l *load.Loader[string, *V], id *string, app func(*V) string) (*V, error) {
	if id == nil {
		return nil, nil //nolint:nilnil // absent is an answer: the schema says null
	}
	row, found, err := l.Load(ctx, *id)
	if !found || !sees(ctx, app(row)) {
		return nil, err
	}
	return row, err
}

func (r *Resolver) app(ctx context.Context, id string) (*gqlmodel.App, error) {
	if !sees(ctx, id) {
		return nil, unseen("app", id)
	}
	row, err := edge(ctx, r.loaders(ctx).apps, "app", id)
	return appOf(row), err
}

func (r *Resolver) group(ctx context.Context, id string) (*gqlmodel.NodeGroup, error) {
	row, err := edge(ctx, r.loaders(ctx).groups, "node group", id)
	if err == nil && !sees(ctx, row.AppID) {
		return nil, unseen("node group", id)
	}
	return groupOf(row), err
}

func (r *Resolver) job(ctx context.Context, id string) (*gqlmodel.Job, error) {
	row, err := edge(ctx, r.loaders(ctx).jobs, "job", id)
	if err == nil && !sees(ctx, row.AppID) {
		return nil, unseen("job", id)
	}
	return jobOf(row), err
}

// node answers the node with this id; nil without an id and when it was removed.
func (r *Resolver) node(ctx context.Context, id *string) (*gqlmodel.Node, error) {
	row, err := ifSeen(ctx, r.loaders(ctx).nodes, id, appOfNode)
	return nodeOf(row), err
}

// task answers the task with this id; nil without an id, when it is no more, and when it
// is of an app that the caller may not see.
func (r *Resolver) task(ctx context.Context, id *string) (*gqlmodel.Task, error) {
	row, err := ifSeen(ctx, r.loaders(ctx).tasks, id, appOfTask)
	return r.taskOf(row), err
}

// groupFlow reads how a group's line moves.
func (r *Resolver) groupFlow(ctx context.Context, id string) (models.GroupFlow, error) {
	flow, _, err := r.loaders(ctx).groupFlows.Load(ctx, id)
	return flow, err
}

// groupLoad reads what goes on in all groups at once, however many are shown.
func (r *Resolver) groupLoad(ctx context.Context, id string) (fleet.GroupLoad, error) {
	loads, _, err := r.loaders(ctx).groupLoads.Load(ctx, struct{}{})
	return loads[id], err
}
