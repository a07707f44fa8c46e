package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	headerTimeout  = 10 * time.Second // to send a request's headers
	idleTimeout    = 2 * time.Minute  // between two requests of one connection
	maxHeaderBytes = 64 << 10
)

// Server listens and serves. Reading and writing have no time limit as a whole,
// since streams live long: each handler bounds its own.
type Server struct {
	listen string
	http   *http.Server
	log    *slog.Logger
	drain  []func(ctx context.Context) error
	files  TLSFiles
	failed chan error // one element: why serving ended by itself

	mu       sync.Mutex
	listener net.Listener
	cert     *certificate // nil without TLS, and before Start
	unwatch  func()       // ends the look at the certificate's files
	wg       sync.WaitGroup
}

// ServerConfig is what a server needs.
type ServerConfig struct {
	Listen  string // host:port; port 0 picks a free one
	Handler http.Handler
	TLS     TLSFiles // without them plain HTTP is spoken
	Logger  *slog.Logger
	// Drain ends answers that would last for ever; each is called when the server
	// stops, before it waits for the others.
	Drain []func(ctx context.Context) error
}

// NewServer makes a server that does not listen yet.
func NewServer(c ServerConfig) *Server {
	return &Server{
		listen: c.Listen, log: c.Logger, drain: c.Drain, files: c.TLS, unwatch: func() {},
		failed: make(chan error, 1),
		http: &http.Server{
			Handler:           c.Handler,
			ReadHeaderTimeout: headerTimeout,
			IdleTimeout:       idleTimeout,
			MaxHeaderBytes:    maxHeaderBytes,
			ErrorLog:          slog.NewLogLogger(c.Logger.Handler(), slog.LevelDebug),
		},
	}
}

// Start listens and serves in the background. It fails when the address cannot be
// had, or the certificate cannot be used.
func (s *Server) Start(ctx context.Context) error {
	var cert *certificate
	if s.files != (TLSFiles{}) {
		var err error
		if cert, err = loadCertificate(s.files, s.log); err != nil {
			return err
		}
		s.http.TLSConfig = cert.config()
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.listen)
	if err != nil {
		return fmt.Errorf("listening on %s: %w", s.listen, err)
	}
	watching, unwatch := context.WithCancel(context.WithoutCancel(ctx))
	s.mu.Lock()
	s.listener, s.cert, s.unwatch = listener, cert, unwatch
	s.mu.Unlock()
	serve := s.http.Serve
	if cert != nil {
		serve = func(l net.Listener) error { return s.http.ServeTLS(l, "", "") }
		s.wg.Go(func() { cert.watch(watching) })
	}
	s.wg.Go(func() {
		if err := serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- fmt.Errorf("serving HTTP: %w", err)
		}
	})
	return nil
}

// Reload reads the certificate's files again at once, if there are any.
func (s *Server) Reload(ctx context.Context) {
	if cert := s.certificate(); cert != nil {
		cert.reload(ctx)
	}
}

// CertificateEnds is when the certificate ends; zero without TLS.
func (s *Server) CertificateEnds() time.Time {
	if cert := s.certificate(); cert != nil {
		return cert.endsAt()
	}
	return time.Time{}
}

func (s *Server) certificate() *certificate {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cert
}

// Addr is the bound address, host:port; empty before Start.
func (s *Server) Addr() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener == nil {
		return ""
	}
	return s.listener.Addr().String()
}

// Failed tells when the server has stopped serving by itself, and why.
func (s *Server) Failed() <-chan error { return s.failed }

// Stop takes no more connections, ends the streams and waits for the answers
// under way until ctx ends; then it cuts what is left. It may be called again.
func (s *Server) Stop(ctx context.Context) error {
	var mu sync.Mutex
	var all []error
	note := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, err)
	}
	var wg sync.WaitGroup
	for _, drain := range s.drain {
		wg.Go(func() { note(drain(ctx)) })
	}
	wg.Go(func() {
		if err := s.http.Shutdown(ctx); err != nil {
			note(fmt.Errorf("waiting for answers under way: %w", errors.Join(err, s.http.Close())))
		}
	})
	wg.Wait()
	s.mu.Lock()
	unwatch := s.unwatch
	s.mu.Unlock()
	unwatch()
	s.wg.Wait()
	return errors.Join(all...)
}
