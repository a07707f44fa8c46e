package web

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/oidc"
)

// FlowCookie is the name of the cookie of a browser that is at the identity provider.
const FlowCookie = "belfry_oidc"

// Provider is the identity provider (services/oidc).
type Provider interface {
	Name() string
	Available() bool
	AuthURL(ctx context.Context, f oidc.Flow) (string, error)
	Exchange(ctx context.Context, code string, f oidc.Flow) (oidc.Identity, error)
}

// Bounds of how often one address may go to the provider, as each time leaves a row.
const (
	startsAtOnce = 30
	startEvery   = 2 * time.Second
	startPlaces  = 10_000 // addresses remembered
	longestFrom  = 2000   // characters
)

// external answers the requests of people who come by the identity provider.
type external struct {
	session
	provider Provider
	starts   *pace
}

// start sends a browser to the provider. from is the page to come back to.
func (e external) start(w http.ResponseWriter, r *http.Request) {
	if !e.starts.may(clientAddress(r)) {
		e.back(w, r, "limit")
		return
	}
	f := oidc.NewFlow()
	url, err := e.provider.AuthURL(r.Context(), f)
	if err == nil {
		err = e.accounts.BeginFlow(r.Context(), f.Secret, ownPage(r.URL.Query().Get("from")))
	}
	if err != nil {
		e.fail(w, r, err)
		return
	}
	e.put(w, r, FlowCookie, f.Secret, int(account.FlowLife.Seconds()))
	http.Redirect(w, r, url, http.StatusSeeOther)
}

// callback takes a browser that comes back from the provider.
func (e external) callback(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	cookie, err := r.Cookie(FlowCookie)
	if err != nil || !oidc.FlowOf(cookie.Value).Began(query.Get("state")) {
		e.back(w, r, "failed") // of another browser, or of none
		return
	}
	e.put(w, r, FlowCookie, "", -1)
	returnTo, err := e.accounts.EndFlow(r.Context(), cookie.Value)
	if err == nil && query.Get("error") != "" {
		err = fault.New(fault.Unauthenticated, "%s signed nobody in.", e.provider.Name())
	}
	if err != nil {
		e.fail(w, r, err)
		return
	}
	who, err := e.provider.Exchange(r.Context(), query.Get("code"), oidc.FlowOf(cookie.Value))
	if err != nil {
		e.fail(w, r, err)
		return
	}
	in, err := e.accounts.SignInByIdentity(r.Context(), account.Identity{
		Issuer: who.Issuer, Subject: who.Subject, Label: who.Label, Groups: who.Groups,
	})
	if err != nil {
		e.fail(w, r, err)
		return
	}
	e.open(w, r, in)
	http.Redirect(w, r, ownPage(returnTo), http.StatusSeeOther)
}

// fail leads back to the sign-in page, which says why in the person's language.
func (e external) fail(w http.ResponseWriter, r *http.Request, err error) {
	switch fault.CodeOf(err) {
	case fault.Unavailable:
		e.back(w, r, "unavailable")
	case fault.Forbidden:
		e.back(w, r, "forbidden")
	case fault.Unauthenticated, fault.Conflict:
		e.back(w, r, "failed")
	default:
		e.log.ErrorContext(r.Context(), "a sign-in by the identity provider failed", "error", err)
		e.back(w, r, "failed")
	}
}

func (e external) back(w http.ResponseWriter, r *http.Request, why string) {
	http.Redirect(w, r, "/sign-in?refused="+why, http.StatusSeeOther)
}

// ownPage is an address of the console, and its first page for anything else: a link must
// not lead people elsewhere once they are signed in.
func ownPage(from string) string {
	if len(from) > longestFrom || !strings.HasPrefix(from, "/") || strings.HasPrefix(from, "//") || strings.ContainsAny(from, "\\\r\n\t") {
		return "/"
	}
	return from
}

// pace lets each address do something so often.
type pace struct {
	clock clock.Clock
	mu    sync.Mutex
	spent map[string]time.Time // until when an address is in debt; at most startPlaces
}

func newPace(c clock.Clock) *pace { return &pace{clock: c, spent: map[string]time.Time{}} }

func (p *pace) may(address string) bool {
	now := p.clock.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	until := p.spent[address]
	if until.Before(now) {
		until = now
	}
	if until = until.Add(startEvery); until.Sub(now) > startsAtOnce*startEvery {
		return false
	}
	if len(p.spent) >= startPlaces {
		clear(p.spent) // forgiving everybody is better than growing without end
	}
	p.spent[address] = until
	return true
}
