package graph_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/audit"
	"github.com/belfry-scheduler/belfry/services/job"
)

const auditFields = `nodes{id at actor actorKind action kind object name app{name} address agent requestId before after detail} edges{cursor node{id}} pageInfo{hasNextPage endCursor} searchedTo`

// actions are the actions in the trail, the newest first.
func actions(t *testing.T, b *graphtest.Bench, filter map[string]any) []string {
	t.Helper()
	rows := b.Value(t, "auditTrail.nodes", `query($f:AuditFilter){auditTrail(first:100,filter:$f){`+auditFields+`}}`, graphtest.Vars{"f": filter}).([]any)
	found := make([]string, len(rows))
	for i := range rows {
		found[i], _ = graphtest.At(t, rows[i], "action").(string)
	}
	return found
}

// What people change of themselves stands in the trail too, with where they did it.
func TestPeoplesOwnChangesAreAudited(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	p := b.Person(t, "correct horse battery")
	p.Value(t, "updateViewer.viewer", `mutation{updateViewer(input:{timeZone:"Europe/Berlin"}){viewer{name} userErrors{code}}}`, nil)
	p.Value(t, "updateContacts.person", `mutation{updateContacts(input:{email:"me@example.com"}){person{name} userErrors{code}}}`, nil)
	rows := []any{
		b.Value(t, "auditTrail.nodes.0", `{auditTrail(filter:{action:"user.contacts"}){`+auditFields+`}}`, nil),
		b.Value(t, "auditTrail.nodes.0", `{auditTrail(filter:{action:"user.update"}){`+auditFields+`}}`, nil),
	}
	for path, want := range map[string]any{
		"0.action": "user.contacts", "0.actor": "admin", "0.actorKind": "PERSON", "0.address": "127.0.0.1", "0.agent": "Go", "0.name": "admin",
		"1.action": "user.update", "1.before.timeZone": "", "1.after.timeZone": "Europe/Berlin",
	} {
		if got := graphtest.At(t, rows, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	id := graphtest.At(t, p.Value(t, "sessions", `{sessions{id}}`, nil), "0.id")
	b.Ask(t, `mutation($id:ID!){endSession(id:$id){session{id} userErrors{code}}}`, graphtest.Vars{"id": id}, nil)
	if got := actions(t, b, map[string]any{"action": "session.end"}); len(got) != 1 {
		t.Errorf("ended sessions: %v", got)
	}
}

func TestRareChangesAreAudited(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "shop")
	n := b.Node(t, group, "gone")
	b.Offline(t, n)
	b.Ask(t, `mutation($id:ID!){removeNode(id:$id){node{name} userErrors{code}}}`, graphtest.Vars{"id": n.ID}, nil)
	var status atomic.Int64
	status.Store(200)
	id, _ := b.Value(t, "createAlertChannel.channel.id", createChannel, graphtest.Vars{"in": hook("ops", receiving(t, &status).URL)}).(string)
	if _, err := b.Book.Test(t.Context(), "test", id); err != nil {
		t.Fatal(err)
	}
	note := b.Value(t, "notifications.nodes.0.id", `{notifications{nodes{id}}}`, nil)
	b.Ask(t, `mutation($id:ID!){replayNotification(id:$id){notification{id} userErrors{code}}}`, graphtest.Vars{"id": note}, nil)
	got := strings.Join(actions(t, b, nil), " ")
	for _, action := range []string{"node.remove", "notification.replay"} {
		if !strings.Contains(got, action) {
			t.Errorf("%s is not in %s", action, got)
		}
	}
}

// The trail is read by each filter, page by page, without a gap or a repetition.
func TestTheTrailByFilters(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	mine, group := b.App(t, "mine")
	began := time.Now()
	for i := range 30 {
		made := b.Job(t, group.ID, fmt.Sprintf("job-%02d", i))
		if _, err := b.Jobs.Pause(t.Context(), fmt.Sprintf("actor-%d", i%2), made.ID); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		filter map[string]any
		want   int
	}{
		"who":            {map[string]any{"actor": "actor-1"}, 15},
		"what was done":  {map[string]any{"action": "job.pause"}, 30},
		"kind":           {map[string]any{"kind": "job"}, 60},
		"app":            {map[string]any{"app": mine.ID, "kind": "job"}, 60},
		"both":           {map[string]any{"action": "job.pause", "actor": "actor-0"}, 15},
		"text":           {map[string]any{"search": "JOB-07"}, 2},
		"what changed":   {map[string]any{"search": `"enabled":false`}, 30},
		"before":         {map[string]any{"to": began.UTC().Format(time.RFC3339Nano), "kind": "job"}, 0},
		"nothing":        {map[string]any{"actor": "nobody"}, 0},
		"of another app": {map[string]any{"app": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}, 0},
	} {
		if got := actions(t, b, tt.filter); len(got) != tt.want {
			t.Errorf("%s: %d rows, want %d", name, len(got), tt.want)
		}
	}
	seen, after := map[any]bool{}, any(nil)
	for range 10 {
		page := b.Value(t, "auditTrail", `query($a:String){auditTrail(first:9,after:$a,filter:{kind:"job"}){`+auditFields+`}}`, graphtest.Vars{"a": after})
		for _, row := range graphtest.At(t, page, "nodes").([]any) {
			if id := graphtest.At(t, row, "id"); seen[id] {
				t.Errorf("%v twice", id)
			} else {
				seen[id] = true
			}
		}
		if after = graphtest.At(t, page, "pageInfo.endCursor"); graphtest.At(t, page, "pageInfo.hasNextPage") == false {
			break
		}
	}
	if len(seen) != 60 {
		t.Errorf("%d rows page by page", len(seen))
	}
}

// Who administers one app sees the changes made in it, and no word of others.
func TestTheTrailIsCutToApps(t *testing.T) {
	t.Parallel()
	b, mine, theirs, member := tenants(t)
	for text, want := range map[string]bool{
		`{auditTrail(first:100){` + auditFields + `}}`:                                                             true,
		`{auditTrail(first:100,filter:{app:"` + theirs.app.ID + `"}){` + auditFields + `}}`:                        false,
		`{auditTrail(first:100,filter:{kind:"job",object:"` + theirs.job.ID + `"}){` + auditFields + `}}`:          false,
		`{auditTrail(first:100,filter:{search:"` + secret + `"}){` + auditFields + `}}`:                            false,
		`{auditTrail(first:100,filter:{app:"` + mine.app.ID + `",action:"calendar.create"}){` + auditFields + `}}`: true,
		`{auditTrail(first:100,filter:{action:"token.create"}){` + auditFields + `}}`:                              false,
	} {
		a := b.Post(t, map[string]any{"query": text}, member)
		said := string(a.Data)
		if len(a.Errors) > 0 || strings.Contains(said, secret) || strings.Contains(said, `"actor"`) != want {
			t.Errorf("%s: %.300s %+v", text, said, a.Errors)
		}
	}
	operator := tokenFor(t, b, "operator", models.RoleOperator, mine.app.ID)
	if a := b.Post(t, map[string]any{"query": `{auditTrail{nodes{id}}}`}, operator); code(a) != "FORBIDDEN" {
		t.Errorf("an operator is answered %s", a.Data)
	}
}

// Failed and successful changes of several in one transaction: a refused one leaves no row.
func TestRefusedChangesLeaveNoRow(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	_, group := b.App(t, "mine")
	made := b.Job(t, group.ID, "one", func(in *job.Input) { in.Description = new("x") })
	before := len(knownAudits(t, b))
	b.Refused(t, `mutation($id:ID!){updateJob(input:{id:$id,version:99,description:"y"}){userErrors{code field message}}}`, graphtest.Vars{"id": made.ID})
	if len(knownAudits(t, b)) != before {
		t.Error("a refused change stands in the trail")
	}
}

// Rows that were kept for long enough go, and the trail says that they went.
func TestOldRowsArePruned(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	old := time.Now().Add(-audit.DefaultKept - time.Hour)
	for i := range 7 {
		at := old.Add(-time.Duration(i) * time.Minute)
		if err := b.Store().InsertAudit(t.Context(), models.Audit{ID: models.NewID(at), At: at, Actor: "somebody", Action: "job.update", Kind: "job", Object: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	if rest, err := b.Audit.Prune(t.Context()); err != nil || rest < time.Minute {
		t.Fatalf("%v, %v", rest, err)
	}
	if got := actions(t, b, map[string]any{"actor": "somebody"}); len(got) != 0 {
		t.Errorf("%d old rows are left", len(got))
	}
	row := b.Value(t, "auditTrail.nodes.0", `{auditTrail(filter:{action:"audit.prune"}){`+auditFields+`}}`, nil)
	if graphtest.At(t, row, "detail.rows") != 7.0 || graphtest.At(t, row, "actor") != "belfry" {
		t.Errorf("the trail says %v", row)
	}
}
