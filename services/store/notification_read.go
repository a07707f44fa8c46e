package store

import (
	"context"
	"fmt"
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
	rows, info, err := newestOf(ctx, s, "notifications", f.ranges(), f.restrict, p, func(n *models.Notification) string { return n.ID })
	if err != nil {
		return nil, PageInfo{}, err
	}
	return rows, info, s.readIncidentIDs(ctx, rows)
}

var notificationStates = []models.NotificationState{
	models.NotificationQueued, models.NotificationSent, models.NotificationFailed, models.NotificationSuppressed, models.NotificationDropped,
}

// ranges are those in which the filter's notifications are found by looking at the fewest.
func (f *NotificationFilter) ranges() []ordered {
	states := orAll(f.States, notificationStates)
	switch {
	case f.IncidentID != "":
		return []ordered{{index: "notification_incidents_incident", join: "notification_incidents", on: "notification_id", equals: []equal{{"incident_id", f.IncidentID}}}}
	case f.ChannelID != "":
		return by(by(from("notifications_channel"), "channel_id", []string{f.ChannelID}), "state", states)
	case f.RuleID != "":
		return by(by(from("notifications_rule"), "rule_id", []string{f.RuleID}), "state", states)
	case len(f.States) > 0:
		return by(from("notifications_state"), "state", states)
	}
	return from("")
}

// restrict adds what a range does not know of the filter to its query.
func (f *NotificationFilter) restrict(q *gorm.DB, r *ordered) *gorm.DB {
	if len(f.States) > 0 && !r.knows("state") {
		q = q.Where("state IN ?", f.States)
	}
	if f.ChannelID != "" && !r.knows("channel_id") {
		q = q.Where("channel_id = ?", f.ChannelID)
	}
	if f.RuleID != "" && !r.knows("rule_id") {
		q = q.Where("rule_id = ?", f.RuleID)
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
