// Package redisconn reads the forms a Redis address can have and opens clients
// for them, all with the same short timeouts. It sends no commands of its own.
//
// The forms of BELFRY_REDIS_URL:
//
//	redis://[user:password@]host[:6379][/db]
//	rediss://…                                  the same over TLS
//	redis+sentinel://[user:password@]host[:26379][,host…][/db]?master=NAME
//	         [&sentinel_username=…&sentinel_password=…]
//	redis+cluster://[user:password@]host[:6379][,host…]
//	rediss+sentinel://…, rediss+cluster://…     the same over TLS
//	redis://a,redis://b,redis://c               several independent servers
//
// With several independent servers, which must be an odd number, a lock is held
// when most of them agree to it (Redlock); it then survives the loss of the
// others. Sentinel and Cluster can lose a lock in a failover, which the epochs in
// the database make harmless. Special characters in user names and passwords
// are percent-encoded.
package redisconn

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/belfry-scheduler/belfry/services/config/secret"
)

// Kind is how the servers of a member are found.
type Kind string

// Kinds.
const (
	Single   Kind = "single"
	Sentinel Kind = "sentinel"
	Cluster  Kind = "cluster"
)

// Member is one Redis that keeps its own data: a server, a server watched by
// sentinels, or a cluster.
type Member struct {
	Kind             Kind
	TLS              bool
	Addrs            []string // host:port; of the sentinels with Sentinel
	Username         string
	Password         secret.Text
	DB               int
	Master           string // Sentinel: the name of the master
	SentinelUsername string
	SentinelPassword secret.Text
}

// Target is what an address names: one member, or an odd number of independent
// ones.
type Target struct {
	Members []Member
}

// next finds the commas that separate members from those between hosts.
var next = regexp.MustCompile(`,\s*rediss?(\+[a-z]+)?://`)

// maxMembers bounds the independent servers: each costs a round trip a lock.
const maxMembers = 7

// Parse reads an address. Errors say what is wrong and how to mend it, and never
// contain the address, which holds a password.
func Parse(address string) (Target, error) {
	parts := split(address)
	if len(parts) > maxMembers || len(parts)%2 == 0 {
		return Target{}, fmt.Errorf("names %d independent servers; give 1, or 3, 5 or 7 so that there is a majority", len(parts))
	}
	var t Target
	for i, part := range parts {
		m, err := parseMember(part)
		if err != nil && len(parts) > 1 {
			return Target{}, fmt.Errorf("server %d: %w", i+1, err)
		}
		if err != nil {
			return Target{}, err
		}
		if slices.ContainsFunc(t.Members, func(other Member) bool { return slices.Equal(other.Addrs, m.Addrs) }) {
			return Target{}, fmt.Errorf("names %s twice; independent servers have different addresses", m.Addrs[0])
		}
		t.Members = append(t.Members, m)
	}
	return t, nil
}

// String names the servers without user names and passwords.
func (t Target) String() string {
	var texts []string
	for _, m := range t.Members {
		scheme := "redis"
		if m.TLS {
			scheme = "rediss"
		}
		if m.Kind != Single {
			scheme += "+" + string(m.Kind)
		}
		texts = append(texts, scheme+"://"+strings.Join(m.Addrs, ","))
	}
	return strings.Join(texts, ",")
}

func split(address string) []string {
	var parts []string
	from := 0
	for _, at := range next.FindAllStringIndex(address, -1) {
		parts = append(parts, strings.TrimSpace(address[from:at[0]]))
		from = at[0] + 1
	}
	return append(parts, strings.TrimSpace(address[from:]))
}

func parseMember(text string) (Member, error) {
	scheme, rest, found := strings.Cut(text, "://")
	if !found {
		return Member{}, errors.New("is no URL; write redis://host:6379")
	}
	m, port, err := kindOf(scheme)
	if err != nil {
		return Member{}, err
	}
	authority, tail := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority, tail = rest[:i], rest[i:]
	}
	if strings.Contains(tail, "@") { // the password holds the / or ? at which we cut; name no part of it
		return Member{}, errors.New("has a / ? # or @ in the wrong place; percent-encode them in user names and passwords")
	}
	hosts := authority
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		hosts = authority[i+1:]
		if err := m.credentials(authority[:i]); err != nil {
			return Member{}, err
		}
	}
	if err := m.hosts(hosts, port); err != nil {
		return Member{}, err
	}
	return m, m.options(tail)
}

