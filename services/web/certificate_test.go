package web

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pair writes a certificate with a serial number, and its key; it answers the certificate.
func pair(t *testing.T, files TLSFiles, serial int64) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotBefore: time.Unix(1_700_000_000, 0), NotAfter: time.Unix(4_000_000_000, 0),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, files.Cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	write(t, files.Key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}))
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func someFiles(t *testing.T) TLSFiles {
	t.Helper()
	dir := t.TempDir()
	return TLSFiles{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
}

// lines is a log that may be read while it is written.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *lines) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.buf.String(), text)
}

// serveTLS starts a server that answers with the path, in chunks that a channel paces.
func serveTLS(t *testing.T, files TLSFiles, log *lines, pace <-chan struct{}) *Server {
	t.Helper()
	s := NewServer(ServerConfig{
		Listen: "127.0.0.1:0", TLS: files, Logger: slog.New(slog.NewTextHandler(log, nil)),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/long" {
				_, _ = io.WriteString(w, "first\n")
				_ = http.NewResponseController(w).Flush()
				<-pace
			}
			_, _ = io.WriteString(w, "last\n")
		}),
	})
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return s
}

// serial is the number of the certificate that a new connection sees.
func serial(t *testing.T, s *Server) int64 {
	t.Helper()
	conn, err := (&tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}).DialContext(t.Context(), "tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return conn.(*tls.Conn).ConnectionState().PeerCertificates[0].SerialNumber.Int64()
}

func TestCertificateIsReloaded(t *testing.T) {
	t.Parallel()
	files, log, pace := someFiles(t), &lines{}, make(chan struct{})
	first := pair(t, files, 1)
	s := serveTLS(t, files, log, pace)
	if got := s.CertificateEnds(); !got.Equal(first.NotAfter) {
		t.Errorf("ends at %s", got)
	}
	roots := x509.NewCertPool()
	roots.AddCert(first)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
	defer client.CloseIdleConnections()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+s.Addr()+"/long", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body := bufio.NewReader(resp.Body)
	if line, err := body.ReadString('\n'); err != nil || line != "first\n" || resp.ProtoMajor != 2 {
		t.Fatalf("%q %v %s", line, err, resp.Proto)
	}

	pair(t, files, 2)
	s.Reload(t.Context())
	if got := serial(t, s); got != 2 {
		t.Errorf("a new connection sees certificate %d", got)
	}
	for _, bad := range []string{"", "no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"} {
		write(t, files.Cert, []byte(bad))
		before := log.count("the changed certificate cannot be used")
		s.Reload(t.Context())
		s.Reload(t.Context())
		if got := serial(t, s); got != 2 {
			t.Errorf("with %q a new connection sees certificate %d", bad, got)
		}
		if n := log.count("the changed certificate cannot be used") - before; n != 1 {
			t.Errorf("%q is told %d times", bad, n)
		}
	}
	pair(t, someFiles(t), 3)
	pair(t, files, 4)
	s.Reload(t.Context())
	if got := serial(t, s); got != 4 {
		t.Errorf("after a bad one, a new connection sees certificate %d", got)
	}
	close(pace)
	if rest, err := io.ReadAll(body); err != nil || string(rest) != "last\n" {
		t.Errorf("the connection that was open ended with %q, %v", rest, err)
	}
}

func TestOldVersionsOfTLSAreRefused(t *testing.T) {
	t.Parallel()
	files := someFiles(t)
	pair(t, files, 1)
	s := serveTLS(t, files, &lines{}, nil)
	for version, want := range map[uint16]bool{tls.VersionTLS10: false, tls.VersionTLS11: false, tls.VersionTLS12: true, tls.VersionTLS13: true} {
		d := &tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, MinVersion: version, MaxVersion: version}}
		conn, err := d.DialContext(t.Context(), "tcp", s.Addr())
		if err == nil {
			_ = conn.Close()
		}
		if (err == nil) != want {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
	}
}

func TestAServerWithoutItsCertificateDoesNotStart(t *testing.T) {
	t.Parallel()
	files, other := someFiles(t), someFiles(t)
	pair(t, files, 1)
	pair(t, other, 2)
	for name, tt := range map[string]struct {
		files TLSFiles
		says  string
	}{
		"no certificate": {TLSFiles{Cert: files.Cert + "x", Key: files.Key}, "BELFRY_TLS_CERT"},
		"no key":         {TLSFiles{Cert: files.Cert, Key: files.Key + "x"}, "BELFRY_TLS_KEY"},
		"another's key":  {TLSFiles{Cert: files.Cert, Key: other.Key}, "cannot be used together"},
	} {
		s := NewServer(ServerConfig{Listen: "127.0.0.1:0", TLS: tt.files, Handler: http.NotFoundHandler(), Logger: slog.New(slog.DiscardHandler)})
		if err := s.Start(t.Context()); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// Nobody need tell a server of its new certificate.
func TestCertificateIsLookedAt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		files, log := someFiles(t), &lines{}
		pair(t, files, 1)
		c, err := loadCertificate(files, slog.New(slog.NewTextHandler(log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); c.watch(ctx) }()
		for n := int64(2); n < 4; n++ {
			pair(t, files, n)
			time.Sleep(lookAgain + time.Second)
			synctest.Wait()
			if got := fmt.Sprint(c.current.Load().Leaf.SerialNumber); got != fmt.Sprint(n) {
				t.Errorf("certificate %s, want %d", got, n)
			}
		}
		if log.count("was read anew") != 2 {
			t.Error("the log says nothing of it")
		}
		cancel()
		<-done
	})
}
