package jobfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/belfry-scheduler/belfry/services/check"
)

// Bounds of a file, so that neither its size nor aliases within aliases can take all
// memory.
const (
	MaxBytes   = 16 << 20
	mostValues = 1_000_000
	deepest    = check.MaxJSONDepth + 20 // levels; parameters have their own bound
)

// Read reads a file: YAML, JSON being a part of it. Source names it in messages.
// The error is Problems, all that can be said at once; what depends on the server
// (whether app, groups, calendars and other jobs exist) is not looked at.
func Read(source string, text []byte) ([]Document, error) {
	r := &reader{source: source}
	root := r.parse(text)
	if len(r.problems) > 0 {
		return nil, r.problems.err()
	}
	documents := make([]Document, 0, len(root.Docs))
	for _, d := range root.Docs {
		if d.Body == nil || isComment(d.Body) {
			continue
		}
		if read, ok := r.document(d.Body); ok {
			documents = append(documents, read)
		}
	}
	if len(documents) == 0 && len(r.problems) == 0 {
		r.problems = append(r.problems, Problem{source, 1, 0, "The file has no document; it begins with the lines version: 1, app: NAME and jobs:."})
	}
	r.twice(documents)
	return documents, r.problems.err()
}

// reader collects what is wrong with a file.
type reader struct {
	source   string
	problems Problems
	values   int  // read so far, of aliases again and again
	full     bool // that there are too many has been said
	deep     bool // that it is nested too deep has been said
	anchors  map[string]ast.Node
	where    places // of the job being read
}

func (r *reader) parse(text []byte) *ast.File {
	switch {
	case len(text) > MaxBytes:
		r.problems = append(r.problems, Problem{r.source, 1, 0, fmt.Sprintf("The file has more than %d MiB; split it.", MaxBytes>>20)})
	case !utf8.Valid(text):
		r.problems = append(r.problems, Problem{r.source, 1 + strings.Count(string(text[:firstInvalid(text)]), "\n"), 0, "The file is not valid UTF-8; save it in UTF-8."})
	case nested(text) > deepest:
		r.problems = append(r.problems, Problem{r.source, 1, 0, "The file has too many brackets within one another."})
	}
	if len(r.problems) > 0 {
		return nil
	}
	root, err := parser.ParseBytes(text, 0, parser.AllowDuplicateMapKey())
	if err == nil {
		return root
	}
	p := Problem{r.source, 1, 0, "It is not valid YAML: " + err.Error() + "."}
	if syntax, ok := errors.AsType[*yaml.SyntaxError](err); ok {
		p.Message = "It is not valid YAML: " + syntax.Message + "."
		if t := syntax.Token; t != nil && t.Position != nil {
			p.Line, p.Column = t.Position.Line, t.Position.Column
			if line := lineOf(text, p.Line); strings.Contains(line, "*") && strings.Contains(line, ":") {
				p.Message += " Put a cron expression in quotes."
			}
		}
	}
	r.problems = append(r.problems, p)
	return nil
}

func firstInvalid(text []byte) int {
	for at := 0; at < len(text); {
		c, n := utf8.DecodeRune(text[at:])
		if c == utf8.RuneError && n == 1 {
			return at
		}
		at += n
	}
	return len(text)
}

func lineOf(text []byte, n int) string {
	lines := strings.SplitN(string(text), "\n", n+1)
	if n < 1 || n > len(lines) {
		return ""
	}
	return lines[n-1]
}

// nested is an upper bound of how deep flow collections and block entries on one
// line nest: the parser recurses.
func nested(text []byte) int {
	most, open, dashes := 0, 0, 0
	for i, c := range text {
		switch c {
		case '[', '{':
			open++
		case ']', '}':
			open = max(open-1, 0)
		case '\n':
			dashes = 0
		case '-', '?', ':':
			if i+1 < len(text) && text[i+1] == ' ' {
				dashes++
			}
		}
		most = max(most, open, dashes)
	}
	return most
}

