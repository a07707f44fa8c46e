package graph_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/book"
)

const channelFields = `{id name kind enabled disabledReason language settings perMinute burst maxAge templates{kind subject body} queued lastSentAt lastError version createdBy createdAt updatedAt}`

const createChannel = `mutation($in:AlertChannelInput!){createAlertChannel(input:$in){channel` + channelFields + ` userErrors{code field message}}}`

// receiving is a webhook's receiver.
func receiving(t *testing.T, status *atomic.Int64) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(int(status.Load()))
		_, _ = io.WriteString(w, "thanks")
	}))
	t.Cleanup(s.Close)
	return s
}

func hook(name, url string, more ...any) map[string]any {
	in := map[string]any{"name": name, "kind": "WEBHOOK", "webhook": map[string]any{
		"url": url + "/secret-path", "secrets": []string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}, "headers": map[string]any{"X-Key": "hidden-value"},
	}}
	for i := 0; i < len(more); i += 2 {
		in[more[i].(string)] = more[i+1]
	}
	return in
}

func TestChannelsHideTheirSecrets(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	var status atomic.Int64
	status.Store(200)
	r := receiving(t, &status)
	made, _ := b.Value(t, "createAlertChannel.channel", createChannel, graphtest.Vars{"in": hook("ops", r.URL, "maxAge", "2h", "templates", []any{
		map[string]any{"kind": "PROBLEM", "subject": "{{.ID}}"},
	})}).(map[string]any)
	if made["enabled"] != true || made["language"] != "en" || made["perMinute"] != 600.0 || made["maxAge"] != "2h" || made["version"] != 1.0 || graphtest.At(t, made, "templates.0.subject") != "{{.ID}}" {
		t.Errorf("made %v", made)
	}
	id, _ := made["id"].(string)
	shown, _ := json.Marshal(made["settings"])
	if want := `{"headers":{"X-Key":"(hidden)"},"secrets":["(hidden)"],"url":"` + r.URL + `/(hidden)"}`; string(shown) != want {
		t.Errorf("settings %s, want %s", shown, want)
	}
	row, err := b.Store().Channel(t.Context(), id)
	if stored, _ := json.Marshal(row); err != nil || strings.Contains(string(stored), "secret-path") || strings.Contains(string(stored), "whsec_") || strings.Contains(string(stored), "hidden-value") {
		t.Errorf("the ledger holds %s %v", stored, err)
	}
	// Sent back as it is shown, and left out, they stay.
	back := hook("ops 2", "", "version", 1)
	back["webhook"] = made["settings"]
	const update = `mutation($id:ID!,$in:AlertChannelInput!){updateAlertChannel(id:$id,input:$in){channel` + channelFields + ` userErrors{code field message}}}`
	changed, _ := b.Value(t, "updateAlertChannel.channel", update, graphtest.Vars{"id": id, "in": back}).(map[string]any)
	if changed["name"] != "ops 2" || changed["version"] != 2.0 {
		t.Errorf("changed %v", changed)
	}
	const test = `mutation($id:ID!){testAlertChannel(id:$id){ok status response error duration userErrors{code}}}`
	got, _ := b.Value(t, "testAlertChannel", test, graphtest.Vars{"id": id}).(map[string]any)
	if got["ok"] != true || got["status"] != 200.0 || got["response"] != nil { // it is inside
		t.Errorf("test %v", got)
	}
	status.Store(500)
	got, _ = b.Value(t, "testAlertChannel", test, graphtest.Vars{"id": id}).(map[string]any)
	if got["ok"] != false || got["status"] != 500.0 || got["error"] == nil {
		t.Errorf("test %v", got)
	}
	const notes = `query($f:NotificationFilter){notifications(filter:$f){edges{cursor node{id}} pageInfo{hasNextPage} nodes{id kind severity state reason subject body problems createdAt sentAt nextAt channel{name} tries{number status response error duration at nextAt}}}}`
	listed, _ := b.Value(t, "notifications.nodes", notes, graphtest.Vars{"f": map[string]any{"channel": id}}).([]any)
	if len(listed) != 2 || graphtest.At(t, listed[0], "state") != "FAILED" || graphtest.At(t, listed[1], "state") != "SENT" || graphtest.At(t, listed[0], "tries.0.status") != 500.0 ||
		graphtest.At(t, listed[1], "channel.name") != "ops 2" || graphtest.At(t, listed[1], "subject") != "Belfry: test" {
		t.Errorf("notifications %v", listed)
	}
	for _, step := range []struct {
		name string
		want bool
	}{{"disableAlertChannel", false}, {"enableAlertChannel", true}} {
		text := `mutation($id:ID!){` + step.name + `(id:$id){channel{enabled} userErrors{code}}}`
		if on := b.Value(t, step.name+".channel.enabled", text, graphtest.Vars{"id": id}); on != step.want {
			t.Errorf("%s: %v", step.name, on)
		}
	}
	const remove = `mutation($id:ID!){deleteAlertChannel(id:$id){channel{id} userErrors{code}}}`
	if gone := b.Value(t, "deleteAlertChannel.channel.id", remove, graphtest.Vars{"id": id}); gone != id {
		t.Errorf("deleted %v", gone)
	}
	if left := b.Value(t, "notifications.nodes.0.channel", notes, nil); left != nil {
		t.Errorf("a notification of a channel that is gone has %v", left)
	}
}

