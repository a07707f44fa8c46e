package limit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/limit"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

var schema = generated.NewExecutableSchema(generated.Config{}).Schema()

func parse(t testing.TB, text string) *ast.OperationDefinition {
	t.Helper()
	doc, err := gqlparser.LoadQueryWithRules(schema, text, nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return doc.Operations[0]
}

func TestMeasure(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text      string
		variables map[string]any
		want      limit.Size
	}{
		"one field":      {text: `{viewer{name}}`, want: limit.Size{Depth: 2, RootFields: 1, Cost: 2}},
		"alias":          {text: `{a:viewer{n:name}}`, want: limit.Size{Depth: 2, RootFields: 1, Cost: 2, Aliases: 2}},
		"default page":   {text: `{tasks{nodes{id}}}`, want: limit.Size{Depth: 3, RootFields: 1, Cost: 1 + 20*2}},
		"given page":     {text: `{tasks(first:50){nodes{id state}}}`, want: limit.Size{Depth: 3, RootFields: 1, Cost: 1 + 50*3}},
		"page backwards": {text: `{tasks(last:7){nodes{id}}}`, want: limit.Size{Depth: 3, RootFields: 1, Cost: 1 + 7*2}},
		"page by a variable": {
			text: `query($n:Int){tasks(first:$n){nodes{id}}}`, variables: map[string]any{"n": int64(100)},
			want: limit.Size{Depth: 3, RootFields: 1, Cost: 1 + 100*2},
		},
		"lists in lists": {
			text: `{jobs(first:10){nodes{recentTasks(first:5){attempts{id}}}}}`,
			want: limit.Size{Depth: 5, RootFields: 1, Cost: 1 + 10*(1+1+5*(1+5*1))},
		},
		"fragments count at each use": {
			text: `query{a:viewer{...v} viewer{...v}} fragment v on Viewer{n:name}`,
			want: limit.Size{Depth: 2, RootFields: 2, Cost: 4, Aliases: 3},
		},
		"introspection": {text: `{__schema{types{n:name}}}`, want: limit.Size{RootFields: 1, Cost: 1, Aliases: 1}},
		"deferred":      {text: `{viewer{...@defer{name}}}`, want: limit.Size{Depth: 2, RootFields: 1, Cost: 2, Deferred: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := limit.Measure(parse(t, tt.text), tt.variables); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// A text of fragments that double one another stands for 2^200 fields.
func TestMeasureDoesNotExpandFragments(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("{viewer{...f0}}")
	for i := range 200 {
		fmt.Fprintf(&text, " fragment f%d on Viewer{...f%d ...f%d}", i, i+1, i+1)
	}
	text.WriteString(" fragment f200 on Viewer{name}")
	got := limit.Measure(parse(t, text.String()), nil)
	if err := limit.Standard.Check(got); !fault.Is(err, fault.Limit) {
		t.Errorf("size %+v was allowed: %v", got, err)
	}
}

// No page size can make a cost wrap around into something small.
func TestCostNeverOverflows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		inner := `attempts{id}`
		for range rapid.IntRange(0, 6).Draw(t, "levels") {
			inner = fmt.Sprintf(`children(first:%d){nodes{%s}}`, rapid.Int32().Draw(t, "first"), inner)
		}
		doc, err := gqlparser.LoadQueryWithRules(schema, `{task(id:"x"){`+inner+`}}`, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := limit.Measure(doc.Operations[0], nil); got.Cost < got.Depth {
			t.Fatalf("cost %d for %s", got.Cost, inner)
		}
	})
}

func TestCheckAtTheBounds(t *testing.T) {
	t.Parallel()
	b := limit.Standard
	at := limit.Size{Depth: b.Depth, Aliases: b.Aliases, RootFields: b.RootFields, Cost: b.Cost}
	if err := b.Check(at); err != nil {
		t.Errorf("the largest operation is refused: %v", err)
	}
	over := map[string]limit.Size{
		"levels deep": {Depth: b.Depth + 1},
		"renaming":    {Aliases: b.Aliases + 1},
		"of the root": {RootFields: b.RootFields + 1},
		"values":      {Cost: b.Cost + 1},
	}
	for text, size := range over {
		err := b.Check(size)
		if !fault.Is(err, fault.Limit) || !strings.Contains(err.Error(), text) {
			t.Errorf("%+v: %v, want LIMIT with %q", size, err, text)
		}
	}
	if err := b.Check(limit.Size{Deferred: true}); !fault.Is(err, fault.Unsupported) {
		t.Errorf("a deferred part is answered with %v", err)
	}
}

type roleKey struct{}

// as is a guard for callers whose role lies in the context.
var as = limit.Guard{Bounds: limit.Standard, Allow: func(ctx context.Context, rule limit.Rule, _ string) error {
	role, _ := ctx.Value(roleKey{}).(models.Role)
	switch {
	case role == 0:
		return fault.New(fault.Unauthenticated, "nobody")
	case role < rule.AtLeast:
		return fault.New(fault.Forbidden, "too low")
	}
	return nil
}}

func guard(t *testing.T, role models.Role, text string) (code fault.Code, introspection bool) {
	t.Helper()
	op := &graphql.OperationContext{Operation: parse(t, text), DisableIntrospection: true}
	ctx := context.WithValue(t.Context(), roleKey{}, role)
	if err := as.MutateOperationContext(ctx, op); err != nil {
		return fault.CodeOf(err), !op.DisableIntrospection
	}
	return "", !op.DisableIntrospection
}

// Every operation of the schema is refused to nobody and to the role below its
// own, and allowed to its own; fragments hide nothing.
func TestEveryRootFieldHasARule(t *testing.T) {
	t.Parallel()
	count := 0
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		for _, field := range root.Fields {
			if strings.HasPrefix(field.Name, "__") {
				continue
			}
			count++
			text := operation(field)
			hidden := fmt.Sprintf("%s{...f} fragment f on %s{...on %s%s}", strings.ToLower(root.Name), root.Name, root.Name, text)
			if root.Name == "Query" && field.Name == "viewer" {
				if code, _ := guard(t, 0, strings.ToLower(root.Name)+text); code != "" {
					t.Errorf("viewer is refused to nobody: %s", code)
				}
				continue
			}
			role := roleOf(t, field)
			for _, text := range []string{strings.ToLower(root.Name) + text, hidden} {
				if code, _ := guard(t, 0, text); code != fault.Unauthenticated {
					t.Errorf("%s: nobody is answered with %q", text, code)
				}
				if code, _ := guard(t, role, text); code != "" {
					t.Errorf("%s: %s is answered with %q", text, role, code)
				}
				if role == models.RoleViewer {
					continue
				}
				if code, _ := guard(t, role-1, text); code != fault.Forbidden {
					t.Errorf("%s: %s is answered with %q", text, role-1, code)
				}
			}
		}
	}
	if count < 30 {
		t.Errorf("only %d operations were walked", count)
	}
}

func roleOf(t *testing.T, field *ast.FieldDefinition) models.Role {
	t.Helper()
	directive := field.Directives.ForName("role")
	if directive == nil {
		t.Fatalf("%s has no @role", field.Name)
	}
	role, ok := models.ParseRole(directive.Arguments.ForName("atLeast").Value.Raw)
	if !ok {
		t.Fatalf("%s has an unknown role", field.Name)
	}
	return role
}

// operation writes a valid selection of one root field.
func operation(field *ast.FieldDefinition) string {
	var arguments []string
	for _, a := range field.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil {
			arguments = append(arguments, a.Name+":"+value(a.Type))
		}
	}
	text := field.Name
	if len(arguments) > 0 {
		text += "(" + strings.Join(arguments, ",") + ")"
	}
	if len(schema.Types[field.Type.Name()].Fields) > 0 {
		text += "{__typename}"
	}
	return "{" + text + "}"
}

