package config

import (
	"log/slog"
	"net"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/coord/redisconn"
	"github.com/belfry-scheduler/belfry/services/fault"
)

const (
	// minKey is the length of a secret key in bytes.
	minKey = 32
	// minDistinct is how many different bytes a key has at least: a random one of
	// 32 bytes in hexadecimal practically always has more, "aaaa…" has not.
	minDistinct = 8
	// maxName bounds names in characters.
	maxName = 100
	// maxShown bounds how much of a wrong value an error shows, in characters.
	maxShown = 100
	// maxShutdown is more than anybody waits for.
	maxShutdown = time.Hour
)

// problems are the errors found so far. Its methods check one value each and
// answer it in the form Settings has.
type problems fault.List

// variable is the environment's name of a flag.
func variable(flag string) string {
	return "BELFRY_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// bad notes that the flag's value is not allowed; rest says why and what to do.
func (p *problems) bad(flag, value, rest string) {
	if runes := []rune(value); len(runes) > maxShown {
		value = string(runes[:maxShown]) + "…"
	}
	*p = append(*p, fault.At(flag, fault.Invalid, "%s is %q: %s.", variable(flag), value, rest))
}

// missing notes that a value is needed.
func (p *problems) missing(flag, rest string) {
	*p = append(*p, fault.At(flag, fault.Required, "%s is not set: %s.", variable(flag), rest))
}

func (p *problems) listen(text string) string {
	text = or(text, DefaultListen)
	_, port, err := net.SplitHostPort(text)
	n, errPort := strconv.Atoi(port)
	if err != nil || errPort != nil || n < 0 || n > 65535 {
		p.bad("listen", text, "write host:port with a port from 0 to 65535, for example 127.0.0.1:7000 or :7000, and IPv6 addresses in brackets")
	}
	return text
}

// database answers whether the database is a file.
func (p *problems) database(address secret.URL) bool {
	const forms = "write mysql://user:password@host:port/db or sqlite:///absolute/path"
	scheme, rest, found := strings.Cut(address.Reveal(), "://")
	switch {
	case address == "":
		p.missing("database-url", forms)
	case !found || (scheme != "mysql" && scheme != "sqlite"):
		p.bad("database-url", address.String(), "it is neither a MySQL nor a SQLite address; "+forms)
	case scheme == "mysql":
		p.mysql(address)
	default:
		if file, _, _ := strings.Cut(rest, "?"); !path.IsAbs(file) || path.Clean(file) == "/" || strings.HasSuffix(file, "/") {
			p.bad("database-url", address.String(), "after sqlite:// comes the absolute path of a file, which makes three slashes: sqlite:///var/lib/belfry/belfry.db")
		}
	}
	return scheme == "sqlite"
}

func (p *problems) mysql(address secret.URL) {
	u, err := url.Parse(address.Reveal())
	switch {
	case err != nil: // err holds the address: do not show it
		p.bad("database-url", address.String(), "it is not a readable URL; percent-encode special characters in the password and write the port as a number")
	case u.Hostname() == "":
		p.bad("database-url", address.String(), "the host is missing; write mysql://user:password@host:port/db")
	case u.User.Username() == "":
		p.bad("database-url", address.String(), "the user is missing; write mysql://user:password@host:port/db")
	case strings.Trim(u.Path, "/") == "" || strings.Contains(strings.Trim(u.Path, "/"), "/"):
		p.bad("database-url", address.String(), "the name of the database is missing; write it after the host: mysql://user:password@host:port/db")
	}
}

func (p *problems) redis(address secret.URL) *redisconn.Target {
	if address == "" {
		return nil
	}
	target, err := redisconn.Parse(address.Reveal())
	if err != nil {
		p.bad("redis-url", address.String(), "it "+err.Error())
		return nil
	}
	return &target
}

func (p *problems) prefix(text string) string {
	if len(text) > maxName || strings.ContainsFunc(text, func(r rune) bool {
		return r != '-' && r != '_' && r != ':' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		p.bad("redis-prefix", text, "use at most 100 letters, digits and the characters - _ : .")
	}
	return text
}

func (p *problems) locks(text string, hasRedis bool) Locks {
	if strings.TrimSpace(text) == "" && hasRedis {
		return LocksRedis
	}
	mode := oneOf(p, "locks", or(text, string(LocksDatabase)), LocksRedis, LocksDatabase)
	if mode == LocksRedis && !hasRedis {
		p.bad("locks", text, "there is no Redis; set BELFRY_REDIS_URL, or use database")
	}
	return mode
}

// maxKeys is how many keys a ring has: the present one and those before, while they are
// changed.
const maxKeys = 10

// Keys reads a ring of secret keys, as BELFRY_SECRET_KEY gives them. Its error tells all
// that is wrong with them.
func Keys(text secret.Text) ([]secret.Text, error) {
	var p problems
	keys := p.keys(text)
	return keys, fault.List(p).Err()
}

// keys reads a ring of secret keys: the present one first, those before it behind commas.
func (p *problems) keys(text secret.Text) []secret.Text {
	var ring []secret.Text
	if strings.TrimSpace(text.Reveal()) == "" {
		return ring
	}
	for part := range strings.SplitSeq(text.Reveal(), ",") {
		ring = append(ring, p.key(secret.Text(strings.TrimSpace(part))))
	}
	if len(ring) > maxKeys {
		p.bad("secret-key", text.String(), "it holds "+strconv.Itoa(len(ring))+" keys and may hold 10; take out those that encrypt nothing any more (belfry rotate-keys says so)")
	}
	for i := range ring {
		if slices.Contains(ring[:i], ring[i]) {
			p.bad("secret-key", text.String(), "it holds a key twice; write each once, the present one first")
			break
		}
	}
	return ring
}

func (p *problems) key(key secret.Text) secret.Text {
	distinct := map[byte]bool{}
	for _, b := range []byte(key.Reveal()) {
		distinct[b] = true
	}
	if len(key.Reveal()) < minKey {
		p.bad("secret-key", key.String(), "a key has "+strconv.Itoa(len(key.Reveal()))+" bytes and needs at least 32; make one with: openssl rand -hex 32; keys are separated by commas")
	} else if len(distinct) < minDistinct {
		p.bad("secret-key", key.String(), "it repeats a few characters, which can be guessed; make one with: openssl rand -hex 32")
	}
	return key
}

func (p *problems) password(password secret.Text) secret.Text {
	if password != "" && strings.TrimSpace(password.Reveal()) == "" {
		p.bad("admin-password", password.String(), "it is blank; leave it out to get a one-time link instead")
	}
	return password
}

// proxy checks the address of the proxy for what the server sends out.
func (p *problems) proxy(address secret.URL) secret.URL {
	if address == "" {
		return ""
	}
	u, err := url.Parse(address.Reveal())
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		p.bad("outbound-proxy", address.String(), "write http:// or https://, perhaps user:password@, the host and the port")
	}
	return address
}

func (p *problems) publicURL(text string) string {
	text = strings.TrimRight(strings.TrimSpace(text), "/")
	if text == "" {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		p.bad("public-url", secret.URL(text).String(), "write http:// or https://, the host and perhaps a path, without user, query or fragment")
	}
	return text
}

func (p *problems) name(text string) string {
	if len([]rune(text)) > maxName || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		p.bad("server-name", text, "use at most 100 characters and no control characters")
	}
	return text
}

