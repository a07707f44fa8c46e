package channel

import (
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
)

// teams is a Workflows address of Microsoft Teams ("Post to a channel when a webhook
// request is received"). Settings: url, whose sig is the proof.
var teams = kind{
	info: Info{
		PerMinute: 60, Burst: 4, SizeLimit: 20_000, SizeUnit: message.Bytes,
		Note: "A workflow takes 4 requests a second and 28 KB each. It answers 202 before it has posted: look into the channel when you test.",
	},
	format: message.Teams, check: addressed, request: teamsRequest, judge: teamsJudge,
}

// teamsRequestLimit is what a workflow takes, in bytes of the whole request.
const teamsRequestLimit = 28_000

func teamsRequest(s *Settings, out *Outgoing, _ time.Time) (*call, error) {
	card := func(body string) any {
		blocks := []any{map[string]any{
			"type": "TextBlock", "text": out.Text.Subject, "weight": "Bolder", "size": "Medium", "wrap": true, "color": teamsColour(out.Message),
		}}
		gap := "Medium"
		for line := range strings.SplitSeq(body, "\n") { // line ends within a block are lost
			if line == "" {
				gap = "Medium"
				continue
			}
			blocks = append(blocks, map[string]any{"type": "TextBlock", "text": line, "wrap": true, "spacing": gap})
			gap = "None"
		}
		return map[string]any{"type": "message", "attachments": []any{map[string]any{
			"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": nil,
			"content": map[string]any{
				"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4",
				"msteams": map[string]any{"width": "Full"}, "body": blocks,
			},
		}}}
	}
	return &call{url: s.Secret.URL, body: card(out.Text.Body), shrink: card, maxBytes: teamsRequestLimit}, nil
}

func teamsColour(m *models.Message) string {
	switch {
	case m.Kind == models.MessageRecovery:
		return "Good"
	case m.Severity == models.SeverityCritical:
		return "Attention"
	case m.Severity == models.SeverityWarning:
		return "Warning"
	default:
		return "Accent"
	}
}

func teamsJudge(a *answer) Result {
	// The older connectors answer 200 and write what went wrong.
	if a.status == 200 && strings.Contains(string(a.body), "failed with error") {
		return Result{Class: Temporary, Error: "the receiver answered 200, but: " + firstLine(a.body)}
	}
	return byStatus(a, []int{401, 403, 404, 410}, []int{400, 413})
}
