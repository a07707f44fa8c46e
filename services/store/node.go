package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Node answers one node. Fault: NOT_FOUND.
func (s *Store) Node(ctx context.Context, id string) (models.Node, error) {
	return one[models.Node](s.read(ctx).Where("id = ?", id), "node "+id)
}

// NodeByName answers a node of an app. Fault: NOT_FOUND.
func (s *Store) NodeByName(ctx context.Context, appID, name string) (models.Node, error) {
	return one[models.Node](s.read(ctx).Where("app_id = ? AND name = ?", appID, name), "node "+name)
}

// NodesByIDs answers the nodes that exist among ids, in no order.
func (s *Store) NodesByIDs(ctx context.Context, ids []string) ([]models.Node, error) {
	return byIDs[models.Node](s.read(ctx), ids, "nodes")
}

// Nodes answers the nodes of one group, or of all for an empty id: online ones
// first, then by name; at most 1,000.
func (s *Store) Nodes(ctx context.Context, groupID string) ([]models.Node, error) {
	q := s.read(ctx).Order(fmt.Sprintf("CASE WHEN state = %d THEN 0 ELSE 1 END, name, id", models.NodeOnline)).Limit(mostListed)
	if groupID != "" {
		q = q.Where("group_id = ?", groupID)
	}
	return list[models.Node](q, "nodes")
}

// NodesOfGroups answers all nodes of these groups by name.
func (s *Store) NodesOfGroups(ctx context.Context, groupIDs []string) ([]models.Node, error) {
	if len(groupIDs) == 0 {
		return nil, nil
	}
	return list[models.Node](s.read(ctx).Where("group_id IN ?", groupIDs).Order("name, id"), "nodes")
}

// CountOnlineNodes answers how many online nodes each of these apps has; apps
// without any are left out.
func (s *Store) CountOnlineNodes(ctx context.Context, appIDs []string) (map[string]int, error) {
	if len(appIDs) == 0 {
		return map[string]int{}, nil
	}
	return counts(s.read(ctx).Model(&models.Node{}).Select("app_id AS k, COUNT(*) AS n").
		Where("app_id IN ? AND state = ?", appIDs, models.NodeOnline).Group("app_id"), "online nodes")
}

// GroupHandlers answers the handler names that at least one node of a group that
// is not offline has announced, and how many such nodes there are.
func (s *Store) GroupHandlers(ctx context.Context, groupID string) (map[string]bool, int, error) {
	var rows []models.Node
	err := s.read(ctx).Select("id", "handlers").Where("group_id = ? AND state <> ?", groupID, models.NodeOffline).Find(&rows).Error
	if err != nil {
		return nil, 0, fmt.Errorf("reading the handlers of a group: %w", err)
	}
	known := map[string]bool{}
	for _, n := range rows {
		var names []string
		if json.Unmarshal(n.Handlers, &names) != nil {
			continue // a node that announced nothing
		}
		for _, name := range names {
			known[name] = true
		}
	}
	return known, len(rows), nil
}

// RegisterNode records a process of a node: the row of (app, name) is made or
// taken over. n.ID is only used for a new row. An order to drain outlives a
// reconnect of the same process and ends with it. It answers the row as it is now
// and, unless it is new, as it was.
func (s *Store) RegisterNode(ctx context.Context, n models.Node) (now models.Node, before *models.Node, err error) {
	now, before, err = s.registerNode(ctx, n)
	if errors.Is(err, gorm.ErrDuplicatedKey) { // somebody made the row in the meantime: take it over
		now, before, err = s.registerNode(ctx, n)
	}
	return now, before, err
}

