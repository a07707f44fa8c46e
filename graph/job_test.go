package graph_test

import (
	"encoding/json"
	"fmt"
	"maps"
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

const jobFields = `{id name handler parameters description labels enabled priority timeout concurrency maxRunning delivery
	app{name} group{name} retry{maxAttempts backoff delay maxDelay jitter} misfire{policy grace limit}
	trigger{kind description expression dialect resolved zone startAt endAt jitter every delay}
	nextFireAt lastFireAt invalidReason warnings nextFires(count:2) skippedFires(first:5){firstAt lastAt count reason message recordedAt}
	recentTasks(first:3){id} stats{succeeded failed cancelled skipped retried missed excluded late meanDuration meanDelay} version createdAt updatedAt deletedAt}`

func TestCreateJobKeepsEveryField(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	b.Node(t, group, "orders-1") // knows other handlers
	in := map[string]any{
		"group": group.ID, "name": "关闭订单 👨‍👩‍👧", "handler": "CloseOrders",
		"parameters":  map[string]any{"n": json.Number("9007199254740993"), "text": "<b>𠮷</b>", "deep": []any{1, nil, true}},
		"description": "closes unpaid orders\nafter thirty minutes", "labels": map[string]any{"team": "billing"},
		"trigger": map[string]any{"cron": map[string]any{
			"expression": "0 30 2 ? * 6L", "zone": "Europe/Berlin", "startAt": "2031-01-01T00:00:00+01:00", "endAt": "2032-01-01T00:00:00Z", "jitter": "90s",
		}},
		"enabled": true, "priority": "HIGH", "timeout": "1h30m",
		"retry":       map[string]any{"maxAttempts": 5, "backoff": "EXPONENTIAL", "delay": "250ms", "maxDelay": "10m", "jitter": 0.25},
		"concurrency": "QUEUE", "maxRunning": 3, "misfire": map[string]any{"policy": "FIRE_ALL", "grace": "30s", "limit": 7},
		"delivery": "AT_MOST_ONCE", "routing": map[string]any{"strategy": "RANDOM"},
	}
	var made struct {
		CreateJob struct {
			Job        map[string]any
			UserErrors []graphtest.UserError
		}
	}
	b.Ask(t, `mutation($in:CreateJobInput!){createJob(input:$in){job`+jobFields+` userErrors{code field message}}}`, graphtest.Vars{"in": in}, &made)
	got := made.CreateJob.Job
	if got == nil {
		t.Fatalf("refused: %+v", made.CreateJob.UserErrors)
	}
	want := map[string]any{
		"id": got["id"], "createdAt": got["createdAt"], "updatedAt": got["createdAt"], "version": 1.0, "deletedAt": nil,
		"name": in["name"], "handler": "CloseOrders", "description": in["description"], "labels": in["labels"],
		"parameters": map[string]any{"n": 9007199254740993.0, "text": "<b>𠮷</b>", "deep": []any{1.0, nil, true}},
		"enabled":    true, "priority": "HIGH", "timeout": "1h30m", "concurrency": "QUEUE", "maxRunning": 3.0, "delivery": "AT_MOST_ONCE",
		"app": map[string]any{"name": "shop"}, "group": map[string]any{"name": "default"},
		"retry":   map[string]any{"maxAttempts": 5.0, "backoff": "EXPONENTIAL", "delay": "250ms", "maxDelay": "10m", "jitter": 0.25},
		"misfire": map[string]any{"policy": "FIRE_ALL", "grace": "30s", "limit": 7.0},
		"trigger": map[string]any{
			"kind": "CRON", "description": graphtest.At(t, got, "trigger.description"), "expression": "0 30 2 ? * 6L", "dialect": "quartz", "resolved": "0 30 2 ? * 6L",
			"zone": "Europe/Berlin", "startAt": "2030-12-31T23:00:00Z", "endAt": "2032-01-01T00:00:00Z", "jitter": "1m30s", "every": nil, "delay": nil,
		},
		"nextFireAt": "2031-01-31T01:30:00Z", "lastFireAt": nil, "invalidReason": nil, "warnings": got["warnings"],
		"nextFires": []any{"2031-01-31T01:30:00Z", "2031-02-28T01:30:00Z"}, "skippedFires": []any{}, "recentTasks": []any{},
		"stats": map[string]any{"succeeded": "0", "failed": "0", "cancelled": "0", "skipped": "0", "retried": "0", "missed": "0", "excluded": "0", "late": "0", "meanDuration": nil, "meanDelay": nil},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the new job (-want +got):\n%s", diff)
	}
	if words, _ := graphtest.At(t, got, "trigger.description").(string); !strings.Contains(strings.ToLower(words), "friday") {
		t.Errorf("the trigger in words: %s", words)
	}
	if warnings := fmt.Sprint(got["warnings"]); !strings.Contains(warnings, "CloseOrders") {
		t.Errorf("no node has the handler, and the warnings are %s", warnings)
	}
	raw := b.Do(t, models.RoleViewer, `query($id:ID!){job(id:$id){parameters}}`, graphtest.Vars{"id": got["id"]}).Data
	if !strings.Contains(string(raw), `"n":9007199254740993`) || !strings.Contains(string(raw), `<b>𠮷</b>`) {
		t.Errorf("digits or characters were lost: %s", raw)
	}
}

func TestCreateJobDefaults(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	triggers := map[string]string{
		`{manual:true}`: "MANUAL", `{fixedRate:{every:"90s"}}`: "FIXED_RATE", `{fixedDelay:{delay:"10s"}}`: "FIXED_DELAY", `{cron:{expression:"@daily"}}`: "CRON",
	}
	for trigger, kind := range triggers {
		name := "job-" + strings.ToLower(kind)
		got := b.Value(t, "createJob.job", `mutation($g:ID!,$n:String!){createJob(input:{group:$g,name:$n,handler:"Work",trigger:`+trigger+`}){job`+jobFields+` userErrors{code field message}}}`,
			graphtest.Vars{"g": group.ID, "n": name}).(map[string]any)
		for path, want := range map[string]any{
			"trigger.kind": kind, "enabled": true, "priority": "NORMAL", "timeout": "1h", "concurrency": "ALLOW", "delivery": "AT_LEAST_ONCE",
			"retry.maxAttempts": 1.0, "misfire.policy": "FIRE_ONCE", "misfire.grace": "1m", "misfire.limit": 100.0, "maxRunning": nil, "parameters": nil, "labels": nil,
		} {
			if got := graphtest.At(t, got, path); got != want {
				t.Errorf("%s: %s is %v, want %v", kind, path, got, want)
			}
		}
	}
}

func TestUpdateJob(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	j := b.Job(t, group.ID, "close-orders", func(in *job.Input) {
		in.Parameters, in.MaxRunning, in.Timeout = json.RawMessage(`{"a":1}`), new(3), new(time.Minute)
	})
	const text = `mutation($in:UpdateJobInput!){updateJob(input:$in){job{version timeout maxRunning parameters description retry{maxAttempts} trigger{kind every}} userErrors{code field message}}}`
	change := func(more map[string]any) map[string]any {
		more["id"] = j.ID
		got, _ := b.Value(t, "updateJob.job", text, graphtest.Vars{"in": more}).(map[string]any)
		return got
	}
	steps := []struct {
		in   map[string]any
		want map[string]any
	}{
		{map[string]any{"description": "new"}, map[string]any{"version": 2.0, "timeout": "1m", "maxRunning": 3.0, "parameters": map[string]any{"a": 1.0}, "description": "new", "retry": map[string]any{"maxAttempts": 3.0}, "trigger": map[string]any{"kind": "MANUAL", "every": nil}}},
		{map[string]any{"maxRunning": nil, "parameters": nil, "timeout": nil, "retry": nil}, map[string]any{"version": 3.0, "timeout": "1h", "maxRunning": nil, "parameters": nil, "description": "new", "retry": map[string]any{"maxAttempts": 1.0}, "trigger": map[string]any{"kind": "MANUAL", "every": nil}}},
		{map[string]any{"version": 3, "trigger": map[string]any{"fixedRate": map[string]any{"every": "1m"}}}, map[string]any{"version": 4.0, "timeout": "1h", "maxRunning": nil, "parameters": nil, "description": "new", "retry": map[string]any{"maxAttempts": 1.0}, "trigger": map[string]any{"kind": "FIXED_RATE", "every": "1m"}}},
	}
	for i, step := range steps {
		if diff := cmp.Diff(step.want, change(step.in)); diff != "" {
			t.Errorf("step %d: absent stays, null sets the default (-want +got):\n%s", i+1, diff)
		}
	}
	id := graphtest.Vars{"id": j.ID}
	if b.Value(t, "pauseJob.job.enabled", `mutation($id:ID!){pauseJob(id:$id){job{enabled nextFireAt} userErrors{code}}}`, id) != false {
		t.Error("the job is not paused")
	}
	if b.Value(t, "resumeJob.job.enabled", `mutation($id:ID!){resumeJob(id:$id){job{enabled} userErrors{code}}}`, id) != true {
		t.Error("the job is not resumed")
	}
	resumed, err := b.Jobs.Job(t.Context(), j.ID)
	if err != nil {
		t.Fatal(err)
	}
	b.Skip(t, resumed, 17)
	skipped := b.Value(t, "job.skippedFires.0", `query($id:ID!){job(id:$id){skippedFires{count reason message}}}`, id).(map[string]any)
	if skipped["count"] != "17" || skipped["reason"] != "MISFIRE_SKIPPED" || skipped["message"] == "" {
		t.Errorf("the skipped fires are %v", skipped)
	}
	if got := b.Value(t, "deleteJob.job.deletedAt", `mutation($id:ID!){deleteJob(id:$id){job{deletedAt} userErrors{code}}}`, id); got == nil {
		t.Error("the deleted job has no time of deletion")
	}
	if n := len(b.Value(t, "jobs.nodes", `{jobs{nodes{id} edges{cursor node{id}} totalCount pageInfo{hasNextPage hasPreviousPage startCursor endCursor}}}`, nil).([]any)); n != 0 {
		t.Errorf("%d jobs are listed after the deletion", n)
	}
	if got := b.Value(t, "job.name", `query($id:ID!){job(id:$id){name}}`, id); got != "close-orders" {
		t.Errorf("the deleted job's name is %v", got)
	}
	if got := b.Value(t, "job", `{job(id:"none"){id}}`, nil); got != nil {
		t.Errorf("a job that never was is %v", got)
	}
}

func TestTriggerJob(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	j := b.Job(t, group.ID, "close-orders")
	const text = `mutation($in:TriggerJobInput!){triggerJob(input:$in){task{id state trigger parameters priority uniqueKey scheduledAt availableAt createdAt} userErrors{code field message}}}`
	run := func(in map[string]any) map[string]any {
		in["job"] = j.ID
		got, _ := b.Value(t, "triggerJob.task", text, graphtest.Vars{"in": in}).(map[string]any)
		return got
	}
	now := run(map[string]any{"parameters": map[string]any{"a": 1}, "priority": "CRITICAL"})
	if now["state"] != "WAITING" || now["trigger"] != "MANUAL" || now["priority"] != "CRITICAL" || now["parameters"].(map[string]any)["a"] != 1.0 {
		t.Errorf("a run now: %v", now)
	}
	later := run(map[string]any{"runAt": "2031-03-08T07:30:00Z", "uniqueKey": "order-17"})
	if later["trigger"] != "DELAY" || later["availableAt"] != "2031-03-08T07:30:00Z" || later["uniqueKey"] != "order-17" {
		t.Errorf("a run later: %v", later)
	}
	if again := run(map[string]any{"uniqueKey": "order-17"}); again["id"] != later["id"] {
		t.Error("the unique key made a second task")
	}
	delayed := run(map[string]any{"delay": "30m"})
	at, err1 := time.Parse(time.RFC3339Nano, delayed["availableAt"].(string))
	made, err2 := time.Parse(time.RFC3339Nano, delayed["createdAt"].(string))
	if err1 != nil || err2 != nil || at.Sub(made) != 30*time.Minute {
		t.Errorf("a delayed run: %v", delayed)
	}
	once := run(map[string]any{"requestId": "press-1"})
	if again := run(map[string]any{"requestId": "press-1"}); again["id"] != once["id"] {
		t.Error("the same request made a second task")
	}
	if got := b.Value(t, "cancelTaskByKey.task.state", `mutation($j:ID!){cancelTaskByKey(job:$j,uniqueKey:"order-17"){task{state} userErrors{code}}}`, graphtest.Vars{"j": j.ID}); got != "CANCELLED" {
		t.Errorf("the task cancelled by its key is %v", got)
	}
}

func TestJobRefusals(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	_, other := b.App(t, "other")
	j := b.Job(t, group.ID, "close-orders")
	b.Task(t, task.NewTask{Job: j.ID})
	const create = `mutation($in:CreateJobInput!){createJob(input:$in){job{id} userErrors{code field message}}}`
	const update = `mutation($in:UpdateJobInput!){updateJob(input:$in){job{id} userErrors{code field message}}}`
	const run = `mutation($in:TriggerJobInput!){triggerJob(input:$in){task{id} userErrors{code field message}}}`
	in := func(more map[string]any) graphtest.Vars {
		all := map[string]any{"group": group.ID, "name": "new", "handler": "Work", "trigger": map[string]any{"manual": true}}
		maps.Copy(all, more)
		return graphtest.Vars{"in": all}
	}
	edit := func(field string, value any) graphtest.Vars {
		return graphtest.Vars{"in": map[string]any{"id": j.ID, field: value}}
	}
	cron := func(expression string, more map[string]any) map[string]any {
		all := map[string]any{"expression": expression}
		maps.Copy(all, more)
		return map[string]any{"trigger": map[string]any{"cron": all}}
	}
	triggering := func(more map[string]any) graphtest.Vars {
		all := map[string]any{"job": j.ID}
		maps.Copy(all, more)
		return graphtest.Vars{"in": all}
	}
	labels := map[string]any{}
	for i := range 33 {
		labels[fmt.Sprint("k", i)] = "v"
	}
	var all []refusal
	for _, c := range []struct {
		name  string
		in    map[string]any
		code  string
		field string
		says  string
	}{
		{"no such group", map[string]any{"group": "none"}, "NOT_FOUND", "group", "none"},
		{"no name", map[string]any{"name": ""}, "REQUIRED", "name", "1 to 128"},
		{"a long name", map[string]any{"name": strings.Repeat("名", 129)}, "INVALID", "name", "129"},
		{"a taken name", map[string]any{"name": "close-orders"}, "TAKEN", "name", "close-orders"},
		{"a name of two lines", map[string]any{"name": "a\nb"}, "INVALID", "name", "control"},
		{"no handler", map[string]any{"handler": ""}, "REQUIRED", "handler", "1 to 128"},
		{"too much of parameters", map[string]any{"parameters": strings.Repeat("x", 256<<10)}, "INVALID", "parameters", "262,144"},
		{"a long description", map[string]any{"description": strings.Repeat("x", 2001)}, "INVALID", "description", "2001"},
		{"labels that are no object", map[string]any{"labels": []any{"a"}}, "INVALID", "labels", "object of strings"},
		{"too many labels", map[string]any{"labels": labels}, "INVALID", "labels", "32"},
		{"an expression of four fields", cron("* * * *", nil), "INVALID", "trigger.cron.expression", "* * * *"},
		{"both days", cron("0 0 0 13 * FRI", nil), "INVALID", "trigger.cron.expression", "FRI"},
		{"a date that never comes", cron("0 0 30 2 *", nil), "INVALID", "trigger.cron.expression", "never"},
		{"a zone that is none", cron("@daily", map[string]any{"zone": "Mars/Olympus"}), "INVALID", "trigger.cron.zone", "Mars/Olympus"},
		{"the machine's zone", cron("@daily", map[string]any{"zone": "Local"}), "INVALID", "trigger.cron.zone", "Local"},
		{"long jitter", cron("@daily", map[string]any{"jitter": "25h"}), "INVALID", "trigger.cron.jitter", "24h"},
		{"an end in the past", cron("@daily", map[string]any{"endAt": "2001-01-01T00:00:00Z"}), "INVALID", "trigger.cron.endAt", "2001"},
		{"a calendar", cron("@daily", map[string]any{"calendar": "china"}), "NOT_FOUND", "trigger.cron.calendar", `"china"`},
		{"a rule without a calendar", cron("@daily", map[string]any{"onRestDay": "NEXT_WORKING_DAY"}), "INVALID", "trigger.cron.onRestDay", "NEXT_WORKING_DAY"},
		{"too quick a rate", map[string]any{"trigger": map[string]any{"fixedRate": map[string]any{"every": "999ms"}}}, "INVALID", "trigger.fixedRate.every", "999ms"},
		{"too long a delay", map[string]any{"trigger": map[string]any{"fixedDelay": map[string]any{"delay": "10000h"}}}, "INVALID", "trigger.fixedDelay.delay", "366 days"},
		{"no trigger after all", map[string]any{"trigger": map[string]any{"manual": false}}, "INVALID", "trigger.manual", "true"},
		{"upstream jobs", map[string]any{"trigger": map[string]any{"dependency": map[string]any{"upstream": []any{map[string]any{"job": "nobody"}}}}}, "NOT_FOUND", "trigger.dependency.upstream.0.job", "nobody"},
		{"no time", map[string]any{"timeout": "0s"}, "INVALID", "timeout", "0s"},
		{"negative time", map[string]any{"timeout": "-5s"}, "INVALID", "timeout", "-5s"},
		{"absurd time", map[string]any{"timeout": "2562047h"}, "INVALID", "timeout", "366 days"},
		{"no tries", map[string]any{"retry": map[string]any{"maxAttempts": 0, "delay": "1s"}}, "INVALID", "retry.maxAttempts", "1 to 1,000"},
		{"a long wait", map[string]any{"retry": map[string]any{"maxAttempts": 2, "delay": "25h"}}, "INVALID", "retry.delay", "24h"},
		{"waits that shrink", map[string]any{"retry": map[string]any{"maxAttempts": 2, "delay": "1m", "maxDelay": "1s"}}, "INVALID", "retry.maxDelay", "1s"},
		{"more than chance", map[string]any{"retry": map[string]any{"maxAttempts": 2, "delay": "1m", "jitter": 1.5}}, "INVALID", "retry.jitter", "1.5"},
		{"no room", map[string]any{"maxRunning": 0}, "INVALID", "maxRunning", "1 to 100,000"},
		{"no grace", map[string]any{"misfire": map[string]any{"policy": "SKIP", "grace": "0s"}}, "INVALID", "misfire.grace", "0s"},
		{"too many misfires", map[string]any{"misfire": map[string]any{"policy": "FIRE_ALL", "limit": 1001}}, "INVALID", "misfire.limit", "1001"},
		{"shards", map[string]any{"sharding": map[string]any{"shards": 4}}, "UNSUPPORTED", "sharding", "leave it out"},
	} {
		all = append(all, refusal{"creating with " + c.name, create, in(c.in), c.code, "input." + c.field, c.says})
		for field, value := range c.in {
			if field == "name" && value == "close-orders" {
				continue // its own name
			}
			all = append(all, refusal{"changing to " + c.name, update, edit(field, value), c.code, "input." + c.field, c.says})
		}
	}
	refusals(t, b, append(all,
		refusal{"changing to another app's group", update, edit("group", other.ID), "INVALID", "input.group", "another app"},
		refusal{"changing no job", update, graphtest.Vars{"in": map[string]any{"id": "none", "name": "x"}}, "NOT_FOUND", "input.id", "none"},
		refusal{"changing an old version", update, graphtest.Vars{"in": map[string]any{"id": j.ID, "version": 7, "name": "x"}}, "CONFLICT", "input.version", "7"},
		refusal{"taking the name away", update, edit("name", nil), "REQUIRED", "input.name", "1 to 128"},
		refusal{"pausing no job", `mutation{pauseJob(id:"none"){job{id} userErrors{code field message}}}`, nil, "NOT_FOUND", "id", "none"},
		refusal{"resuming no job", `mutation{resumeJob(id:"none"){job{id} userErrors{code field message}}}`, nil, "NOT_FOUND", "id", "none"},
		refusal{"deleting no job", `mutation{deleteJob(id:"none"){job{id} userErrors{code field message}}}`, nil, "NOT_FOUND", "id", "none"},
		refusal{"running no job", run, graphtest.Vars{"in": map[string]any{"job": "none"}}, "NOT_FOUND", "input.job", "none"},
		refusal{"running twice over", run, triggering(map[string]any{"delay": "1s", "runAt": "2031-01-01T00:00:00Z"}), "INVALID", "input.runAt", "both"},
		refusal{"running before now", run, triggering(map[string]any{"delay": "-1s"}), "INVALID", "input.delay", "-1s"},
		refusal{"running too late", run, triggering(map[string]any{"runAt": "2999-01-01T00:00:00Z"}), "INVALID", "input.runAt", "2999"},
		refusal{"running with too much", run, triggering(map[string]any{"parameters": strings.Repeat("x", 256<<10)}), "INVALID", "input.parameters", "262,144"},
		refusal{"running with a long key", run, triggering(map[string]any{"uniqueKey": strings.Repeat("k", 201)}), "INVALID", "input.uniqueKey", "201"},
		refusal{"running with a long request id", run, triggering(map[string]any{"requestId": strings.Repeat("r", 65)}), "INVALID", "input.requestId", "65"},
	))
}

// Everything that is wrong is said at once.
func TestAllRefusalsAtOnce(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	got := b.Refused(t, `mutation{createJob(input:{group:"none",name:"",handler:"",timeout:"0s",trigger:{cron:{expression:"x",zone:"y"}}}){userErrors{code field message}}}`, nil)
	fields := map[string]string{}
	for _, e := range got {
		fields[strings.Join(e.Field, ".")] = e.Code
	}
	want := map[string]string{
		"input.group": "NOT_FOUND", "input.name": "REQUIRED", "input.handler": "REQUIRED", "input.timeout": "INVALID",
		"input.trigger.cron.expression": "INVALID", "input.trigger.cron.zone": "INVALID",
	}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Errorf("refusals (-want +got):\n%s", diff)
	}
}

