package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/internal/apptest"
	"github.com/belfry-scheduler/belfry/internal/testserver"
)

// marked are secrets that can be found again wherever they leak to, by what they are.
var marked = map[string]string{
	"the database's password":    "mark-dbpw-q7XzR2",
	"the password of Redis":      "mark-redispw-k3Vb9T",
	"the secret key":             "mark-secretkey-5fN8wLr0aZp3YcQe7H",
	"the old secret key":         "mark-oldkey-1dK6sMv4tUg9BxWj2Eo8R",
	"the admin's password":       "mark-adminpw-Jt4hPn8",
	"a wrong password":           "mark-wrongpw-Sd2kLm5",
	"the proxy's password":       "mark-proxypw-Gc6fQb1",
	"a webhook's address":        "mark-hookpath-Wv8rTy3",
	"a webhook's query":          "mark-hookquery-Xe5uIo7",
	"a webhook's signing key":    "bWFyay1zaWduaW5nLWtleS0wMTIzNDU2Nzg5",
	"a webhook's header":         "mark-header-Nb9mKj2",
	"Slack's address":            "mark-slackpath-Ra1sDf4",
	"Telegram's token":           "AAmark-telegram-token-Zq6wEr8tYu0iOp2aS",
	"the mail server's":          "mark-smtppw-Hg3jKl7",
	"DingTalk's signing key":     "SECmark-dingtalk-Lp5oIu9",
	"a token that nobody has":    "bfy_mark-token-Vc2xZa6sDf8gHj0kLq4wErTyUi",
	"an app key that nobody has": "bfk_mark-appkey-Mn7bVc3xZl9kJh5gFd1sAq",
}

// place is something that people or programs can read.
type place struct{ name, text string }

// secretHouse is a server with all secrets, and what it shows.
type secretHouse struct {
	t      *testing.T
	env    []string
	server *apptest.Process
	url    string
	token  string
	seen   []place
}

func (h *secretHouse) note(name, text string) { h.seen = append(h.seen, place{name, text}) }

// request sends something and keeps the whole answer.
func (h *secretHouse) request(method, path, body string, header ...string) {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.url+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	var headers strings.Builder
	_ = resp.Header.Write(&headers) // a builder takes everything
	h.note(fmt.Sprintf("%s %s %.60s", method, path, body), headers.String()+string(text))
}

// ask runs an operation as an administrator and keeps the answer, whatever it is.
func (h *secretHouse) ask(query string, variables map[string]any) {
	h.t.Helper()
	got, err := apptest.Try[any](h.t.Context(), apptest.API{URL: h.url, Token: h.token}, query, variables)
	if err != nil && strings.Contains(err.Error(), "GRAPHQL_VALIDATION_FAILED") {
		h.t.Fatalf("an operation asks for nothing: %v", err)
	}
	h.note(fmt.Sprintf("GraphQL %.60s", query), fmt.Sprint(got, err))
}

// run runs a command of the binary and keeps its output, whether it fails or not.
func (h *secretHouse) run(args ...string) {
	h.t.Helper()
	p := apptest.Start(h.t, strings.Join(args, " "), h.env, apptest.Binary(h.t), args...)
	p.Wait(h.t)
	h.note("belfry "+strings.Join(args, " "), p.Output())
}

func newSecretHouse(t *testing.T) *secretHouse {
	t.Helper()
	db, err := testserver.StartMariaDB(testserver.MariaDBOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Stop() })
	redis, err := testserver.StartRedis(testserver.RedisOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = redis.Stop() })
	name := db.Database(t)
	for _, text := range []string{
		"CREATE USER 'marked'@'%' IDENTIFIED BY '" + marked["the database's password"] + "'", "GRANT ALL ON *.* TO 'marked'@'%'",
	} {
		if _, err := db.Admin().ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	h := &secretHouse{t: t, env: []string{
		"BELFRY_DATABASE_URL=mysql://marked:" + marked["the database's password"] + "@" + db.Addr() + "/" + name,
		// This Redis asks for no password and refuses one: errors are where secrets get out.
		"BELFRY_REDIS_URL=redis://:" + marked["the password of Redis"] + "@" + redis.Addr(), "BELFRY_LOCKS=database",
		"BELFRY_SECRET_KEY=" + marked["the secret key"] + "," + marked["the old secret key"],
		"BELFRY_ADMIN_PASSWORD=" + marked["the admin's password"],
		"BELFRY_OUTBOUND_PROXY=http://belfry:" + marked["the proxy's password"] + "@127.0.0.1:1",
		"BELFRY_LISTEN=127.0.0.1:0", "BELFRY_LOG_LEVEL=debug",
	}}
	h.server = apptest.Start(t, "server", h.env, apptest.Binary(t), "serve")
	h.url = h.server.Await(t, apptest.Ready)
	h.token = apptest.Run(t, h.env, "token", "create", "--name", "marked", "--role", "ADMIN")
	return h
}

