// Package secret holds texts that must not be shown: however they are printed,
// logged or encoded, a mask comes out. Only Reveal gives the text away.
package secret

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// Mask stands for a secret wherever one is shown.
const Mask = "(hidden)"

// Text is a secret, for example a password or a key.
type Text string

// Reveal is the secret itself.
func (t Text) Reveal() string { return string(t) }

// String is the mask, or nothing for an empty secret.
func (t Text) String() string {
	if t == "" {
		return ""
	}
	return Mask
}

// Format writes the mask for every verb and flag.
func (t Text) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, t.String()) }

// LogValue is the mask.
func (t Text) LogValue() slog.Value { return slog.StringValue(t.String()) }

// MarshalText is the mask; JSON and YAML use it.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// URL is an address with user names and passwords in it, or a list of such
// addresses. It is shown without them.
type URL string

// Reveal is the whole address.
func (u URL) Reveal() string { return string(u) }

// String is the address without what may be secret: everything between "://" and
// the last "@", and every value in a query. It works on broken addresses as well,
// where it rather hides too much.
func (u URL) String() string {
	start, rest, found := strings.Cut(string(u), "://")
	if !found {
		return Text(u).String() // no address; perhaps a password in the wrong variable
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = Mask + rest[i:]
	}
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		rest = rest[:i] + "?" + Mask
	}
	return start + "://" + rest
}

// Format writes the masked address for every verb and flag.
func (u URL) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, u.String()) }

// LogValue is the masked address.
func (u URL) LogValue() slog.Value { return slog.StringValue(u.String()) }

// MarshalText is the masked address; JSON and YAML use it.
func (u URL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }
