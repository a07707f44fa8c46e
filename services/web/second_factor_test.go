package web_test

import (
	"encoding/base32"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/totp"
	"github.com/belfry-scheduler/belfry/services/web"
)

// cookieOf answers the value of a cookie that an answer sets; empty without.
func cookieOf(r *http.Response, name string) string {
	for _, c := range r.Cookies() {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}

// asked are the answers of the paths below /auth/.
type asked struct {
	Next, Ticket, Secret string
	QR, RecoveryCodes    []string
}

func (f *front) auth(t *testing.T, path, body string, header ...string) (int, asked, *http.Response) {
	t.Helper()
	status, text, resp := f.ask(t, "POST", path, body, header...)
	var a asked
	if text != "" {
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return status, a, resp
}

// The password alone sets no session where a second factor is demanded: first it is set up,
// later its code is asked for.
func TestSecondFactorByHTTP(t *testing.T) {
	t.Parallel()
	f := startWith(t, "", func(c *account.Config) { c.Box, c.Require = sealed(t), account.RequireAll })
	f.admin(t)
	right := `{"name":"admin","password":"` + password + `"}`
	status, a, resp := f.auth(t, "/auth/sign-in", right)
	if status != 200 || a.Next != "enrol" || a.Ticket == "" || len(a.QR) == 0 || len(resp.Cookies()) != 0 {
		t.Fatalf("%d %+v %v", status, a, resp.Cookies())
	}
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(a.Secret)
	if err != nil {
		t.Fatal(err)
	}
	ticket := a.Ticket
	for name, body := range map[string]string{"a wrong code": `{"ticket":"` + ticket + `","code":"000000"}`, "no ticket": `{"code":"000000"}`} {
		if status, _, resp := f.auth(t, "/auth/second-factor", body); status < 400 || len(resp.Cookies()) != 0 {
			t.Errorf("%s: %d", name, status)
		}
	}
	code := totp.Code(secret, totp.Step(clock.System{}.Now()))
	body := `{"ticket":"` + ticket + `","code":"` + code + `"}`
	if status, _, _ := f.auth(t, "/auth/second-factor", body, "Origin", "http://evil.example"); status != 403 {
		t.Errorf("from another site: %d", status)
	}
	status, a, resp = f.auth(t, "/auth/second-factor", body)
	if status != 200 || len(a.RecoveryCodes) != 10 || cookieOf(resp, web.SessionCookie) == "" {
		t.Fatalf("%d %+v", status, a)
	}
	recovery := a.RecoveryCodes[0]
	status, a, _ = f.auth(t, "/auth/sign-in", right)
	if status != 200 || a.Next != "code" || a.Secret != "" || len(a.QR) != 0 {
		t.Fatalf("%d %+v", status, a)
	}
	status, _, resp = f.auth(t, "/auth/second-factor", `{"ticket":"`+a.Ticket+`","code":"`+recovery+`"}`)
	if status != 204 || cookieOf(resp, web.SessionCookie) == "" {
		t.Errorf("by a recovery code: %d", status)
	}
	link, err := f.accounts.NewLink(t.Context(), "admin")
	if err != nil {
		t.Fatal(err)
	}
	if status, a, resp := f.auth(t, "/auth/link", `{"token":"`+link+`"}`); status != 200 || a.Next != "code" || cookieOf(resp, web.SessionCookie) != "" {
		t.Errorf("a link leads around the second factor: %d %+v", status, a)
	}
	for _, secret := range []string{ticket, code, recovery, link, password} {
		if strings.Contains(f.log.String(), secret) {
			t.Errorf("the log has %q", secret)
		}
	}
}

// A sign-in ends the session that the browser had, and a change of rights changes its id: the
// old one holds for a moment, for what is under way.
func TestSessionIDsRotate(t *testing.T) {
	t.Parallel()
	f := start(t, "")
	f.admin(t)
	right := `{"name":"admin","password":"` + password + `"}`
	_, _, resp := f.auth(t, "/auth/sign-in", right)
	first := cookieOf(resp, web.SessionCookie)
	_, _, resp = f.auth(t, "/auth/sign-in", right, "Cookie", web.SessionCookie+"="+first)
	second := cookieOf(resp, web.SessionCookie)
	who := func(cookie string) (string, string) {
		t.Helper()
		_, body, resp := f.ask(t, "POST", "/graphql", "", "Cookie", web.SessionCookie+"="+cookie, web.ConsoleHeader, "1")
		return strings.SplitN(body, " ", 2)[0], cookieOf(resp, web.SessionCookie)
	}
	if name, _ := who(first); name != "" || first == second {
		t.Error("the session before the sign-in lives on")
	}
	if name, renewed := who(second); name != "admin" || renewed != "" {
		t.Errorf("%q, renewed without a reason: %q", name, renewed)
	}
	users, _, err := f.accounts.Users(t.Context(), account.UserFilter{}, account.Page{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.accounts.UpdateUser(t.Context(), "root", users[0].ID, account.UserUpdate{Role: new(models.RoleAdmin)}); err != nil {
		t.Fatal(err)
	}
	name, third := who(second)
	if name != "admin" || third == "" || third == second {
		t.Fatalf("%q, renewed to %q", name, third)
	}
	if name, again := who(second); name != "admin" || again != "" {
		t.Errorf("the old id within the moment: %q %q", name, again)
	}
	if name, _ := who(third); name != "admin" {
		t.Errorf("the new id is %q", name)
	}
}

// Behind a proxy all have one address: who has signed in with a browser before is not slowed
// down by the failures of others there.
func TestKnownBrowsers(t *testing.T) {
	t.Parallel()
	f := startWith(t, "", func(c *account.Config) { c.Box = sealed(t) })
	f.admin(t)
	right := `{"name":"admin","password":"` + password + `"}`
	_, _, resp := f.auth(t, "/auth/sign-in", right)
	device := cookieOf(resp, web.DeviceCookie)
	for range 60 {
		f.auth(t, "/auth/sign-in", `{"name":"admin","password":"guess"}`)
	}
	if status, _, _ := f.auth(t, "/auth/sign-in", right); status != 429 {
		t.Errorf("an unknown browser at the address: %d", status)
	}
	for name, tt := range map[string]struct {
		cookie string
		status int
	}{"known": {device, 204}, "made up": {"v1.x.y", 429}, "changed": {device[:len(device)-4] + "AAAA", 429}, "long": {strings.Repeat("x", 4000), 429}} {
		if status, _, _ := f.auth(t, "/auth/sign-in", right, "Cookie", web.DeviceCookie+"="+tt.cookie); status != tt.status {
			t.Errorf("a browser that is %s: %d, want %d", name, status, tt.status)
		}
	}
	for range 10 { // nor does it free anybody for other accounts
		if status, _, _ := f.auth(t, "/auth/sign-in", `{"name":"bob","password":"guess"}`, "Cookie", web.DeviceCookie+"="+device); status == 204 {
			t.Fatal("let in")
		}
	}
	if status, _, _ := f.auth(t, "/auth/sign-in", `{"name":"bob","password":"guess"}`, "Cookie", web.DeviceCookie+"="+device); status != 429 {
		t.Errorf("another account with the device: %d", status)
	}
	if status, body, _ := f.ask(t, "GET", "/auth/methods", ""); status != 200 || !strings.Contains(body, `"password":true`) {
		t.Errorf("%d %s", status, body)
	}
}
