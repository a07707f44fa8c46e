package account

import (
	"encoding/base32"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/seal"
	"github.com/belfry-scheduler/belfry/services/totp"
)

const (
	keyOne = secret.Text("0123456789abcdef0123456789abcdef")
	keyTwo = secret.Text("fedcba9876543210fedcba9876543210")
)

func newBox(t *testing.T, ring ...secret.Text) *seal.Box {
	t.Helper()
	box, err := seal.New(ring...)
	if err != nil {
		t.Fatal(err)
	}
	return box
}

// guarded is a house where secrets can be sealed and somebody must have a second factor.
func guarded(t *testing.T, require Require) *house {
	t.Helper()
	c := testledger.NewClock(time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC))
	s := testledger.Open(t, c)
	h := &house{T: t, clock: c, store: s, Service: New(Config{
		Store: s, Clock: c, Logger: slog.New(slog.DiscardHandler), Box: newBox(t, keyOne), Require: require,
	})}
	if _, err := h.EnsureFirstAdmin(t.Context(), password); err != nil {
		t.Fatal(err)
	}
	return h
}

// phone is an authenticator app.
type phone struct {
	*house
	secret []byte
}

func (h *house) scan(text string) phone {
	h.Helper()
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(text)
	if err != nil {
		h.Fatal(err)
	}
	return phone{h, raw}
}

// code is what the phone shows now, or so many periods away.
func (p phone) code(away int64) string { return totp.Code(p.secret, totp.Step(p.clock.Now())+away) }

// equip gives the administrator a second factor and answers the phone, the recovery codes
// and the session that stays.
func (h *house) equip() (phone, []string, SignedIn) {
	h.Helper()
	in := h.signIn("192.0.2.1")
	begun, err := h.BeginSecondFactor(h.Context(), in.Principal, password, "192.0.2.1")
	if err != nil {
		h.Fatal(err)
	}
	p := h.scan(begun.Secret)
	codes, err := h.ConfirmSecondFactor(h.Context(), in.Principal, p.code(0))
	if err != nil {
		h.Fatal(err)
	}
	return p, codes, in
}

// ticket gives the password and answers what is asked for next.
func (h *house) ticket() string {
	h.Helper()
	in := h.signIn("192.0.2.1")
	if in.Next != NextCode || in.Secret != "" || in.Ticket == "" {
		h.Fatalf("after the password: %+v", in)
	}
	return in.Ticket
}

func (h *house) finish(ticket, code string) (SignedIn, error) {
	return h.FinishSignIn(h.Context(), ticket, code, "192.0.2.1")
}

// actions answers what was done to an account.
func (h *house) actions(userID string) string {
	h.Helper()
	rows, err := h.store.UserAudits(h.Context(), userID)
	if err != nil {
		h.Fatal(err)
	}
	var all []string
	for i := range rows {
		all = append(all, rows[i].Action)
	}
	return strings.Join(all, " ")
}

// Setting up ends the other sessions, and the next sign-in asks for a code after the password.
func TestSecondFactor(t *testing.T) {
	t.Parallel()
	h := guarded(t, RequireNobody)
	elsewhere := h.signIn("192.0.2.9")
	p, codes, in := h.equip()
	if len(codes) != recoveryCodes {
		t.Errorf("%d recovery codes", len(codes))
	}
	if h.knows(h.Service, elsewhere.Secret) || !h.knows(h.Service, in.Secret) {
		t.Error("the sessions: the other one lives on, or this one ended")
	}
	state, err := h.SecondFactor(t.Context(), in.Principal)
	if err != nil || state.Since == nil || state.RecoveryCodesLeft != recoveryCodes || state.Required || !state.Available {
		t.Errorf("%+v, %v", state, err)
	}
	users, _, err := h.Users(t.Context(), UserFilter{}, Page{})
	if err != nil || !users[0].HasSecondFactor {
		t.Errorf("%+v, %v", users, err)
	}
	ticket := h.ticket()
	if h.knows(h.Service, ticket) {
		t.Error("the ticket is a session")
	}
	h.clock.Advance(time.Minute)
	_, err = h.finish(ticket, "000000")
	h.want(err, fault.Invalid)
	done, err := h.finish(ticket, p.code(0)[:3]+" "+p.code(0)[3:])
	if err != nil || !h.knows(h.Service, done.Secret) {
		t.Fatalf("%+v, %v", done, err)
	}
	_, err = h.finish(ticket, p.code(1))
	h.want(err, fault.Unauthenticated) // used up
	if got := h.actions(in.Principal.UserID); !strings.Contains(got, "user.second_factor.add") {
		t.Errorf("audit: %s", got)
	}
}

