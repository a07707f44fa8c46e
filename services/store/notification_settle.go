package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// ErrNotificationMoved says that a notification is not as it was read: it was sent,
// given up, dropped or tried meanwhile.
var ErrNotificationMoved = errors.New("the notification has changed meanwhile")

// DeliveryOutcome is what a try to send a notification came to.
type DeliveryOutcome struct {
	NotificationID string
	ChannelID      string
	Tries          int // as it was read
	Try            models.DeliveryTry
	State          models.NotificationState
	NextAt         time.Time // of the next try, while it stays queued
	Reason         string
	Subject, Body  string // as rendered
	// ToldDropped is how many dropped messages this one told of.
	ToldDropped int64
	// Disable switches the channel off, with the reason; Notices tell it by others.
	Disable string
	Notices []models.Notification
}

// SettleDelivery notes what a try came to, on the notification and on its channel, in
// one transaction. Errors: ErrNotificationMoved, DeposedError.
func (s *Store) SettleDelivery(ctx context.Context, fence Fence, o DeliveryOutcome) error {
	return s.write(ctx, "noting a delivery", func(tx *gorm.DB) error {
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		var sent *time.Time
		if o.State == models.NotificationSent {
			at := o.Try.At.Add(time.Duration(o.Try.DurationMS) * time.Millisecond)
			sent = &at
		}
		n, err := exec(tx, `UPDATE notifications SET state = ?, tries = ?, next_at = ?, sent_at = ?, reason = ?, subject = ?, body = ?
			WHERE id = ? AND state = ? AND tries = ?`,
			o.State, o.Tries+1, clock.Cut(o.NextAt), cutTime(sent), cutChars(o.Reason, lineLimit), cutChars(o.Subject, lineLimit), cutChars(o.Body, bodyLimit),
			o.NotificationID, models.NotificationQueued, o.Tries)
		if err != nil {
			return fmt.Errorf("noting a delivery: %w", err)
		}
		if n == 0 {
			return ErrNotificationMoved
		}
		if err := insertTry(tx, o); err != nil {
			return err
		}
		return s.settleChannel(tx, &o, sent)
	})
}

func insertTry(tx *gorm.DB, o DeliveryOutcome) error {
	t := o.Try
	t.NotificationID, t.Number, t.At, t.NextAt = o.NotificationID, o.Tries+1, clock.Cut(t.At), cutTime(t.NextAt)
	t.Response, t.Error = cutChars(t.Response, responseLimit), cutChars(t.Error, lineLimit)
	if err := tx.Create(&t).Error; err != nil {
		return fmt.Errorf("writing a try: %w", err)
	}
	return nil
}

// settleChannel notes on the channel how it fares.
func (s *Store) settleChannel(tx *gorm.DB, o *DeliveryOutcome, sent *time.Time) error {
	var err error
	if sent != nil {
		_, err = exec(tx, "UPDATE alert_channels SET last_sent_at = ?, last_error = '', dropped = CASE WHEN dropped > ? THEN dropped - ? ELSE 0 END WHERE id = ?",
			cutTime(sent), o.ToldDropped, o.ToldDropped, o.ChannelID)
	} else {
		_, err = exec(tx, "UPDATE alert_channels SET last_error = ? WHERE id = ?", cutChars(o.Try.Error, lineLimit), o.ChannelID)
	}
	if err != nil {
		return fmt.Errorf("noting how a channel fares: %w", err)
	}
	if o.Disable == "" {
		return nil
	}
	n, err := exec(tx, "UPDATE alert_channels SET enabled = ?, disabled_reason = ?, version = version + 1, updated_at = ? WHERE id = ? AND enabled = ?",
		false, cutChars(o.Disable, lineLimit), clock.Cut(o.Try.At), o.ChannelID, true)
	if err != nil {
		return fmt.Errorf("switching a channel off: %w", err)
	}
	if n == 0 {
		return nil // a person was faster
	}
	return s.AddNotifications(tx, o.Notices)
}

// CloseQueue takes up to limit notifications out of a channel's queue that came
// into it before an instant, or all for the zero time, and answers how many. With
// state DROPPED the channel counts them, so that its next message tells the number.
// Error: DeposedError.
func (s *Store) CloseQueue(ctx context.Context, fence Fence, channelID string, before time.Time, state models.NotificationState, reason string, limit int) (int, error) {
	var closed int64
	err := s.write(ctx, "emptying a channel's queue", func(tx *gorm.DB) error {
		closed = 0
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		q := tx.Model(&models.Notification{}).Where("state = ? AND channel_id = ?", models.NotificationQueued, channelID)
		if !before.IsZero() {
			q = q.Where("queued_at < ?", clock.Cut(before))
		}
		var ids []string
		if err := q.Order("next_at, id").Limit(limit).Pluck("id", &ids).Error; err != nil {
			return err
		}
		var err error
		if closed, err = closeNotifications(tx, ids, state, reason); err != nil || closed == 0 {
			return err
		}
		if state == models.NotificationDropped {
			_, err = exec(tx, "UPDATE alert_channels SET dropped = dropped + ? WHERE id = ?", closed, channelID)
		}
		return err
	})
	return int(closed), err
}

// closeNotifications ends those of the notifications that are still queued.
func closeNotifications(tx *gorm.DB, ids []string, state models.NotificationState, reason string) (int64, error) {
	var closed int64
	for chunk := range chunks(ids, inLimit) {
		args := append([]any{state, cutChars(reason, lineLimit)}, anys(chunk)...)
		n, err := exec(tx, "UPDATE notifications SET state = ?, reason = ? WHERE id IN ("+marks(len(chunk))+") AND state = ?", append(args, models.NotificationQueued)...)
		if err != nil {
			return 0, fmt.Errorf("ending notifications: %w", err)
		}
		closed += n
	}
	return closed, nil
}

// MergeNotifications puts one summary in the place of queued notifications, which
// become SUPPRESSED with the reason. Errors: ErrNotificationMoved when one of them is
// queued no more, DeposedError.
func (s *Store) MergeNotifications(ctx context.Context, fence Fence, ids []string, summary models.Notification, reason string) error {
	return s.write(ctx, "merging notifications", func(tx *gorm.DB) error {
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		n, err := closeNotifications(tx, ids, models.NotificationSuppressed, reason)
		if err != nil {
			return err
		}
		if n != int64(len(ids)) {
			return ErrNotificationMoved
		}
		return s.AddNotifications(tx, []models.Notification{summary})
	})
}

// PruneNotifications deletes up to limit notifications of before an instant that are
// queued no more, with all that belongs to them, and answers how many.
func (s *Store) PruneNotifications(ctx context.Context, fence Fence, before time.Time, limit int) (int, error) {
	var ids []string
	err := s.write(ctx, "deleting old notifications", func(tx *gorm.DB) error {
		ids = nil
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		var err error
		ids, err = readIDs(tx, "SELECT id FROM notifications"+s.dialect.byKey()+" WHERE id < ? AND state <> ? ORDER BY id LIMIT ?",
			models.LowestID(before), models.NotificationQueued, limit)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, of := range [][2]string{{"notification_incidents", "notification_id"}, {"delivery_tries", "notification_id"}, {"notifications", "id"}} {
			if _, err := exec(tx, s.dialect.deleteByKey(of[0])+" WHERE "+of[1]+" IN ("+marks(len(ids))+")", anys(ids)...); err != nil {
				return err
			}
		}
		return nil
	})
	return len(ids), err
}
