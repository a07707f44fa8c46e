package channel

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// AllowSetting is the setting that allows internal receivers.
const AllowSetting = "BELFRY_WEBHOOK_ALLOW"

// Allow lists internal receivers that may be reached.
type Allow struct {
	hosts    map[string]bool // lower case, with or without a port
	prefixes []netip.Prefix
}

var hostName = regexp.MustCompile(`^[a-z0-9]([a-z0-9._-]*[a-z0-9])?(:[0-9]{1,5})?$`)

// ParseAllow reads a list of addresses, networks (CIDR) and host names, each with a port
// if one alone is meant, separated by commas.
func ParseAllow(text string) (*Allow, error) {
	a := &Allow{hosts: map[string]bool{}}
	for entry := range strings.SplitSeq(text, ",") {
		entry = strings.ToLower(strings.TrimSpace(entry))
		switch prefix, err := netip.ParsePrefix(entry); {
		case entry == "":
		case err == nil:
			a.prefixes = append(a.prefixes, prefix.Masked())
		default:
			if ip, err := netip.ParseAddr(strings.Trim(entry, "[]")); err == nil {
				a.prefixes = append(a.prefixes, netip.PrefixFrom(ip, ip.BitLen()))
				continue
			}
			if !hostName.MatchString(entry) {
				return nil, fmt.Errorf("%q is no network like 10.1.0.0/16, no address and no host name", entry)
			}
			a.hosts[entry] = true
		}
	}
	return a, nil
}

// guard dials what may be reached.
type guard struct {
	allow  *Allow
	strict *ssrf.Guardian // nothing internal
	listed *ssrf.Guardian // nothing internal but the allowed prefixes
}

// BlockedError says that a receiver is inside and not allowed.
type BlockedError struct{ Address string }

func (e *BlockedError) Error() string {
	return fmt.Sprintf("%s is an internal address; messages do not go there unless the setting %s lists it", e.Address, AllowSetting)
}

func newGuard(allow *Allow) *guard {
	if allow == nil {
		allow = &Allow{}
	}
	var v4, v6 []netip.Prefix
	for _, p := range allow.prefixes {
		if p.Addr().Is4() {
			v4 = append(v4, p)
		} else {
			v6 = append(v6, p)
		}
	}
	return &guard{
		allow: allow, strict: ssrf.New(ssrf.WithAnyPort()),
		listed: ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(v4...), ssrf.WithAllowedV6Prefixes(v6...)),
	}
}

// hostAllowed says whether a host is listed by name.
func (g *guard) hostAllowed(host, port string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return g.allow.hosts[host] || g.allow.hosts[host+":"+port]
}

// reach notes whether a connection led inside.
type reach struct{ inside atomic.Bool }

type reachKey struct{}

func noteReach(ctx context.Context) (context.Context, *reach) {
	r := &reach{}
	return context.WithValue(ctx, reachKey{}, r), r
}

// dial connects to an address. Each address that the name has is looked at when it is
// dialled, so that no answer of a resolver can lead elsewhere.
func (g *guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("reading the address: %w", err)
	}
	named := g.hostAllowed(host, port)
	note, _ := ctx.Value(reachKey{}).(*reach)
	dialer := net.Dialer{
		Timeout: connectTimeout,
		ControlContext: func(_ context.Context, network, address string, _ syscall.RawConn) error {
			if g.strict.Safe(network, address, nil) == nil {
				return nil
			}
			if !named && g.listed.Safe(network, address, nil) != nil {
				return &BlockedError{Address: address}
			}
			if note != nil {
				note.inside.Store(true)
			}
			return nil
		},
	}
	return dialer.DialContext(ctx, network, address)
}

// lookUp is how long a name may take to be looked up when settings are checked.
const lookUp = 2 * time.Second

var oddNumber = regexp.MustCompile(`^(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+)){0,3}$`)

// checkURL says what is wrong with a receiver's address, as far as that is visible
// before dialling.
func checkURL(field, text string) *fault.Error {
	if text == "" {
		return fault.At(field, fault.Required, "The address is missing.")
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return fault.At(field, fault.Invalid, "The address cannot be read; write https://, the host and the path.")
	case u.Scheme != "https" && u.Scheme != "http":
		return fault.At(field, fault.Invalid, "The address begins with %q; only https:// and http:// can be used.", u.Scheme)
	case u.Hostname() == "":
		return fault.At(field, fault.Invalid, "The address has no host.")
	case u.User != nil:
		return fault.At(field, fault.Invalid, "The address holds a user or password; put it into a header.")
	}
	host := strings.ToLower(u.Hostname())
	if _, err := netip.ParseAddr(host); err != nil && oddNumber.MatchString(host) {
		return fault.At(field, fault.Invalid, "The host %q is an address in an unusual form; write it as four decimal numbers.", host)
	}
	return nil
}

// CheckReach says whether the receiver of an address may be reached, as far as that is
// visible now; what is dialled is looked at again. Fault: INVALID at url.
func (c *Client) CheckReach(ctx context.Context, text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" {
		return nil // checkURL says so
	}
	host := u.Hostname()
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	if c.guard.hostAllowed(host, port) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookUp)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil //nolint:nilerr // a name that cannot be looked up now may be later; dialling looks again
	}
	for _, ip := range addresses {
		if err := c.guard.listed.SafeAddr(ip.Unmap()); errors.Is(err, ssrf.ErrProhibitedIP) {
			return fault.At("url", fault.Invalid, "The host %q leads to %s, an internal address. Choose another receiver, or list it in the setting %s of all servers.", host, ip, AllowSetting)
		}
	}
	return nil
}
