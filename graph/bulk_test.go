package graph_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/bulk"
	"github.com/belfry-scheduler/belfry/services/task"
)

const bulkFields = `{id kind state total done refused progress parameters patch reason selection createdBy createdAt finishedAt refusals{taskId message task{state}}}`

// pass has the leader carry out all that is under way.
func pass(t *testing.T, b *graphtest.Bench) {
	t.Helper()
	for {
		rest, err := b.Bulks.Pass(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if rest > time.Second {
			return
		}
	}
}

// fail makes a task that has failed for good.
func fail(t *testing.T, b *graphtest.Bench, j models.Job, n models.Node) models.Task {
	t.Helper()
	made := b.Task(t, task.NewTask{Job: j.ID})
	b.Dispatch(t, made.ID, n)
	return b.End(t, made.ID, models.EventFail)
}

func textOf(v any) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}

func TestBulkOperation(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	j, n := b.Job(t, group.ID, "report"), b.Node(t, group, "n1")
	failed := make([]string, 3)
	for i := range failed {
		failed[i] = fail(t, b, j, n).ID
	}
	const preview = `query($in:CreateBulkOperationInput!){bulkPreview(input:$in){total more asOf error{code field message}}}`
	in := map[string]any{"kind": "RETRY", "filter": map[string]any{"job": j.ID, "states": []string{"FAILED", "DISCARDED"}}, "patch": map[string]any{"day": nil, "force": true}, "reason": "mended", "requestId": "press"}
	shown, _ := b.Value(t, "bulkPreview", preview, graphtest.Vars{"in": in}).(map[string]any)
	if shown["total"] != "3" || shown["more"] != false || shown["error"] != nil {
		t.Fatalf("preview %v", shown)
	}
	in["asOf"] = shown["asOf"]
	late := fail(t, b, j, n).ID
	const create = `mutation($in:CreateBulkOperationInput!){createBulkOperation(input:$in){bulkOperation` + bulkFields + ` userErrors{code field message}}}`
	made, _ := b.Value(t, "createBulkOperation.bulkOperation", create, graphtest.Vars{"in": in}).(map[string]any)
	if made["state"] != "RUNNING" || made["total"] != "3" || made["createdBy"] != "token-ADMIN" || made["progress"] != 0.0 {
		t.Fatalf("made %v", made)
	}
	if got := textOf(graphtest.At(t, made, "selection.states")); got != `["FAILED","DISCARDED"]` || graphtest.At(t, made, "selection.job") != j.ID {
		t.Errorf("the selection is told as %v", made["selection"])
	}
	if again := b.Value(t, "createBulkOperation.bulkOperation.id", create, graphtest.Vars{"in": in}); again != made["id"] {
		t.Errorf("a repeat made %v", again)
	}
	const discard = `mutation($id:ID!){discardTask(id:$id){task{state} userErrors{code}}}`
	b.Value(t, "discardTask.task.state", discard, graphtest.Vars{"id": failed[1]})
	pass(t, b)
	const read = `query($id:ID!){bulkOperation(id:$id)` + bulkFields + `}`
	now, _ := b.Value(t, "bulkOperation", read, graphtest.Vars{"id": made["id"]}).(map[string]any)
	if now["state"] != "FINISHED" || now["done"] != "3" || now["refused"] != "0" || now["progress"] != 1.0 || now["finishedAt"] == nil {
		t.Errorf("at its end %v", now)
	}
	const one = `query($id:ID!){task(id:$id){state parameters timeline{kind message}}}`
	for id, want := range map[string]string{failed[0]: "RETRYING", failed[1]: "DISCARDED", failed[2]: "RETRYING", late: "FAILED"} {
		got, _ := b.Value(t, "task", one, graphtest.Vars{"id": id}).(map[string]any)
		if got["state"] != want {
			t.Errorf("task %s is %v; want %s", id, got["state"], want)
		}
		if want == "RETRYING" && (graphtest.At(t, got, "parameters.force") != true || !strings.Contains(textOf(got["timeline"]), "token-ADMIN")) {
			t.Errorf("retried with %v, told as %v", got["parameters"], got["timeline"])
		}
	}
	// The one that was discarded meanwhile has ended for good: it was repeated by a new task.
	const repeats = `query($f:TaskFilter){tasks(filter:$f){nodes{rootTask{id} parameters}}}`
	if root := b.Value(t, "tasks.nodes.0.rootTask.id", repeats, graphtest.Vars{"f": map[string]any{"job": j.ID, "states": []string{"WAITING"}}}); root != failed[1] {
		t.Errorf("the new task repeats %v; want %s", root, failed[1])
	}
}

