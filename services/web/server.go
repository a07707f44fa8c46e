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
	failed chan error // one element: why serving ended by itself

	mu       sync.Mutex
	listener net.Listener
	wg       sync.WaitGroup
}

// ServerConfig is what a server needs.
type ServerConfig struct {
	Listen  string // host:port; port 0 picks a free one
	Handler http.Handler
	Logger  *slog.Logger
	// Drain ends answers that would last for ever; each is called when the server
	// stops, before it waits for the others.
	Drain []func(ctx context.Context) error
}

// NewServer makes a server that does not listen yet.
func NewServer(c ServerConfig) *Server {
	return &Server{
		listen: c.Listen, log: c.Logger, drain: c.Drain,
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
// had.
func (s *Server) Start(ctx context.Context) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.listen)
	if err != nil {
		return fmt.Errorf("listening on %s: %w", s.listen, err)
	}
	s.mu.Lock()
	s.listener = listener
	s.mu.Unlock()
	s.wg.Go(func() {
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- fmt.Errorf("serving HTTP: %w", err)
		}
	})
	return nil
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
	s.wg.Wait()
	return errors.Join(all...)
}
