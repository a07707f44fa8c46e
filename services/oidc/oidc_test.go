package oidc_test

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/internal/testissuer"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/oidc"
)

type bench struct {
	*oidc.Provider
	issuer *testissuer.Issuer
	log    *bytes.Buffer
}

func newBench(t *testing.T, claim string) *bench {
	t.Helper()
	b := &bench{issuer: testissuer.New(t, clock.System{}.Now), log: &bytes.Buffer{}}
	b.Provider = oidc.New(oidc.Config{
		Name: "Keycloak", Issuer: b.issuer.URL, ClientID: testissuer.Client, ClientSecret: "the-client-secret", GroupsClaim: claim,
		Redirect: func() string { return "http://belfry.test/auth/oidc/callback" }, HTTP: b.issuer.Client(), Clock: clock.System{},
		Logger: slog.New(slog.NewTextHandler(b.log, nil)),
	})
	return b
}

func (b *bench) signIn(t *testing.T) (oidc.Identity, error) {
	t.Helper()
	f := oidc.NewFlow()
	address, err := b.AuthURL(t.Context(), f)
	if err != nil {
		return oidc.Identity{}, err
	}
	code, state := b.issuer.SignIn(t, address)
	if !f.Began(state) || f.Began("") || f.Began(oidc.NewFlow().State) {
		t.Fatal("the state does not belong to the flow")
	}
	return b.Exchange(t.Context(), code, f)
}

// A token that is wrong in one way lets nobody in; the log says why and no secret.
func TestTokensThatAreNotBelieved(t *testing.T) {
	t.Parallel()
	b := newBench(t, "groups")
	now := clock.System{}.Now()
	if who, err := b.signIn(t); err != nil || who.Subject != "subject-1" || who.Issuer != b.issuer.URL || who.HasGroups {
		t.Fatalf("a good token: %+v, %v", who, err)
	}
	for name, tt := range map[string]struct {
		alg    string
		claims map[string]any
	}{
		"no signature":             {"none", nil},
		"signed by the public key": {"HS256", nil},
		"another key":              {"stolen", nil},
		"another nonce":            {"RS256", map[string]any{"nonce": "other"}},
		"no nonce":                 {"RS256", map[string]any{"nonce": nil}},
		"another issuer":           {"RS256", map[string]any{"iss": "https://evil.example"}},
		"another audience":         {"RS256", map[string]any{"aud": "other"}},
		"two audiences":            {"RS256", map[string]any{"aud": []string{testissuer.Client, "other"}}},
		"another party":            {"RS256", map[string]any{"azp": "other"}},
		"expired":                  {"RS256", map[string]any{"exp": now.Add(-time.Minute).Unix()}},
		"of the future":            {"RS256", map[string]any{"iat": now.Add(time.Hour).Unix()}},
		"not yet":                  {"RS256", map[string]any{"nbf": now.Add(time.Hour).Unix()}},
		"nobody":                   {"RS256", map[string]any{"sub": ""}},
		"a long subject":           {"RS256", map[string]any{"sub": strings.Repeat("x", 256)}},
	} {
		b.issuer.Say(tt.alg, tt.claims, nil)
		if who, err := b.signIn(t); !fault.Is(err, fault.Unauthenticated) {
			t.Errorf("%s: %+v, %v", name, who, err)
		}
	}
	b.issuer.Say("RS256", nil, map[string]any{"sub": "somebody else", "groups": []string{"admins"}})
	if _, err := b.signIn(t); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("userinfo of somebody else: %v", err)
	}
	if log := b.log.String(); strings.Contains(log, "the-client-secret") || strings.Contains(log, "eyJ") {
		t.Errorf("a secret stands in the log: %s", log)
	}
}

// A code holds once, only with the verifier of the browser that asked for it.
func TestCodesBelongToTheirFlow(t *testing.T) {
	t.Parallel()
	b := newBench(t, "groups")
	f := oidc.NewFlow()
	for name, tt := range map[string]func(code string) error{
		"another verifier": func(code string) error { return last(b.Exchange(t.Context(), code, oidc.NewFlow())) },
		"twice": func(code string) error {
			if _, err := b.Exchange(t.Context(), code, f); err != nil {
				t.Fatal(err)
			}
			return last(b.Exchange(t.Context(), code, f))
		},
		"none": func(string) error { return last(b.Exchange(t.Context(), "", f)) },
	} {
		address, err := b.AuthURL(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		code, _ := b.issuer.SignIn(t, address)
		if err := tt(code); !fault.Is(err, fault.Unauthenticated) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func last[T any](_ T, err error) error { return err }

func TestGroups(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		claim        string
		token, info  map[string]any
		want         []string
		label        string
		absentGroups bool
	}{
		"list":     {"groups", map[string]any{"groups": []any{"a", "b", "a", 7}, "preferred_username": "ada"}, nil, []string{"a", "b"}, "ada", false},
		"text":     {"hd", map[string]any{"hd": "example.com", "email": "ada@example.com"}, nil, []string{"example.com"}, "ada@example.com", false},
		"path":     {"realm_access.roles", map[string]any{"realm_access": map[string]any{"roles": []string{"x"}}}, nil, []string{"x"}, "subject-1", false},
		"dotted":   {"https://x.y/groups", map[string]any{"https://x.y/groups": []string{"x"}}, nil, []string{"x"}, "subject-1", false},
		"userinfo": {"groups", nil, map[string]any{"sub": "subject-1", "groups": []string{"x"}}, []string{"x"}, "subject-1", false},
		"nowhere":  {"groups", nil, map[string]any{"sub": "subject-1"}, nil, "subject-1", true},
	} {
		b := newBench(t, tt.claim)
		b.issuer.Say("RS256", tt.token, tt.info)
		who, err := b.signIn(t)
		if err != nil || !slices.Equal(who.Groups, tt.want) || who.Label != tt.label || who.HasGroups == tt.absentGroups {
			t.Errorf("%s: %+v, %v", name, who, err)
		}
	}
}

// Keys that the provider has changed are fetched; while it is down the page can say so, and
// it is back as soon as it answers.
func TestRotatedKeysAndSilence(t *testing.T) {
	t.Parallel()
	b := newBench(t, "groups")
	b.issuer.Down(true)
	if _, err := b.signIn(t); !fault.Is(err, fault.Unavailable) || b.Available() {
		t.Errorf("down: %v", err)
	}
	b.issuer.Down(false)
	if _, err := b.signIn(t); err != nil || !b.Available() {
		t.Fatalf("back: %v", err)
	}
	b.issuer.Rotate(t, "two")
	if _, err := b.signIn(t); err != nil {
		t.Errorf("after the keys were changed: %v", err)
	}
	f := oidc.NewFlow()
	address, err := b.AuthURL(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	code, _ := b.issuer.SignIn(t, address)
	b.issuer.Down(true)
	if _, err := b.Exchange(t.Context(), code, f); !fault.Is(err, fault.Unavailable) {
		t.Errorf("down on the way back: %v", err)
	}
	if err := b.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}