func (s *Store) registerNode(ctx context.Context, n models.Node) (now models.Node, before *models.Node, err error) {
	err = s.write(ctx, "registering a node", func(tx *gorm.DB) error {
		now, before = n, nil
		was, err := one[models.Node](s.locked(tx).Where("app_id = ? AND name = ?", n.AppID, n.Name), "node")
		switch {
		case fault.Is(err, fault.NotFound):
			return tx.Create(&now).Error
		case err != nil:
			return err
		}
		before = &was
		now.ID = was.ID
		now.Draining = was.Draining && was.Incarnation == n.Incarnation
		if was.Incarnation == n.Incarnation {
			now.StartedAt, now.DeafSince = was.StartedAt, was.DeafSince
		}
		const set = `UPDATE nodes SET group_id = ?, incarnation = ?, state = ?, draining = ?, slots = ?, running = ?, server_id = ?,
			labels = ?, handlers = ?, sdk = ?, host = ?, started_at = ?, last_seen_at = ?, deaf_since = ?,
			handler_slots = ?, stuck = ?, lingering = ?, stuck_attempts = ?, left_at = NULL WHERE id = ?`
		_, err = exec(tx, set, now.GroupID, now.Incarnation, now.State, now.Draining, now.Slots, now.Running, now.ServerID,
			now.Labels, now.Handlers, now.SDK, now.Host, now.StartedAt, now.LastSeenAt, now.DeafSince,
			now.HandlerSlots, now.Stuck, now.Lingering, now.StuckAttempts, now.ID)
		if err == nil && was.GroupID != now.GroupID && was.State != models.NodeOffline {
			err = s.alertIfEmpty(tx, &was, s.clock.Now())
		}
		return err
	})
	if err != nil {
		return models.Node{}, nil, err
	}
	return now, before, nil
}

// SetNodeState moves a process of a node to another state; serverID is the server
// that holds its stream. OFFLINE means here that the process has left in good order.
// It answers false when the node has another process by now, or is gone.
func (s *Store) SetNodeState(ctx context.Context, id, incarnation string, to models.NodeState, serverID string) (changed bool, err error) {
	return s.setNodeState(ctx, id, incarnation, to, serverID, false)
}

// LoseNode makes a process of a node OFFLINE that has been silent for too long.
// Otherwise it is as SetNodeState.
func (s *Store) LoseNode(ctx context.Context, id, incarnation string) (changed bool, err error) {
	return s.setNodeState(ctx, id, incarnation, models.NodeOffline, "", true)
}

func (s *Store) setNodeState(ctx context.Context, id, incarnation string, to models.NodeState, serverID string, lost bool) (changed bool, err error) {
	err = s.write(ctx, "changing a node's state", func(tx *gorm.DB) error {
		changed = false
		was, err := one[models.Node](s.locked(tx).Where("id = ? AND incarnation = ?", id, incarnation), "node")
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		var left *time.Time
		if to == models.NodeOffline && !lost {
			left = cutTime(new(s.clock.Now()))
		}
		if _, err := exec(tx, "UPDATE nodes SET state = ?, server_id = ?, left_at = ? WHERE id = ?", to, serverID, left, id); err != nil {
			return err
		}
		changed = true
		return s.alertNode(tx, &was, to, lost)
	})
	return changed, err
}

// SetNodeDeaf notes since when a process of a node lives but does not receive; nil
// when it does again. It answers false when the node has another process by now, or is
// gone.
func (s *Store) SetNodeDeaf(ctx context.Context, id, incarnation string, since *time.Time) (changed bool, err error) {
	err = s.write(ctx, "noting that a node does not receive", func(tx *gorm.DB) error {
		n, err := exec(tx, "UPDATE nodes SET deaf_since = ? WHERE id = ? AND incarnation = ?", cutTime(since), id, incarnation)
		changed = n > 0
		return err
	})
	return changed, err
}

