package cmd

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/web"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// anybody are the credentials with which everything is asked.
type anybody struct {
	nobody, wrong        []http.Header // none, and such as open nothing
	member               http.Header   // administrator of another app
	viewer, admin        http.Header
	key, foreign, ended  string // keys of the app, of another one, and one that was revoked
	app, other, job, own string // ids of the app, the other app, a job and a task of the app
}

// people makes one of everybody.
func people(t *testing.T, p *plant) *anybody {
	t.Helper()
	apps, err := p.fleet.AppByName(t.Context(), "shop")
	if err != nil {
		t.Fatal(err)
	}
	other, foreign, err := p.fleet.CreateApp(t.Context(), "test", "thief", "")
	if err != nil {
		t.Fatal(err)
	}
	made, ended, err := p.fleet.CreateKey(t.Context(), "test", apps.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.fleet.RevokeKey(t.Context(), "test", made.ID); err != nil {
		t.Fatal(err)
	}
	token := func(role models.Role, life time.Duration, apps ...string) (string, string) {
		text, row, err := p.accounts.CreateToken(t.Context(), "test", account.NewToken{Name: role.String(), Role: role, Apps: apps, Life: life})
		if err != nil {
			t.Fatal(err)
		}
		return text, row.ID
	}
	bearer := func(text string) http.Header { return http.Header{"Authorization": {"Bearer " + text}} }
	revoked, id := token(models.RoleAdmin, 0)
	if _, err := p.accounts.RevokeToken(t.Context(), "test", id); err != nil {
		t.Fatal(err)
	}
	member, _ := token(models.RoleAdmin, 0, other.ID)
	viewer, _ := token(models.RoleViewer, 0)
	admin, _ := token(models.RoleAdmin, 0)
	j := p.job("Nobody", nil)
	return &anybody{
		nobody: []http.Header{{}, {"Authorization": {""}}, {"Authorization": {"Bearer "}}, {"Authorization": {"Bearer null"}}, {"Cookie": {web.SessionCookie + "="}}},
		wrong: []http.Header{
			bearer("bfy_" + strings.Repeat("0", 43)), bearer(revoked), bearer("default_token"), bearer("admin"), bearer("123456"), bearer("' OR '1'='1"),
			{"Authorization": {"Basic YWRtaW46YWRtaW4="}},
			{"Cookie": {web.SessionCookie + "=" + strings.Repeat("0", 43)}},
			{"X-Forwarded-User": {"admin"}, "X-Forwarded-For": {"127.0.0.1"}, "X-Original-Url": {"/healthz"}},
			{"Xxl-Job-Access-Token": {"default_token"}},
		},
		member: bearer(member), viewer: bearer(viewer), admin: bearer(admin), key: p.key, foreign: foreign, ended: ended,
		app: apps.ID, other: other.ID, job: j.ID, own: p.trigger(j),
	}
}

// call makes a request as somebody and answers the status and the body.
func (p *plant) call(t *testing.T, method, path, body string, as http.Header) (int, string, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, p.url+path, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	maps.Copy(req.Header, as)
	// Redirects are answers too.
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text), answer.Header
}

// probe is a request to a path; without a method GET.
type probe struct{ method, path, body string }

// probes are requests to every path that is served. A path that is not in it fails the
// test, so that nobody adds one without saying whom it answers.
func (a *anybody) probes() map[string][]probe {
	const post = http.MethodPost
	return map[string][]probe{
		"/graphql":                 {{post, "/graphql", `{"query":"{task(id:\"` + a.own + `\"){id}}"}`}},
		"/auth/sign-in":            {{post, "/auth/sign-in", `{"name":"admin","password":"admin"}`}, {post, "/auth/sign-in", `{"name":"admin","password":""}`}, {post, "/auth/sign-in", `{}`}},
		"/auth/sign-out":           {{post, "/auth/sign-out", ``}},
		"/auth/link":               {{post, "/auth/link", `{"link":"","password":"correct horse battery"}`}, {post, "/auth/link", `{"token":"x","password":"correct horse battery"}`}},
		"/auth/second-factor":      {{post, "/auth/second-factor", `{"ticket":"x","code":"000000"}`}, {post, "/auth/second-factor", `{}`}},
		"/auth/methods":            {{"", "/auth/methods", ``}},
		"/auth/":                   {{"", "/auth/", ``}, {post, "/auth/users", `{}`}},
		"/worker/v1/":              {{post, wire.PathRegister, `{}`}}, // each call of it: TestEveryWorkerCallAsksForAKey
		"/worker/":                 {{"", "/worker/", ``}, {"", "/worker/v2/tasks", ``}},
		"/download/tasks/{id}/log": {{"", "/download/tasks/" + a.own + "/log", ``}, {"", "/download/tasks/" + a.own + "/log?format=raw&attempt=1", ``}},
		"/download/audit":          {{"", "/download/audit?format=csv", ``}, {"", "/download/audit?format=jsonl&actor=admin", ``}},
		"/download/":               {{"", "/download/", ``}, {"", "/download/../../etc/passwd", ``}},
		"/healthz":                 {{"", "/healthz", ``}},
		"/readyz":                  {{"", "/readyz", ``}},
		"/metrics":                 {{"", "/metrics", ``}},
		"/":                        {{"", "/", ``}},
	}
}

