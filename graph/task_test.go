package graph_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/task"
)

const taskFields = `{id state trigger priority scheduledAt availableAt createdAt startedAt finishedAt deadlineAt duration attempt maxAttempts
	parameters result error reason uniqueKey shard shards progress progressMessage cancelRequestedAt
	job{name} group{name} node{name} rootTask{id} parent{id} children{nodes{id} totalCount}
	attempts{id number state node{name} nodeName availableAt dispatchedAt startedAt finishedAt error result}
	timeline{at kind attempt node{name} message actor}
	logs(first:2){nodes{seq at level message fields attempt} hasNextPage endCursor truncated}}`

// shop is an app with a job and a node.
func shop(t *testing.T, b *graphtest.Bench) (models.Job, models.Node) {
	t.Helper()
	_, group := b.App(t, "shop")
	return b.Job(t, group.ID, "close-orders"), b.Node(t, group, "orders-1")
}

func readTask(t *testing.T, b *graphtest.Bench, id string) map[string]any {
	t.Helper()
	got, _ := b.Value(t, "task", `query($id:ID!){task(id:$id)`+taskFields+`}`, graphtest.Vars{"id": id}).(map[string]any)
	return got
}

func TestTaskLife(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j, n := shop(t, b)
	made := b.Task(t, task.NewTask{Job: j.ID, Parameters: json.RawMessage(`{"order":17}`), UniqueKey: "order-17"})

	waiting := readTask(t, b, made.ID)
	for path, want := range map[string]any{
		"state": "WAITING", "trigger": "MANUAL", "priority": "NORMAL", "attempt": 0.0, "maxAttempts": 3.0, "uniqueKey": "order-17",
		"startedAt": nil, "finishedAt": nil, "deadlineAt": nil, "duration": nil, "node": nil, "error": nil, "reason": nil, "result": nil, "progress": nil,
		"rootTask": nil, "parent": nil, "shard": nil, "shards": nil, "job.name": "close-orders", "group.name": "default", "parameters.order": 17.0,
		"attempts.0.state": "PENDING", "attempts.0.number": 1.0, "attempts.0.node": nil, "attempts.0.nodeName": nil, "timeline.0.kind": "CREATED", "timeline.0.actor": "test",
		"logs.endCursor": nil, "logs.hasNextPage": false, "logs.truncated": false, "children.totalCount": nil,
	} {
		if got := graphtest.At(t, waiting, path); got != want {
			t.Errorf("waiting: %s is %v, want %v", path, got, want)
		}
	}

	running := b.Dispatch(t, made.ID, n)
	b.Write(t, running, 1, 3)
	got := readTask(t, b, made.ID)
	for path, want := range map[string]any{
		"state": "RUNNING", "attempt": 1.0, "node.name": "orders-1", "progress": 0.5, "progressMessage": "half way", "finishedAt": nil,
		"attempts.0.state": "RUNNING", "attempts.0.id": made.ID + "/1", "attempts.0.node.name": "orders-1", "attempts.0.nodeName": "orders-1", "attempts.0.finishedAt": nil,
		"logs.nodes.0.message": "line 1", "logs.nodes.0.level": "INFO", "logs.nodes.0.attempt": 1.0, "logs.nodes.0.fields.k": "v", "logs.hasNextPage": true,
	} {
		if got := graphtest.At(t, got, path); got != want {
			t.Errorf("running: %s is %v, want %v", path, got, want)
		}
	}
	for _, path := range []string{"startedAt", "deadlineAt", "duration", "attempts.0.startedAt", "attempts.0.dispatchedAt"} {
		if graphtest.At(t, got, path) == nil {
			t.Errorf("running: %s is null", path)
		}
	}
	rest := b.Value(t, "task.logs.nodes", `query($id:ID!,$a:Long){task(id:$id){logs(after:$a){nodes{message seq}}}}`,
		graphtest.Vars{"id": made.ID, "a": graphtest.At(t, got, "logs.endCursor")}).([]any)
	if len(rest) != 1 || graphtest.At(t, rest[0], "message") != "line 3" {
		t.Errorf("the rest of the log is %v", rest)
	}

	b.End(t, made.ID, models.EventRetry)
	b.Dispatch(t, made.ID, n)
	b.End(t, made.ID, models.EventSucceed)
	done := readTask(t, b, made.ID)
	for path, want := range map[string]any{
		"state": "SUCCEEDED", "attempt": 2.0, "result.done": true, "error": nil, "deadlineAt": nil,
		"attempts.0.state": "FAILED", "attempts.0.error": "no luck", "attempts.1.state": "SUCCEEDED", "attempts.1.number": 2.0, "attempts.1.result.done": true,
	} {
		if got := graphtest.At(t, done, path); got != want {
			t.Errorf("done: %s is %v, want %v", path, got, want)
		}
	}
	if done["finishedAt"] == nil || done["duration"] == nil {
		t.Errorf("done: finished at %v after %v", done["finishedAt"], done["duration"])
	}
	var kinds []string
	for _, e := range done["timeline"].([]any) {
		kinds = append(kinds, graphtest.At(t, e, "kind").(string))
	}
	want := []string{"CREATED", "DISPATCHED", "STARTED", "ATTEMPT_ENDED", "RETRY_SCHEDULED", "DISPATCHED", "STARTED", "FINISHED"}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("timeline (-want +got):\n%s", diff)
	}
}

