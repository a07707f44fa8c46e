package message

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"regexp"
	"strings"
	texttemplate "text/template"
	"text/template/parse"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// data is one message while it is rendered.
type data struct {
	message *models.Message
	options *Options
	words   *words
	zone    *time.Location
}

func newData(m *models.Message, o *Options) *data {
	zone, err := time.LoadLocation(m.Zone) // "" is UTC
	if err != nil {
		zone = time.UTC // the zone was checked where it was entered; a message is sent all the same
	}
	d := &data{options: o, words: wordsOf(o.Language), zone: zone}
	own := *m
	own.Problems = d.described(m.Problems)
	d.message = &own
	return d
}

// run executes a template for a format without html/template.
func (d *data) run(name, text string, format Format) (string, error) {
	guard := &guard{deadline: newDeadline()}
	t := texttemplate.New(name).Funcs(d.functions(format, guard)).Option("missingkey=error")
	t, err := t.Parse(text)
	if err == nil {
		err = d.addShared(t, name)
	}
	if err != nil {
		return "", failed(name, reason(err))
	}
	for _, part := range t.Templates() {
		if part.Tree != nil {
			rewrite(part.Tree.Root, part.Tree, true)
		}
	}
	out := &limited{guard: guard}
	if err := t.Execute(out, d.message); err != nil {
		return "", failed(name, reason(err))
	}
	return out.String(), nil
}

// addShared gives a template the parts that the defaults are made of, unless it
// defines its own.
func (d *data) addShared(t *texttemplate.Template, name string) error {
	shared, err := texttemplate.New("shared").Funcs(d.functions(Plain, &guard{})).Parse(d.words.shared)
	if err != nil {
		return err
	}
	for _, part := range shared.Templates() {
		if part.Name() == "shared" || part.Name() == name || t.Lookup(part.Name()) != nil {
			continue
		}
		if _, err := t.AddParseTree(part.Name(), part.Tree); err != nil {
			return err
		}
	}
	return nil
}

// page is the body as HTML: through html/template, which escapes by place.
func (d *data) page(subject, body string) (string, error) {
	guard := &guard{deadline: newDeadline()}
	functions := d.functions(pageHTML, guard)
	plain, err := texttemplate.New("body").Funcs(functions).Parse(body)
	if err == nil {
		err = d.addShared(plain, "body")
	}
	if err != nil {
		return "", failed("body", reason(err))
	}
	t := template.New("page").Funcs(template.FuncMap(functions)).Option("missingkey=error")
	for _, part := range plain.Templates() {
		if part.Tree == nil {
			continue
		}
		rewrite(part.Tree.Root, part.Tree, false)
		if _, err := t.AddParseTree(part.Name(), part.Tree); err != nil {
			return "", failed("body", reason(err))
		}
	}
	if t.Lookup("body") == nil {
		t = template.Must(t.New("body").Parse("")) // an empty body
	}
	if t, err = t.New("layout").Parse(layout); err != nil {
		return "", fmt.Errorf("reading the layout of e-mails: %w", err)
	}
	out := &limited{guard: guard}
	err = t.Execute(out, map[string]any{"Subject": subject, "Message": d.message, "Color": Color(d.message)})
	if err != nil {
		return "", failed("body", reason(err))
	}
	return out.String(), nil
}

// layout is the frame of an e-mail. Line ends of the body show as they stand.
const layout = `<!DOCTYPE html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{{.Subject}}</title></head>
<body style="margin:0;padding:16px;background:#f4f5f7;font:14px/1.5 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;color:#1f2430">
<div style="max-width:720px;margin:0 auto;background:#fff;border-radius:6px;border-top:6px solid {{.Color}};padding:16px 20px">
<h2 style="margin:0 0 12px;font-size:18px">{{.Subject}}</h2>
<div style="white-space:pre-line;overflow-wrap:anywhere">{{template "body" .Message}}</div>
</div></body></html>
`

// rewrite puts a step counter in front of every list, and, for formats that Go does not
// escape, an escape at the end of every action.
func rewrite(list *parse.ListNode, tree *parse.Tree, escape bool) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		switch n := node.(type) {
		case *parse.ActionNode:
			if escape && len(n.Pipe.Decl) == 0 {
				n.Pipe.Cmds = append(n.Pipe.Cmds, call(tree, "esc", n.Pos))
			}
		case *parse.IfNode:
			rewrite(n.List, tree, escape)
			rewrite(n.ElseList, tree, escape)
		case *parse.RangeNode:
			rewrite(n.List, tree, escape)
			rewrite(n.ElseList, tree, escape)
		case *parse.WithNode:
			rewrite(n.List, tree, escape)
			rewrite(n.ElseList, tree, escape)
		}
	}
	step := &parse.ActionNode{NodeType: parse.NodeAction, Pos: list.Pos, Pipe: &parse.PipeNode{
		NodeType: parse.NodePipe, Pos: list.Pos, Cmds: []*parse.CommandNode{call(tree, "step", list.Pos)},
	}}
	list.Nodes = append([]parse.Node{step}, list.Nodes...)
}

func call(tree *parse.Tree, function string, at parse.Pos) *parse.CommandNode {
	name := parse.NewIdentifier(function).SetTree(tree).SetPos(at)
	return &parse.CommandNode{NodeType: parse.NodeCommand, Pos: at, Args: []parse.Node{name}}
}

// guard ends a template that does too much.
type guard struct {
	steps    int
	deadline deadline
}

func (g *guard) step() (Markup, error) {
	g.steps++
	if g.steps > maxSteps {
		return "", errSteps
	}
	if g.steps%256 == 0 && g.deadline.over() {
		return "", errTime
	}
	return "", nil
}

// limited collects what a template puts out, up to maxOutput bytes.
type limited struct {
	bytes.Buffer
	guard *guard
}

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > maxOutput {
		return 0, errOutput
	}
	return l.Buffer.Write(p)
}

// deadline is counted in passes through functions and lists by time that goes by.
type deadline struct{ timer <-chan time.Time }

func newDeadline() deadline { return deadline{timer: time.After(maxTime)} }

func (d deadline) over() bool {
	select {
	case <-d.timer:
		return true
	default:
		return false
	}
}

var (
	place = regexp.MustCompile(`^(?:html/)?template: ?[\w" .-]*:(\d+)(?::\d+)?: ?`)
	noise = regexp.MustCompile(`executing "[^"]*" at <([^>]*)>: `)
)

// reason is an error of a template in words: the line, and what is wrong there.
func reason(err error) string {
	for _, limit := range []limitError{errOutput, errSteps, errTime} {
		if errors.Is(err, limit) || strings.Contains(err.Error(), string(limit)) {
			return string(limit)
		}
	}
	text := err.Error()
	line := ""
	if m := place.FindStringSubmatch(text); m != nil {
		line, text = "line "+m[1]+": ", text[len(m[0]):]
	}
	text = noise.ReplaceAllString(text, "at {{$1}}: ")
	text = strings.NewReplacer("*models.Message", "the message", "models.Problem", "a problem", "in type ", "in ").Replace(text)
	return line + text
}
