package outbound

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"

	"code.dny.dev/ssrf"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// lookUp is how long a name may take to be looked up when settings are checked.
const lookUp = 2 * time.Second

// oddNumber are addresses as inet_aton reads them: decimal, octal, hexadecimal, with less
// than four parts. Some resolvers take them for addresses, others for names.
var oddNumber = regexp.MustCompile(`^(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+)){0,3}$`)

// CheckURL says what is wrong with a receiver's address, as far as that is visible before
// anything is looked up; nil when it can be used. The text of an address is secret and in
// no answer but for its host. Faults at field: REQUIRED, INVALID.
func CheckURL(field, text string) *fault.Error {
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
	case odd(u.Hostname()):
		return fault.At(field, fault.Invalid, "The host %q is an address in an unusual form; write it as four decimal numbers.", u.Hostname())
	}
	return nil
}

// odd says whether a host is an address that not everybody reads alike.
func odd(host string) bool {
	_, err := netip.ParseAddr(host) // "127.0.0.1." is none, and means the same to some
	return err != nil && oddNumber.MatchString(strings.TrimSuffix(strings.ToLower(host), "."))
}

// CheckReach says whether the receiver of an address may be reached, as far as that is
// visible now; what is dialled is looked at again. Fault: INVALID at field.
func (c *Client) CheckReach(ctx context.Context, field, text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" {
		return nil //nolint:nilerr // CheckURL says so
	}
	host, g := u.Hostname(), c.guard
	if g.allow.host(host, portOf(u)) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookUp)
	defer cancel()
	resolver := g.resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	addresses, err := resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil //nolint:nilerr // a name that cannot be looked up now may be later; dialling looks again
	}
	for _, ip := range addresses {
		if err := g.listed.SafeAddr(ip.Unmap()); errors.Is(err, ssrf.ErrProhibitedIP) {
			return fault.At(field, fault.Invalid, "The host %q leads to %s, an internal address. Choose another receiver, or list it in the setting %s of all servers.", host, ip, g.setting)
		}
	}
	return nil
}

// portOf is the port that an address leads to.
func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}
