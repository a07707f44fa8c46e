package oidc

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
)

// Flow is what ties a way to the provider and back to one browser. All of it follows from
// one secret, which the browser keeps in a cookie and the server nowhere.
type Flow struct {
	Secret   string // of the cookie
	State    string // comes back with the browser
	Nonce    string // comes back in the token
	Verifier string // PKCE: shows that who brings the code also asked for it
}

// NewFlow makes a flow with a random secret of 256 bits.
func NewFlow() Flow {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails
	return FlowOf(base64.RawURLEncoding.EncodeToString(raw))
}

// FlowOf is the flow of a cookie's secret.
func FlowOf(secret string) Flow {
	derive := func(what string) string {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte("belfry sign-in " + what))
		return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
	return Flow{Secret: secret, State: derive("state"), Nonce: derive("nonce"), Verifier: derive("verifier")}
}

// Began says whether a state that came back is this flow's.
func (f Flow) Began(state string) bool {
	return subtle.ConstantTimeCompare([]byte(f.State), []byte(state)) == 1
}
