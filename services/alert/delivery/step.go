package delivery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/time/rate"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/channel"
	"github.com/belfry-scheduler/belfry/services/alert/message"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

// step deals with the next notifications of a channel and answers whether there may be
// more to do at once.
func (s *Service) step(ctx context.Context, channelID string, l *line, fence store.Fence) (more bool, err error) {
	c, err := s.cfg.Store.Channel(ctx, channelID)
	if fault.Is(err, fault.NotFound) {
		return false, s.close(ctx, fence, channelID, time.Time{}, models.NotificationFailed, "The channel has been deleted.")
	}
	if err != nil {
		return false, err
	}
	if !c.Enabled {
		return false, s.close(ctx, fence, channelID, time.Time{}, models.NotificationSuppressed, fmt.Sprintf("The channel %q is switched off.", c.Name))
	}
	now := s.cfg.Clock.Now()
	if err := s.close(ctx, fence, channelID, now.Add(-c.MaxAge()), models.NotificationDropped, message.TooOld(c.MaxAge())); err != nil {
		return false, err
	}
	if c, err = s.cfg.Store.Channel(ctx, channelID); err != nil { // with what was dropped
		return false, err
	}
	due, err := s.cfg.Store.NotificationsDue(ctx, channelID, now, perRead)
	if err != nil || len(due) == 0 {
		return false, err
	}
	if merged, err := s.merge(ctx, fence, &c, due, now); merged || err != nil {
		return true, err
	}
	settings, err := channel.Load(&c, s.cfg.Box)
	if err != nil {
		return false, s.unreadable(ctx, fence, &c, &due[0], l, err)
	}
	for i := range due {
		if wait := s.wait(ctx, l, &c); !wait {
			return false, nil
		}
		good, err := s.try(ctx, fence, l, &c, settings, &due[i])
		if err != nil || !good {
			return false, err
		}
	}
	return true, nil
}

// close ends everything that waits in a channel's queue, or what is older than an
// instant.
func (s *Service) close(ctx context.Context, fence store.Fence, channelID string, before time.Time, state models.NotificationState, reason string) error {
	for {
		n, err := s.cfg.Store.CloseQueue(ctx, fence, channelID, before, state, reason, dropBatch)
		if err != nil || n < dropBatch {
			return err
		}
	}
}

// merge puts a summary in the place of what has piled up.
func (s *Service) merge(ctx context.Context, fence store.Fence, c *models.AlertChannel, due []models.Notification, now time.Time) (bool, error) {
	if toMerge(due, c, now) == nil {
		return false, nil
	}
	all, err := s.cfg.Store.NotificationsDue(ctx, c.ID, now, mergeMost)
	if err != nil {
		return false, err
	}
	some := toMerge(all, c, now)
	if some == nil {
		return false, nil
	}
	summary, err := merge(some, c, now)
	if err != nil {
		return false, err
	}
	ids := make([]string, len(some))
	for i := range some {
		ids[i] = some[i].ID
	}
	err = s.cfg.Store.MergeNotifications(ctx, fence, ids, summary, "It is told by the summary "+summary.ID+".")
	if errors.Is(err, store.ErrNotificationMoved) {
		return true, nil // look again
	}
	if err == nil {
		s.cfg.Notifier.NotificationsChanged(ctx, append(ids, summary.ID))
	}
	return true, err
}

// wait waits for the channel's token and answers false when the service stops first.
func (s *Service) wait(ctx context.Context, l *line, c *models.AlertChannel) bool {
	now := s.cfg.Clock.Now()
	perSecond, burst := rate.Limit(float64(c.PerMinute)/60), max(c.Burst, 1)
	if l.limiter == nil {
		l.limiter = rate.NewLimiter(perSecond, burst)
	}
	l.limiter.SetLimitAt(now, perSecond)
	l.limiter.SetBurstAt(now, burst)
	timer := time.NewTimer(l.limiter.ReserveN(now, 1).DelayFrom(now))
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			return !s.stops()
		case <-ctx.Done():
			return false
		case <-time.After(every): // a stop does not wait for tokens
			if s.stops() {
				return false
			}
		}
	}
}

