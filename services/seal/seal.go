// Package seal encrypts what is stored and must not be read out of a copy of the
// database: AES-256-GCM with a key derived from the server's secret key. A sealed text
// names its key, so that keys can be changed: servers get a ring of the new key and the old
// one, what the old one sealed is sealed anew (Rotate), and then the old one can go.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// form is the version of sealed texts: form.key.base64(nonce and ciphertext).
const form = "v1"

// Box seals and opens texts. It is safe for concurrent use.
type Box struct {
	keys []key // the first seals; none: nothing can be sealed
}

type key struct {
	id   string
	aead cipher.AEAD
}

// New makes a box of a ring of keys: the first seals, all open. Without a first key the box
// refuses to seal and opens nothing: what is sealed would be lost with the next change.
func New(ring ...secret.Text) (*Box, error) {
	b := &Box{}
	if len(ring) == 0 || ring[0] == "" {
		return b, nil
	}
	for _, text := range ring {
		if text == "" {
			continue
		}
		k, err := newKey([]byte(text.Reveal()))
		if err != nil {
			return nil, err
		}
		b.keys = append(b.keys, k)
	}
	return b, nil
}

// Key is the name of the key that seals, which is no secret; empty without one.
func (b *Box) Key() string {
	if len(b.keys) == 0 {
		return ""
	}
	return b.keys[0].id
}

// Old are the names of the keys that only open.
func (b *Box) Old() []string {
	var names []string
	for i := 1; i < len(b.keys); i++ {
		names = append(names, b.keys[i].id)
	}
	return names
}

// KeyOf is the name of the key that a text was sealed with; empty when it is not sealed.
func KeyOf(sealed string) string {
	parts := strings.Split(sealed, ".")
	if len(parts) != 3 || parts[0] != form {
		return ""
	}
	return parts[1]
}

func newKey(from []byte) (key, error) {
	raw, err := hkdf.Key(sha256.New, from, nil, "belfry sealed secrets "+form, 32)
	if err != nil {
		return key{}, fmt.Errorf("deriving the key of secrets: %w", err)
	}
	id, err := hkdf.Key(sha256.New, from, nil, "belfry key id "+form, 4)
	if err != nil {
		return key{}, fmt.Errorf("naming the key of secrets: %w", err)
	}
	block, err := aes.NewCipher(raw)
	if err != nil {
		return key{}, fmt.Errorf("making the cipher of secrets: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return key{}, fmt.Errorf("making the cipher of secrets: %w", err)
	}
	return key{id: hex.EncodeToString(id), aead: aead}, nil
}

// Seal encrypts a text for one use: it opens only for the same about. Fault: UNSUPPORTED
// without a key.
func (b *Box) Seal(plain []byte, about string) (string, error) {
	if len(b.keys) == 0 {
		return "", fault.New(fault.Unsupported, "Secrets cannot be stored, as this server has no key to encrypt them with. "+
			"Set BELFRY_SECRET_KEY to the same random text on all servers (make one with: openssl rand -hex 32) and start them again.")
	}
	k := b.keys[0]
	nonce := make([]byte, k.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return form + "." + k.id + "." + base64.RawStdEncoding.EncodeToString(k.aead.Seal(nonce, nonce, plain, []byte(about))), nil
}

// Open decrypts what Seal made. Fault: UNAVAILABLE when this server lacks the key.
func (b *Box) Open(sealed, about string) ([]byte, error) {
	parts := strings.Split(sealed, ".")
	if len(parts) != 3 || parts[0] != form {
		return nil, fmt.Errorf("opening a secret: it is not of the form %s", form)
	}
	raw, err := base64.RawStdEncoding.DecodeString(parts[2])
	if err != nil {
		return nil, fmt.Errorf("opening a secret: %w", err)
	}
	for _, k := range b.keys {
		if k.id != parts[1] {
			continue
		}
		n := k.aead.NonceSize()
		if len(raw) < n {
			return nil, fmt.Errorf("opening a secret: it is too short")
		}
		plain, err := k.aead.Open(nil, raw[:n], raw[n:], []byte(about))
		if err != nil {
			return nil, fmt.Errorf("opening a secret: it was changed, or belongs to something else: %w", err)
		}
		return plain, nil
	}
	return nil, fault.New(fault.Unavailable, "A stored secret was encrypted with the key %s, which this server does not have: "+
		"give it the BELFRY_SECRET_KEY of the others, or add the key that it had before to it, behind a comma.", parts[1])
}

// Stale says whether a sealed text should be sealed anew with the present key.
func (b *Box) Stale(sealed string) bool {
	return sealed != "" && len(b.keys) > 0 && !strings.HasPrefix(sealed, form+"."+b.keys[0].id+".")
}
