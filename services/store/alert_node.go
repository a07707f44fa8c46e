package store

import (
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// sinceOf is since when what an event tells of is so.
func sinceOf(e *models.AlertEvent) time.Time {
	if d := e.Details(); d.Since != nil {
		return clock.Cut(*d.Since)
	}
	return clock.Cut(e.At)
}

// alertNode writes what it means for alerts that a node, locked and as it was, has come
// into another state: lost says that nobody heard of it, while one that left in good
// order is only missed when its group is empty now.
func (s *Store) alertNode(tx *gorm.DB, was *models.Node, to models.NodeState, lost bool) error {
	now := s.clock.Now()
	switch {
	case to == models.NodeOnline || to == models.NodeDraining:
		return s.alertNodeBack(tx, was, now)
	case to != models.NodeOffline || was.State == models.NodeOffline:
		return nil
	case lost:
		detail := models.AlertDetail{Node: was.Name, Since: &was.LastSeenAt}
		e := models.AlertEvent{
			Kind: models.AlertNodeOffline, At: now, AppID: &was.AppID, GroupID: &was.GroupID, NodeID: &was.ID,
			Subject: models.NodeSubject(was.ID), Detail: detail.Text(),
		}
		if err := s.openAlert(tx, e); err != nil {
			return err
		}
	}
	return s.alertIfEmpty(tx, was, now)
}

// openAlert writes an event and that its condition is open.
func (s *Store) openAlert(tx *gorm.DB, e models.AlertEvent) error {
	if err := s.openWatches(tx, []models.AlertWatch{watchOf(&e)}); err != nil {
		return err
	}
	return s.insertAlertEvents(tx, []models.AlertEvent{e})
}

// alertIfEmpty writes that a group has no node any more, after the last one has gone. The
// group's row is locked: of two that go at once the later one sees the earlier.
func (s *Store) alertIfEmpty(tx *gorm.DB, left *models.Node, now time.Time) error {
	var group string
	err := queryOne(tx, &group, "SELECT id FROM node_groups"+s.dialect.byKey()+" WHERE id = ?"+s.dialect.lockRows(), left.GroupID)
	if err != nil {
		return fmt.Errorf("locking the group of node %s: %w", left.Name, err)
	}
	if group == "" {
		return nil
	}
	var there int
	err = queryOne(tx, &there, "SELECT COUNT(*) FROM nodes"+s.dialect.forceIndex("nodes_group")+
		" WHERE group_id = ? AND state <> ?", group, models.NodeOffline)
	if err != nil {
		return fmt.Errorf("counting the nodes of a group: %w", err)
	}
	if there > 0 {
		return nil
	}
	detail := models.AlertDetail{Node: left.Name, Since: &now}
	return s.openAlert(tx, models.AlertEvent{
		Kind: models.AlertGroupEmpty, At: now, AppID: &left.AppID, GroupID: &left.GroupID,
		Subject: models.GroupSubject(group), Detail: detail.Text(),
	})
}

// alertNodeBack clears what was told of a node and its group, now that it is here.
func (s *Store) alertNodeBack(tx *gorm.DB, n *models.Node, now time.Time) error {
	return s.clearAlerts(tx, now, n, WatchKey{Kind: models.AlertNodeOffline, Subject: models.NodeSubject(n.ID)},
		WatchKey{Kind: models.AlertGroupEmpty, Subject: models.GroupSubject(n.GroupID)})
}

// clearAlerts clears those of some conditions about a node and its group that are open.
func (s *Store) clearAlerts(tx *gorm.DB, now time.Time, n *models.Node, keys ...WatchKey) error {
	open, err := s.lockWatches(tx, keys)
	if err != nil || len(open) == 0 {
		return err
	}
	var gone []WatchKey
	var events []models.AlertEvent
	for _, key := range keys {
		w, is := open[key]
		if !is {
			continue
		}
		detail := models.AlertDetail{Node: n.Name, Since: &w.Since}
		e := models.AlertEvent{
			Kind: key.Kind, Cleared: true, At: now, AppID: &n.AppID, GroupID: &n.GroupID, Subject: key.Subject, Detail: detail.Text(),
		}
		if key.Kind == models.AlertNodeOffline {
			e.NodeID = &n.ID
		}
		gone, events = append(gone, key), append(events, e)
	}
	if err := s.closeWatches(tx, gone); err != nil {
		return err
	}
	return s.insertAlertEvents(tx, events)
}
