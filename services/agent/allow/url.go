package allow

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// address is the part of a URL that rules compare, in one form for each meaning.
type address struct {
	scheme, host, port string
	path               string // begins with a slash
}

// methods are those that a job can ask for.
var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

// ParseURL reads an address that a job asks for. What different programs read
// differently is refused rather than guessed at: user names, encoded or repeated
// slashes, dots and backslashes in the path, host names that are not ASCII.
func ParseURL(raw string) (*url.URL, *fault.Error) {
	u, _, refusal := parseURL("url", raw)
	return u, refusal
}

func parseURL(field, raw string) (*url.URL, address, *fault.Error) {
	bad := func(why string) (*url.URL, address, *fault.Error) {
		return nil, address{}, fault.At(field, fault.Invalid, "The address %q is not usable: %s.", hideUser(raw), why)
	}
	if strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return bad("it has a space, a backslash or a control character")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return bad("it is no URL")
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return bad("it has to begin with http:// or https://")
	case u.User != nil:
		return bad("it has a user name in it; give credentials in a header, as ${env:NAME}")
	case u.Opaque != "" || host == "":
		return bad("it has no host")
	case u.Fragment != "":
		return bad("it has a part after #")
	case strings.ContainsFunc(host, func(r rune) bool { return r > 0x7e || strings.ContainsRune("%*,;|", r) }):
		return bad("its host name has other characters than ASCII letters, digits, dots and dashes; write it in its xn-- form")
	}
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if why := oddPath(path); why != "" {
		return bad(why)
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u, address{scheme: u.Scheme, host: host, port: port, path: path}, nil
}

// oddPath says why a path could mean another one to its receiver; "": it cannot.
func oddPath(path string) string {
	lower := strings.ToLower(path)
	for _, code := range []string{"%2f", "%5c", "%2e", "%00", "%25"} {
		if strings.Contains(lower, code) {
			return "its path has an encoded slash, backslash, dot or per cent sign"
		}
	}
	for part := range strings.SplitSeq(path, "/") {
		// What stands behind a semicolon some receivers cut off: "..;x" is ".." to them.
		if name, _, _ := strings.Cut(part, ";"); name == "." || name == ".." {
			return "its path has . or .. as a part"
		}
	}
	if strings.Contains(path, "//") {
		return "its path has two slashes in a row"
	}
	return ""
}

// hideUser takes a user name and password out of a broken address, for messages.
func hideUser(raw string) string {
	start, rest, found := strings.Cut(raw, "://")
	if !found {
		start, rest = "", raw
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = "(hidden)" + rest[i:]
	}
	if found {
		return start + "://" + rest
	}
	return rest
}

// Request decides whether a request to u, which ParseURL has answered, may be made,
// with secrets of these names in it. It answers the rule.
func (l *List) Request(method string, u *url.URL, secrets []string) (*URL, *fault.Error) {
	if !slices.Contains(methods, method) {
		return nil, fault.At("method", fault.Invalid, "The method %q is not usable: use one of %s.", method, strings.Join(methods, ", "))
	}
	_, at, refusal := parseURL("url", u.String())
	if refusal != nil {
		return nil, refusal
	}
	var nearest *fault.Error
	for i := range l.HTTP {
		rule := &l.HTTP[i]
		if !rule.at.holds(at) {
			continue
		}
		refusal := rule.admits(method, secrets)
		if refusal == nil {
			return rule, nil
		}
		nearest = refusal
	}
	if nearest == nil {
		nearest = fault.New(fault.Forbidden, "The address %s is not allowed here.\n%s", Shown(u), httpLines(method, at, secrets))
	}
	return nil, nearest
}

// Holds reports whether u lies within the rule: redirects ask.
func (r *URL) Holds(u *url.URL) bool {
	_, at, refusal := parseURL("url", u.String())
	return refusal == nil && r.at.holds(at)
}

func (r *URL) admits(method string, secrets []string) *fault.Error {
	allowed := r.Methods
	if len(allowed) == 0 {
		allowed = []string{"GET", "HEAD"}
	}
	if !slices.Contains(allowed, method) {
		return fault.At("method", fault.Forbidden, "The method %s is not allowed for %s: add it to the methods of that rule in the allow-list.", method, r.URL)
	}
	for _, name := range secrets {
		if !slices.Contains(r.Secrets, name) {
			return fault.At("headers", fault.Forbidden, "The secret %s may not be sent to %s: add it to the secrets of that rule in the allow-list.", name, r.URL)
		}
	}
	return nil
}

// holds reports whether other is the same address or one below it.
func (a address) holds(other address) bool {
	if a.scheme != other.scheme || a.host != other.host || a.port != other.port {
		return false
	}
	return a.path == other.path || strings.HasPrefix(other.path, strings.TrimSuffix(a.path, "/")+"/")
}

func (r *URL) compile(at string, problems *fault.List) {
	u, parsed, refusal := parseURL(at+".url", r.URL)
	if refusal != nil {
		problems.Add(refusal)
	} else if u.RawQuery != "" || u.ForceQuery {
		problems.Add(fault.At(at+".url", fault.Invalid, "%s.url has a query: a rule is for an address and all that lies below it, whatever the query.", at))
	}
	r.at = parsed
	for _, method := range r.Methods {
		if !slices.Contains(methods, method) {
			problems.Add(fault.At(at+".methods", fault.Invalid, "%s.methods has %q: use %s.", at, method, strings.Join(methods, ", ")))
		}
	}
	for _, name := range r.Secrets {
		if !validName(name) || reserved(name) {
			problems.Add(fault.At(at+".secrets", fault.Invalid, "%s.secrets has %q: give names of variables, and none that begins with BELFRY_.", at, name))
		}
	}
}

// Shown is an address without its query, in which secrets are often put.
func Shown(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String()
}

func httpLines(method string, at address, secrets []string) string {
	rule := "http:\n  - url: " + scalar(at.scheme+"://"+net.JoinHostPort(at.host, at.port)+at.path) + "\n"
	if method != "GET" && method != "HEAD" {
		rule += "    methods: [" + method + "]\n"
	}
	if len(secrets) > 0 {
		names := slices.Compact(slices.Sorted(slices.Values(secrets)))
		rule += "    secrets: [" + strings.Join(names, ", ") + "]\n"
	}
	return advice(rule)
}
