package registry

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// known is what is remembered of a node. It never changes: another takes its place.
type known struct {
	node   models.Node
	group  models.NodeGroup
	readAt time.Time
}

// lookup answers the node of a request, from memory if it was read lately; with the
// refusal REPLACED too, whoever has its name by now.
func (r *Registry) lookup(ctx context.Context, app models.App, group, name, incarnation string) (models.Node, models.NodeGroup, error) {
	key := keyOf(app.ID, name)
	r.mu.Lock()
	k := r.known[key]
	if k != nil {
		r.asked[key] = struct{}{}
	}
	r.mu.Unlock()
	if k == nil || k.node.Incarnation != incarnation || r.cfg.Clock.Now().Sub(k.readAt) >= knownFor {
		fresh, err := r.read(ctx, app, group, name)
		if err != nil {
			return models.Node{}, models.NodeGroup{}, err
		}
		k = fresh
	}
	if k.node.Incarnation != incarnation {
		return k.node, k.group, refuse(wire.CodeReplaced, "incarnation",
			"A newer process of node %q has registered: this one must stop.", name)
	}
	return k.node, k.group, nil
}

// Node answers the node whose process sends a request, also when that process has been
// replaced by another. Errors as of Heartbeat.
func (r *Registry) Node(ctx context.Context, app models.App, group, name, incarnation string) (models.Node, error) {
	node, _, err := r.lookup(ctx, app, group, name, incarnation)
	return node, err
}

func (r *Registry) read(ctx context.Context, app models.App, group, name string) (*known, error) {
	node, err := r.cfg.Ledger.NodeByName(ctx, app.ID, name)
	if err != nil {
		return nil, unregistered(name, err)
	}
	g, err := r.cfg.Ledger.GroupByName(ctx, app.ID, group)
	if err != nil {
		return nil, unregistered(name, err)
	}
	if g.ID != node.GroupID {
		return nil, refuse(wire.CodeNotRegistered, "group", "Node %q is registered in another group: register again.", name)
	}
	return r.remember(node, g), nil
}

// unregistered says that a node or its group is not known; another error passes.
func unregistered(name string, err error) error {
	if fault.Is(err, fault.NotFound) {
		return refuse(wire.CodeNotRegistered, "node", "Node %q is not registered: register first.", name)
	}
	return fmt.Errorf("reading node %s and its group: %w", name, err)
}

func (r *Registry) remember(n models.Node, g models.NodeGroup) *known {
	k := &known{node: n, group: g, readAt: r.cfg.Clock.Now()}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) >= maxKnown {
		clear(r.known)
	}
	r.known[keyOf(n.AppID, n.Name)] = k
	return k
}

func (r *Registry) forget(appID, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.known, keyOf(appID, name))
}

func keyOf(appID, name string) string { return appID + "/" + name }

// refresh reads again the rows of nodes that were asked for since the last time and
// that grow old, all in few statements: were each read when its heartbeat comes, that
// would be most of what a heartbeat costs.
func (r *Registry) refresh(ctx context.Context) error {
	now := r.cfg.Clock.Now()
	old := map[string]*known{} // by node id
	r.mu.Lock()
	for key := range r.asked {
		k := r.known[key]
		if k == nil || now.Sub(k.readAt) >= knownFor {
			delete(r.asked, key) // the next heartbeat reads it
		} else if now.Sub(k.readAt) >= refreshAfter {
			delete(r.asked, key)
			old[k.node.ID] = k
		}
	}
	r.mu.Unlock()
	if len(old) == 0 {
		return nil
	}
	nodes, groups, err := r.rows(ctx, old)
	if err != nil {
		return fmt.Errorf("reading %d nodes again: %w", len(old), err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, k := range old {
		key := keyOf(k.node.AppID, k.node.Name)
		if r.known[key] != k {
			continue // something newer has come
		}
		n, there := nodes[id]
		g, grouped := groups[n.GroupID]
		if !there || !grouped || n.GroupID != k.group.ID {
			delete(r.known, key)
			continue
		}
		r.known[key] = &known{node: n, group: g, readAt: now}
	}
	return nil
}

// rows reads nodes and their groups by id.
func (r *Registry) rows(ctx context.Context, old map[string]*known) (map[string]models.Node, map[string]models.NodeGroup, error) {
	var ids, groupIDs []string
	for id, k := range old {
		ids = append(ids, id)
		groupIDs = append(groupIDs, k.group.ID)
	}
	slices.Sort(ids)
	slices.Sort(groupIDs)
	nodes, groups := map[string]models.Node{}, map[string]models.NodeGroup{}
	for part := range slices.Chunk(ids, readAtOnce) {
		rows, err := r.cfg.Ledger.NodesByIDs(ctx, part)
		if err != nil {
			return nil, nil, err
		}
		for i := range rows {
			nodes[rows[i].ID] = rows[i]
		}
	}
	for part := range slices.Chunk(slices.Compact(groupIDs), readAtOnce) {
		rows, err := r.cfg.Ledger.GroupsByIDs(ctx, part)
		if err != nil {
			return nil, nil, err
		}
		for i := range rows {
			groups[rows[i].ID] = rows[i]
		}
	}
	return nodes, groups, nil
}
