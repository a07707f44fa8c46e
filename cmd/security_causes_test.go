package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// ask sends a GraphQL operation and answers everything that comes back.
func (a *anybody) ask(t *testing.T, p *plant, as http.Header, text string, variables map[string]any) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": text, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	_, answer, _ := p.call(t, http.MethodPost, "/graphql", string(body), as)
	return answer
}

// The cause behind default tokens and skipped checks (as of XXL-JOB's executor wave of 2023
// and its default_token; CB-095): a secret that everybody has, or none, let in. A fresh installation
// has no account, no key and no token; what is made is random, long, and its own.
func TestAFreshInstallationLetsNobodyIn(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	for _, password := range []string{"", "admin", "belfry", "password", "123456", "default_token", "changeme"} {
		for _, name := range []string{"admin", "root", "belfry", "demo", ""} {
			body := fmt.Sprintf(`{"name":%q,"password":%q}`, name, password)
			if status, text, header := p.call(t, http.MethodPost, "/auth/sign-in", body, nil); status < 400 || len(header.Values("Set-Cookie")) > 0 {
				t.Errorf("%s: %d %s", body, status, text)
			}
		}
	}
	seen := map[string]bool{}
	for i := range 20 {
		_, key, err := p.fleet.CreateApp(t.Context(), "test", fmt.Sprintf("app-%d", i), "")
		if err != nil {
			t.Fatal(err)
		}
		token, _, err := p.accounts.CreateToken(t.Context(), "test", account.NewToken{Name: "t", Role: models.RoleViewer})
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{key, token} {
			_, random, _ := strings.Cut(secret, "_")
			if seen[secret] || len(random) < 40 {
				t.Errorf("the secret %q is short or was given before", secret)
			}
			seen[secret] = true
		}
	}
	ledger := p.bytes(t)
	for secret := range seen {
		if bytes.Contains(ledger, []byte(secret)) {
			t.Errorf("the secret %.8s… stands in the database as it is", secret)
		}
	}
}

// bytes answers all that the plant's database has on disk.
func (p *plant) bytes(t *testing.T) (all []byte) {
	t.Helper()
	path := strings.TrimPrefix(p.database, "sqlite://")
	for _, file := range []string{path, path + "-wal"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	return all
}

// The cause behind calls to addresses that a caller names (as of CVE-2022-43183, CVE-2024-24113
// and CVE-2025-14518: log view, manual trigger, connectivity check): a server that connects to
// where a request says, and sends its credentials along. Workers connect to Belfry and never
// the other way about, so no frame and no input of the API has a place for an address; the
// one exception are alert channels, which look at the address when it is dialled.
func TestNoCallerNamesAnAddress(t *testing.T) {
	t.Parallel()
	address := regexp.MustCompile(`(?i)(url|uri|address|host|endpoint|server|callback|hook|jdbc|dsn|port)s?$`)
	// Those that are known: shown to people only, or settings of a channel.
	known := map[string]bool{
		"Register.host": true,
		"BotInput.url":  true, "SignedBotInput.url": true, "DingTalkInput.url": true, "WebhookInput.url": true, "AlertChannelInput.webhook": true,
		"EmailInput.host": true, "EmailInput.port": true,
	}
	for name, def := range graphtest.Schema.Types {
		if def.Kind != "INPUT_OBJECT" {
			continue
		}
		for _, field := range def.Fields {
			if place := name + "." + field.Name; address.MatchString(field.Name) && !known[place] {
				t.Errorf("%s may be an address that a caller names: see that nothing connects to it, and say so here", place)
			}
		}
	}
	for _, root := range []string{"Query", "Mutation", "Subscription"} {
		for _, field := range graphtest.Schema.Types[root].Fields {
			for _, argument := range field.Arguments {
				if address.MatchString(argument.Name) {
					t.Errorf("%s(%s) may be an address that a caller names", field.Name, argument.Name)
				}
			}
		}
	}
	raw, err := json.Marshal(wire.Register{Host: "h", Labels: map[string]string{"l": "v"}, Gone: []string{"g"}, Running: []wire.AttemptRef{{}}, HandlerSlots: []wire.HandlerSlots{{}}, SDK: "s", PID: 1})
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	for field := range fields {
		if address.MatchString(field) && !known["Register."+field] {
			t.Errorf("a worker tells its %s when it registers: see that nothing connects to it", field)
		}
	}
}

// Nothing connects to what a worker says of itself, nor to an address that stands in a job's
// parameters, is triggered by hand, or whose log is read.
func TestNothingConnectsToWhatIsTold(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	a := people(t, p)
	canary, touched := newCanary(t)
	h := &hand{p, p.key, canary, "incarnation-1"}
	hello := h.hello()
	hello.Host, hello.SDK, hello.Labels = canary, "http://"+canary, map[string]string{"address": "http://" + canary}
	if status, text := h.post(wire.PathRegister, hello); status != http.StatusOK {
		t.Fatalf("%d %s", status, text)
	}
	h.register()
	j := p.job("H", func(in *job.Input) {
		in.Parameters = []byte(`{"addressList":"http://` + canary + `","url":"http://` + canary + `"}`)
	})
	for _, text := range []string{
		`mutation{triggerJob(input:{job:"` + j.ID + `",parameters:{executorAddress:"http://` + canary + `"}}){task{id logs{nodes{message}}} userErrors{message}}}`,
		`mutation{createAlertChannel(input:{name:"x",kind:WEBHOOK,webhook:{url:"http://` + canary + `/"}}){channel{id} userErrors{message}}}`,
		`{messagePreview(input:{kind:WEBHOOK,message:PROBLEM}){body}}`,
	} {
		if answer := a.ask(t, p, a.admin, text, nil); strings.Contains(answer, "GRAPHQL_VALIDATION") {
			t.Errorf("%s asks for nothing: %s", text, answer)
		}
	}
	if n := touched.Load(); n > 0 {
		t.Errorf("%d connections to an address that was only told", n)
	}
}

// newCanary listens on an address that nothing has a reason to connect to.
func newCanary(t *testing.T) (address string, touched *atomic.Int64) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	touched = &atomic.Int64{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			touched.Add(1)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() { _ = listener.Close(); <-done })
	return listener.Addr().String(), touched
}