func TestPeopleAndTasks(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j, n := shop(t, b)
	id := func(tk models.Task) graphtest.Vars { return graphtest.Vars{"id": tk.ID} }

	waiting := b.Task(t, task.NewTask{Job: j.ID})
	if got := b.Value(t, "cancelTask.task.state", `mutation($id:ID!){cancelTask(id:$id,reason:"no longer needed"){task{state} userErrors{code}}}`, id(waiting)); got != "CANCELLED" {
		t.Errorf("the waiting task is %v", got)
	}
	shown := readTask(t, b, waiting.ID)
	last := shown["timeline"].([]any)[1]
	if shown["reason"] != "REQUESTED" || graphtest.At(t, last, "actor") != "token-ADMIN" || !strings.Contains(graphtest.At(t, last, "message").(string), "no longer needed") {
		t.Errorf("the cancelled task: reason %v, %v", shown["reason"], last)
	}

	running := b.Task(t, task.NewTask{Job: j.ID})
	b.Dispatch(t, running.ID, n)
	got := b.Value(t, "cancelTask.task", `mutation($id:ID!){cancelTask(id:$id){task{state cancelRequestedAt} userErrors{code}}}`, id(running)).(map[string]any)
	if got["state"] != "RUNNING" || got["cancelRequestedAt"] == nil {
		t.Errorf("the running task, asked to cancel: %v", got)
	}

	failed := b.Task(t, task.NewTask{Job: j.ID, Parameters: json.RawMessage(`{"a":1}`)})
	b.Dispatch(t, failed.ID, n)
	b.End(t, failed.ID, models.EventFail)
	if shown := readTask(t, b, failed.ID); shown["state"] != "FAILED" || shown["reason"] != "RETRIES_EXHAUSTED" || shown["error"] != "no luck" {
		t.Errorf("the failed task is %v", shown)
	}
	retried := b.Value(t, "retryTask.task", `mutation($id:ID!){retryTask(id:$id,parameters:{a:2}){task{id state parameters} userErrors{code}}}`, id(failed)).(map[string]any)
	if retried["id"] != failed.ID || retried["state"] != "RETRYING" || graphtest.At(t, retried, "parameters.a") != 2.0 {
		t.Errorf("the retried task is %v", retried)
	}
	b.Dispatch(t, failed.ID, n)
	b.End(t, failed.ID, models.EventFail)
	if got := b.Value(t, "discardTask.task.state", `mutation($id:ID!){discardTask(id:$id,reason:"seen"){task{state} userErrors{code}}}`, id(failed)); got != "DISCARDED" {
		t.Errorf("the discarded task is %v", got)
	}
	again := b.Value(t, "retryTask.task", `mutation($id:ID!){retryTask(id:$id){task{id state rootTask{id} scheduledAt parameters} userErrors{code}}}`, id(failed)).(map[string]any)
	if again["id"] == failed.ID || graphtest.At(t, again, "rootTask.id") != failed.ID || again["state"] != "WAITING" || graphtest.At(t, again, "parameters.a") != 2.0 {
		t.Errorf("the finished task, run again, is %v", again)
	}
	twice := b.Value(t, "retryTask.task.id", `mutation($id:ID!){retryTask(id:$id){task{id}}}`, id(failed))
	if twice != again["id"] {
		t.Error("a second press made another task")
	}
}