func TestChannelRefusals(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	slack := map[string]any{"name": "x", "kind": "SLACK"}
	with := func(more ...any) map[string]any {
		in := map[string]any{}
		maps.Copy(in, slack)
		for i := 0; i < len(more); i += 2 {
			in[more[i].(string)] = more[i+1]
		}
		return in
	}
	good := map[string]any{"url": "http://127.0.0.1:1/x"}
	b.Value(t, "createAlertChannel.channel.id", createChannel, graphtest.Vars{"in": with("name", "taken", "slack", good)})
	for name, tt := range map[string]struct {
		in          map[string]any
		code, field string
	}{
		"nothing":       {with(), "REQUIRED", "input.slack.url"},
		"internal":      {with("slack", map[string]any{"url": "http://169.254.169.254/latest"}), "INVALID", "input.slack.url"},
		"other kind":    {with("slack", good, "teams", good), "INVALID", "input.teams"},
		"name":          {with("name", "", "slack", good), "REQUIRED", "input.name"},
		"taken":         {with("name", "taken", "slack", good), "TAKEN", "input.name"},
		"language":      {with("language", "fr", "slack", good), "INVALID", "input.language"},
		"rate":          {with("perMinute", 0, "slack", good), "INVALID", "input.perMinute"},
		"age":           {with("maxAge", "1s", "slack", good), "INVALID", "input.maxAge"},
		"template":      {with("slack", good, "templates", []any{map[string]any{"kind": "PROBLEM", "body": "{{.X}}"}}), "INVALID", "input.templates.0.body"},
		"two templates": {with("slack", good, "templates", []any{map[string]any{"kind": "PROBLEM"}, map[string]any{"kind": "PROBLEM"}}), "INVALID", "input.templates.1.kind"},
		"headers":       {map[string]any{"name": "x", "kind": "WEBHOOK", "webhook": map[string]any{"url": "http://127.0.0.1:1", "headers": []any{1}}}, "INVALID", "input.webhook.headers"},
	} {
		refused := b.Refused(t, createChannel, graphtest.Vars{"in": tt.in})
		if len(refused) != 1 || refused[0].Code != tt.code || strings.Join(refused[0].Field, ".") != tt.field {
			t.Errorf("%s: %+v", name, refused)
		}
	}
}

func TestMessagePreview(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	const preview = `query($in:MessagePreviewInput!){messagePreview(input:$in){subject body bytes truncated error{code field message}}}`
	got, _ := b.Value(t, "messagePreview", preview, graphtest.Vars{"in": map[string]any{"kind": "WECOM", "message": "PROBLEM", "language": "zh-CN", "subject": "{{.Total}}"}}).(map[string]any)
	if got["subject"] != "2" || !strings.Contains(got["body"].(string), "错误") || !strings.Contains(got["body"].(string), "http://belfry.test/incidents/") || got["error"] != nil {
		t.Errorf("%v", got)
	}
	got, _ = b.Value(t, "messagePreview", preview, graphtest.Vars{"in": map[string]any{"kind": "SLACK", "message": "REPORT", "body": "a\n{{.Nope}}"}}).(map[string]any)
	if graphtest.At(t, got, "error.field.1") != "body" || !strings.Contains(graphtest.At(t, got, "error.message").(string), "line 2") {
		t.Errorf("%v", got)
	}
}

func TestChannelKinds(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	kinds, _ := b.Value(t, "channelKinds", `{channelKinds{kind perMinute burst sizeLimit sizeUnit note}}`, nil).([]any)
	if len(kinds) != 9 {
		t.Fatalf("%d kinds", len(kinds))
	}
	for _, k := range kinds {
		perMinute, _ := graphtest.At(t, k, "perMinute").(float64)
		size, _ := graphtest.At(t, k, "sizeLimit").(float64)
		burst, _ := graphtest.At(t, k, "burst").(float64)
		if perMinute < 1 || size < 1 || burst < 1 || graphtest.At(t, k, "sizeUnit") == "" || graphtest.At(t, k, "note") == "" {
			t.Errorf("kind %v", k)
		}
	}
}

