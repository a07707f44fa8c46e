package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/seal"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/web"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const password = "correct horse battery"

// front is an HTTP front with real accounts; the API answers who asks.
type front struct {
	*httptest.Server
	accounts *account.Service
	log      *bytes.Buffer
	ready    error
}

type loops struct{}

func (loops) Health() []lifecycle.LoopHealth {
	return []lifecycle.LoopHealth{{Name: "trigger", Running: true, Age: 1500 * time.Millisecond, Failures: 2, LastError: "secret"}}
}

var template = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "belfry-web-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "t.db")
	s, err := store.Open(context.Background(), store.Options{URL: "sqlite://" + path, Logger: slog.New(slog.DiscardHandler), Clock: clock.System{}})
	if err != nil {
		return nil, err
	}
	if err := s.Migrate(context.Background()); err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func start(t *testing.T, publicURL string) *front {
	t.Helper()
	return startWith(t, publicURL, func(*account.Config) {})
}

// sealed is what seals secrets.
func sealed(t *testing.T) *seal.Box {
	t.Helper()
	box, err := seal.New("0123456789abcdef0123456789abcdef")
	if err != nil {
		t.Fatal(err)
	}
	return box
}

// startWith is start with other accounts.
func startWith(t *testing.T, publicURL string, change func(*account.Config)) *front {
	t.Helper()
	return startBy(t, publicURL, change, nil)
}

// startBy is startWith with an identity provider, which may be nil.
func startBy(t *testing.T, publicURL string, change func(*account.Config), provider web.Provider) *front {
	t.Helper()
	file, err := template()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "belfry.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), store.Options{URL: "sqlite://" + path, Logger: slog.New(slog.DiscardHandler), Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	f := &front{log: &bytes.Buffer{}}
	logger := slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelInfo}))
	config := account.Config{Store: s, Clock: clock.System{}, Logger: slog.New(slog.DiscardHandler)}
	change(&config)
	f.accounts = account.New(config)
	auth, err := web.NewAuth(f.accounts, publicURL)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := web.NewHandler(web.Config{
		Provider: provider, Auth: auth, GraphQL: http.HandlerFunc(api), Worker: says("worker"), Console: says("console"), Registry: prometheus.NewRegistry(),
		Logs: func(_ context.Context, w io.Writer, _, _ string, _ int, _ func() error) error {
			_, err := io.WriteString(w, "a log")
			return err
		},
		Loops: loops{}, Ready: func(context.Context) error { return f.ready }, Clock: clock.System{}, Logger: logger,
	})
	if err != nil {
		t.Fatal(err)
	}
	f.Server = httptest.NewServer(handler)
	t.Cleanup(func() {
		f.Client().CloseIdleConnections()
		f.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// api answers who asks, or does what the path's query says.
func api(w http.ResponseWriter, r *http.Request) {
	switch r.URL.RawQuery {
	case "panic":
		panic("a secret")
	case "panic-late":
		_, _ = io.WriteString(w, "half")
		panic("a secret")
	}
	if err := request.Refused(r.Context()); err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	_, _ = io.WriteString(w, request.Caller(r.Context()).Name+" from "+request.Address(r.Context()))
}

func says(text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) })
}

// ask sends a request and answers status, body and response.
func (f *front) ask(t *testing.T, method, path, body string, header ...string) (int, string, *http.Response) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, f.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := f.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text), resp
}

func (f *front) admin(t *testing.T) {
	t.Helper()
	if _, err := f.accounts.EnsureFirstAdmin(t.Context(), password); err != nil {
		t.Fatal(err)
	}
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	f := start(t, "")
	for _, tt := range []struct {
		method, path string
		status       int
		body         string
	}{
		{"GET", "/", 200, "console"},
		{"GET", "/jobs/17?x=1", 200, "console"},
		{"GET", "/worker/v1/stream", 200, "worker"},
		{"POST", "/worker/v1/report", 200, "worker"},
		{"GET", "/worker/v2/stream", 404, "NOT_FOUND"},
		{"GET", "/auth/nothing", 404, "NOT_FOUND"},
		{"GET", "/auth/sign-in", 405, "POST"},
		{"GET", "/graphql", 405, "POST"},
		{"PUT", "/graphql", 405, "POST"},
		{"OPTIONS", "/graphql", 405, "POST"},
		{"POST", "/graphql", 200, " from 127.0.0.1"},
		{"POST", "/healthz", 405, "GET"},
		{"HEAD", "/healthz", 200, ""},
		{"GET", "/metrics", 200, "belfry_http_requests_total"},
	} {
		status, body, resp := f.ask(t, tt.method, tt.path, "")
		if status != tt.status || !strings.Contains(body, tt.body) {
			t.Errorf("%s %s: %d %.100s, want %d %s", tt.method, tt.path, status, body, tt.status, tt.body)
		}
		if resp.Header.Get("X-Request-Id") == "" || resp.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s lacks a header: %v", tt.method, tt.path, resp.Header)
		}
		if status == 405 && resp.Header.Get("Allow") == "" {
			t.Errorf("%s %s: no Allow", tt.method, tt.path)
		}
	}
}

