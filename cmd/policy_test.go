package cmd

import (
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// policyOf reads a content security policy: sources by directive.
func policyOf(t *testing.T, text string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for part := range strings.SplitSeq(text, ";") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		if all[words[0]] != nil {
			t.Errorf("%s stands twice", words[0])
		}
		all[words[0]] = words[1:]
	}
	return all
}

var (
	scripts  = regexp.MustCompile(`(?is)<script([^>]*)>(.*?)</script>`)
	source   = regexp.MustCompile(`\ssrc="([^"]*)"`)
	handlers = regexp.MustCompile(`(?i)<[^>]*\son[a-z]+\s*=`)
	links    = regexp.MustCompile(`(?i)(?:href|src|action)="([^"]*)"`)
)

// checkPage looks for what the policy would not let run: scripts of its own text, handlers
// in attributes, and anything from another place.
func checkPage(t *testing.T, name, page string) {
	t.Helper()
	for _, s := range scripts.FindAllStringSubmatch(page, -1) {
		if from := source.FindStringSubmatch(s[1]); from == nil || strings.TrimSpace(s[2]) != "" {
			t.Errorf("%s has an inline script: %.100s", name, s[0])
		}
	}
	if h := handlers.FindString(page); h != "" {
		t.Errorf("%s has a handler in an attribute: %s", name, h)
	}
	for _, l := range links.FindAllStringSubmatch(page, -1) {
		if !strings.HasPrefix(l[1], "/") || strings.HasPrefix(l[1], "//") {
			t.Errorf("%s loads %s", name, l[1])
		}
	}
}

// The page that the server sends keeps to the policy that it sends with it.
func TestTheConsoleKeepsToItsPolicy(t *testing.T) {
	p := newPlant(t)
	get := func(path string) (string, http.Header) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", "text/html")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body), resp.Header
	}
	for _, path := range []string{"/", "/jobs/x", "/auth/nothing", "/graphql", "/download/x", "/metrics", "/healthz", "/worker/v1/nothing"} {
		body, header := get(path)
		policy := policyOf(t, header.Get("Content-Security-Policy"))
		self := []string{"'self'"}
		none := []string{"'none'"}
		for directive, want := range map[string][]string{
			"default-src": self, "script-src": self, "object-src": none, "base-uri": none, "form-action": self, "frame-ancestors": none,
		} {
			if !slices.Equal(policy[directive], want) {
				t.Errorf("%s: %s is %v, want %v", path, directive, policy[directive], want)
			}
		}
		for directive, sources := range policy {
			for _, s := range sources {
				if s == "*" || s == "'unsafe-eval'" || s == "http:" || s == "https:" || s == "'unsafe-inline'" && directive != "style-src" || s == "data:" && directive != "img-src" {
					t.Errorf("%s: %s allows %s", path, directive, s)
				}
			}
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		if strings.Contains(body, "<html") {
			checkPage(t, path, body)
		}
	}
	page, err := os.ReadFile("../console/index.html")
	if err != nil {
		t.Fatal(err)
	}
	checkPage(t, "console/index.html", string(page))
}
