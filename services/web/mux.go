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
	Auth     *Auth
	Provider Provider     // by which people sign in too; nil: none
	GraphQL  http.Handler // at /graphql; who asks is in its requests' contexts
	Worker   http.Handler // below /worker/v1/; it authenticates by itself
	Logs     LogWriter    // at /download/tasks/{id}/log; nil: not served
	Audit    AuditWriter  // at /download/audit; nil: not served
	Console  http.Handler // everywhere else
	// Registry holds the metrics that /metrics shows; the front's own are put in.
	Registry *prometheus.Registry
	Loops    lifecycle.Reporter              // nil: none are shown
	Ready    func(ctx context.Context) error // whether the database answers
	Clock    clock.Clock
	Logger   *slog.Logger
}

// Access says whom a path answers. There is none for a path that nobody has thought about.
type Access string

// The ways to ask who sends a request.
const (
	Anyone  Access = "anyone"        // everybody gets the same answer, which tells nothing of jobs, tasks and people
	SignsIn Access = "signs in"      // the request itself carries what is checked, under the throttle
	Caller  Access = "caller"        // a session or an API token, and what is asked for decides by its role
	Admin   Access = "administrator" // with a role ADMIN; only of the apps in which it is held
	AppKey  Access = "app key"       // the key of an app, and everything that is reached belongs to that app
)

// Route is a path that is served, and whom it answers.
type Route struct {
	Pattern string // of http.ServeMux
	Access  Access
}

// Handler is the handler of all requests.
type Handler struct {
	http.Handler
	Routes []Route // all of them; a test goes through each
}

// NewHandler makes the handler of all requests.
//
// Without credentials are answered: /healthz, /readyz, /metrics, /auth/…, the
// console's files, and of the API who is signed in. Everything else asks.
func NewHandler(c Config) (*Handler, error) {
	if c.Auth == nil || c.GraphQL == nil || c.Worker == nil || c.Console == nil || c.Registry == nil || c.Ready == nil || c.Clock == nil || c.Logger == nil {
		return nil, errors.New("the HTTP front lacks a part")
	}
	m, err := newMetrics(c.Registry)
	if err != nil {
		return nil, err
	}
	s := session{Auth: c.Auth, log: c.Logger}
	mux, made := http.NewServeMux(), &Handler{}
	route := func(pattern, name string, to Access, h http.Handler) {
		made.Routes = append(made.Routes, Route{Pattern: pattern, Access: to})
		mux.Handle(pattern, m.count(name, h))
	}
	route("/graphql", "graphql", Caller, graphQLMethods(c.Auth.wrap(c.GraphQL)))
	route("/auth/sign-in", "auth", SignsIn, only(http.MethodPost, http.HandlerFunc(s.signIn)))
	route("/auth/sign-out", "auth", SignsIn, only(http.MethodPost, http.HandlerFunc(s.signOut)))
	route("/auth/second-factor", "auth", SignsIn, only(http.MethodPost, http.HandlerFunc(s.secondFactor)))
	route("/auth/methods", "auth", Anyone, only(http.MethodGet, s.methods(c.Provider)))
	if c.Provider != nil {
		e := external{session: s, provider: c.Provider, starts: newPace(c.Clock)}
		route("/auth/oidc/start", "auth", SignsIn, only(http.MethodGet, http.HandlerFunc(e.start)))
		route("/auth/oidc/callback", "auth", SignsIn, only(http.MethodGet, http.HandlerFunc(e.callback)))
	}
	route("/auth/link", "auth", SignsIn, only(http.MethodPost, http.HandlerFunc(s.link)))
	route("/auth/", "auth", Anyone, http.HandlerFunc(missing))
	route(wire.PathRegister[:len("/worker/v1/")], "worker", AppKey, c.Worker)
	route("/worker/", "worker", Anyone, http.HandlerFunc(missing))
	if c.Logs != nil {
		files := newDownload(c.Logs, c.Logger)
		route("/download/tasks/{id}/log", "download", Caller, only(http.MethodGet, c.Auth.wrapDownload(files)))
	}
	if c.Audit != nil {
		route("/download/audit", "download", Admin, only(http.MethodGet, c.Auth.wrapDownload(auditExport(c.Audit, c.Logger))))
	}
	route("/download/", "download", Anyone, http.HandlerFunc(missing))
	route("/healthz", "health", Anyone, only(http.MethodGet, healthz(c.Loops)))
	route("/readyz", "health", Anyone, only(http.MethodGet, readyz(c.Ready, c.Logger)))
	route("/metrics", "metrics", Anyone, only(http.MethodGet, promhttp.HandlerFor(c.Registry, promhttp.HandlerOpts{})))
	route("/", "console", Anyone, c.Console)
	made.Handler = identify(observe(c.Logger, secure(c.Auth.https, mux)))
	return made, nil
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
