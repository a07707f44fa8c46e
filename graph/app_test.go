package graph_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
)

const appFields = `{id name description createdAt jobCount onlineNodeCount
	keys{id prefix createdAt lastUsedAt revokedAt} nodeGroups{id name}}`

func TestAppsAndKeys(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	var made struct {
		CreateApp struct {
			App        map[string]any
			Key        string
			UserErrors []graphtest.UserError
		}
	}
	b.Ask(t, `mutation($in:CreateAppInput!){createApp(input:$in){app`+appFields+` key userErrors{code field message}}}`,
		graphtest.Vars{"in": map[string]any{"name": "shop", "description": "the shop 😀"}}, &made)
	app, key := made.CreateApp.App, made.CreateApp.Key
	if graphtest.At(t, app, "nodeGroups.0.name") != "default" || app["description"] != "the shop 😀" || app["jobCount"] != 0.0 {
		t.Errorf("the new app is %v", app)
	}
	if prefix, _ := graphtest.At(t, app, "keys.0.prefix").(string); prefix == "" || !strings.HasPrefix(key, prefix) || len(key) < 32 {
		t.Errorf("the key %q does not begin with %q", key, prefix)
	}
	id := graphtest.Vars{"id": app["id"]}
	if _, _, err := b.Fleet.AuthenticateKey(t.Context(), key); err != nil {
		t.Errorf("the key does not work: %v", err)
	}

	b.Ask(t, `mutation($id:ID!){updateApp(input:{id:$id,description:"new"}){app{description} userErrors{code}}}`, id, nil)
	if got := b.Value(t, "app.description", `{app(name:"shop")`+appFields+`}`, nil); got != "new" {
		t.Errorf("the description is %v", got)
	}
	b.Ask(t, `mutation($id:ID!){updateApp(input:{id:$id}){app{description}}}`, id, nil) // absent stays
	if got := b.Value(t, "app.description", `{app(name:"shop"){description}}`, nil); got != "new" {
		t.Errorf("an absent field changed the description to %v", got)
	}

	second := b.Value(t, "createAppKey.key", `mutation($id:ID!){createAppKey(app:$id){key appKey{id prefix} userErrors{code field message}}}`, id)
	if _, _, err := b.Fleet.AuthenticateKey(t.Context(), second.(string)); err != nil {
		t.Errorf("the second key does not work: %v", err)
	}
	refused := b.Refused(t, `mutation($id:ID!){createAppKey(app:$id){userErrors{code field message}}}`, id)
	if len(refused) != 1 || refused[0].Message == "" {
		t.Errorf("a third key: %+v", refused)
	}
	first := b.Value(t, "app.keys.1.id", `{app(name:"shop"){keys{id}}}`, nil)
	revokedAt := b.Value(t, "revokeAppKey.appKey.revokedAt", `mutation($id:ID!){revokeAppKey(id:$id){appKey{revokedAt} userErrors{code}}}`, graphtest.Vars{"id": first})
	if revokedAt == nil {
		t.Error("the revoked key has no time of revocation")
	}
	if _, _, err := b.Fleet.AuthenticateKey(t.Context(), key); err == nil {
		t.Error("the revoked key still works")
	}

	if n := len(b.Value(t, "apps", `{apps{id name}}`, nil).([]any)); n != 1 {
		t.Errorf("%d apps", n)
	}
	b.Ask(t, `mutation($id:ID!){deleteApp(id:$id){app{name} userErrors{code}}}`, id, nil)
	if got := b.Value(t, "app", `{app(name:"shop"){id}}`, nil); got != nil {
		t.Errorf("the deleted app is still there: %v", got)
	}
}

