package graph_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/task"
)

const (
	scopeFields    = `{kind app{name} group{name} job{name} labels}`
	ruleFields     = `{id name description enabled scope` + scopeFields + ` conditions{event count of rate window longerThan factor by depth age} zone severity windows{days from to severity} routes{severities digestAt channels{name} people{name}} escalation{after channels{name} people{name}} repeatEvery maxPerHour groupWait groupInterval notices openIncidents createdBy createdAt updatedAt version}`
	silenceFields  = `{id kind scope` + scopeFields + ` rule{name} reason author startsAt endsAt recurrence{days from to zone} remindBefore active activeUntil suppressed createdAt}`
	incidentFields = `{id title rule{name} event severity state flapping silencedBy{reason} job{name} group{name} node{name} server openedAt lastAt count acknowledgedAt acknowledgedBy resolvedAt resolution downtime lastTask{id} lastError
		timeline{edges{cursor node{id}} nodes{id at kind message task{id} attempt node actor} pageInfo{hasNextPage endCursor}}}`
	alertErrors = ` userErrors{code field message}`
)

// failFor lets a task of a job fail for good, and turns the desk.
func failFor(t *testing.T, b *graphtest.Bench, n models.Node, j models.Job) models.Task {
	t.Helper()
	tk := b.Task(t, task.NewTask{Job: j.ID})
	b.Dispatch(t, tk.ID, n)
	failed := b.End(t, tk.ID, models.EventFail)
	turnDesk(t, b)
	return failed
}

