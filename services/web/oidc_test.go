package web_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/internal/testissuer"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/oidc"
	"github.com/belfry-scheduler/belfry/services/web"
)

// guest is somebody at the identity provider.
type guest struct {
	*front
	issuer *testissuer.Issuer
}

func newGuest(t *testing.T, change func(*account.Config)) guest {
	t.Helper()
	issuer := testissuer.New(t, clock.System{}.Now)
	provider := oidc.New(oidc.Config{
		Name: "Keycloak", Issuer: issuer.URL, ClientID: testissuer.Client, GroupsClaim: "groups", Redirect: func() string { return "http://belfry.test/auth/oidc/callback" },
		HTTP: issuer.Client(), Clock: clock.System{}, Logger: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(issuer.Client().CloseIdleConnections)
	f := startBy(t, "", func(c *account.Config) {
		c.GroupRoles = []account.GroupRole{{Group: "belfry-admins", Role: models.RoleAdmin}, {Group: "staff", Role: models.RoleViewer}}
		if change != nil {
			change(c)
		}
	}, provider)
	f.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return guest{f, issuer}
}

// go to the provider: the flow's cookie and the address that the provider sends back to.
func (g guest) leave(t *testing.T, from string) (cookie, back string) {
	t.Helper()
	status, _, resp := g.ask(t, "GET", "/auth/oidc/start?from="+from, "")
	if status != 303 {
		t.Fatalf("going to the provider: %d", status)
	}
	code, state := g.issuer.SignIn(t, resp.Header.Get("Location"))
	return web.FlowCookie + "=" + cookieOf(resp, web.FlowCookie), "/auth/oidc/callback?code=" + code + "&state=" + state
}

// come back, and answer where to and with which session.
func (g guest) come(t *testing.T, back string, header ...string) (to, session string) {
	t.Helper()
	status, body, resp := g.ask(t, "GET", back, "", header...)
	if status != 303 {
		t.Fatalf("coming back: %d %s", status, body)
	}
	return resp.Header.Get("Location"), cookieOf(resp, web.SessionCookie)
}

func (g guest) signIn(t *testing.T, claims map[string]any) (to, session string) {
	t.Helper()
	g.issuer.Say("RS256", claims, nil)
	cookie, back := g.leave(t, "/jobs")
	return g.come(t, back, "Cookie", cookie)
}

func TestSignInByTheProvider(t *testing.T) {
	t.Parallel()
	g := newGuest(t, nil)
	g.admin(t)
	to, session := g.signIn(t, map[string]any{"groups": []string{"staff", "belfry-admins"}, "preferred_username": "ada"})
	if to != "/jobs" || session == "" {
		t.Fatalf("to %s with %q", to, session)
	}
	who := func(session string) account.Principal {
		t.Helper()
		p, err := g.accounts.Authenticate(t.Context(), account.Credentials{Cookie: session})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := who(session)
	if first.Name != "ada" || first.Role != models.RoleAdmin {
		t.Errorf("%+v", first)
	}
	_, session = g.signIn(t, map[string]any{"groups": []string{"staff"}, "preferred_username": "another name"})
	if again := who(session); again.UserID != first.UserID || again.Role != models.RoleViewer || again.Name != "ada" {
		t.Errorf("the second time: %+v", again)
	}
	// Somebody else who claims to be the administrator, by name and e-mail, gets an own account.
	_, session = g.signIn(t, map[string]any{"sub": "other", "groups": []string{"staff"}, "preferred_username": "admin", "email": "admin@example.com"})
	if thief := who(session); thief.Name == "admin" || !strings.HasPrefix(thief.Name, "admin-") || thief.Role != models.RoleViewer {
		t.Errorf("an account was taken over: %+v", thief)
	}
	for name, claims := range map[string]map[string]any{
		"no groups": nil, "other groups": {"groups": []string{"guests"}}, "an empty list": {"groups": []string{}},
	} {
		if to, session := g.signIn(t, claims); to != "/sign-in?refused=forbidden" || session != "" {
			t.Errorf("%s: to %s with %q", name, to, session)
		}
	}
	if _, err := g.accounts.UpdateUser(t.Context(), "root", first.UserID, account.UserUpdate{Disabled: new(true)}); err != nil {
		t.Fatal(err)
	}
	if to, session := g.signIn(t, map[string]any{"groups": []string{"staff"}}); to != "/sign-in?refused=forbidden" || session != "" {
		t.Errorf("a disabled account: to %s with %q", to, session)
	}
}

func TestWaysBackThatLeadNowhere(t *testing.T) {
	t.Parallel()
	g := newGuest(t, nil)
	g.issuer.Say("RS256", map[string]any{"groups": []string{"staff"}}, nil)
	const failed = "/sign-in?refused=failed"
	cookie, back := g.leave(t, "//evil.example")
	other, otherBack := g.leave(t, "/jobs")
	for name, tt := range map[string][2]string{"without the cookie": {back, ""}, "another browser's cookie": {back, other}, "no state": {"/auth/oidc/callback?code=x", cookie}} {
		header := []string{}
		if tt[1] != "" {
			header = []string{"Cookie", tt[1]}
		}
		if to, session := g.come(t, tt[0], header...); to != failed || session != "" {
			t.Errorf("%s: to %s with %q", name, to, session)
		}
	}
	if to, session := g.come(t, back, "Cookie", cookie); to != "/" || session == "" {
		t.Errorf("to %s with %q; another site must not be led to", to, session)
	}
	if to, session := g.come(t, back, "Cookie", cookie); to != failed || session != "" {
		t.Errorf("a second time: to %s with %q", to, session)
	}
	if to, session := g.come(t, otherBack+"&error=access_denied", "Cookie", other); to != failed || session != "" {
		t.Errorf("the provider refused: to %s with %q", to, session)
	}
	g.issuer.Say("none", map[string]any{"groups": []string{"staff"}}, nil)
	cookie, back = g.leave(t, "/")
	if to, session := g.come(t, back, "Cookie", cookie); to != failed || session != "" {
		t.Errorf("an unsigned token: to %s with %q", to, session)
	}
	cookie, back = g.leave(t, "/")
	g.issuer.Down(true)
	if to, session := g.come(t, back, "Cookie", cookie); to != "/sign-in?refused=unavailable" || session != "" {
		t.Errorf("the provider is down: to %s with %q", to, session)
	}
	limited := false
	for range 60 {
		_, _, resp := g.ask(t, "GET", "/auth/oidc/start", "")
		limited = limited || resp.Header.Get("Location") == "/sign-in?refused=limit"
	}
	if !limited {
		t.Error("one address may begin without end")
	}
}

// Where passwords are off, they are refused, and a one-time link still lets in.
func TestProviderOnly(t *testing.T) {
	t.Parallel()
	g := newGuest(t, func(c *account.Config) { c.NoPassword = true })
	g.admin(t)
	if status, _, _ := g.auth(t, "/auth/sign-in", `{"name":"admin","password":"`+password+`"}`); status != 403 {
		t.Errorf("by the password: %d", status)
	}
	if status, body, _ := g.ask(t, "GET", "/auth/methods", ""); status != 200 || !strings.Contains(body, `"password":false`) || !strings.Contains(body, `"name":"Keycloak"`) {
		t.Errorf("%d %s", status, body)
	}
	link, err := g.accounts.NewLink(t.Context(), "admin")
	if err != nil {
		t.Fatal(err)
	}
	if status, _, resp := g.auth(t, "/auth/link", `{"token":"`+link+`"}`); status != 200 || cookieOf(resp, web.SessionCookie) == "" {
		t.Errorf("by a link: %d", status)
	}
}