// SetNodeStuck notes which handlers of a process of a node do not end, an array of
// models.StuckAttempt; nil for none. It answers false when the node has another process
// by now, or is gone.
func (s *Store) SetNodeStuck(ctx context.Context, id, incarnation string, list json.RawMessage) (changed bool, err error) {
	err = s.write(ctx, "noting the stuck handlers of a node", func(tx *gorm.DB) error {
		n, err := exec(tx, "UPDATE nodes SET stuck_attempts = ? WHERE id = ? AND incarnation = ?", list, id, incarnation)
		changed = n > 0
		return err
	})
	return changed, err
}

// DropNodeStream makes a node SUSPECT whose stream on a server has ended. It
// answers false when the node has another process by now, or another server holds
// its stream.
func (s *Store) DropNodeStream(ctx context.Context, id, incarnation, serverID string) (changed bool, err error) {
	err = s.write(ctx, "dropping a node's stream", func(tx *gorm.DB) error {
		n, err := exec(tx, "UPDATE nodes SET state = ?, server_id = '' WHERE id = ? AND incarnation = ? AND server_id = ? AND state <> ?",
			models.NodeSuspect, id, incarnation, serverID, models.NodeOffline)
		changed = n > 0
		return err
	})
	return changed, err
}

// SilentNodes answers the nodes of these groups that are not offline and have been
// silent past their group's threshold at now.
func (s *Store) SilentNodes(ctx context.Context, groupIDs []string, now time.Time) ([]models.Node, error) {
	groups, err := s.GroupsByIDs(ctx, groupIDs)
	if err != nil || len(groups) == 0 {
		return nil, err
	}
	patience := make(map[string]time.Duration, len(groups))
	shortest := groups[0].OfflineAfter()
	for i := range groups {
		patience[groups[i].ID] = groups[i].OfflineAfter()
		shortest = min(shortest, groups[i].OfflineAfter())
	}
	rows, err := list[models.Node](s.read(ctx).Where("group_id IN ? AND state <> ? AND last_seen_at < ?",
		groupIDs, models.NodeOffline, now.Add(-shortest)).Order("id"), "silent nodes")
	if err != nil {
		return nil, err
	}
	silent := rows[:0]
	for _, n := range rows {
		if n.LastSeenAt.Before(now.Add(-patience[n.GroupID])) {
			silent = append(silent, n)
		}
	}
	return silent, nil
}

// SetDraining records a person's order to a node. Fault: NOT_FOUND.
func (s *Store) SetDraining(ctx context.Context, id string, draining bool, audit models.Audit) (models.Node, error) {
	var n models.Node
	err := s.changing(ctx, "draining a node", &audit, func(tx *gorm.DB) error {
		var err error
		if n, err = one[models.Node](s.locked(tx).Where("id = ?", id), "node "+id); err != nil || n.Draining == draining {
			return err
		}
		n.Draining = draining
		switch {
		case draining && n.State == models.NodeOnline:
			n.State = models.NodeDraining
		case !draining && n.State == models.NodeDraining:
			n.State = models.NodeOnline
		}
		if _, err := exec(tx, "UPDATE nodes SET draining = ?, state = ? WHERE id = ?", n.Draining, n.State, id); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	return n, err
}

// RemoveNode forgets an offline node. Faults: NOT_FOUND, CONFLICT.
func (s *Store) RemoveNode(ctx context.Context, id string, audit models.Audit) (models.Node, error) {
	var n models.Node
	err := s.changing(ctx, "removing a node", &audit, func(tx *gorm.DB) error {
		var err error
		if n, err = one[models.Node](s.locked(tx).Where("id = ?", id), "node "+id); err != nil {
			return err
		}
		if n.State != models.NodeOffline {
			return fault.New(fault.Conflict, "The node %q is %s; only an offline node can be removed: stop its process first.", n.Name, n.State)
		}
		if _, err := exec(tx, "DELETE FROM nodes WHERE id = ?", id); err != nil {
			return err
		}
		if err := s.clearAlerts(tx, audit.At, &n, WatchKey{Kind: models.AlertNodeOffline, Subject: models.NodeSubject(id)}); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	return n, err
}
