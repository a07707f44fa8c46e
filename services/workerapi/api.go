// Package workerapi is the server's side of the worker protocol: HTTP and JSON
// under /worker/v1/. It authenticates, reads and checks frames, hands them to the
// services and translates their answers; it decides nothing.
package workerapi

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/mask"
	"github.com/belfry-scheduler/belfry/services/registry"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/task"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Keys authenticates an app's key. Faults: UNAUTHENTICATED.
type Keys interface {
	AuthenticateKey(ctx context.Context, key string) (models.App, models.AppKey, error)
}

// Ender ends attempts; one result and one error each, in order.
type Ender interface {
	End(ctx context.Context, ends ...store.AttemptEnd) ([]store.EndResult, []error, error)
}

// Ledger stores what attempts say while they run.
type Ledger interface {
	RecordProgress(ctx context.Context, items []store.AttemptProgress) ([]bool, error)
	AppendLogs(ctx context.Context, chunks []models.LogChunk, limitBytes int64) error
	Job(ctx context.Context, id string) (models.Job, error)
	TasksByIDs(ctx context.Context, ids []string) ([]models.Task, error)
}

// Watcher is told of what changed after the commit.
type Watcher interface {
	TaskProgressed(ctx context.Context, taskIDs []string)
	LogsAppended(ctx context.Context, taskIDs []string)
	// AwaitTask answers a channel that gets a value when the task may have
	// changed, and a function that ends the waiting.
	AwaitTask(taskID string) (<-chan struct{}, func())
}

// Config sets up an API.
type Config struct {
	Keys     Keys
	Registry *registry.Registry
	Ender    Ender
	Ledger   Ledger
	Tasks    *task.Service
	Watcher  Watcher
	Clock    clock.Clock
	Logger   *slog.Logger
	LogLimit int64 // bytes of log kept of one attempt
	// Mask takes secrets out of what attempts report, before it is stored; nil
	// leaves everything as it came.
	Mask *mask.Masker
}

// API serves the worker protocol. Start it before use.
type API struct {
	cfg    Config
	notes  *noteWriter
	claims claims
	mux    *http.ServeMux
}

// New makes an API.
func New(cfg Config) *API {
	a := &API{cfg: cfg, notes: newNoteWriter(cfg), mux: http.NewServeMux()}
	for pattern, handler := range a.routes() {
		a.mux.Handle(pattern, handler)
	}
	a.mux.HandleFunc(everythingElse, func(w http.ResponseWriter, r *http.Request) {
		a.refuse(w, r, &registry.Refusal{Wire: wire.Error{
			Code: wire.CodeNotFound, Message: "There is no " + r.Method + " " + r.URL.Path + " in the worker protocol: see docs/worker-protocol.md.",
		}})
	})
	return a
}

const everythingElse = "/worker/v1/"

// routes are all that the protocol has; a test compares them with the published
// description.
func (a *API) routes() map[string]http.Handler {
	return map[string]http.Handler{
		"POST " + wire.PathRegister:     call(a, a.register),
		"GET " + wire.PathStream:        a.authenticated(a.stream),
		"POST " + wire.PathReport:       call(a, a.report),
		"POST " + wire.PathHeartbeat:    call(a, a.heartbeat),
		"POST " + wire.PathLeave:        call(a, a.leave),
		"POST " + wire.PathEnqueue:      call(a, a.enqueue),
		"POST " + wire.PathCancel:       call(a, a.cancel),
		"POST " + wire.PathMove:         call(a, a.reschedule),
		"GET " + wire.PathTask + "{id}": a.authenticated(a.status),
	}
}

// Routes answers the patterns of all calls of the protocol. Each asks for an app's key.
func (a *API) Routes() []string { return slices.Sorted(maps.Keys(a.routes())) }

// Start begins to write what attempts say.
func (a *API) Start(ctx context.Context) error {
	a.notes.start(ctx)
	return nil
}

// Stop writes what waits and ends.
func (a *API) Stop(ctx context.Context) error { return a.notes.stop(ctx) }