func TestAppRefusals(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	app, group := b.App(t, "shop")
	b.Job(t, group.ID, "close-orders")
	const create = `mutation($n:String!,$d:String){createApp(input:{name:$n,description:$d}){app{id} key userErrors{code field message}}}`
	refusals(t, b, []refusal{
		{"a name with blanks", create, graphtest.Vars{"n": "my shop"}, "INVALID", "input.name", `"my shop"`},
		{"an empty name", create, graphtest.Vars{"n": ""}, "REQUIRED", "input.name", "1 to 64"},
		{"a name that is taken", create, graphtest.Vars{"n": "shop"}, "TAKEN", "input.name", "shop"},
		{"a long description", create, graphtest.Vars{"n": "a", "d": strings.Repeat("😀", 501)}, "INVALID", "input.description", "500"},
		{"a description with NUL", create, graphtest.Vars{"n": "a", "d": "a\x00b"}, "INVALID", "input.description", "NUL"},
		{"updating what is not there", `mutation{updateApp(input:{id:"none",description:"x"}){app{id} userErrors{code field message}}}`, nil, "NOT_FOUND", "input.id", "none"},
		{
			"a long new description", `mutation($id:ID!,$d:String){updateApp(input:{id:$id,description:$d}){app{id} userErrors{code field message}}}`,
			graphtest.Vars{"id": app.ID, "d": strings.Repeat("x", 501)},
			"INVALID", "input.description", "500",
		},
		{"deleting what is not there", `mutation{deleteApp(id:"none"){app{id} userErrors{code field message}}}`, nil, "NOT_FOUND", "id", "none"},
		{"deleting an app with jobs", `mutation($id:ID!){deleteApp(id:$id){app{id} userErrors{code field message}}}`, graphtest.Vars{"id": app.ID}, "CONFLICT", "", "job"},
		{"a key for no app", `mutation{createAppKey(app:"none"){appKey{id} key userErrors{code field message}}}`, nil, "NOT_FOUND", "app", "none"},
		{"revoking no key", `mutation{revokeAppKey(id:"none"){appKey{id} userErrors{code field message}}}`, nil, "NOT_FOUND", "id", "none"},
	})
}

// refusal is one mutation with a wrong value.
type refusal struct {
	name  string
	text  string
	vars  graphtest.Vars
	code  string
	field string // dotted; empty: none is blamed
	says  string // part of the message
}

// refusals runs mutations that must be refused with exactly one error, must answer
// nothing but that, and must change nothing.
func refusals(t *testing.T, b *graphtest.Bench, all []refusal) {
	t.Helper()
	before := everything(t, b)
	for _, tt := range all {
		var data map[string]map[string]any
		b.Ask(t, tt.text, tt.vars, &data)
		for _, payload := range data {
			errs, _ := payload["userErrors"].([]any)
			if len(errs) != 1 {
				t.Errorf("%s: %d errors: %v", tt.name, len(errs), errs)
				continue
			}
			got, _ := errs[0].(map[string]any)
			if got["code"] != tt.code || dotted(got["field"]) != tt.field || !strings.Contains(got["message"].(string), tt.says) {
				t.Errorf("%s: %v, want %s at %q saying %q", tt.name, got, tt.code, tt.field, tt.says)
			}
			if !strings.HasSuffix(got["message"].(string), ".") {
				t.Errorf("%s: the message is no sentence: %s", tt.name, got["message"])
			}
			for field, value := range payload {
				if field != "userErrors" && value != nil {
					t.Errorf("%s: answers %s %v", tt.name, field, value)
				}
			}
		}
		if diff := cmp.Diff(before, everything(t, b)); diff != "" {
			t.Fatalf("%s changed something:\n%s", tt.name, diff)
		}
	}
}

func dotted(path any) string {
	steps, _ := path.([]any)
	var all []string
	for _, s := range steps {
		all = append(all, s.(string))
	}
	return strings.Join(all, ".")
}

// everything is what the API shows of a small ledger.
func everything(t *testing.T, b *graphtest.Bench) any {
	t.Helper()
	var data any
	b.Ask(t, `{
		apps{id name description keys{id revokedAt}}
		nodeGroups{id name maxRunning releaseRate releaseBurst routing heartbeatInterval heartbeatMisses}
		nodes{id name state}
		jobs(first:100){nodes{id name version enabled updatedAt handler nextFireAt deletedAt}}
		tasks(first:100){nodes{id state attempt reason parameters cancelRequestedAt}}
		viewer{name locale timeZone}
	}`, nil, &data)
	return data
}
