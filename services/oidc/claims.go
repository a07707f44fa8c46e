package oidc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const (
	maxGroups      = 1000
	longestSubject = 255         // characters, as the standard has it
	clockDrift     = time.Minute // how far the provider's clock may be ahead
)

// checkToken checks what the verifier leaves to us: the nonce, for whom the token was made
// out when it names several, and that it does not come from the future.
func checkToken(t *oidc.IDToken, clientID, nonce string, now time.Time) error {
	var claims struct {
		AuthorizedParty string `json:"azp"`
	}
	if err := t.Claims(&claims); err != nil {
		return fmt.Errorf("reading the token: %w", err)
	}
	switch {
	case t.Nonce == "" || t.Nonce != nonce:
		return errors.New("the token has another nonce")
	case len(t.Audience) > 1 && claims.AuthorizedParty != clientID, claims.AuthorizedParty != "" && claims.AuthorizedParty != clientID:
		return errors.New("the token was made out for another client")
	case t.IssuedAt.After(now.Add(clockDrift)):
		return errors.New("the token was issued in the future; compare the clocks")
	case t.Subject == "" || len(t.Subject) > longestSubject:
		return errors.New("the token's subject is missing or too long")
	}
	return nil
}

// identity reads who it is. Groups that are not in the token are looked for at the
// provider's userinfo, where some put them.
func (p *Provider) identity(ctx context.Context, found *oidc.Provider, t *oidc.IDToken, token *oauth2.Token) (Identity, error) {
	var claims map[string]any
	if err := t.Claims(&claims); err != nil {
		return Identity{}, p.unbelievable(ctx, err)
	}
	who := Identity{Issuer: t.Issuer, Subject: t.Subject, Label: label(claims)}
	if who.Label == "" {
		who.Label = t.Subject
	}
	who.Groups, who.HasGroups = groups(claims, p.c.GroupsClaim)
	if who.HasGroups || found.UserInfoEndpoint() == "" {
		return who, nil
	}
	info, err := found.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		p.c.Logger.WarnContext(ctx, "the identity provider's userinfo cannot be read", "issuer", p.c.Issuer, "error", withoutBody(err))
		return who, nil // without groups
	}
	if info.Subject != t.Subject {
		return Identity{}, p.unbelievable(ctx, errors.New("userinfo is about somebody else"))
	}
	if err := info.Claims(&claims); err != nil {
		return Identity{}, p.unbelievable(ctx, err)
	}
	who.Groups, who.HasGroups = groups(claims, p.c.GroupsClaim)
	return who, nil
}

// label is what people call the person.
func label(claims map[string]any) string {
	for _, claim := range []string{"preferred_username", "email", "name"} {
		if text, ok := claims[claim].(string); ok && strings.TrimSpace(text) != "" {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// groups reads a claim: a list of texts, or one text. Dots lead into objects, unless there
// is a claim with the whole name.
func groups(claims map[string]any, claim string) ([]string, bool) {
	value, ok := claims[claim]
	for at := claims; !ok; {
		head, rest, more := strings.Cut(claim, ".")
		inner, is := at[head].(map[string]any)
		if !more || !is {
			return nil, false
		}
		at, claim = inner, rest
		value, ok = at[claim]
	}
	switch v := value.(type) {
	case string:
		return []string{v}, true
	case []any:
		var all []string
		for _, each := range v {
			if text, is := each.(string); is && !slices.Contains(all, text) && len(all) < maxGroups {
				all = append(all, text)
			}
		}
		return all, true
	}
	return nil, false
}
