package graph_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/task"
)

const overviewFields = `{at waiting due running retrying failedQueue slots jobs nodes{online suspect offline draining}
	minutes{at succeeded failed retried cancelled skipped} recentFailures{id job{name}} upcoming{at job{name}}}`

func TestOverview(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j, n := shop(t, b)
	_, group := b.App(t, "other")
	b.Offline(t, b.Node(t, group, "lost-1"))
	b.Job(t, group.ID, "hourly", func(in *job.Input) {
		in.Trigger = job.TriggerInput{FixedRate: &job.FixedRateInput{Every: time.Hour}}
	})
	b.Task(t, task.NewTask{Job: j.ID})
	for _, event := range []models.Event{0, models.EventRetry, models.EventFail, models.EventSucceed} {
		tk := b.Task(t, task.NewTask{Job: j.ID})
		b.Dispatch(t, tk.ID, n)
		if event != 0 {
			b.End(t, tk.ID, event)
		}
	}
	b.Flow(t, group, models.GroupFlow{At: clock.System{}.Now(), Due: 7, LimitedBy: models.LimitNoNodes})
	got := b.Value(t, "overview", `{overview`+overviewFields+`}`, nil).(map[string]any)
	for path, want := range map[string]any{
		"waiting": "1", "due": "7", "running": "1", "retrying": "1", "failedQueue": "1", "slots": 4.0, "jobs": 2.0, "nodes.online": 1.0, "nodes.offline": 1.0,
		"nodes.suspect": 0.0, "nodes.draining": 0.0, "recentFailures.0.job.name": "close-orders", "upcoming.0.job.name": "hourly",
	} {
		if got := graphtest.At(t, got, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	minutes := got["minutes"].([]any)
	sums := map[string]int{}
	for i, m := range minutes {
		at, err := time.Parse(time.RFC3339Nano, graphtest.At(t, m, "at").(string))
		if err != nil || at.Second() != 0 {
			t.Errorf("minute %d begins at %v", i, at)
		}
		for _, field := range []string{"succeeded", "failed", "retried", "cancelled", "skipped"} {
			if graphtest.At(t, m, field) != "0" {
				sums[field]++
			}
		}
	}
	if len(minutes) != 60 {
		t.Errorf("%d minutes", len(minutes))
	}
	if diff := cmp.Diff(map[string]int{"succeeded": 1, "failed": 1, "retried": 1}, sums); diff != "" {
		t.Errorf("minutes with ends (-want +got):\n%s", diff)
	}
}

func TestInstallation(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	b.Server(t, "server-1", 7)
	got := b.Value(t, "installation", `{installation{version publicUrl embedded demo servers{id name version startedAt lastSeenAt partitions clockOffset}}}`, nil).(map[string]any)
	for path, want := range map[string]any{
		"version": "1.2.3", "publicUrl": "http://belfry.test", "embedded": true, "demo": false,
		"servers.0.id": "server-1", "servers.0.name": "server-1:7000", "servers.0.partitions.0": 7.0, "servers.0.clockOffset": "12ms",
	} {
		if got := graphtest.At(t, got, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
}

func TestViewer(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	const text = `{viewer{name isToken role locale timeZone}}`
	if got := string(b.Do(t, 0, text, nil).Data); got != `{"viewer":null}` {
		t.Errorf("nobody is %s", got)
	}
	if got := string(b.Do(t, models.RoleOperator, text, nil).Data); got != `{"viewer":{"name":"token-OPERATOR","isToken":true,"role":"OPERATOR","locale":null,"timeZone":null}}` {
		t.Errorf("the operator is %s", got)
	}
	a := b.Do(t, models.RoleAdmin, `mutation{updateViewer(input:{locale:"en"}){viewer{name} userErrors{code}}}`, nil)
	if len(a.Errors) != 1 || a.Errors[0].Extensions.Code != "FORBIDDEN" {
		t.Errorf("a token changed its settings: %+v", a)
	}
}

func TestUpdateViewer(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	const password = "correct horse battery"
	p := b.Person(t, password)
	const text = `mutation($in:UpdateViewerInput!){updateViewer(input:$in){viewer{name isToken role locale timeZone} userErrors{code field message}}}`
	got := p.Value(t, "updateViewer.viewer", text, graphtest.Vars{"in": map[string]any{"locale": "zh-CN", "timeZone": "Asia/Shanghai"}}).(map[string]any)
	want := map[string]any{"name": account.FirstAdmin, "isToken": false, "role": "ADMIN", "locale": "zh-CN", "timeZone": "Asia/Shanghai"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the viewer (-want +got):\n%s", diff)
	}
	for name, tt := range map[string]struct {
		in                map[string]any
		code, field, says string
	}{
		"a language":         {map[string]any{"locale": "tlh"}, "INVALID", "locale", `"tlh"`},
		"a zone":             {map[string]any{"timeZone": "Local"}, "INVALID", "timeZone", "Local"},
		"a short password":   {map[string]any{"newPassword": "short", "currentPassword": password}, "INVALID", "newPassword", "10"},
		"a long password":    {map[string]any{"newPassword": strings.Repeat("x", 201), "currentPassword": password}, "INVALID", "newPassword", "200"},
		"no old password":    {map[string]any{"newPassword": "a new password"}, "REQUIRED", "currentPassword", "present"},
		"a wrong old one":    {map[string]any{"newPassword": "a new password", "currentPassword": "wrong"}, "INVALID", "currentPassword", "wrong"},
		"a wrong one beside": {map[string]any{"timeZone": "UTC", "newPassword": "a new password", "currentPassword": "wrong"}, "INVALID", "currentPassword", "wrong"},
	} {
		e := p.Value(t, "updateViewer.userErrors.0", text, graphtest.Vars{"in": tt.in}).(map[string]any)
		if e["code"] != tt.code || dotted(e["field"]) != "input."+tt.field || !strings.Contains(e["message"].(string), tt.says) {
			t.Errorf("%s: %v", name, e)
		}
		if got := p.Value(t, "viewer.timeZone", `{viewer{timeZone}}`, nil); got != "Asia/Shanghai" {
			t.Errorf("%s: the time zone is now %v", name, got)
		}
	}
	if got := p.Value(t, "updateViewer.userErrors", text, graphtest.Vars{"in": map[string]any{"newPassword": "a new password", "currentPassword": password}}); len(got.([]any)) != 0 {
		t.Fatalf("the new password was refused: %v", got)
	}
	if got := p.Do(t, `{viewer{name}}`, nil); string(got.Data) != `{"viewer":null}` {
		t.Errorf("the session lived on after the password had changed: %s", got.Data)
	}
}
