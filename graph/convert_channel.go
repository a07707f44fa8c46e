package graph

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/book"
	"github.com/belfry-scheduler/belfry/services/alert/channel"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

func channelOf(c *models.AlertChannel) *gqlmodel.AlertChannel {
	if c == nil {
		return nil
	}
	shown := &gqlmodel.AlertChannel{
		ID: c.ID, Name: c.Name, Kind: c.Kind, Enabled: c.Enabled, DisabledReason: text(c.DisabledReason), Language: c.Language,
		PerMinute: c.PerMinute, Burst: c.Burst, MaxAge: c.MaxAge(), Templates: []*gqlmodel.ChannelTemplate{}, LastSentAt: c.LastSentAt,
		LastError: text(c.LastError), CreatedBy: c.CreatedBy, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt, Version: c.Version, Row: c,
	}
	for _, t := range channel.Templates(c) {
		shown.Templates = append(shown.Templates, &gqlmodel.ChannelTemplate{Kind: t.Kind, Subject: text(t.Subject), Body: text(t.Body)})
	}
	return shown
}

// channelPayload makes the answer of the channel mutations.
func channelPayload(saved *models.AlertChannel) func([]*gqlmodel.UserError, error) (*gqlmodel.AlertChannelPayload, error) {
	return func(refused []*gqlmodel.UserError, err error) (*gqlmodel.AlertChannelPayload, error) {
		if err != nil || len(refused) > 0 {
			return &gqlmodel.AlertChannelPayload{UserErrors: refused}, err
		}
		return &gqlmodel.AlertChannelPayload{Channel: channelOf(saved), UserErrors: refused}, nil
	}
}

// channelInput reads the input of a channel. Fault: INVALID when settings of another
// kind than its own are given, or its headers are no texts.
func channelInput(in *gqlmodel.AlertChannelInput) (book.Input, error) {
	out := book.Input{
		Name: in.Name, Kind: in.Kind, Enabled: in.Enabled.Value(), Language: in.Language.Value(), PerMinute: in.PerMinute.Value(),
		Burst: in.Burst.Value(), MaxAge: in.MaxAge.Value(), Version: in.Version.Value(),
	}
	if given := in.Templates.Value(); given != nil {
		out.Templates = []models.ChannelTemplate{}
		for _, t := range given {
			out.Templates = append(out.Templates, models.ChannelTemplate{Kind: t.Kind, Subject: or(t.Subject.Value(), ""), Body: or(t.Body.Value(), "")})
		}
	}
	all, err := channelSettings(in)
	if err != nil {
		return out, err
	}
	out.Settings = all[in.Kind]
	for kind := range all {
		if kind != in.Kind {
			return out, fault.At(strings.ToLower(kind.String()), fault.Invalid, "These are settings of %s; the channel is of the kind %s.", kind, in.Kind)
		}
	}
	return out, nil
}

