package account

import (
	"log/slog"
	"reflect"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

const password = "correct horse battery"

// house is an installation with a first administrator.
type house struct {
	*testing.T
	*Service
	clock *testledger.Clock
	store *store.Store
}

func newHouse(t *testing.T) *house {
	t.Helper()
	c := testledger.NewClock(time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC))
	s := testledger.Open(t, c)
	h := &house{T: t, clock: c, store: s, Service: New(Config{Store: s, Clock: c, Logger: slog.New(slog.DiscardHandler)})}
	return h
}

// furnished has the administrator with a password.
func furnished(t *testing.T) *house {
	t.Helper()
	h := newHouse(t)
	link, err := h.EnsureFirstAdmin(t.Context(), password)
	if err != nil || link != "" {
		t.Fatalf("EnsureFirstAdmin = %q, %v", link, err)
	}
	return h
}

// another is a second server on the same ledger.
func (h *house) another() *Service {
	return New(Config{Store: h.store, Clock: h.clock, Logger: slog.New(slog.DiscardHandler)})
}

func (h *house) signIn(address string) SignedIn {
	h.Helper()
	in, err := h.SignIn(h.Context(), FirstAdmin, password, address)
	if err != nil {
		h.Fatal(err)
	}
	return in
}

func (h *house) want(err error, code fault.Code) {
	h.Helper()
	if fault.CodeOf(err) != code {
		h.Errorf("got %v, want %q", err, code)
	}
}

// knows says whether a service lets a cookie in.
func (h *house) knows(s *Service, cookie string) bool {
	h.Helper()
	p, err := s.Authenticate(h.Context(), Credentials{Cookie: cookie})
	if err != nil && !fault.Is(err, fault.Unauthenticated) {
		h.Fatal(err)
	}
	return p.Known()
}

var errAbsent = fault.New(fault.NotFound, "There is no such thing.")

func TestAllow(t *testing.T) {
	t.Parallel()
	roles := []models.Role{0, models.RoleViewer, models.RoleOperator, models.RoleDeveloper, models.RoleAdmin}
	for _, has := range roles {
		for _, needs := range roles[1:] {
			for _, here := range roles { // in the app "here"
				p := Principal{Name: "ada", UserID: "u", Role: has, Apps: map[string]models.Role{"here": here}}
				if has == 0 && here == 0 {
					p = Principal{}
				}
				for what, c := range map[string]struct {
					err error
					may bool
				}{
					"in all apps": {Allow(p, needs), has >= needs},
					"in any app":  {AllowAny(p, needs), max(has, here) >= needs},
					"in its app":  {AllowIn(p, "here", needs, errAbsent), max(has, here) >= needs},
					"elsewhere":   {AllowIn(p, "there", needs, errAbsent), has >= needs},
				} {
					want := fault.Forbidden
					switch {
					case c.may:
						want = ""
					case has == 0 && here == 0:
						want = fault.Unauthenticated
					case has == 0 && what == "elsewhere":
						want = fault.NotFound
					}
					if fault.CodeOf(c.err) != want {
						t.Errorf("%s and %s here, asked for %s %s: %v, want %q", has, here, needs, what, c.err, want)
					}
				}
			}
		}
	}
}

func TestSignInAndOut(t *testing.T) {
	t.Parallel()
	h := furnished(t)
	in := h.signIn("192.0.2.1:1234")
	p, err := h.Authenticate(t.Context(), Credentials{Cookie: in.Secret})
	if err != nil || p.Name != FirstAdmin || p.Role != models.RoleAdmin || p.IsToken || p.UserID == "" {
		t.Fatalf("the principal is %+v, %v", p, err)
	}
	if len(in.Secret) < 43 || p.SessionID == in.Secret {
		t.Error("the secret is short, or stored as it is")
	}
	other := h.another()
	if !h.knows(other, in.Secret) {
		t.Error("another server does not know the session")
	}
	if err := h.SignOut(t.Context(), in.Secret); err != nil {
		t.Fatal(err)
	}
	if h.knows(h.Service, in.Secret) {
		t.Error("the session outlives its end here")
	}
	h.clock.Advance(cacheFor)
	if h.knows(other, in.Secret) {
		t.Error("the session outlives its end on another server by more than a second")
	}
	if err := h.SignOut(t.Context(), in.Secret); err != nil {
		t.Error("signing out twice:", err)
	}
}

