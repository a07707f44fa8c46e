package account

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
)

const (
	tokenPrefix   = "bfy_"
	shownOfToken  = 12 // characters of a token kept to tell tokens apart: 48 of its 256 bits
	secretBytes   = 32
	longestSecret = 200 // characters; longer ones are not even hashed
)

// newSecret makes a random secret of 256 bits behind prefix, in characters that
// need no escaping anywhere.
func newSecret(prefix string) string {
	var raw [secretBytes]byte
	_, _ = rand.Read(raw[:]) // never fails
	return prefix + base64.RawURLEncoding.EncodeToString(raw[:])
}

// hashSecret is the form in which a secret is stored. The secret is random, so
// no slow hash is needed.
func hashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// same compares in constant time.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
