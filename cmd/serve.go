package cmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/config"
	"github.com/belfry-scheduler/belfry/services/store"
)

type serveCommand struct {
	config.Serve
	DebugListen string `env:"BELFRY_DEBUG_LISTEN" placeholder:"ADDR" help:"Address for Go's profiles (/debug/pprof/), without authentication: loopback only. Off by default."`
}

// Run serves until ctx ends, then stops in order.
func (c *serveCommand) Run(ctx context.Context, io IO) error {
	settings, err := c.Resolve()
	if err != nil {
		return &usageError{err: err}
	}
	logger := settings.Logger(io.Stderr)
	st, err := openPatiently(ctx, store.Options{URL: settings.DatabaseURL.Reveal(), Logger: logger, Clock: clock.System{}}, logger)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	if err := st.Migrate(ctx); err != nil {
		return err
	}
	s, err := assemble(settings, st, logger, versionOf(io.Version))
	if err != nil {
		return err
	}
	if err := s.admin(ctx, settings.AdminPassword.Reveal()); err != nil {
		return err
	}
	return s.run(ctx, func(url string) error {
		if c.DebugListen != "" {
			debug, err := s.serveDebug(ctx, c.DebugListen)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(io.Stdout, "Debug endpoints are at http://%s\n", debug); err != nil {
				return fmt.Errorf("writing to standard output: %w", err)
			}
		}
		return ready(io, url)
	})
}

// ready prints the line that programs wait for.
func ready(io IO, url string) error {
	if _, err := fmt.Fprintf(io.Stdout, "Belfry is ready at %s\n", url); err != nil {
		return fmt.Errorf("writing to standard output: %w", err)
	}
	return nil
}

// admin sees to it that somebody can sign in.
func (s *server) admin(ctx context.Context, password string) error {
	secret, err := s.accounts.EnsureFirstAdmin(ctx, password)
	if err != nil {
		return inputOrFailure(err)
	}
	s.setUpLink = secret
	return nil
}

// run starts everything, calls begun with the address that is listened on, and stops
// everything when ctx ends or the front fails.
func (s *server) run(ctx context.Context, begun func(url string) error) error {
	if err := s.stack.Start(ctx); err != nil {
		return err
	}
	if s.setUpLink != "" {
		s.logger.WarnContext(ctx, "no administrator has a password yet: open this link once to set one", "link", welcome(s.url(), s.setUpLink))
	}
	s.reloadOnHangUp(ctx)
	err := begun(s.bound())
	if err == nil {
		select {
		case <-ctx.Done():
		case err = <-s.front.Failed():
		}
	}
	s.logger.InfoContext(ctx, "stopping")
	s.owner.Stopping()
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.settings.ShutdownTimeout)
	defer cancel()
	return errors.Join(err, s.stack.Stop(stopping))
}

// reloadOnHangUp reads the certificate anew when the process is sent SIGHUP, until ctx ends.
func (s *server) reloadOnHangUp(ctx context.Context) {
	if s.settings.TLSCert == "" {
		return
	}
	hangUp := make(chan os.Signal, 1)
	signal.Notify(hangUp, syscall.SIGHUP)
	go func() { // ends with ctx
		defer signal.Stop(hangUp)
		for {
			select {
			case <-hangUp:
				s.front.Reload(ctx)
			case <-ctx.Done():
				return
			}
		}
	}()
}

// url is the address that is told to people: the public one, or what is bound.
func (s *server) url() string {
	if s.settings.PublicURL != "" {
		return s.settings.PublicURL
	}
	return s.bound()
}

// bound is the address that is listened on.
func (s *server) bound() string {
	scheme := "http"
	if s.settings.TLSCert != "" {
		scheme = "https"
	}
	return scheme + "://" + s.front.Addr()
}

// welcome is a one-time link.
func welcome(url, secret string) string { return url + account.WelcomePath + secret }

// quiet is the logger of the one-process form: warnings, as text.
func quiet(io IO) *slog.Logger {
	return config.Settings{LogLevel: slog.LevelWarn, LogFormat: config.LogText}.Logger(io.Stderr)
}

const devShutdown = 10 * time.Second
