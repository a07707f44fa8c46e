package limit

import (
	"encoding/json"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Size is what an operation asks for.
type Size struct {
	Depth      int
	Aliases    int
	RootFields int
	Cost       int
	Deferred   bool // whether a part is to be answered later
}

// Caps of sums and of page sizes, so that no text can overflow a product of them.
const (
	huge    = 1 << 40
	hugeArg = 1 << 20
)

// Measure finds the size of an operation that has been validated. Fragments are
// measured once and counted at each use, so a text of fragments that double one
// another takes no longer than its length.
func Measure(op *ast.OperationDefinition, variables map[string]any) Size {
	m := measurer{variables: variables, fragments: map[*ast.FragmentDefinition]Size{}}
	return m.selection(op.SelectionSet)
}

type measurer struct {
	variables map[string]any
	fragments map[*ast.FragmentDefinition]Size // bounded by the token limit
}

// selection measures one selection set. RootFields counts the fields of this
// level.
func (m *measurer) selection(set ast.SelectionSet) Size {
	var sum Size
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			sum = sum.plus(m.field(s))
		case *ast.InlineFragment:
			sum = sum.plus(deferred(m.selection(s.SelectionSet), s.Directives))
		case *ast.FragmentSpread:
			sum = sum.plus(deferred(m.fragment(s.Definition), s.Directives))
		}
	}
	return sum
}

func (m *measurer) fragment(def *ast.FragmentDefinition) Size {
	if def == nil { // validation has refused such a text
		return Size{}
	}
	if known, ok := m.fragments[def]; ok {
		return known
	}
	size := m.selection(def.SelectionSet)
	m.fragments[def] = size
	return size
}

// field measures a field with what lies below it. Of introspection only aliases
// count: its depth is bounded by a rule of the parser and its size by the schema.
func (m *measurer) field(f *ast.Field) Size {
	size := Size{RootFields: 1, Cost: 1}
	if f.Alias != "" && f.Alias != f.Name {
		size.Aliases = 1
	}
	below := m.selection(f.SelectionSet)
	size.Aliases = capped(size.Aliases + below.Aliases)
	size.Deferred = below.Deferred
	if strings.HasPrefix(f.Name, "__") {
		return size
	}
	size.Depth = 1 + below.Depth
	size.Cost = entries(f, m.variables)
	if len(f.SelectionSet) > 0 {
		size.Cost = capped(1 + size.Cost*below.Cost)
	}
	return size
}

func (s Size) plus(o Size) Size {
	return Size{
		Depth:      max(s.Depth, o.Depth),
		Aliases:    capped(s.Aliases + o.Aliases),
		RootFields: capped(s.RootFields + o.RootFields),
		Cost:       capped(s.Cost + o.Cost),
		Deferred:   s.Deferred || o.Deferred,
	}
}

func deferred(s Size, directives ast.DirectiveList) Size {
	s.Deferred = s.Deferred || directives.ForName("defer") != nil
	return s
}

func capped(n int) int { return min(n, huge) }

// Sizes of lists whose length no argument gives: estimates for a large
// installation, not bounds. A connection's own lists count once, since the
// connection has been multiplied by its page.
var lists = map[string]int{
	"Query.apps":              50,
	"Query.nodeGroups":        100,
	"Query.nodes":             200,
	"App.nodeGroups":          10,
	"NodeGroup.nodes":         20,
	"Overview.minutes":        60,
	"Overview.recentFailures": 10,
	"Overview.upcoming":       10,
	"Task.logs":               200,
	"Job.nextFires":           5,
}

// otherList is the estimate for a list that stands nowhere above.
const otherList = 5

// entries estimates how many values a field answers.
func entries(f *ast.Field, variables map[string]any) int {
	if f.Definition == nil || f.ObjectDefinition == nil {
		return 1
	}
	isList := f.Definition.Type.Elem != nil
	isPage := strings.HasSuffix(f.Definition.Type.Name(), "Connection")
	if !isList && !isPage || strings.HasSuffix(f.ObjectDefinition.Name, "Connection") {
		return 1
	}
	for _, name := range [...]string{"first", "last", "count"} {
		if n, ok := number(f.ArgumentMap(variables)[name]); ok {
			return min(max(n, 1), hugeArg)
		}
	}
	if n, ok := lists[f.ObjectDefinition.Name+"."+f.Name]; ok {
		return n
	}
	if isPage || f.Definition.Arguments.ForName("first") != nil {
		return 20
	}
	return otherList
}

func number(v any) (int, bool) {
	switch v := v.(type) {
	case int64:
		return int(min(v, hugeArg)), true
	case int:
		return min(v, hugeArg), true
	case json.Number:
		n, err := v.Int64()
		return int(min(n, hugeArg)), err == nil
	default:
		return 0, false
	}
}
