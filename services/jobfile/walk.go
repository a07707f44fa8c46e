package jobfile

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/belfry-scheduler/belfry/services/check"
)

// entry is a named value of a mapping.
type entry struct {
	name  string
	key   ast.Node
	value ast.Node
}

// say notes what is wrong at a place.
func (r *reader) say(n ast.Node, message string, args ...any) {
	p := placeOf(n)
	r.problems = append(r.problems, Problem{r.source, p.line, p.column, fmt.Sprintf(message, args...)})
}

func placeOf(n ast.Node) place {
	if n == nil {
		return place{1, 1}
	}
	t := n.GetToken()
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		t = m.Values[0].Key.GetToken()
	}
	if v, ok := n.(*ast.MappingValueNode); ok {
		t = v.Key.GetToken()
	}
	if t == nil || t.Position == nil {
		return place{1, 1}
	}
	return place{t.Position.Line, t.Position.Column}
}

// plain is what stands behind anchors, aliases and tags.
func (r *reader) plain(n ast.Node) ast.Node {
	for range deepest {
		switch v := n.(type) {
		case *ast.AnchorNode:
			n = v.Value
		case *ast.TagNode:
			n = v.Value
		case *ast.AliasNode:
			found, ok := r.anchors[v.Value.GetToken().Value]
			if !ok {
				return n
			}
			n = found
		case *ast.MappingKeyNode:
			n = v.Value
		default:
			return n
		}
	}
	return n
}

// entries are the named values of a mapping, those that it merges in (<<) behind its
// own, each name once.
func (r *reader) entries(n ast.Node, what string, depth int) ([]entry, bool) {
	n = r.plain(n)
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	default:
		r.say(n, "%s is %s; write fields with their names, such as name: value.", what, kindOf(n))
		return nil, false
	}
	r.values += len(values) // what is merged in may stand for itself again and again
	if !r.count(n, depth) {
		return nil, false
	}
	var own, merged []entry
	seen := map[string]bool{}
	for _, v := range values {
		if _, ok := v.Key.(*ast.MergeKeyNode); ok {
			more, _ := r.merges(v.Value, depth+1)
			merged = append(merged, more...)
			continue
		}
		name := keyText(v.Key)
		if seen[name] {
			r.say(v.Key, "%s stands twice in %s; take one away.", check.Quote(name), what)
			continue
		}
		seen[name] = true
		own = append(own, entry{name, v.Key, v.Value})
	}
	for _, e := range merged {
		if !seen[e.name] {
			seen[e.name] = true
			own = append(own, e)
		}
	}
	return own, true
}

// merges are the entries of what << names: a mapping or a list of them.
func (r *reader) merges(n ast.Node, depth int) ([]entry, bool) {
	if s, ok := r.plain(n).(*ast.SequenceNode); ok {
		var all []entry
		for _, one := range s.Values {
			more, _ := r.entries(one, "what << names", depth)
			all = append(all, more...)
		}
		return all, true
	}
	return r.entries(n, "what << names", depth)
}

func keyText(n ast.Node) string {
	if k, ok := n.(*ast.MappingKeyNode); ok {
		n = k.Value
	}
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	if t := n.GetToken(); t != nil {
		return t.Value
	}
	return n.String()
}

// value reads a value and answers it as a tree of JSON; nil when it is absent or
// something is wrong with it.
func (r *reader) value(s *shape, n ast.Node, path string, depth int) any {
	n = r.plain(n)
	r.where[path] = placeOf(n)
	if _, ok := n.(*ast.NullNode); ok {
		return nil
	}
	if !r.count(n, depth) {
		return nil
	}
	switch s.kind {
	case object:
		entries, ok := r.entries(n, called(path), depth)
		if !ok {
			return nil
		}
		return r.fields(s, entries, path, n, depth)
	case list:
		return r.list(s, n, path, depth)
	case labels:
		return r.labels(s, n, path, depth)
	case anything:
		return r.anything(n, path, depth)
	default:
		return r.scalar(s, n, path)
	}
}

// count keeps the bounds of a file.
func (r *reader) count(n ast.Node, depth int) bool {
	r.values++
	switch {
	case r.values > mostValues && !r.full:
		r.full = true
		r.say(n, "The file has more than %d values, aliases counted at each use; split it.", mostValues)
	case depth > deepest && !r.deep:
		r.deep = true
		r.say(n, "It is nested more than %d deep here.", deepest)
	}
	return r.values <= mostValues && depth <= deepest
}

func called(path string) string {
	if path == "" {
		return "the job"
	}
	return path
}

