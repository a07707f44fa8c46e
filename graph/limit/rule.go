package limit

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Rule says who may ask for a root field, as the directive @role does.
type Rule struct {
	AtLeast models.Role // 0: anybody, signed in or not
	In      Place
	At      string       // the argument that leads to the app, empty without one
	Scope   models.Scope // what a token needs that is limited; 0: nothing more
}

// Place is what leads to the app in which a role must be held.
type Place string

// Places, by their names in the schema, which says what they are.
const (
	AllApps  Place = "ALL_APPS"
	AnyApp   Place = "ANY"
	App      Place = "APP"
	AppName  Place = "APP_NAME"
	AppKey   Place = "APP_KEY"
	Group    Place = "GROUP"
	Node     Place = "NODE"
	Job      Place = "JOB"
	Task     Place = "TASK"
	Calendar Place = "CALENDAR"
	Backfill Place = "BACKFILL"
	Incident Place = "INCIDENT"
)

// anybody is the rule of what everybody may ask who is signed in.
var anybody = Rule{AtLeast: models.RoleViewer, In: AnyApp}

// rule answers who may ask for a root field. A field without a rule is refused, and so is
// one that does not say which argument leads to its app.
func rule(object string, f *ast.FieldDefinition) (Rule, error) {
	name := object + "." + f.Name
	if public[name] || f.Name == "__schema" || f.Name == "__type" {
		return Rule{}, nil
	}
	directive := f.Directives.ForName("role")
	if directive == nil {
		return Rule{}, fault.New(fault.Forbidden, "%s has no rule that says who may ask for it.", name)
	}
	r := Rule{In: AllApps}
	for _, a := range directive.Arguments {
		switch a.Name {
		case "atLeast":
			role, ok := models.ParseRole(a.Value.Raw)
			if !ok {
				return Rule{}, fmt.Errorf("directive @role of %s names the unknown role %q", name, a.Value.Raw)
			}
			r.AtLeast = role
		case "in":
			r.In = Place(a.Value.Raw)
		case "at":
			r.At = a.Value.Raw
		}
	}
	var err error
	if r.Scope, err = scope(object, f); err != nil {
		return Rule{}, err
	}
	leads := r.In != AllApps && r.In != AnyApp
	if first, _, _ := strings.Cut(r.At, "."); r.AtLeast == 0 || leads != (r.At != "") || leads && f.Arguments.ForName(first) == nil {
		return Rule{}, fmt.Errorf("directive @role of %s is not whole: it needs a role and, for %s, the argument that leads to it", name, r.In)
	}
	return r, nil
}

// argument is the id at a path of arguments; empty when it is absent.
func argument(arguments map[string]any, path string) string {
	if path == "" {
		return ""
	}
	first, rest, nested := strings.Cut(path, ".")
	value := arguments[first]
	if nested {
		inner, _ := value.(map[string]any)
		return argument(inner, rest)
	}
	switch id := value.(type) {
	case nil:
		return ""
	case string:
		return id
	default:
		return fmt.Sprint(id) // GraphQL takes numbers as ids
	}
}
