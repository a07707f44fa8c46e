package graph

import (
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/models"
)

// CreateNodeGroup is the resolver for Mutation.createNodeGroup.
func (r *mutationResolver) CreateNodeGroup(ctx context.Context, input gqlmodel.CreateNodeGroupInput) (*gqlmodel.NodeGroupPayload, error) {
	group, err := r.services.Fleet.CreateGroup(ctx, actor(ctx), groupInput(input))
	return groupPayload(group)(inInput("app", err))
}

// UpdateNodeGroup is the resolver for Mutation.updateNodeGroup.
func (r *mutationResolver) UpdateNodeGroup(ctx context.Context, input gqlmodel.UpdateNodeGroupInput) (*gqlmodel.NodeGroupPayload, error) {
	group, err := r.services.Fleet.UpdateGroup(ctx, actor(ctx), groupUpdate(input))
	return groupPayload(group)(inInput("id", err))
}

// DeleteNodeGroup is the resolver for Mutation.deleteNodeGroup.
func (r *mutationResolver) DeleteNodeGroup(ctx context.Context, id string) (*gqlmodel.NodeGroupPayload, error) {
	group, err := r.services.Fleet.DeleteGroup(ctx, actor(ctx), id)
	return groupPayload(group)(inArgument("id", err))
}

// DrainNode is the resolver for Mutation.drainNode.
func (r *mutationResolver) DrainNode(ctx context.Context, id string) (*gqlmodel.NodePayload, error) {
	node, err := r.services.Fleet.DrainNode(ctx, actor(ctx), id)
	return nodePayload(node)(inArgument("id", err))
}

// ResumeNode is the resolver for Mutation.resumeNode.
func (r *mutationResolver) ResumeNode(ctx context.Context, id string) (*gqlmodel.NodePayload, error) {
	node, err := r.services.Fleet.ResumeNode(ctx, actor(ctx), id)
	return nodePayload(node)(inArgument("id", err))
}

// RemoveNode is the resolver for Mutation.removeNode.
func (r *mutationResolver) RemoveNode(ctx context.Context, id string) (*gqlmodel.NodePayload, error) {
	node, err := r.services.Fleet.RemoveNode(ctx, actor(ctx), id)
	return nodePayload(node)(inArgument("id", err))
}

// Group is the resolver for Node.group.
func (r *nodeResolver) Group(ctx context.Context, obj *gqlmodel.Node) (*gqlmodel.NodeGroup, error) {
	return r.group(ctx, obj.Row.GroupID)
}

// HandlerSlots is the resolver for Node.handlerSlots. What runs is only read for nodes
// that limit single handlers.
func (r *nodeResolver) HandlerSlots(ctx context.Context, obj *gqlmodel.Node) ([]*gqlmodel.HandlerSlots, error) {
	if len(obj.Row.HandlerSlots) == 0 {
		return []*gqlmodel.HandlerSlots{}, nil
	}
	running, _, err := r.loaders(ctx).handlersRunning.Load(ctx, obj.Row)
	if err != nil {
		return nil, err
	}
	return handlerSlotsOf(obj.Row, running), nil
}

// Task is the resolver for StuckAttempt.task.
func (r *stuckAttemptResolver) Task(ctx context.Context, obj *gqlmodel.StuckAttempt) (*gqlmodel.Task, error) {
	return r.task(ctx, &obj.TaskID)
}

// App is the resolver for NodeGroup.app.
func (r *nodeGroupResolver) App(ctx context.Context, obj *gqlmodel.NodeGroup) (*gqlmodel.App, error) {
	return r.app(ctx, obj.Row.AppID)
}

// Nodes is the resolver for NodeGroup.nodes.
func (r *nodeGroupResolver) Nodes(ctx context.Context, obj *gqlmodel.NodeGroup) ([]*gqlmodel.Node, error) {
	nodes, _, err := r.loaders(ctx).groupNodes.Load(ctx, obj.ID)
	return each(nodes, nodeOf), err
}

// JobCount is the resolver for NodeGroup.jobCount.
func (r *nodeGroupResolver) JobCount(ctx context.Context, obj *gqlmodel.NodeGroup) (int, error) {
	n, _, err := r.loaders(ctx).groupJobs.Load(ctx, obj.ID)
	return n, err
}

// Waiting is the resolver for NodeGroup.waiting.
func (r *nodeGroupResolver) Waiting(ctx context.Context, obj *gqlmodel.NodeGroup) (int64, error) {
	load, err := r.groupLoad(ctx, obj.ID)
	return load.Waiting, err
}

// Running is the resolver for NodeGroup.running.
func (r *nodeGroupResolver) Running(ctx context.Context, obj *gqlmodel.NodeGroup) (int64, error) {
	load, err := r.groupLoad(ctx, obj.ID)
	return load.Running, err
}

