package outbound

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// carried are the headers that go along to another host: what says nothing about who
// asks.
var carried = map[string]bool{"Accept": true, "Accept-Language": true, "Content-Type": true, "User-Agent": true}

// follow decides about redirects. Where each leads is checked by the transport, which
// sends it; here is decided what goes along. Go itself hands Authorization on to
// subdomains, any other header to anybody, and tells the next host the address before,
// which for webhooks is a secret.
func follow(most int) func(*http.Request, []*http.Request) error {
	return func(next *http.Request, before []*http.Request) error {
		last := before[len(before)-1]
		switch {
		case most == 0:
			return http.ErrUseLastResponse
		case len(before) > most:
			return fmt.Errorf("more than %d redirects were answered", most)
		case last.URL.Scheme == "https" && next.URL.Scheme != "https":
			return fmt.Errorf("a redirect leads from https:// to %s://, which is not followed", next.URL.Scheme)
		}
		next.Header.Del("Referer")
		if sameHost(last.URL, next.URL) {
			return nil
		}
		if next.Body != nil && next.Body != http.NoBody {
			return fmt.Errorf("a redirect leads to another host (%s), which is not sent what was meant for the first", next.URL.Hostname())
		}
		for name := range next.Header {
			if !carried[name] {
				next.Header.Del(name)
			}
		}
		return nil
	}
}

// sameHost says whether two addresses lead to the same host and port.
func sameHost(a, b *url.URL) bool {
	return strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}
