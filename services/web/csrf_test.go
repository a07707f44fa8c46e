package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// Every path that a session's cookie opens, asked by a page of another site, by one of the
// same site but another origin, by a page without an origin of its own, and without the
// console's header: the cookie counts nowhere. A new path belongs into this table.
func TestForeignPagesCannotUseACookie(t *testing.T) {
	t.Parallel()
	f := start(t, "")
	f.admin(t)
	_, _, resp := f.ask(t, "POST", "/auth/sign-in", `{"name":"admin","password":"`+password+`"}`)
	if len(resp.Cookies()) == 0 {
		t.Fatal("no session")
	}
	var cookie string
	for _, c := range resp.Cookies() {
		if c.SameSite != http.SameSiteLaxMode && c.SameSite != http.SameSiteStrictMode || !c.HttpOnly {
			t.Errorf("the cookie %s can be sent along by other sites, or read by scripts", c.Name)
		}
		if c.Name == "belfry_session" {
			cookie = c.Name + "=" + c.Value
		}
	}
	own := []string{"Cookie", cookie, "X-Belfry-Console", "1", "Origin", f.URL, "Sec-Fetch-Site", "same-origin"}
	const log = "/download/tasks/01M8NS02QGGZW7NW7SCVSBSXAN/log"
	paths := []struct {
		method, path, body string
		header             []string
		good               func(status int, body string) bool
		link               bool // a link may ask for it, which sends no header of the console's
	}{
		{"POST", "/graphql", "", nil, func(status int, body string) bool { return status == 200 && strings.HasPrefix(body, "admin from ") }, false},
		{"GET", "/graphql", "", []string{"Upgrade", "websocket", "Connection", "Upgrade"}, func(status int, body string) bool { return status == 200 && strings.HasPrefix(body, "admin from ") }, true},
		{"GET", log, "", nil, func(status int, body string) bool { return status == 200 && body == "a log" }, true},
		{"POST", "/auth/sign-out", "", nil, func(status int, _ string) bool { return status == 204 }, false}, // last: it ends the session
	}
	foreign := map[string][]string{
		"another site":              {"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"},
		"another site, old browser": {"Origin", "https://evil.example"},
		"a sibling":                 {"Origin", "http://other.127.0.0.1", "Sec-Fetch-Site", "same-site"},
		"another port":              {"Origin", "http://127.0.0.1:1", "Sec-Fetch-Site", "same-site"},
		"no origin of its own":      {"Origin", "null", "Sec-Fetch-Site", "cross-site"},
		"no word of its origin":     {"Sec-Fetch-Site", "cross-site"},
	}
	for _, p := range paths {
		ask := func(header []string) (int, string) {
			status, body, _ := f.ask(t, p.method, p.path, p.body, append(append([]string{}, p.header...), header...)...)
			return status, body
		}
		for name, from := range foreign {
			if status, body := ask(append([]string{"Cookie", cookie, "X-Belfry-Console", "1"}, from...)); p.good(status, body) {
				t.Errorf("%s %s from %s is answered with %d %q", p.method, p.path, name, status, body)
			}
		}
		if status, body := ask([]string{"Cookie", cookie, "Origin", f.URL}); p.good(status, body) != p.link {
			t.Errorf("%s %s without the console's header is answered with %d %q", p.method, p.path, status, body)
		}
		if status, body := ask(own); !p.good(status, body) {
			t.Errorf("%s %s from the console itself is answered with %d %q", p.method, p.path, status, body)
		}
	}
	for _, path := range []string{"/auth/sign-in", "/auth/link"} {
		for name, from := range foreign {
			status, _, resp := f.ask(t, "POST", path, `{"name":"admin","password":"`+password+`"}`, from...)
			if status != 403 || len(resp.Cookies()) > 0 {
				t.Errorf("%s from %s is answered with %d", path, name, status)
			}
		}
	}
}
