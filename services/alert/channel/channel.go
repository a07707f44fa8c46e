// Package channel speaks the languages of the services that messages go to: one file a
// kind builds the request, signs it and judges the answer. What goes out by HTTP goes
// through a client that reaches no internal address unless it is allow-listed.
package channel

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Settings are what a channel is set to. Which fields a kind uses stands in its file.
type Settings struct {
	MentionMobiles []string `json:"mentionMobiles,omitempty"`
	Chat           string   `json:"chat,omitempty"`
	Thread         string   `json:"thread,omitempty"`
	Host           string   `json:"host,omitempty"`
	Port           int      `json:"port,omitempty"`
	Security       string   `json:"security,omitempty"` // STARTTLS, TLS or NONE
	Username       string   `json:"username,omitempty"`
	From           string   `json:"from,omitempty"`
	To             []string `json:"to,omitempty"`

	Secret Secrets `json:"-"`
}

// Secrets are the settings that are shown to nobody. An address is one: whoever knows it
// can post.
type Secrets struct {
	URL      string            `json:"url,omitempty"`
	Secret   string            `json:"secret,omitempty"`
	Token    string            `json:"token,omitempty"`
	Password string            `json:"password,omitempty"`
	Secrets  []string          `json:"secrets,omitempty"` // whsec_…: the first signs, all sign while keys are changed
	Headers  map[string]string `json:"headers,omitempty"`
}

// Empty says whether there is no secret.
func (s *Secrets) Empty() bool {
	return s.URL == "" && s.Secret == "" && s.Token == "" && s.Password == "" && len(s.Secrets) == 0 && len(s.Headers) == 0
}

// Outgoing is a message on its way to one channel.
type Outgoing struct {
	Notification *models.Notification
	Message      *models.Message
	Text         Composed
	Try          int // from 1
}

// Composed is the text of a message as one kind of channel gets it.
type Composed struct {
	message.Text
	Size      int  // of the body, in the kind's unit
	Truncated bool // it was cut to the kind's limit
}

// Class says what a failure means.
type Class uint8

// Classes of outcomes.
const (
	OK        Class = iota
	Temporary       // it is worth trying again
	Rejected        // this message is not taken and never will be
	Permanent       // the channel does not work until a person mends it
)

// Result is what a try came to.
type Result struct {
	Class      Class
	Status     int    // of HTTP or SMTP; 0: there was no answer
	Response   string // what the receiver answered; empty when it is inside
	Error      string // empty when Class is OK
	RetryAfter time.Duration
}

// Info describes a kind of channel.
type Info struct {
	Kind      models.ChannelKind
	PerMinute int // messages a minute that its service allows, or a sound default
	Burst     int
	SizeLimit int // of the body
	SizeUnit  message.Unit
	Note      string
}

// kind is one kind of channel. What goes by HTTP has request and judge; e-mail has
// neither.
type kind struct {
	info    Info
	format  message.Format
	check   func(s *Settings) fault.List
	request func(s *Settings, out *Outgoing, at time.Time) (*call, error)
	judge   func(a *answer) Result
}

// call is a request to be made.
type call struct {
	url    string
	body   any // JSON, or bytes as they are
	header http.Header
	// shrink builds the body again with a shorter text; nil when the text's limit is all
	// there is. maxBytes bounds the encoded body.
	shrink   func(text string) any
	maxBytes int
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte // at most maxAnswer
}

var kinds = map[models.ChannelKind]*kind{
	models.ChannelDingTalk: &dingtalk, models.ChannelFeishu: &feishu, models.ChannelWeCom: &wecom, models.ChannelSlack: &slack,
	models.ChannelTeams: &teams, models.ChannelTelegram: &telegram, models.ChannelDiscord: &discord, models.ChannelWebhook: &webhook,
	models.ChannelEmail: &email,
}

// Infos describes all kinds.
func Infos() []Info {
	var all []Info
	for _, k := range models.ChannelKinds() {
		all = append(all, InfoOf(k))
	}
	return all
}

// InfoOf describes one kind; the zero value for one that does not exist.
func InfoOf(k models.ChannelKind) Info {
	known := kinds[k]
	if known == nil {
		return Info{}
	}
	info := known.info
	info.Kind = k
	return info
}

// Check says what is wrong with the settings of a kind, all at once. Fields are those of
// Settings.
func Check(k models.ChannelKind, s *Settings) error {
	known := kinds[k]
	if known == nil {
		return fault.At("kind", fault.Invalid, "There is no kind of channel %s.", k)
	}
	return known.check(s).Err()
}

// Compose renders a message for a kind of channel and cuts it to what that takes. Fault:
// INVALID when a template of the options fails.
func Compose(k models.ChannelKind, m models.Message, o message.Options) (Composed, error) {
	known := kinds[k]
	if known == nil {
		return Composed{}, fmt.Errorf("there is no kind of channel %s", k)
	}
	o.Format = known.format
	text, err := message.Render(m, o)
	if err != nil {
		return Composed{}, err
	}
	out := Composed{Text: text}
	out.Body, out.Truncated = message.Shorten(text.Body, text.Foot, known.info.SizeLimit, known.info.SizeUnit, known.format)
	out.Size = known.info.SizeUnit.Size(out.Body)
	return out, nil
}

// Send makes one try to send a message. It ends when ctx does, or after its time-outs.
func (c *Client) Send(ctx context.Context, k models.ChannelKind, s *Settings, out *Outgoing) Result {
	if k == models.ChannelEmail {
		return c.mail(ctx, s, out)
	}
	known := kinds[k]
	if known == nil {
		return Result{Class: Permanent, Error: fmt.Sprintf("there is no kind of channel %s", k)}
	}
	request, err := known.request(s, out, c.clock.Now())
	if err != nil {
		return Result{Class: Permanent, Error: err.Error()}
	}
	if k == models.ChannelTelegram && c.telegram != "" {
		request.url = c.telegram + request.url[len(telegramAPI):]
	}
	body, err := request.encode(&out.Text.Text, known.format, known.info.SizeUnit)
	if err != nil {
		return Result{Class: Rejected, Error: err.Error()}
	}
	return c.post(ctx, request, body, known.judge)
}

// encode is the body in bytes, with a text so short that maxBytes are kept to.
func (c *call) encode(t *message.Text, format message.Format, unit message.Unit) ([]byte, error) {
	body, text := c.body, t.Body
	for range 20 {
		raw, ok := body.([]byte)
		if !ok {
			var err error
			if raw, err = marshal(body); err != nil {
				return nil, fmt.Errorf("writing the request: %w", err)
			}
		}
		if c.shrink == nil || len(raw) <= c.maxBytes {
			return raw, nil
		}
		smaller := unit.Size(text) * c.maxBytes / len(raw) * 9 / 10
		text, _ = message.Shorten(text, t.Foot, smaller, unit, format)
		body = c.shrink(text)
	}
	return nil, fmt.Errorf("the message does not fit into %d bytes", c.maxBytes)
}

// marshal writes JSON that keeps < > & as they are: it counts towards limits.
func marshal(v any) ([]byte, error) {
	var out jsonBuffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return out[:len(out)-1], nil // without the line end
}

type jsonBuffer []byte

// Write implements io.Writer.
func (b *jsonBuffer) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}