func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	f := start(t, "https://belfry.example.com")
	_, _, resp := f.ask(t, "GET", "/", "")
	host := strings.TrimPrefix(f.URL, "http://")
	want := "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ws://" + host + " wss://" + host +
		"; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	if diff := cmp.Diff(want, resp.Header.Get("Content-Security-Policy")); diff != "" {
		t.Errorf("policy (-want +got):\n%s", diff)
	}
	if resp.Header.Get("Strict-Transport-Security") == "" || resp.Header.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("headers %v", resp.Header)
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Host = "evil; script-src *"
	w := httptest.NewRecorder()
	f.Config.Handler.ServeHTTP(w, r)
	if got := w.Header().Get("Content-Security-Policy"); strings.Contains(got, "evil") {
		t.Errorf("a made-up host stands in the policy: %s", got)
	}
}

func TestHealthAndReadiness(t *testing.T) {
	t.Parallel()
	f := start(t, "")
	status, body, _ := f.ask(t, "GET", "/healthz", "")
	if want := `{"status":"ok","loops":[{"name":"trigger","running":true,"age":1.5,"overdue":0,"busy":0,"failures":2}]}` + "\n"; status != 200 || body != want {
		t.Errorf("%d %s", status, body)
	}
	if status, _, _ := f.ask(t, "GET", "/readyz", ""); status != 200 {
		t.Errorf("ready: %d", status)
	}
	f.ready = errors.New("dial tcp 10.0.0.1: refused")
	if status, body, _ := f.ask(t, "GET", "/readyz", ""); status != 503 || strings.Contains(body, "10.0.0.1") || !strings.Contains(body, "UNAVAILABLE") {
		t.Errorf("not ready: %d %s", status, body)
	}
	if status, _, _ := f.ask(t, "GET", "/healthz", ""); status != 200 {
		t.Errorf("a process without a database is not healthy: %d", status)
	}
}

func TestPanics(t *testing.T) {
	t.Parallel()
	f := start(t, "")
	status, body, resp := f.ask(t, "POST", "/graphql?panic", "")
	if status != 500 || strings.Contains(body, "secret") || !strings.Contains(body, resp.Header.Get("X-Request-Id")) {
		t.Errorf("%d %s", status, body)
	}
	if log := f.log.String(); strings.Count(log, "a handler panicked") != 1 || !strings.Contains(log, resp.Header.Get("X-Request-Id")) {
		t.Errorf("the log: %s", log)
	}
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, f.URL+"/graphql?panic-late", nil)
	if resp, err := f.Client().Do(r); err == nil {
		_, err = io.ReadAll(resp.Body)
		resp.Body.Close()
		if err == nil {
			t.Error("half an answer came as a whole one")
		}
	}
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	for public, secure := range map[string]bool{"": false, "https://belfry.example.com": true} {
		f := start(t, public)
		f.admin(t)
		status, body, resp := f.ask(t, "POST", "/auth/sign-in", `{"name":"admin","password":"`+password+`"}`)
		if status != 204 || body != "" || len(resp.Cookies()) != 1 {
			t.Fatalf("%d %s, %d cookies", status, body, len(resp.Cookies()))
		}
		c := resp.Cookies()[0]
		if c.Name != "belfry_session" || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Secure != secure || c.MaxAge < 3600 {
			t.Errorf("the cookie is %+v", c)
		}
		cookie := c.Name + "=" + c.Value
		if _, body, _ := f.ask(t, "POST", "/graphql", "", "Cookie", cookie, "X-Belfry-Console", "1"); !strings.HasPrefix(body, "admin from ") {
			t.Errorf("the session's owner is %q", body)
		}
		if status, _, _ := f.ask(t, "POST", "/graphql", "", "Cookie", cookie); status != 401 {
			t.Errorf("a cookie without the header is answered with %d", status)
		}
		if status, _, _ := f.ask(t, "POST", "/auth/sign-out", "", "Cookie", cookie); status != 403 {
			t.Errorf("signing out without the header: %d", status)
		}
		status, _, resp = f.ask(t, "POST", "/auth/sign-out", "", "Cookie", cookie, "X-Belfry-Console", "1")
		if status != 204 || len(resp.Cookies()) != 1 || resp.Cookies()[0].MaxAge >= 0 {
			t.Errorf("signing out: %d %v", status, resp.Cookies())
		}
		if _, body, _ := f.ask(t, "POST", "/graphql", "", "Cookie", cookie, "X-Belfry-Console", "1"); body != " from 127.0.0.1" {
			t.Errorf("after signing out: %q", body)
		}
	}
}

