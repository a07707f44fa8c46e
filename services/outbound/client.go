// Package outbound is the one way in which the server sends HTTP requests to addresses
// that people enter, or that others answer with: webhooks and the sign-in provider. Its
// client reaches no internal address unless it is listed, whatever name, redirect or
// spelling leads there, takes nothing of an answer but a bounded part, and hands no
// credentials from one host to another.
package outbound

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"
)

// AllowSetting is the setting that allows internal receivers of messages.
const AllowSetting = "BELFRY_WEBHOOK_ALLOW"

const (
	connectTimeout = 5 * time.Second
	headerBytes    = 64 << 10 // of an answer's headers
	// DefaultTimeout bounds a request with all its redirects and its answer.
	DefaultTimeout = 20 * time.Second
	// DefaultBody bounds an answer in bytes.
	DefaultBody = 1 << 20
)

// ErrTooLarge ends the reading of an answer that is longer than allowed.
var ErrTooLarge = errors.New("the answer is too large")

// Config is what a client needs.
type Config struct {
	Allow   *Allow // internal receivers that may be reached; nil: none
	Setting string // the setting that Allow comes from, for messages; empty: AllowSetting
	// Proxy takes all requests instead of their receivers; nil: none. The environment's
	// HTTP_PROXY is never followed: a proxy looks names up by itself, past the address
	// check. With one, only addresses in numbers are checked here; for names the proxy's
	// own rules are all there is.
	Proxy *url.URL
	// Redirects is how many are followed, each checked as the first address; 0: none, and
	// the answer that leads elsewhere is the answer.
	Redirects int
	Timeout   time.Duration  // of a request, all in all; 0: DefaultTimeout
	MaxBody   int64          // bytes of an answer; 0: DefaultBody
	Roots     *x509.CertPool // certificates that are trusted; nil: the system's
	Resolver  *net.Resolver  // nil: the system's
}

// Client sends requests. It is safe for concurrent use and keeps no connection.
type Client struct {
	// HTTP is the client for those that take one.
	HTTP  *http.Client
	guard *guard
}

// New makes a client.
func New(c Config) *Client {
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	if c.MaxBody == 0 {
		c.MaxBody = DefaultBody
	}
	g := newGuard(&c)
	transport := &http.Transport{
		Proxy:                  nil,
		DialContext:            g.dial,
		TLSClientConfig:        &tls.Config{RootCAs: c.Roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    connectTimeout,
		ResponseHeaderTimeout:  c.Timeout,
		MaxResponseHeaderBytes: headerBytes,
		DisableKeepAlives:      true, // each request is dialled, and judged, anew
		DisableCompression:     true, // a small answer cannot unfold into a large one
	}
	if c.Proxy != nil {
		transport.Proxy = http.ProxyURL(c.Proxy)
	}
	return &Client{
		HTTP: &http.Client{
			Transport:     &checked{next: transport, guard: g, maxBody: c.MaxBody},
			Timeout:       c.Timeout,
			CheckRedirect: follow(c.Redirects),
		},
		guard: g,
	}
}

// checked is a transport that looks at each request, those of redirects too, before it
// goes out, and bounds its answer.
type checked struct {
	next    http.RoundTripper
	guard   *guard
	maxBody int64
}

// RoundTrip implements http.RoundTripper.
func (t *checked) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := t.check(req.URL); err != nil {
		if req.Body != nil {
			_ = req.Body.Close() // as the interface asks for
		}
		return nil, err
	}
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	resp.Body = &bounded{body: resp.Body, left: t.maxBody}
	return resp, nil
}

// check refuses what is visible in the address itself. What it does not see is looked at
// when it is dialled, unless a proxy does the dialling.
func (t *checked) check(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("only http:// and https:// can be used, not %q", u.Scheme)
	}
	if odd(u.Hostname()) {
		return &BlockedError{Address: u.Hostname(), Setting: t.guard.setting}
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && !t.guard.allow.host(u.Hostname(), portOf(u)) && t.guard.listed.SafeAddr(ip.Unmap()) != nil {
		return &BlockedError{Address: u.Hostname(), Setting: t.guard.setting}
	}
	return nil
}

// bounded is a body of limited length. Longer ones end with an error, so that nobody
// takes a part for the whole.
type bounded struct {
	body io.ReadCloser
	left int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, ErrTooLarge
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.body.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, ErrTooLarge
	}
	return n, err
}

// Close implements io.Closer.
func (b *bounded) Close() error { return b.body.Close() }
