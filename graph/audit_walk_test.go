package graph_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/audit"
)

// knownAudits are the ids of the newest rows of the trail. Two of one millisecond stand in no
// order of time.
func knownAudits(t *testing.T, b *graphtest.Bench) map[string]bool {
	t.Helper()
	rows, _, err := b.Audit.Page(t.Context(), audit.Filter{}, audit.Page{First: 300})
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	known := map[string]bool{}
	for i := range rows {
		known[rows[i].ID] = true
	}
	return known
}

// chores are a successful call of every mutation, in an order in which they work; $ stands
// for an id that an earlier one has made, by the mutation and the path to it.
func chores(e *estate) [][2]string {
	const errors = ` userErrors{code field message}`
	q := func(s string) string { return `"` + s + `"` }
	rule := func(name string) string {
		return `{name:"` + name + `",scope:{kind:ALL},conditions:[{event:RETRIES_EXHAUSTED}],routes:[]}`
	}
	return [][2]string{
		{"createApp", `(input:{name:"fresh"}){app{id} key` + errors + `}`},
		{"updateApp", `(input:{id:"$createApp.app.id",description:"new"}){app{id}` + errors + `}`},
		{"createAppKey", `(app:"$createApp.app.id"){appKey{id} key` + errors + `}`},
		{"revokeAppKey", `(id:"$createAppKey.appKey.id"){appKey{id}` + errors + `}`},
		{"createNodeGroup", `(input:{app:"$createApp.app.id",name:"extra"}){nodeGroup{id}` + errors + `}`},
		{"updateNodeGroup", `(input:{id:"$createNodeGroup.nodeGroup.id",maxRunning:5}){nodeGroup{id}` + errors + `}`},
		{"deleteNodeGroup", `(id:"$createNodeGroup.nodeGroup.id"){nodeGroup{id}` + errors + `}`},
		{"deleteApp", `(id:"$createApp.app.id"){app{id}` + errors + `}`},
		{"createCalendar", `(input:{app:` + q(e.app.ID) + `,name:"rest"}){calendar{id}` + errors + `}`},
		{"updateCalendar", `(input:{id:"$createCalendar.calendar.id",description:"new"}){calendar{id}` + errors + `}`},
		{"importCalendar", `(input:{id:"$createCalendar.calendar.id",format:LIST,text:"2026-10-01"}){calendar{id}` + errors + `}`},
		{"deleteCalendar", `(id:"$createCalendar.calendar.id"){calendar{id}` + errors + `}`},
		{"createJob", `(input:{group:` + q(e.group.ID) + `,name:"new",handler:"h",trigger:{manual:true}}){job{id version}` + errors + `}`},
		{"updateJob", `(input:{id:"$createJob.job.id",description:"other",parameters:{password:"hunter2hunter2"}}){job{id}` + errors + `}`},
		{"rollBackJob", `(id:"$createJob.job.id",revision:1){job{id}` + errors + `}`},
		{"pauseJob", `(id:"$createJob.job.id"){job{id}` + errors + `}`},
		{"resumeJob", `(id:"$createJob.job.id"){job{id}` + errors + `}`},
		{"triggerJob", `(input:{job:"$createJob.job.id",delay:"1h",uniqueKey:"k1"}){task{id}` + errors + `}`},
		{"rescheduleTask", `(id:"$triggerJob.task.id",delay:"2h"){task{id}` + errors + `}`},
		{"rescheduleTaskByKey", `(job:"$createJob.job.id",uniqueKey:"k1",delay:"3h"){task{id}` + errors + `}`},
		{"cancelTaskByKey", `(job:"$createJob.job.id",uniqueKey:"k1"){task{id}` + errors + `}`},
		{"triggerJob", `(input:{job:"$createJob.job.id",delay:"1h"}){task{id}` + errors + `}`},
		{"cancelTask", `(id:"$triggerJob.task.id",reason:"no"){task{id}` + errors + `}`},
		{"discardTask", `(id:` + q(e.task.ID) + `,reason:"no"){task{id}` + errors + `}`},
		{"retryTask", `(id:` + q(e.task.ID) + `){task{id}` + errors + `}`},
		{"createBackfill", `(input:{job:` + q(e.cron.ID) + `,from:"2026-01-01T00:00:00Z",to:"2026-01-01T04:00:00Z"}){backfill{id}` + errors + `}`},
		{"pauseBackfill", `(id:"$createBackfill.backfill.id"){backfill{id}` + errors + `}`},
		{"resumeBackfill", `(id:"$createBackfill.backfill.id"){backfill{id}` + errors + `}`},
		{"cancelBackfill", `(id:"$createBackfill.backfill.id"){backfill{id}` + errors + `}`},
		{"triggerJob", `(input:{job:"$createJob.job.id",delay:"1h"}){task{id}` + errors + `}`},
		{"createBulkOperation", `(input:{kind:CANCEL,tasks:["$triggerJob.task.id"],reason:"no"}){bulkOperation{id}` + errors + `}`},
		{"cancelBulkOperation", `(id:"$createBulkOperation.bulkOperation.id"){bulkOperation{id}` + errors + `}`},
		{"deleteJob", `(id:"$createJob.job.id"){job{id}` + errors + `}`},
		{"drainNode", `(id:` + q(e.node.ID) + `){node{id}` + errors + `}`},
		{"resumeNode", `(id:` + q(e.node.ID) + `){node{id}` + errors + `}`},
		{"createAlertChannel", `(input:{name:"chat",kind:SLACK,slack:{url:"https://hooks.slack.com/services/T0/B0/zzhookzz"}}){channel{id}` + errors + `}`},
		{"updateAlertChannel", `(id:"$createAlertChannel.channel.id",input:{name:"chat 2",kind:SLACK}){channel{id}` + errors + `}`},
		{"disableAlertChannel", `(id:"$createAlertChannel.channel.id"){channel{id}` + errors + `}`},
		{"enableAlertChannel", `(id:"$createAlertChannel.channel.id"){channel{id}` + errors + `}`},
		{"testAlertChannel", `(id:"$createAlertChannel.channel.id"){ok` + errors + `}`},
		{"createReportSchedule", `(input:{name:"morning",zone:"UTC",at:"08:30",channels:["$createAlertChannel.channel.id"]}){schedule{id}` + errors + `}`},
		{"updateReportSchedule", `(id:"$createReportSchedule.schedule.id",input:{name:"evening",zone:"UTC",at:"18:30",channels:["$createAlertChannel.channel.id"]}){schedule{id}` + errors + `}`},
		{"sendReportNow", `(id:"$createReportSchedule.schedule.id"){schedule{id}` + errors + `}`},
		{"deleteReportSchedule", `(id:"$createReportSchedule.schedule.id"){schedule{id}` + errors + `}`},
		{"deleteAlertChannel", `(id:"$createAlertChannel.channel.id"){channel{id}` + errors + `}`},
		{"createAlertRule", `(input:` + rule("watch") + `){alertRule{id}` + errors + `}`},
		{"updateAlertRule", `(id:"$createAlertRule.alertRule.id",input:` + rule("watch 2") + `){alertRule{id}` + errors + `}`},
		{"disableAlertRule", `(id:"$createAlertRule.alertRule.id"){alertRule{id}` + errors + `}`},
		{"enableAlertRule", `(id:"$createAlertRule.alertRule.id"){alertRule{id}` + errors + `}`},
		{"deleteAlertRule", `(id:"$createAlertRule.alertRule.id"){alertRule{id}` + errors + `}`},
		{"createSilence", `(input:{reason:"works",scope:{kind:ALL},endsAt:"` + time.Now().Add(time.Hour).UTC().Format(time.RFC3339) + `"}){silence{id}` + errors + `}`},
		{"endSilence", `(id:"$createSilence.silence.id"){silence{id}` + errors + `}`},
		{"acknowledgeIncident", `(id:` + q(e.incident.ID) + `){incident{id}` + errors + `}`},
		{"unacknowledgeIncident", `(id:` + q(e.incident.ID) + `){incident{id}` + errors + `}`},
		{"commentIncident", `(id:` + q(e.incident.ID) + `,comment:"hm"){incident{id}` + errors + `}`},
		{"resolveIncident", `(id:` + q(e.incident.ID) + `){incident{id}` + errors + `}`},
		{"createUser", `(input:{name:"eve",role:VIEWER}){user{id} link` + errors + `}`},
		{"updateUser", `(input:{id:"$createUser.user.id",role:OPERATOR}){user{id}` + errors + `}`},
		{"resetUserPassword", `(id:"$createUser.user.id"){user{id} link` + errors + `}`},
		{"createApiToken", `(input:{name:"t",role:VIEWER}){apiToken{id} token` + errors + `}`},
		{"revokeApiToken", `(id:"$createApiToken.apiToken.id"){apiToken{id}` + errors + `}`},
	}
}