func TestWrongCredentials(t *testing.T) {
	t.Parallel()
	h := furnished(t)
	for name, try := range map[string][2]string{
		"password": {FirstAdmin, "wrong horse battery"}, "name": {"nobody", password}, "case": {"Admin", password},
		"empty": {"", ""}, "no password": {FirstAdmin, ""}, "not UTF-8": {"\xff", password}, "quote": {"' OR 1=1 --", password},
	} {
		_, err := h.SignIn(t.Context(), try[0], try[1], "192.0.2."+name)
		if !fault.Is(err, fault.Unauthenticated) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, c := range map[string]Credentials{
		"nothing": {}, "cookie": {Cookie: "x"}, "token": {Bearer: "bfy_x"}, "other prefix": {Bearer: "bfk_x"},
		"long": {Cookie: string(make([]byte, 1000))}, "bad token before a good cookie": {Bearer: "bfy_x", Cookie: h.signIn("192.0.2.9").Secret},
	} {
		p, err := h.Authenticate(t.Context(), c)
		if !fault.Is(err, fault.Unauthenticated) || p.Known() {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	t.Run("idle", func(t *testing.T) {
		t.Parallel()
		h := furnished(t)
		in := h.signIn("192.0.2.1")
		h.clock.Advance(SessionIdle - time.Minute)
		if !h.knows(h.Service, in.Secret) {
			t.Fatal("it ended early")
		}
		h.clock.Advance(SessionIdle - time.Minute) // it was used in between
		if !h.knows(h.Service, in.Secret) {
			t.Fatal("its use did not count")
		}
		h.clock.Advance(SessionIdle)
		if h.knows(h.Service, in.Secret) {
			t.Error("it lives on though it was idle")
		}
	})
	t.Run("absolute", func(t *testing.T) {
		t.Parallel()
		h := furnished(t)
		in := h.signIn("192.0.2.1")
		for h.clock.Now().Add(time.Hour).Before(in.ExpiresAt) {
			h.clock.Advance(time.Hour)
			if !h.knows(h.Service, in.Secret) {
				t.Fatalf("it ended at %v, want %v", h.clock.Now(), in.ExpiresAt)
			}
		}
		h.clock.Advance(in.ExpiresAt.Sub(h.clock.Now()) - time.Microsecond)
		if !h.knows(h.Service, in.Secret) {
			t.Error("it ended a moment early")
		}
		h.clock.Advance(time.Microsecond) // while it is remembered
		if h.knows(h.Service, in.Secret) {
			t.Error("it lives on")
		}
	})
}

func TestUseIsNotedOnceAMinute(t *testing.T) {
	t.Parallel()
	h := furnished(t)
	in := h.signIn("192.0.2.1")
	seen := func() time.Time {
		session, _, err := h.store.Session(t.Context(), hashSecret(in.Secret))
		if err != nil {
			t.Fatal(err)
		}
		return session.LastSeenAt
	}
	start := seen()
	h.clock.Advance(59 * time.Second)
	h.knows(h.Service, in.Secret)
	if !seen().Equal(start) {
		t.Error("noted within the same minute")
	}
	h.clock.Advance(2 * time.Second)
	h.knows(h.Service, in.Secret)
	if !seen().Equal(h.clock.Now()) {
		t.Errorf("noted at %v, now is %v", seen(), h.clock.Now())
	}
}

func TestNewPasswordEndsAllSessions(t *testing.T) {
	t.Parallel()
	h := furnished(t)
	here, there := h.signIn("192.0.2.1"), h.signIn("192.0.2.2")
	other := h.another()
	h.knows(other, there.Secret)
	p, err := h.Authenticate(t.Context(), Credentials{Cookie: here.Secret})
	if err != nil {
		t.Fatal(err)
	}
	change := func(current, fresh *string) error {
		_, err := h.UpdateViewer(t.Context(), p, ViewerUpdate{CurrentPassword: current, NewPassword: fresh}, "192.0.2.1")
		return err
	}
	h.want(change(nil, new("a new one, long")), fault.Required)
	h.want(change(new("wrong"), new("a new one, long")), fault.Invalid)
	h.want(change(new(password), new("short")), fault.Invalid)
	h.want(change(new(password), new(string(make([]rune, 201)))), fault.Invalid)
	if err := change(new(password), new("дванадцять 😀")); err != nil {
		t.Fatal(err)
	}
	h.clock.Advance(cacheFor)
	if h.knows(h.Service, here.Secret) || h.knows(other, there.Secret) {
		t.Error("a session outlives the password it was opened with")
	}
	_, err = h.SignIn(t.Context(), FirstAdmin, password, "192.0.2.1")
	h.want(err, fault.Unauthenticated)
	if _, err := h.SignIn(t.Context(), FirstAdmin, "дванадцять 😀", "192.0.2.1"); err != nil {
		t.Error("the new password:", err)
	}
}

func TestUpdateViewer(t *testing.T) {
	t.Parallel()
	h := furnished(t)
	p, err := h.Authenticate(t.Context(), Credentials{Cookie: h.signIn("192.0.2.1").Secret})
	if err != nil {
		t.Fatal(err)
	}
	after, err := h.UpdateViewer(t.Context(), p, ViewerUpdate{Locale: new("zh-CN"), TimeZone: new("Asia/Shanghai")}, "")
	if err != nil || after.Locale != "zh-CN" || after.TimeZone != "Asia/Shanghai" || after.SessionID != p.SessionID {
		t.Errorf("%+v, %v", after, err)
	}
	same, err := h.UpdateViewer(t.Context(), after, ViewerUpdate{}, "")
	if err != nil || !reflect.DeepEqual(same, after) {
		t.Errorf("an empty change: %+v, %v", same, err)
	}
	_, err = h.UpdateViewer(t.Context(), p, ViewerUpdate{Locale: new("fr"), TimeZone: new("Mars/Base"), NewPassword: new("x")}, "")
	if got := fault.All(err); len(got) != 3 {
		t.Errorf("%d faults, want three at once: %v", len(got), err)
	}
	_, err = h.UpdateViewer(t.Context(), Principal{Name: "bot", Role: models.RoleAdmin, IsToken: true}, ViewerUpdate{Locale: new("en")}, "")
	h.want(err, fault.Forbidden)
	for _, zone := range []string{"UTC", "browser"} {
		if _, err := h.UpdateViewer(t.Context(), p, ViewerUpdate{TimeZone: &zone}, ""); err != nil {
			t.Errorf("%s: %v", zone, err)
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	h := furnished(t)
	secret, token, err := h.CreateToken(t.Context(), FirstAdmin, NewToken{Name: "report", Role: models.RoleViewer, Life: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if token.Hash == secret || token.Prefix != secret[:12] || secret[:4] != "bfy_" {
		t.Errorf("the token %q is kept as %+v", secret, token)
	}
	other := h.another()
	for _, s := range []*Service{h.Service, other} {
		p, err := s.Authenticate(t.Context(), Credentials{Bearer: secret})
		if err != nil || p.Name != "report" || !p.IsToken || p.Role != models.RoleViewer || p.UserID != "" {
			t.Errorf("%+v, %v", p, err)
		}
	}
	if _, err := h.RevokeToken(t.Context(), FirstAdmin, token.ID); err != nil {
		t.Fatal(err)
	}
	_, err = h.Authenticate(t.Context(), Credentials{Bearer: secret})
	h.want(err, fault.Unauthenticated)
	h.clock.Advance(cacheFor)
	_, err = other.Authenticate(t.Context(), Credentials{Bearer: secret})
	h.want(err, fault.Unauthenticated)
}

func TestTokensExpire(t *testing.T) {
	t.Parallel()
	h := furnished(t)
	short, _, err := h.CreateToken(t.Context(), FirstAdmin, NewToken{Name: "short", Role: models.RoleViewer, Life: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	endless, _, err := h.CreateToken(t.Context(), FirstAdmin, NewToken{Name: "endless", Role: models.RoleAdmin})
	if err != nil {
		t.Fatal(err)
	}
	h.clock.Advance(time.Minute - time.Microsecond)
	if _, err := h.Authenticate(t.Context(), Credentials{Bearer: short}); err != nil {
		t.Error("it ended early:", err)
	}
	h.clock.Advance(time.Microsecond)
	_, err = h.Authenticate(t.Context(), Credentials{Bearer: short})
	h.want(err, fault.Unauthenticated)
	h.clock.Advance(10 * 365 * 24 * time.Hour)
	if _, err := h.Authenticate(t.Context(), Credentials{Bearer: endless}); err != nil {
		t.Error(err)
	}
}

func TestTokenRefusals(t *testing.T) {
	t.Parallel()
	h := furnished(t)
	_, _, err := h.CreateToken(t.Context(), FirstAdmin, NewToken{Name: " ", Role: 9, Life: -time.Hour})
	if got := fault.All(err); len(got) != 3 {
		t.Errorf("%d faults, want three at once: %v", len(got), err)
	}
	_, err = h.RevokeToken(t.Context(), FirstAdmin, "01NONE")
	h.want(err, fault.NotFound)
}

func TestFirstAdminByLink(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	first, err := h.EnsureFirstAdmin(t.Context(), "")
	if err != nil || first == "" {
		t.Fatalf("%q, %v", first, err)
	}
	second, err := h.another().EnsureFirstAdmin(t.Context(), "") // a restart before anybody came
	if err != nil || second == "" || second == first {
		t.Fatalf("%q, %v", second, err)
	}
	asked, err := h.RedeemLink(t.Context(), first, "", "192.0.2.1")
	if err != nil || !asked.NeedsPassword || asked.Name != FirstAdmin || asked.SignedIn.Secret != "" {
		t.Fatalf("%+v, %v", asked, err)
	}
	_, err = h.RedeemLink(t.Context(), first, "short", "192.0.2.1")
	h.want(err, fault.Invalid)
	in, err := h.RedeemLink(t.Context(), first, password, "192.0.2.1")
	if err != nil || !h.knows(h.Service, in.SignedIn.Secret) {
		t.Fatalf("%+v, %v", in, err)
	}
	_, err = h.RedeemLink(t.Context(), first, password, "192.0.2.1")
	h.want(err, fault.Unauthenticated)
	// The other link still signs in, but takes no password any more.
	again, err := h.RedeemLink(t.Context(), second, "another password", "192.0.2.1")
	if err != nil || again.NeedsPassword {
		t.Fatalf("%+v, %v", again, err)
	}
	h.signIn("192.0.2.1")
	for _, given := range []string{"", "another password"} { // later starts change nothing
		link, err := h.EnsureFirstAdmin(t.Context(), given)
		if err != nil || link != "" {
			t.Errorf("%q, %v", link, err)
		}
	}
	h.signIn("192.0.2.1")
}

func TestFirstAdminWhoGetsThePasswordLater(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	if _, err := h.EnsureFirstAdmin(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	_, err := h.EnsureFirstAdmin(t.Context(), "short")
	h.want(err, fault.Invalid)
	link, err := h.EnsureFirstAdmin(t.Context(), password)
	if err != nil || link != "" {
		t.Fatalf("%q, %v", link, err)
	}
	h.signIn("192.0.2.1")
}

func TestLinks(t *testing.T) {
	t.Parallel()
	h := furnished(t)
	link, err := h.NewLink(t.Context(), FirstAdmin)
	if err != nil {
		t.Fatal(err)
	}
	in, err := h.RedeemLink(t.Context(), link, "", "192.0.2.1")
	if err != nil || !h.knows(h.Service, in.SignedIn.Secret) {
		t.Fatalf("%+v, %v", in, err)
	}
	late, err := h.NewLink(t.Context(), FirstAdmin)
	if err != nil {
		t.Fatal(err)
	}
	h.clock.Advance(LinkLife)
	for _, dead := range []string{link, late, "", "nonsense", string(make([]byte, 500))} {
		_, err := h.RedeemLink(t.Context(), dead, "", "192.0.2.7")
		h.want(err, fault.Unauthenticated)
	}
	_, err = h.RedeemLink(t.Context(), "nonsense", "", "192.0.2.7")
	h.want(err, fault.Limit) // guessing is slowed down
	_, err = h.NewLink(t.Context(), "nobody")
	h.want(err, fault.NotFound)
}

func TestResetPassword(t *testing.T) {
	t.Parallel()
	h := furnished(t)
	in := h.signIn("192.0.2.1")
	link, err := h.ResetPassword(t.Context(), FirstAdmin)
	if err != nil {
		t.Fatal(err)
	}
	h.clock.Advance(cacheFor)
	if h.knows(h.Service, in.Secret) {
		t.Error("a session outlives the reset")
	}
	_, err = h.SignIn(t.Context(), FirstAdmin, "", "192.0.2.1")
	h.want(err, fault.Unauthenticated)
	again, err := h.RedeemLink(t.Context(), link, "an entirely new one", "192.0.2.1")
	if err != nil || again.SignedIn.Secret == "" {
		t.Fatalf("%+v, %v", again, err)
	}
	_, err = h.ResetPassword(t.Context(), "nobody")
	h.want(err, fault.NotFound)
}
