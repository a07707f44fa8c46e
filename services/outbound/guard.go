package outbound

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"syscall"

	"code.dny.dev/ssrf"
)

// guard dials what may be reached.
type guard struct {
	allow    *Allow
	setting  string
	resolver *net.Resolver
	strict   *ssrf.Guardian // nothing internal
	listed   *ssrf.Guardian // nothing internal but the allowed networks
	proxy    string         // host:port of the proxy, which is dialled whatever it is; empty without one
}

// BlockedError says that a receiver is inside and not allowed.
type BlockedError struct {
	Address string // as it was dialled, or as it stands in the request
	Setting string // that would allow it
}

// Error implements error.
func (e *BlockedError) Error() string {
	return fmt.Sprintf("%s is an internal address; nothing is sent there unless the setting %s lists it", e.Address, e.Setting)
}

func newGuard(c *Config) *guard {
	allow := c.Allow
	if allow == nil {
		allow = &Allow{}
	}
	v4, v6 := allow.split()
	g := &guard{
		allow: allow, setting: c.Setting, resolver: c.Resolver, strict: ssrf.New(ssrf.WithAnyPort()),
		listed: ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(v4...), ssrf.WithAllowedV6Prefixes(v6...)),
	}
	if g.setting == "" {
		g.setting = AllowSetting
	}
	if c.Proxy != nil {
		g.proxy = net.JoinHostPort(c.Proxy.Hostname(), portOf(c.Proxy))
	}
	return g
}

// Reach notes whether a request led inside.
type Reach struct{ inside atomic.Bool }

// Inside says whether a connection led to an internal address.
func (r *Reach) Inside() bool { return r.inside.Load() }

type reachKey struct{}

// NoteReach answers a context for one request, and what is noted of its connections: the
// answer of an internal service is nobody's business.
func NoteReach(ctx context.Context) (context.Context, *Reach) {
	r := &Reach{}
	return context.WithValue(ctx, reachKey{}, r), r
}

// dial connects to an address. Each address that the name has is looked at when it is
// dialled, so that no answer of a resolver can lead elsewhere.
func (g *guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("reading the address: %w", err)
	}
	named := g.allow.host(host, port) || g.proxy != "" && address == g.proxy
	note, _ := ctx.Value(reachKey{}).(*Reach)
	dialer := net.Dialer{
		Timeout:  connectTimeout,
		Resolver: g.resolver,
		ControlContext: func(_ context.Context, network, address string, _ syscall.RawConn) error {
			if g.strict.Safe(network, address, nil) == nil {
				return nil
			}
			if !named && g.listed.Safe(network, address, nil) != nil {
				return &BlockedError{Address: address, Setting: g.setting}
			}
			if note != nil {
				note.inside.Store(true)
			}
			return nil
		},
	}
	return dialer.DialContext(ctx, network, address)
}
