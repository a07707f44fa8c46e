package link

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"
)

const (
	// dialTimeout is shorter than a call's: a machine that drops packets must not use
	// up the time in which another server could answer.
	dialTimeout = 4 * time.Second
	// pingAfter and pingTimeout end an HTTP/2 connection whose other end is gone
	// without a word. All requests share it, so that all would fail on it.
	pingAfter   = 5 * time.Second
	pingTimeout = 5 * time.Second
)

// Direct as Config.Proxy means that no proxy is used, whatever the environment says.
const Direct = "direct"

// httpClient makes the client of a Config.
func httpClient(cfg *Config) (client *http.Client, owned bool, err error) {
	if cfg.HTTPClient != nil {
		shared := *cfg.HTTPClient
		shared.Timeout = 0 // would cut the stream
		return &shared, false, cfg.onlyClient()
	}
	tlsConfig, tlsErr := cfg.tls()
	proxy, proxyErr := cfg.proxy()
	if err := errors.Join(tlsErr, proxyErr); err != nil {
		return nil, false, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	transport.DisableCompression = true
	transport.TLSClientConfig = tlsConfig
	transport.TLSHandshakeTimeout = dialTimeout
	transport.Proxy = proxy
	transport.DialContext = (&net.Dialer{Timeout: dialTimeout, KeepAlive: 15 * time.Second}).DialContext
	transport.HTTP2 = &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingTimeout}
	return &http.Client{
		Transport: transport,
		// A redirect would turn a POST into a GET; better to say so.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, true, nil
}

// onlyClient refuses what a client of the user's has to bring itself.
func (c *Config) onlyClient() error {
	var wrong []error
	for _, f := range []struct {
		field string
		given bool
	}{
		{"TLS", c.TLS != nil},
		{"CAFile", c.CAFile != ""},
		{"CertFile", c.CertFile != ""},
		{"KeyFile", c.KeyFile != ""},
		{"Proxy", c.Proxy != ""},
	} {
		if f.given {
			wrong = append(wrong, fmt.Errorf("%s is given together with Config.HTTPClient, which would not heed it: set it up in the client's Transport, or leave out HTTPClient", "Config."+f.field))
		}
	}
	return errors.Join(wrong...)
}

// tls returns the set-up of TLS connections, nil for Go's own.
func (c *Config) tls() (*tls.Config, error) {
	var wrong []error
	out := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.TLS != nil {
		out = c.TLS.Clone()
	}
	if c.CAFile != "" {
		if pool, err := readCA(c.CAFile, out.RootCAs); err != nil {
			wrong = append(wrong, err)
		} else {
			out.RootCAs = pool
		}
	}
	if (c.CertFile == "") != (c.KeyFile == "") {
		wrong = append(wrong, fmt.Errorf("Config.CertFile is %q and Config.KeyFile is %q: give both, the client certificate and its private key, or neither", c.CertFile, c.KeyFile))
	} else if c.CertFile != "" {
		if _, err := c.certificate(); err != nil {
			wrong = append(wrong, err)
		}
		// Read again for each connection: short-lived certificates are replaced on
		// disk while the process runs.
		out.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return c.certificate() }
	}
	return out, errors.Join(wrong...)
}

func (c *Config) certificate() (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(c.CertFile, c.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("Config.CertFile %q with Config.KeyFile %q cannot be used: %w; give a certificate and its private key as PEM files", c.CertFile, c.KeyFile, err)
	}
	return &pair, nil
}

// readCA adds the certificates of a file to those that are trusted: pool, or the
// system's.
func readCA(file string, pool *x509.CertPool) (*x509.CertPool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("Config.CAFile %q cannot be read: %w; give a PEM file with the authority's certificate", file, err)
	}
	if pool == nil {
		if pool, err = x509.SystemCertPool(); err != nil {
			pool = x509.NewCertPool() // a system without certificates of its own
		}
	} else {
		pool = pool.Clone()
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("Config.CAFile %q holds no certificate: give a PEM file, which begins with -----BEGIN CERTIFICATE-----", file)
	}
	return pool, nil
}

// proxy returns how the proxy of a request is found, nil for none.
func (c *Config) proxy() (func(*http.Request) (*url.URL, error), error) {
	switch c.Proxy {
	case "":
		return http.ProxyFromEnvironment, nil
	case Direct:
		return nil, nil
	}
	u, err := url.Parse(c.Proxy)
	if err != nil {
		return nil, errors.New("Config.Proxy is no URL: write it as http://proxy:3128, or direct for none") // a password may stand in it
	}
	switch u.Scheme {
	case "http", "https", "socks5", "socks5h":
	default:
		return nil, fmt.Errorf("Config.Proxy %q has the scheme %q: write it as http://proxy:3128, https:// or socks5://, or direct for none", u.Redacted(), u.Scheme)
	}
	if u.Hostname() == "" {
		return nil, fmt.Errorf("Config.Proxy %q names no host: write it as http://proxy:3128, or direct for none", u.Redacted())
	}
	return http.ProxyURL(u), nil
}