func TestSchedulePreview(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	const text = `query($in:SchedulePreviewInput!){schedulePreview(input:$in){fires description dialect resolved warnings error{code field message}}}`
	preview := func(in map[string]any) map[string]any {
		got, _ := b.Value(t, "schedulePreview", text, graphtest.Vars{"in": in}).(map[string]any)
		return got
	}
	got := preview(map[string]any{
		"trigger": map[string]any{"cron": map[string]any{"expression": "0 30 2 * * ?", "zone": "America/New_York"}}, "after": "2026-03-07T12:00:00Z", "count": 2,
	})
	// The night when the clocks go forward: at the end of the gap.
	if diff := cmp.Diff([]any{"2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"}, got["fires"]); diff != "" || got["dialect"] != "quartz" || got["error"] != nil {
		t.Errorf("%v\nfires (-want +got):\n%s", got, diff)
	}
	if len(got["warnings"].([]any)) == 0 || got["description"] == "" {
		t.Errorf("no warning of the clock change, or no words: %v", got)
	}
	chinese := preview(map[string]any{"trigger": map[string]any{"cron": map[string]any{"expression": "0 9 * * 1"}}, "locale": "zh-CN"})
	if !strings.Contains(fmt.Sprint(chinese["description"]), "周一") && !strings.Contains(fmt.Sprint(chinese["description"]), "星期一") {
		t.Errorf("in Chinese: %v", chinese["description"])
	}
	if n := len(chinese["fires"].([]any)); n != 10 {
		t.Errorf("%d fires without a count, want 10", n)
	}
	bad := preview(map[string]any{"trigger": map[string]any{"cron": map[string]any{"expression": "61 * * * *"}}})
	if graphtest.At(t, bad, "error.code") != "INVALID" || dotted(graphtest.At(t, bad, "error.field")) != "input.trigger.cron.expression" {
		t.Errorf("a bad expression: %v", bad)
	}
	a := b.Do(t, models.RoleViewer, text, graphtest.Vars{"in": map[string]any{"trigger": map[string]any{"manual": true}, "count": 1001}})
	if len(a.Errors) != 1 || a.Errors[0].Extensions.Code != "INVALID" || strings.Join(a.Errors[0].Extensions.Field, ".") != "input.count" {
		t.Errorf("too many fires: %+v", a.Errors)
	}
}