func under(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// fields reads the fields of an object.
func (r *reader) fields(s *shape, entries []entry, path string, at ast.Node, depth int) map[string]any {
	tree := make(map[string]any, len(entries))
	for _, e := range entries {
		f, ok := s.named(e.name)
		if !ok {
			r.say(e.key, "%s has no field %s; %s.", called(path), check.Quote(e.name), s.suggest(e.name))
			continue
		}
		v := r.value(&f.shape, e.value, under(path, f.name), depth+1)
		if v != nil {
			tree[f.name] = v
		}
	}
	if s.one {
		r.exactlyOne(s, entries, path, at)
		return tree
	}
	for _, f := range s.fields {
		if f.needed && !given(entries, f.name) && (path != "" || f.name != "jobs") {
			r.say(at, "%s is missing: %s", under(path, f.name), f.shape.about)
		}
	}
	return tree
}

func given(entries []entry, name string) bool {
	for _, e := range entries {
		if _, null := e.value.(*ast.NullNode); e.name == name && !null {
			return true
		}
	}
	return false
}

// exactlyOne says when not one of the fields is given.
func (r *reader) exactlyOne(s *shape, entries []entry, path string, at ast.Node) {
	var all, have []string
	for _, f := range s.fields {
		all = append(all, f.name)
		if given(entries, f.name) {
			have = append(have, f.name)
		}
	}
	switch {
	case len(have) == 0:
		r.say(at, "%s says nothing; write one of %s.", called(path), strings.Join(all, ", "))
	case len(have) > 1:
		r.say(at, "%s has %s; write exactly one of them.", called(path), strings.Join(have, " and "))
	}
}

func (r *reader) list(s *shape, n ast.Node, path string, depth int) any {
	seq, ok := n.(*ast.SequenceNode)
	if !ok {
		r.say(n, "%s is %s; write a list.", called(path), kindOf(n))
		return nil
	}
	if len(seq.Values) < s.low || len(seq.Values) > s.high {
		r.say(n, "%s has %d entries; it must be %d to %d.", called(path), len(seq.Values), s.low, s.high)
		return nil
	}
	values := make([]any, 0, len(seq.Values))
	for i, one := range seq.Values {
		values = append(values, r.value(s.of, one, under(path, strconv.Itoa(i)), depth+1))
	}
	return values
}

func (r *reader) labels(s *shape, n ast.Node, path string, depth int) any {
	entries, ok := r.entries(n, path, depth)
	if !ok {
		return nil
	}
	if len(entries) < s.low || len(entries) > s.high {
		r.say(n, "%s has %d entries; it must be %d to %d.", path, len(entries), s.low, s.high)
	}
	read := map[string]any{}
	for _, e := range entries {
		text, ok := r.text(e.value, under(path, e.name))
		if !ok {
			continue
		}
		read[e.name] = text
		if err := check.Line("the name of a label", e.name, 63); err != nil {
			r.say(e.key, "%s: %s", path, err.Message)
		}
		if err := check.Text(under(path, e.name), text, 255); err != nil {
			r.say(e.value, "%s", err.Message)
		}
	}
	return read
}

// anything reads a value of any shape. Numbers keep their digits.
func (r *reader) anything(n ast.Node, path string, depth int) any {
	n = r.plain(n)
	if !r.count(n, depth) {
		return nil
	}
	switch v := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		entries, _ := r.entries(v, called(path), depth)
		tree := make(map[string]any, len(entries))
		for _, e := range entries {
			tree[e.name] = r.anything(e.value, under(path, e.name), depth+1)
		}
		return tree
	case *ast.SequenceNode:
		values := make([]any, 0, len(v.Values))
		for i, one := range v.Values {
			values = append(values, r.anything(one, under(path, strconv.Itoa(i)), depth+1))
		}
		return values
	case *ast.NullNode:
		return nil
	case *ast.BoolNode:
		return v.Value
	case *ast.IntegerNode:
		return number(v.Token, v.Value)
	case *ast.FloatNode:
		return number(v.Token, v.Value)
	case *ast.StringNode:
		if v.Token != nil && v.Token.Type == token.StringType && strings.ContainsAny(v.Value[:min(1, len(v.Value))], "-0123456789") && json.Valid([]byte(v.Value)) {
			return json.Number(v.Value) // the parser does not know 1e+300, nor as many digits as this may have
		}
		return v.Value
	case *ast.LiteralNode:
		return v.Value.Value
	default:
		r.say(n, "%s is %s, which JSON does not have.", called(path), kindOf(n))
		return nil
	}
}

// number keeps a number as it is written, if JSON writes it so.
func number(t *token.Token, value any) any {
	if t != nil && json.Valid([]byte(t.Value)) {
		return json.Number(t.Value)
	}
	return value
}

// kindOf is what a value is, for people.
func kindOf(n ast.Node) string {
	switch v := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "an object"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "empty"
	case *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode:
		return v.GetToken().Value
	case *ast.StringNode:
		return "the text " + check.Quote(v.Value)
	case *ast.LiteralNode:
		return "a text"
	case *ast.AliasNode:
		return "a reference to an anchor that is not there"
	case *ast.InfinityNode, *ast.NanNode:
		return "no finite number"
	}
	return "not readable"
}
