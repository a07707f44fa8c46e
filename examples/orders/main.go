// Command orders is a small order service with an embedded Belfry worker. It shows
// what a team's own service looks like: its HTTP endpoints enqueue tasks, and its
// handlers run them, on this node or on any other of the same group.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/client"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cfg, err := parse(os.Args[1:], os.Getenv)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if err := run(ctx, cfg, slog.New(slog.NewTextHandler(os.Stdout, nil))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves until ctx ends; then it takes no more requests, lets the worker drain
// and returns.
func run(ctx context.Context, cfg config, log *slog.Logger) error {
	s, w, err := assemble(cfg, log)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", cfg.listen)
	if err != nil {
		return fmt.Errorf("listening on %s: %w", cfg.listen, err)
	}
	log.Info("orders is serving", "url", "http://"+listener.Addr().String(), "node", w.Name(), "group", cfg.group)

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	server := &http.Server{Handler: s.routes(), ReadHeaderTimeout: 5 * time.Second}
	var loops sync.WaitGroup
	loops.Go(func() { s.takeOrders(ctx, cfg.every) })
	loops.Go(func() {
		<-ctx.Done()
		done, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if err := server.Shutdown(done); err != nil {
			log.Warn("requests were cut off", "error", err)
		}
	})
	served := make(chan error, 1)
	loops.Go(func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			served <- err
			stop()
		}
	})
	err = w.Run(ctx) // also drains when the HTTP server has failed
	stop()
	loops.Wait()
	close(served)
	return errors.Join(err, <-served)
}

// assemble makes the service and its worker.
func assemble(cfg config, log *slog.Logger) (*service, *worker.Worker, error) {
	c, err := client.New(client.Config{Server: cfg.server, App: cfg.app, Key: cfg.key, HTTPClient: cfg.http})
	if err != nil {
		return nil, nil, err
	}
	w, err := worker.New(worker.Config{
		Server: cfg.server, App: cfg.app, Key: cfg.key, Group: cfg.group, Name: cfg.node,
		Logger: log, HTTPClient: cfg.http, Labels: map[string]string{"service": "orders"},
	})
	if err != nil {
		return nil, nil, err
	}
	s := &service{orders: newOrders(), jobs: c, worker: w, closeAfter: cfg.closeAfter, log: log}
	worker.Handle(w, "SyncOrders", s.syncOrders)
	worker.Handle(w, "CloseOrder", s.closeOrder)
	worker.Handle(w, "ReportDaily", s.reportDaily)
	return s, w, nil
}
