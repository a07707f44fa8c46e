package graph_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
)

const revisionsQuery = `query($id:ID!,$n:Int,$a:String){job(id:$id){revisions(first:$n,after:$a){edges{cursor node{number}} nodes{number at author authorKind action changes{field before after} rollBackChanges{field before after} snapshot} pageInfo{hasNextPage endCursor}}}}`

// A job goes back to what it was, as a new version, and stays paused.
func TestRollBackJob(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	j := b.Job(t, group.ID, "close-orders", func(in *job.Input) { in.Parameters = json.RawMessage(`{"a":1}`) })
	id := graphtest.Vars{"id": j.ID}
	b.Value(t, "updateJob.job.version", `mutation($id:ID!){updateJob(input:{id:$id,handler:"Other",parameters:{a:2},trigger:{fixedRate:{every:"1m"}}}){job{version} userErrors{code}}}`, id)
	b.Value(t, "pauseJob.job.enabled", `mutation($id:ID!){pauseJob(id:$id){job{enabled} userErrors{code}}}`, id)

	revisions := b.Value(t, "job.revisions", revisionsQuery, graphtest.Vars{"id": j.ID, "n": 2}).(map[string]any)
	paused, edited := graphtest.At(t, revisions, "nodes.0").(map[string]any), graphtest.At(t, revisions, "nodes.1").(map[string]any)
	if d := cmp.Diff([]any{map[string]any{"field": "enabled", "before": "true", "after": "false"}}, paused["changes"]); d != "" || paused["number"] != 3.0 || paused["action"] != "job.pause" {
		t.Errorf("%v %s", paused, d)
	}
	handler := map[string]any{"field": "handler", "before": `"` + j.Handler + `"`, "after": `"Other"`}
	parameters := map[string]any{"field": "parameters", "before": `{"a":1}`, "after": `{"a":2}`}
	every := map[string]any{"field": "trigger.everyMs", "before": nil, "after": "60000"}
	kind := map[string]any{"field": "trigger.kind", "before": `"MANUAL"`, "after": `"FIXED_RATE"`}
	if d := cmp.Diff([]any{handler, parameters, every, kind}, edited["changes"]); d != "" {
		t.Error(d)
	}
	rest := b.Value(t, "job.revisions", revisionsQuery, graphtest.Vars{"id": j.ID, "n": 2, "a": graphtest.At(t, revisions, "pageInfo.endCursor")}).(map[string]any)
	if first := graphtest.At(t, rest, "nodes.0").(map[string]any); first["number"] != 1.0 || len(first["changes"].([]any)) != 0 || len(first["rollBackChanges"].([]any)) != 4 || graphtest.At(t, rest, "pageInfo.hasNextPage") != false {
		t.Errorf("%v", rest)
	}

	one := func(number int) any {
		return b.Value(t, "job.revision", `query($id:ID!,$n:Int!){job(id:$id){revision(number:$n){number action changes{field} snapshot}}}`, graphtest.Vars{"id": j.ID, "n": number})
	}
	if got := one(2).(map[string]any); got["number"] != 2.0 || got["action"] != "job.update" || len(got["changes"].([]any)) != 4 || graphtest.At(t, got, "snapshot.handler") != "Other" {
		t.Errorf("one revision: %v", got)
	}
	for _, number := range []int{-1, 0, 4, 1<<31 - 1} {
		if got := one(number); got != nil {
			t.Errorf("revision %d: %v", number, got)
		}
	}

	const back = `mutation($id:ID!,$r:Int!,$v:Int){rollBackJob(id:$id,revision:$r,version:$v){job{version enabled handler parameters trigger{kind}} userErrors{code field message}}}`
	if got := b.Value(t, "rollBackJob.userErrors.0.code", back, graphtest.Vars{"id": j.ID, "r": 9}); got != "NOT_FOUND" {
		t.Errorf("a revision that is not there: %v", got)
	}
	if got := b.Value(t, "rollBackJob.userErrors.0.code", back, graphtest.Vars{"id": j.ID, "r": 1, "v": 2}); got != "CONFLICT" {
		t.Errorf("another version: %v", got)
	}
	got := b.Value(t, "rollBackJob.job", back, graphtest.Vars{"id": j.ID, "r": 1, "v": 3})
	want := map[string]any{"version": 4.0, "enabled": false, "handler": j.Handler, "parameters": map[string]any{"a": 1.0}, "trigger": map[string]any{"kind": "MANUAL"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got := b.Value(t, "job.revisions.nodes.0.action", revisionsQuery, id); got != "job.rollback" {
		t.Errorf("the last action: %v", got)
	}
	for role, allowed := range map[models.Role]bool{models.RoleViewer: false, models.RoleOperator: false, models.RoleDeveloper: true} {
		answer := b.Do(t, role, back, graphtest.Vars{"id": j.ID, "r": 1})
		if refused := len(answer.Errors) > 0; refused == allowed {
			t.Errorf("%s: %+v", role, answer.Errors)
		}
	}
}
