package graphtest

import (
	"slices"
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/belfry-scheduler/belfry/graph/generated"
)

// Schema is the API's.
var Schema = generated.NewExecutableSchema(generated.Config{}).Schema()

// visited are the fields that tests have asked for, as Type.field.
var visited = struct {
	sync.Mutex
	fields map[string]bool
}{fields: map[string]bool{}}

// note remembers the fields of an operation. A text that is not valid has none.
func note(text string) {
	doc, err := gqlparser.LoadQueryWithRules(Schema, text, nil)
	if err != nil {
		return
	}
	visited.Lock()
	defer visited.Unlock()
	for _, op := range doc.Operations {
		noteSelection(op.SelectionSet)
	}
}

func noteSelection(set ast.SelectionSet) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			visited.fields[s.ObjectDefinition.Name+"."+s.Name] = true
			noteSelection(s.SelectionSet)
		case *ast.InlineFragment:
			noteSelection(s.SelectionSet)
		case *ast.FragmentSpread:
			noteSelection(s.Definition.SelectionSet)
		}
	}
}

// Unvisited are the fields of the schema that no test of this process has asked
// for.
func Unvisited() []string {
	visited.Lock()
	defer visited.Unlock()
	var missing []string
	for _, def := range Schema.Types {
		if def.Kind != ast.Object || strings.HasPrefix(def.Name, "__") {
			continue
		}
		for _, f := range def.Fields {
			name := def.Name + "." + f.Name
			if !visited.fields[name] && !strings.HasPrefix(f.Name, "__") {
				missing = append(missing, name)
			}
		}
	}
	slices.Sort(missing)
	return missing
}