// The cause behind reading and running what is another's (as of CB-100, CVE-2023-33779, CVE-2024-42681
// and the groups whose loadById gave the token away): an id was enough. Here ids of another
// app are what does not exist, keys are shown once and never again, and a job may not set
// off, nor wait for, a job that its editor may not see. A viewer changes nothing.
func TestAnIDIsNotEnough(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	a := people(t, p)
	mine, _, err := p.fleet.CreateApp(t.Context(), "test", "mine", "")
	if err != nil {
		t.Fatal(err)
	}
	groups, err := p.fleet.Groups(t.Context(), mine.ID)
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := p.accounts.CreateToken(t.Context(), "test", account.NewToken{Name: "mine", Role: models.RoleAdmin, Apps: []string{mine.ID}})
	if err != nil {
		t.Fatal(err)
	}
	member := http.Header{"Authorization": {"Bearer " + token}}
	for _, text := range []string{
		`{task(id:"` + a.own + `"){id parameters logs{nodes{message}}}}`, `{job(id:"` + a.job + `"){id parameters}}`, `{app(name:"shop"){id keys{prefix}}}`,
		`mutation{triggerJob(input:{job:"` + a.job + `"}){task{id} userErrors{code}}}`, `mutation{cancelTask(id:"` + a.own + `"){task{id} userErrors{code}}}`,
		`mutation{updateJob(input:{id:"` + a.job + `",handler:"x"}){job{id} userErrors{code}}}`, `mutation{createAppKey(app:"` + a.app + `"){appKey{id} key userErrors{code}}}`,
		`mutation{createJob(input:{group:"` + groups[0].ID + `",name:"child",handler:"x",trigger:{dependency:{upstream:[{job:"` + a.job + `"}]}}}){job{id} userErrors{code}}}`,
		`mutation{createJob(input:{group:"` + p.group + `",name:"planted",handler:"x",trigger:{manual:true}}){job{id} userErrors{code}}}`,
	} {
		answer := a.ask(t, p, member, text, nil)
		found := strings.Contains(answer, `"id":"`) || strings.Contains(answer, `"key":"`) || strings.Contains(answer, `"prefix":"`)
		if refused := strings.Contains(answer, "NOT_FOUND") || strings.Contains(answer, ":null"); found || !refused && !strings.Contains(answer, "GRAPHQL") {
			t.Errorf("%s as a member of another app: %s", text, answer)
		}
		if strings.Contains(answer, "GRAPHQL_VALIDATION") {
			t.Errorf("%s asks for nothing: %s", text, answer)
		}
	}
	if answer := a.ask(t, p, a.admin, `{app(name:"shop"){keys{id prefix}}}`, nil); strings.Contains(answer, p.key) || !strings.Contains(answer, `"prefix"`) {
		t.Errorf("keys as shown to an administrator: %s", answer)
	}
	for _, text := range []string{
		`mutation{triggerJob(input:{job:"` + a.job + `"}){task{id}}}`, `mutation{cancelTask(id:"` + a.own + `"){task{id}}}`,
		`mutation{createJob(input:{group:"` + p.group + `",name:"planted",handler:"x",trigger:{manual:true}}){job{id}}}`, `{users{nodes{id}}}`, `{apiTokens{nodes{id}}}`,
	} {
		if answer := a.ask(t, p, a.viewer, text, nil); !strings.Contains(answer, "FORBIDDEN") {
			t.Errorf("%s as a viewer: %s", text, answer)
		}
	}
}
