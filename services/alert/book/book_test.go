package book

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/channel"
	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/seal"
)

const (
	actor  = "ann"
	oldKey = "0123456789abcdef0123456789abcdef"
	newKey = "fedcba9876543210fedcba9876543210"
)

// post stands for the world outside: it keeps what is sent and answers as it is told.
type post struct {
	sent   []*channel.Outgoing
	kept   []*channel.Settings
	answer channel.Result
	inside string // an address that must not be reached
}

func (p *post) Send(_ context.Context, _ models.ChannelKind, s *channel.Settings, out *channel.Outgoing) channel.Result {
	p.sent, p.kept = append(p.sent, out), append(p.kept, s)
	return p.answer
}

func (p *post) CheckReach(_ context.Context, url string) error {
	if p.inside != "" && strings.HasPrefix(url, p.inside) {
		return fault.At("url", fault.Forbidden, "It is inside.")
	}
	return nil
}

type heard struct{ queued, changed int }

func (h *heard) NotificationsQueued(context.Context)            { h.queued++ }
func (h *heard) NotificationsChanged(context.Context, []string) { h.changed++ }

// desk is a book on an empty ledger.
type desk struct {
	*testing.T
	*Service
	post  *post
	heard *heard
	clock *testledger.Clock
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	clock := testledger.NewClock(time.Date(2026, 3, 8, 2, 0, 0, 0, time.UTC))
	d := &desk{T: t, clock: clock, post: &post{answer: channel.Result{Status: 200, Response: "ok"}}, heard: &heard{}}
	d.Service = New(Config{
		Store: testledger.Open(t, clock), Sender: d.post, Box: box(t, oldKey, ""), Clock: clock, Logger: slog.New(slog.DiscardHandler),
		Notifier: d.heard, BaseURL: func() string { return "https://belfry.example.com" },
	})
	return d
}