func TestSignInRefuses(t *testing.T) {
	t.Parallel()
	f := start(t, "")
	f.admin(t)
	right := `{"name":"admin","password":"` + password + `"}`
	for name, tt := range map[string]struct {
		body   string
		header []string
		status int
		code   string
	}{
		"a wrong password":   {`{"name":"admin","password":"wrong"}`, nil, 401, "UNAUTHENTICATED"},
		"an unknown name":    {`{"name":"nobody","password":"wrong"}`, nil, 401, "UNAUTHENTICATED"},
		"no JSON":            {`name=admin`, nil, 400, "INVALID"},
		"another type":       {right, []string{"Content-Type", "text/plain"}, 400, "INVALID"},
		"a form":             {right, []string{"Content-Type", "application/x-www-form-urlencoded"}, 400, "INVALID"},
		"a foreign page":     {right, []string{"Origin", "http://evil.example"}, 403, "FORBIDDEN"},
		"a foreign site":     {right, []string{"Sec-Fetch-Site", "cross-site"}, 403, "FORBIDDEN"},
		"too large a form":   {`{"name":"` + strings.Repeat("x", 20<<10) + `"}`, nil, 400, "INVALID"},
		"nothing":            {``, []string{"Content-Type", "application/json"}, 400, "INVALID"},
		"the console itself": {right, []string{"Origin", "self"}, 204, ""},
	} {
		if len(tt.header) > 0 && tt.header[1] == "self" {
			tt.header[1] = f.URL
		}
		status, body, resp := f.ask(t, "POST", "/auth/sign-in", tt.body, tt.header...)
		if status != tt.status || !strings.Contains(body, tt.code) {
			t.Errorf("%s: %d %s", name, status, body)
		}
		if status != 204 {
			if len(resp.Cookies()) > 0 {
				t.Errorf("%s: a cookie was set", name)
			}
			var answer struct {
				Error struct{ Code, Message, RequestID string }
			}
			if err := json.Unmarshal([]byte(body), &answer); err != nil || answer.Error.Message == "" || answer.Error.RequestID == "" {
				t.Errorf("%s: %s, %v", name, body, err)
			}
		}
	}
	last := 0
	for range 20 {
		last, _, _ = f.ask(t, "POST", "/auth/sign-in", `{"name":"admin","password":"wrong"}`)
	}
	if last != 429 {
		t.Errorf("after many failures: %d", last)
	}
}

func TestLink(t *testing.T) {
	t.Parallel()
	f := start(t, "")
	token, err := f.accounts.EnsureFirstAdmin(t.Context(), "")
	if err != nil || token == "" {
		t.Fatalf("no link: %v", err)
	}
	post := func(body string) (int, string, *http.Response) { return f.ask(t, "POST", "/auth/link", body) }
	if status, body, resp := post(`{"token":"` + token + `"}`); status != 200 || body != `{"name":"admin","needsPassword":true}`+"\n" || len(resp.Cookies()) != 0 {
		t.Errorf("an account without a password: %d %s", status, body)
	}
	if status, body, _ := post(`{"token":"` + token + `","password":"short"}`); status != 400 || !strings.Contains(body, "INVALID") {
		t.Errorf("a short password: %d %s", status, body)
	}
	if status, body, resp := post(`{"token":"` + token + `","password":"` + password + `"}`); status != 200 || body != `{"needsPassword":false}`+"\n" || len(resp.Cookies()) != 1 {
		t.Errorf("a good password: %d %s", status, body)
	}
	for name, used := range map[string]string{"used": token, "unknown": "x", "empty": ""} {
		if status, body, _ := post(`{"token":"` + used + `"}`); status != 401 {
			t.Errorf("a link that is %s: %d %s", name, status, body)
		}
	}
	link, err := f.accounts.NewLink(t.Context(), account.FirstAdmin)
	if err != nil {
		t.Fatal(err)
	}
	if status, body, resp := post(`{"token":"` + link + `"}`); status != 200 || body != `{"needsPassword":false}`+"\n" || len(resp.Cookies()) != 1 {
		t.Errorf("a link for an account with a password: %d %s", status, body)
	}
	if log := f.log.String(); strings.Contains(log, link) || strings.Contains(log, token) || strings.Contains(log, password) {
		t.Error("a secret is in the log")
	}
}

