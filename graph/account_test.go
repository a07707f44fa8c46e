package graph_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
)

const (
	roleFields  = `role apps{app{name} role}`
	userFields  = `{id name hasPassword disabledAt createdAt ` + roleFields + `}`
	tokenFields = `{id name prefix scopes createdAt expiresAt lastUsedAt revokedAt ` + roleFields + `}`
)

// An administrator makes an account with its link, changes what it may do, resets its
// password and disables it, by the API alone.
func TestAccountsByTheAPI(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	shop, _ := b.App(t, "shop")
	made := b.Value(t, "createUser", `mutation($in:CreateUserInput!){createUser(input:$in){user`+userFields+` link userErrors{code field message}}}`,
		graphtest.Vars{"in": map[string]any{"name": "ada", "apps": []any{map[string]any{"app": shop.ID, "role": "OPERATOR"}}}})
	for path, want := range map[string]any{
		"user.name": "ada", "user.role": nil, "user.apps.0.role": "OPERATOR", "user.apps.0.app.name": "shop", "user.hasPassword": false, "user.disabledAt": nil,
	} {
		if diff := cmp.Diff(want, graphtest.At(t, made, path)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
	if link, _ := graphtest.At(t, made, "link").(string); !strings.HasPrefix(link, "http://belfry.test/welcome#token=") {
		t.Errorf("the link is %q", link)
	}
	id := graphtest.At(t, made, "user.id")
	const update = `mutation($in:UpdateUserInput!){updateUser(input:$in){user` + userFields + ` userErrors{code field message}}}`
	after := b.Value(t, "updateUser.user", update, graphtest.Vars{"in": map[string]any{"id": id, "role": "VIEWER", "apps": []any{}, "disabled": true}})
	if graphtest.At(t, after, "role") != "VIEWER" || len(graphtest.At(t, after, "apps").([]any)) != 0 || graphtest.At(t, after, "disabledAt") == nil {
		t.Errorf("after the change: %v", after)
	}
	after = b.Value(t, "updateUser.user", update, graphtest.Vars{"in": map[string]any{"id": id, "role": nil, "disabled": false}})
	if graphtest.At(t, after, "role") != nil || graphtest.At(t, after, "disabledAt") != nil {
		t.Errorf("without a role: %v", after)
	}
	reset := b.Value(t, "resetUserPassword", `mutation($id:ID!){resetUserPassword(id:$id){user`+userFields+` link userErrors{code}}}`, graphtest.Vars{"id": id})
	if graphtest.At(t, reset, "link") == graphtest.At(t, made, "link") || graphtest.At(t, reset, "user.name") != "ada" {
		t.Errorf("after the reset: %v", reset)
	}
	if all := b.Value(t, "users.nodes", `{users(first:5){nodes`+userFields+` edges{cursor node{id}} pageInfo{hasNextPage}}}`, nil).([]any); len(all) != 1 {
		t.Errorf("%d accounts", len(all))
	}
	if one := b.Value(t, "user.name", `query($id:ID!){user(id:$id)`+userFields+`}`, graphtest.Vars{"id": id}); one != "ada" {
		t.Errorf("the account is %v", one)
	}
	for text, want := range map[string]string{
		`mutation{createUser(input:{name:"ada",role:VIEWER}){userErrors{code field message}}}`:                 "TAKEN input.name",
		`mutation{createUser(input:{name:"bob"}){userErrors{code field message}}}`:                             "REQUIRED input.role",
		`mutation{createUser(input:{name:"bob",apps:[{app:"x",role:ADMIN}]}){userErrors{code field message}}}`: "NOT_FOUND input.apps.0",
		`mutation{updateUser(input:{id:"x",role:VIEWER}){userErrors{code field message}}}`:                     "NOT_FOUND input.id",
		`mutation{resetUserPassword(id:"x"){userErrors{code field message}}}`:                                  "NOT_FOUND id",
		`mutation{createApiToken(input:{name:"t",role:VIEWER,apps:["x"]}){userErrors{code field message}}}`:    "NOT_FOUND input.apps.0",
		`mutation{createApiToken(input:{name:"",role:VIEWER,expires:"1ms"}){userErrors{code field message}}}`:  "REQUIRED input.name",
		`mutation{revokeApiToken(id:"x"){userErrors{code field message}}}`:                                     "NOT_FOUND id",
		`mutation{endSession(id:"x"){userErrors{code field message}}}`:                                         "NOT_FOUND id",
	} {
		refused := b.Refused(t, text, nil)
		if len(refused) == 0 || refused[0].Code+" "+strings.Join(refused[0].Field, ".") != want {
			t.Errorf("%s: %+v, want %s", text, refused, want)
		}
	}
}

// A token for one app is shown once, reaches that app only, and ends when it is revoked.
func TestTokensByTheAPI(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	shop, _ := b.App(t, "shop")
	b.App(t, "bank")
	made := b.Value(t, "createApiToken", `mutation($in:CreateApiTokenInput!){createApiToken(input:$in){apiToken`+tokenFields+` token userErrors{code}}}`,
		graphtest.Vars{"in": map[string]any{"name": "reports", "role": "VIEWER", "apps": []any{shop.ID}, "expires": "720h"}})
	token, _ := graphtest.At(t, made, "token").(string)
	header := http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + token}}
	if a := b.Post(t, map[string]any{"query": `{apps{name} viewer{name isToken role roleInAllApps apps{app{name} role}}}`}, header); string(a.Data) !=
		`{"apps":[{"name":"shop"}],"viewer":{"name":"reports","isToken":true,"role":"VIEWER","roleInAllApps":null,"apps":[{"app":{"name":"shop"},"role":"VIEWER"}]}}` {
		t.Errorf("%s %+v", a.Data, a.Errors)
	}
	all := b.Value(t, "apiTokens.nodes", `{apiTokens(search:"reports",active:true){nodes`+tokenFields+` edges{cursor node{id}} pageInfo{endCursor}}}`, nil)
	if graphtest.At(t, all, "0.name") != "reports" || graphtest.At(t, all, "0.role") != nil || graphtest.At(t, all, "0.expiresAt") == nil ||
		!strings.HasPrefix(token, graphtest.At(t, all, "0.prefix").(string)) || strings.Contains(token, "*") {
		t.Errorf("tokens %v", all)
	}
	ended := b.Value(t, "revokeApiToken.apiToken", `mutation($id:ID!){revokeApiToken(id:$id){apiToken`+tokenFields+` userErrors{code}}}`,
		graphtest.Vars{"id": graphtest.At(t, made, "apiToken.id")})
	if graphtest.At(t, ended, "revokedAt") == nil {
		t.Errorf("after the revocation: %v", ended)
	}
	if a := b.Post(t, map[string]any{"query": `{apps{name}}`}, header); a.Status != http.StatusUnauthorized {
		t.Errorf("a revoked token is answered: %s", a.Data)
	}
	b.Ask(t, `{viewer{roleInAllApps apps{role} scopes}}`, nil, nil)
}

