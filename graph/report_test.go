package graph_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/task"
)

const scheduleFields = `{id name app{name} zone at days channels{name} people{name} enabled lastSentAt nextAt version createdBy updatedAt}`

func TestReportSchedules(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	var status atomic.Int64
	status.Store(200)
	r := receiving(t, &status)
	channel, _ := b.Value(t, "createAlertChannel.channel.id", createChannel, graphtest.Vars{"in": hook("ops", r.URL)}).(string)
	app, _ := b.App(t, "shop")
	in := func(more ...any) map[string]any {
		v := map[string]any{"name": "night", "app": app.ID, "zone": "Europe/Berlin", "at": "08:30", "days": []string{"MONDAY", "SUNDAY"}, "channels": []string{channel}}
		for i := 0; i < len(more); i += 2 {
			v[more[i].(string)] = more[i+1]
		}
		return v
	}
	const create = `mutation($in:ReportScheduleInput!){createReportSchedule(input:$in){schedule` + scheduleFields + ` userErrors{code field message}}}`
	made, _ := b.Value(t, "createReportSchedule.schedule", create, graphtest.Vars{"in": in()}).(map[string]any)
	if graphtest.At(t, made, "app.name") != "shop" || graphtest.At(t, made, "channels.0.name") != "ops" || graphtest.At(t, made, "days.1") != "SUNDAY" || made["nextAt"] == nil || made["enabled"] != true {
		t.Errorf("made %v", made)
	}
	id, _ := made["id"].(string)
	for name, tt := range map[string]struct {
		in          map[string]any
		code, field string
	}{
		"taken":      {in(), "TAKEN", "input.name"},
		"zone":       {in("name", "x", "zone", "Nowhere"), "INVALID", "input.zone"},
		"time":       {in("name", "x", "at", "25:00"), "INVALID", "input.at"},
		"channel":    {in("name", "x", "channels", []string{"none"}), "NOT_FOUND", "input.channels"},
		"no channel": {in("name", "x", "channels", []string{}), "REQUIRED", "input.channels"},
		"person":     {in("name", "x", "people", []string{"none"}), "NOT_FOUND", "input.people"},
		"app":        {in("name", "x", "app", "none"), "NOT_FOUND", "input.app"},
	} {
		refused := b.Refused(t, create, graphtest.Vars{"in": tt.in})
		if len(refused) != 1 || refused[0].Code != tt.code || strings.Join(refused[0].Field, ".") != tt.field {
			t.Errorf("%s: %+v", name, refused)
		}
	}
	const update = `mutation($id:ID!,$in:ReportScheduleInput!){updateReportSchedule(id:$id,input:$in){schedule` + scheduleFields + ` userErrors{code}}}`
	off, _ := b.Value(t, "updateReportSchedule.schedule", update, graphtest.Vars{"id": id, "in": in("enabled", false, "app", nil, "days", []string{}, "version", 1)}).(map[string]any)
	if off["nextAt"] != nil || off["app"] != nil || len(off["days"].([]any)) != 7 || off["version"] != 2.0 {
		t.Errorf("changed %v", off)
	}
	const now = `mutation($id:ID!){sendReportNow(id:$id){schedule{id} userErrors{code}}}`
	if got := b.Value(t, "sendReportNow.schedule.id", now, graphtest.Vars{"id": id}); got != id {
		t.Errorf("sent %v", got)
	}
	note := b.Value(t, "notifications.nodes.0", `{notifications{nodes{kind state subject body}}}`, nil)
	if graphtest.At(t, note, "kind") != "REPORT" || !strings.HasPrefix(graphtest.At(t, note, "subject").(string), "Report night") || !strings.Contains(graphtest.At(t, note, "body").(string), "All apps") {
		t.Errorf("notification %v", note)
	}
	if list := b.Value(t, "reportSchedules.0.name", `{reportSchedules{name}}`, nil); list != "night" {
		t.Errorf("listed %v", list)
	}
	const remove = `mutation($id:ID!){deleteReportSchedule(id:$id){schedule{id} userErrors{code}}}`
	if got := b.Value(t, "deleteReportSchedule.schedule.id", remove, graphtest.Vars{"id": id}); got != id {
		t.Errorf("deleted %v", got)
	}
}

func TestMorningReport(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	app, group := b.App(t, "shop")
	j := b.Job(t, group.ID, "billing")
	node := b.Node(t, group, "n1")
	b.Dispatch(t, b.Task(t, task.NewTask{Job: j.ID}).ID, node)
	const look = `query($app:ID,$day:Date,$at:String,$zone:String){morningReport(app:$app,day:$day,at:$at,zone:$zone){from to failedJobs missedJobs
		figures{ran succeeded failed recovered takenOver late missed running slower} week{ran} failures{job{name} task{id} at count error duration usual} missed{job{name}} slow{job{name}} running{job{name} task{state} at}}}`
	got, _ := b.Value(t, "morningReport", look, graphtest.Vars{"app": app.ID}).(map[string]any)
	if graphtest.At(t, got, "figures.running") != "1" || graphtest.At(t, got, "running.0.job.name") != "billing" || graphtest.At(t, got, "running.0.task.state") != "RUNNING" {
		t.Errorf("now %v", got)
	}
	got, _ = b.Value(t, "morningReport", look, graphtest.Vars{"day": "2026-03-29", "zone": "Europe/Berlin"}).(map[string]any)
	if got["from"] != "2026-03-28T07:00:00Z" || got["to"] != "2026-03-29T06:00:00Z" || graphtest.At(t, got, "figures.ran") != "0" {
		t.Errorf("of a day of 23 hours: %v", got)
	}
	got, _ = b.Value(t, "morningReport", look, graphtest.Vars{"day": "2026-03-20", "at": "09:15", "zone": "Asia/Kathmandu"}).(map[string]any)
	if got["from"] != "2026-03-19T03:30:00Z" || got["to"] != "2026-03-20T03:30:00Z" {
		t.Errorf("in a zone of 5:45: %v", got)
	}
	for _, vars := range []graphtest.Vars{{"zone": "Nowhere"}, {"app": "none"}, {"at": "24:00"}} {
		if a := b.Do(t, models.RoleViewer, look, vars); len(a.Errors) != 1 {
			t.Errorf("%v: %s", vars, a.Data)
		}
	}
}
