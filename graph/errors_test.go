package graph_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
)

// What goes wrong inside is not shown, but can be found in the log.
func TestFaultsOfOursAreHidden(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	b.App(t, "shop")
	b.Ask(t, `{viewer{name}}`, nil, nil) // the token is remembered for a second
	b.CloseLedger(t)
	a := b.Do(t, models.RoleAdmin, `query Broken{apps{name} jobs{nodes{id}}}`, nil)
	if len(a.Errors) == 0 {
		t.Fatal("no error came")
	}
	for _, e := range a.Errors {
		if e.Extensions.Code != "INTERNAL" || e.Extensions.RequestID == "" {
			t.Errorf("%+v", e)
		}
		if text := strings.ToLower(e.Message); strings.Contains(text, "sql") || strings.Contains(text, "database") || strings.Contains(text, "closed") {
			t.Errorf("the message shows what is inside: %s", e.Message)
		}
		if n := b.Log.Count(e.Extensions.RequestID); n == 0 {
			t.Errorf("the log does not know request %s", e.Extensions.RequestID)
		}
	}
	if n := b.Log.Count(`"an operation failed"`); n == 0 || n > 2 {
		t.Errorf("the failure is logged %d times", n)
	}
}

// Values that are no scalars are refused with the value and the remedy.
func TestScalarsAreChecked(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	before := everything(t, b)
	create := func(field string, value any) graphtest.Vars {
		return graphtest.Vars{"in": map[string]any{"group": group.ID, "name": "n", "handler": "h", "trigger": map[string]any{"manual": true}, field: value}}
	}
	const text = `mutation($in:CreateJobInput!){createJob(input:$in){job{id} userErrors{code}}}`
	for name, tt := range map[string]struct {
		vars graphtest.Vars
		says string
	}{
		"a bare number for a duration":  {create("timeout", 90), "90"},
		"a duration in words":           {create("timeout", "an hour"), "an hour"},
		"a fraction for a whole number": {create("maxRunning", 1.5), ""},
		"too large a number":            {create("maxRunning", 1<<31), "2147483648"},
		"a priority that is none":       {create("priority", "URGENT"), "URGENT"},
		"two triggers":                  {create("trigger", map[string]any{"manual": true, "fixedDelay": map[string]any{"delay": "1s"}}), ""},
		"no trigger":                    {create("trigger", map[string]any{}), ""},
		"an unknown field":              {create("colour", "red"), "unknown field"},
	} {
		a := b.Do(t, models.RoleAdmin, text, tt.vars)
		if len(a.Errors) == 0 && strings.Contains(string(a.Data), `"userErrors":[{"code":"REQUIRED"}]`) && strings.Contains(name, "trigger") {
			continue // one of several fields: the service counts them
		}
		if len(a.Errors) == 0 || !strings.Contains(a.Errors[0].Message, tt.says) {
			t.Errorf("%s: %d %+v %s", name, a.Status, a.Errors, a.Data)
			continue
		}
		if code := a.Errors[0].Extensions.Code; code != "INVALID" && code != "GRAPHQL_VALIDATION_FAILED" {
			t.Errorf("%s: code %s", name, code)
		}
	}
	if after := everything(t, b); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("something was changed:\n%v\n%v", before, after)
	}
}

// Every operation is refused to nobody and to a revoked token with 401, and to the
// role below its own with 403.
func TestEveryOperationAsksWho(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	for _, root := range []*ast.Definition{graphtest.Schema.Query, graphtest.Schema.Mutation} {
		for _, field := range root.Fields {
			if strings.HasPrefix(field.Name, "__") || root.Name+"."+field.Name == "Query.viewer" {
				continue
			}
			text := strings.ToLower(root.Name) + smallest(field)
			if a := b.Do(t, 0, text, nil); a.Status != http.StatusUnauthorized || a.Errors[0].Extensions.Code != "UNAUTHENTICATED" {
				t.Errorf("%s by nobody: %d %+v", field.Name, a.Status, a.Errors)
			}
			role, _ := models.ParseRole(field.Directives.ForName("role").Arguments.ForName("atLeast").Value.Raw)
			if role == models.RoleViewer {
				continue
			}
			if a := b.Do(t, role-1, text, nil); a.Status != http.StatusForbidden || a.Errors[0].Extensions.Code != "FORBIDDEN" {
				t.Errorf("%s by %s: %d %+v", field.Name, role-1, a.Status, a.Errors)
			}
		}
	}
	wrong := http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer bfy_wrong"}}
	for _, text := range []string{`{viewer{name}}`, `{apps{name}}`} {
		if a := b.Post(t, map[string]any{"query": text}, wrong); a.Status != http.StatusUnauthorized {
			t.Errorf("%s with a wrong token: %d", text, a.Status)
		}
	}
	wrong.Set("Authorization", "Basic YTpi")
	if a := b.Post(t, map[string]any{"query": `{viewer{name}}`}, wrong); a.Status != http.StatusUnauthorized {
		t.Errorf("basic authorisation: %d", a.Status)
	}
}

