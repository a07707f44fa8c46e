package link

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// authority signs certificates and keeps them as PEM files.
type authority struct {
	dir    string
	cert   *x509.Certificate
	key    *ecdsa.PrivateKey
	serial int64
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{dir: t.TempDir()}
	a.sign(t, "ca", &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

// sign writes NAME.crt and NAME.key; the first one signs itself.
func (a *authority) sign(t *testing.T, name string, template *x509.Certificate) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a.serial++
	template.SerialNumber = big.NewInt(a.serial)
	template.Subject = pkix.Name{CommonName: name}
	if template.NotAfter.IsZero() {
		template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	}
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = template, private
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &private.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	if a.cert == nil {
		if a.cert, err = x509.ParseCertificate(der); err != nil {
			t.Fatal(err)
		}
		a.key = private
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(a.dir, name+".crt"), filepath.Join(a.dir, name+".key")
	writePEM(t, cert, "CERTIFICATE", der)
	writePEM(t, key, "PRIVATE KEY", pkcs8)
	return cert, key
}

func writePEM(t *testing.T, file, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}

// server serves 127.0.0.1 with a certificate of a; change may ask for more.
func (a *authority) server(t *testing.T, template *x509.Certificate, change func(*tls.Config)) *httptest.Server {
	t.Helper()
	cert, key := a.sign(t, fmt.Sprintf("server%d", a.serial), template)
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TLS.PeerCertificates) > 0 {
			w.Header().Set("X-Peer", r.TLS.PeerCertificates[0].Subject.CommonName)
		}
		_, _ = fmt.Fprintf(w, `{"server":%q}`, r.Proto+" "+w.Header().Get("X-Peer"))
	}))
	s.EnableHTTP2 = true
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	if change != nil {
		change(s.TLS)
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func local() *x509.Certificate {
	return &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
}

// get asks once and returns what the server says of itself, or the error.
func get(t *testing.T, cfg Config) (string, error) {
	t.Helper()
	cfg.Key = "key"
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var out struct{ Server string }
	err = l.Get(t.Context(), time.Minute, "/x", &out)
	return out.Server, err
}

func TestTLS(t *testing.T) {
	t.Parallel()
	ca := newAuthority(t)
	caFile := filepath.Join(ca.dir, "ca.crt")
	cert, key := ca.sign(t, "worker", &x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	pool := x509.NewCertPool()
	pool.AddCert(ca.cert)
	stranger, strangerKey := newAuthority(t).sign(t, "stranger", &x509.Certificate{})
	plain := ca.server(t, local(), nil)
	mutual := ca.server(t, local(), func(c *tls.Config) { c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, pool })
	otherName := ca.server(t, &x509.Certificate{DNSNames: []string{"belfry.example"}}, nil)
	expired := local()
	expired.NotBefore, expired.NotAfter = time.Now().Add(-2*time.Hour), time.Now().Add(-time.Hour)
	old := ca.server(t, expired, nil)
	clear := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(clear.Close)

	for name, c := range map[string]struct {
		cfg  Config
		want string // what the server says, or a part of the error
	}{
		"authority from a file":     {Config{Server: plain.URL, CAFile: caFile}, "HTTP/2.0 "},
		"authority from a config":   {Config{Server: plain.URL, TLS: &tls.Config{RootCAs: pool}}, "HTTP/2.0 "},
		"client certificate":        {Config{Server: mutual.URL, CAFile: caFile, CertFile: cert, KeyFile: key}, "HTTP/2.0 worker"},
		"unknown authority":         {Config{Server: plain.URL}, "give the authority's certificate in Config.CAFile"},
		"no client certificate":     {Config{Server: mutual.URL, CAFile: caFile}, "give one in Config.CertFile and Config.KeyFile"},
		"strange client":            {Config{Server: mutual.URL, CAFile: caFile, CertFile: stranger, KeyFile: strangerKey}, "Config.CertFile and Config.KeyFile"},
		"other name":                {Config{Server: otherName.URL, CAFile: caFile}, `its certificate is not for "127.0.0.1"`},
		"expired":                   {Config{Server: old.URL, CAFile: caFile}, "has expired"},
		"https to an http server":   {Config{Server: strings.Replace(clear.URL, "http:", "https:", 1)}, "it does not speak TLS: write " + clear.URL + " in Config.Server"},
		"http to an https server":   {Config{Server: strings.Replace(plain.URL, "https:", "http:", 1)}, "it speaks TLS: write " + plain.URL + " in Config.Server"},
		"good after a bad one":      {Config{Server: "https://127.0.0.1:1, " + plain.URL, CAFile: caFile}, "HTTP/2.0 "},
		"client certificate unused": {Config{Server: plain.URL, CAFile: caFile, CertFile: cert, KeyFile: key}, "HTTP/2.0 "},
	} {
		got, err := get(t, c.cfg)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestARenewedClientCertificateIsUsed(t *testing.T) {
	t.Parallel()
	ca := newAuthority(t)
	pool := x509.NewCertPool()
	pool.AddCert(ca.cert)
	server := ca.server(t, local(), func(c *tls.Config) { c.ClientAuth, c.ClientCAs = tls.RequireAndVerifyClientCert, pool })
	client := &x509.Certificate{ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	cert, key := ca.sign(t, "first", client)
	l, err := New(Config{Server: server.URL, CAFile: filepath.Join(ca.dir, "ca.crt"), CertFile: cert, KeyFile: key})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	second, secondKey := ca.sign(t, "second", client)
	if err := os.Rename(second, cert); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(secondKey, key); err != nil {
		t.Fatal(err)
	}
	var out struct{ Server string }
	if err := l.Get(t.Context(), time.Minute, "/x", &out); err != nil || out.Server != "HTTP/2.0 second" {
		t.Errorf("%q, %v", out.Server, err)
	}
}

func TestWrongFilesAreNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "missing")
	for name, c := range map[string]struct {
		change func(*Config)
		want   []string
	}{
		"no CA":       {func(c *Config) { c.CAFile = missing }, []string{"Config.CAFile", missing, "PEM file"}},
		"CA is text":  {func(c *Config) { c.CAFile = text }, []string{"Config.CAFile", text, "BEGIN CERTIFICATE"}},
		"no key":      {func(c *Config) { c.CertFile = text }, []string{"Config.CertFile", "Config.KeyFile", "give both"}},
		"no pair":     {func(c *Config) { c.CertFile, c.KeyFile = text, missing }, []string{"Config.CertFile", text, missing, "PEM"}},
		"proxy word":  {func(c *Config) { c.Proxy = "proxy" }, []string{"Config.Proxy", `"proxy"`, "http://proxy:3128"}},
		"proxy ftp":   {func(c *Config) { c.Proxy = "ftp://u:hidden@proxy" }, []string{"Config.Proxy", "ftp", "socks5://"}},
		"proxy host":  {func(c *Config) { c.Proxy = "http://" }, []string{"Config.Proxy", "names no host"}},
		"proxy odd":   {func(c *Config) { c.Proxy = "http://u:hidden@a b" }, []string{"Config.Proxy", "no URL"}},
		"own client":  {func(c *Config) { c.HTTPClient, c.Proxy, c.CAFile = &http.Client{}, "direct", text }, []string{"Config.Proxy", "Config.CAFile", "leave out HTTPClient"}},
		"all at once": {func(c *Config) { c.Server, c.Servers, c.Proxy = "", []string{"x"}, "y" }, []string{"Config.Servers[0]", "Config.Proxy"}},
	} {
		cfg := Config{Server: "http://a"}
		c.change(&cfg)
		_, err := New(cfg)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hidden") {
				t.Errorf("%s: %q lacks %q or shows a password", name, err, want)
			}
		}
	}
}
