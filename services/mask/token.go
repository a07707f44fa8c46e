package mask

import "strings"

// token is a form of secret that is known by its beginning.
type token struct {
	prefix string
	least  int // characters after the prefix
}

// tokens are those of clouds, forges and chat services, and signed tokens (JWT).
var tokens = []token{
	{"AKIA", 12},
	{"ASIA", 12},
	{"AIza", 20},
	{"LTAI", 12},
	{"AKID", 20},
	{"eyJ", 17},
	{"ghp_", 20},
	{"gho_", 20},
	{"ghu_", 20},
	{"ghs_", 20},
	{"ghr_", 20},
	{"github_pat_", 20},
	{"glpat-", 16},
	{"xoxb-", 10},
	{"xoxp-", 10},
	{"xoxa-", 10},
	{"xoxr-", 10},
	{"xoxs-", 10},
	{"sk_live_", 10},
	{"rk_live_", 10},
	{"npm_", 30},
}

// seconds has, by their first byte, the second bytes of tokens.
var seconds = func() (t [256]string) {
	for _, k := range tokens {
		t[k.prefix[0]] += k.prefix[1:2]
	}
	return t
}()

// known looks for a token that begins at i, before which no name ends.
func known(s string, i int) (from, to int) {
	if i+8 > len(s) || strings.IndexByte(seconds[s[i]], s[i+1]) < 0 {
		return 0, 0
	}
	for k := range tokens {
		t := &tokens[k]
		if !strings.HasPrefix(s[i:], t.prefix) {
			continue
		}
		end := i
		for end < len(s) && (nameByte(s[end]) && s[end] < 0x80) {
			end++
		}
		for end > i && s[end-1] == '.' {
			end--
		}
		if end-i >= len(t.prefix)+t.least {
			return i, end
		}
	}
	return 0, 0
}

// bearer looks for a token after the word Bearer, which ends before the space at i.
func bearer(s string, i int) (from, to int) {
	const word = "bearer"
	if i < len(word) || s[i-1]|0x20 != 'r' || !strings.EqualFold(s[i-len(word):i], word) {
		return 0, 0
	}
	from, to = value(s, i+1)
	if from < 0 || to <= i {
		return 0, 0
	}
	if v := s[from:to]; len(v) >= 20 || strings.ContainsAny(v, "0123456789._-+/=") {
		return from, to
	}
	return 0, 0 // bearer authentication, bearer of …
}

// address looks for a password in an address whose host begins at p: up to the
// last @ before the path. A token that stands alone before the @ is one too.
func address(s string, p int) (from, to int) {
	end := p
	for end < len(s) && !strings.ContainsRune(" \t\r\n\"'`<>\\", rune(s[end])) {
		end++
	}
	host := s[p:end]
	if i := strings.IndexAny(host, "/?#"); i >= 0 && strings.Contains(host[:i], "@") {
		host = host[:i]
	}
	user := strings.LastIndexByte(host, '@')
	if user < 0 {
		return -1, p
	}
	colon := strings.IndexByte(host[:user], ':')
	switch {
	case colon < 0 && strings.ContainsAny(host[:user], "/?#"): // the @ is in the path
		return -1, p
	case colon < 0:
		if user >= 20 && strings.ContainsAny(host[:user], "0123456789") {
			return p, p + user
		}
		return -1, p
	case strings.ContainsAny(host[:colon], "/?#") || isPort(host[colon+1:user]):
		return -1, p
	case colon+1 == user:
		return -1, p
	}
	return p + colon + 1, p + user
}

// isPort says whether what follows a colon is a port and then a path.
func isPort(s string) bool {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i > 0 && i < len(s) && strings.IndexByte("/?#", s[i]) >= 0
}

// dsn looks for the password in user:password@tcp(host)/db, at the @.
func dsn(s string, i int) (from, to int) {
	if !strings.HasPrefix(s[i:], "@tcp(") && !strings.HasPrefix(s[i:], "@unix(") {
		return 0, 0
	}
	start := strings.LastIndexAny(s[:i], " \t\r\n\"'`=")
	colon := strings.IndexByte(s[start+1:i], ':')
	if colon < 0 || start+1+colon+1 == i {
		return 0, 0
	}
	return start + 1 + colon + 1, i
}

const (
	pemBegin = "-----BEGIN "
	pemEnd   = "-----END "
	pemKey   = "PRIVATE KEY"
)

// pem looks for the body of a private key whose first line begins at i. Without a
// last line that is all the rest.
func pem(s string, i int) (from, to int) {
	from = i + len(pemBegin)
	head := strings.Index(s[from:], "-----")
	if head < 0 || head > 40 || !strings.HasSuffix(s[from:from+head], pemKey) {
		return -1, from
	}
	from += head + len("-----")
	to = len(s)
	if end := strings.Index(s[from:], pemEnd); end >= 0 {
		to = from + end
	}
	if from == to {
		return -1, to
	}
	return from, to
}
