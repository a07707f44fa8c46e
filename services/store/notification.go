package store

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

const (
	responseLimit = 2000     // characters kept of what a receiver answered
	bodyLimit     = 64 << 10 // characters kept of a rendered message
)

var notificationColumns = []string{
	"id", "channel_id", "rule_id", "kind", "severity", "state", "group_key", "message", "problems", "tries", "next_at",
	"created_at", "queued_at", "sent_at", "reason", "subject", "body",
}

// AddNotifications writes notifications within tx, and which incidents they tell.
// Those for a channel that is switched off or gone become SUPPRESSED; those without a
// state are queued, and due at once unless NextAt says otherwise. It fails with
// gorm.ErrDuplicatedKey when an id is taken.
func (s *Store) AddNotifications(tx *gorm.DB, rows []models.Notification) error {
	off, err := s.channelsOff(tx, rows)
	if err != nil {
		return err
	}
	values := make([][]any, 0, len(rows))
	var incidents [][]any
	for i := range rows {
		n := rows[i]
		if n.State == 0 {
			n.State = models.NotificationQueued
		}
		if n.NextAt.IsZero() {
			n.NextAt = n.CreatedAt
		}
		if n.QueuedAt.IsZero() {
			n.QueuedAt = n.CreatedAt
		}
		if why := off[n.ChannelID]; n.State == models.NotificationQueued && why != "" {
			n.State, n.Reason = models.NotificationSuppressed, why
		}
		values = append(values, []any{
			n.ID, n.ChannelID, n.RuleID, n.Kind, n.Severity, n.State, cutChars(n.GroupKey, nameLimit), document(n.Message), n.Problems, n.Tries,
			clock.Cut(n.NextAt), clock.Cut(n.CreatedAt), clock.Cut(n.QueuedAt), cutTime(n.SentAt), cutChars(n.Reason, lineLimit), cutChars(n.Subject, lineLimit), cutChars(n.Body, bodyLimit),
		})
		for _, incident := range n.IncidentIDs {
			incidents = append(incidents, []any{n.ID, incident})
		}
	}
	if err := s.insertRows(tx, "notifications", notificationColumns, values, ""); err != nil {
		return fmt.Errorf("writing %d notifications: %w", len(rows), err)
	}
	if err := s.insertRows(tx, "notification_incidents", []string{"notification_id", "incident_id"}, incidents, ""); err != nil {
		return fmt.Errorf("writing the incidents of %d notifications: %w", len(rows), err)
	}
	return nil
}

// channelsOff answers why channels of these notifications send nothing; one that
// does is not among them.
func (s *Store) channelsOff(tx *gorm.DB, rows []models.Notification) (map[string]string, error) {
	off := map[string]string{}
	for i := range rows {
		off[rows[i].ChannelID] = "The channel has been deleted."
	}
	ids := make([]string, 0, len(off))
	for id := range off {
		ids = append(ids, id)
	}
	for chunk := range chunks(ids, inLimit) {
		found, err := query(tx, "SELECT id, name, enabled FROM alert_channels WHERE id IN ("+marks(len(chunk))+")", anys(chunk)...)
		if err != nil {
			return nil, fmt.Errorf("looking at channels: %w", err)
		}
		err = scan(found, func() error {
			var id, name string
			var enabled bool
			if err := found.Scan(&id, &name, &enabled); err != nil {
				return err
			}
			off[id] = ""
			if !enabled {
				off[id] = fmt.Sprintf("The channel %q is switched off.", name)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("looking at channels: %w", err)
		}
	}
	return off, nil
}

// QueueNotifications writes notifications in a transaction of their own. Errors:
// DeposedError, gorm.ErrDuplicatedKey.
func (s *Store) QueueNotifications(ctx context.Context, fence Fence, rows []models.Notification) error {
	return s.write(ctx, fmt.Sprintf("writing %d notifications", len(rows)), func(tx *gorm.DB) error {
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		return s.AddNotifications(tx, rows)
	})
}

// ChannelQueue says when a channel has something to send.
type ChannelQueue struct {
	ChannelID string
	NextAt    time.Time
}

// ChannelQueues answers the channels with queued notifications and when the first of
// each is due. It reads an entry or two of the index for each channel.
func (s *Store) ChannelQueues(ctx context.Context) ([]ChannelQueue, error) {
	rows, err := query(s.read(ctx), channelQueues, models.NotificationQueued)
	if err != nil {
		return nil, fmt.Errorf("reading the queues of channels: %w", err)
	}
	var queues []ChannelQueue
	err = scan(rows, func() error {
		var q ChannelQueue
		var at instant
		if err := rows.Scan(&q.ChannelID, &at); err != nil {
			return err
		}
		if at.at != nil {
			q.NextAt = *at.at
		}
		queues = append(queues, q)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the queues of channels: %w", err)
	}
	return queues, nil
}

const channelQueues = "SELECT channel_id, MIN(next_at) FROM notifications WHERE state = ? GROUP BY channel_id"

// NotificationsDue answers the queued notifications of a channel that are due, in
// the order in which they became so.
func (s *Store) NotificationsDue(ctx context.Context, channelID string, at time.Time, limit int) ([]models.Notification, error) {
	rows, err := list[models.Notification](s.read(ctx).Raw(notificationsDue(s.dialect), models.NotificationQueued, channelID, clock.Cut(at), limit), "notifications")
	if err != nil {
		return nil, err
	}
	return rows, s.readIncidentIDs(ctx, rows)
}

func notificationsDue(d dialect) string {
	return "SELECT * FROM notifications" + d.forceIndex("notifications_queue") +
		" WHERE state = ? AND channel_id = ? AND next_at <= ? ORDER BY next_at, id LIMIT ?"
}

// QueuedByChannel answers how many notifications wait in each of these channels.
func (s *Store) QueuedByChannel(ctx context.Context, channelIDs []string) (map[string]int, error) {
	if len(channelIDs) == 0 {
		return map[string]int{}, nil
	}
	return counts(s.read(ctx).Model(&models.Notification{}).Select("channel_id AS k, COUNT(*) AS n").
		Where("state = ? AND channel_id IN ?", models.NotificationQueued, channelIDs).Group("channel_id"), "queued notifications")
}

// readIncidentIDs fills in which incidents the notifications tell.
func (s *Store) readIncidentIDs(ctx context.Context, rows []models.Notification) error {
	if len(rows) == 0 {
		return nil
	}
	at := make(map[string]*models.Notification, len(rows))
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
		at[ids[i]] = &rows[i]
	}
	for chunk := range chunks(ids, inLimit) {
		found, err := query(s.read(ctx), "SELECT notification_id, incident_id FROM notification_incidents WHERE notification_id IN ("+marks(len(chunk))+
			") ORDER BY notification_id, incident_id", anys(chunk)...)
		if err == nil {
			err = scan(found, func() error {
				var notification, incident string
				err := found.Scan(&notification, &incident)
				if n := at[notification]; n != nil {
					n.IncidentIDs = append(n.IncidentIDs, incident)
				}
				return err
			})
		}
		if err != nil {
			return fmt.Errorf("reading the incidents of notifications: %w", err)
		}
	}
	return nil
}
