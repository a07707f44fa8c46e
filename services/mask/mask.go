// Package mask takes secrets out of texts and documents before they are stored:
// what handlers log, the errors and results they end with, their progress. It
// finds them by the names before them (password=…), by their form (bearer tokens,
// keys of clouds, private keys, addresses with a password) and by rules that
// people add. It does not find a secret that has neither name nor form.
//
// One pass over the text looks at few characters closely, so that a line without a
// secret costs about as much as reading it. What is masked twice is as if masked
// once.
package mask

import "strings"

// Mark stands where a secret was.
const Mark = "[masked]"

// Masker masks by a list of rules. It is safe for concurrent use and never
// changes. A nil Masker leaves everything as it is.
type Masker struct {
	names    names
	patterns []pattern
	blocks   *blocks
}

// New makes a Masker of the default rules and more. Faults: none; Parse has
// checked the rules.
func New(rules Rules) *Masker {
	return &Masker{names: newNames(rules.Names, rules.Keep), patterns: rules.patterns, blocks: newBlocks()}
}

// Text answers s without its secrets; s itself when there are none.
func (m *Masker) Text(s string) string {
	if m == nil || s == "" {
		return s
	}
	for i := range m.patterns {
		s = m.patterns[i].replace(s)
	}
	return m.builtin(s)
}

// builtin applies the default rules and the names.
func (m *Masker) builtin(s string) string {
	w := writer{s: s}
	for i := 0; i < len(s); {
		kind := triggers[s[i]]
		if kind == 0 || i > 0 && (kind == letter && nameBytes[s[i-1]] && s[i-1] != '-' || kind == space && s[i-1]|0x20 != 'r') {
			i++
			continue
		}
		from, to := m.at(s, i, kind)
		switch {
		case from < 0: // looked through: nothing is secret up to there
			i = max(to, i+1)
		case to == 0 || from < w.from:
			i++
		default:
			w.mask(from, to)
			i = max(to, i+1)
		}
	}
	return w.done()
}

// at looks for a secret that the character at i announces. It answers where it
// lies; to is 0 when there is none, and from -1 when the text up to to needs no
// other look.
func (m *Masker) at(s string, i int, kind trigger) (from, to int) {
	switch kind {
	case separator:
		return m.named(s, i)
	case wide:
		if strings.HasPrefix(s[i:], "：") {
			return m.namedAt(s, i, i+len("："), ':')
		}
	case dash:
		if strings.HasPrefix(s[i:], pemBegin) {
			return pem(s, i)
		}
		if strings.HasPrefix(s[i:], "--") {
			return m.flag(s, i)
		}
	case space:
		return bearer(s, i)
	case at:
		return dsn(s, i)
	case letter:
		return known(s, i)
	}
	return 0, 0
}

// trigger is why a character is looked at closely.
type trigger uint8

const (
	separator trigger = iota + 1 // = or :, after a name or in an address
	wide                         // first byte of a full-width colon
	dash                         // of a flag or a private key
	space                        // after the word Bearer
	at                           // of a database's address
	letter                       // first of a token of known form
)

// triggers has the kind of each byte; 0 means that it announces nothing.
var triggers = func() (t [256]trigger) {
	t['='], t[':'], t["："[0]], t['-'], t[' '], t['@'] = separator, separator, wide, dash, space, at
	for _, k := range tokens {
		t[k.prefix[0]] = letter
	}
	return t
}()

// writer copies a text with marks in place of parts of it. It allocates only when
// something is masked.
type writer struct {
	s    string
	from int // what is copied up to
	out  []byte
}

func (w *writer) mask(from, to int) {
	if w.s[from:to] == Mark {
		return
	}
	w.out = append(append(w.out, w.s[w.from:from]...), Mark...)
	w.from = to
}

func (w *writer) done() string {
	if w.from == 0 {
		return w.s
	}
	return string(append(w.out, w.s[w.from:]...))
}