func value(of *ast.Type) string {
	if of.Elem != nil {
		return "[]"
	}
	def := schema.Types[of.Name()]
	if def.Kind == ast.Enum {
		return def.EnumValues[0].Name
	}
	if def.Kind != ast.InputObject {
		return map[string]string{"Int": "1", "Duration": `"1s"`, "Time": `"2026-01-01T00:00:00Z"`, "Boolean": "true", "Long": `"1"`}[def.Name] +
			map[bool]string{true: `"x"`}[def.Name == "ID" || def.Name == "String"]
	}
	var fields []string
	for _, f := range def.Fields {
		if f.Type.NonNull && f.DefaultValue == nil {
			fields = append(fields, f.Name+":"+value(f.Type))
		}
	}
	if def.Name == "TriggerInput" { // one of
		fields = []string{"manual:true"}
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func TestBadCredentialsAreAnsweredNothing(t *testing.T) {
	t.Parallel()
	g := as
	g.Refused = func(context.Context) error { return fault.New(fault.Unauthenticated, "revoked") }
	op := &graphql.OperationContext{Operation: parse(t, `{viewer{name}}`)}
	ctx := context.WithValue(t.Context(), roleKey{}, models.RoleAdmin)
	if err := g.MutateOperationContext(ctx, op); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("answered with %v", err)
	}
}

func TestIntrospectionNeedsASignedInViewer(t *testing.T) {
	t.Parallel()
	const text = `{__schema{types{name}}}`
	if code, open := guard(t, 0, text); code != fault.Unauthenticated || open {
		t.Errorf("nobody: code %q, open %t", code, open)
	}
	if code, open := guard(t, models.RoleViewer, text); code != "" || !open {
		t.Errorf("viewer: code %q, open %t", code, open)
	}
	if code, open := guard(t, 0, `{viewer{name}}`); code != "" || open {
		t.Errorf("nobody asking for the viewer: code %q, open %t", code, open)
	}
}

func TestASchemaWithoutARuleIsRefused(t *testing.T) {
	t.Parallel()
	bare := gqlparser.MustLoadSchema(&ast.Source{Input: `type Query { secret: String }`})
	if err := as.Validate(bareSchema{schema: bare}); err == nil {
		t.Error("a root field without @role was accepted")
	}
	if err := as.Validate(bareSchema{schema: schema}); err != nil {
		t.Errorf("our own schema is refused: %v", err)
	}
}

type bareSchema struct {
	graphql.ExecutableSchema
	schema *ast.Schema
}

func (s bareSchema) Schema() *ast.Schema { return s.schema }
