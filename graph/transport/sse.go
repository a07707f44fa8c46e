package transport

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// SSE answers one operation a request as a stream of server-sent events (the
// distinct-connections mode of the graphql-sse protocol): "next" for each
// response, "complete" at the end.
type SSE struct {
	Streams *Streams
	Recheck Recheck
	Pace    Pace // Init is not used; a ping is a comment, which also keeps proxies awake
}

var _ graphql.Transport = SSE{}

// Supports implements graphql.Transport.
func (SSE) Supports(r *http.Request) bool {
	return isJSONPost(r) && prefersEvents(r.Header.Get("Accept"))
}

// Do implements graphql.Transport.
func (t SSE) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	params, status, err := readParams(w, r)
	if err != nil {
		answer(w, r, status, exec.DispatchError(r.Context(), list(err)))
		return
	}
	ctx, one, err := t.Streams.begin(r.Context())
	if err != nil {
		answer(w, r, statusOfFull(err), exec.DispatchError(r.Context(), list(err)))
		return
	}
	defer t.Streams.finish(one)
	op, errs := exec.CreateOperationContext(ctx, params)
	ctx = graphql.WithOperationContext(ctx, op)
	if errs != nil {
		answer(w, r, statusOf(errs), exec.DispatchError(ctx, errs))
		return
	}
	if op.Operation.Operation == ast.Subscription {
		done, err := t.Streams.subscribe(one)
		if err != nil {
			answer(w, r, statusOfFull(err), exec.DispatchError(ctx, list(err)))
			return
		}
		defer done()
	}
	t.stream(ctx, one.cancel, &events{w: w, c: http.NewResponseController(w), timeout: t.Pace.Write}, exec, op)
}

// statusOfFull is the status for a stream that is not admitted.
func statusOfFull(err error) int {
	if fault.Is(err, fault.Limit) {
		return http.StatusTooManyRequests
	}
	return http.StatusServiceUnavailable
}

// stream runs the operation beside the one goroutine that writes. It returns when
// the operation has ended, the client has gone or may no longer listen.
func (t SSE) stream(ctx context.Context, cancel context.CancelCauseFunc, out *events, exec graphql.GraphExecutor, op *graphql.OperationContext) {
	// Unbuffered: a slow reader holds the operation back. Responses are encoded
	// before the next one is asked for, since that takes the place of their data.
	responses := make(chan []byte)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel(nil)
	wg.Go(func() {
		defer close(responses)
		handler, ctx := exec.DispatchOperation(ctx, op)
		for response := handler(ctx); response != nil; response = handler(ctx) {
			body, err := encode(response)
			if err != nil { // errors and extensions are ours and plain
				return
			}
			select {
			case responses <- body:
			case <-ctx.Done():
				return
			}
		}
	})
	defer out.free()
	ping, recheck := time.NewTicker(t.Pace.Ping), time.NewTicker(t.Pace.Recheck)
	defer ping.Stop()
	defer recheck.Stop()
	for ok := out.open(); ok; {
		select {
		case body, more := <-responses:
			if !more {
				out.complete()
				return
			}
			ok = out.next(body)
		case <-ping.C:
			ok = out.comment()
		case <-recheck.C:
			if err := t.Recheck(ctx); err != nil {
				if body, err := encode(exec.DispatchError(ctx, list(err))); err == nil {
					out.next(body)
				}
				out.complete()
				return
			}
		case <-ctx.Done():
			out.complete()
			return
		}
	}
}

// events writes the frames; only one goroutine uses it.
type events struct {
	w http.ResponseWriter
	c *http.ResponseController
	// timeout bounds one write.
	timeout time.Duration
}

func (e *events) open() bool {
	header := e.w.Header()
	header.Set("Content-Type", typeEvents+"; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Accel-Buffering", "no") // nginx would hold events back
	return e.comment()
}

func (e *events) comment() bool { return e.write(":\n\n") }

// complete says that no more will come; whoever has gone need not know.
func (e *events) complete() { _ = e.write("event: complete\ndata:\n\n") }

func (e *events) next(response []byte) bool {
	return e.write("event: next\ndata: " + string(response) + "\n\n")
}

// free takes the deadline away: the connection may carry another request.
func (e *events) free() { _ = e.c.SetWriteDeadline(time.Time{}) }

// write sends one frame; false means that the client has gone or stopped reading.
func (e *events) write(frame string) bool {
	_ = e.c.SetWriteDeadline(clock.System{}.Now().Add(e.timeout)) // a socket's deadline is by the machine's clock
	if _, err := e.w.Write([]byte(frame)); err != nil {
		return false
	}
	return e.c.Flush() == nil
}

// prefersEvents says whether a client asks for an event stream and not for JSON.
// Clients that can read either name both, JSON first, and send their queries so.
func prefersEvents(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		media, _, _ := strings.Cut(part, ";")
		switch media = strings.TrimSpace(media); {
		case media == typeEvents:
			return true
		case strings.HasSuffix(media, "json"):
			return false
		}
	}
	return false
}
