package book

import (
	"context"
	"encoding/json"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/channel"
	"github.com/belfry-scheduler/belfry/services/alert/message"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Bounds of a channel.
const (
	maxName    = 100
	maxRate    = 6000 // messages a minute
	maxBurst   = 1000
	minAge     = time.Minute
	maxAge     = 7 * 24 * time.Hour
	defaultAge = 24 * time.Hour
)

// Input is what people enter of a channel; nil keeps what is there, or the default.
type Input struct {
	Name      string
	Kind      models.ChannelKind
	Enabled   *bool
	Language  *string // en or zh-CN
	PerMinute *int    // messages a minute, 1 to 6,000
	Burst     *int    // messages at once, 1 to 1,000
	MaxAge    *time.Duration
	Templates []models.ChannelTemplate // nil keeps
	Version   *int                     // of the row that was edited; nil: not checked
	Settings  *channel.Settings        // secrets left out stay
}

// apply checks the input and puts it into a row.
func (s *Service) apply(ctx context.Context, c *models.AlertChannel, in Input) error {
	var wrong fault.List
	wrong.Add(check.Line("name", in.Name, maxName))
	c.Name = in.Name
	if in.Enabled != nil && *in.Enabled != c.Enabled {
		c.Enabled, c.DisabledReason = *in.Enabled, ""
	}
	if in.Language != nil {
		if !slices.Contains(message.Languages(), *in.Language) {
			wrong.Add(fault.At("language", fault.Invalid, "language is %s; it must be en or zh-CN.", check.Quote(*in.Language)))
		}
		c.Language = *in.Language
	}
	if in.PerMinute != nil {
		wrong.Add(check.Number("perMinute", *in.PerMinute, 1, maxRate))
		c.PerMinute = *in.PerMinute
	}
	if in.Burst != nil {
		wrong.Add(check.Number("burst", *in.Burst, 1, maxBurst))
		c.Burst = *in.Burst
	}
	if in.MaxAge != nil {
		wrong.Add(check.Span("maxAge", *in.MaxAge, minAge, maxAge))
		c.MaxAgeMS = in.MaxAge.Milliseconds()
	}
	wrong = append(wrong, setTemplates(c, in.Templates)...)
	if err := s.setSettings(ctx, c, in.Settings); err != nil {
		if len(fault.All(err)) == 0 {
			return err
		}
		wrong = append(wrong, fault.All(err)...)
	}
	return wrong.Err()
}

// setTemplates checks templates against samples of their kinds.
func setTemplates(c *models.AlertChannel, templates []models.ChannelTemplate) fault.List {
	if templates == nil {
		return nil
	}
	var wrong fault.List
	seen := map[models.MessageKind]bool{}
	kept := []models.ChannelTemplate{}
	for i, t := range templates {
		path := fmt.Sprintf("templates.%d", i)
		if seen[t.Kind] {
			wrong.Add(fault.At(path+".kind", fault.Invalid, "There are two templates for %s; give one.", t.Kind))
		}
		seen[t.Kind] = true
		if err := message.Check(t.Kind, t.Subject, t.Body); err != nil {
			wrong = append(wrong, fault.All(fault.Prefix(path, err))...)
		}
		if t.Subject != "" || t.Body != "" {
			kept = append(kept, t)
		}
	}
	c.Templates = nil
	if len(kept) > 0 {
		raw, err := json.Marshal(kept)
		if err == nil { // plain texts always marshal
			c.Templates = raw
		}
	}
	return wrong
}

// setSettings checks settings and puts them into a row. Faults have the kind's name in
// front of their fields.
func (s *Service) setSettings(ctx context.Context, c *models.AlertChannel, settings *channel.Settings) error {
	if settings == nil {
		return nil
	}
	under := strings.ToLower(c.Kind.String())
	if len(c.Settings) > 0 {
		stored, err := channel.Load(c, s.Box)
		if fault.Is(err, fault.Unavailable) {
			stored, err = &channel.Settings{}, nil // they cannot be opened: the new ones replace them
		}
		if err != nil {
			return err
		}
		settings.Secret.Keep(&stored.Secret)
	}
	if err := channel.Check(c.Kind, settings); err != nil {
		return fault.Prefix(under, err)
	}
	if settings.Secret.URL != "" {
		if err := s.Sender.CheckReach(ctx, settings.Secret.URL); err != nil {
			return fault.Prefix(under, err)
		}
	}
	return channel.Save(c, settings, s.Box)
}

// Contact is what people enter of how they are reached; nil keeps.
type Contact struct {
	Email, Mobile, FeishuID, WecomID, SlackID, TelegramID, DiscordID *string
}

// People answers how everybody is reached, by name.
func (s *Service) People(ctx context.Context) ([]models.Contact, error) {
	return s.Store.Contacts(ctx, nil)
}

// PeopleByIDs answers how these people are reached, in no order.
func (s *Service) PeopleByIDs(ctx context.Context, ids []string) ([]models.Contact, error) {
	if ids == nil {
		ids = []string{}
	}
	return s.Store.Contacts(ctx, ids)
}

// SetContact notes how a person is reached. Faults: INVALID, NOT_FOUND.
func (s *Service) SetContact(ctx context.Context, actor, userID string, in Contact) (models.Contact, error) {
	rows, err := s.PeopleByIDs(ctx, []string{userID})
	if err != nil {
		return models.Contact{}, err
	}
	if len(rows) == 0 {
		return models.Contact{}, fault.At("person", fault.NotFound, "There is no account %q.", userID)
	}
	c := rows[0]
	var wrong fault.List
	for _, f := range []struct {
		name  string
		given *string
		to    *string
	}{
		{"email", in.Email, &c.Email},
		{"mobile", in.Mobile, &c.Mobile},
		{"feishuId", in.FeishuID, &c.FeishuID},
		{"wecomId", in.WecomID, &c.WecomID},
		{"slackId", in.SlackID, &c.SlackID},
		{"telegramId", in.TelegramID, &c.TelegramID},
		{"discordId", in.DiscordID, &c.DiscordID},
	} {
		if f.given == nil {
			continue
		}
		*f.to = strings.TrimSpace(*f.given)
		wrong.Add(checkContact(f.name, *f.to))
	}
	if err := wrong.Err(); err != nil {
		return models.Contact{}, err
	}
	now := s.Clock.Now()
	audit := record(now, actor, "user.contacts", userID, nil)
	audit.Kind = "user"
	return s.Store.SetContact(ctx, c, now, audit)
}

// everybody are words that services take for all members of a group.
var everybody = []string{"all", "@all", "everyone", "@everyone", "here", "@here", "channel", "@channel"}

// checkContact says what is wrong with one way to reach a person. Ids go into markup of
// services, so that they hold nothing but what ids hold, and name one person.
func checkContact(field, text string) *fault.Error {
	if text == "" {
		return nil
	}
	if field == "email" {
		if a, err := mail.ParseAddress(text); err != nil || a.Address != text || len(text) > 200 {
			return fault.At(field, fault.Invalid, "email is %s; write an address such as ann@example.com.", check.Quote(text))
		}
		return nil
	}
	strange := strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_-.+@", r)
	})
	if slices.Contains(everybody, strings.ToLower(text)) {
		return fault.At(field, fault.Invalid, "%s is %s, which would call everybody; write the id of one person.", field, check.Quote(text))
	}
	if strange || len(text) > 100 {
		return fault.At(field, fault.Invalid, "%s is %s; it has at most 100 letters, digits and the characters _ - . + @.", field, check.Quote(text))
	}
	return nil
}
