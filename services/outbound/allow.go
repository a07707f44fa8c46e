package outbound

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

// Allow lists internal receivers that may be reached. The zero value lists none.
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
			if ip, err := netip.ParseAddr(strings.Trim(entry, "[]")); err == nil && ip.Zone() == "" {
				a.prefixes = append(a.prefixes, netip.PrefixFrom(ip.Unmap(), ip.Unmap().BitLen()))
				continue
			}
			if !hostName.MatchString(entry) || oddNumber.MatchString(entry) {
				return nil, fmt.Errorf("%q is no network like 10.1.0.0/16, no address and no host name", entry)
			}
			a.hosts[entry] = true
		}
	}
	return a, nil
}

// host says whether a host is listed by name.
func (a *Allow) host(host, port string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return a.hosts[host] || a.hosts[host+":"+port]
}

// split answers the networks of either version.
func (a *Allow) split() (v4, v6 []netip.Prefix) {
	for _, p := range a.prefixes {
		if p.Addr().Is4() {
			v4 = append(v4, p)
		} else {
			v6 = append(v6, p)
		}
	}
	return v4, v6
}

// Networks wider than these hold more than one network of one organisation: what is
// listed so is hardly meant.
const (
	wideV4 = 12
	wideV6 = 32
)

// sensitive are addresses that no receiver of messages has: this machine, and what tells
// a cloud's machines their credentials.
var sensitive = []netip.Addr{
	netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("::1"), netip.MustParseAddr("169.254.169.254"), netip.MustParseAddr("fd00:ec2::254"),
}

// Wide answers the listed networks that hold more than receivers need: whole address
// spaces, this machine, or the metadata service of clouds.
func (a *Allow) Wide() []string {
	var wide []string
	for _, p := range a.prefixes {
		most := wideV6
		if p.Addr().Is4() {
			most = wideV4
		}
		// One single address was surely meant.
		if p.Bits() < most || !p.IsSingleIP() && slices.ContainsFunc(sensitive, p.Contains) {
			wide = append(wide, p.String())
		}
	}
	return wide
}
