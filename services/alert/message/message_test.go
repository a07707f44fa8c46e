package message

import (
	"flag"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

var formats = map[string]Format{
	"plain": Plain, "dingtalk": DingTalk, "feishu": Feishu, "wecom": WeCom, "slack": Slack, "teams": Teams, "telegram": TelegramHTML, "discord": Discord,
}

func TestDefaultTexts(t *testing.T) {
	t.Parallel()
	for _, language := range Languages() {
		for _, kind := range models.MessageKinds() {
			text, err := Render(Sample(kind), Options{Language: language, BaseURL: "https://belfry.example.com", Dropped: 4})
			if err != nil {
				t.Errorf("%s %s: %v", language, kind, err)
				continue
			}
			golden(t, language+"_"+strings.ToLower(kind.String())+".txt", text.Subject+"\n\n"+text.Body+"\n")
			if kind == models.MessageProblem || kind == models.MessageReport {
				golden(t, language+"_"+strings.ToLower(kind.String())+".html", text.HTML)
			}
		}
	}
	for name, format := range formats {
		text, err := Render(Sample(models.MessageProblem), Options{Format: format, BaseURL: "https://belfry.example.com"})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "format_"+name+".txt", text.Body+"\n")
	}
}

func TestLinksNeedAnAddress(t *testing.T) {
	t.Parallel()
	text, err := Render(Sample(models.MessageProblem), Options{Format: TelegramHTML})
	if err != nil || strings.Contains(text.Body, "href") {
		t.Errorf("%v\n%s", err, text.Body)
	}
}

// What a program wrote must mean nothing in any markup, whatever it is.
func TestHostileTextStaysText(t *testing.T) {
	t.Parallel()
	m := Sample(models.MessageProblem)
	m.Problems = m.Problems[:1]
	m.Problems[0].JobName = `<at id=all></at> <!channel> @everyone [x](http://evil.example) <@all> <b>` + "`"
	m.Problems[0].Detail, m.Problems[0].Attempts = m.Problems[0].JobName, nil
	m.Problems[0].Error = m.Problems[0].JobName + " </code><a href=x>"
	for name, format := range formats {
		text, err := Render(m, Options{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "hostile_"+name+".txt", text.Body+"\n")
		bare := regexp.MustCompile("`[^`]*`").ReplaceAllString(text.Body, "")
		for _, sign := range map[Format][]string{
			DingTalk: {"](http"}, Feishu: {"<at", "](http"}, WeCom: {"<@", "](http"}, Slack: {"<!", "<@"}, Teams: {"](http"}, TelegramHTML: {"<at", "<!", "<a "}, Discord: {"](http"},
		}[format] {
			if strings.Contains(bare, sign) {
				t.Errorf("%s holds %q:\n%s", name, sign, text.Body)
			}
		}
		if format == Plain && strings.Contains(text.HTML, "<at") {
			t.Errorf("HTML holds markup of an error:\n%s", text.HTML)
		}
	}
}

func TestTemplatesOfUsers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body, want, fault string
	}{
		"fields":       {body: "{{.RuleName}} {{.Total}} {{(index .Problems 0).JobName}}", want: "Nights 2 nightly-billing"},
		"zone":         {body: "{{time .At}} {{clock .At}} {{date .At}} {{zone}}", want: "2026-03-08 03:14:05 CET 03:14:05 2026-03-08 Europe/Berlin"},
		"duration":     {body: "{{with index .Problems 0}}{{since .FirstAt}}{{end}}", want: "14 min"},
		"own part":     {body: `{{define "foot"}}mine{{end}}{{template "foot" .}}`, want: "mine"},
		"empty":        {body: "{{/* nothing */}}", want: ""},
		"is":           {body: `{{if is .Severity "WARNING" "CRITICAL"}}bad{{end}}`, want: "bad"},
		"line":         {body: "a\nb\n{{.Nothing}}", fault: "line 3: at {{.Nothing}}: can't evaluate field Nothing in the message"},
		"syntax":       {body: "a\n{{if}}", fault: "line 2: missing value for if"},
		"unclosed":     {body: "{{range .Problems}}", fault: "line 1: unexpected EOF"},
		"function":     {body: "{{exec `ls`}}", fault: `line 1: function "exec" not defined`},
		"output":       {body: `{{range 10000}}0123456789012345678901234567890123456789{{end}}`, fault: string(errOutput)},
		"silent":       {body: `{{range 1000000000}}{{end}}`, fault: string(errSteps)},
		"nested":       {body: `{{range 10000}}{{range 10000}}{{range 10000}}{{end}}{{end}}{{end}}`, fault: string(errSteps)},
		"recursion":    {body: `{{define "a"}}{{template "a" .}}{{template "a" .}}{{end}}{{template "a" .}}`, fault: string(errSteps)},
		"doubling":     {body: `{{$x := "ab"}}{{range 60}}{{$x = print $x $x}}{{end}}`, fault: string(errOutput)},
		"padding":      {body: `{{printf "%999999999d" 1}}`, fault: "printf may not pad"},
		"star":         {body: `{{printf "%*d" 999999999 1}}`, fault: "printf may not pad"},
		"no time":      {body: "{{with index .Problems 1}}{{time .RetryAt}}{{end}}", fault: "there is no time here"},
		"out of range": {body: "{{index .Problems 9}}", fault: "line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var text Text
			var err error
			synctest.Test(t, func(*testing.T) { // time stands still: a busy machine ends no template by its time
				text, err = Render(Sample(models.MessageProblem), Options{Body: tt.body})
			})
			if tt.fault == "" && (err != nil || text.Body != tt.want) {
				t.Errorf("%q %v", text.Body, err)
			}
			if tt.fault != "" {
				if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), tt.fault) {
					t.Errorf("got %v, want %q", err, tt.fault)
				}
				if err := Check(models.MessageProblem, "", tt.body); !fault.Is(err, fault.Invalid) {
					t.Errorf("check: %v", err)
				}
			}
		})
	}
	if err := Check(models.MessageProblem, "ok {{.ID}}", strings.Repeat("x", MaxTemplate+1)); !fault.Is(err, fault.Invalid) {
		t.Errorf("a long template: %v", err)
	}
	text, err := Render(Sample(models.MessageProblem), Options{Format: TelegramHTML, Body: `<i>{{.RuleName}}</i> {{"<"}} {{bold "<"}}`})
	if err != nil || text.Body != "<i>Nights</i> &lt; <b>&lt;</b>" {
		t.Errorf("%v %q", err, text.Body)
	}
}