// smallest writes a valid selection of a root field with ids that are nobody's.
func smallest(field *ast.FieldDefinition) string {
	values := map[string]string{"CreateJobInput": `{group:"x",name:"x",handler:"x",trigger:{manual:true}}`, "CreateNodeGroupInput": `{app:"x",name:"x"}`, "CreateAppInput": `{name:"x"}`, "CreateCalendarInput": `{app:"x",name:"x"}`, "UpdateCalendarInput": `{id:"x"}`, "AlertChannelInput": `{name:"x",kind:SLACK}`, "UpdateContactsInput": `{}`, "ReportScheduleInput": `{name:"x",zone:"UTC",at:"08:30",channels:["x"]}`, "CreateBulkOperationInput": `{kind:CANCEL,tasks:["x"]}`, "MessagePreviewInput": `{kind:SLACK,message:PROBLEM}`, "ImportCalendarInput": `{id:"x",format:LIST,text:"x"}`, "UpdateAppInput": `{id:"x"}`, "UpdateJobInput": `{id:"x"}`, "UpdateNodeGroupInput": `{id:"x"}`, "UpdateViewerInput": `{}`, "TriggerJobInput": `{job:"x"}`, "CreateBackfillInput": `{job:"x",from:"2026-01-01T00:00:00Z",to:"2026-01-02T00:00:00Z"}`, "SchedulePreviewInput": `{trigger:{manual:true}}`}
	var arguments []string
	for _, a := range field.Arguments {
		if !a.Type.NonNull {
			continue
		}
		value, ok := values[a.Type.Name()]
		if a.Type.Name() == "Time" {
			value, ok = `"2026-01-01T00:00:00Z"`, true
		}
		if !ok {
			value = smallestValue(a.Type)
		}
		arguments = append(arguments, a.Name+":"+value)
	}
	text := field.Name
	if len(arguments) > 0 {
		text += "(" + strings.Join(arguments, ",") + ")"
	}
	return "{" + text + "{__typename}}"
}

// smallestValue writes a valid value of an input type, with what it needs and no more.
func smallestValue(of *ast.Type) string {
	def := graphtest.Schema.Types[of.Name()]
	switch {
	case of.Elem != nil:
		return "[]"
	case def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case def.Name == "Int":
		return "1"
	case def.Kind != ast.InputObject:
		return `"x"`
	}
	var fields []string
	for _, f := range def.Fields {
		if f.Type.NonNull && f.DefaultValue == nil {
			fields = append(fields, f.Name+":"+smallestValue(f.Type))
		}
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// The console's cookie counts only with its header, and only from its own page.
func TestCookiesNeedTheConsole(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	p := b.Person(t, "correct horse battery")
	body := map[string]any{"query": `{apps{name}}`}
	if a := b.Post(t, body, p.Header()); a.Status != http.StatusOK || len(a.Errors) > 0 {
		t.Fatalf("the console itself: %d %+v", a.Status, a.Errors)
	}
	for name, change := range map[string]func(http.Header){
		"without the header":     func(h http.Header) { h.Del("X-Belfry-Console") },
		"with a foreign origin":  func(h http.Header) { h.Set("Origin", "http://evil.example") },
		"with an opaque origin":  func(h http.Header) { h.Set("Origin", "null") },
		"from a foreign site":    func(h http.Header) { h.Del("Origin"); h.Set("Sec-Fetch-Site", "cross-site") },
		"from a sibling site":    func(h http.Header) { h.Set("Sec-Fetch-Site", "same-site") },
		"as a form, so to speak": func(h http.Header) { h.Set("Content-Type", "text/plain") },
	} {
		h := p.Header()
		change(h)
		if a := b.Post(t, body, h); a.Status == http.StatusOK || string(a.Data) != "" && string(a.Data) != "null" {
			t.Errorf("%s: %d %s", name, a.Status, a.Data)
		}
	}
}
