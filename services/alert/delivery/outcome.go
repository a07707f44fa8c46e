package delivery

import (
	"context"
	"encoding/json"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/channel"
	"github.com/belfry-scheduler/belfry/services/alert/message"
	"github.com/belfry-scheduler/belfry/services/store"
)

// waits are those before the second and later tries of a message; the last is repeated
// until the message is too old.
var waits = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour,
}

// longestPause is how long a channel that fails is left alone at most: so soon after its
// receiver is back, it is noticed.
const longestPause = 5 * time.Minute

// backoff is the wait after so many failures.
func backoff(failures int) time.Duration {
	return waits[min(max(failures, 1), len(waits))-1]
}

// outcome says what a try came to.
func (s *Service) outcome(c *models.AlertChannel, n *models.Notification, r channel.Result, began time.Time) store.DeliveryOutcome {
	ended := s.cfg.Clock.Now()
	o := store.DeliveryOutcome{
		NotificationID: n.ID, ChannelID: c.ID, Tries: n.Tries, NextAt: n.NextAt, ToldDropped: c.Dropped,
		Try: models.DeliveryTry{At: began, DurationMS: ended.Sub(began).Milliseconds(), Status: r.Status, Response: r.Response, Error: r.Error},
	}
	switch r.Class {
	case channel.OK:
		o.State, o.Reason = models.NotificationSent, "The receiver has taken it."
	case channel.Rejected:
		o.State, o.Reason = models.NotificationFailed, "The receiver does not take it: "+r.Error
	case channel.Permanent:
		o.State, o.Reason = models.NotificationFailed, "The channel was switched off: "+r.Error
	case channel.Temporary:
		o.State, o.Reason = models.NotificationQueued, "The last try failed: "+r.Error
		o.NextAt = ended.Add(max(backoff(n.Tries+1), r.RetryAfter))
		o.Try.NextAt = &o.NextAt
	}
	return o
}

// notices tell by another channel that one was switched off: by the one that worked
// last. Without another channel only the console tells.
func (s *Service) notices(ctx context.Context, c *models.AlertChannel, why string, at time.Time) []models.Notification {
	all, err := s.cfg.Store.Channels(ctx)
	if err != nil {
		s.cfg.Logger.ErrorContext(ctx, "no notice that a channel was switched off", "channel", c.ID, "error", err)
		return nil
	}
	var best *models.AlertChannel
	for i := range all {
		other := &all[i]
		if other.ID != c.ID && other.Enabled && (best == nil || later(other.LastSentAt, best.LastSentAt)) {
			best = other
		}
	}
	if best == nil {
		return nil
	}
	m := models.Message{
		ID: models.NewID(at), Kind: models.MessageChannelDisabled, Severity: models.SeverityWarning, At: at,
		Note: message.DisabledNote(best.Language, c.Name, why),
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return nil // plain texts always marshal
	}
	return []models.Notification{{
		ID: m.ID, ChannelID: best.ID, Kind: m.Kind, Severity: m.Severity, GroupKey: "channel:" + c.ID, Message: raw, CreatedAt: at,
	}}
}

// later says whether a is after b; nil is never.
func later(a, b *time.Time) bool { return a != nil && (b == nil || a.After(*b)) }