// kindOf reads the scheme; port is the default one of its hosts.
func kindOf(scheme string) (m Member, port string, err error) {
	plain, kind, _ := strings.Cut(scheme, "+")
	m.TLS = plain == "rediss"
	m.Kind, port = Single, "6379"
	switch kind {
	case "":
	case "sentinel":
		m.Kind, port = Sentinel, "26379"
	case "cluster":
		m.Kind = Cluster
	default:
		plain = ""
	}
	if plain != "redis" && plain != "rediss" {
		return m, "", fmt.Errorf("has the scheme %q; use redis, rediss, redis+sentinel or redis+cluster", scheme)
	}
	return m, port, nil
}

func (m *Member) credentials(text string) error {
	user, password, _ := strings.Cut(text, ":")
	user, errUser := url.PathUnescape(user)
	password, errPassword := url.PathUnescape(password)
	if errUser != nil || errPassword != nil {
		return errors.New("has a user name or password with a bare %; write it as %25")
	}
	m.Username, m.Password = user, secret.Text(password)
	return nil
}

func (m *Member) hosts(text, port string) error {
	for host := range strings.SplitSeq(text, ",") {
		addr, err := withPort(strings.TrimSpace(host), port)
		if err != nil {
			return err
		}
		m.Addrs = append(m.Addrs, addr)
	}
	if m.Kind == Single && len(m.Addrs) > 1 {
		return errors.New("lists several hosts; repeat redis:// before each for independent servers, or use redis+sentinel or redis+cluster")
	}
	return nil
}

// withPort completes host, host:port, [v6] or [v6]:port.
func withPort(host, port string) (string, error) {
	name, given, err := net.SplitHostPort(host)
	if err != nil {
		name, given = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), port
		if bare := !strings.HasPrefix(host, "["); bare && strings.Contains(host, ":") {
			return "", fmt.Errorf("has the host %q; write host:port, and IPv6 addresses in brackets", host)
		}
	}
	n, err := strconv.Atoi(given)
	if name == "" || err != nil || n < 1 || n > 65535 || strings.ContainsAny(name, " @") {
		return "", fmt.Errorf("has the host %q; write host or host:port with a port from 1 to 65535", host)
	}
	return net.JoinHostPort(name, given), nil
}

// options reads the path (database number) and the query.
func (m *Member) options(tail string) error {
	u, err := url.Parse(tail)
	if err != nil || u.Fragment != "" {
		return errors.New("has an unreadable path or query after the host; percent-encode special characters in the password")
	}
	if path := strings.Trim(u.Path, "/"); path != "" {
		db, err := strconv.Atoi(path)
		if err != nil || db < 0 {
			return fmt.Errorf("has the path %q; after the host comes the number of the database, for example /0", u.Path)
		}
		if m.Kind == Cluster && db != 0 {
			return fmt.Errorf("asks for database %d; a cluster has only database 0", db)
		}
		m.DB = db
	}
	return m.query(u.RawQuery)
}

func (m *Member) query(raw string) error {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return errors.New("has an unreadable query; percent-encode special characters")
	}
	for key, given := range values {
		known := key == "master" || key == "sentinel_username" || key == "sentinel_password"
		if !known || len(given) != 1 || m.Kind != Sentinel {
			return fmt.Errorf("has the option %q; known are master, sentinel_username and sentinel_password, each once and only with redis+sentinel", key)
		}
	}
	m.Master, m.SentinelUsername = values.Get("master"), values.Get("sentinel_username")
	m.SentinelPassword = secret.Text(values.Get("sentinel_password"))
	if m.Kind == Sentinel && m.Master == "" {
		return errors.New("names no master; add ?master=NAME, the name the sentinels know it by")
	}
	return nil
}