func TestContacts(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	p := b.Person(t, "a long enough password")
	const update = `mutation($in:UpdateContactsInput!){updateContacts(input:$in){person{id name contacts{email mobile feishuId wecomId slackId telegramId discordId}} userErrors{code field}}}`
	if got := p.Value(t, "updateContacts.person.contacts.email", update, graphtest.Vars{"in": map[string]any{"email": "me@example.com"}}); got != "me@example.com" {
		t.Errorf("own contacts: %v", got)
	}
	people, _ := b.Value(t, "people", `{people{id name contacts{email}}}`, nil).([]any)
	if len(people) != 1 || graphtest.At(t, people[0], "contacts.email") != "me@example.com" {
		t.Fatalf("people %v", people)
	}
	id := graphtest.At(t, people[0], "id")
	if got := b.Value(t, "updateContacts.person.contacts", update, graphtest.Vars{"in": map[string]any{"person": id, "slackId": "U1"}}); graphtest.At(t, got, "email") != "me@example.com" || graphtest.At(t, got, "slackId") != "U1" {
		t.Errorf("of another, by an administrator: %v", got)
	}
	for _, where := range []string{"mobile", "feishuId", "wecomId", "telegramId", "discordId"} {
		in := map[string]any{"person": id, where: "12345"}
		if got := b.Value(t, "updateContacts.person.contacts."+where, update, graphtest.Vars{"in": in}); got != "12345" {
			t.Errorf("%s: %v", where, got)
		}
	}
	for name, tt := range map[string]struct {
		role        models.Role
		in          map[string]any
		code, field string
	}{
		"a token's own": {models.RoleAdmin, map[string]any{"email": "x@example.com"}, "REQUIRED", "input.person"},
		"of another":    {models.RoleDeveloper, map[string]any{"person": id}, "FORBIDDEN", "input.person"},
		"no address":    {models.RoleAdmin, map[string]any{"person": id, "email": "x"}, "INVALID", "input.email"},
		"markup":        {models.RoleAdmin, map[string]any{"person": id, "feishuId": "all></at>"}, "INVALID", "input.feishuId"},
		"nobody":        {models.RoleAdmin, map[string]any{"person": "x"}, "NOT_FOUND", "input.person"},
	} {
		a := b.Do(t, tt.role, update, graphtest.Vars{"in": tt.in})
		if tt.code == "FORBIDDEN" && len(a.Errors) == 1 && a.Errors[0].Extensions.Code == tt.code {
			continue
		}
		if !strings.Contains(string(a.Data), `"code":"`+tt.code+`"`) || !strings.Contains(string(a.Data), strings.ReplaceAll(tt.field, "input.", `"input","`)) {
			t.Errorf("%s: %s %v", name, a.Data, a.Errors)
		}
	}
}

func TestNotificationChanged(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	var status atomic.Int64
	status.Store(200)
	r := receiving(t, &status)
	id, _ := b.Value(t, "createAlertChannel.channel.id", createChannel, graphtest.Vars{"in": hook("ops", r.URL)}).(string)
	s := b.Connect(t, models.RoleViewer)
	s.Subscribe(`subscription($f:NotificationFilter){notificationChanged(filter:$f){id state channel{name} tries{status}}}`, graphtest.Vars{"f": map[string]any{"channel": id, "states": []string{"QUEUED", "SENT"}}})
	awaitFirst(t, s, "notificationChanged.state", func() {
		if _, err := b.Book.Test(t.Context(), "test", id); err != nil {
			t.Error(err)
		}
	})
	rows, _, err := b.Book.Page(t.Context(), book.Filter{}, book.Page{First: 1})
	if err != nil || len(rows) == 0 {
		t.Fatal(rows, err)
	}
	const replay = `mutation($id:ID!){replayNotification(id:$id){notification{id state nextAt} userErrors{code}}}`
	if got := b.Value(t, "replayNotification.notification.state", replay, graphtest.Vars{"id": rows[0].ID}); got != "QUEUED" {
		t.Errorf("replayed %v", got)
	}
	s.Await("notificationChanged.state", "QUEUED")
	if refused := b.Refused(t, replay, graphtest.Vars{"id": rows[0].ID}); refused[0].Code != "CONFLICT" {
		t.Errorf("%+v", refused)
	}
	if queued := b.Value(t, "alertChannel.queued", `query($id:ID!){alertChannel(id:$id){queued}}`, graphtest.Vars{"id": id}); queued != "1" {
		t.Errorf("%v wait", queued)
	}
}