func TestTaskRefusals(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j, n := shop(t, b)
	waiting, running, done := b.Task(t, task.NewTask{Job: j.ID}), b.Task(t, task.NewTask{Job: j.ID}), b.Task(t, task.NewTask{Job: j.ID})
	b.Dispatch(t, running.ID, n)
	b.Dispatch(t, done.ID, n)
	b.End(t, done.ID, models.EventSucceed)
	const cancel = `mutation($id:ID!,$r:String){cancelTask(id:$id,reason:$r){task{id} userErrors{code field message}}}`
	const retry = `mutation($id:ID!,$p:JSON){retryTask(id:$id,parameters:$p){task{id} userErrors{code field message}}}`
	const discard = `mutation($id:ID!,$r:String){discardTask(id:$id,reason:$r){task{id} userErrors{code field message}}}`
	const byKey = `mutation($j:ID!,$k:String!){cancelTaskByKey(job:$j,uniqueKey:$k){task{id} userErrors{code field message}}}`
	long := strings.Repeat("x", 501)
	refusals(t, b, []refusal{
		{"cancelling no task", cancel, graphtest.Vars{"id": "none"}, "NOT_FOUND", "id", "none"},
		{"cancelling what has ended", cancel, graphtest.Vars{"id": done.ID}, "CONFLICT", "", "SUCCEEDED"},
		{"a long reason", cancel, graphtest.Vars{"id": waiting.ID, "r": long}, "INVALID", "reason", "501"},
		{"cancelling no key", byKey, graphtest.Vars{"j": j.ID, "k": "order-17"}, "NOT_FOUND", "uniqueKey", "order-17"},
		{"cancelling a key of no job", byKey, graphtest.Vars{"j": "none", "k": "order-17"}, "NOT_FOUND", "job", "none"},
		{"retrying no task", retry, graphtest.Vars{"id": "none"}, "NOT_FOUND", "id", "none"},
		{"retrying what waits", retry, graphtest.Vars{"id": waiting.ID}, "CONFLICT", "", "WAITING"},
		{"retrying what runs", retry, graphtest.Vars{"id": running.ID}, "CONFLICT", "", "RUNNING"},
		{"retrying with too much", retry, graphtest.Vars{"id": done.ID, "p": strings.Repeat("x", 256<<10)}, "INVALID", "parameters", "262,144"},
		{"discarding no task", discard, graphtest.Vars{"id": "none"}, "NOT_FOUND", "id", "none"},
		{"discarding what runs", discard, graphtest.Vars{"id": running.ID}, "CONFLICT", "", "RUNNING"},
		{"discarding for a long reason", discard, graphtest.Vars{"id": running.ID, "r": long}, "INVALID", "reason", "501"},
	})
}