// turnDesk turns the desk until it rests.
func turnDesk(t *testing.T, b *graphtest.Bench) {
	t.Helper()
	for {
		rest, err := b.Alerts.Pass(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if rest >= 500*time.Millisecond {
			return
		}
	}
}

func TestAlertRuleMutations(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	app, group := b.App(t, "shop")
	j := b.Job(t, group.ID, "pay")
	in := map[string]any{
		"name": "nights", "description": "who is on call", "scope": map[string]any{"kind": "JOB", "job": j.ID},
		"conditions": []any{
			map[string]any{"event": "RETRIES_EXHAUSTED", "count": 2, "of": 3},
			map[string]any{"event": "TIMED_OUT", "rate": 0.5, "window": "1h"},
			map[string]any{"event": "RUN_TOO_LONG", "longerThan": "2h", "factor": 3},
			map[string]any{"event": "NOT_FINISHED_BY", "by": "06:30"},
		},
		"zone": "Europe/Berlin", "severity": "INFO", "windows": []any{map[string]any{"days": []any{"SUNDAY", "FRIDAY"}, "from": "22:00", "to": "08:00", "severity": "CRITICAL"}},
		"routes":     []any{map[string]any{"severities": []any{"CRITICAL"}}, map[string]any{"severities": []any{"WARNING", "INFO"}, "digestAt": []any{"12:00", "18:00"}}},
		"escalation": map[string]any{"after": "15m"}, "repeatEvery": "4h", "maxPerHour": 10, "groupWait": "30s",
	}
	made := b.Value(t, "createAlertRule.alertRule", `mutation($in:AlertRuleInput!){createAlertRule(input:$in){alertRule`+ruleFields+alertErrors+`}}`, graphtest.Vars{"in": in})
	for path, want := range map[string]any{
		"scope.kind": "JOB", "scope.job.name": "pay", "scope.app.name": "shop", "scope.group": nil, "scope.labels": nil, "conditions.0.of": 3.0, "conditions.0.window": nil, "conditions.1.rate": 0.5,
		"conditions.1.window": "1h", "conditions.2.longerThan": "2h", "conditions.2.factor": 3.0, "conditions.3.by": "06:30", "windows.0.days.1": "SUNDAY", "windows.0.severity": "CRITICAL",
		"routes.1.digestAt.1": "18:00", "escalation.after": "15m", "repeatEvery": "4h", "maxPerHour": 10.0, "groupWait": "30s", "groupInterval": "5m", "notices": []any{"OPENED", "REPEATED", "RECOVERED"},
		"openIncidents": 0.0, "version": 1.0, "enabled": true, "createdBy": "token-ADMIN", "severity": "INFO",
	} {
		if diff := cmp.Diff(want, graphtest.At(t, made, path)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
	id := made.(map[string]any)["id"].(string)
	in["name"], in["version"], in["scope"] = "days", 1, map[string]any{"kind": "LABELS", "labels": map[string]any{"team": "billing"}}
	const update = `mutation($id:ID!,$in:AlertRuleInput!){updateAlertRule(id:$id,input:$in){alertRule{name version scope` + scopeFields + `}` + alertErrors + `}}`
	changed := b.Value(t, "updateAlertRule.alertRule", update, graphtest.Vars{"id": id, "in": in})
	if graphtest.At(t, changed, "name") != "days" || graphtest.At(t, changed, "version") != 2.0 || graphtest.At(t, changed, "scope.labels.team") != "billing" {
		t.Errorf("after the update: %v", changed)
	}
	if stale := b.Refused(t, update, graphtest.Vars{"id": id, "in": in}); len(stale) != 1 || stale[0].Code != "CONFLICT" || strings.Join(stale[0].Field, ".") != "input.version" {
		t.Errorf("a stale version: %+v", stale)
	}
	delete(in, "version")
	if missing := b.Refused(t, update, graphtest.Vars{"id": "nowhere", "in": in}); len(missing) != 1 || missing[0].Code != "NOT_FOUND" || strings.Join(missing[0].Field, ".") != "id" {
		t.Errorf("no such rule: %+v", missing)
	}
	for _, c := range []struct {
		op   string
		want bool
	}{{"disableAlertRule", false}, {"enableAlertRule", true}} {
		if got := b.Value(t, c.op+".alertRule.enabled", `mutation($id:ID!){`+c.op+`(id:$id){alertRule{enabled}`+alertErrors+`}}`, graphtest.Vars{"id": id}); got != c.want {
			t.Errorf("%s: enabled %v", c.op, got)
		}
	}
	if n := len(b.Value(t, "alertRules", `{alertRules{id name}}`, nil).([]any)); n != 2 { // with the default rule
		t.Errorf("%d rules", n)
	}
	if n := len(b.Value(t, "alertRules", `query($app:ID){alertRules(app:$app){id}}`, graphtest.Vars{"app": app.ID}).([]any)); n != 0 {
		t.Errorf("%d rules of the app", n)
	}
	b.Ask(t, `mutation($id:ID!){deleteAlertRule(id:$id){alertRule{name}`+alertErrors+`}}`, graphtest.Vars{"id": id}, nil)
	if left := b.Value(t, "alertRule", `query($id:ID!){alertRule(id:$id){name}}`, graphtest.Vars{"id": id}); left != nil {
		t.Errorf("left: %v", left)
	}
}

func TestAlertRuleRefusals(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	condition := func(more map[string]any) map[string]any {
		c := map[string]any{"event": "RETRIES_EXHAUSTED"}
		maps.Copy(c, more)
		return map[string]any{"conditions": []any{c}}
	}
	for name, tt := range map[string]struct {
		change            map[string]any
		code, field, says string
	}{
		"no name":           {map[string]any{"name": ""}, "REQUIRED", "input.name", "missing"},
		"the name":          {map[string]any{"name": "default"}, "TAKEN", "input.name", "default"},
		"no zone":           {map[string]any{"zone": "Mars"}, "INVALID", "input.zone", `"Mars"`},
		"no condition":      {map[string]any{"conditions": []any{}}, "REQUIRED", "input.conditions", "at least 1"},
		"recovery":          {condition(map[string]any{"event": "RECOVERED"}), "INVALID", "input.conditions.0.event", "notices"},
		"no window":         {condition(map[string]any{"count": 3}), "REQUIRED", "input.conditions.0.window", "1h"},
		"of attempts":       {condition(map[string]any{"event": "LOST", "of": 3}), "INVALID", "input.conditions.0.of", "LOST"},
		"a rate of 2":       {condition(map[string]any{"rate": 2.0, "window": "1h"}), "INVALID", "input.conditions.0.rate", "2"},
		"no bound":          {condition(map[string]any{"event": "RUN_TOO_LONG"}), "REQUIRED", "input.conditions.0.longerThan", "factor"},
		"no depth":          {condition(map[string]any{"event": "QUEUE_BACKLOG"}), "REQUIRED", "input.conditions.0.depth", "age"},
		"no time":           {condition(map[string]any{"event": "NOT_FINISHED_BY"}), "REQUIRED", "input.conditions.0.by", "06:30"},
		"a foreign bound":   {condition(map[string]any{"depth": "5"}), "INVALID", "input.conditions.0.depth", "RETRIES_EXHAUSTED"},
		"a bad window":      {map[string]any{"windows": []any{map[string]any{"from": "24:00", "to": "06:00", "severity": "INFO"}}}, "INVALID", "input.windows.0.from", "24:00"},
		"no severity":       {map[string]any{"routes": []any{map[string]any{"severities": []any{}}}}, "REQUIRED", "input.routes.0.severities", "at least 1"},
		"a bad digest":      {map[string]any{"routes": []any{map[string]any{"severities": []any{"INFO"}, "digestAt": []any{"noon"}}}}, "INVALID", "input.routes.0.digestAt.0", "noon"},
		"no channel":        {map[string]any{"routes": []any{map[string]any{"severities": []any{"INFO"}, "channels": []any{"nowhere"}}}}, "NOT_FOUND", "input.routes.0.channels.0", "nowhere"},
		"no person":         {map[string]any{"escalation": map[string]any{"after": "15m", "people": []any{"nobody"}}}, "NOT_FOUND", "input.escalation.people.0", "nobody"},
		"no job":            {map[string]any{"scope": map[string]any{"kind": "JOB", "job": "nowhere"}}, "NOT_FOUND", "input.scope.job", "nowhere"},
		"no app named":      {map[string]any{"scope": map[string]any{"kind": "APP"}}, "REQUIRED", "input.scope.app", "APP"},
		"no labels":         {map[string]any{"scope": map[string]any{"kind": "LABELS"}}, "REQUIRED", "input.scope.labels", "team"},
		"labels of numbers": {map[string]any{"scope": map[string]any{"kind": "LABELS", "labels": map[string]any{"a": 1}}}, "INVALID", "input.scope.labels", "strings"},
		"nothing to tell":   {map[string]any{"notices": []any{}}, "REQUIRED", "input.notices", "switch the rule off"},
		"no repetition":     {map[string]any{"repeatEvery": "1h", "notices": []any{"OPENED"}}, "INVALID", "input.notices", "REPEATED"},
		"a cap of 0":        {map[string]any{"maxPerHour": 0}, "INVALID", "input.maxPerHour", "0"},
		"a long wait":       {map[string]any{"groupWait": "2h"}, "INVALID", "input.groupWait", "2h"},
	} {
		in := map[string]any{"name": "other", "scope": map[string]any{"kind": "ALL"}, "routes": []any{}, "conditions": []any{map[string]any{"event": "LOST"}}}
		maps.Copy(in, tt.change)
		got := b.Refused(t, `mutation($in:AlertRuleInput!){createAlertRule(input:$in){`+alertErrors+`}}`, graphtest.Vars{"in": in})
		if len(got) != 1 || got[0].Code != tt.code || strings.Join(got[0].Field, ".") != tt.field || !strings.Contains(got[0].Message, tt.says) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	node := b.Refused(t, `mutation($in:AlertRuleInput!){createAlertRule(input:$in){`+alertErrors+`}}`, graphtest.Vars{"in": map[string]any{
		"name": "x", "scope": map[string]any{"kind": "LABELS", "labels": map[string]any{"a": "b"}}, "routes": []any{}, "conditions": []any{map[string]any{"event": "NODE_OFFLINE"}},
	}})
	if len(node) != 1 || strings.Join(node[0].Field, ".") != "input.conditions.0.event" || !strings.Contains(node[0].Message, "GROUP") {
		t.Errorf("a node has no labels: %+v", node)
	}
}

func TestIncidents(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	n := b.Node(t, group, "worker-1")
	j := b.Job(t, group.ID, "pay")
	s := b.Connect(t, models.RoleViewer)
	s.Subscribe(`subscription($f:IncidentFilter){incidentChanged(filter:$f){id state title job{name}}}`, graphtest.Vars{"f": map[string]any{"job": j.ID}})
	sum := b.Connect(t, models.RoleViewer)
	sum.Subscribe(`subscription{alertSummaryChanged{open acknowledged critical}}`, nil)
	sum.Await("alertSummaryChanged.open", 0.0)
	tk := failFor(t, b, n, j)
	s.Await("incidentChanged.state", "OPEN")
	sum.Await("alertSummaryChanged.open", 1.0)
	const list = `query($f:IncidentFilter){incidents(first:5,filter:$f){edges{cursor node{id}} nodes` + incidentFields + ` pageInfo{hasNextPage}}}`
	const notes = `{incidents{nodes{notifications{id kind rule{name} incidents{title}}}}}`
	if told := b.Value(t, "incidents.nodes.0.notifications", notes, nil).([]any); len(told) != 0 { // there is no channel
		t.Errorf("told: %v", told)
	}
	shown := b.Value(t, "incidents.nodes.0", list, graphtest.Vars{"f": map[string]any{"states": []any{"OPEN"}, "severities": []any{"WARNING", "CRITICAL"}, "events": []any{"RETRIES_EXHAUSTED"}, "group": group.ID}})
	for path, want := range map[string]any{
		"title": "shop/pay: failed, and no try is left", "rule.name": "default", "job.name": "pay", "group.name": group.Name, "lastTask.id": tk.ID, "count": "1", "silencedBy": nil,
		"timeline.nodes.0.kind": "OPENED", "timeline.nodes.0.task.id": tk.ID, "timeline.nodes.0.attempt": 1.0, "timeline.nodes.0.node": "worker-1", "timeline.nodes.1.kind": "SUPPRESSED",
		"resolvedAt": nil, "downtime": nil,
	} {
		if diff := cmp.Diff(want, graphtest.At(t, shown, path)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
	id := shown.(map[string]any)["id"].(string)
	if open := b.Value(t, "alertRules.0.openIncidents", `{alertRules{openIncidents}}`, nil); open != 1.0 {
		t.Errorf("%v open incidents of the rule", open)
	}
	act := func(op, arguments string) any {
		return b.Value(t, op+".incident.state", `mutation($id:ID!){`+op+`(id:$id`+arguments+`){incident{state}`+alertErrors+`}}`, graphtest.Vars{"id": id})
	}
	for _, c := range []struct{ op, arguments, want string }{
		{"acknowledgeIncident", `,comment:"on it"`, "ACKNOWLEDGED"}, {"unacknowledgeIncident", "", "OPEN"}, {"commentIncident", `,comment:"disk"`, "OPEN"}, {"resolveIncident", `,comment:"cleaned"`, "RESOLVED"},
	} {
		if got := act(c.op, c.arguments); got != c.want {
			t.Errorf("%s: %v", c.op, got)
		}
	}
	after := b.Value(t, "incident", `query($id:ID!){incident(id:$id)`+incidentFields+`}`, graphtest.Vars{"id": id})
	if graphtest.At(t, after, "resolution") != "Resolved by token-ADMIN." || graphtest.At(t, after, "timeline.nodes.5.message") != "cleaned" || graphtest.At(t, after, "timeline.nodes.5.actor") != "token-ADMIN" {
		t.Errorf("after all: %v", after)
	}
	again := b.Refused(t, `mutation($id:ID!){resolveIncident(id:$id){`+alertErrors+`}}`, graphtest.Vars{"id": id})
	if len(again) != 1 || again[0].Code != "CONFLICT" {
		t.Errorf("resolved again: %+v", again)
	}
	if missing := b.Refused(t, `mutation($id:ID!){commentIncident(id:$id,comment:"x"){`+alertErrors+`}}`, graphtest.Vars{"id": "nowhere"}); len(missing) != 1 || missing[0].Code != "NOT_FOUND" {
		t.Errorf("no such incident: %+v", missing)
	}
	if left := b.Value(t, "alertSummary.open", `{alertSummary{open acknowledged critical}}`, nil); left != 0.0 {
		t.Errorf("%v open", left)
	}
}

func TestSilences(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	n := b.Node(t, group, "worker-1")
	j := b.Job(t, group.ID, "pay")
	const create = `mutation($in:SilenceInput!){createSilence(input:$in){silence` + silenceFields + alertErrors + `}}`
	in := map[string]any{
		"kind": "MAINTENANCE", "scope": map[string]any{"kind": "GROUP", "group": group.ID}, "reason": "new disks", "rule": models.DefaultAlertRule,
		"endsAt": time.Now().Add(time.Hour).UTC().Format(time.RFC3339), "remindBefore": "10m",
	}
	made := b.Value(t, "createSilence.silence", create, graphtest.Vars{"in": in})
	for path, want := range map[string]any{
		"kind": "MAINTENANCE", "scope.group.name": group.Name, "rule.name": "default", "reason": "new disks", "author": "token-ADMIN", "active": true, "remindBefore": "10m", "suppressed": "0", "recurrence": nil,
	} {
		if diff := cmp.Diff(want, graphtest.At(t, made, path)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
	failFor(t, b, n, j)
	held := b.Value(t, "incidents.nodes.0", `{incidents{nodes{silencedBy{reason suppressed} timeline{nodes{kind message}}}}}`, nil)
	if graphtest.At(t, held, "silencedBy.reason") != "new disks" || graphtest.At(t, held, "silencedBy.suppressed") != "1" || graphtest.At(t, held, "timeline.nodes.1.kind") != "SILENCED" {
		t.Errorf("held back: %v", held)
	}
	id := made.(map[string]any)["id"].(string)
	ended := b.Value(t, "endSilence.silence.active", `mutation($id:ID!){endSilence(id:$id){silence{active}`+alertErrors+`}}`, graphtest.Vars{"id": id})
	if ended != false {
		t.Errorf("active after its end: %v", ended)
	}
	turnDesk(t, b)
	if after := b.Value(t, "incidents.nodes.0.silencedBy", `{incidents{nodes{silencedBy{id}}}}`, nil); after != nil {
		t.Errorf("still held back by %v", after)
	}
	weekly := map[string]any{
		"scope": map[string]any{"kind": "ALL"}, "reason": "backup", "recurrence": map[string]any{"days": []any{"SUNDAY"}, "from": "02:00", "to": "04:00", "zone": "Europe/Berlin"},
	}
	if days := b.Value(t, "createSilence.silence.recurrence.days.0", create, graphtest.Vars{"in": weekly}); days != "SUNDAY" {
		t.Errorf("recurs on %v", days)
	}
	if all := b.Value(t, "silences", `{silences`+silenceFields+`}`, nil).([]any); len(all) != 2 {
		t.Errorf("%d silences", len(all))
	}
	if gone := b.Value(t, "silences", `query($a:Boolean){silences(active:$a){id}}`, graphtest.Vars{"a": false}).([]any); len(gone) == 0 {
		t.Error("none that is over")
	}
	for name, tt := range map[string]struct {
		change            map[string]any
		code, field, says string
	}{
		"no reason": {map[string]any{"reason": ""}, "REQUIRED", "input.reason", "missing"},
		"no end":    {map[string]any{"endsAt": nil}, "REQUIRED", "input.endsAt", "must end"},
		"a past":    {map[string]any{"startsAt": "2020-01-01T00:00:00Z", "endsAt": "2020-01-02T00:00:00Z"}, "INVALID", "input.endsAt", "past"},
		"too long":  {map[string]any{"endsAt": "2999-01-01T00:00:00Z"}, "INVALID", "input.endsAt", "366 days"},
		"no rule":   {map[string]any{"rule": "nowhere"}, "NOT_FOUND", "input.rule", "nowhere"},
		"always":    {map[string]any{"recurrence": map[string]any{"from": "00:00", "to": "00:00", "zone": "UTC"}}, "INVALID", "input.recurrence.to", "always"},
		"no zone":   {map[string]any{"recurrence": map[string]any{"from": "00:00", "to": "01:00", "zone": "Mars"}}, "INVALID", "input.recurrence.zone", "Mars"},
	} {
		change := maps.Clone(in)
		maps.Copy(change, tt.change)
		got := b.Refused(t, `mutation($in:SilenceInput!){createSilence(input:$in){`+alertErrors+`}}`, graphtest.Vars{"in": change})
		if len(got) != 1 || got[0].Code != tt.code || strings.Join(got[0].Field, ".") != tt.field || !strings.Contains(got[0].Message, tt.says) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAlertRuleTrial(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	n := b.Node(t, group, "worker-1")
	b.AlertChannel(t, "mail")
	for _, name := range []string{"pay", "ship"} {
		failFor(t, b, n, b.Job(t, group.ID, name))
	}
	const try = `query($in:AlertRuleInput!,$days:Int){alertRuleTrial(input:$in,days:$days){events incidents messages suppressed coveredFrom entries{at channel severity digest sent title problems} error` + `{code field message}}}`
	in := map[string]any{
		"name": "all", "scope": map[string]any{"kind": "ALL"}, "conditions": []any{map[string]any{"event": "RETRIES_EXHAUSTED"}}, "groupWait": "0s", "groupInterval": "0s",
		"routes": []any{map[string]any{"severities": []any{"WARNING"}}},
	}
	got := b.Value(t, "alertRuleTrial", try, graphtest.Vars{"in": in})
	for path, want := range map[string]any{
		"events": "2", "incidents": 2.0, "messages": 2.0, "suppressed": 0.0, "error": nil, "entries.0.channel": "mail", "entries.0.severity": "WARNING", "entries.0.sent": true,
		"entries.0.digest": false, "entries.0.title": "shop/pay: failed, and no try is left", "entries.0.problems": 1.0,
	} {
		if diff := cmp.Diff(want, graphtest.At(t, got, path)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
	in["zone"] = "Mars"
	bad := b.Value(t, "alertRuleTrial.error", try, graphtest.Vars{"in": in})
	if graphtest.At(t, bad, "code") != "INVALID" || graphtest.At(t, bad, "field.1") != "zone" {
		t.Errorf("a bad rule: %v", bad)
	}
	if a := b.Do(t, models.RoleAdmin, try, graphtest.Vars{"in": in, "days": 99}); len(a.Errors) != 1 || !strings.Contains(a.Errors[0].Message, "1 to 14") {
		t.Errorf("99 days: %+v", a.Errors)
	}
}

// Incidents and rules cost a constant number of statements.
func TestIncidentsCostAConstantNumberOfStatements(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	n := b.Node(t, group, "worker-1")
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		failFor(t, b, n, b.Job(t, group.ID, name))
	}
	count := func(text string) int64 { return b.Statements(func() { b.Ask(t, text, nil, nil) }) }
	const list = `{title rule{name openIncidents} job{name} group{name} silencedBy{id} lastTask{id}}`
	count(`{incidents(first:6){nodes` + list + `}}`)
	if few, many := count(`{incidents(first:2){nodes`+list+`}}`), count(`{incidents(first:6){nodes`+list+`}}`); few != many || many > 8 {
		t.Errorf("%d statements for 2 incidents, %d for 6", few, many)
	}
}
