// Package book keeps the channels and how people are reached, and answers what was sent:
// it checks what people enter, seals secrets, tests channels, previews texts and has
// notifications sent again. Sending itself is services/alert/delivery's.
package book

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/channel"
	"github.com/belfry-scheduler/belfry/services/alert/message"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

// What reads take and answer; the shapes are the ledger's.
type (
	// Page says which part of a list: by the positions before and after it.
	Page = store.Page
	// PageInfo says whether the list goes on at either end.
	PageInfo = store.PageInfo
	// Filter chooses notifications.
	Filter = store.NotificationFilter
)

// Notifier tells others, after the commit. It is a hint and may be lost; it must return
// quickly.
type Notifier interface {
	// NotificationsQueued says that something waits to be sent.
	NotificationsQueued(ctx context.Context)
	// NotificationsChanged says that notifications are new or have changed.
	NotificationsChanged(ctx context.Context, ids []string)
}

// Box seals secrets, and says which were sealed with an older key.
type Box interface {
	channel.Box
	Stale(sealed string) bool
}

// Sender makes one try, and says whether an address may be reached.
type Sender interface {
	Send(ctx context.Context, k models.ChannelKind, s *channel.Settings, out *channel.Outgoing) channel.Result
	CheckReach(ctx context.Context, url string) error
}

// Config is what the service needs.
type Config struct {
	Store    *store.Store
	Sender   Sender
	Box      Box
	Clock    clock.Clock
	Logger   *slog.Logger
	Notifier Notifier
	BaseURL  func() string // the console's address for links; empty: no links
}

// Service is the book.
type Service struct{ Config }

// New makes the service.
func New(c Config) *Service { return &Service{Config: c} }

// Start seals anew what was sealed with an older key. What this server cannot open stays.
func (s *Service) Start(ctx context.Context) error {
	all, err := s.Store.Channels(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		c := &all[i]
		if !s.Box.Stale(c.Sealed) {
			continue
		}
		settings, err := channel.Load(c, s.Box)
		if err == nil {
			err = channel.Save(c, settings, s.Box)
		}
		if err == nil {
			err = s.Store.Resealed(ctx, c.ID, c.Version, c.Sealed)
		}
		if err != nil {
			s.Logger.WarnContext(ctx, "the secrets of a channel cannot be sealed with the present key", "channel", c.Name, "error", err)
		}
	}
	return nil
}

// Stop ends nothing.
func (s *Service) Stop(context.Context) error { return nil }

// Create makes a channel. Faults, all those of the input at once: INVALID, REQUIRED,
// LIMIT, TAKEN (name), UNSUPPORTED (there is no key for secrets).
func (s *Service) Create(ctx context.Context, actor string, in Input) (models.AlertChannel, error) {
	now := s.Clock.Now()
	info := channel.InfoOf(in.Kind)
	c := models.AlertChannel{
		ID: models.NewID(now), Kind: in.Kind, Enabled: true, Language: message.English, PerMinute: info.PerMinute, Burst: info.Burst,
		MaxAgeMS: defaultAge.Milliseconds(), Version: 1, CreatedBy: actor, CreatedAt: now, UpdatedAt: now,
	}
	if in.Settings == nil {
		in.Settings = &channel.Settings{}
	}
	if err := s.apply(ctx, &c, in); err != nil {
		return models.AlertChannel{}, err
	}
	if err := s.Store.CreateChannel(ctx, c, record(now, actor, "channel.create", c.ID, map[string]any{"name": c.Name, "kind": c.Kind.String()})); err != nil {
		return models.AlertChannel{}, err
	}
	return c, nil
}