// The cause behind open management endpoints (as of CB-097, CVE-2023-29922,
// CVE-2025-11581 and CVE-2023-48796): asking who calls was something that each path had to remember. Every path
// that is served says here whom it answers, and is asked as everybody.
func TestEveryPathAnswersWhomItSays(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	a := people(t, p)
	probes := a.probes()
	if len(p.routes) < 10 {
		t.Fatalf("the front serves %v", p.routes)
	}
	for _, route := range p.routes {
		if len(probes[route.Pattern]) == 0 {
			t.Errorf("%s is served and never asked here: say whom it answers", route.Pattern)
		}
		for _, one := range probes[route.Pattern] {
			if one.method == "" {
				one.method = http.MethodGet
			}
			switch route.Access {
			case web.Caller:
				a.wantCaller(t, p, one)
			case web.Admin:
				a.wantAdmin(t, p, one)
			case web.AppKey:
				a.wantKey(t, p, one)
			case web.SignsIn:
				a.wantNoSession(t, p, one)
			case web.Anyone:
				a.wantNothing(t, p, one)
			default:
				t.Errorf("%s has the access %q, which says nothing", route.Pattern, route.Access)
			}
		}
		delete(probes, route.Pattern)
	}
	for pattern := range probes {
		t.Errorf("%s is asked and not served", pattern)
	}
}

// wantCaller: only a session or token, and only with the right to this very thing.
func (a *anybody) wantCaller(t *testing.T, p *plant, one probe) {
	t.Helper()
	bearer := func(key string) http.Header { return http.Header{"Authorization": {"Bearer " + key}} }
	for _, as := range slices.Concat(a.nobody, a.wrong, []http.Header{bearer(a.key), bearer(a.foreign)}) {
		if status, text, _ := p.call(t, one.method, one.path, one.body, as); status != http.StatusUnauthorized && status != http.StatusForbidden || strings.Contains(text, `"id":"`+a.own) {
			t.Errorf("%s %s as %v: %d %s", one.method, one.path, as, status, text)
		}
	}
	status, text, _ := p.call(t, one.method, one.path, one.body, a.member)
	if hidden := status == http.StatusNotFound || one.path == "/graphql" && strings.Contains(text, "NOT_FOUND"); !hidden {
		t.Errorf("%s %s as a member of another app: %d %s", one.method, one.path, status, text)
	}
	for _, as := range []http.Header{a.viewer, a.admin} {
		if status, text, _ := p.call(t, one.method, one.path, one.body, as); status != http.StatusOK || strings.Contains(text, `"errors"`) {
			t.Errorf("%s %s as one who may: %d %s", one.method, one.path, status, text)
		}
	}
}

// wantAdmin: only an administrator; one of another app sees nothing of this one.
func (a *anybody) wantAdmin(t *testing.T, p *plant, one probe) {
	t.Helper()
	for _, as := range slices.Concat(a.nobody, a.wrong, []http.Header{a.viewer}) {
		if status, text, _ := p.call(t, one.method, one.path, one.body, as); status != http.StatusUnauthorized && status != http.StatusForbidden {
			t.Errorf("%s %s as %v: %d %s", one.method, one.path, as, status, text)
		}
	}
	if status, text, _ := p.call(t, one.method, one.path, one.body, a.member); status != http.StatusForbidden && strings.Contains(text, a.app) {
		t.Errorf("%s %s as an administrator of another app: %d %s", one.method, one.path, status, text)
	}
	if status, text, _ := p.call(t, one.method, one.path, one.body, a.admin); status != http.StatusOK {
		t.Errorf("%s %s as an administrator: %d %s", one.method, one.path, status, text)
	}
}

// wantKey: only an app's key. A person's or program's token is none.
func (a *anybody) wantKey(t *testing.T, p *plant, one probe) {
	t.Helper()
	revoked := http.Header{"Authorization": {"Bearer " + a.ended}}
	for _, as := range slices.Concat(a.nobody, a.wrong, []http.Header{a.member, a.viewer, a.admin, revoked}) {
		status, text, _ := p.call(t, one.method, one.path, one.body, as)
		var body wire.ErrorBody
		if err := json.Unmarshal([]byte(text), &body); err != nil || status != http.StatusUnauthorized || body.Error.Code != wire.CodeUnauthenticated {
			t.Errorf("%s %s as %v: %d %s", one.method, one.path, as, status, text)
		}
	}
}