// channelSettings reads the settings that are given, by kind.
func channelSettings(in *gqlmodel.AlertChannelInput) (map[models.ChannelKind]*channel.Settings, error) {
	all := map[models.ChannelKind]*channel.Settings{}
	for kind, b := range map[models.ChannelKind]*gqlmodel.BotInput{
		models.ChannelWeCom: in.Wecom.Value(), models.ChannelSlack: in.Slack.Value(), models.ChannelTeams: in.Teams.Value(), models.ChannelDiscord: in.Discord.Value(),
	} {
		if b != nil {
			all[kind] = &channel.Settings{Secret: channel.Secrets{URL: given(b.URL)}}
		}
	}
	if d := in.Dingtalk.Value(); d != nil {
		all[models.ChannelDingTalk] = &channel.Settings{MentionMobiles: d.MentionMobiles.Value(), Secret: channel.Secrets{URL: given(d.URL), Secret: given(d.Secret)}}
	}
	if f := in.Feishu.Value(); f != nil {
		all[models.ChannelFeishu] = &channel.Settings{Secret: channel.Secrets{URL: given(f.URL), Secret: given(f.Secret)}}
	}
	if t := in.Telegram.Value(); t != nil {
		all[models.ChannelTelegram] = &channel.Settings{Chat: t.Chat, Thread: given(t.Thread), Secret: channel.Secrets{Token: given(t.Token)}}
	}
	if w := in.Webhook.Value(); w != nil {
		s := &channel.Settings{Secret: channel.Secrets{URL: given(w.URL), Secrets: w.Secrets.Value()}}
		if given := w.Headers.Value(); given != nil && json.Unmarshal(given, &s.Secret.Headers) != nil {
			return nil, fault.At("webhook.headers", fault.Invalid, "headers is no object of texts; write {\"Authorization\": \"Bearer …\"}.")
		}
		all[models.ChannelWebhook] = s
	}
	if e := in.Email.Value(); e != nil {
		all[models.ChannelEmail] = &channel.Settings{
			Host: e.Host, Port: e.Port, Security: string(e.Security), Username: given(e.Username), From: e.From, To: e.To,
			Secret: channel.Secrets{Password: given(e.Password)},
		}
	}
	return all, nil
}

func (r *Resolver) messagePreview(ctx context.Context, in *gqlmodel.MessagePreviewInput) (*gqlmodel.MessagePreview, error) {
	got, err := r.services.Book.Preview(ctx, book.PreviewInput{
		ChannelID: given(in.Channel), Kind: given(in.Kind), Message: in.Message, Language: given(in.Language),
		Subject: given(in.Subject), Body: given(in.Body), Incident: given(in.Incident),
	})
	if err != nil {
		return nil, fault.Prefix("input", err)
	}
	shown := &gqlmodel.MessagePreview{Subject: got.Subject, Body: got.Body, Bytes: len(got.Body), Truncated: got.Truncated}
	if len(got.Err) > 0 {
		e := got.Err[0]
		shown.Error = &gqlmodel.UserError{Code: string(e.Code), Field: append([]string{"input"}, e.Field...), Message: e.Message}
	}
	return shown, nil
}

func personOf(c *models.Contact) *gqlmodel.Person {
	return &gqlmodel.Person{ID: c.UserID, Name: c.Name, Contacts: &gqlmodel.Contacts{
		Email: c.Email, Mobile: c.Mobile, FeishuID: c.FeishuID, WecomID: c.WecomID, SlackID: c.SlackID, TelegramID: c.TelegramID, DiscordID: c.DiscordID,
	}}
}

// updateContacts notes how a person is reached: oneself, or others as an administrator.
func (r *Resolver) updateContacts(ctx context.Context, in *gqlmodel.UpdateContactsInput) (*gqlmodel.PersonPayload, error) {
	caller := request.Caller(ctx)
	person := given(in.Person)
	if person == "" {
		person = caller.UserID
	}
	var err error
	var saved models.Contact
	switch {
	case person == "":
		err = fault.At("person", fault.Required, "An API token is no person; say whose contacts to change.")
	case person != caller.UserID && caller.Role < models.RoleAdmin:
		err = fault.At("person", fault.Forbidden, "Only an administrator changes the contacts of others.")
	default:
		saved, err = r.services.Book.SetContact(ctx, caller.Name, person, book.Contact{
			Email: in.Email.Value(), Mobile: in.Mobile.Value(), FeishuID: in.FeishuID.Value(), WecomID: in.WecomID.Value(),
			SlackID: in.SlackID.Value(), TelegramID: in.TelegramID.Value(), DiscordID: in.DiscordID.Value(),
		})
	}
	refused, err := inInput("person", err)
	if err != nil || len(refused) > 0 {
		return &gqlmodel.PersonPayload{UserErrors: refused}, err
	}
	return &gqlmodel.PersonPayload{Person: personOf(&saved), UserErrors: refused}, nil
}
