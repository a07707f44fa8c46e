package channel

import (
	"encoding/json"
	"html"
	"regexp"
	"strconv"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// telegramAPI is the address of the public Bot API.
const telegramAPI = "https://api.telegram.org"

// telegram is a chat that a bot of Telegram writes to. Settings: token, chat, thread.
var telegram kind

func init() { //nolint:gochecknoinits // the kind's functions name the kind
	telegram = kind{
		info: Info{
			PerMinute: 20, Burst: 3, SizeLimit: 4096, SizeUnit: message.UTF16,
			Note: "A bot may send 20 messages a minute to a group, of 4,096 characters each.",
		},
		format: message.TelegramHTML, check: telegramCheck, request: telegramRequest, judge: telegramJudge,
	}
}

var (
	telegramToken = regexp.MustCompile(`^[0-9]{3,20}:[A-Za-z0-9_-]{20,100}$`)
	telegramChat  = regexp.MustCompile(`^(-?[0-9]{1,20}|@[A-Za-z0-9_]{4,32})$`)
)

func telegramCheck(s *Settings) fault.List {
	var wrong fault.List
	switch {
	case s.Secret.Token == "":
		wrong.Add(fault.At("token", fault.Required, "The token of the bot is missing; @BotFather gives one."))
	case !telegramToken.MatchString(s.Secret.Token):
		wrong.Add(fault.At("token", fault.Invalid, "The token is none of Telegram's; it is a number, a colon and some 35 letters."))
	}
	if !telegramChat.MatchString(s.Chat) {
		wrong.Add(fault.At("chat", fault.Invalid, "The chat is %q; write its number (groups have negative ones) or @name.", s.Chat))
	}
	if _, err := strconv.Atoi(s.Thread); s.Thread != "" && err != nil {
		wrong.Add(fault.At("thread", fault.Invalid, "The thread is %q; write the number of the topic.", s.Thread))
	}
	return wrong
}

func telegramRequest(s *Settings, out *Outgoing, _ time.Time) (*call, error) {
	people := mentions(out.Message.Mentions, func(c models.Contact) string {
		if _, err := strconv.ParseInt(c.TelegramID, 10, 64); err != nil {
			return ""
		}
		return `<a href="tg://user?id=` + c.TelegramID + `">` + html.EscapeString(c.Name) + `</a>`
	})
	text := within(&telegram, out.Text.Body, out.Text.Foot, func(body string) string {
		return atEnd("<b>"+html.EscapeString(out.Text.Subject)+"</b>\n\n"+body, people)
	})
	body := map[string]any{
		"chat_id": s.Chat, "text": text, "parse_mode": "HTML", "link_preview_options": map[string]any{"is_disabled": true},
	}
	if thread, err := strconv.Atoi(s.Thread); err == nil {
		body["message_thread_id"] = thread
	}
	return &call{url: telegramAPI + "/bot" + s.Secret.Token + "/sendMessage", body: body}, nil
}

func telegramJudge(a *answer) Result {
	var c struct {
		OK          *bool  `json:"ok"`
		Code        int    `json:"error_code"`
		Description string `json:"description"`
		Parameters  struct {
			RetryAfter float64 `json:"retry_after"`
		} `json:"parameters"`
	}
	if err := json.Unmarshal(a.body, &c); err != nil || c.OK == nil {
		return unreadable(a)
	}
	switch {
	case *c.OK:
		return Result{}
	case c.Code == 401 || c.Code == 403 || c.Code == 404: // token; thrown out of the chat
		return failedWith(Permanent, c.Code, c.Description)
	case c.Code == 400 && (c.Description == "Bad Request: chat not found" || c.Description == "Bad Request: message thread not found"):
		return failedWith(Permanent, c.Code, c.Description)
	case c.Code == 400:
		return failedWith(Rejected, c.Code, c.Description)
	default:
		r := failedWith(Temporary, c.Code, c.Description)
		r.RetryAfter = time.Duration(min(c.Parameters.RetryAfter, longestWait.Seconds()) * float64(time.Second))
		return r
	}
}
