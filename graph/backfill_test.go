package graph_test

import (
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
)

const backfillFields = `{id job{name} from to state onlyMissing perMinute maxRunning parameters total created present succeeded failed cancelled
	progress nextAt createdBy createdAt finishedAt tasks(first:5){nodes{id trigger scheduledAt backfill{id job{name}}}}}`

// hourly is a job that has fired each hour for long.
func hourly(t *testing.T, b *graphtest.Bench) models.Job {
	t.Helper()
	_, group := b.App(t, "shop")
	return b.Job(t, group.ID, "report", func(in *job.Input) {
		in.Trigger = job.TriggerInput{Cron: &job.CronInput{Expression: "0 * * * *"}}
	})
}

func day(j models.Job, more ...any) map[string]any {
	in := map[string]any{"job": j.ID, "from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z"}
	for i := 0; i < len(more); i += 2 {
		in[more[i].(string)] = more[i+1]
	}
	return in
}

func TestBackfill(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j := hourly(t, b)
	const preview = `query($in:CreateBackfillInput!){backfillPreview(input:$in){total atLeast present first last sample duration warnings error{code field message}}}`
	shown, _ := b.Value(t, "backfillPreview", preview, graphtest.Vars{"in": day(j, "perMinute", 1)}).(map[string]any)
	if shown["total"] != "24" || shown["first"] != "2026-01-01T00:00:00Z" || shown["last"] != "2026-01-01T23:00:00Z" || shown["duration"] != "23m" || shown["error"] != nil {
		t.Errorf("preview %v", shown)
	}
	const create = `mutation($in:CreateBackfillInput!){createBackfill(input:$in){backfill` + backfillFields + ` userErrors{code field message}}}`
	in := day(j, "parameters", map[string]any{"again": true}, "requestId", "press")
	made, _ := b.Value(t, "createBackfill.backfill", create, graphtest.Vars{"in": in}).(map[string]any)
	if made["state"] != "RUNNING" || made["total"] != "24" || made["createdBy"] != "token-ADMIN" || made["nextAt"] != "2026-01-01T00:00:00Z" || made["progress"] != 0.0 {
		t.Fatalf("made %v", made)
	}
	id, _ := made["id"].(string)
	if again := b.Value(t, "createBackfill.backfill.id", create, graphtest.Vars{"in": in}); again != id {
		t.Errorf("a repeat made %v", again)
	}
	if _, err := b.Backfills.Pass(t.Context()); err != nil {
		t.Fatal(err)
	}
	const read = `query($id:ID!){backfill(id:$id)` + backfillFields + `}`
	now, _ := b.Value(t, "backfill", read, graphtest.Vars{"id": id}).(map[string]any)
	if now["created"] != "1" || graphtest.At(t, now, "tasks.nodes.0.trigger") != "BACKFILL" || graphtest.At(t, now, "tasks.nodes.0.backfill.id") != id {
		t.Errorf("after a pass %v", now)
	}
	const tasks = `query($f:TaskFilter){tasks(filter:$f){nodes{scheduledAt parameters timeline{message}} totalCount}}`
	if at := b.Value(t, "tasks.nodes.0.scheduledAt", tasks, graphtest.Vars{"f": map[string]any{"backfill": id, "job": j.ID}}); at != "2026-01-01T00:00:00Z" {
		t.Errorf("its task is scheduled at %v", at)
	}
	for _, step := range []struct{ name, want string }{{"pauseBackfill", "PAUSED"}, {"resumeBackfill", "RUNNING"}, {"cancelBackfill", "CANCELLED"}} {
		text := `mutation($id:ID!){` + step.name + `(id:$id){backfill{state cancelled} userErrors{code message}}}`
		if got := b.Value(t, step.name+".backfill.state", text, graphtest.Vars{"id": id}); got != step.want {
			t.Errorf("%s: %v", step.name, got)
		}
	}
	const cancel = `mutation($id:ID!){cancelBackfill(id:$id,reason:"wrong month"){backfill{cancelled} userErrors{code}}}`
	if got := b.Value(t, "cancelBackfill.backfill.cancelled", cancel, graphtest.Vars{"id": id}); got != "1" {
		t.Errorf("%v tasks are cancelled", got)
	}
	const pause = `mutation($id:ID!){pauseBackfill(id:$id){backfill{id} userErrors{code field}}}`
	for which, want := range map[string]string{id: "CONFLICT", "01NONE": "NOT_FOUND"} {
		if got := b.Value(t, "pauseBackfill.userErrors.0.code", pause, graphtest.Vars{"id": which}); got != want {
			t.Errorf("pausing %s: %v", which, got)
		}
	}
	const all = `query($j:ID,$a:String){backfills(job:$j,first:1,after:$a){edges{cursor node{id}} nodes{id state job{name app{name}}} pageInfo{hasNextPage endCursor}}}`
	second, _ := b.Value(t, "createBackfill.backfill.id", create, graphtest.Vars{"in": day(j)}).(string)
	page, _ := b.Value(t, "backfills", all, graphtest.Vars{"j": j.ID}).(map[string]any)
	if graphtest.At(t, page, "nodes.0.id") != second || graphtest.At(t, page, "pageInfo.hasNextPage") != true {
		t.Errorf("newest first: %v", page)
	}
	if got := b.Value(t, "backfills.nodes.0.id", all, graphtest.Vars{"a": graphtest.At(t, page, "pageInfo.endCursor")}); got != id {
		t.Errorf("after it comes %v", got)
	}
}

