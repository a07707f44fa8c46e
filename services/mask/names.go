package mask

import (
	"slices"
	"strings"
)

// defaultNames are the ends of names whose values are secret, in lower case and
// without - _ . between their words: password finds DB_PASSWORD and userPassword.
var defaultNames = []string{
	"password", "passwd", "pwd", "passphrase", "passcode", "userpass", "dbpass",
	"secret", "token", "authorization", "cookie", "credential", "credentials",
	"apikey", "accesskey", "secretkey", "privatekey", "signingkey", "encryptionkey",
	"masterkey", "sharedkey", "accountkey", "authkey", "appkey", "accesskeysecret",
	"accesskeyid", "secretid", "sessionid", "xamzsignature", "xgoogsignature",
	"connectionstring", "密码", "口令", "令牌", "密钥",
	"=pass", "=pw", "=sig", // whole names: too short to be ends
}

// pluralNames are secret as keys of documents, where what they hold is one value.
var pluralNames = []string{"passwords", "secrets", "tokens", "apikeys", "cookies"}

// headerNames are headers whose whole line is the value.
var headerNames = []string{"authorization", "cookie"}

// maxName bounds how much of a name is looked at, in bytes.
const maxName = 48

// names are the ends of secret names by their last byte.
type names [256][]string

func newNames(more, keep []string) (n names) {
	all := slices.Concat(defaultNames, normal(more))
	kept := normal(keep)
	for _, name := range all {
		if slices.Contains(kept, strings.TrimPrefix(name, "=")) {
			continue
		}
		last := name[len(name)-1]
		n[last] = append(n[last], name)
	}
	return n
}

// normal writes names as they are compared.
func normal(list []string) []string {
	out := make([]string, 0, len(list))
	for _, name := range list {
		var buf [maxName]byte
		if tail := tailOf(name, &buf); len(tail) > 0 {
			out = append(out, string(tail))
		}
	}
	return out
}

// may says whether a name that ends in c can be secret.
func (n *names) may(c byte) bool { return len(n[lower(c)]) > 0 }

// secret says whether values under this name are secret.
func (n *names) secret(name string) bool {
	if name == "" || !n.may(name[len(name)-1]) {
		return false
	}
	var buf [maxName]byte
	tail := tailOf(name, &buf)
	for _, word := range n[lower(name[len(name)-1])] {
		if whole, ok := strings.CutPrefix(word, "="); ok && string(tail) == whole || hasSuffix(tail, word) {
			return true
		}
	}
	return false
}

// tailOf writes the end of a name in lower case without separators into buf.
func tailOf(name string, buf *[maxName]byte) []byte {
	at := len(buf)
	for i := len(name) - 1; i >= 0 && at > 0; i-- {
		switch c := name[i]; c {
		case '-', '_', '.', ' ':
		default:
			at--
			buf[at] = lower(c)
		}
	}
	return buf[at:]
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// isHeader says whether a secret name is that of a header.
func isHeader(name string) bool {
	var buf [maxName]byte
	tail := tailOf(name, &buf)
	return slices.ContainsFunc(headerNames, func(h string) bool { return hasSuffix(tail, h) })
}

// nameBytes are the bytes that names are made of.
var nameBytes = func() (t [256]bool) {
	for c := range 256 {
		t[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' || c >= 0x80
	}
	return t
}()

func nameByte(c byte) bool { return nameBytes[c] }

func hasSuffix(tail []byte, word string) bool {
	return len(tail) >= len(word) && string(tail[len(tail)-len(word):]) == word
}
