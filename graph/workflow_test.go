package graph_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/task"
)

func TestDependencyTriggerIsSavedAndShown(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, shop := b.App(t, "shop")
	_, bank := b.App(t, "bank")
	a, other := b.Job(t, shop.ID, "import"), b.Job(t, bank.ID, "booking")
	trigger := map[string]any{"dependency": map[string]any{
		"upstream": []any{map[string]any{"job": a.ID}, map[string]any{"job": other.ID, "on": "COMPLETION"}, map[string]any{"job": a.ID, "on": "SUCCESS"}},
		"mode":     "ANY", "window": "DAY", "zone": "Asia/Shanghai",
	}}
	in := map[string]any{"group": shop.ID, "name": "reconcile", "handler": "Work", "trigger": trigger}
	const fields = `{trigger{kind mode window zone upstream{on job{name app{name}}} en:description zh:description(locale:"zh-CN")} nextFireAt}`
	var made struct {
		CreateJob struct {
			Job        map[string]any
			UserErrors []graphtest.UserError
		}
	}
	b.Ask(t, `mutation($in:CreateJobInput!){createJob(input:$in){job`+fields+` userErrors{code field message}}}`, graphtest.Vars{"in": in}, &made)
	want := map[string]any{"nextFireAt": nil, "trigger": map[string]any{
		"kind": "DEPENDENCY", "mode": "ANY", "window": "DAY", "zone": "Asia/Shanghai",
		"upstream": []any{
			map[string]any{"on": "SUCCESS", "job": map[string]any{"name": "import", "app": map[string]any{"name": "shop"}}},
			map[string]any{"on": "COMPLETION", "job": map[string]any{"name": "booking", "app": map[string]any{"name": "bank"}}},
		},
		"en": `When "import" has succeeded or "booking" has ended for the same day (Asia/Shanghai)`,
		"zh": "同一天(Asia/Shanghai)内“import”成功或“booking”结束后",
	}}
	if diff := cmp.Diff(want, made.CreateJob.Job); diff != "" {
		t.Errorf("the new job (-want +got):\n%s\n%+v", diff, made.CreateJob.UserErrors)
	}
	if got := b.Value(t, "job.downstream.0.name", `query($id:ID!){job(id:$id){downstream{name}}}`, graphtest.Vars{"id": a.ID}); got != "reconcile" {
		t.Errorf("downstream of import: %v", got)
	}
	plain := b.Value(t, "job.trigger", `query($id:ID!){job(id:$id){trigger{upstream{on} mode window}}}`, graphtest.Vars{"id": a.ID})
	if diff := cmp.Diff(map[string]any{"upstream": nil, "mode": nil, "window": nil}, plain); diff != "" {
		t.Errorf("another trigger (-want +got):\n%s", diff)
	}
	preview := b.Value(t, "schedulePreview", `query($in:SchedulePreviewInput!){schedulePreview(input:$in){fires description error{code}}}`,
		graphtest.Vars{"in": map[string]any{"trigger": trigger}})
	if diff := cmp.Diff(map[string]any{"fires": []any{}, "description": want["trigger"].(map[string]any)["en"], "error": nil}, preview); diff != "" {
		t.Errorf("preview (-want +got):\n%s", diff)
	}
}

func TestDependencyRefusals(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, g := b.App(t, "shop")
	a := b.Job(t, g.ID, "a")
	c := b.Waiting(t, g.ID, "c", b.Waiting(t, g.ID, "b", a))
	update := func(id string, upstream ...string) graphtest.UserError {
		t.Helper()
		list := make([]any, len(upstream))
		for i := range upstream {
			list[i] = map[string]any{"job": upstream[i]}
		}
		in := map[string]any{"id": id, "trigger": map[string]any{"dependency": map[string]any{"upstream": list}}}
		var answer struct {
			UpdateJob struct{ UserErrors []graphtest.UserError }
		}
		b.Ask(t, `mutation($in:UpdateJobInput!){updateJob(input:$in){userErrors{code field message}}}`, graphtest.Vars{"in": in}, &answer)
		if len(answer.UpdateJob.UserErrors) != 1 {
			t.Fatalf("errors %+v", answer.UpdateJob.UserErrors)
		}
		return answer.UpdateJob.UserErrors[0]
	}
	for name, tt := range map[string]struct {
		got               graphtest.UserError
		code, field, says string
	}{
		"circle":  {update(a.ID, c.ID), "INVALID", "input.trigger.dependency.upstream.0.job", `"a" → "b" → "c" → "a"`},
		"itself":  {update(c.ID, a.ID, c.ID), "INVALID", "input.trigger.dependency.upstream.1.job", "itself"},
		"unknown": {update(c.ID, a.ID, "nobody"), "NOT_FOUND", "input.trigger.dependency.upstream.1.job", `"nobody"`},
		"none":    {update(c.ID), "REQUIRED", "input.trigger.dependency.upstream", "empty"},
	} {
		if tt.got.Code != tt.code || strings.Join(tt.got.Field, ".") != tt.field || !strings.Contains(tt.got.Message, tt.says) {
			t.Errorf("%s: %+v", name, tt.got)
		}
	}
	got := b.Value(t, "deleteJob.userErrors.0", `mutation($id:ID!){deleteJob(id:$id){userErrors{code message}}}`, graphtest.Vars{"id": a.ID})
	want := map[string]any{"code": "CONFLICT", "message": `The job "b" waits for this job; take it out of its trigger first, then delete it.`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("deleting (-want +got):\n%s", diff)
	}
}