// Update changes a channel; secrets that are left out stay. Faults as of Create, and
// NOT_FOUND, CONFLICT when the version differs.
func (s *Service) Update(ctx context.Context, actor, id string, in Input) (models.AlertChannel, error) {
	return s.change(ctx, id, func(c *models.AlertChannel, now time.Time) (models.Audit, error) {
		if in.Version != nil && *in.Version != c.Version {
			return models.Audit{}, fault.At("version", fault.Conflict, "The channel has been changed meanwhile, it is at version %d now; read it again.", c.Version)
		}
		if in.Kind != c.Kind {
			return models.Audit{}, fault.At("kind", fault.Invalid, "The channel is of the kind %s, which cannot be changed; create another channel.", c.Kind)
		}
		return record(now, actor, "channel.update", c.ID, map[string]any{"name": c.Name}), s.apply(ctx, c, in)
	})
}

// SetEnabled switches a channel on or off. What waits in one that is switched off is not
// sent. Fault: NOT_FOUND.
func (s *Service) SetEnabled(ctx context.Context, actor, id string, enabled bool) (models.AlertChannel, error) {
	return s.change(ctx, id, func(c *models.AlertChannel, now time.Time) (models.Audit, error) {
		c.Enabled, c.DisabledReason = enabled, ""
		action := map[bool]string{true: "channel.enable", false: "channel.disable"}[enabled]
		return record(now, actor, action, c.ID, map[string]any{"name": c.Name}), nil
	})
}

func (s *Service) change(ctx context.Context, id string, edit func(*models.AlertChannel, time.Time) (models.Audit, error)) (models.AlertChannel, error) {
	c, err := s.Store.UpdateChannel(ctx, id, func(c *models.AlertChannel) (models.Audit, error) {
		now := s.Clock.Now()
		audit, err := edit(c, now)
		c.UpdatedAt = now
		return audit, err
	})
	if err == nil {
		s.Notifier.NotificationsQueued(ctx)
	}
	return c, err
}

// Delete takes a channel away; what it has sent stays readable. Faults: NOT_FOUND,
// CONFLICT while a report is sent by it.
func (s *Service) Delete(ctx context.Context, actor, id string) (models.AlertChannel, error) {
	c, err := s.Store.DeleteChannel(ctx, id, record(s.Clock.Now(), actor, "channel.delete", id, nil))
	if err == nil {
		s.Notifier.NotificationsQueued(ctx)
	}
	return c, err
}

// Shown are a channel's settings with the secrets hidden. One whose secrets this server
// cannot open shows the others.
func (s *Service) Shown(ctx context.Context, c *models.AlertChannel) map[string]any {
	settings, err := channel.Load(c, s.Box)
	if err == nil {
		return settings.Shown()
	}
	s.Logger.WarnContext(ctx, "the secrets of a channel cannot be opened", "channel", c.Name, "error", err)
	bare := *c
	bare.Sealed = ""
	if settings, err = channel.Load(&bare, s.Box); err != nil {
		return map[string]any{}
	}
	return settings.Shown()
}

// Channels answers all channels by name.
func (s *Service) Channels(ctx context.Context) ([]models.AlertChannel, error) {
	return s.Store.Channels(ctx)
}

// Channel answers one channel. Fault: NOT_FOUND.
func (s *Service) Channel(ctx context.Context, id string) (models.AlertChannel, error) {
	return s.Store.Channel(ctx, id)
}

// ChannelsByIDs answers the channels that exist among ids, in no order.
func (s *Service) ChannelsByIDs(ctx context.Context, ids []string) ([]models.AlertChannel, error) {
	return s.Store.ChannelsByIDs(ctx, ids)
}

// Queued answers how many notifications wait in each of these channels.
func (s *Service) Queued(ctx context.Context, ids []string) (map[string]int, error) {
	return s.Store.QueuedByChannel(ctx, ids)
}

func record(now time.Time, actor, action, id string, detail map[string]any) models.Audit {
	kind := "channel"
	a := models.Audit{ID: models.NewID(now), At: now, Actor: actor, Action: action, Kind: kind, Object: id}
	if len(detail) > 0 {
		if raw, err := json.Marshal(detail); err == nil { // plain values always marshal
			a.Detail = raw
		}
	}
	return a
}
