package message

import (
	"html"
	"strconv"
	"strings"
)

// Format is how a channel marks up text.
type Format uint8

// Formats.
const (
	Plain        Format = iota // none
	DingTalk                   // its part of Markdown
	Feishu                     // Markdown of its cards
	WeCom                      // its part of Markdown
	Slack                      // mrkdwn
	Teams                      // Markdown of Adaptive Cards
	TelegramHTML               // HTML of the Bot API
	Discord                    // its Markdown
	pageHTML                   // HTML of e-mails, by html/template
)

// Markup is text in a format's markup; it is not escaped again.
type Markup string

var (
	backslashes = strings.NewReplacer(escapes(`\*_~[]()<>#|`+"`", func(r rune) string { return `\` + string(r) })...)
	entities    = strings.NewReplacer(escapes(`&*_~[]()<>#`+"`", func(r rune) string { return htmlNumber(r) })...)
	slackSigns  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	// DingTalk and WeCom know no way to escape: what could become a mention or a link is
	// written with signs that look alike.
	lookalikes = strings.NewReplacer("<", "＜", ">", "＞", "](", "] (", "`", "'")
)

func escapes(signs string, as func(rune) string) []string {
	var pairs []string
	for _, r := range signs {
		pairs = append(pairs, string(r), as(r))
	}
	return pairs
}

func htmlNumber(r rune) string { return "&#" + strconv.Itoa(int(r)) + ";" }

// Escape makes text mean nothing but itself.
func (f Format) Escape(text string) string {
	switch f {
	case DingTalk, WeCom:
		return lookalikes.Replace(text)
	case Feishu:
		return entities.Replace(text)
	case Slack:
		return slackSigns.Replace(text)
	case Teams, Discord:
		return backslashes.Replace(text)
	case TelegramHTML, pageHTML:
		return html.EscapeString(text)
	default: // Plain
		return text
	}
}

// bold is a piece of text in bold; its line ends become spaces.
func (f Format) bold(text string) string {
	text = f.Escape(inline(text))
	switch f {
	case DingTalk, Feishu, WeCom, Teams, Discord:
		return "**" + text + "**"
	case Slack:
		return "*" + text + "*"
	case TelegramHTML, pageHTML:
		return "<b>" + text + "</b>"
	default:
		return text
	}
}

// code is a piece of text as a program wrote it; its line ends become spaces.
func (f Format) code(text string) string {
	text = inline(text)
	ticked := "`" + strings.ReplaceAll(text, "`", "'") + "`"
	switch f {
	case Teams: // has no code; what looks like markup is escaped
		return f.Escape(text)
	case DingTalk, WeCom:
		return "`" + lookalikes.Replace(text) + "`"
	case Feishu:
		return "`" + entities.Replace(strings.ReplaceAll(text, "`", "'")) + "`"
	case Slack:
		return slackSigns.Replace(ticked)
	case Discord:
		return ticked
	case TelegramHTML, pageHTML:
		return "<code>" + f.Escape(text) + "</code>"
	default:
		return text
	}
}

// link is a text that leads to an address; without one it is the text.
func (f Format) link(text, url string) string {
	text = inline(text)
	if url == "" {
		return f.Escape(text)
	}
	switch f {
	case DingTalk, Feishu, WeCom, Teams, Discord:
		return "[" + f.Escape(text) + "](" + strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "\n", "").Replace(url) + ")"
	case Slack:
		return "<" + slackSigns.Replace(url) + "|" + strings.ReplaceAll(f.Escape(text), "|", "/") + ">"
	case TelegramHTML, pageHTML:
		return `<a href="` + html.EscapeString(url) + `">` + f.Escape(text) + "</a>"
	default:
		return text + ": " + url
	}
}

// inline makes one line of a text.
func inline(text string) string { return strings.Join(strings.Fields(text), " ") }