// A code holds one period to either side, and once, whatever comes at the same time.
func TestCodesHoldOnceAndNearby(t *testing.T) {
	t.Parallel()
	h := guarded(t, RequireNobody)
	p, _, _ := h.equip()
	for _, tt := range []struct {
		away int64
		ok   bool
	}{{-2, false}, {2, false}, {-1, true}, {0, true}, {1, true}} {
		h.clock.Advance(10 * totp.Period)
		_, err := h.finish(h.ticket(), p.code(tt.away))
		if (err == nil) != tt.ok {
			t.Errorf("a code of %d periods away: %v", tt.away, err)
		}
	}
	h.clock.Advance(10 * totp.Period)
	code := p.code(0)
	if _, err := h.finish(h.ticket(), code); err != nil {
		t.Fatal(err)
	}
	_, err := h.finish(h.ticket(), code)
	h.want(err, fault.Invalid)
	_, err = h.finish(h.ticket(), p.code(-1)) // older than the one used
	h.want(err, fault.Invalid)
	h.clock.Advance(10 * totp.Period)

	tickets := make([]string, 8)
	for i := range tickets {
		tickets[i] = h.ticket()
	}
	var wg sync.WaitGroup
	errs := make([]error, len(tickets))
	for i, s := range []*Service{h.Service, h.sibling()} {
		for n := range 4 {
			at := 4*i + n
			wg.Go(func() { _, errs[at] = s.FinishSignIn(t.Context(), tickets[at], p.code(0), "192.0.2.1") })
		}
	}
	wg.Wait()
	won := 0
	for _, err := range errs {
		switch {
		case err == nil:
			won++
		case !fault.Is(err, fault.Invalid) && !fault.Is(err, fault.Limit):
			t.Error(err)
		}
	}
	if won != 1 {
		t.Errorf("one code let %d in", won)
	}
}

// sibling is a second server with the same key.
func (h *house) sibling() *Service {
	c := h.c
	return New(c)
}

// Guessing is slowed down on all servers together; the owner gets in by a recovery code all
// the same, and strangers without the password never come so far.
func TestGuessingCodes(t *testing.T) {
	t.Parallel()
	h := guarded(t, RequireNobody)
	p, codes, _ := h.equip()
	h.clock.Advance(time.Minute)
	other := h.sibling()
	for n := range freeCodes {
		s := []*Service{h.Service, other}[n%2]
		_, err := s.FinishSignIn(t.Context(), h.ticket(), "000000", "192.0.2.7")
		h.want(err, fault.Invalid)
	}
	_, err := other.FinishSignIn(t.Context(), h.ticket(), p.code(0), "192.0.2.8")
	h.want(err, fault.Limit)
	in, err := h.finish(h.ticket(), strings.ToUpper(codes[3]))
	if err != nil || !h.knows(h.Service, in.Secret) {
		t.Fatalf("a recovery code while the other way is slowed down: %v", err)
	}
	if _, err := h.finish(h.ticket(), p.code(0)); err != nil {
		t.Error("after a success:", err)
	}
	for range 40 { // strangers guess passwords
		_, _ = h.SignIn(t.Context(), FirstAdmin, "guess", "203.0.113.9")
	}
	h.clock.Advance(time.Minute)
	if _, err := h.finish(h.ticket(), p.code(0)); err != nil {
		t.Error("strangers slowed the owner down:", err)
	}
	for n := range 30 {
		h.clock.Advance(longestCodeWait)
		if _, err := h.finish(h.ticket(), "000000"); !fault.Is(err, fault.Invalid) {
			t.Fatalf("try %d: %v", n, err)
		}
	}
	_, err = h.finish(h.ticket(), p.code(0))
	h.want(err, fault.Limit)
	h.clock.Advance(longestCodeWait)
	if _, err := h.finish(h.ticket(), p.code(0)); err != nil {
		t.Error("the wait is without end:", err)
	}
}

func TestRecoveryCodes(t *testing.T) {
	t.Parallel()
	h := guarded(t, RequireNobody)
	_, codes, in := h.equip()
	if _, err := h.finish(h.ticket(), strings.ReplaceAll(codes[0], "-", " ")); err != nil {
		t.Fatal(err)
	}
	_, err := h.finish(h.ticket(), codes[0])
	h.want(err, fault.Invalid)
	if state, err := h.SecondFactor(t.Context(), in.Principal); err != nil || state.RecoveryCodesLeft != recoveryCodes-1 {
		t.Errorf("%+v, %v", state, err)
	}
	if got := h.actions(in.Principal.UserID); !strings.Contains(got, "user.recovery_code") {
		t.Errorf("audit: %s", got)
	}
	_, err = h.RenewRecoveryCodes(t.Context(), in.Principal, "wrong", "192.0.2.1")
	h.want(err, fault.Invalid)
	fresh, err := h.RenewRecoveryCodes(t.Context(), in.Principal, password, "192.0.2.1")
	if err != nil || len(fresh) != recoveryCodes {
		t.Fatal(fresh, err)
	}
	_, err = h.finish(h.ticket(), codes[1])
	h.want(err, fault.Invalid)
	if _, err := h.finish(h.ticket(), fresh[0]); err != nil {
		t.Error(err)
	}
	// Several at once: it holds once.
	tickets := []string{h.ticket(), h.ticket(), h.ticket(), h.ticket()}
	errs := make([]error, len(tickets))
	var wg sync.WaitGroup
	for i := range tickets {
		wg.Go(func() { _, errs[i] = h.finish(tickets[i], fresh[1]) })
	}
	wg.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		}
	}
	if won != 1 {
		t.Errorf("one recovery code let %d in: %v", won, errs)
	}
}

