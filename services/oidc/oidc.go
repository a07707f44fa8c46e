// Package oidc speaks with an identity provider by OpenID Connect: the authorization code
// flow with PKCE, state and nonce. It answers who has signed in there and knows neither
// accounts nor cookies.
package oidc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/fault"
)

const (
	callTimeout = 10 * time.Second // of one conversation with the provider
	retryFirst  = time.Second      // after the provider could not be reached, doubled up to
	retryMost   = time.Minute
	lookAgain   = 10 * time.Minute // how often a reachable provider is asked who it is
	longestCode = 4096             // characters of an authorization code
)

// algorithms are those that sign tokens here: with a key pair, never with the shared secret
// and never not at all.
var algorithms = map[string]bool{
	oidc.RS256: true, oidc.RS384: true, oidc.RS512: true, oidc.PS256: true, oidc.PS384: true, oidc.PS512: true,
	oidc.ES256: true, oidc.ES384: true, oidc.ES512: true, oidc.EdDSA: true,
}

// Config is what a provider needs.
type Config struct {
	Name         string // what people call it
	Issuer       string // its address, exactly as it names itself
	ClientID     string
	ClientSecret secret.Text // empty for a public client
	Scopes       []string    // beside openid
	GroupsClaim  string      // a claim of the token, or a path into one with dots
	Redirect     func() string
	HTTP         *http.Client
	Clock        clock.Clock
	Logger       *slog.Logger
}

// Identity is who has signed in at the provider. Issuer and Subject together name the person
// for ever; Label is only for people.
type Identity struct {
	Issuer, Subject string
	Label           string
	Groups          []string
	HasGroups       bool // the claim was there, if empty
}

// Provider is one identity provider. Its zero state is unreachable until Start.
type Provider struct {
	c Config

	mu       sync.Mutex
	provider *oidc.Provider
	verifier *oidc.IDTokenVerifier
	failed   error

	cancel context.CancelFunc
	done   chan struct{}
}

// New makes a provider that nobody has asked anything yet.
func New(c Config) *Provider {
	return &Provider{c: c, failed: errors.New("it was not asked yet")}
}

// Name is what people call the provider.
func (p *Provider) Name() string { return p.c.Name }

// Issuer is the provider's address.
func (p *Provider) Issuer() string { return p.c.Issuer }

// Start asks the provider who it is, and again from time to time until Stop. It does not
// wait: a provider that is down keeps nobody from the server.
func (p *Provider) Start(ctx context.Context) error {
	ctx, p.cancel = context.WithCancel(context.WithoutCancel(ctx))
	p.done = make(chan struct{})
	go p.watch(ctx)
	return nil
}

// Stop ends the asking.
func (p *Provider) Stop(context.Context) error {
	if p.cancel != nil {
		p.cancel()
		<-p.done
	}
	return nil
}

func (p *Provider) watch(ctx context.Context) {
	defer close(p.done)
	wait := retryFirst
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if err := p.discover(ctx); err != nil {
			timer.Reset(wait)
			wait = min(2*wait, retryMost)
			continue
		}
		wait = retryFirst
		timer.Reset(lookAgain)
	}
}

// discover reads the provider's description. The keys are kept while it names the same
// place for them: they are fetched anew by themselves when a token has an unknown one.
func (p *Provider) discover(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, p.c.HTTP), p.c.Issuer)
	var verifier *oidc.IDTokenVerifier
	if err == nil {
		verifier, err = p.verifierOf(found)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		if p.failed == nil || p.provider == nil {
			p.c.Logger.WarnContext(ctx, "the identity provider does not answer", "issuer", p.c.Issuer, "error", err)
		}
		p.failed = err
		return err
	}
	p.provider, p.verifier, p.failed = found, verifier, nil
	return nil
}