func box(t *testing.T, current, old secret.Text) *seal.Box {
	t.Helper()
	b, err := seal.New(current, old)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func hook(secrets channel.Secrets) *channel.Settings { return &channel.Settings{Secret: secrets} }

func (d *desk) webhook(name string) models.AlertChannel {
	d.Helper()
	c, err := d.Create(d.Context(), actor, Input{Name: name, Kind: models.ChannelWebhook, Settings: hook(channel.Secrets{
		URL: "https://example.com/secret-path", Headers: map[string]string{"X-Team": "night-watch"},
	})})
	if err != nil {
		d.Fatal(err)
	}
	return c
}

// fields are the fields that an error finds wrong, in order.
func fields(err error) []string {
	var all []string
	for _, f := range fault.All(err) {
		all = append(all, string(f.Code)+" "+strings.Join(f.Field, "."))
	}
	slices.Sort(all)
	return all
}

// All that is wrong with a channel is said at once, each at its field, and nothing of it
// is written.
func TestWrongChannels(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.post.inside = "https://10.0.0.7"
	d.webhook("taken")
	tooOften, tooMany, tooLong := 6001, 1001, 8*24*time.Hour
	klingon := "tlh"
	for name, tt := range map[string]struct {
		in   Input
		want []string
	}{
		"everything": {
			Input{Kind: models.ChannelWebhook, Language: &klingon, PerMinute: &tooOften, Burst: &tooMany, MaxAge: &tooLong, Settings: hook(channel.Secrets{URL: "nowhere"})},
			[]string{"INVALID burst", "INVALID language", "INVALID maxAge", "INVALID perMinute", "INVALID webhook.url", "REQUIRED name"},
		},
		"a name that is taken": {Input{Name: "taken", Kind: models.ChannelWebhook, Settings: hook(channel.Secrets{URL: "https://example.com"})}, []string{"TAKEN name"}},
		"no settings":          {Input{Name: "x", Kind: models.ChannelTelegram}, []string{"INVALID telegram.chat", "REQUIRED telegram.token"}},
		"an address inside":    {Input{Name: "x", Kind: models.ChannelWebhook, Settings: hook(channel.Secrets{URL: "https://10.0.0.7/x"})}, []string{"FORBIDDEN webhook.url"}},
		"templates": {Input{Name: "x", Kind: models.ChannelWebhook, Settings: hook(channel.Secrets{URL: "https://example.com"}), Templates: []models.ChannelTemplate{
			{Kind: models.MessageProblem, Subject: "{{.Nothing}}"}, {Kind: models.MessageDigest, Body: "{{range"}, {Kind: models.MessageProblem, Body: "fine"},
		}}, []string{"INVALID templates.0.subject", "INVALID templates.1.body", "INVALID templates.2.kind"}},
	} {
		_, err := d.Create(t.Context(), actor, tt.in)
		if diff := cmp.Diff(tt.want, fields(err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s%v", name, diff, err)
		}
	}
	all, err := d.Channels(t.Context())
	if err != nil || len(all) != 1 {
		t.Errorf("there are %d channels after it (%v)", len(all), err)
	}
}

// A secret is in the ledger only sealed, is shown to nobody, and stays when it is left out
// or sent back as it is shown.
func TestSecretsStay(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	c := d.webhook("hook")
	if row := string(c.Settings) + c.Sealed; strings.Contains(row, "secret-path") || strings.Contains(row, "night-watch") {
		t.Errorf("the row holds a secret: %s", row)
	}
	shown := d.Shown(t.Context(), &c)
	want := map[string]any{"url": "https://example.com/" + secret.Mask, "headers": map[string]string{"X-Team": secret.Mask}}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Error(diff)
	}
	for name, given := range map[string]channel.Secrets{
		"left out": {},
		"as shown": {URL: "https://example.com/" + secret.Mask, Headers: map[string]string{"X-Team": secret.Mask}},
	} {
		after, err := d.Update(t.Context(), actor, c.ID, Input{Name: "hook", Kind: models.ChannelWebhook, Settings: hook(given)})
		if err != nil {
			t.Fatal(err)
		}
		got, err := channel.Load(&after, d.Box)
		if err != nil || got.Secret.URL != "https://example.com/secret-path" || got.Secret.Headers["X-Team"] != "night-watch" {
			t.Errorf("%s: %+v (%v)", name, got, err)
		}
	}
	after, err := d.Update(t.Context(), actor, c.ID, Input{Name: "hook", Kind: models.ChannelWebhook, Settings: hook(channel.Secrets{Headers: map[string]string{}})})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := channel.Load(&after, d.Box); err != nil || len(got.Secret.Headers) != 0 || got.Secret.URL == "" {
		t.Errorf("headers that were taken out: %+v (%v)", got, err)
	}
}

// Two people who edit the same channel do not undo one another, and its kind stays.
func TestEditsOfOthers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	c := d.webhook("hook")
	first := c.Version
	if _, err := d.SetEnabled(t.Context(), actor, c.ID, false); err != nil {
		t.Fatal(err)
	}
	_, err := d.Update(t.Context(), actor, c.ID, Input{Name: "mine", Kind: models.ChannelWebhook, Version: &first})
	if !fault.Is(err, fault.Conflict) {
		t.Errorf("an old version: %v", err)
	}
	if _, err := d.Update(t.Context(), actor, c.ID, Input{Name: "mine", Kind: models.ChannelSlack}); !fault.Is(err, fault.Invalid) {
		t.Errorf("another kind: %v", err)
	}
	now, err := d.Channel(t.Context(), c.ID)
	if err != nil || now.Name != "hook" || now.Enabled {
		t.Errorf("the channel is %+v (%v)", now, err)
	}
}

// At a start what the old key sealed is sealed with the new one, so that the old one can
// go; what neither can open stays as it is.
func TestKeysAreChangedAtStart(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	c := d.webhook("hook")
	d.Box = box(t, newKey, oldKey)
	if err := d.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	after, err := d.Channel(t.Context(), c.ID)
	if err != nil || after.Sealed == c.Sealed {
		t.Fatalf("it is sealed as before (%v)", err)
	}
	d.Box = box(t, newKey, "")
	if got, err := channel.Load(&after, d.Box); err != nil || got.Secret.URL != "https://example.com/secret-path" {
		t.Errorf("with the new key alone: %+v (%v)", got, err)
	}
	d.Box = box(t, "00000000000000000000000000000000", "")
	if err := d.Start(t.Context()); err != nil {
		t.Errorf("a start without the key: %v", err)
	}
	still, err := d.Channel(t.Context(), c.ID)
	if err != nil || still.Sealed != after.Sealed {
		t.Errorf("what cannot be opened was changed (%v)", err)
	}
	if shown := d.Shown(t.Context(), &still); shown["url"] != nil {
		t.Errorf("without the key it shows %v", shown)
	}
}

