// Package ulid makes and checks ULIDs: 26 characters of Crockford's base 32,
// 48 bits of Unix milliseconds followed by 80 random bits. It is small enough to
// keep the SDK free of dependencies; it does not parse instants back out.
package ulid

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"time"
)

// Len is the length of a ULID in characters, of which the first ten are the instant.
const (
	Len     = 26
	timeLen = 10
)

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// New returns a new ULID whose time part is the present instant.
func New() string { return At(time.Now()) }

// At returns a new ULID whose time part is t, which lies between 1970 and 10889.
func At(t time.Time) string {
	var random [10]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the program instead
	return encode(uint64(t.UnixMilli()), random)
}

// Derive returns the ULID that text stands for beside base: the same for the same two,
// with the time part of base, which is zero if base is no ULID.
func Derive(base, text string) string {
	sum := sha256.Sum256([]byte(base + "\x00" + text))
	id := encode(0, [10]byte(sum[:10]))
	if Valid(base) {
		id = base[:timeLen] + id[timeLen:]
	}
	return id
}

func encode(ms uint64, random [10]byte) string {
	var out [Len]byte
	for i := 9; i >= 0; i-- {
		out[i] = alphabet[ms&31]
		ms >>= 5
	}
	// Eighty bits are two groups of forty, eight characters each.
	for group := range 2 {
		var wide [8]byte
		copy(wide[3:], random[group*5:group*5+5])
		bits := binary.BigEndian.Uint64(wide[:])
		for i := 7; i >= 0; i-- {
			out[10+group*8+i] = alphabet[bits&31]
			bits >>= 5
		}
	}
	return string(out[:])
}

// Valid reports whether s is a ULID in upper case.
func Valid(s string) bool {
	if len(s) != Len || s[0] > '7' {
		return false
	}
	for i := range len(s) {
		if !inAlphabet(s[i]) {
			return false
		}
	}
	return true
}

func inAlphabet(c byte) bool {
	switch {
	case c >= '0' && c <= '9':
		return true
	case c >= 'A' && c <= 'Z':
		return c != 'I' && c != 'L' && c != 'O' && c != 'U'
	}
	return false
}