func TestJobsPages(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	app, group := b.App(t, "shop")
	for i := range 7 {
		b.Job(t, group.ID, fmt.Sprintf("job-%d", i), func(in *job.Input) {
			if i%2 == 0 {
				in.Trigger = job.TriggerInput{FixedRate: &job.FixedRateInput{Every: time.Duration(i+1) * time.Hour}}
			}
			if i == 3 {
				in.Handler, in.Enabled = "100%_'\"\\;--", new(false)
			}
		})
	}
	for _, order := range []string{"NAME", "NEXT_FIRE", "CREATED"} {
		var seen, made []string
		vars := graphtest.Vars{"o": order}
		for pages := 0; ; pages++ {
			var data struct {
				Jobs struct {
					Nodes    []struct{ Name, CreatedAt string }
					PageInfo struct {
						HasNextPage, HasPreviousPage bool
						EndCursor                    *string
					}
					TotalCount *int
				}
			}
			b.Ask(t, `query($o:JobOrder,$a:String){jobs(first:3,after:$a,orderBy:$o){nodes{name createdAt} pageInfo{hasNextPage hasPreviousPage endCursor} totalCount}}`, vars, &data)
			for _, n := range data.Jobs.Nodes {
				seen, made = append(seen, n.Name), append(made, n.CreatedAt[:len("2026-03-08T07:30:00")])
			}
			if data.Jobs.PageInfo.HasPreviousPage != (pages > 0) || data.Jobs.TotalCount == nil || *data.Jobs.TotalCount != 7 {
				t.Errorf("%s, page %d: %+v, total %v", order, pages, data.Jobs.PageInfo, data.Jobs.TotalCount)
			}
			if !data.Jobs.PageInfo.HasNextPage {
				break
			}
			vars["a"] = *data.Jobs.PageInfo.EndCursor
		}
		inOrder := map[string]bool{
			"NAME":      slices.IsSorted(seen),
			"NEXT_FIRE": len(seen) == 7 && strings.Contains("job-0 job-2 job-4 job-6", seen[0]) && strings.Contains("job-1 job-3 job-5", seen[6]),
			"CREATED":   slices.IsSortedFunc(made, func(a, b string) int { return strings.Compare(b, a) }),
		}
		if !inOrder[order] || len(slices.Compact(slices.Sorted(slices.Values(seen)))) != 7 {
			t.Errorf("%s: %v, made %v", order, seen, made)
		}
	}
	for filter, want := range map[string]int{
		`{}`: 7, fmt.Sprintf(`{app:"%s"}`, app.ID): 7, `{app:"none"}`: 0, fmt.Sprintf(`{group:"%s"}`, group.ID): 7, `{enabled:false}`: 1,
		`{trigger:FIXED_RATE}`: 4, `{search:"JOB-3"}`: 1, `{search:"100%_'\"\\;--"}`: 1, `{search:"%"}`: 1, `{search:"_'"}`: 1, `{search:"' OR 1=1 --"}`: 0, `{search:"\u0000"}`: 0, `{search:"😀"}`: 0,
	} {
		if n := len(b.Value(t, "jobs.nodes", `{jobs(filter:`+filter+`){nodes{id}}}`, nil).([]any)); n != want {
			t.Errorf("%s finds %d jobs, want %d", filter, n, want)
		}
	}
	cursor := b.Value(t, "jobs.pageInfo.endCursor", `{jobs(first:1){pageInfo{endCursor}}}`, nil)
	for args, code := range map[string]string{
		`first:101`: "LIMIT", `first:0`: "INVALID", `after:"nonsense"`: "INVALID", fmt.Sprintf(`after:"%s",orderBy:CREATED`, cursor): "INVALID",
	} {
		a := b.Do(t, models.RoleViewer, `{jobs(`+args+`){nodes{id}}}`, nil)
		if len(a.Errors) != 1 || a.Errors[0].Extensions.Code != code {
			t.Errorf("%s: %+v, want %s", args, a.Errors, code)
		}
	}
}