// People see their own sessions, and end them.
func TestSessionsByTheAPI(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	const text = `{sessions{id current createdAt lastSeenAt expiresAt}}`
	if all := b.Value(t, "sessions", text, nil).([]any); len(all) != 0 {
		t.Errorf("a token has %d sessions", len(all))
	}
	p := b.Person(t, "correct horse battery")
	seen := p.Value(t, "sessions", text, nil)
	if len(seen.([]any)) != 1 || graphtest.At(t, seen, "0.current") != true {
		t.Fatalf("%+v", seen)
	}
	id, _ := graphtest.At(t, seen, "0.id").(string)
	if theirs := b.Value(t, "userSessions", `query($u:ID!){userSessions(user:$u){id current createdAt lastSeenAt expiresAt}}`,
		graphtest.Vars{"u": b.Value(t, "users.nodes.0.id", `{users{nodes{id}}}`, nil)}).([]any); len(theirs) != 1 || graphtest.At(t, theirs, "0.current") != false {
		t.Errorf("an administrator sees %v", theirs)
	}
	const end = `mutation($id:ID!){endSession(id:$id){session{id} userErrors{code}}}`
	a := b.Do(t, models.RoleAdmin, end, graphtest.Vars{"id": id})
	if !strings.Contains(string(a.Data), id) {
		t.Errorf("%s %+v", a.Data, a.Errors)
	}
	if a := b.Post(t, map[string]any{"query": text}, p.Header()); a.Status != http.StatusUnauthorized {
		t.Errorf("the browser is answered: %s", a.Data)
	}
}