func (p *problems) timeout(text string) time.Duration {
	d, err := time.ParseDuration(or(text, DefaultShutdownTimeout.String()))
	if err != nil || d < time.Second || d > maxShutdown {
		p.bad("shutdown-timeout", text, "write a duration from 1s to 1h, for example 30s")
	}
	return d
}

func (p *problems) auditKept(text string) time.Duration {
	days, err := strconv.Atoi(or(text, strconv.Itoa(DefaultAuditDays)))
	if err != nil || days < 0 || days > 36_500 {
		p.bad("audit-days", text, "is no whole number of days from 0 to 36500: write one like 400, or 0 to keep the audit trail for ever.")
	}
	return time.Duration(days) * 24 * time.Hour
}

func (p *problems) level(text string) slog.Level {
	name := oneOf(p, "log-level", text, "debug", "info", "warn", "error")
	var level slog.Level
	_ = level.UnmarshalText([]byte(name)) // knows all four; others are noted already
	return level
}

func (p *problems) tls(cert, key string) {
	switch {
	case cert == "" && key == "":
		return
	case cert == "":
		p.missing("tls-cert", "BELFRY_TLS_KEY is; give both files, or neither")
		return
	case key == "":
		p.missing("tls-key", "BELFRY_TLS_CERT is; give both files, or neither")
		return
	}
	for flag, file := range map[string]string{"tls-cert": cert, "tls-key": key} {
		if info, err := os.Stat(file); err != nil || info.IsDir() {
			p.bad(flag, file, "there is no such file, or this user may not read it")
		}
	}
}

// oneOf checks that text is one of the values, whatever its case.
func oneOf[T ~string](p *problems, flag, text string, values ...T) T {
	value := T(strings.ToLower(strings.TrimSpace(text)))
	if slices.Contains(values, value) {
		return value
	}
	var names []string
	for _, v := range values {
		names = append(names, string(v))
	}
	p.bad(flag, text, "use "+strings.Join(names[:len(names)-1], ", ")+" or "+names[len(names)-1])
	return value
}