// verifierOf makes the check of tokens. Its keys outlive the request that found the provider.
func (p *Provider) verifierOf(found *oidc.Provider) (*oidc.IDTokenVerifier, error) {
	var described struct {
		JWKS       string   `json:"jwks_uri"`
		Algorithms []string `json:"id_token_signing_alg_values_supported"`
	}
	if err := found.Claims(&described); err != nil {
		return nil, fmt.Errorf("reading the provider's description: %w", err)
	}
	var use []string
	for _, a := range described.Algorithms {
		if algorithms[a] {
			use = append(use, a)
		}
	}
	if len(use) == 0 {
		use = []string{oidc.RS256}
	}
	keys := oidc.NewRemoteKeySet(oidc.ClientContext(context.Background(), p.c.HTTP), described.JWKS) //nolint:forbidigo // a key set fetches under this one for as long as the provider is known
	return oidc.NewVerifier(p.c.Issuer, keys, &oidc.Config{ClientID: p.c.ClientID, SupportedSigningAlgs: use, Now: p.c.Clock.Now}), nil
}

// Available says whether the provider answered the last time that it was asked.
func (p *Provider) Available() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed == nil
}

// known answers what was found out about the provider; it is asked at once if nothing was.
// Fault: UNAVAILABLE.
func (p *Provider) known(ctx context.Context) (*oidc.Provider, *oidc.IDTokenVerifier, error) {
	p.mu.Lock()
	found, verifier := p.provider, p.verifier
	p.mu.Unlock()
	if found == nil {
		if err := p.discover(ctx); err != nil {
			return nil, nil, p.silent()
		}
		p.mu.Lock()
		found, verifier = p.provider, p.verifier
		p.mu.Unlock()
	}
	return found, verifier, nil
}

func (p *Provider) silent() error {
	return fault.New(fault.Unavailable, "%s does not answer at this moment; try again, or sign in another way.", p.c.Name)
}

func (p *Provider) oauth(found *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.c.ClientID, ClientSecret: p.c.ClientSecret.Reveal(), Endpoint: found.Endpoint(),
		RedirectURL: p.c.Redirect(), Scopes: append([]string{oidc.ScopeOpenID}, p.c.Scopes...),
	}
}

// AuthURL is where the browser is sent. Fault: UNAVAILABLE.
func (p *Provider) AuthURL(ctx context.Context, f Flow) (string, error) {
	found, _, err := p.known(ctx)
	if err != nil {
		return "", err
	}
	return p.oauth(found).AuthCodeURL(f.State, oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier)), nil
}

// Exchange turns the code that the browser brought back into who has signed in. Faults:
// UNAUTHENTICATED when the provider or its token is not to be believed, UNAVAILABLE.
func (p *Provider) Exchange(ctx context.Context, code string, f Flow) (Identity, error) {
	if code == "" || len(code) > longestCode {
		return Identity{}, p.unbelievable(ctx, errors.New("there is no code, or it is too long"))
	}
	found, verifier, err := p.known(ctx)
	if err != nil {
		return Identity{}, err
	}
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, p.c.HTTP), callTimeout)
	defer cancel()
	token, err := p.oauth(found).Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	if err != nil {
		if refused, is := errors.AsType[*oauth2.RetrieveError](err); is && refused.Response != nil && refused.Response.StatusCode < http.StatusInternalServerError {
			return Identity{}, p.unbelievable(ctx, fmt.Errorf("the provider refused the code: %s", refused.ErrorCode)) // its body may hold the code
		}
		p.c.Logger.WarnContext(ctx, "the identity provider did not take a code", "issuer", p.c.Issuer, "error", withoutBody(err))
		return Identity{}, p.silent()
	}
	raw, _ := token.Extra("id_token").(string)
	idToken, err := verifier.Verify(ctx, raw)
	if err != nil {
		return Identity{}, p.unbelievable(ctx, err)
	}
	if err := checkToken(idToken, p.c.ClientID, f.Nonce, p.c.Clock.Now()); err != nil {
		return Identity{}, p.unbelievable(ctx, err)
	}
	return p.identity(ctx, found, idToken, token)
}

// withoutBody keeps what a provider answered, which may repeat secrets, out of the log.
func withoutBody(err error) string {
	if refused, is := errors.AsType[*oauth2.RetrieveError](err); is && refused.Response != nil {
		return refused.Response.Status
	}
	return err.Error()
}

// unbelievable logs why somebody is not let in, and answers what they are told.
func (p *Provider) unbelievable(ctx context.Context, err error) error {
	p.c.Logger.WarnContext(ctx, "a sign-in by the identity provider was refused", "issuer", p.c.Issuer, "error", err)
	return fault.New(fault.Unauthenticated, "%s did not confirm the sign-in in a way that can be trusted; begin again.", p.c.Name)
}