func (s *Service) stops() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopping
}

// try sends one notification and settles it. Good is false when the channel is to pause.
func (s *Service) try(ctx context.Context, fence store.Fence, l *line, c *models.AlertChannel, settings *channel.Settings, n *models.Notification) (good bool, err error) {
	if epoch, ours := s.cfg.Owner.Partitions()[Partition]; !ours || epoch != fence[Partition] {
		return false, nil
	}
	began := s.cfg.Clock.Now()
	out, note, result := s.send(ctx, c, settings, n)
	if ctx.Err() != nil {
		return false, nil //nolint:nilerr // a stop ended the try; it is made again with the same id
	}
	o := s.outcome(c, n, result, began)
	o.Subject, o.Body = out.Text.Subject, out.Text.Body
	if note != "" && o.State == models.NotificationSent {
		o.Reason = note
	}
	if result.Class == channel.Permanent {
		o.Disable = "Its receiver refused for good: " + result.Error
		o.Notices = s.notices(ctx, c, o.Disable, began)
	}
	if err := s.cfg.Store.SettleDelivery(ctx, fence, o); err != nil {
		return false, err
	}
	s.paused(l, o.State, result, o.NextAt)
	ids := []string{n.ID}
	for i := range o.Notices {
		ids = append(ids, o.Notices[i].ID)
	}
	s.cfg.Notifier.NotificationsChanged(ctx, ids)
	if len(o.Notices) > 0 {
		s.loop.Wake()
	}
	return result.Class == channel.OK || result.Class == channel.Rejected, nil
}

// send renders a notification and makes the try.
func (s *Service) send(ctx context.Context, c *models.AlertChannel, settings *channel.Settings, n *models.Notification) (*channel.Outgoing, string, channel.Result) {
	out, note, err := s.compose(c, n)
	if err != nil {
		return out, note, channel.Result{Class: channel.Rejected, Error: err.Error()}
	}
	return out, note, s.cfg.Sender.Send(ctx, c.Kind, settings, out)
}

// compose renders a notification for its channel. A template of people that fails is no
// reason to be silent: the default is taken, and note says so.
func (s *Service) compose(c *models.AlertChannel, n *models.Notification) (out *channel.Outgoing, note string, err error) {
	out = &channel.Outgoing{Notification: n, Message: &models.Message{}, Try: n.Tries + 1}
	if err := json.Unmarshal(n.Message, out.Message); err != nil {
		return out, "", fmt.Errorf("its message cannot be read: %w", err)
	}
	out.Message.ID = n.ID
	o := message.Options{Language: c.Language, Dropped: c.Dropped, BaseURL: s.cfg.BaseURL()}
	o.Subject, o.Body = channel.TemplateOf(c, n.Kind)
	out.Text, err = channel.Compose(c.Kind, *out.Message, o)
	if err != nil && (o.Subject != "" || o.Body != "") {
		note = "Sent with the default text. " + err.Error()
		o.Subject, o.Body = "", ""
		out.Text, err = channel.Compose(c.Kind, *out.Message, o)
	}
	return out, note, err
}

// unreadable settles a try that could not be made because this server cannot open the
// channel's secrets.
func (s *Service) unreadable(ctx context.Context, fence store.Fence, c *models.AlertChannel, n *models.Notification, l *line, err error) error {
	result := channel.Result{Class: channel.Temporary, Error: err.Error()}
	o := s.outcome(c, n, result, s.cfg.Clock.Now())
	if err := s.cfg.Store.SettleDelivery(ctx, fence, o); err != nil {
		return err
	}
	s.paused(l, o.State, result, o.NextAt)
	return nil
}

// paused notes how the channel fares: after a failure it is left alone for a while.
func (s *Service) paused(l *line, state models.NotificationState, r channel.Result, next time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Class != channel.Temporary {
		l.failures, l.pause = 0, time.Time{}
		return
	}
	l.failures++
	now := s.cfg.Clock.Now()
	l.pause = now.Add(max(min(backoff(l.failures), longestPause), r.RetryAfter))
	if state == models.NotificationQueued && next.Before(l.pause) {
		l.pause = next
	}
}