// A test is sent at once, also by a channel that is switched off, and is noted with what
// came of it.
func TestTestsAreNoted(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	c := d.webhook("hook")
	if _, err := d.SetEnabled(t.Context(), actor, c.ID, false); err != nil {
		t.Fatal(err)
	}
	if r, err := d.Test(t.Context(), actor, c.ID); err != nil || !r.OK || r.Status != 200 || r.Response != "ok" {
		t.Errorf("it went well: %+v (%v)", r, err)
	}
	d.post.answer = channel.Result{Class: channel.Permanent, Status: 410, Error: "gone"}
	d.clock.Advance(time.Second)
	if r, err := d.Test(t.Context(), actor, c.ID); err != nil || r.OK || r.Error != "gone" {
		t.Errorf("it was refused: %+v (%v)", r, err)
	}
	rows, _, err := d.Page(t.Context(), Filter{ChannelID: c.ID}, Page{First: 10})
	if err != nil || len(rows) != 2 || rows[0].State != models.NotificationFailed || rows[1].State != models.NotificationSent {
		t.Fatalf("%+v (%v)", rows, err)
	}
	tries, err := d.Tries(t.Context(), []string{rows[0].ID, rows[1].ID})
	if err != nil || len(tries[rows[0].ID]) != 1 || tries[rows[0].ID][0].Status != 410 || tries[rows[1].ID][0].Status != 200 {
		t.Errorf("%+v (%v)", tries, err)
	}
	if !strings.Contains(d.post.sent[0].Text.Body, actor) || d.post.kept[0].Secret.Headers["X-Team"] != "night-watch" {
		t.Errorf("it was sent %q with %v", d.post.sent[0].Text.Body, d.post.kept[0].Secret.Headers)
	}
	if _, err := d.Test(t.Context(), actor, "nobody"); !fault.Is(err, fault.NotFound) {
		t.Errorf("no channel: %v", err)
	}
}

// Replaying is refused while a notification waits, and while its channel is off; what is
// replayed keeps its id.
func TestReplay(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	c := d.webhook("hook")
	if _, err := d.Test(t.Context(), actor, c.ID); err != nil {
		t.Fatal(err)
	}
	id := d.post.sent[0].Message.ID
	if _, err := d.SetEnabled(t.Context(), actor, c.ID, false); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Replay(t.Context(), actor, id); !fault.Is(err, fault.Conflict) {
		t.Errorf("by a channel that is off: %v", err)
	}
	if _, err := d.SetEnabled(t.Context(), actor, c.ID, true); err != nil {
		t.Fatal(err)
	}
	n, err := d.Replay(t.Context(), actor, id)
	if err != nil || n.ID != id || n.State != models.NotificationQueued {
		t.Errorf("%+v (%v)", n, err)
	}
	if _, err := d.Replay(t.Context(), actor, id); !fault.Is(err, fault.Conflict) {
		t.Errorf("while it waits: %v", err)
	}
	if _, err := d.Replay(t.Context(), actor, "nothing"); !fault.Is(err, fault.NotFound) {
		t.Errorf("nothing to replay: %v", err)
	}
}

