package channel

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
)

// feishu is a custom bot of a Feishu or Lark group. Settings: url, secret (for bots with
// signatures).
var feishu = kind{
	info: Info{
		PerMinute: 60, Burst: 5, SizeLimit: 18_000, SizeUnit: message.Bytes,
		Note: "A bot takes 100 messages a minute and 5 a second, and a request of 20 KB; the service is busy at full and half hours.",
	},
	format: message.Feishu, check: addressed, request: feishuRequest, judge: feishuJudge,
}

// feishuRequestLimit is what a bot takes, in bytes of the whole request.
const feishuRequestLimit = 20_000

func feishuRequest(s *Settings, out *Outgoing, at time.Time) (*call, error) {
	people := mentions(out.Message.Mentions, func(c models.Contact) string {
		if c.FeishuID == "" {
			return ""
		}
		return `<at id=` + c.FeishuID + `></at>`
	})
	card := func(body string) any {
		request := map[string]any{"msg_type": "interactive", "card": map[string]any{
			"config":   map[string]any{"wide_screen_mode": true},
			"header":   map[string]any{"title": map[string]any{"tag": "plain_text", "content": out.Text.Subject}, "template": feishuColour(out.Message)},
			"elements": []any{map[string]any{"tag": "markdown", "content": atEnd(body, people)}},
		}}
		if s.Secret.Secret != "" {
			timestamp := strconv.FormatInt(at.Unix(), 10)
			request["timestamp"], request["sign"] = timestamp, feishuSign(s.Secret.Secret, timestamp)
		}
		return request
	}
	return &call{url: s.Secret.URL, body: card(out.Text.Body), shrink: card, maxBytes: feishuRequestLimit}, nil
}

// feishuSign signs a timestamp in seconds: timestamp and secret are the key, and the
// message is empty. It is DingTalk's the other way round.
func feishuSign(secret, timestamp string) string {
	mac := hmac.New(sha256.New, []byte(timestamp+"\n"+secret))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func feishuColour(m *models.Message) string {
	switch {
	case m.Kind == models.MessageRecovery:
		return "green"
	case m.Severity == models.SeverityCritical:
		return "red"
	case m.Severity == models.SeverityWarning:
		return "orange"
	default:
		return "blue"
	}
}

func feishuJudge(a *answer) Result {
	var c struct {
		Code    *int   `json:"code"`
		Message string `json:"msg"`
		Status  *int   `json:"StatusCode"` // of the older form
	}
	if err := json.Unmarshal(a.body, &c); err != nil || c.Code == nil && c.Status == nil {
		return unreadable(a)
	}
	code := c.Status
	if c.Code != nil {
		code = c.Code
	}
	switch *code {
	case 0:
		return Result{}
	case 11232, 9499: // too many messages
		r := failedWith(Temporary, *code, c.Message)
		r.RetryAfter = time.Minute
		return r
	case 19001, 19021, 19022, 19024: // no such bot, signature, network, keyword
		return failedWith(Permanent, *code, c.Message)
	case 19002, 19036, 11246: // not readable, too long, not a card
		return failedWith(Rejected, *code, c.Message)
	default:
		return failedWith(Temporary, *code, c.Message)
	}
}