// channels makes one of each kind with secrets, also some that are refused, and tries them.
func (h *secretHouse) channels() {
	hook := "https://8.8.8.8/" + marked["a webhook's address"] + "?token=" + marked["a webhook's query"]
	kinds := map[string]map[string]any{
		"WEBHOOK":  {"url": hook, "secrets": []string{"whsec_" + marked["a webhook's signing key"]}, "headers": map[string]any{"X-Token": marked["a webhook's header"]}},
		"SLACK":    {"url": "https://8.8.8.8/services/" + marked["Slack's address"]},
		"TELEGRAM": {"token": "110201543:" + marked["Telegram's token"], "chat": "-100123"},
		"DINGTALK": {"url": hook, "secret": marked["DingTalk's signing key"]},
		"EMAIL": {
			"host": "127.0.0.1", "port": 1, "security": "STARTTLS", "username": "u", "password": marked["the mail server's"],
			"from": "a@example.com", "to": []string{"b@example.com"},
		},
	}
	const create = `mutation($in:AlertChannelInput!){createAlertChannel(input:$in){channel{id name settings}userErrors{code field message}}}`
	for kind, settings := range kinds {
		in := map[string]any{"name": "marked " + kind, "kind": kind, strings.ToLower(kind): settings}
		h.ask(create, map[string]any{"in": in})
		h.ask(create, map[string]any{"in": in}) // taken
	}
	for name, url := range map[string]string{"inside": "http://127.0.0.1/" + marked["a webhook's address"], "broken": "https://u:" + marked["a webhook's header"] + "@%zz/", "ftp": "ftp://x/" + marked["a webhook's address"]} {
		h.ask(create, map[string]any{"in": map[string]any{"name": name, "kind": "WEBHOOK", "webhook": map[string]any{"url": url, "secrets": []string{"whsec_" + marked["a webhook's address"]}}}})
	}
	type listed struct{ AlertChannels []struct{ ID string } }
	api := apptest.API{URL: h.url, Token: h.token}
	all := apptest.Do[listed](h.t, api, `{alertChannels{id}}`, nil).AlertChannels
	if len(all) != len(kinds) {
		h.t.Errorf("there are %d channels", len(all))
	}
	for _, c := range all {
		h.ask(`mutation($id:ID!){testAlertChannel(id:$id){ok status response error userErrors{message}}}`, map[string]any{"id": c.ID})
	}
}

// TestNoSecretIsShown runs a real server with secrets that can be found again, uses and
// misuses each, and looks for them in everything that can be read: logs, answers, errors,
// metrics, exports, the command line, and the processes' arguments.
func TestNoSecretIsShown(t *testing.T) {
	t.Parallel()
	h := newSecretHouse(t)
	key := apptest.Run(t, h.env, "app", "create", "shop")
	h.channels()
	for _, form := range []string{
		`{"name":"admin","password":"` + marked["the admin's password"] + `"}`, `{"name":"admin","password":"` + marked["a wrong password"] + `"}`,
		`{"name":"` + marked["a wrong password"] + `","password":"x"`,
	} {
		h.request("POST", "/auth/sign-in", form)
	}
	h.request("POST", "/auth/link", `{"token":"`+marked["a token that nobody has"]+`"}`)
	for _, bearer := range []string{marked["a token that nobody has"], marked["an app key that nobody has"], h.token, key} {
		h.request("POST", "/graphql", `{"query":"{viewer{name}}"}`, "Authorization", "Bearer "+bearer)
		h.request("POST", "/graphql", `{"query":"{nothing}"}`, "Authorization", "Bearer "+bearer)
		h.request("POST", "/worker/v1/register", `{"app":"shop","node":"n"}`, "Authorization", "Bearer "+bearer)
	}
	for _, path := range []string{"/metrics", "/healthz", "/readyz", "/", "/nothing?token=" + marked["a token that nobody has"], "/download/tasks/x/log", "/debug/pprof/"} {
		h.request("GET", path, "")
	}
	h.ask(`{alertChannels{id name settings} apps{name keys{prefix lastUsedAt}} users(first:100){nodes{name}} apiTokens(first:100){nodes{name prefix}}}`, nil)
	h.ask(`{notifications(first:100){nodes{id state subject body reason tries{number status response error}}} securityFindings{code what remedy subjects} servers{name degraded}}`, nil)
	h.ask(`{__schema{types{name fields{name}}}}`, nil)
	h.run("doctor")
	h.run("rotate-keys")
	h.run("rotate-keys", "--check")
	h.run("export", "--server", h.url, "--token", h.token)
	h.run("migrate", "status")
	h.run("serve", "--tls-cert", "nowhere")
	for _, name := range []string{"cmdline", "comm"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", h.server.PID(), name))
		if err != nil {
			t.Fatal(err)
		}
		h.note("/proc/PID/"+name, string(text))
	}
	h.note("the server's log", h.server.Output())
	if len(h.seen) < 50 || !strings.Contains(h.server.Output(), `"level":"DEBUG"`) {
		t.Errorf("only %d places were looked at", len(h.seen))
	}
	h.look(map[string]string{"the administrator's token": h.token, "the app's key": key})
}

// look searches all that was seen for the secrets.
func (h *secretHouse) look(more map[string]string) {
	h.t.Helper()
	for _, all := range []map[string]string{marked, more} {
		for what, secret := range all {
			forms := []string{secret}
			if i := strings.IndexAny(secret, "_"); i >= 0 && len(secret) > 30 {
				forms = append(forms, secret[i+10:]) // also without its beginning, which is shown to tell tokens apart
			}
			for _, p := range h.seen {
				if slices.ContainsFunc(forms, func(form string) bool { return strings.Contains(p.text, form) }) {
					h.t.Errorf("%s stands in %s", what, p.name)
				}
			}
		}
	}
}
