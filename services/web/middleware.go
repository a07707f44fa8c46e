package web

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/origin"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// identify gives every request an id, in its context and in the answer, and notes
// where it comes from. A client cannot choose the id: it could spoil the log.
func identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := request.NewID()
		w.Header().Set("X-Request-Id", id)
		ctx := request.WithAddress(request.WithID(r.Context(), id), clientAddress(r))
		ctx = request.WithAgent(ctx, r.UserAgent())
		ctx = origin.With(ctx, origin.Origin{Address: clientAddress(r), RequestID: id, Agent: origin.Family(r.UserAgent())})
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// observe logs every request at debug level, and turns a panic of a handler into
// an answer and one line of the log.
func observe(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := clock.Monotonic()
		seen := &recorder{ResponseWriter: w}
		defer func() {
			broken, begun := recover(), seen.status != 0
			if broken != nil && broken != http.ErrAbortHandler { //nolint:errorlint // a recovered value, which nobody wraps
				log.ErrorContext(r.Context(), "a handler panicked", "request_id", request.ID(r.Context()),
					"path", r.URL.Path, "panic", broken, "stack", string(debug.Stack()))
				if !begun {
					writeError(seen, r, fault.New(fault.Internal, "something went wrong on the server"))
				}
			}
			access(log, r, seen.status, clock.Monotonic()-began)
			if broken != nil && begun {
				panic(http.ErrAbortHandler) //nolint:forbidigo // the client must not take half an answer for a whole one
			}
		}()
		next.ServeHTTP(seen, r)
	})
}

// access logs one request. The query is left out: it may hold secrets.
func access(log *slog.Logger, r *http.Request, status int, took time.Duration) {
	log.DebugContext(r.Context(), "request", "request_id", request.ID(r.Context()), "method", r.Method,
		"path", r.URL.Path, "status", status, "took", took, "remote", r.RemoteAddr)
}

// recorder remembers the status of an answer. Flushing and hijacking go through
// Unwrap.
type recorder struct {
	http.ResponseWriter
	status int // 0 before the answer has begun
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 && status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return r.ResponseWriter.Write(b)
}

// Unwrap serves http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