// A preview shows what is typed before what the channel has, and that before the default;
// what cannot be used is said and not shown. It sends nothing.
func TestPreviews(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	chinese := "zh-CN"
	c, err := d.Create(t.Context(), actor, Input{
		Name: "own", Kind: models.ChannelSlack, Language: &chinese, Settings: hook(channel.Secrets{URL: "https://hooks.slack.com/x"}),
		Templates: []models.ChannelTemplate{{Kind: models.MessageProblem, Subject: "own {{.Total}}"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		in            PreviewInput
		subject, body string // a part of it
		wrong         []string
	}{
		"the channel's":  {in: PreviewInput{ChannelID: c.ID, Message: models.MessageProblem}, subject: "own 2", body: "已由其他节点接管"},
		"another kind":   {in: PreviewInput{ChannelID: c.ID, Message: models.MessageDigest}, subject: "严重", body: "nightly-billing"},
		"what is typed":  {in: PreviewInput{ChannelID: c.ID, Message: models.MessageProblem, Subject: "typed", Body: "{{.RuleName}}"}, subject: "typed", body: "Nights"},
		"a language":     {in: PreviewInput{ChannelID: c.ID, Message: models.MessageProblem, Language: "en"}, body: "Another node has taken it over."},
		"no channel yet": {in: PreviewInput{Kind: models.ChannelEmail, Message: models.MessageReport}, subject: "Report", body: "Ran: 1204"},
		"a bad template": {in: PreviewInput{Kind: models.ChannelEmail, Message: models.MessageReport, Body: "{{.Nope}}"}, wrong: []string{"INVALID body"}},
	} {
		got, err := d.Preview(t.Context(), tt.in)
		if err != nil || !strings.Contains(got.Subject, tt.subject) || !strings.Contains(got.Body, tt.body) {
			t.Errorf("%s: %q %q (%v)", name, got.Subject, got.Body, err)
		}
		if diff := cmp.Diff(tt.wrong, fields(errors.Join(got.Err.Err()))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for name, in := range map[string]PreviewInput{
		"NOT_FOUND ": {ChannelID: "nobody", Message: models.MessageProblem}, "REQUIRED kind": {Message: models.MessageProblem},
		"NOT_FOUND incident": {Kind: models.ChannelSlack, Message: models.MessageProblem, Incident: "nothing"},
	} {
		if _, err := d.Preview(t.Context(), in); !slices.Equal(fields(err), []string{name}) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(d.post.sent) != 0 {
		t.Errorf("%d messages were sent", len(d.post.sent))
	}
}

// What was sent is shown as it was; what waits is shown as it would be sent now.
func TestRendered(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	c := d.webhook("hook")
	raw, err := json.Marshal(models.Message{Kind: models.MessageChannelTest, Note: "eve"})
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		n    models.Notification
		of   *models.AlertChannel
		want string
	}{
		"sent":            {models.Notification{Body: "as it was", Message: raw}, &c, "as it was"},
		"it waits":        {models.Notification{Message: raw}, &c, "eve"},
		"no channel":      {models.Notification{Message: raw}, nil, ""},
		"written by hand": {models.Notification{Message: []byte("{")}, &c, ""},
	} {
		if _, body := d.Rendered(&tt.n, tt.of); !strings.Contains(body, tt.want) || tt.want == "" && body != "" {
			t.Errorf("%s: %q", name, body)
		}
	}
}

// Ids of people go into the markup of services: nothing else may be in them.
func TestContacts(t *testing.T) {
	t.Parallel()
	good := map[string][]string{
		"email": {"", "ann@example.com"}, "mobile": {"", "+8613800000000"}, "slackId": {"U024BE7LH"}, "feishuId": {"ou_7d8a6e6df7621556ce0d21922b676706ccs"},
		"wecomId": {"ann.lee"}, "telegramId": {"42"}, "discordId": {"80351110224678912"},
	}
	bad := map[string][]string{
		"email":   {"ann", "Ann <ann@example.com>", "ann@example.com, eve@example.com", strings.Repeat("a", 200) + "@example.com", "ann@example.com\r\nBcc: eve@example.com"},
		"slackId": {"U1> <!channel", "U1|x", "@channel", strings.Repeat("U", 101), "ü"}, "mobile": {"138 0000", "@all me"},
		"feishuId": {`ou_1"></at><at id=all>`, "all"}, "wecomId": {"@All"}, "discordId": {"@everyone"}, "telegramId": {"42\"><b>"},
	}
	for _, field := range slices.Sorted(maps.Keys(good)) {
		for _, text := range good[field] {
			if err := checkContact(field, text); err != nil {
				t.Errorf("%s %q: %v", field, text, err)
			}
		}
	}
	for _, field := range slices.Sorted(maps.Keys(bad)) {
		for _, text := range bad[field] {
			if err := checkContact(field, text); err == nil || strings.Join(err.Field, ".") != field {
				t.Errorf("%s %q: %v", field, text, err)
			}
		}
	}
}
