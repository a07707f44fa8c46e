package link

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"syscall"
)

// remedy says what a person can do about a request without an answer, "" when the
// error says enough.
func remedy(server string, err error) string {
	if text := tlsRemedy(server, err); text != "" {
		return text
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "proxyconnect" {
		return "the proxy cannot be used: check Config.Proxy, or HTTPS_PROXY, HTTP_PROXY and NO_PROXY in the environment"
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return fmt.Sprintf("the host name %q is not known: check Config.Server", dns.Name)
	}
	switch text := err.Error(); {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens there: check host and port in Config.Server, and that the server runs"
	case errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		return "the server hangs, or a firewall drops what is sent to it"
	case strings.Contains(text, "malformed HTTP"):
		return "what listens there does not speak HTTP: check the port in Config.Server"
	case strings.Contains(text, "Proxy Authentication Required"):
		return "the proxy wants a user and password: write them into its URL, as http://user:password@proxy:3128"
	case strings.Contains(text, "socks connect"):
		return "the proxy cannot be used: check Config.Proxy, or HTTPS_PROXY, HTTP_PROXY and NO_PROXY in the environment"
	}
	return ""
}

func isTimeout(err error) bool {
	t, ok := errors.AsType[net.Error](err)
	return ok && t.Timeout()
}

// tlsRemedy is remedy for a failed TLS handshake.
func tlsRemedy(server string, err error) string {
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "its certificate is signed by an authority that is not trusted here: give the authority's certificate in Config.CAFile"
	}
	if bad, ok := errors.AsType[x509.HostnameError](err); ok {
		return fmt.Sprintf("its certificate is not for %q: write a name that stands in the certificate into Config.Server", bad.Host)
	}
	if bad, ok := errors.AsType[x509.CertificateInvalidError](err); ok && bad.Reason == x509.Expired {
		return "its certificate has expired or is not valid yet: renew it, or set this machine's clock right"
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return "it does not speak TLS: write " + withScheme(server, "http") + " in Config.Server"
	}
	text := err.Error()
	if strings.Contains(text, "server gave HTTP response to HTTPS client") {
		return "it does not speak TLS: write " + withScheme(server, "http") + " in Config.Server"
	}
	if strings.Contains(text, "remote error: tls:") {
		return clientCertificate(text)
	}
	if strings.Contains(text, "http2: client conn could not be established") { // the refusal itself was overtaken
		return "it closed the connection right after the handshake: if it wants a client certificate, give one in Config.CertFile and Config.KeyFile"
	}
	return ""
}

// clientCertificate says what a TLS server's refusal means; with TLS 1.3 it comes
// after the handshake, as the first answer.
func clientCertificate(alert string) string {
	switch {
	case strings.Contains(alert, "certificate required"), strings.Contains(alert, "handshake failure"):
		return "it wants a client certificate: give one in Config.CertFile and Config.KeyFile"
	case strings.Contains(alert, "certificate"), strings.Contains(alert, "unknown certificate authority"):
		return "it does not accept this client certificate: give one that its authority has signed in Config.CertFile and Config.KeyFile"
	}
	return ""
}

// withScheme returns server with another scheme.
func withScheme(server, scheme string) string {
	u, err := url.Parse(server)
	if err != nil {
		return scheme + "://…"
	}
	u.Scheme = scheme
	return u.String()
}
