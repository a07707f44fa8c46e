// Package testissuer is a small identity provider for tests: it speaks OpenID Connect over
// real HTTP, checks PKCE as a good one does, and can lie in every way that a token can be
// wrong.
package testissuer

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// Client is the only client that the issuer knows.
const Client = "belfry"

// Issuer is a provider. Its fields may be set between two sign-ins.
type Issuer struct {
	*httptest.Server
	Now func() time.Time

	mu     sync.Mutex
	key    *rsa.PrivateKey
	kid    string
	claims map[string]any // of the next token, over the usual ones
	alg    string
	info   map[string]any
	codes  map[string]request
	down   bool
}

type request struct{ nonce, challenge string }

// New starts an issuer that ends with the test.
func New(t testing.TB, now func() time.Time) *Issuer {
	t.Helper()
	i := &Issuer{Now: now, codes: map[string]request{}, alg: "RS256"}
	i.Rotate(t, "one")
	i.Server = httptest.NewServer(i)
	t.Cleanup(i.Close)
	return i
}

// Rotate replaces the signing key by another with this id.
func (i *Issuer) Rotate(t testing.TB, kid string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.key, i.kid = key, kid
}

// Say sets what the next tokens claim over the usual, how they are signed (RS256, none,
// HS256 with the public key, or stolen: another key of the same id), and what userinfo says.
func (i *Issuer) Say(alg string, claims, info map[string]any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.alg, i.claims, i.info = alg, claims, info
}

// Down has every answer fail, or not.
func (i *Issuer) Down(down bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.down = down
}

// SignIn does what a browser and a person do at the authorization address: it answers the
// code and the state with which the browser is sent back.
func (i *Issuer) SignIn(t testing.TB, address string) (code, state string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	if q.Get("code_challenge_method") != "S256" || q.Get("nonce") == "" || q.Get("state") == "" || q.Get("client_id") != Client || !strings.Contains(q.Get("scope"), "openid") {
		t.Fatalf("the browser is sent to %s", address)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	code = rand.Text()
	i.codes[code] = request{q.Get("nonce"), q.Get("code_challenge")}
	return code, q.Get("state")
}

// ServeHTTP implements http.Handler.
func (i *Issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.down {
		http.Error(w, "down", http.StatusBadGateway)
		return
	}
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		answer(w, map[string]any{
			"issuer": i.URL, "authorization_endpoint": i.URL + "/auth", "token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/keys",
			"userinfo_endpoint": i.URL + "/userinfo", "id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"},
		})
	case "/keys":
		answer(w, map[string]any{"keys": []any{map[string]any{
			"kty": "RSA", "alg": "RS256", "use": "sig", "kid": i.kid, "n": b64(i.key.N.Bytes()), "e": b64(big.NewInt(int64(i.key.E)).Bytes()),
		}}})
	case "/userinfo":
		if i.info == nil {
			answer(w, map[string]any{"sub": "subject-1"})
			return
		}
		answer(w, i.info)
	case "/token":
		i.token(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	asked, known := i.codes[r.FormValue("code")]
	delete(i.codes, r.FormValue("code"))
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if !known || b64(sum[:]) != asked.challenge {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		answer(w, map[string]any{"error": "invalid_grant"})
		return
	}
	now := i.Now()
	claims := map[string]any{
		"iss": i.URL, "sub": "subject-1", "aud": Client, "nonce": asked.nonce, "iat": now.Unix(), "exp": now.Add(time.Minute).Unix(),
	}
	for k, v := range i.claims {
		claims[k] = v
		if v == nil {
			delete(claims, k)
		}
	}
	answer(w, map[string]any{"access_token": "access", "token_type": "Bearer", "expires_in": 60, "id_token": i.sign(claims)})
}

func (i *Issuer) sign(claims map[string]any) string {
	alg, key := i.alg, i.key
	if alg == "stolen" {
		key, _ = rsa.GenerateKey(rand.Reader, 2048) //nolint:errcheck // never fails for this size
		alg = "RS256"
	}
	head, _ := json.Marshal(map[string]any{"alg": alg, "kid": i.kid, "typ": "JWT"})
	body, _ := json.Marshal(claims)
	text := b64(head) + "." + b64(body)
	sum := sha256.Sum256([]byte(text))
	var signature []byte
	switch alg {
	case "none":
	case "HS256": // signed with what everybody knows: the public key
		public, _ := x509.MarshalPKIXPublicKey(&key.PublicKey)
		mac := hmac.New(sha256.New, public)
		mac.Write([]byte(text))
		signature = mac.Sum(nil)
	default:
		signature, _ = rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	}
	return text + "." + b64(signature)
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body) // an error means that the client has gone
}

func b64(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }
