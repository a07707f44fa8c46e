package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// NotificationFilter chooses notifications; empty fields choose all.
type NotificationFilter struct {
	ChannelID, RuleID, IncidentID string
	States                        []models.NotificationState
	From, To                      time.Time // written at or after, and before
}

// Notification answers one notification. Fault: NOT_FOUND.
func (s *Store) Notification(ctx context.Context, id string) (models.Notification, error) {
	row, err := one[models.Notification](s.read(ctx).Where("id = ?", id), "notification "+id)
	if err != nil {
		return row, err
	}
	rows := []models.Notification{row}
	err = s.readIncidentIDs(ctx, rows)
	return rows[0], err
}

// NotificationPage answers a page of notifications, newest first; positions are ids.
// Fault: INVALID.
func (s *Store) NotificationPage(ctx context.Context, f NotificationFilter, p Page) ([]models.Notification, PageInfo, error) {
	n, backward, err := p.size()
	if err != nil {
		return nil, PageInfo{}, err
	}
	branches := []models.NotificationState{0}
	if len(f.States) > 0 {
		branches = slices.Compact(slices.Sorted(slices.Values(f.States)))
	}
	var rows []models.Notification
	for _, state := range branches { // each reads its index in order, and never more than a page
		part, err := list[models.Notification](s.notificationRange(ctx, f, p, state, backward).Limit(n+1), "notifications")
		if err != nil {
			return nil, PageInfo{}, err
		}
		rows = append(rows, part...)
	}
	slices.SortFunc(rows, func(a, b models.Notification) int {
		if backward {
			return strings.Compare(a.ID, b.ID)
		}
		return strings.Compare(b.ID, a.ID)
	})
	rows, info := cut(rows, p, n, backward)
	return rows, info, s.readIncidentIDs(ctx, rows)
}

// notificationRange is the query of one branch of a page.
func (s *Store) notificationRange(ctx context.Context, f NotificationFilter, p Page, state models.NotificationState, backward bool) *gorm.DB {
	q := s.read(ctx).Table("notifications").Order("id DESC")
	if backward {
		q = s.read(ctx).Table("notifications").Order("id")
	}
	if state != 0 {
		q = q.Where("state = ?", state)
	}
	if f.ChannelID != "" {
		q = q.Where("channel_id = ?", f.ChannelID)
	}
	if f.RuleID != "" {
		q = q.Where("rule_id = ?", f.RuleID)
	}
	if f.IncidentID != "" {
		q = q.Where("id IN (SELECT notification_id FROM notification_incidents WHERE incident_id = ?)", f.IncidentID)
	}
	for condition, id := range map[string]string{
		"id < ?": p.After, "id > ?": p.Before,
	} {
		if id != "" {
			q = q.Where(condition, id)
		}
	}
	if !f.From.IsZero() {
		q = q.Where("id >= ?", models.LowestID(f.From))
	}
	if !f.To.IsZero() {
		q = q.Where("id < ?", models.LowestID(f.To))
	}
	return q
}

// NotificationsOfIncidents answers the latest notifications of each of these
// incidents, newest first, at most perIncident each.
func (s *Store) NotificationsOfIncidents(ctx context.Context, incidentIDs []string, perIncident int) (map[string][]models.Notification, error) {
	all := make(map[string][]models.Notification, len(incidentIDs))
	for _, id := range incidentIDs {
		rows, _, err := s.NotificationPage(ctx, NotificationFilter{IncidentID: id}, Page{First: perIncident})
		if err != nil {
			return nil, err
		}
		all[id] = rows
	}
	return all, nil
}

// DeliveryTries answers the tries of these notifications in order.
func (s *Store) DeliveryTries(ctx context.Context, notificationIDs []string) (map[string][]models.DeliveryTry, error) {
	all := make(map[string][]models.DeliveryTry, len(notificationIDs))
	for chunk := range chunks(notificationIDs, inLimit) {
		rows, err := list[models.DeliveryTry](s.read(ctx).Where("notification_id IN ?", chunk).Order("notification_id, number"), "tries")
		if err != nil {
			return nil, err
		}
		for _, t := range rows {
			all[t.NotificationID] = append(all[t.NotificationID], t)
		}
	}
	return all, nil
}

// ReplayNotification queues a notification once more, due at once. Its id stays, so
// that a receiver which has it already knows it again. Faults: NOT_FOUND, CONFLICT
// while it is queued, or its channel is switched off or gone.
func (s *Store) ReplayNotification(ctx context.Context, id string, at time.Time, audit models.Audit) (models.Notification, error) {
	var n models.Notification
	at = clock.Cut(at)
	err := s.write(ctx, "replaying a notification", func(tx *gorm.DB) error {
		var err error
		n, err = one[models.Notification](s.locked(tx).Where("id = ?", id), "notification "+id)
		if err != nil {
			return err
		}
		if n.State == models.NotificationQueued {
			return fault.New(fault.Conflict, "The notification waits to be sent already; look at its next try.")
		}
		off, err := s.channelsOff(tx, []models.Notification{n})
		if err != nil {
			return err
		}
		if why := off[n.ChannelID]; why != "" {
			return fault.New(fault.Conflict, "%s Nothing can be sent by it.", why)
		}
		n.State, n.NextAt, n.QueuedAt, n.Reason = models.NotificationQueued, at, at, "A person had it sent again."
		_, err = exec(tx, "UPDATE notifications SET state = ?, next_at = ?, queued_at = ?, reason = ? WHERE id = ?", n.State, n.NextAt, n.QueuedAt, n.Reason, id)
		if err != nil {
			return fmt.Errorf("queueing a notification: %w", err)
		}
		return insertAudit(tx, &audit)
	})
	if err != nil {
		return n, err
	}
	return s.Notification(ctx, id)
}

// NotificationsByIDs answers the notifications that exist among ids, in no order.
func (s *Store) NotificationsByIDs(ctx context.Context, ids []string) ([]models.Notification, error) {
	rows, err := byIDs[models.Notification](s.read(ctx), ids, "notifications")
	if err != nil {
		return nil, err
	}
	return rows, s.readIncidentIDs(ctx, rows)
}

// NoteTest writes down a test of a channel: a notification that has been sent or has
// failed, and its only try.
func (s *Store) NoteTest(ctx context.Context, n models.Notification, try models.DeliveryTry, audit models.Audit) error {
	return s.write(ctx, "noting a test", func(tx *gorm.DB) error {
		if err := s.AddNotifications(tx, []models.Notification{n}); err != nil {
			return err
		}
		if err := insertTry(tx, DeliveryOutcome{NotificationID: n.ID, Try: try}); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
}
