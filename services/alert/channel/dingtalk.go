package channel

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
)

// dingtalk is a custom robot of a DingTalk group. Settings: url, secret (SEC…, for robots
// with signatures), mentionMobiles.
var dingtalk kind

func init() { //nolint:gochecknoinits // the kind's functions name the kind
	dingtalk = kind{
		info: Info{
			PerMinute: 20, Burst: 5, SizeLimit: 15_000, SizeUnit: message.Bytes,
			Note: "A robot takes 20 messages a minute; beyond that it takes none for ten minutes.",
		},
		format: message.DingTalk, check: addressed, request: dingtalkRequest, judge: dingtalkJudge,
	}
}

func dingtalkRequest(s *Settings, out *Outgoing, at time.Time) (*call, error) {
	address, err := url.Parse(s.Secret.URL)
	if err != nil {
		return nil, fmt.Errorf("the address cannot be read")
	}
	if s.Secret.Secret != "" {
		query := address.Query()
		timestamp := strconv.FormatInt(at.UnixMilli(), 10)
		query.Set("timestamp", timestamp)
		query.Set("sign", dingtalkSign(s.Secret.Secret, timestamp))
		address.RawQuery = query.Encode()
	}
	mobiles := slices.Concat(s.MentionMobiles, mentions(out.Message.Mentions, func(c models.Contact) string { return c.Mobile }))
	var named []string
	for _, m := range mobiles {
		named = append(named, "@"+m)
	}
	request := func(body string) any {
		text := within(&dingtalk, body, out.Text.Foot, func(body string) string {
			body = atEnd("#### "+out.Text.Subject+"\n\n"+body, named)
			return strings.ReplaceAll(body, "\n", "  \n") // two spaces, or lines run together
		})
		return map[string]any{
			"msgtype":  "markdown",
			"markdown": map[string]any{"title": out.Text.Subject, "text": text},
			"at":       map[string]any{"atMobiles": mobiles, "isAtAll": false},
		}
	}
	return &call{url: address.String(), body: request(out.Text.Body), shrink: request, maxBytes: dingtalkRequestLimit}, nil
}

// dingtalkRequestLimit is what a robot is said to take, in bytes of the whole request.
const dingtalkRequestLimit = 20_000

// dingtalkSign signs a timestamp in milliseconds: the secret is the key, and timestamp and
// secret are the message.
func dingtalkSign(secret, timestamp string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "\n" + secret))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// dingtalkThrottled is how long a robot takes nothing after too many messages.
const dingtalkThrottled = 10 * time.Minute

func dingtalkJudge(a *answer) Result {
	c, ok := readCoded(a)
	switch {
	case !ok:
		return unreadable(a)
	case *c.Code == 0:
		return Result{}
	case *c.Code == 130101 || *c.Code == 90018 || *c.Code == 410100: // too many messages
		r := failedWith(Temporary, *c.Code, c.Message)
		r.RetryAfter = dingtalkThrottled
		return r
	case *c.Code == 300001 || *c.Code == 300005 || *c.Code == 310000: // no such robot; signature, keyword or network
		return failedWith(Permanent, *c.Code, c.Message)
	case *c.Code == 460101 || *c.Code == 400013: // too long; the group is gone is 400013's cause as well
		return failedWith(Rejected, *c.Code, c.Message)
	default:
		return failedWith(Temporary, *c.Code, c.Message)
	}
}
