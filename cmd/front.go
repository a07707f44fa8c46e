package cmd

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/belfry-scheduler/belfry/console"
	"github.com/belfry-scheduler/belfry/graph"
	"github.com/belfry-scheduler/belfry/internal/demo"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/task"
	"github.com/belfry-scheduler/belfry/services/web"
	"github.com/belfry-scheduler/belfry/services/web/request"
	"github.com/belfry-scheduler/belfry/services/why"
)

// makeFront makes the API and the HTTP front and puts them on the stack.
func (s *server) makeFront() error {
	auth, err := web.NewAuth(s.accounts, s.settings.PublicURL)
	if err != nil {
		return err
	}
	files := web.TLSFiles{Cert: s.settings.TLSCert, Key: s.settings.TLSKey}
	api, err := graph.New(graph.Config{
		Services: graph.Services{
			Jobs: s.jobs, Tasks: s.tasks, Backfills: s.fills, Bulks: s.bulks, Book: s.alerts.book, Alerts: s.desk, Reports: s.alerts.reports, Why: why.New(s.store, s.clock), Calendars: s.calendars, Fleet: s.fleet, Accounts: s.accounts, Audit: s.trail, Posture: s.posture(), Bus: s.bus, Counts: s.store,
		},
		Installation: graph.Installation{
			ServerID: s.id, Version: s.version, PublicURL: s.url, Embedded: s.settings.Embedded, Demo: s.hasDemo,
		},
		SignIn: auth.SignIn, Clock: s.clock, Logger: s.logger,
	})
	if err != nil {
		return fmt.Errorf("making the API: %w", err)
	}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	provider, err := s.makeProvider()
	if err != nil {
		return err
	}
	front := web.Config{
		Auth: auth, GraphQL: api, Worker: s.engine.workers, Console: console.Handler(), Registry: metrics, Logs: s.writeLog, Audit: s.exportAudit,
		Loops: s.stack, Ready: s.store.Ping, Clock: s.clock, Logger: s.logger,
	}
	if provider != nil {
		front.Provider = provider
	}
	handler, err := web.NewHandler(front)
	if err != nil {
		return fmt.Errorf("making the HTTP front: %w", err)
	}
	s.routes = handler.Routes
	s.front = web.NewServer(web.ServerConfig{
		Listen: s.settings.Listen, Handler: handler, TLS: files, Logger: s.logger,
		Drain: []func(context.Context) error{api.Stop, s.engine.registry.Stop},
	})
	s.stack.AddService("API", api)
	s.stack.AddService("HTTP front", s.front)
	return nil
}

// writeLog writes a task's log out for a download, to who may see its app.
func (s *server) writeLog(ctx context.Context, w io.Writer, id, format string, attempt int, flush func() error) error {
	t, err := s.tasks.Task(ctx, id)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	missing := fault.New(fault.NotFound, "There is no task %s that you may see.", id)
	if err := account.AllowIn(request.Caller(ctx), t.AppID, models.RoleViewer, missing); err != nil {
		return err
	}
	return s.tasks.WriteLog(ctx, w, id, task.LogExport{Format: task.LogFormat(format), Attempt: attempt}, flush)
}

// hasDemo says whether the demo app is present.
func (s *server) hasDemo() bool {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, err := s.fleet.AppByName(ctx, demo.AppName)
	return err == nil
}

// serveDebug serves Go's profiles on an address of their own until ctx ends.
func (s *server) serveDebug(ctx context.Context, listen string) (addr string, err error) {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", listen)
	if err != nil {
		return "", fmt.Errorf("listening for profiles on %s: %w", listen, err)
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends with Close
	context.AfterFunc(ctx, func() { _ = server.Close() })
	return listener.Addr().String(), nil
}
