// Package message turns the data of a message into the text that a channel sends. It is
// pure: the same data, options and templates always give the same text.
//
// Templates are Go templates (text/template) whose data is models.Message; what an
// action puts out is escaped for the channel's markup by itself. E-mail bodies are also
// run through html/template for the HTML part. docs/alerts.md lists data and functions.
package message

import (
	"fmt"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Languages that there are texts in.
const (
	English = "en"
	Chinese = "zh-CN"
)

// Languages lists them.
func Languages() []string { return []string{English, Chinese} }

// Options say for whom a message is rendered.
type Options struct {
	Language string // English unless Chinese
	Format   Format
	BaseURL  string // of the console, without a slash at the end; empty: no links
	// Subject and Body replace the default templates; empty ones do not.
	Subject, Body string
	Dropped       int64 // messages of this channel that were dropped since the last one
}

// Text is a rendered message.
type Text struct {
	Subject string // one line without markup
	Body    string // in the format's markup, lines ended by \n
	Foot    string // the end of the body that Shorten keeps; empty: there is none
	HTML    string // the body as an HTML page; only for Plain, which e-mail uses
}

// Limits of what a template may do.
const (
	MaxTemplate = 16 << 10  // bytes of a template
	maxOutput   = 256 << 10 // bytes that a template may put out
	maxSteps    = 20_000    // passes through lists of a template
	maxTime     = 2 * time.Second
	maxSubject  = 200 // characters; longer subjects are cut
)

// Render makes the text of a message. Fault: INVALID at subject or body, with the line,
// when a template of the options fails; the defaults do not.
func Render(m models.Message, o Options) (Text, error) {
	d := newData(&m, &o)
	subject, err := d.run("subject", or(o.Subject, d.words.subject(m.Kind)), Plain)
	if err != nil {
		return Text{}, err
	}
	body := or(o.Body, d.words.body(m.Kind))
	text, err := d.run("body", body, o.Format)
	if err != nil {
		return Text{}, err
	}
	out := Text{Subject: oneLine(subject)}
	main, foot, _ := strings.Cut(text, footMark)
	out.Body, out.Foot = tidy(main), tidy(strings.ReplaceAll(foot, footMark, ""))
	if out.Foot != "" {
		out.Body = strings.TrimLeft(out.Body+"\n\n"+out.Foot, "\n")
	}
	if o.Format == Plain {
		out.HTML, err = d.page(out.Subject, body)
	}
	return out, err
}

// Check says whether templates of a kind of message can be rendered, with the samples as
// data. Faults: INVALID at subject and body.
func Check(kind models.MessageKind, subject, body string) error {
	var wrong fault.List
	for name, text := range map[string]string{"subject": subject, "body": body} {
		if len(text) > MaxTemplate {
			wrong = append(wrong, fault.At(name, fault.Invalid, "The template has %d bytes; it may have at most %d.", len(text), MaxTemplate))
			continue
		}
		for _, format := range []Format{Plain, Slack, TelegramHTML} {
			o := Options{Language: English, Format: format, BaseURL: "https://belfry.example.com"}
			if name == "subject" {
				o.Subject = text
			} else {
				o.Body = text
			}
			if _, err := Render(Sample(kind), o); err != nil {
				wrong = append(wrong, fault.All(err)...)
				break
			}
		}
	}
	return wrong.Err()
}

// footMark stands before the part "foot" of the default templates, which tells what was
// left out and must not be left out itself.
const footMark = "\x1e"

// Shorten cuts a body to a limit and keeps its foot.
func Shorten(body, foot string, limit int, unit Unit, format Format) (short string, truncated bool) {
	rest, has := strings.CutSuffix(body, "\n\n"+foot)
	room := limit - unit.Size("\n\n"+foot)
	if foot == "" || !has || room < limit/4 || unit.Size(body) <= limit {
		return Cut(body, limit, unit, format)
	}
	rest, _ = Cut(rest, room, unit, format)
	return rest + "\n\n" + foot, true
}

// oneLine makes a subject of what a template put out.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	cut, _ := Cut(text, maxSubject, Runes, Plain)
	return cut
}

// tidy takes spaces off the ends of lines, and blank lines off the ends of the text and
// where more than one follow one another.
func tidy(text string) string {
	var out []string
	blank := true
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if line == "" && blank {
			continue
		}
		blank = line == ""
		out = append(out, line)
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}

func or(text, other string) string {
	if text != "" {
		return text
	}
	return other
}

// failed is the fault of a template that cannot be used; problem says what is wrong and
// where.
func failed(name, problem string) error {
	return fault.At(name, fault.Invalid, "The template of the %s cannot be used: %s.", name, strings.TrimSuffix(problem, "."))
}

// errLimit is why a template was ended.
type limitError string

func (e limitError) Error() string { return string(e) }

var (
	errOutput = limitError(fmt.Sprintf("it puts out more than %d KiB; leave some of it out", maxOutput>>10))
	errSteps  = limitError(fmt.Sprintf("it goes through lists more than %d times; it may not have loops within loops of this size", maxSteps))
	errTime   = limitError(fmt.Sprintf("it takes longer than %s; make it simpler", maxTime))
)
