package relay

import (
	"context"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/signal"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Nodes is the registry's and the rescue's view of the relay, and Fleet the
// fleet's: both say NodeChanged, of a row and of an id.
type (
	// Nodes tells of nodes by their rows.
	Nodes struct{ *Relay }
	// Fleet tells of nodes that a person edited.
	Fleet struct{ *Relay }
)

// NodeChanged says that a node's row changed.
func (r Nodes) NodeChanged(ctx context.Context, n models.Node) { r.nodeChanged(ctx, n.ID, n.GroupID) }

func (r *Relay) nodeChanged(ctx context.Context, nodeID, groupID string) {
	r.parts.Dispatcher.GroupChanged(ctx, groupID)
	r.bus.Publish(ctx, signal.Of(signal.Nodes, nodeID, signal.NodeChange{From: r.serverID, NodeID: nodeID, GroupID: groupID}))
}

// NodeReplaced says that a process was replaced by a new one of the same name.
func (r Nodes) NodeReplaced(ctx context.Context, before models.Node) {
	r.warn(ctx, "ending the attempts of a replaced node", r.parts.Rescue.NodeGone(ctx, before, models.OutcomeLost))
}

// NodeLeft says that a process ended in good order.
func (r Nodes) NodeLeft(ctx context.Context, n models.Node) {
	r.warn(ctx, "ending the attempts of a leaving node", r.parts.Rescue.NodeGone(ctx, n, models.OutcomeReleased))
}

// maxHeld bounds what goes over the bus in one message; past it the owner waits
// for the node to hold less.
const maxHeld = 1000

// NodeHolds passes on which attempts a node really has, to the partition's owner.
func (r Nodes) NodeHolds(ctx context.Context, n models.Node, held []wire.AttemptRef) {
	owned, err := r.parts.Dispatcher.Holds(ctx, n, held)
	r.warn(ctx, "comparing held attempts", err)
	if !owned && len(held) <= maxHeld {
		r.bus.Publish(ctx, signal.Of(signal.Held, n.ID, signal.Holding{From: r.serverID, Node: n, Held: held}))
	}
}

// NodeChanged says that a person edited or removed a node.
func (r Fleet) NodeChanged(ctx context.Context, nodeID, groupID string) {
	r.edited(ctx, nodeID)
	r.nodeChanged(ctx, nodeID, groupID)
}

// edited passes a drain or its end on to the process, if it is connected here.
func (r *Relay) edited(ctx context.Context, nodeID string) {
	n, err := r.ledger.Node(ctx, nodeID)
	if err != nil {
		return // removed: its process will be told to register
	}
	r.parts.Registry.NodeEdited(n)
}
