package graph_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/calendar"
	"github.com/belfry-scheduler/belfry/services/job"
)

const calendarFields = `{id app{name} name description restDays days{date kind name} quietWindows{days from to rule} jobCount jobs{name} version createdAt updatedAt}`

// china makes a calendar with a week of holidays and a make-up day.
func china(t *testing.T, b *graphtest.Bench, app models.App) models.Calendar {
	t.Helper()
	c, err := b.Calendars.Create(t.Context(), "test", calendar.Input{
		AppID: app.ID, Name: "china", RestDays: []time.Weekday{0, 6},
		Days: []models.CalendarDay{{Date: "2026-10-01", Kind: "REST", Name: "国庆节"}, {Date: "2026-10-10", Kind: "WORK", Name: "补班"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCalendarMutations(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	app, group := b.App(t, "shop")
	in := map[string]any{
		"app": app.ID, "name": "china", "description": "holidays", "restDays": []any{"SUNDAY", "SATURDAY"},
		"days":         []any{map[string]any{"date": "2026-10-10", "kind": "WORK", "name": "make-up"}, map[string]any{"date": "2026-10-01"}},
		"quietWindows": []any{map[string]any{"days": []any{"FRIDAY"}, "from": "22:00", "to": "06:00", "rule": "DELAY"}},
	}
	const create = `mutation($in:CreateCalendarInput!){createCalendar(input:$in){calendar` + calendarFields + ` userErrors{code field message}}}`
	made := b.Value(t, "createCalendar.calendar", create, graphtest.Vars{"in": in}).(map[string]any)
	id := made["id"].(string)
	for path, want := range map[string]any{
		"app.name": "shop", "name": "china", "restDays": []any{"SATURDAY", "SUNDAY"}, "days.0.date": "2026-10-01", "days.0.kind": "REST", "days.0.name": "",
		"days.1.kind": "WORK", "quietWindows.0.rule": "DELAY", "quietWindows.0.days.0": "FRIDAY", "jobCount": 0.0, "version": 1.0,
	} {
		if diff := cmp.Diff(want, graphtest.At(t, made, path)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
	const update = `mutation($in:UpdateCalendarInput!){updateCalendar(input:$in){calendar{name description days{date} restDays version} userErrors{code field message}}}`
	changed := b.Value(t, "updateCalendar.calendar", update, graphtest.Vars{"in": map[string]any{"id": id, "version": 1, "name": "中国", "days": nil}}).(map[string]any)
	if changed["name"] != "中国" || changed["description"] != "holidays" || len(changed["days"].([]any)) != 0 || len(changed["restDays"].([]any)) != 2 || changed["version"] != 2.0 {
		t.Errorf("after the update: %v", changed)
	}
	const load = `mutation($in:ImportCalendarInput!){importCalendar(input:$in){calendar{days(year:2026){date}} added{date kind name} removed{date} unchanged userErrors{code field message}}}`
	got := b.Value(t, "importCalendar", load, graphtest.Vars{"in": map[string]any{"id": id, "format": "LIST", "text": "2026-10-01..2026-10-03 National Day\n2026-10-10 work Make-up"}}).(map[string]any)
	if len(got["added"].([]any)) != 4 || len(graphtest.At(t, got, "calendar.days").([]any)) != 4 {
		t.Errorf("imported %v", got)
	}
	b.Job(t, group.ID, "pay", func(in *job.Input) {
		in.Trigger = job.TriggerInput{Cron: &job.CronInput{Expression: "0 2 * * *", Calendar: new("中国"), OnRestDay: new(models.CalendarNextWorkingDay)}}
	})
	const remove = `mutation($id:ID!){deleteCalendar(id:$id){calendar{name} userErrors{code field message}}}`
	refused := b.Refused(t, remove, graphtest.Vars{"id": id})
	if len(refused) != 1 || refused[0].Code != "CONFLICT" || !strings.Contains(refused[0].Message, `"pay"`) {
		t.Errorf("deleting a calendar in use: %+v", refused)
	}
	const jobs = `{jobs{nodes{name nextFires(count:2) trigger{description onRestDay calendar{name jobCount jobs{name}}}}}}`
	shown := b.Value(t, "jobs.nodes.0", jobs, nil)
	if graphtest.At(t, shown, "trigger.calendar.jobs.0.name") != "pay" || graphtest.At(t, shown, "trigger.onRestDay") != "NEXT_WORKING_DAY" ||
		!strings.Contains(graphtest.At(t, shown, "trigger.description").(string), "中国") {
		t.Errorf("the job is %v", shown)
	}
	jobID := b.Value(t, "jobs.nodes.0.id", `{jobs{nodes{id}}}`, nil).(string)
	b.Ask(t, `mutation($in:UpdateJobInput!){updateJob(input:$in){userErrors{code}}}`, graphtest.Vars{"in": map[string]any{"id": jobID, "trigger": map[string]any{"manual": true}}}, nil)
	if gone := b.Value(t, "deleteCalendar.calendar.name", remove, graphtest.Vars{"id": id}); gone != "中国" {
		t.Errorf("deleted %v", gone)
	}
	if left := b.Value(t, "calendar", `query($id:ID!){calendar(id:$id){name}}`, graphtest.Vars{"id": id}); left != nil {
		t.Errorf("left: %v", left)
	}
}

func TestCalendarRefusals(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	app, _ := b.App(t, "shop")
	c := china(t, b, app)
	day := func(date string) []any { return []any{map[string]any{"date": date}} }
	for name, tt := range map[string]struct {
		change            map[string]any
		code, field, says string
	}{
		"no name":        {map[string]any{"name": ""}, "REQUIRED", "input.name", "missing"},
		"the name":       {map[string]any{"name": "china"}, "TAKEN", "input.name", "china"},
		"no date":        {map[string]any{"days": day("2026-02-30")}, "INVALID", "input.days.0.date", "2026-02-30"},
		"a far date":     {map[string]any{"days": day("3000-01-01")}, "INVALID", "input.days.0.date", "2199"},
		"twice":          {map[string]any{"days": append(day("2026-01-01"), day("2026-01-01")...)}, "INVALID", "input.days.1.date", "twice"},
		"no time of day": {map[string]any{"quietWindows": []any{map[string]any{"from": "25:00", "to": "06:00"}}}, "INVALID", "input.quietWindows.0.from", "25:00"},
		"always at rest": {map[string]any{"restDays": []any{"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"}}, "INVALID", "input.restDays", "seven"},
		"no app":         {map[string]any{"app": "nowhere"}, "NOT_FOUND", "input.app", "nowhere"},
	} {
		in := map[string]any{"app": app.ID, "name": "other"}
		maps.Copy(in, tt.change)
		got := b.Refused(t, `mutation($in:CreateCalendarInput!){createCalendar(input:$in){userErrors{code field message}}}`, graphtest.Vars{"in": in})
		if len(got) != 1 || got[0].Code != tt.code || strings.Join(got[0].Field, ".") != tt.field || !strings.Contains(got[0].Message, tt.says) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	stale := b.Refused(t, `mutation($in:UpdateCalendarInput!){updateCalendar(input:$in){userErrors{code field message}}}`, graphtest.Vars{"in": map[string]any{"id": c.ID, "version": 7}})
	if len(stale) != 1 || stale[0].Code != "CONFLICT" || strings.Join(stale[0].Field, ".") != "input.version" {
		t.Errorf("a stale version: %+v", stale)
	}
	bad := b.Refused(t, `mutation($in:ImportCalendarInput!){importCalendar(input:$in){userErrors{code field message}}}`,
		graphtest.Vars{"in": map[string]any{"id": c.ID, "format": "LIST", "text": "2026-10-01 ok\nsomeday off"}})
	if len(bad) != 1 || strings.Join(bad[0].Field, ".") != "input.text" || !strings.Contains(bad[0].Message, "Line 2") {
		t.Errorf("a bad list: %+v", bad)
	}
}

// Calendars and the jobs that use them cost a constant number of statements.
func TestCalendarsCostAConstantNumberOfStatements(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	app, group := b.App(t, "shop")
	for i := range 12 {
		c, err := b.Calendars.Create(t.Context(), "test", calendar.Input{AppID: app.ID, Name: fmt.Sprint("calendar-", i), RestDays: []time.Weekday{0}})
		if err != nil {
			t.Fatal(err)
		}
		b.Job(t, group.ID, fmt.Sprint("job-", i), func(in *job.Input) {
			in.Trigger = job.TriggerInput{Cron: &job.CronInput{Expression: "0 2 * * *", Calendar: &c.Name}}
		})
	}
	const jobs = `{jobs(first:%d){nodes{name nextFires trigger{description calendar{name days{date} jobCount app{name}}}}}}`
	count := func(rows int) int64 {
		return b.Statements(func() { b.Ask(t, fmt.Sprintf(jobs, rows), nil, nil) })
	}
	count(12)
	if few, many := count(3), count(12); few != many || many > 6 {
		t.Errorf("%d statements for 3 jobs, %d for 12", few, many)
	}
	n := b.Statements(func() { b.Ask(t, `{calendars{name app{name} days{date} jobCount}}`, nil, nil) })
	if n > 4 {
		t.Errorf("%d statements for 12 calendars", n)
	}
}

func TestPreviewWithCalendar(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	app, _ := b.App(t, "shop")
	china(t, b, app)
	const text = `query($in:SchedulePreviewInput!){schedulePreview(input:$in){fires description warnings error{code field message}
		clockChanges{at offsetBefore offsetAfter} restDays{date kind name} excluded{at reason message movedTo}}}`
	cron := func(more map[string]any) map[string]any {
		c := map[string]any{"expression": "0 2 * * *", "zone": "Europe/Berlin", "calendar": "china"}
		maps.Copy(c, more)
		return map[string]any{"cron": c}
	}
	in := map[string]any{"app": app.ID, "trigger": cron(nil), "after": "2026-09-30T00:30:00Z", "count": 20, "locale": "zh-CN"}
	got := b.Value(t, "schedulePreview", text, graphtest.Vars{"in": in})
	for path, want := range map[string]any{
		"fires.0": "2026-10-02T00:00:00Z", "restDays.0.name": "国庆节", "restDays.1.kind": "WORK", "excluded.0.at": "2026-10-01T00:00:00Z",
		"excluded.0.reason": "CALENDAR_REST_DAY", "excluded.0.movedTo": nil, "clockChanges.0.at": "2026-10-25T01:00:00Z",
		"clockChanges.0.offsetBefore": 7200.0, "clockChanges.0.offsetAfter": 3600.0, "error": nil,
	} {
		if diff := cmp.Diff(want, graphtest.At(t, got, path)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
	in["trigger"] = cron(map[string]any{"onRestDay": "NEXT_WORKING_DAY"})
	if moved := b.Value(t, "schedulePreview.excluded.0.movedTo", text, graphtest.Vars{"in": in}); moved != "2026-10-02T00:00:00Z" {
		t.Errorf("moved to %v", moved)
	}
	delete(in, "app")
	if e := b.Value(t, "schedulePreview.error", text, graphtest.Vars{"in": in}).(map[string]any); e["code"] != "REQUIRED" || dotted(e["field"]) != "input.app" {
		t.Errorf("without an app: %v", e)
	}
}
