package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// CreateGroup makes a node group. Faults: TAKEN, NOT_FOUND (the app).
func (s *Store) CreateGroup(ctx context.Context, g models.NodeGroup, audit models.Audit) error {
	return s.write(ctx, "creating a node group", func(tx *gorm.DB) error {
		app, err := s.lockApp(tx, g.AppID)
		if err != nil {
			return err
		}
		if err := tx.Create(&g).Error; err != nil {
			return taken(err, g.Name, fmt.Sprintf("another group of the app %q", app.Name))
		}
		return insertAudit(tx, &audit)
	})
}

// UpdateGroup lets edit change a group under a lock; an error of edit changes
// nothing. Faults: NOT_FOUND, those of edit.
func (s *Store) UpdateGroup(ctx context.Context, id string, edit func(*models.NodeGroup) error, audit models.Audit) (models.NodeGroup, error) {
	var g models.NodeGroup
	err := s.changing(ctx, "changing a node group", &audit, func(tx *gorm.DB) error {
		var err error
		if g, err = s.lockGroup(tx, id); err != nil {
			return err
		}
		if err := edit(&g); err != nil {
			return err
		}
		const set = `UPDATE node_groups SET max_running = ?, release_rate = ?, release_burst = ?, routing = ?, routing_rule = ?,
			heartbeat_ms = ?, heartbeat_misses = ?, updated_at = ? WHERE id = ?`
		if _, err := exec(tx, set, g.MaxRunning, g.ReleaseRate, g.ReleaseBurst, g.Routing, orNull(g.RoutingRule),
			g.HeartbeatMS, g.HeartbeatMisses, g.UpdatedAt, id); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	return g, err
}

// lockGroup reads a group and keeps others from changing or deleting it. Fault:
// NOT_FOUND.
func (s *Store) lockGroup(tx *gorm.DB, id string) (models.NodeGroup, error) {
	return one[models.NodeGroup](s.locked(tx).Where("id = ?", id), "node group "+id)
}

// DeleteGroup deletes a group with its nodes. Faults: NOT_FOUND, CONFLICT while it
// has jobs or unfinished tasks.
func (s *Store) DeleteGroup(ctx context.Context, id string, audit models.Audit) (models.NodeGroup, error) {
	var g models.NodeGroup
	err := s.changing(ctx, "deleting a node group", &audit, func(tx *gorm.DB) error {
		var err error
		if g, err = s.lockGroup(tx, id); err != nil {
			return err
		}
		if err := s.refuseWhileUsed(tx, "node group "+g.Name, "group_id = ?", id, []string{id}); err != nil {
			return err
		}
		for _, statement := range []string{
			"DELETE FROM nodes WHERE group_id = ?", "DELETE FROM group_flows WHERE group_id = ?", "DELETE FROM node_groups WHERE id = ?",
		} {
			if _, err := exec(tx, statement, id); err != nil {
				return err
			}
		}
		return insertAudit(tx, &audit)
	})
	return g, err
}

// Group answers one node group. Fault: NOT_FOUND.
func (s *Store) Group(ctx context.Context, id string) (models.NodeGroup, error) {
	return one[models.NodeGroup](s.read(ctx).Where("id = ?", id), "node group "+id)
}

// GroupByName answers one node group of an app. Fault: NOT_FOUND.
func (s *Store) GroupByName(ctx context.Context, appID, name string) (models.NodeGroup, error) {
	return one[models.NodeGroup](s.read(ctx).Where("app_id = ? AND name = ?", appID, name), "node group "+name)
}

// GroupsByIDs answers the groups that exist among ids, in no order.
func (s *Store) GroupsByIDs(ctx context.Context, ids []string) ([]models.NodeGroup, error) {
	return byIDs[models.NodeGroup](s.read(ctx), ids, "node groups")
}

// Groups answers the groups of one app, or of all for an empty id, by the app's
// and their own name; at most 1,000.
func (s *Store) Groups(ctx context.Context, appID string) ([]models.NodeGroup, error) {
	q := s.read(ctx).Table("node_groups").Select("node_groups.*").Limit(mostListed)
	if appID != "" {
		return list[models.NodeGroup](q.Where("app_id = ?", appID).Order("name"), "node groups")
	}
	q = q.Joins("JOIN apps ON apps.id = node_groups.app_id").Order("apps.name, node_groups.name")
	return list[models.NodeGroup](q, "node groups")
}

// GroupsOfPartitions answers all groups that hash into these partitions.
func (s *Store) GroupsOfPartitions(ctx context.Context, partitions []int) ([]models.NodeGroup, error) {
	if len(partitions) == 0 {
		return nil, nil
	}
	return list[models.NodeGroup](s.read(ctx).Where("part IN ?", partitions).Order("part, id"), "node groups")
}

// GroupSlots answers how many slots the online nodes of each group have; groups
// without such nodes are left out.
func (s *Store) GroupSlots(ctx context.Context) (map[string]int, error) {
	return counts(s.read(ctx).Model(&models.Node{}).Select("group_id AS k, SUM(slots) AS n").
		Where("state = ?", models.NodeOnline).Group("group_id"), "slots")
}

// counts reads rows of a key k and a number n.
func counts(q *gorm.DB, what string) (map[string]int, error) {
	var rows []struct {
		K string
		N int
	}
	if err := q.Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("counting %s: %w", what, err)
	}
	all := make(map[string]int, len(rows))
	for _, r := range rows {
		all[r.K] = r.N
	}
	return all, nil
}