// elsewhere are the mutations that other tests call: they need a person, or an object that
// only comes to be by itself.
var elsewhere = map[string]string{
	"updateViewer":        "TestPeoplesOwnChangesAreAudited",
	"updateContacts":      "TestPeoplesOwnChangesAreAudited",
	"endSession":          "TestPeoplesOwnChangesAreAudited",
	"beginSecondFactor":   "nothing counts before it is confirmed",
	"confirmSecondFactor": "TestSecondFactorByTheAPI", "renewRecoveryCodes": "TestSecondFactorByTheAPI",
	"removeSecondFactor": "TestSecondFactorByTheAPI", "resetUserSecondFactor": "TestSecondFactorByTheAPI",
	"removeNode":         "TestRareChangesAreAudited",
	"replayNotification": "TestRareChangesAreAudited",
}

// Every mutation that succeeds leaves a row that says who, from where and what, and what
// was before and after where an object was edited. A new mutation needs a line in chores.
func TestEveryMutationIsAudited(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	e := settle(t, b, "mine")
	done := map[string]bool{}
	made := map[string]any{}
	secrets := []string{"hunter2hunter2", "zzhookzz"}
	for _, chore := range chores(e) {
		name, rest := chore[0], chore[1]
		for from := strings.Index(rest, `"$`); from >= 0; from = strings.Index(rest, `"$`) {
			path, after, _ := strings.Cut(rest[from+2:], `"`)
			id, _ := graphtest.At(t, made, path).(string)
			rest = rest[:from] + `"` + id + `"` + after
		}
		before := knownAudits(t, b)
		value := b.Value(t, name, `mutation{`+name+rest+`}`, nil)
		if refused := graphtest.At(t, value, "userErrors").([]any); len(refused) > 0 {
			t.Errorf("%s%s is refused: %v", name, rest, refused)
			continue
		}
		made[name], done[name] = value, true
		for _, key := range []string{"key", "link", "token"} {
			if secret, ok := value.(map[string]any)[key].(string); ok {
				secrets = append(secrets, secret)
			}
		}
		checkAudit(t, b, name, before)
	}
	for _, field := range graphtest.Schema.Mutation.Fields {
		if !strings.HasPrefix(field.Name, "__") && !done[field.Name] && elsewhere[field.Name] == "" {
			t.Errorf("the mutation %s is in no chore: whether it is audited is not known", field.Name)
		}
	}
	noSecrets(t, b, secrets)
}

