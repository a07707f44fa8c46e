package book

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/channel"
	"github.com/belfry-scheduler/belfry/services/alert/message"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// TestResult is what a test of a channel came to.
type TestResult struct {
	OK       bool
	Status   int // 0: there was no answer
	Response string
	Error    string
	Duration time.Duration
}

// Test sends a test message by a channel at once, whether it is switched on or not, and
// notes it among the notifications. Fault: NOT_FOUND.
func (s *Service) Test(ctx context.Context, actor, id string) (TestResult, error) {
	c, err := s.Store.Channel(ctx, id)
	if err != nil {
		return TestResult{}, err
	}
	settings, err := channel.Load(&c, s.Box)
	if err != nil {
		return TestResult{}, err
	}
	now := s.Clock.Now()
	m := models.Message{ID: models.NewID(now), Kind: models.MessageChannelTest, Severity: models.SeverityInfo, At: now, Note: actor}
	raw, err := json.Marshal(m)
	if err != nil {
		return TestResult{}, fmt.Errorf("writing a test message: %w", err)
	}
	n := models.Notification{
		ID: m.ID, ChannelID: c.ID, Kind: m.Kind, Severity: m.Severity, State: models.NotificationSent, GroupKey: "test", Message: raw,
		Tries: 1, CreatedAt: now, SentAt: &now, Reason: "A person tested the channel.",
	}
	o := message.Options{Language: c.Language, BaseURL: s.BaseURL()}
	o.Subject, o.Body = channel.TemplateOf(&c, n.Kind)
	text, err := channel.Compose(c.Kind, m, o)
	if err != nil {
		return TestResult{}, err
	}
	n.Subject, n.Body = text.Subject, text.Body
	r := s.Sender.Send(ctx, c.Kind, settings, &channel.Outgoing{Notification: &n, Message: &m, Text: text, Try: 1})
	took := s.Clock.Now().Sub(now)
	if r.Class != channel.OK {
		n.State, n.SentAt, n.Reason = models.NotificationFailed, nil, "A person tested the channel: "+r.Error
	}
	try := models.DeliveryTry{NotificationID: n.ID, Number: 1, At: now, DurationMS: took.Milliseconds(), Status: r.Status, Response: r.Response, Error: r.Error}
	audit := record(now, actor, "channel.test", c.ID, map[string]any{"ok": r.Class == channel.OK})
	if err := s.Store.NoteTest(ctx, n, try, audit); err != nil {
		return TestResult{}, err
	}
	s.Notifier.NotificationsChanged(ctx, []string{n.ID})
	return TestResult{OK: r.Class == channel.OK, Status: r.Status, Response: r.Response, Error: r.Error, Duration: took}, nil
}

// Replay has a notification sent once more, with the same id. Faults: NOT_FOUND, CONFLICT
// while it waits, or its channel is switched off or gone.
func (s *Service) Replay(ctx context.Context, actor, id string) (models.Notification, error) {
	now := s.Clock.Now()
	audit := record(now, actor, "notification.replay", id, nil)
	audit.Kind = "notification"
	n, err := s.Store.ReplayNotification(ctx, id, now, audit)
	if err == nil {
		s.Notifier.NotificationsQueued(ctx)
		s.Notifier.NotificationsChanged(ctx, []string{id})
	}
	return n, err
}

// PreviewInput says what to show. Either ChannelID or Kind is given.
type PreviewInput struct {
	ChannelID string
	Kind      models.ChannelKind
	Message   models.MessageKind
	Language  string // empty: the channel's, or English
	Subject   string // empty: the channel's, or the default
	Body      string
	Incident  string // its latest message; empty: a sample
}

// Preview is how a message would look.
type Preview struct {
	channel.Composed
	Err fault.List // why the templates cannot be used; the texts are empty then
}

// Preview renders a message as a channel would get it, and sends nothing. Faults:
// NOT_FOUND, REQUIRED.
func (s *Service) Preview(ctx context.Context, in PreviewInput) (Preview, error) {
	o := message.Options{Language: in.Language, Subject: in.Subject, Body: in.Body, BaseURL: s.BaseURL()}
	kind := in.Kind
	if in.ChannelID != "" {
		c, err := s.Store.Channel(ctx, in.ChannelID)
		if err != nil {
			return Preview{}, fault.Prefix("channel", err)
		}
		kind = c.Kind
		o.Language = orElse(o.Language, c.Language)
		subject, body := channel.TemplateOf(&c, in.Message)
		o.Subject, o.Body = orElse(o.Subject, subject), orElse(o.Body, body)
	}
	if kind == 0 {
		return Preview{}, fault.At("kind", fault.Required, "Give the channel, or the kind of channel, to show the message for.")
	}
	m := message.Sample(in.Message)
	if in.Incident != "" {
		rows, _, err := s.Store.NotificationPage(ctx, Filter{IncidentID: in.Incident}, Page{First: 1})
		if err != nil {
			return Preview{}, err
		}
		if len(rows) == 0 {
			return Preview{}, fault.At("incident", fault.NotFound, "Nothing has been told of the incident %q yet; preview a sample instead.", in.Incident)
		}
		if err := json.Unmarshal(rows[0].Message, &m); err != nil {
			return Preview{}, fmt.Errorf("reading notification %s: %w", rows[0].ID, err)
		}
		m.Kind = in.Message
	}
	if err := message.Check(in.Message, in.Subject, in.Body); err != nil {
		return Preview{Err: fault.All(err)}, nil
	}
	text, err := channel.Compose(kind, m, o)
	if wrong := fault.All(err); len(wrong) > 0 {
		return Preview{Err: wrong}, nil
	}
	return Preview{Composed: text}, err
}

func orElse(text, other string) string {
	if text != "" {
		return text
	}
	return other
}

// Rendered is a notification's text: as it was sent, or as it would be sent now.
func (s *Service) Rendered(n *models.Notification, c *models.AlertChannel) (subject, body string) {
	if n.Subject != "" || n.Body != "" || c == nil {
		return n.Subject, n.Body
	}
	var m models.Message
	if json.Unmarshal(n.Message, &m) != nil {
		return "", "" // written by hand; there is nothing to show
	}
	m.ID = n.ID
	text, err := channel.Compose(c.Kind, m, message.Options{Language: c.Language, BaseURL: s.BaseURL()})
	if err != nil {
		return "", ""
	}
	return text.Subject, text.Body
}

// Notification answers one notification. Fault: NOT_FOUND.
func (s *Service) Notification(ctx context.Context, id string) (models.Notification, error) {
	return s.Store.Notification(ctx, id)
}

// NotificationsByIDs answers the notifications that exist among ids, in no order.
func (s *Service) NotificationsByIDs(ctx context.Context, ids []string) ([]models.Notification, error) {
	return s.Store.NotificationsByIDs(ctx, ids)
}

// Page answers a page of notifications, newest first; positions are ids. Fault: INVALID.
func (s *Service) Page(ctx context.Context, f Filter, p Page) ([]models.Notification, PageInfo, error) {
	return s.Store.NotificationPage(ctx, f, p)
}

// OfIncidents answers the latest notifications of each of these incidents.
func (s *Service) OfIncidents(ctx context.Context, ids []string, each int) (map[string][]models.Notification, error) {
	return s.Store.NotificationsOfIncidents(ctx, ids, each)
}

// Tries answers the tries of these notifications in order.
func (s *Service) Tries(ctx context.Context, ids []string) (map[string][]models.DeliveryTry, error) {
	return s.Store.DeliveryTries(ctx, ids)
}
