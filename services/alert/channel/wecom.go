package channel

import (
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
)

// wecom is a robot of a WeCom group. Settings: url, whose key is all the proof there is.
var wecom kind

func init() { //nolint:gochecknoinits // the kind's functions name the kind
	wecom = kind{
		info: Info{
			PerMinute: 20, Burst: 5, SizeLimit: 4096, SizeUnit: message.Bytes,
			Note: "A robot takes 20 messages a minute of 4,096 bytes; a Chinese character has three.",
		},
		format: message.WeCom, check: addressed, request: wecomRequest, judge: wecomJudge,
	}
}

func wecomRequest(s *Settings, out *Outgoing, _ time.Time) (*call, error) {
	people := mentions(out.Message.Mentions, func(c models.Contact) string {
		if c.WecomID == "" {
			return ""
		}
		return "<@" + c.WecomID + ">"
	})
	colour := map[bool]string{true: "warning", false: "comment"}[out.Message.Severity >= models.SeverityWarning]
	if out.Message.Kind == models.MessageRecovery {
		colour = "info"
	}
	text := within(&wecom, out.Text.Body, out.Text.Foot, func(body string) string {
		return atEnd(`<font color="`+colour+`">`+wecom.format.Escape(out.Text.Subject)+"</font>\n"+body, people)
	})
	return &call{url: s.Secret.URL, body: map[string]any{"msgtype": "markdown", "markdown": map[string]any{"content": text}}}, nil
}

func wecomJudge(a *answer) Result {
	c, ok := readCoded(a)
	switch {
	case !ok:
		return unreadable(a)
	case *c.Code == 0:
		return Result{}
	case *c.Code == 45009 || *c.Code == 45033: // too many messages
		r := failedWith(Temporary, *c.Code, c.Message)
		r.RetryAfter = time.Minute
		return r
	case *c.Code == 93000 || *c.Code == 93008 || *c.Code == 40014: // no such robot, not in the group, token
		return failedWith(Permanent, *c.Code, c.Message)
	case *c.Code == 40008 || *c.Code == 40058 || *c.Code == 44004: // kind, length, empty
		return failedWith(Rejected, *c.Code, c.Message)
	default:
		return failedWith(Temporary, *c.Code, c.Message)
	}
}