func TestBearer(t *testing.T) {
	t.Parallel()
	f := start(t, "")
	token, row, err := f.accounts.CreateToken(t.Context(), "test", account.NewToken{Name: "ci", Role: models.RoleViewer})
	if err != nil {
		t.Fatal(err)
	}
	for header, want := range map[string]string{
		"Bearer " + token: "ci from ", "bearer  " + token + " ": "ci from ", "Bearer bfy_x": "wrong", "Bearer": "not of the form", "Basic YTpi": "not of the form", token: "not of the form",
	} {
		if _, body, _ := f.ask(t, "POST", "/graphql", "", "Authorization", header); !strings.Contains(body, want) {
			t.Errorf("%q: %s", header, body)
		}
	}
	if _, err := f.accounts.RevokeToken(t.Context(), "test", row.ID); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := f.ask(t, "POST", "/graphql", "", "Authorization", "Bearer "+token); status != 401 {
		t.Errorf("the revoked token: %d", status)
	}
}

func TestPublicAddress(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"belfry.example.com", "://", "http://"} {
		if _, err := web.NewAuth(nil, bad); err == nil {
			t.Errorf("the public address %q was taken", bad)
		}
	}
	f := start(t, "https://Belfry.example.com")
	f.admin(t)
	// Behind a proxy the request's host is another than the page's.
	if status, body, _ := f.ask(t, "POST", "/auth/sign-in", `{"name":"admin","password":"`+password+`"}`, "Origin", "https://belfry.example.com"); status != 204 {
		t.Errorf("from the public address: %d %s", status, body)
	}
	if status, _, _ := f.ask(t, "POST", "/auth/sign-in", `{"name":"admin","password":"`+password+`"}`, "Origin", "http://belfry.example.com"); status != 403 {
		t.Errorf("from the public name, without TLS: %d", status)
	}
}

func TestServer(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}, 2), make(chan struct{})
	var ended sync.WaitGroup
	streamCtx, endStreams := context.WithCancel(t.Context())
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ended.Add(1)
		defer ended.Done()
		switch r.URL.Path {
		case "/slow":
			entered <- struct{}{}
			<-release
		case "/stream":
			_ = http.NewResponseController(w).Flush()
			entered <- struct{}{}
			<-streamCtx.Done()
		}
		_, _ = io.WriteString(w, "done")
	})
	s := web.NewServer(web.ServerConfig{
		Listen: "127.0.0.1:0", Handler: handler, Logger: slog.New(slog.DiscardHandler),
		Drain: []func(context.Context) error{func(context.Context) error { endStreams(); return nil }},
	})
	if s.Addr() != "" {
		t.Error("an address before the start")
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	client := &http.Client{}
	defer client.CloseIdleConnections()
	get := func(path string) (string, error) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.Addr()+path, nil)
		if err != nil {
			return "", err
		}
		resp, err := client.Do(r)
		if err != nil {
			return "", err
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		return string(body), err
	}
	if body, err := get("/"); err != nil || body != "done" {
		t.Fatalf("%q, %v", body, err)
	}
	answers := make(chan string, 2)
	for _, path := range []string{"/slow", "/stream"} {
		go func() {
			body, err := get(path)
			answers <- body + errText(err)
		}()
	}
	<-entered
	<-entered
	stopped := make(chan error, 1)
	go func() { stopped <- s.Stop(t.Context()) }()
	if got := <-answers; got != "done" { // the stream, which was ended
		t.Errorf("the stream ended with %q", got)
	}
	select {
	case err := <-stopped:
		t.Fatalf("stopped before the answer under way: %v", err)
	default:
	}
	close(release)
	if got := <-answers; got != "done" {
		t.Errorf("the answer under way ended with %q", got)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if err := s.Stop(t.Context()); err != nil {
		t.Errorf("stopping again: %v", err)
	}
	if _, err := get("/"); err == nil {
		t.Error("a stopped server answers")
	}
	ended.Wait()
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestAServerSaysWhyItCannotListen(t *testing.T) {
	t.Parallel()
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	s := web.NewServer(web.ServerConfig{Listen: taken.Addr().String(), Handler: http.NotFoundHandler(), Logger: slog.New(slog.DiscardHandler)})
	if err := s.Start(t.Context()); err == nil || !strings.Contains(err.Error(), taken.Addr().String()) {
		t.Errorf("%v", err)
	}
	if err := s.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}
