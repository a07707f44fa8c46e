package account

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// Cost of argon2id: 19 MiB, two passes, one lane; about 30 ms.
const (
	argonMemory  = 19 * 1024 // KiB
	argonTime    = 2
	argonLanes   = 1
	argonSalt    = 16
	argonKey     = 32
	hashesAtOnce = 2  // each takes 19 MiB
	hashesQueued = 64 // who comes later is sent away

	shortestPassword = 10
	longestPassword  = 200
)

// hasher hashes passwords, few at once.
type hasher struct {
	running chan struct{}
	queued  chan struct{}
	decoy   string // a hash that no password has, to spend the same time on unknown names
}

func newHasher() *hasher {
	h := &hasher{running: make(chan struct{}, hashesAtOnce), queued: make(chan struct{}, hashesAtOnce+hashesQueued)}
	h.decoy = encode(make([]byte, argonSalt), make([]byte, argonKey))
	return h
}

// hash encodes password with a fresh salt.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	var salt [argonSalt]byte
	_, _ = rand.Read(salt[:]) // never fails
	key, err := h.derive(ctx, password, salt[:])
	if err != nil {
		return "", err
	}
	return encode(salt[:], key), nil
}

// verify says whether password has the encoded hash; with an empty hash it takes
// as long and says no.
func (h *hasher) verify(ctx context.Context, password, encoded string) (bool, error) {
	real := encoded != ""
	if !real {
		encoded = h.decoy
	}
	salt, want, err := decode(encoded)
	if err != nil {
		return false, err
	}
	key, err := h.derive(ctx, password, salt)
	if err != nil {
		return false, err
	}
	return same(string(key), string(want)) && real, nil
}

// derive waits for its turn and computes; LIMIT when too many wait.
func (h *hasher) derive(ctx context.Context, password string, salt []byte) ([]byte, error) {
	select {
	case h.queued <- struct{}{}:
		defer func() { <-h.queued }()
	default:
		return nil, fault.New(fault.Limit, "Too many people are signing in at this moment; try again in a few seconds.")
	}
	select {
	case h.running <- struct{}{}:
		defer func() { <-h.running }()
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting to hash a password: %w", ctx.Err())
	}
	return argon2.IDKey([]byte(password), salt, argonTime, argonMemory, argonLanes, argonKey), nil
}

func encode(salt, key []byte) string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonLanes,
		b64.EncodeToString(salt), b64.EncodeToString(key))
}

var errHash = errors.New("a stored password hash has an unknown form")

// decode reads what encode wrote. Other costs than today's are refused rather
// than obeyed: the ledger must not decide how much memory a sign-in takes.
func decode(encoded string) (salt, key []byte, err error) {
	head := encode(nil, nil)
	rest, ok := strings.CutPrefix(encoded, strings.TrimSuffix(head, "$"))
	if !ok {
		return nil, nil, errHash
	}
	first, second, ok := strings.Cut(rest, "$")
	if !ok {
		return nil, nil, errHash
	}
	salt, errSalt := base64.RawStdEncoding.DecodeString(first)
	key, errKey := base64.RawStdEncoding.DecodeString(second)
	if errSalt != nil || errKey != nil || len(salt) != argonSalt || len(key) != argonKey {
		return nil, nil, errHash
	}
	return salt, key, nil
}

// checkPassword says whether a new password may be used.
func checkPassword(field, password string) *fault.Error {
	switch n := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password):
		return fault.At(field, fault.Invalid, "%s is not valid UTF-8; type it again.", field)
	case n < shortestPassword:
		return fault.At(field, fault.Invalid, "%s has %d characters; use at least %d.", field, n, shortestPassword)
	case n > longestPassword:
		return fault.At(field, fault.Invalid, "%s has %d characters; use at most %d.", field, n, longestPassword)
	}
	return nil
}
