package channel

import (
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
)

// slack is an incoming webhook of Slack. Settings: url.
var slack kind

func init() { //nolint:gochecknoinits // the kind's functions name the kind
	slack = kind{
		info: Info{
			PerMinute: 60, Burst: 3, SizeLimit: 12_000, SizeUnit: message.Runes,
			Note: "A webhook takes a message a second; longer texts are sent in sections of 3,000 characters.",
		},
		format: message.Slack, check: addressed, request: slackRequest, judge: slackJudge,
	}
}

const (
	slackSection = 2900 // characters; a section may have 3,000
	slackHeader  = 150
)

func slackRequest(s *Settings, out *Outgoing, _ time.Time) (*call, error) {
	people := mentions(out.Message.Mentions, func(c models.Contact) string {
		if c.SlackID == "" {
			return ""
		}
		return "<@" + c.SlackID + ">"
	})
	title, _ := message.Cut(out.Text.Subject, slackHeader, message.Runes, message.Plain)
	blocks := []any{map[string]any{"type": "header", "text": map[string]any{"type": "plain_text", "text": title}}}
	for _, part := range sections(atEnd(out.Text.Body, people), slackSection) {
		blocks = append(blocks, map[string]any{"type": "section", "text": map[string]any{"type": "mrkdwn", "text": part}})
	}
	return &call{url: s.Secret.URL, body: map[string]any{
		"text":        slack.format.Escape(out.Text.Subject), // what notifications and old clients show
		"attachments": []any{map[string]any{"color": message.Color(out.Message), "blocks": blocks}},
	}}, nil
}

// sections splits a text at line ends into parts of at most limit characters; a longer
// line is cut.
func sections(text string, limit int) []string {
	var parts []string
	part, size := "", 0
	for line := range strings.Lines(text) {
		line, _ = message.Cut(line, limit, message.Runes, message.Slack)
		n := message.Runes.Size(line)
		if size+n > limit && strings.TrimSpace(part) != "" {
			parts = append(parts, strings.TrimRight(part, "\n"))
			part, size = "", 0
		}
		part += line
		size += n
	}
	if strings.TrimSpace(part) != "" {
		parts = append(parts, strings.TrimRight(part, "\n"))
	}
	return parts
}

func slackJudge(a *answer) Result {
	if a.status == 200 && strings.TrimSpace(string(a.body)) != "ok" {
		return Result{Class: Temporary, Error: "the receiver answered 200, but not ok: " + firstLine(a.body)}
	}
	return byStatus(a, []int{401, 403, 404, 410}, []int{400, 413})
}

// firstLine is the beginning of an answer, for an error.
func firstLine(body []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(string(body), "\uFFFD")), "\n")
	cut, _ := message.Cut(line, 200, message.Runes, message.Plain)
	return cut
}