func TestTicketsEnd(t *testing.T) {
	t.Parallel()
	h := guarded(t, RequireNobody)
	p, _, in := h.equip()
	ticket := h.ticket()
	h.clock.Advance(StepLife)
	for _, dead := range []string{ticket, "", "nonsense", strings.Repeat("x", 500)} {
		_, err := h.finish(dead, p.code(0))
		h.want(err, fault.Unauthenticated)
	}
	ticket = h.ticket()
	if _, _, err := h.ResetUser(t.Context(), "root", in.Principal.UserID); err != nil {
		t.Fatal(err)
	}
	_, err := h.finish(ticket, p.code(0))
	h.want(err, fault.Unauthenticated) // the password that led to it is gone
}

// Setting up, removing and resetting: by whom, with what, and what stays.
func TestChangingTheSecondFactor(t *testing.T) {
	t.Parallel()
	h := guarded(t, RequireNobody)
	token := Principal{Name: "bot", TokenID: "t", IsToken: true, Role: models.RoleAdmin}
	first := h.signIn("192.0.2.1").Principal
	for name, err := range map[string]error{
		"a token":    second(h.BeginSecondFactor(t.Context(), token, password, "")),
		"no token":   second(h.ConfirmSecondFactor(t.Context(), token, "123456")),
		"its own":    second(h.ResetSecondFactor(t.Context(), first, first.UserID)),
		"by a token": h.RemoveSecondFactor(t.Context(), token, password, ""),
	} {
		if !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
	h.want(second(h.BeginSecondFactor(t.Context(), first, "", "")), fault.Required)
	h.want(second(h.BeginSecondFactor(t.Context(), first, "wrong", "192.0.2.1")), fault.Invalid)
	h.want(second(h.ConfirmSecondFactor(t.Context(), first, "123456")), fault.Conflict)
	h.want(h.RemoveSecondFactor(t.Context(), first, password, "192.0.2.1"), fault.NotFound)
	begun, err := h.BeginSecondFactor(t.Context(), first, password, "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	h.want(second(h.ConfirmSecondFactor(t.Context(), first, "000000")), fault.Invalid)
	if in := h.signIn("192.0.2.1"); in.Next != NextNothing {
		t.Error("one that is not confirmed is asked for")
	}
	if _, err := h.ConfirmSecondFactor(t.Context(), first, h.scan(begun.Secret).code(0)); err != nil {
		t.Fatal(err)
	}
	h.want(second(h.BeginSecondFactor(t.Context(), first, password, "192.0.2.1")), fault.Conflict)
	h.want(h.RemoveSecondFactor(t.Context(), first, "wrong", "192.0.2.1"), fault.Invalid)
	if err := h.RemoveSecondFactor(t.Context(), first, password, "192.0.2.1"); err != nil {
		t.Fatal(err)
	}
	if in := h.signIn("192.0.2.1"); in.Next != NextNothing {
		t.Error("one that was removed is asked for")
	}
	_, _, in := h.equip()
	other := Principal{Name: "root", UserID: "01OTHER", Role: models.RoleAdmin}
	reset, err := h.ResetSecondFactor(t.Context(), other, in.Principal.UserID)
	if err != nil || reset.HasSecondFactor || h.knows(h.Service, in.Secret) {
		t.Errorf("%+v, %v, or it is still signed in", reset, err)
	}
	h.want(second(h.ResetSecondFactor(t.Context(), other, in.Principal.UserID)), fault.NotFound)
	got := h.actions(in.Principal.UserID)
	for action, times := range map[string]int{"user.second_factor.add": 2, "user.second_factor.remove": 1, "user.second_factor.reset": 1} {
		if strings.Count(got, action) != times {
			t.Errorf("audit: %s, want %s %d times", got, action, times)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Where a second factor is demanded, signing in leads to setting it up, and sessions without
// one are over.
func TestSecondFactorIsDemanded(t *testing.T) {
	t.Parallel()
	free := guarded(t, RequireNobody)
	before := free.signIn("192.0.2.1")
	h := *free
	c := free.c
	c.Require = RequireAdmins
	h.Service = New(c)
	if h.knows(h.Service, before.Secret) {
		t.Error("a session without a second factor lives on")
	}
	in := h.signIn("192.0.2.1")
	if in.Next != NextEnrol || in.Secret != "" || in.Enrolment == nil || !strings.HasPrefix(in.Enrolment.URI, "otpauth://totp/Belfry:admin?secret="+in.Enrolment.Secret) {
		t.Fatalf("%+v", in)
	}
	_, err := h.finish(in.Ticket, "000000")
	h.want(err, fault.Invalid)
	done, err := h.finish(in.Ticket, h.scan(in.Enrolment.Secret).code(0))
	if err != nil || len(done.RecoveryCodes) != recoveryCodes || !h.knows(h.Service, done.Secret) {
		t.Fatalf("%+v, %v", done, err)
	}
	shop := h.app("shop")
	_, link, err := h.CreateUser(t.Context(), FirstAdmin, NewUser{Name: "ada", Apps: []models.AppRole{{AppID: shop, Role: models.RoleDeveloper}}})
	if err != nil {
		t.Fatal(err)
	}
	ada, err := h.RedeemLink(t.Context(), link, password, "192.0.2.1")
	if err != nil || ada.SignedIn.Next != NextNothing || !h.knows(h.Service, ada.SignedIn.Secret) {
		t.Fatalf("who administers nothing: %+v, %v", ada, err)
	}
	apps := []models.AppRole{{AppID: shop, Role: models.RoleAdmin}}
	if _, err := h.UpdateUser(t.Context(), FirstAdmin, ada.SignedIn.Principal.UserID, UserUpdate{Apps: &apps}); err != nil {
		t.Fatal(err)
	}
	if h.knows(h.Service, ada.SignedIn.Secret) {
		t.Error("who became an administrator of an app needs no second factor")
	}
	again, err := h.NewLink(t.Context(), "ada")
	if err != nil {
		t.Fatal(err)
	}
	if by, err := h.RedeemLink(t.Context(), again, "", "192.0.2.1"); err != nil || by.SignedIn.Next != NextEnrol {
		t.Errorf("a link leads around it: %+v, %v", by, err)
	}
	if err := h.RemoveSecondFactor(t.Context(), done.Principal, password, "192.0.2.1"); err != nil {
		t.Fatal(err)
	}
	if h.knows(h.Service, done.Secret) {
		t.Error("it can be removed for good")
	}
}

// The secret is sealed, follows a change of keys, and without a key none can be set up.
func TestSecretsOfSecondFactors(t *testing.T) {
	t.Parallel()
	h := guarded(t, RequireNobody)
	p, codes, in := h.equip()
	id := in.Principal.UserID
	f, err := h.store.SecondFactor(t.Context(), id)
	if err != nil || strings.Contains(f.Secret, totp.Text(p.secret)) || !strings.HasPrefix(f.Secret, "v1.") {
		t.Fatalf("it is kept as %q, %v", f.Secret, err)
	}
	for _, code := range codes {
		if hash, ok := recoveryHash(id, code); !ok || strings.Contains(hash, code) || second(h.RenewRecoveryCodes(t.Context(), in.Principal, "", "")) == nil {
			t.Errorf("%q is no recovery code", code)
		}
	}
	c := h.c
	c.Box = newBox(t, keyTwo, keyOne)
	h.Service = New(c)
	h.clock.Advance(time.Minute)
	if _, err := h.finish(h.ticket(), p.code(0)); err != nil { // seals it anew by the way
		t.Fatal(err)
	}
	if n, err := newBox(t, keyTwo, keyOne).Look(t.Context(), h.store, models.SealedFactors); err != nil || n.Left != 0 {
		t.Errorf("left with the old key: %+v, %v", n, err)
	}
	back := newBox(t, keyOne, keyTwo)
	if _, err := back.Rotate(t.Context(), h.store, func(seal.Count) {}); err != nil {
		t.Error(err)
	}
	if n, err := back.Look(t.Context(), h.store, models.SealedFactors); err != nil || n.All != 1 || n.Left != 0 {
		t.Errorf("after the rotation: %+v, %v", n, err)
	}
	c.Box = newBox(t, keyTwo)
	h.Service = New(c)
	h.clock.Advance(time.Minute)
	_, err = h.finish(h.ticket(), p.code(0))
	h.want(err, fault.Unavailable)
	c.Box = nil
	h.Service = New(c)
	_, err = h.finish(h.ticket(), p.code(0))
	h.want(err, fault.Unsupported)
	if state, err := h.SecondFactor(t.Context(), in.Principal); err != nil || state.Available {
		t.Errorf("%+v, %v", state, err)
	}
}
