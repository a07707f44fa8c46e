// Package totp computes and checks the one-time codes of RFC 6238 as authenticator apps
// show them: SHA-1, six digits, thirty seconds. It keeps nothing: which codes were used, its
// caller remembers.
package totp

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // RFC 6238's default, which all apps speak; HMAC does not need what SHA-1 lost
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"time"
)

const (
	// Digits is the length of a code.
	Digits = 6
	// Period is how long a code is shown.
	Period = 30 * time.Second
	// Drift is how many periods a phone's clock may be wrong, either way.
	Drift = 1

	secretBytes = 20 // as long as the hash, as RFC 4226 recommends
	modulus     = 1_000_000
)

// NewSecret makes a random secret of 160 bits.
func NewSecret() []byte {
	secret := make([]byte, secretBytes)
	_, _ = rand.Read(secret) // never fails
	return secret
}

// Step is the number of the period that an instant lies in.
func Step(at time.Time) int64 { return at.Unix() / int64(Period/time.Second) }

// Code is the code of a period.
func Code(secret []byte, step int64) string {
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(step)) //nolint:gosec // steps are not negative after 1970
	mac := hmac.New(sha1.New, secret)
	mac.Write(counter[:])
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0xf
	number := binary.BigEndian.Uint32(sum[at:at+4]) & 0x7fffffff
	return fmt.Sprintf("%0*d", Digits, number%modulus)
}

// Match answers the period whose code this is, among those whose numbers are greater than
// after and no more than Drift away from now; false when it is none of them. It takes as
// long for a wrong code as for a right one.
func Match(secret []byte, code string, now time.Time, after int64) (step int64, ok bool) {
	present := Step(now)
	for candidate := present - Drift; candidate <= present+Drift; candidate++ {
		right := subtle.ConstantTimeCompare([]byte(Code(secret, candidate)), []byte(code)) == 1
		if right && candidate > after && !ok {
			step, ok = candidate, true
		}
	}
	return step, ok
}

// Text is a secret as people type it: base32 without padding.
func Text(secret []byte) string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(secret)
}

// URI is what a QR code holds: issuer is the installation, account whose code it is.
func URI(secret []byte, issuer, account string) string {
	// Escaped as in a path: apps read a plus sign as itself.
	name := url.PathEscape(issuer)
	return "otpauth://totp/" + name + ":" + url.PathEscape(account) + "?secret=" + Text(secret) + "&issuer=" + name
}
