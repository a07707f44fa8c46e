package cmd

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/web"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// A log goes as a file to who may see its task's app, by token or by the console's
// cookie; to anybody else it is as if there were no such task.
func TestLogFilesAreForWhoMaySeeTheirApp(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Greet", func(ctx context.Context, task *worker.Task, _ struct{}) error {
			task.Logger().LogAttrs(ctx, slog.LevelInfo, "order 4711 of Wang Fang")
			return nil
		})
	})
	id := p.trigger(p.job("Greet", nil))
	done := p.awaitState(id, models.TaskSucceeded)
	bank, _, err := p.fleet.CreateApp(t.Context(), "test", "bank", "")
	if err != nil {
		t.Fatal(err)
	}
	in := func(app string) []models.AppRole { return []models.AppRole{{AppID: app, Role: models.RoleViewer}} }
	for name, c := range map[string]struct {
		header http.Header
		status int
	}{
		"cookie, viewer of all":      {p.cookie(account.NewUser{Name: "all", Role: models.RoleViewer}), http.StatusOK},
		"cookie, viewer of the app":  {p.cookie(account.NewUser{Name: "own", Apps: in(done.AppID)}), http.StatusOK},
		"cookie, viewer of another":  {p.cookie(account.NewUser{Name: "other", Apps: in(bank.ID)}), http.StatusNotFound},
		"token, viewer of the app":   {p.bearer(account.NewToken{Name: "own", Role: models.RoleViewer, Apps: []string{done.AppID}}), http.StatusOK},
		"token, admin of another":    {p.bearer(account.NewToken{Name: "other", Role: models.RoleAdmin, Apps: []string{bank.ID}}), http.StatusNotFound},
		"nobody":                     {http.Header{}, http.StatusUnauthorized},
		"a cookie that never was":    {http.Header{"Cookie": {web.SessionCookie + "=made-up"}}, http.StatusUnauthorized},
		"cookie, from another site":  {elsewhere(p.cookie(account.NewUser{Name: "lured", Role: models.RoleViewer})), http.StatusForbidden},
		"a worker's key is no token": {http.Header{"Authorization": {"Bearer " + p.key}}, http.StatusUnauthorized},
	} {
		for _, format := range []string{"text", "raw", "ndjson"} {
			status, body := p.file(id, format, c.header)
			if status != c.status || strings.Contains(body, "4711") != (c.status == http.StatusOK) {
				t.Errorf("%s, as %s: %d %s", name, format, status, body)
			}
		}
	}
	// What is refused cannot be told from what is not there.
	other := p.bearer(account.NewToken{Name: "again", Role: models.RoleViewer, Apps: []string{bank.ID}})
	_, refused := p.file(id, "text", other)
	missing := strings.Repeat("0", len(id))
	_, absent := p.file(missing, "text", other)
	if a, b := strings.ReplaceAll(refused, id, "?"), strings.ReplaceAll(absent, missing, "?"); withoutID(a) != withoutID(b) {
		t.Errorf("refused: %s\nabsent:  %s", a, b)
	}
}

// withoutID leaves the request's id out of an error's JSON.
func withoutID(body string) string {
	before, rest, found := strings.Cut(body, `"requestId":"`)
	if !found {
		return body
	}
	_, after, _ := strings.Cut(rest, `"`)
	return before + after
}

// elsewhere is a request that a page of another site makes the browser send.
func elsewhere(h http.Header) http.Header {
	h.Set("Origin", "https://evil.example")
	h.Set("Sec-Fetch-Site", "cross-site")
	return h
}

// cookie makes an account, signs it in and answers what its browser sends.
func (p *plant) cookie(n account.NewUser) http.Header {
	p.t.Helper()
	_, secret, err := p.accounts.CreateUser(p.t.Context(), "test", n)
	if err != nil {
		p.t.Fatal(err)
	}
	in, err := p.accounts.RedeemLink(p.t.Context(), secret, "correct horse battery", "")
	if err != nil {
		p.t.Fatal(err)
	}
	return http.Header{"Cookie": {web.SessionCookie + "=" + in.SignedIn.Secret}}
}

// bearer makes a token and answers the header with it.
func (p *plant) bearer(n account.NewToken) http.Header {
	p.t.Helper()
	secret, _, err := p.accounts.CreateToken(p.t.Context(), "test", n)
	if err != nil {
		p.t.Fatal(err)
	}
	return http.Header{"Authorization": {"Bearer " + secret}}
}

// file asks for a task's log as a file.
func (p *plant) file(id, format string, header http.Header) (status int, body string) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.url+"/download/tasks/"+id+"/log?format="+format, http.NoBody)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header = header.Clone()
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}