// ServeHTTP implements http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.mux.ServeHTTP(w, r) }

// authenticated calls next with the app whose key the request carries.
func (a *API) authenticated(next func(http.ResponseWriter, *http.Request, models.App)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok || key == "" {
			a.refuse(w, r, fault.New(fault.Unauthenticated, "The app key is missing: send it as Authorization: Bearer KEY."))
			return
		}
		app, _, err := a.cfg.Keys.AuthenticateKey(r.Context(), key)
		if err != nil {
			a.refuse(w, r, err)
			return
		}
		next(w, r, app)
	})
}

// endpoint is a handler made of a function from one JSON body to another.
type endpoint[Q, R any] struct {
	api *API
	fn  func(ctx context.Context, app models.App, req Q) (R, error)
}

func call[Q, R any](a *API, fn func(ctx context.Context, app models.App, req Q) (R, error)) endpoint[Q, R] {
	return endpoint[Q, R]{a, fn}
}

// ServeHTTP implements http.Handler.
func (e endpoint[Q, R]) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.api.authenticated(e.serve).ServeHTTP(w, r)
}

func (e endpoint[Q, R]) serve(w http.ResponseWriter, r *http.Request, app models.App) {
	var req Q
	if err := readBody(w, r, &req, bodyWait); err != nil {
		e.api.refuse(w, r, err)
		return
	}
	answer, err := e.fn(r.Context(), app, req)
	if err != nil {
		e.api.refuse(w, r, err)
		return
	}
	e.api.answer(w, r, http.StatusOK, answer)
}

func (a *API) answer(w http.ResponseWriter, r *http.Request, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		a.cfg.Logger.DebugContext(r.Context(), "worker answer not written", "error", err)
	}
}

// refuse answers an error in the protocol's terms. Faults of ours are logged here
// and shown as UNAVAILABLE, because a worker should try again.
func (a *API) refuse(w http.ResponseWriter, r *http.Request, err error) {
	e := wireError(err)
	if e.Code == wire.CodeUnavailable && r.Context().Err() == nil {
		a.cfg.Logger.WarnContext(r.Context(), "worker request failed", "path", r.URL.Path, "error", err)
	}
	a.answer(w, r, statusOf(e.Code), wire.ErrorBody{Error: e})
}

// wireError puts any error into the protocol's terms.
func wireError(err error) wire.Error {
	if refusal, ok := errors.AsType[*registry.Refusal](err); ok {
		return refusal.Wire
	}
	all := fault.All(err)
	if len(all) == 0 {
		return wire.Error{Code: wire.CodeUnavailable, Message: "The server cannot do this now: try again, at another server first."}
	}
	e := wire.Error{Code: wire.CodeInvalid, Field: strings.Join(all[0].Field, "."), Message: all[0].Message}
	switch all[0].Code {
	case fault.Unauthenticated, fault.Forbidden:
		e.Code = wire.CodeUnauthenticated
	case fault.NotFound:
		e.Code = wire.CodeNotFound
	case fault.Unavailable, fault.Internal, fault.Limit: // a limit on what is under way at one time
		e.Code = wire.CodeUnavailable
	case fault.Conflict:
		e.Code = wire.CodeConflict
	case fault.Invalid, fault.Required, fault.Taken, fault.Unsupported:
	}
	return e
}

func statusOf(code string) int {
	switch code {
	case wire.CodeUnauthenticated:
		return http.StatusUnauthorized
	case wire.CodeNotRegistered, wire.CodeNameInUse, wire.CodeConflict:
		return http.StatusConflict
	case wire.CodeReplaced:
		return http.StatusGone
	case wire.CodeNotFound:
		return http.StatusNotFound
	case wire.CodeTooLarge:
		return http.StatusRequestEntityTooLarge
	case wire.CodeVersion:
		return http.StatusUpgradeRequired
	case wire.CodeUnavailable:
		return http.StatusServiceUnavailable
	default:
		return http.StatusBadRequest
	}
}

// waitLimit bounds a long poll.
const waitLimit = 60 * time.Second