// Slots is the resolver for NodeGroup.slots.
func (r *nodeGroupResolver) Slots(ctx context.Context, obj *gqlmodel.NodeGroup) (int, error) {
	load, err := r.groupLoad(ctx, obj.ID)
	return load.Slots, err
}

// Due is the resolver for NodeGroup.due.
func (r *nodeGroupResolver) Due(ctx context.Context, obj *gqlmodel.NodeGroup) (int64, error) {
	flow, err := r.groupFlow(ctx, obj.ID)
	return flow.Due, err
}

// OldestDueAt is the resolver for NodeGroup.oldestDueAt.
func (r *nodeGroupResolver) OldestDueAt(ctx context.Context, obj *gqlmodel.NodeGroup) (*time.Time, error) {
	flow, err := r.groupFlow(ctx, obj.ID)
	return flow.OldestDueAt, err
}

// DrainsIn is the resolver for NodeGroup.drainsIn.
func (r *nodeGroupResolver) DrainsIn(ctx context.Context, obj *gqlmodel.NodeGroup) (*time.Duration, error) {
	flow, err := r.groupFlow(ctx, obj.ID)
	if err != nil || flow.DrainsInMS == nil && flow.Due > 0 {
		return nil, err
	}
	return new(millis(or(flow.DrainsInMS, 0))), nil
}

// DrainsNote is the resolver for NodeGroup.drainsNote.
func (r *nodeGroupResolver) DrainsNote(ctx context.Context, obj *gqlmodel.NodeGroup) (*string, error) {
	flow, err := r.groupFlow(ctx, obj.ID)
	return drainsNote(flow), err
}

// ReleasedLastSecond is the resolver for NodeGroup.releasedLastSecond.
func (r *nodeGroupResolver) ReleasedLastSecond(ctx context.Context, obj *gqlmodel.NodeGroup) (int, error) {
	flow, err := r.groupFlow(ctx, obj.ID)
	return flow.Released, err
}

// LimitedBy is the resolver for NodeGroup.limitedBy.
func (r *nodeGroupResolver) LimitedBy(ctx context.Context, obj *gqlmodel.NodeGroup) (*models.GroupLimit, error) {
	flow, err := r.groupFlow(ctx, obj.ID)
	if err != nil || flow.LimitedBy == 0 {
		return nil, err
	}
	return &flow.LimitedBy, nil
}

// NodeGroupChanged is the resolver for Subscription.nodeGroupChanged.
func (r *subscriptionResolver) NodeGroupChanged(ctx context.Context, app *string) (<-chan *gqlmodel.NodeGroup, error) {
	return r.nodeGroupChanged(ctx, or(app, ""))
}

// NodeGroups is the resolver for Query.nodeGroups.
func (r *queryResolver) NodeGroups(ctx context.Context, app *string) ([]*gqlmodel.NodeGroup, error) {
	groups, err := r.services.Fleet.Groups(ctx, or(app, ""))
	groups = seen(ctx, groups, appOfGroup)
	r.loaders(ctx).seeGroups(pointers(groups))
	return each(groups, groupOf), err
}

// NodeGroup is the resolver for Query.nodeGroup.
func (r *queryResolver) NodeGroup(ctx context.Context, id string) (*gqlmodel.NodeGroup, error) {
	return found(groupOf)(r.services.Fleet.Group(ctx, id))
}

// Nodes is the resolver for Query.nodes.
func (r *queryResolver) Nodes(ctx context.Context, group *string) ([]*gqlmodel.Node, error) {
	nodes, err := r.services.Fleet.Nodes(ctx, or(group, ""))
	nodes = seen(ctx, nodes, appOfNode)
	r.loaders(ctx).seeNodes(pointers(nodes))
	return each(nodes, nodeOf), err
}

// Node is the resolver for Query.node.
func (r *queryResolver) Node(ctx context.Context, id string) (*gqlmodel.Node, error) {
	return found(nodeOf)(r.services.Fleet.Node(ctx, id))
}

// Node answers the resolvers of Node.
func (r *Resolver) Node() generated.NodeResolver { return &nodeResolver{r} }

// StuckAttempt answers the resolvers of StuckAttempt.
func (r *Resolver) StuckAttempt() generated.StuckAttemptResolver { return &stuckAttemptResolver{r} }

// NodeGroup answers the resolvers of NodeGroup.
func (r *Resolver) NodeGroup() generated.NodeGroupResolver { return &nodeGroupResolver{r} }

type (
	nodeResolver         struct{ *Resolver }
	nodeGroupResolver    struct{ *Resolver }
	stuckAttemptResolver struct{ *Resolver }
)
