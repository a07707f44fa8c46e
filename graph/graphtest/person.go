package graphtest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/web"
)

// Person is somebody who has signed in by the console, with a cookie.
type Person struct {
	b      *Bench
	cookie *http.Cookie
}

// Person signs the first administrator in with a password, which it gets.
func (b *Bench) Person(t testing.TB, password string) *Person {
	t.Helper()
	if _, err := b.Accounts.EnsureFirstAdmin(t.Context(), password); err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(map[string]string{"name": account.FirstAdmin, "password": password})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.URL+"/auth/sign-in", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	for _, cookie := range resp.Cookies() {
		if cookie.Name == web.SessionCookie && resp.StatusCode == http.StatusNoContent {
			return &Person{b: b, cookie: cookie}
		}
	}
	t.Fatalf("signing in: status %d, cookies %v", resp.StatusCode, resp.Cookies())
	return nil
}

// Header is what the console sends: the cookie, its own header and its origin.
func (p *Person) Header() http.Header {
	return http.Header{
		"Content-Type": {"application/json"}, "Cookie": {p.cookie.Name + "=" + p.cookie.Value},
		"X-Belfry-Console": {"1"}, "Origin": {p.b.URL}, "Sec-Fetch-Site": {"same-origin"},
	}
}

// Do posts an operation as the console does.
func (p *Person) Do(t testing.TB, text string, vars Vars) Answer {
	t.Helper()
	note(text)
	return p.b.Post(t, map[string]any{"query": text, "variables": vars}, p.Header())
}

// Value is Bench.Value for this person.
func (p *Person) Value(t testing.TB, path, text string, vars Vars) any {
	t.Helper()
	a := p.Do(t, text, vars)
	var data any
	if err := json.Unmarshal(a.Data, &data); err != nil || len(a.Errors) > 0 {
		t.Fatalf("%s\nstatus %d, errors %+v, %v", text, a.Status, a.Errors, err)
	}
	return At(t, data, path)
}

// SignOut ends the session.
func (p *Person) SignOut(t testing.TB) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.b.URL+"/auth/sign-out", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = p.Header()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent {
		t.Fatalf("signing out: status %d", resp.StatusCode)
	}
}