func TestBulkChanged(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	made := make([]models.BulkOperation, 2)
	for i := range made {
		var err error
		made[i], err = b.Bulks.Create(t.Context(), "ada", bulk.Input{Kind: models.BulkDiscard, TaskIDs: []string{models.NewID(time.Now())}})
		if err != nil {
			t.Fatal(err)
		}
	}
	s := b.Connect(t, models.RoleViewer)
	s.Subscribe(`subscription($id:ID!){bulkOperationChanged(id:$id){id state}}`, graphtest.Vars{"id": made[0].ID})
	first := awaitFirst(t, s, "bulkOperationChanged", func() { // stopping again tells again
		for _, of := range []models.BulkOperation{made[1], made[0]} {
			if _, err := b.Bulks.Cancel(t.Context(), "ada", of.ID); err != nil {
				t.Error(err)
			}
		}
	})
	if graphtest.At(t, first, "id") != made[0].ID || graphtest.At(t, first, "state") != "CANCELLED" {
		t.Errorf("the first change is %v", first)
	}
}

func TestBulkRefusals(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	j, n := b.Job(t, group.ID, "report"), b.Node(t, group, "n1")
	failed := fail(t, b, j, n)
	const create = `mutation($in:CreateBulkOperationInput!){createBulkOperation(input:$in){bulkOperation{id} userErrors{code field message}}}`
	const preview = `query($in:CreateBulkOperationInput!){bulkPreview(input:$in){error{code field message}}}`
	filter := map[string]any{"job": j.ID}
	for _, c := range []struct {
		in                  map[string]any
		code, field, remedy string
	}{
		{map[string]any{"kind": "RETRY"}, "REQUIRED", "tasks", "Name the tasks"},
		{map[string]any{"kind": "RETRY", "tasks": []string{failed.ID}, "filter": filter}, "REQUIRED", "tasks", "one of the two"},
		{map[string]any{"kind": "RETRY", "tasks": []string{"x"}}, "INVALID", "tasks", "26 characters"},
		{map[string]any{"kind": "DISCARD", "filter": map[string]any{"states": []string{"RUNNING"}}}, "INVALID", "filter", "tasks that are FAILED"},
		{map[string]any{"kind": "CANCEL", "filter": map[string]any{"states": []string{"SUCCEEDED"}}}, "INVALID", "filter", "WAITING, RUNNING, RETRYING or FAILED"},
		{map[string]any{"kind": "CANCEL", "filter": filter}, "INVALID", "filter", "matches no task"},
		{map[string]any{"kind": "DISCARD", "filter": filter, "parameters": 1}, "INVALID", "parameters", "RETRY only"},
		{map[string]any{"kind": "RETRY", "filter": filter, "parameters": 1, "patch": map[string]any{}}, "INVALID", "patch", "one of them"},
		{map[string]any{"kind": "RETRY", "filter": filter, "patch": []int{1}}, "INVALID", "patch", "JSON object"},
		{map[string]any{"kind": "RETRY", "filter": filter, "asOf": "2999-01-01T00:00:00Z"}, "INVALID", "asOf", "future"},
	} {
		for path, text := range map[string]string{"createBulkOperation.userErrors.0": create, "bulkPreview.error": preview} {
			got, _ := b.Value(t, path, text, graphtest.Vars{"in": c.in}).(map[string]any)
			field, _ := got["field"].([]any)
			message, _ := got["message"].(string)
			if got["code"] != c.code || len(field) < 2 || field[1] != c.field || !strings.Contains(message, c.remedy) {
				t.Errorf("%v: %v; want %s at %s with %q", c.in, got, c.code, c.field, c.remedy)
			}
		}
	}
	// Parameters that are no object cannot be patched; the task stays, and says why.
	const edit = `mutation($id:ID!){retryTask(id:$id,parameters:[1]){task{id} userErrors{message}}}`
	b.Value(t, "retryTask.task.id", edit, graphtest.Vars{"id": failed.ID})
	b.Dispatch(t, failed.ID, n)
	b.End(t, failed.ID, models.EventFail)
	id := b.Value(t, "createBulkOperation.bulkOperation.id", create,
		graphtest.Vars{"in": map[string]any{"kind": "RETRY", "tasks": []string{failed.ID}, "patch": map[string]any{"a": 1}}})
	pass(t, b)
	got, _ := b.Value(t, "bulkOperations.nodes.0", `{bulkOperations(first:1){edges{cursor node{id}} pageInfo{hasNextPage} nodes`+bulkFields+`}}`, nil).(map[string]any)
	if got["id"] != id || got["refused"] != "1" || graphtest.At(t, got, "refusals.0.task.state") != "FAILED" ||
		!strings.Contains(textOf(got["refusals"]), "replace them as a whole") {
		t.Errorf("left as it was: %v", got)
	}
	const stop = `mutation($id:ID!){cancelBulkOperation(id:$id){bulkOperation{id} userErrors{code}}}`
	for which, want := range map[string]string{id.(string): "CONFLICT", "none": "NOT_FOUND"} {
		if code := b.Value(t, "cancelBulkOperation.userErrors.0.code", stop, graphtest.Vars{"id": which}); code != want {
			t.Errorf("stopping %s: %v; want %s", which, code, want)
		}
	}
	if got := b.Value(t, "bulkOperation", `{bulkOperation(id:"none"){id}}`, nil); got != nil {
		t.Errorf("an unknown one: %v", got)
	}
}