// checkAudit demands a row that was not known, and that it is whole.
func checkAudit(t *testing.T, b *graphtest.Bench, name string, before map[string]bool) {
	t.Helper()
	rows, _, err := b.Audit.Page(t.Context(), audit.Filter{}, audit.Page{First: 300})
	rows = slices.DeleteFunc(rows, func(a models.Audit) bool { return before[a.ID] })
	if err != nil || len(rows) == 0 {
		t.Errorf("%s left no row in the audit trail (%v)", name, err)
		return
	}
	a := rows[0]
	if a.Actor != "token-ADMIN" || a.ActorKind != "TOKEN" || a.Address != "127.0.0.1" || a.RequestID == "" || a.Agent != "Go" || a.Kind == "" || a.Object == "" {
		t.Errorf("%s: the row is not whole: %+v", name, a)
	}
	edits := map[string]bool{"key": true}
	for _, word := range []string{"update", "pauseJob", "resumeJob", "drain", "resumeNode", "disable", "enable", "import", "rollBack", "delete", "revokeApi", "endSilence"} {
		if strings.HasPrefix(name, word) {
			edits[name] = true
		}
	}
	if edits[name] && len(a.StateBefore) < 3 {
		t.Errorf("%s: nothing before: %s → %s", name, a.StateBefore, a.StateAfter)
	}
	if edits[name] && !strings.HasPrefix(name, "delete") && len(a.StateAfter) < 3 {
		t.Errorf("%s: nothing after: %s → %s", name, a.StateBefore, a.StateAfter)
	}
}

// noSecrets demands that the whole trail holds none of some texts, nor hashes and passwords
// by their names.
func noSecrets(t *testing.T, b *graphtest.Bench, secrets []string) {
	t.Helper()
	var all strings.Builder
	if err := b.Audit.Export(t.Context(), "test", &all, audit.JSONLines, audit.Filter{}, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	if len(secrets) < 6 {
		t.Errorf("only %d secrets to look for", len(secrets))
	}
	for _, secret := range append(slices.Clone(secrets), `"passwordHash"`, `"hash"`, `"sealed"`) {
		if strings.Contains(all.String(), secret) {
			i := strings.Index(all.String(), secret)
			t.Errorf("the trail holds %q: …%s", secret, all.String()[max(0, i-300):i+40])
		}
	}
	kinds := map[string]int{}
	for line := range strings.SplitSeq(strings.TrimSpace(all.String()), "\n") {
		var l audit.Line
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		kinds[l.Kind]++
	}
	if len(kinds) < 12 {
		t.Errorf("kinds %v", slices.Sorted(maps.Keys(kinds)))
	}
}