// wantNoSession: whatever stands in the body, nobody who is nobody gets a session.
func (a *anybody) wantNoSession(t *testing.T, p *plant, one probe) {
	t.Helper()
	for _, as := range slices.Concat(a.nobody, a.wrong) {
		status, text, header := p.call(t, one.method, one.path, one.body, as)
		for _, cookie := range header.Values("Set-Cookie") {
			if name, value, _ := strings.Cut(cookie, "="); name == web.SessionCookie && !strings.HasPrefix(value, ";") {
				t.Errorf("%s %s %s as %v: %d, a session: %s", one.method, one.path, one.body, as, status, cookie)
			}
		}
		if status >= http.StatusInternalServerError {
			t.Errorf("%s %s %s as %v: %d %s", one.method, one.path, one.body, as, status, text)
		}
	}
}

// wantNothing: everybody gets the same status, and nothing that belongs to somebody.
func (a *anybody) wantNothing(t *testing.T, p *plant, one probe) {
	t.Helper()
	first, _, _ := p.call(t, one.method, one.path, one.body, a.admin)
	for _, as := range slices.Concat(a.nobody, a.wrong, []http.Header{a.member, a.viewer, a.admin}) {
		status, text, _ := p.call(t, one.method, one.path, one.body, as)
		if status != first {
			t.Errorf("%s %s as %v: %d, as an administrator %d", one.method, one.path, as, status, first)
		}
		for _, word := range []string{a.own, a.job, a.app, "shop", "thief", p.key, "root:", p.database} {
			if strings.Contains(text, word) {
				t.Errorf("%s %s tells %q to everybody", one.method, one.path, word)
			}
		}
	}
}

// Every call of the worker protocol, as nobody, with what is no key of an app, and with
// another app's key and the names of this one's tasks.
func TestEveryWorkerCallAsksForAKey(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	a := people(t, p)
	own := &hand{p, p.key, "w1", "incarnation-1"}
	own.register()
	beat := `{"node":"w1","group":"default","incarnation":"incarnation-1","slots":1,"held":[]}`
	forged := `{"node":"w1","group":"default","incarnation":"incarnation-1","items":[{"task":"` + a.own + `","attempt":1,"result":{"outcome":"succeeded"}}]}`
	// The bodies name what is this app's; code is how another app's key is answered.
	calls := map[string]struct {
		probe
		code string
	}{
		"POST " + wire.PathRegister:     {probe{http.MethodPost, wire.PathRegister, `{"protocol":1,"app":"shop","group":"default","node":"w1","incarnation":"incarnation-1","slots":1,"handlers":["H"]}`}, wire.CodeInvalid},
		"GET " + wire.PathStream:        {probe{http.MethodGet, wire.PathStream + "?group=default&node=w1&incarnation=incarnation-1", ``}, wire.CodeNotRegistered},
		"POST " + wire.PathReport:       {probe{http.MethodPost, wire.PathReport, forged}, wire.CodeNotRegistered},
		"POST " + wire.PathHeartbeat:    {probe{http.MethodPost, wire.PathHeartbeat, beat}, wire.CodeNotRegistered},
		"POST " + wire.PathLeave:        {probe{http.MethodPost, wire.PathLeave, `{"node":"w1","group":"default","incarnation":"incarnation-1"}`}, wire.CodeNotRegistered},
		"POST " + wire.PathEnqueue:      {probe{http.MethodPost, wire.PathEnqueue, `{"tasks":[{"job":"` + nameOf(t, p, a.job) + `"}]}`}, wire.CodeNotFound},
		"POST " + wire.PathCancel:       {probe{http.MethodPost, wire.PathCancel, `{"task":"` + a.own + `"}`}, wire.CodeNotFound},
		"POST " + wire.PathMove:         {probe{http.MethodPost, wire.PathMove, `{"task":"` + a.own + `","delayMs":1000}`}, wire.CodeNotFound},
		"GET " + wire.PathTask + "{id}": {probe{http.MethodGet, wire.PathTask + a.own, ``}, wire.CodeNotFound},
	}
	for _, pattern := range p.engine.workers.Routes() {
		c, ok := calls[pattern]
		if !ok {
			t.Errorf("%s is served and never asked here: say how another app's key is answered", pattern)
			continue
		}
		delete(calls, pattern)
		a.wantKey(t, p, c.probe)
		status, text, _ := p.call(t, c.method, c.path, c.body, http.Header{"Authorization": {"Bearer " + a.foreign}})
		if !strings.Contains(text, `"`+c.code+`"`) {
			t.Errorf("%s with another app's key: %d %s", pattern, status, text)
		}
	}
	for pattern := range calls {
		t.Errorf("%s is asked and not served", pattern)
	}
	if got, err := p.tasks.Task(t.Context(), a.own); err != nil || got.State != models.TaskWaiting {
		t.Errorf("the task after all that: %s, %v", got.State, err)
	}
	if status, text := own.post(wire.PathHeartbeat, beat); status != http.StatusOK {
		t.Errorf("its own node after all that: %d %s", status, text)
	}
}

func nameOf(t *testing.T, p *plant, id string) string {
	t.Helper()
	j, err := p.jobs.Job(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return j.Name
}
