package graph_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
)

// limited is a token of an administrator with some scopes only.
func limited(t *testing.T, b *graphtest.Bench, scopes ...models.Scope) http.Header {
	t.Helper()
	token, _, err := b.Accounts.CreateToken(t.Context(), "test", account.NewToken{Name: "limited", Role: models.RoleAdmin, Scopes: scopes})
	if err != nil {
		t.Fatal(err)
	}
	return http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + token}}
}

// needs is the scope that an operation was refused for; empty when it was not.
func needs(a graphtest.Answer) string {
	for _, e := range a.Errors {
		if rest, found := strings.CutPrefix(e.Message, "This needs the scope "); found && e.Extensions.Code == "FORBIDDEN" {
			scope, _, _ := strings.Cut(rest, " ")
			return scope
		}
	}
	return ""
}

// Every operation asks tokens that are limited for the scope of its area; which one stands
// in a file, so that a change is seen. A new operation gets a line there.
func TestScopesOfOperations(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	logs, reports := limited(t, b, models.ScopeLogsRead), limited(t, b, models.ScopeReportsRead)
	var lines []string
	for _, root := range []*ast.Definition{graphtest.Schema.Query, graphtest.Schema.Mutation, graphtest.Schema.Subscription} {
		for _, field := range root.Fields {
			if strings.HasPrefix(field.Name, "__") {
				continue
			}
			text := map[string]any{"query": strings.ToLower(root.Name) + smallest(field)}
			scope := needs(b.Post(t, text, logs))
			if scope == "" {
				scope = needs(b.Post(t, text, reports))
			}
			if scope == "" {
				scope = "-"
			}
			lines = append(lines, fmt.Sprintf("%s.%s %s", root.Name, field.Name, scope))
		}
	}
	slices.Sort(lines)
	path := filepath.Join("testdata", "scopes.golden.txt")
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(strings.TrimSpace(string(want)), "\n"), lines); diff != "" {
		t.Errorf("scopes of operations (-file +now); if that is meant, run go test ./graph -run TestScopesOfOperations -update:\n%s", diff)
	}
}

// What an operation reads of other areas asks for their scopes too, however it is written;
// what a change answers of its own area is part of the change.
func TestScopesOfWhatIsReadBelow(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	e := settle(t, b, "mine")
	jobs := limited(t, b, models.ScopeJobsRead)
	tasks := limited(t, b, models.ScopeTasksRead)
	edits := limited(t, b, models.ScopeJobsWrite)
	for _, tt := range []struct {
		text   string
		header http.Header
		want   string
	}{
		{`{jobs{nodes{name app{name} trigger{description} routing{strategy}}}}`, jobs, ""},
		{`{jobs{nodes{name recentTasks{parameters}}}}`, jobs, "TASKS_READ"},
		{`{jobs{nodes{...f}}} fragment f on Job {...g} fragment g on Job {... on Job {recentTasks{id}}}`, jobs, "TASKS_READ"},
		{`{jobs{nodes{group{nodes{name}}}}}`, jobs, "NODES_READ"},
		{`{jobs{nodes{app{keys{prefix}}}}}`, jobs, "ADMINISTRATION_READ"},
		{`{apps{name keys{prefix}}}`, jobs, "ADMINISTRATION_READ"},
		{`{apps{name} viewer{name scopes apps{role app{name}}}}`, jobs, ""},
		{`{task(id:"` + e.task.ID + `"){state attempts{error}}}`, tasks, ""},
		{`{task(id:"` + e.task.ID + `"){logs{nodes{message}}}}`, tasks, "LOGS_READ"},
		{`{task(id:"` + e.task.ID + `"){job{name}}}`, tasks, "JOBS_READ"},
		{`mutation{pauseJob(id:"` + e.job.ID + `"){job{name enabled} userErrors{code}}}`, edits, ""},
		{`mutation{pauseJob(id:"` + e.job.ID + `"){job{recentTasks{id}}}}`, edits, "TASKS_READ"},
		{`mutation{pauseJob(id:"` + e.job.ID + `"){job{name}}}`, jobs, "JOBS_WRITE"},
		{`{jobs{nodes{name}}}`, edits, "JOBS_READ"},
		{`mutation{triggerJob(input:{job:"` + e.job.ID + `"}){task{id}}}`, edits, "TASKS_WRITE"},
	} {
		a := b.Post(t, map[string]any{"query": tt.text}, tt.header)
		if got := needs(a); got != tt.want || tt.want == "" && len(a.Errors) > 0 {
			t.Errorf("%s: needs %q, want %q: %+v", tt.text, got, tt.want, a.Errors)
		}
	}
}

// A token that is limited makes none that may do more.
func TestLimitedTokensMakeNoWiderOnes(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	keeper := limited(t, b, models.ScopeAdministrationWrite, models.ScopeJobsRead)
	for scopes, want := range map[string]string{
		`[]`: "FORBIDDEN", `[TASKS_READ]`: "FORBIDDEN", `[JOBS_READ,LOGS_READ]`: "FORBIDDEN", `[JOBS_READ]`: "",
	} {
		a := b.Post(t, map[string]any{"query": `mutation{createApiToken(input:{name:"t",role:VIEWER,scopes:` + scopes + `}){apiToken{scopes} token userErrors{code}}}`}, keeper)
		if code(a) != want {
			t.Errorf("scopes %s: %s %+v", scopes, a.Data, a.Errors)
		}
	}
	made := b.Value(t, "createApiToken.apiToken.scopes", `mutation{createApiToken(input:{name:"t",role:VIEWER,scopes:[TASKS_READ,JOBS_READ,TASKS_READ]}){apiToken{scopes} userErrors{code}}}`, nil)
	if diff := cmp.Diff([]any{"JOBS_READ", "TASKS_READ"}, made); diff != "" {
		t.Error(diff)
	}
}
