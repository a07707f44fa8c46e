package fleet

import (
	"context"

	"github.com/belfry-scheduler/belfry/models"
)

// Node answers one node. Fault: NOT_FOUND.
func (s *Service) Node(ctx context.Context, id string) (models.Node, error) {
	return s.store.Node(ctx, id)
}

// Nodes answers the nodes of one group, or of all for an empty id: online ones
// first, then by name; at most 1,000.
func (s *Service) Nodes(ctx context.Context, groupID string) ([]models.Node, error) {
	return s.store.Nodes(ctx, groupID)
}

// NodesByIDs answers the nodes that exist among ids, in no order.
func (s *Service) NodesByIDs(ctx context.Context, ids []string) ([]models.Node, error) {
	return s.store.NodesByIDs(ctx, ids)
}

// NodesOfGroups answers the nodes of each of these groups by name.
func (s *Service) NodesOfGroups(ctx context.Context, groupIDs []string) (map[string][]models.Node, error) {
	nodes, err := s.store.NodesOfGroups(ctx, groupIDs)
	if err != nil {
		return nil, err
	}
	byGroup := make(map[string][]models.Node, len(groupIDs))
	for _, n := range nodes {
		byGroup[n.GroupID] = append(byGroup[n.GroupID], n)
	}
	return byGroup, nil
}

// HandlersRunning counts the attempts that run on each of these nodes, by the names of
// their handlers; a node on which none runs is left out.
func (s *Service) HandlersRunning(ctx context.Context, nodes []models.Node) (map[string]map[string]int, error) {
	return s.store.HandlersRunning(ctx, nodes)
}

// DrainNode orders that a node is sent nothing new; what runs goes on. Faults:
// NOT_FOUND.
func (s *Service) DrainNode(ctx context.Context, actor, id string) (models.Node, error) {
	return s.setDraining(ctx, actor, id, true, "node.drain")
}

// ResumeNode takes the order to drain back. Fault: NOT_FOUND.
func (s *Service) ResumeNode(ctx context.Context, actor, id string) (models.Node, error) {
	return s.setDraining(ctx, actor, id, false, "node.resume")
}

func (s *Service) setDraining(ctx context.Context, actor, id string, draining bool, action string) (models.Node, error) {
	n, err := s.store.SetDraining(ctx, id, draining, audit(s.clock.Now(), actor, action, "node", id, nil))
	if err != nil {
		return models.Node{}, err
	}
	s.notify.NodeChanged(ctx, n.ID, n.GroupID)
	return n, nil
}

// RemoveNode forgets an offline node. Faults: NOT_FOUND, CONFLICT while it is not
// offline.
func (s *Service) RemoveNode(ctx context.Context, actor, id string) (models.Node, error) {
	n, err := s.store.RemoveNode(ctx, id, audit(s.clock.Now(), actor, "node.remove", "node", id, nil))
	if err != nil {
		return models.Node{}, err
	}
	s.notify.NodeChanged(ctx, n.ID, n.GroupID)
	return n, nil
}
