package posture

import (
	"net"
	"net/url"
	"strings"

	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/coord/redisconn"
	"github.com/belfry-scheduler/belfry/services/outbound"
)

// Settings are those settings of an installation that are looked at. Empty ones are not
// known, and then no weakness.
type Settings struct {
	Listen      string
	PublicURL   string
	TLS         bool
	DatabaseURL secret.URL
	Redis       *redisconn.Target
	Allow       *outbound.Allow
	MaskingOff  bool
}

// Here are the facts that settings tell.
func Here(s Settings) Facts {
	f := Facts{
		Web:        Web{Known: s.Listen != "", Listen: s.Listen, PublicURL: s.PublicURL, TLS: s.TLS},
		Database:   databaseOf(s.DatabaseURL),
		MaskingOff: s.MaskingOff,
	}
	if s.Redis != nil {
		for _, m := range s.Redis.Members {
			for _, address := range m.Addrs {
				f.Redis = append(f.Redis, Redis{Address: address, Password: m.Password != "", TLS: m.TLS})
			}
		}
	}
	if s.Allow != nil {
		f.AllowWide = s.Allow.Wide()
	}
	return f
}

// databaseOf reads what an address tells; a file, a socket and what cannot be read tell
// nothing.
func databaseOf(address secret.URL) Database {
	u, err := url.Parse(address.Reveal())
	if err != nil || u.Scheme == "sqlite" || u.Hostname() == "" || u.Query().Get("socket") != "" {
		return Database{}
	}
	_, password := u.User.Password()
	d := Database{Host: u.Hostname(), User: u.User.Username(), Password: password}
	switch strings.ToLower(u.Query().Get("tls")) {
	case "", "false", "0", "preferred": // preferred: whoever is in between says that there is none
	default:
		d.TLS = true
	}
	if ip := net.ParseIP(d.Host); ip != nil {
		d.Host = ip.String()
	}
	return d
}