func TestTasksPages(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j, n := shop(t, b)
	second := b.Job(t, j.GroupID, "second", func(in *job.Input) { in.Priority = new(models.PriorityHigh) })
	var ids []string
	for i := range 25 {
		in := task.NewTask{Job: j.ID, RunAt: new(time.Now().Add(time.Duration(i+1) * time.Hour))}
		if i >= 20 {
			in.Job = second.ID
		}
		if i == 7 {
			in.UniqueKey = "order-😀"
		}
		ids = append(ids, b.Task(t, in).ID)
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	b.Dispatch(t, ids[0], n)

	read := func(args string) (seen []string, info map[string]any) {
		got := b.Value(t, "tasks", `{tasks(`+args+`){nodes{id} edges{cursor node{id}} pageInfo{hasNextPage hasPreviousPage startCursor endCursor} totalCount searchedTo}}`, nil).(map[string]any)
		if got["searchedTo"] != nil {
			t.Errorf("a page of few tasks was cut short at %v", got["searchedTo"])
		}
		for _, edge := range got["edges"].([]any) {
			seen = append(seen, graphtest.At(t, edge, "node.id").(string))
		}
		return seen, got["pageInfo"].(map[string]any)
	}
	page, info := read("first:10")
	if diff := cmp.Diff(ids[:10], page); diff != "" || info["hasNextPage"] != true || info["hasPreviousPage"] != false {
		t.Errorf("the first page: %v (-want +got):\n%s", info, diff)
	}
	// New tasks come while somebody turns the pages.
	b.Task(t, task.NewTask{Job: j.ID, RunAt: new(time.Now().Add(1000 * time.Hour))})
	page, info = read(fmt.Sprintf(`first:10,after:"%s"`, info["endCursor"]))
	if diff := cmp.Diff(ids[10:20], page); diff != "" || info["hasPreviousPage"] != true {
		t.Errorf("the second page: %v (-want +got):\n%s", info, diff)
	}
	back, info := read(fmt.Sprintf(`last:10,before:"%s"`, info["startCursor"]))
	if diff := cmp.Diff(ids[:10], back); diff != "" || info["hasNextPage"] != true {
		t.Errorf("the page before: %v (-want +got):\n%s", info, diff)
	}
	end, info := read(`last:5`)
	if diff := cmp.Diff(ids[20:], end); diff != "" || info["hasNextPage"] != false {
		t.Errorf("the last page: %v (-want +got):\n%s", info, diff)
	}
	if got, _ := read("filter:{}"); len(got) != 20 {
		t.Errorf("%d tasks on a page of no given size", len(got))
	}

	for filter, want := range map[string]int{
		fmt.Sprintf(`{job:"%s"}`, second.ID): 5, fmt.Sprintf(`{app:"%s"}`, j.AppID): 26, fmt.Sprintf(`{group:"%s"}`, j.GroupID): 26, fmt.Sprintf(`{node:"%s"}`, n.ID): 1,
		`{states:[RUNNING]}`: 1, `{states:[WAITING,RUNNING]}`: 26, `{states:[]}`: 26, `{trigger:DELAY}`: 26, `{trigger:CRON}`: 0, `{search:"order-😀"}`: 1, `{search:"order"}`: 0,
		fmt.Sprintf(`{search:"%s"}`, ids[3]): 1, fmt.Sprintf(`{search:"%s"}`, ids[3][:20]): 1, `{search:"' OR 1=1 --"}`: 0, `{search:"%"}`: 0, `{search:"\u0000"}`: 0, `{job:"none"}`: 0,
		fmt.Sprintf(`{from:"%s"}`, time.Now().Add(20*time.Hour+30*time.Minute).UTC().Format(time.RFC3339)): 6,
		fmt.Sprintf(`{to:"%s"}`, time.Now().Add(2*time.Hour+30*time.Minute).UTC().Format(time.RFC3339)):    2,
	} {
		if n := len(b.Value(t, "tasks.nodes", `{tasks(first:100,filter:`+filter+`){nodes{id}}}`, nil).([]any)); n != want {
			t.Errorf("%s finds %d tasks, want %d", filter, n, want)
		}
	}
	for filter, want := range map[string]any{
		`{states:[WAITING]}`: 25.0, `{states:[RUNNING,WAITING,RUNNING]}`: 26.0, fmt.Sprintf(`{states:[RUNNING],group:"%s"}`, j.GroupID): 1.0, `{states:[FAILED],group:"none"}`: 0.0,
		`{}`: nil, `{states:[SUCCEEDED]}`: nil, fmt.Sprintf(`{states:[WAITING],job:"%s"}`, j.ID): nil,
	} {
		if got := b.Value(t, "tasks.totalCount", `{tasks(first:1,filter:`+filter+`){totalCount}}`, nil); got != want {
			t.Errorf("%s counts %v, want %v", filter, got, want)
		}
	}
	for args, code := range map[string]string{
		`first:101`: "LIMIT", `last:101`: "LIMIT", `first:-1`: "INVALID", `first:1,last:1`: "INVALID", `after:"x"`: "INVALID", `filter:{from:"yesterday"}`: "INVALID",
	} {
		a := b.Do(t, models.RoleViewer, `{tasks(`+args+`){nodes{id}}}`, nil)
		if len(a.Errors) != 1 || a.Errors[0].Extensions.Code != code || a.Errors[0].Extensions.RequestID == "" {
			t.Errorf("%s: %+v, want %s", args, a.Errors, code)
		}
	}
	if got := b.Value(t, "task", `{task(id:"none"){id}}`, nil); got != nil {
		t.Errorf("a task that never was is %v", got)
	}
	for args, code := range map[string]string{`logs(first:1001){nodes{seq}}`: "LIMIT", `children(first:0){nodes{id}}`: "INVALID"} {
		a := b.Do(t, models.RoleViewer, `query($id:ID!){task(id:$id){`+args+`}}`, graphtest.Vars{"id": ids[0]})
		if len(a.Errors) != 1 || a.Errors[0].Extensions.Code != code {
			t.Errorf("%s: %+v, want %s", args, a.Errors, code)
		}
	}
}

func TestTasksAreRescheduled(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j, n := shop(t, b)
	vars := graphtest.Vars{"in": map[string]any{"job": j.ID, "uniqueKey": "order", "delay": "1h"}}
	const run = `mutation($in:TriggerJobInput!){triggerJob(input:$in){task{id state availableAt} userErrors{code field message}}}`
	first, _ := b.Value(t, "triggerJob.task.id", run, vars).(string)
	vars["in"].(map[string]any)["onKeyHeld"] = "RESCHEDULE"
	vars["in"].(map[string]any)["delay"] = "2h"
	if got := b.Value(t, "triggerJob.task.id", run, vars); got != first {
		t.Errorf("rescheduled %v, want %s", got, first)
	}
	vars["in"].(map[string]any)["onKeyHeld"] = "REPLACE"
	second, _ := b.Value(t, "triggerJob.task.id", run, vars).(string)
	if second == first {
		t.Error("nothing was replaced")
	}
	const byID = `mutation($id:ID!,$at:Time,$d:Duration){rescheduleTask(id:$id,runAt:$at,delay:$d){task{id availableAt scheduledAt timeline{kind message}} userErrors{code field}}}`
	at := time.Now().UTC().Add(3 * time.Hour).Truncate(time.Second).Format(time.RFC3339)
	if got := b.Value(t, "rescheduleTask.task.availableAt", byID, graphtest.Vars{"id": second, "at": at}); got != at {
		t.Errorf("available at %v, want %s", got, at)
	}
	const byKey = `mutation($j:ID!,$k:String!){rescheduleTaskByKey(job:$j,uniqueKey:$k){task{id availableAt timeline{kind}} userErrors{code field message}}}`
	if got := b.Value(t, "rescheduleTaskByKey.task.id", byKey, graphtest.Vars{"j": j.ID, "k": "order"}); got != second {
		t.Errorf("by key %v, want %s", got, second)
	}
	b.Dispatch(t, second, n)
	for name, tt := range map[string]struct {
		path, text, code string
		vars             graphtest.Vars
	}{
		"runs":     {"rescheduleTask", byID, "CONFLICT", graphtest.Vars{"id": second}},
		"ended":    {"rescheduleTask", byID, "CONFLICT", graphtest.Vars{"id": first}},
		"none":     {"rescheduleTask", byID, "NOT_FOUND", graphtest.Vars{"id": "01NONE"}},
		"both":     {"rescheduleTask", byID, "INVALID", graphtest.Vars{"id": second, "at": at, "d": "1h"}},
		"no key":   {"rescheduleTaskByKey", byKey, "NOT_FOUND", graphtest.Vars{"j": j.ID, "k": "other"}},
		"the held": {"triggerJob", run, "CONFLICT", vars},
	} {
		if got := b.Value(t, tt.path+".userErrors.0.code", tt.text, tt.vars); got != tt.code {
			t.Errorf("%s: %v, want %s", name, got, tt.code)
		}
	}
}