func TestJoinsAndTheTasksThatTheyLink(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, g := b.App(t, "shop")
	n := b.Node(t, g, "n")
	a := b.Job(t, g.ID, "a")
	left, right := b.Waiting(t, g.ID, "left", a), b.Waiting(t, g.ID, "right", a)
	last := b.Waiting(t, g.ID, "last", left, right)
	end := func(id string, event models.Event) {
		b.Dispatch(t, id, n)
		b.End(t, id, event)
		b.Join(t)
	}
	root := b.Task(t, task.NewTask{Job: a.ID})
	end(root.ID, models.EventSucceed)
	const downstream = `query($id:ID!){task(id:$id){downstream{id job{name} trigger rootTask{id} upstream{id}}}}`
	down, _ := b.Value(t, "task.downstream", downstream, graphtest.Vars{"id": root.ID}).([]any)
	ids := map[string]string{}
	for _, d := range down {
		ids[graphtest.At(t, d, "job.name").(string)] = graphtest.At(t, d, "id").(string)
		if graphtest.At(t, d, "trigger") != "DEPENDENCY" || graphtest.At(t, d, "rootTask.id") != root.ID || graphtest.At(t, d, "upstream.0.id") != root.ID {
			t.Errorf("a downstream task: %v", d)
		}
	}
	if len(ids) != 2 || ids["left"] == "" || ids["right"] == "" {
		t.Fatalf("downstream of the root: %v", down)
	}
	end(ids["left"], models.EventSucceed)
	end(ids["right"], models.EventFail)
	const joins = `query($id:ID!){job(id:$id){joins{window openedAt firedAt reason missing{name} task{id} arrived{job{name} condition at task{id state}}}}}`
	join := b.Value(t, "job.joins.0", joins, graphtest.Vars{"id": last.ID})
	at := func(path string) any { return graphtest.At(t, join, path) }
	if at("window") != root.ID || at("firedAt") != nil || at("task") != nil || at("reason") != nil || at("missing.0.name") != "right" {
		t.Errorf("the open window: %v", join)
	}
	arrived, _ := at("arrived").([]any)
	states := make([]string, len(arrived))
	for i, entry := range arrived {
		states[i] = graphtest.At(t, entry, "job.name").(string) + " " + graphtest.At(t, entry, "task.state").(string)
	}
	slices.Sort(states)
	if !slices.Equal(states, []string{"left SUCCEEDED", "right FAILED"}) {
		t.Errorf("arrived: %v", arrived)
	}
	if _, err := b.Tasks.Retry(t.Context(), "test", ids["right"], nil); err != nil {
		t.Fatal(err)
	}
	end(ids["right"], models.EventSucceed)
	join = b.Value(t, "job.joins.0", joins, graphtest.Vars{"id": last.ID})
	if at("firedAt") == nil || at("task.id") == nil || len(at("missing").([]any)) != 0 {
		t.Errorf("the fired window: %v", join)
	}
}

func TestRunWithEverythingDownstream(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, g := b.App(t, "shop")
	n := b.Node(t, g, "n")
	a := b.Job(t, g.ID, "a")
	b.Waiting(t, g.ID, "b", a)
	for rule, want := range map[string]int{"NONE": 0, "TRIGGERS": 1, "ALL": 1} {
		id, _ := b.Value(t, "triggerJob.task.id", `mutation($in:TriggerJobInput!){triggerJob(input:$in){task{id}}}`,
			graphtest.Vars{"in": map[string]any{"job": a.ID, "downstream": rule}}).(string)
		b.Dispatch(t, id, n)
		b.End(t, id, models.EventSucceed)
		b.Join(t)
		down, _ := b.Value(t, "task.downstream", `query($id:ID!){task(id:$id){downstream{id}}}`, graphtest.Vars{"id": id}).([]any)
		if len(down) != want {
			t.Errorf("%s: %d tasks downstream, want %d", rule, len(down), want)
		}
	}
}

// Lists with the edges of dependencies cost a constant number of statements, but for
// the lists of each row, which are index ranges of their own.
func TestDependenciesCostAConstantNumberOfStatements(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, g := b.App(t, "shop")
	n := b.Node(t, g, "n")
	a := b.Job(t, g.ID, "a")
	for range 30 {
		b.Waiting(t, g.ID, "wait-"+models.NewID(a.CreatedAt), a)
	}
	id := b.Task(t, task.NewTask{Job: a.ID}).ID
	b.Dispatch(t, id, n)
	b.End(t, id, models.EventSucceed)
	b.Join(t)
	for _, text := range []string{
		`{jobs(first:%){nodes{name trigger{description upstream{on job{name}}}}}}`,
		`{tasks(first:%,filter:{trigger:DEPENDENCY}){nodes{id upstream{id job{name}}}}}`,
	} {
		count := func(rows string) int64 {
			return b.Statements(func() { b.Ask(t, strings.ReplaceAll(text, "%", rows), nil, nil) })
		}
		count("1")
		if few, many := count("5"), count("30"); few != many || many > 8 {
			t.Errorf("%s: %d statements for 5 rows, %d for 30", text, few, many)
		}
	}
}