func isComment(n ast.Node) bool {
	_, ok := n.(*ast.CommentGroupNode)
	return ok
}

// document reads one document; false when something is wrong with it.
func (r *reader) document(body ast.Node) (Document, bool) {
	before := len(r.problems)
	var read Document
	r.anchors = anchorsOf(body)
	entries, ok := r.entries(body, "the document", 0)
	if !ok {
		return read, false
	}
	kept := entries[:0:0]
	for _, e := range entries {
		if !strings.HasPrefix(e.name, "x-") { // for anchors and notes of people
			kept = append(kept, e)
		}
	}
	jobs, rest := apart(kept, "jobs")
	r.where = places{}
	tree := r.fields(&format, rest, "", body, 0)
	if len(r.problems) == before {
		r.into(tree, &read)
	}
	if jobs == nil {
		r.say(body, "jobs is missing; write jobs: and below it a list of jobs.")
		return read, false
	}
	read.where = r.where
	read.Jobs = r.jobs(jobs)
	return read, len(r.problems) == before
}

// anchorsOf are the values that aliases can stand for.
func anchorsOf(body ast.Node) map[string]ast.Node {
	found := anchors{}
	ast.Walk(found, body)
	return found
}

type anchors map[string]ast.Node

// Visit implements ast.Visitor.
func (a anchors) Visit(n ast.Node) ast.Visitor {
	if v, ok := n.(*ast.AnchorNode); ok && v.Name != nil {
		a[v.Name.GetToken().Value] = v.Value
	}
	return a
}

// apart takes the entry with a name out of entries.
func apart(entries []entry, name string) (found ast.Node, rest []entry) {
	for _, e := range entries {
		if e.name == name {
			found = e.value
			continue
		}
		rest = append(rest, e)
	}
	return found, rest
}

// jobs reads the jobs of a document.
func (r *reader) jobs(n ast.Node) []Job {
	n = r.plain(n)
	if _, ok := n.(*ast.NullNode); ok {
		return nil // an app may have no jobs
	}
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		r.say(n, "jobs is %s; write a list: a dash before each job.", kindOf(n))
		return nil
	}
	if len(s.Values) > mostJobs {
		r.say(n, "jobs has %d entries; keep a document within %d.", len(s.Values), mostJobs)
		return nil
	}
	jobs := make([]Job, 0, len(s.Values))
	for _, one := range s.Values {
		r.where = places{}
		before := len(r.problems)
		tree := r.value(&jobFormat, one, "", 0)
		var j Job
		if len(r.problems) == before && r.into(tree, &j) {
			j.where = r.where
			r.rules(&j)
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// into puts a checked tree into a struct.
func (r *reader) into(tree, to any) bool {
	raw, err := json.Marshal(tree)
	if err == nil {
		err = json.Unmarshal(raw, to)
	}
	if err != nil { // the tree has been checked against the same fields
		r.problems = append(r.problems, Problem{r.source, 1, 0, "It cannot be read: " + err.Error() + "."})
	}
	return err == nil
}

// twice says which jobs are there twice.
func (r *reader) twice(documents []Document) {
	r.problems = append(r.problems, Twice([]Source{{r.source, documents}})...)
}

// Source is a file that was read.
type Source struct {
	Name      string
	Documents []Document
}

// Twice says which jobs stand in several places of files.
func Twice(sources []Source) Problems {
	var all Problems
	seen := map[[2]string]string{}
	for _, s := range sources {
		for i := range s.Documents {
			d := &s.Documents[i]
			for k := range d.Jobs {
				j := &d.Jobs[k]
				line, column := j.Where("name")
				key := [2]string{d.App, j.Name}
				if first, ok := seen[key]; ok {
					all = append(all, Problem{s.Name, line, column, fmt.Sprintf("The job %s of the app %s stands in %s already; give one of them another name.", check.Quote(j.Name), d.App, first)})
					continue
				}
				seen[key] = fmt.Sprintf("%s line %d", s.Name, line)
			}
		}
	}
	return all
}
