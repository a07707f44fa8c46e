package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/web/request"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Config is what the front needs.
type Config struct {
	Auth    *Auth
	GraphQL http.Handler // at /graphql; who asks is in its requests' contexts
	Worker  http.Handler // below /worker/v1/; it authenticates by itself
	Logs    LogWriter    // at /download/tasks/{id}/log; nil: not served
	Console http.Handler // everywhere else
	// Registry holds the metrics that /metrics shows; the front's own are put in.
	Registry *prometheus.Registry
	Loops    lifecycle.Reporter              // nil: none are shown
	Ready    func(ctx context.Context) error // whether the database answers
	Clock    clock.Clock
	Logger   *slog.Logger
}

// NewHandler makes the handler of all requests.
//
// Without credentials are answered: /healthz, /readyz, /metrics, /auth/…, the
// console's files, and of the API who is signed in. Everything else asks.
func NewHandler(c Config) (http.Handler, error) {
	if c.Auth == nil || c.GraphQL == nil || c.Worker == nil || c.Console == nil || c.Registry == nil || c.Ready == nil || c.Clock == nil || c.Logger == nil {
		return nil, errors.New("the HTTP front lacks a part")
	}
	m, err := newMetrics(c.Registry)
	if err != nil {
		return nil, err
	}
	s := session{Auth: c.Auth, clock: c.Clock, log: c.Logger}
	mux := http.NewServeMux()
	route := func(pattern, name string, h http.Handler) { mux.Handle(pattern, m.count(name, h)) }
	route("/graphql", "graphql", graphQLMethods(c.Auth.wrap(c.GraphQL)))
	route("/auth/sign-in", "auth", only(http.MethodPost, http.HandlerFunc(s.signIn)))
	route("/auth/sign-out", "auth", only(http.MethodPost, http.HandlerFunc(s.signOut)))
	route("/auth/link", "auth", only(http.MethodPost, http.HandlerFunc(s.link)))
	route("/auth/", "auth", http.HandlerFunc(missing))
	route(wire.PathRegister[:len("/worker/v1/")], "worker", c.Worker)
	route("/worker/", "worker", http.HandlerFunc(missing))
	if c.Logs != nil {
		files := newDownload(c.Logs, c.Logger)
		route("/download/tasks/{id}/log", "download", only(http.MethodGet, c.Auth.wrapDownload(files)))
	}
	route("/download/", "download", http.HandlerFunc(missing))
	route("/healthz", "health", only(http.MethodGet, healthz(c.Loops)))
	route("/readyz", "health", only(http.MethodGet, readyz(c.Ready, c.Logger)))
	route("/metrics", "metrics", only(http.MethodGet, promhttp.HandlerFor(c.Registry, promhttp.HandlerOpts{})))
	route("/", "console", c.Console)
	return identify(observe(c.Logger, secure(c.Auth.https, mux))), nil
}

// graphQLMethods lets through what the API's transports serve.
func graphQLMethods(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost || r.Method == http.MethodGet && r.Header.Get("Upgrade") != "" {
			next.ServeHTTP(w, r)
			return
		}
		wrongMethod(w, r, http.MethodPost)
	})
}

// only lets one method through, and HEAD with GET.
func only(method string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == method || method == http.MethodGet && r.Method == http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		wrongMethod(w, r, method)
	})
}

func wrongMethod(w http.ResponseWriter, r *http.Request, allowed string) {
	w.Header().Set("Allow", allowed)
	var body errorBody
	body.Error.Code, body.Error.RequestID = fault.Invalid, request.ID(r.Context())
	body.Error.Message = "The method " + r.Method + " is not served here: use " + allowed + "."
	writeJSON(w, http.StatusMethodNotAllowed, body)
}

func missing(w http.ResponseWriter, r *http.Request) {
	writeError(w, r, fault.New(fault.NotFound, "There is nothing at %s.", r.URL.Path))
}
