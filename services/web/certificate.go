package web

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// lookAgain is how often the files of a certificate are looked at.
const lookAgain = 10 * time.Second

// TLSFiles are where a certificate is; both empty: the server speaks plain HTTP.
type TLSFiles struct {
	Cert string // PEM, the server's own certificate first
	Key  string // PEM
}

// certificate is a key pair in files, which is read again when they change. Connections
// that are open keep what they began with.
type certificate struct {
	files   TLSFiles
	log     *slog.Logger
	current atomic.Pointer[tls.Certificate]

	mu   sync.Mutex
	seen [sha256.Size]byte // of both files, as they were tried last
}

// loadCertificate reads the files for the first time.
func loadCertificate(files TLSFiles, log *slog.Logger) (*certificate, error) {
	c := &certificate{files: files, log: log}
	cert, key, err := c.read()
	if err != nil {
		return nil, err
	}
	c.seen = sha256.Sum256(append(cert, key...))
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("the certificate %s and the key %s cannot be used together: %w", files.Cert, files.Key, err)
	}
	c.current.Store(&pair)
	return c, nil
}

func (c *certificate) read() (cert, key []byte, err error) {
	if cert, err = os.ReadFile(c.files.Cert); err != nil {
		return nil, nil, fmt.Errorf("reading the certificate (BELFRY_TLS_CERT): %w", err)
	}
	if key, err = os.ReadFile(c.files.Key); err != nil {
		return nil, nil, fmt.Errorf("reading the certificate's key (BELFRY_TLS_KEY): %w", err)
	}
	return cert, key, nil
}

// reload takes the files' present content if it has changed and can be used; else the
// certificate before stays, and the log says why, once for each content.
func (c *certificate) reload(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	cert, key, err := c.read()
	sum := sha256.Sum256(append(cert, key...))
	if sum == c.seen {
		return
	}
	c.seen = sum
	if err == nil {
		var pair tls.Certificate
		if pair, err = tls.X509KeyPair(cert, key); err == nil {
			c.current.Store(&pair)
			c.log.InfoContext(ctx, "the certificate was read anew", "file", c.files.Cert, "ends_at", pair.Leaf.NotAfter.UTC())
			return
		}
	}
	c.log.ErrorContext(ctx, "the changed certificate cannot be used, the one before stays: put a certificate and its key into the files",
		"certificate", c.files.Cert, "key", c.files.Key, "error", err, "ends_at", c.endsAt())
}

// watch looks at the files until ctx ends.
func (c *certificate) watch(ctx context.Context) {
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			c.reload(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// endsAt is when the certificate in use ends.
func (c *certificate) endsAt() time.Time { return c.current.Load().Leaf.NotAfter.UTC() }

// config is how TLS is spoken.
func (c *certificate) config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return c.current.Load(), nil
		},
	}
}