func TestBackfillRefusals(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j := hourly(t, b)
	manual := b.Job(t, j.GroupID, "by-hand")
	const create = `mutation($in:CreateBackfillInput!){createBackfill(input:$in){backfill{id} userErrors{code field message}}}`
	const preview = `query($in:CreateBackfillInput!){backfillPreview(input:$in){error{code field message}}}`
	for name, tt := range map[string]struct {
		in          map[string]any
		code, field string
	}{
		"future":   {day(j, "to", time.Now().Add(time.Hour).UTC().Format(time.RFC3339)), "INVALID", "input.to"},
		"order":    {day(j, "to", "2025-01-01T00:00:00Z"), "INVALID", "input.to"},
		"manual":   {day(manual), "INVALID", "input.job"},
		"no job":   {day(models.Job{ID: "none"}), "NOT_FOUND", "input.job"},
		"no fires": {day(j, "from", "2026-01-01T00:00:01Z", "to", "2026-01-01T00:30:00Z"), "INVALID", "input.to"},
		"rate":     {day(j, "perMinute", 0), "INVALID", "input.perMinute"},
	} {
		for path, text := range map[string]string{"createBackfill.userErrors.0": create, "backfillPreview.error": preview} {
			got, _ := b.Value(t, path, text, graphtest.Vars{"in": tt.in}).(map[string]any)
			var field []string
			for _, f := range got["field"].([]any) {
				field = append(field, f.(string))
			}
			if got["code"] != tt.code || strings.Join(field, ".") != tt.field {
				t.Errorf("%s, %s: %v", name, path, got)
			}
		}
	}
}

func TestBackfillChanged(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j := hourly(t, b)
	const create = `mutation($in:CreateBackfillInput!){createBackfill(input:$in){backfill{id}}}`
	id, _ := b.Value(t, "createBackfill.backfill.id", create, graphtest.Vars{"in": day(j)}).(string)
	other, _ := b.Value(t, "createBackfill.backfill.id", create, graphtest.Vars{"in": day(j)}).(string)
	s := b.Connect(t, models.RoleViewer)
	s.Subscribe(`subscription($id:ID!){backfillChanged(id:$id){id state created job{name}}}`, graphtest.Vars{"id": id})
	first := awaitFirst(t, s, "backfillChanged.id", func() {
		for _, change := range []string{other, id} {
			if _, err := b.Backfills.Pause(t.Context(), "test", change); err != nil {
				t.Error(err)
			}
			if _, err := b.Backfills.Resume(t.Context(), "test", change); err != nil {
				t.Error(err)
			}
		}
	})
	if first != id {
		t.Errorf("the first change is of %v", first)
	}
	if _, err := b.Backfills.Cancel(t.Context(), "test", id, ""); err != nil {
		t.Fatal(err)
	}
	s.Await("backfillChanged.state", "CANCELLED")
}