func TestDurations(t *testing.T) {
	t.Parallel()
	for in, want := range map[int64]string{0: "0 ms", 250: "250 ms", 1000: "1 s", 61_000: "1 min 1 s", 3_600_000: "1 h", 7_500_000: "2 h 5 min", 273_600_000: "3 d 4 h", 59_999: "1 min"} {
		if got := english.duration(time.Duration(in) * time.Millisecond); got != want {
			t.Errorf("%d ms: %q, want %q", in, got, want)
		}
	}
	if got := chinese.duration(7500 * time.Second); got != "2 小时 5 分" {
		t.Error(got)
	}
}

// A cut text fits, is valid, is the beginning of the whole, and leaves no markup open.
func TestCut(t *testing.T) {
	t.Parallel()
	pieces := []string{"a", "é", "错", "😀", " ", "\n", "**bold 粗**", "`code`", "[text](https://example.com/a)", "plain words ", "]", "["}
	tags := []string{"a", "错误", "😀", "\n", "<b>bold</b>", "<code>x &lt; y</code>", `<a href="https://example.com">go</a>`, "<b><i>both</i></b>", "&amp;"}
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom([]Format{Plain, Discord, WeCom, TelegramHTML}).Draw(t, "format")
		from := pieces
		if format == TelegramHTML {
			from = tags
		}
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(from), 0, 60).Draw(t, "pieces"), "")
		unit := rapid.SampledFrom([]Unit{Bytes, Runes, UTF16}).Draw(t, "unit")
		limit := rapid.IntRange(1, 200).Draw(t, "limit")
		got, truncated := Cut(text, limit, unit, format)
		if truncated != (unit.Size(text) > limit) || !utf8.ValidString(got) {
			t.Fatalf("%v %q", truncated, got)
		}
		if limit > 3 && unit.Size(got) > limit {
			t.Fatalf("%d %s of %d: %q", unit.Size(got), unit, limit, got)
		}
		if !truncated {
			return
		}
		kept := got
		if i := strings.LastIndex(got, ellipsis); i >= 0 {
			kept = got[:i]
		}
		if !strings.HasPrefix(text, kept) {
			t.Fatalf("%q does not begin %q", kept, text)
		}
		switch format {
		case TelegramHTML:
			for _, name := range []string{"b", "i", "code", "a"} {
				if opened, closed := strings.Count(got, "<"+name+">")+strings.Count(got, "<"+name+" "), strings.Count(got, "</"+name+">"); opened != closed {
					t.Fatalf("%s is open: %q", name, got)
				}
			}
			if html.UnescapeString(got) == got && strings.Contains(got, "&") {
				t.Fatalf("a broken entity: %q", got)
			}
		case Discord, WeCom:
			for line := range strings.SplitSeq(got, "\n") {
				if strings.Count(line, "**")%2 != 0 || strings.Count(line, "`")%2 != 0 || strings.Count(line, "](") > strings.Count(line, ")") {
					t.Fatalf("markup is open: %q", line)
				}
			}
		default:
		}
	})
}

func FuzzRender(f *testing.F) {
	f.Add("{{.ID}}", "{{range .Problems}}{{.Error}}{{end}}")
	f.Add("{{template \"x\"}}", "{{define \"x\"}}{{end}}")
	f.Fuzz(func(t *testing.T, subject, body string) {
		if len(subject)+len(body) > 2000 {
			return
		}
		text, err := Render(Sample(models.MessageProblem), Options{Subject: subject, Body: body, BaseURL: "http://x"})
		if err == nil && (len(text.Body) > maxOutput || strings.Contains(text.Subject, "\n")) {
			t.Errorf("%q", text)
		}
	})
}
