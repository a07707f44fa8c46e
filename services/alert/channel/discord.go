package channel

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
)

// discord is a webhook of a Discord channel. Settings: url.
var discord = kind{
	info: Info{
		PerMinute: 30, Burst: 5, SizeLimit: 4096, SizeUnit: message.Runes,
		Note: "A webhook takes some 30 messages a minute, of 4,096 characters each.",
	},
	format: message.Discord, check: addressed, request: discordRequest, judge: discordJudge,
}

var discordUser = regexp.MustCompile(`^[0-9]{5,25}$`)

func discordRequest(s *Settings, out *Outgoing, _ time.Time) (*call, error) {
	address, err := url.Parse(s.Secret.URL)
	if err != nil {
		return nil, fmt.Errorf("the address cannot be read")
	}
	query := address.Query()
	query.Set("wait", "true") // the answer comes after the message is kept
	address.RawQuery = query.Encode()
	users := mentions(out.Message.Mentions, func(c models.Contact) string {
		if !discordUser.MatchString(c.DiscordID) {
			return ""
		}
		return c.DiscordID
	})
	body := map[string]any{
		"embeds": []any{map[string]any{
			"title": out.Text.Subject, "description": out.Text.Body, "color": colour(out.Message), "timestamp": out.Message.At.UTC().Format(time.RFC3339),
		}},
		// Nobody else is mentioned, whatever stands in the text.
		"allowed_mentions": map[string]any{"parse": []string{}, "users": users},
	}
	if len(users) > 0 {
		body["content"] = "<@" + strings.Join(users, "> <@") + ">"
	}
	return &call{url: address.String(), body: body}, nil
}

func discordJudge(a *answer) Result {
	r := byStatus(a, []int{401, 403, 404, 410}, []int{400, 413})
	var c struct {
		RetryAfter float64 `json:"retry_after"` // seconds
	}
	if a.status == 429 && json.Unmarshal(a.body, &c) == nil && c.RetryAfter > 0 {
		r.RetryAfter = time.Duration(min(c.RetryAfter, longestWait.Seconds()) * float64(time.Second))
	}
	return r
}
