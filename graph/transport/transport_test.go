package transport_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"go.uber.org/goleak"

	"github.com/belfry-scheduler/belfry/graph/transport"
	"github.com/belfry-scheduler/belfry/services/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// executor answers by the text of the operation: "one" a response, "count N"
// responses as a subscription, "ever" a subscription without an end, "flood" one
// of large responses, "refuse CODE" a refusal.
type executor struct {
	running atomic.Int64 // subscriptions under way
}

func (e *executor) CreateOperationContext(_ context.Context, p *graphql.RawParams) (*graphql.OperationContext, gqlerror.List) {
	op := &graphql.OperationContext{RawQuery: p.Query, Operation: &ast.OperationDefinition{Operation: ast.Query}}
	verb, rest, _ := strings.Cut(p.Query, " ")
	switch verb {
	case "refuse":
		return op, gqlerror.List{{Message: "refused", Extensions: map[string]any{"code": rest}}}
	case "count", "ever", "flood":
		op.Operation.Operation = ast.Subscription
	}
	return op, nil
}

func (e *executor) DispatchError(_ context.Context, list gqlerror.List) *graphql.Response {
	return &graphql.Response{Errors: list}
}

func (e *executor) DispatchOperation(ctx context.Context, op *graphql.OperationContext) (graphql.ResponseHandler, context.Context) {
	verb, rest, _ := strings.Cut(op.RawQuery, " ")
	left := 1
	switch verb {
	case "count":
		left, _ = strconv.Atoi(rest)
	case "ever", "flood":
		left = -1
	}
	data := []byte(`{"n":1}`)
	switch verb {
	case "flood":
		data = []byte(`"` + strings.Repeat("x", 1<<20) + `"`)
	case "large":
		data = []byte(`"` + strings.Repeat("x", 10_000) + `"`)
	}
	if left < 0 {
		e.running.Add(1)
		context.AfterFunc(ctx, func() { e.running.Add(-1) })
	}
	return func(ctx context.Context) *graphql.Response {
		if left == 0 || ctx.Err() != nil {
			return nil
		}
		left--
		if verb == "ever" && left < -2 {
			<-ctx.Done()
			return nil
		}
		return &graphql.Response{Data: data}
	}, ctx
}

// quick is a pace for tests: short where a test waits for it, long elsewhere.
var quick = transport.Pace{Init: time.Minute, Ping: time.Minute, Recheck: time.Minute, Write: time.Minute}

type bench struct {
	exec    *executor
	streams *transport.Streams
	url     string
	ended   sync.WaitGroup // requests under way
}

type allowed struct{ err atomic.Pointer[error] }

func (a *allowed) check(context.Context) error {
	if err := a.err.Load(); err != nil {
		return *err
	}
	return nil
}

func (a *allowed) end(err error) { a.err.Store(&err) }

// serve runs the three transports until the test ends.
func serve(t *testing.T, pace transport.Pace, a *allowed) *bench {
	t.Helper()
	b := &bench{exec: &executor{}, streams: transport.NewStreams(transport.Who{})}
	log := slog.New(slog.DiscardHandler)
	all := []graphql.Transport{
		transport.WebSocket{
			Streams: b.streams, Recheck: a.check, Pace: pace, Logger: log,
			SignIn: func(ctx context.Context, authorization string) (context.Context, error) {
				switch authorization {
				case "Bearer bad":
					return ctx, fault.New(fault.Unauthenticated, "bad")
				case "Bearer low":
					return ctx, fault.New(fault.Forbidden, "low")
				case "Bearer away":
					return ctx, errors.New("the database is away")
				}
				return ctx, nil
			},
		},
		transport.SSE{Streams: b.streams, Recheck: a.check, Pace: pace},
		transport.POST{},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.ended.Add(1)
		defer b.ended.Done()
		for _, one := range all {
			if one.Supports(r) {
				one.Do(w, r, b.exec)
				return
			}
		}
		http.Error(w, "no transport", http.StatusBadRequest)
	}))
	b.url = server.URL
	t.Cleanup(func() {
		if err := b.streams.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
		http.DefaultClient.CloseIdleConnections()
		server.Close()
		b.ended.Wait()
	})
	return b
}

// eventually waits until ok holds.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

func post(t *testing.T, url, body string, header ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(answer)
}

func TestPost(t *testing.T) {
	t.Parallel()
	b := serve(t, quick, &allowed{})
	tests := map[string]struct {
		body   string
		status int
		want   string
	}{
		"answered":           {`{"query":"one"}`, 200, `{"data":{"n":1}}`},
		"unauthenticated":    {`{"query":"refuse UNAUTHENTICATED"}`, 401, "UNAUTHENTICATED"},
		"forbidden":          {`{"query":"refuse FORBIDDEN"}`, 403, "FORBIDDEN"},
		"too large a text":   {`{"query":"refuse LIMIT"}`, 400, "LIMIT"},
		"unknown hash":       {`{"query":"refuse PERSISTED_QUERY_NOT_FOUND"}`, 200, "PERSISTED_QUERY_NOT_FOUND"},
		"not JSON":           {`{"query":`, 400, "not a JSON object"},
		"an array":           {`[{"query":"one"}]`, 400, "not a JSON object"},
		"two values":         {`{"query":"one"}{"query":"one"}`, 400, "followed by more text"},
		"a number for text":  {`{"query":7}`, 400, "its field query cannot be a number"},
		"empty":              {``, 400, "not a JSON object"},
		"a subscription":     {`{"query":"count 3"}`, 406, "needs a stream"},
		"one byte too large": {`{"query":"` + strings.Repeat("x", transport.MaxBody) + `"}`, 413, "more than 1048576 bytes"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			resp, body := post(t, b.url, tt.body)
			if resp.StatusCode != tt.status || !strings.Contains(body, tt.want) {
				t.Errorf("%d %.200s; want %d with %q", resp.StatusCode, body, tt.status, tt.want)
			}
			if got := resp.Header.Get("Content-Type"); got != "application/json; charset=utf-8" {
				t.Errorf("Content-Type %q", got)
			}
		})
	}
}

func TestPostTypesAndCompression(t *testing.T) {
	t.Parallel()
	b := serve(t, quick, &allowed{})
	resp, _ := post(t, b.url, `{"query":"one"}`, "Accept", "application/graphql-response+json, application/json")
	if got := resp.Header.Get("Content-Type"); got != "application/graphql-response+json; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	for _, encoding := range []string{"identity", "gzip;q=0", "br"} {
		if resp, body := post(t, b.url, `{"query":"large"}`, "Accept-Encoding", encoding); resp.Header.Get("Content-Encoding") != "" || len(body) < 10_000 {
			t.Errorf("%s: %d bytes, encoded as %q", encoding, len(body), resp.Header.Get("Content-Encoding"))
		}
	}
	resp, body := post(t, b.url, `{"query":"large"}`, "Accept-Encoding", "br, gzip")
	if resp.Header.Get("Content-Encoding") != "gzip" || len(body) > 1000 {
		t.Fatalf("%d bytes, encoded as %q", len(body), resp.Header.Get("Content-Encoding"))
	}
	plain, err := gzip.NewReader(bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct{ Data string }
	if err := json.NewDecoder(plain).Decode(&answer); err != nil || len(answer.Data) != 10_000 {
		t.Errorf("%d characters, %v", len(answer.Data), err)
	}
	if resp, _ := post(t, b.url, `{"query":"one"}`, "Content-Type", "text/plain"); resp.StatusCode != 400 {
		t.Errorf("text was answered with %d", resp.StatusCode)
	}
}

func TestEventStream(t *testing.T) {
	t.Parallel()
	b := serve(t, quick, &allowed{})
	resp, body := post(t, b.url, `{"query":"count 3"}`, "Accept", "text/event-stream")
	want := ":\n\n" + strings.Repeat("event: next\ndata: {\"data\":{\"n\":1}}\n\n", 3) + "event: complete\ndata:\n\n"
	if resp.StatusCode != 200 || body != want {
		t.Errorf("%d %q\nwant %q", resp.StatusCode, body, want)
	}
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	if resp, _ := post(t, b.url, `{"query":"refuse UNAUTHENTICATED"}`, "Accept", "text/event-stream"); resp.StatusCode != 401 {
		t.Errorf("a refused stream has status %d", resp.StatusCode)
	}
	// The connection is good for another request.
	if resp, _ := post(t, b.url, `{"query":"one"}`); resp.StatusCode != 200 {
		t.Errorf("the next request has status %d", resp.StatusCode)
	}
}

// open starts an event stream that does not end and answers what reads it.
func open(ctx context.Context, t *testing.T, url, query string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(`{"query":"`+query+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

func TestEventStreamEnds(t *testing.T) {
	t.Parallel()
	t.Run("with its client", func(t *testing.T) {
		t.Parallel()
		b := serve(t, quick, &allowed{})
		ctx, cancel := context.WithCancel(t.Context())
		open(ctx, t, b.url, "ever")
		eventually(t, "the stream runs", func() bool { return b.exec.running.Load() == 1 })
		cancel()
		eventually(t, "the stream has ended", func() bool { return b.exec.running.Load() == 0 && b.streams.Open() == 0 })
	})
	t.Run("with its session", func(t *testing.T) {
		t.Parallel()
		pace, a := quick, &allowed{}
		pace.Recheck = 10 * time.Millisecond
		b := serve(t, pace, a)
		resp := open(t.Context(), t, b.url, "ever")
		a.end(fault.New(fault.Unauthenticated, "The session has ended."))
		body, err := io.ReadAll(resp.Body)
		if err != nil || !strings.Contains(string(body), "The session has ended.") || !strings.HasSuffix(string(body), "event: complete\ndata:\n\n") {
			t.Errorf("%q, %v", body, err)
		}
	})
	t.Run("with its server", func(t *testing.T) {
		t.Parallel()
		b := serve(t, quick, &allowed{})
		resp := open(t.Context(), t, b.url, "ever")
		if err := b.streams.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || !strings.HasSuffix(string(body), "event: complete\ndata:\n\n") {
			t.Errorf("%q, %v", body, err)
		}
		if resp, _ := post(t, b.url, `{"query":"ever"}`, "Accept", "text/event-stream"); resp.StatusCode != 503 {
			t.Errorf("a stopping server answered %d", resp.StatusCode)
		}
	})
	t.Run("when nobody reads", func(t *testing.T) {
		t.Parallel()
		pace := quick
		pace.Write = 50 * time.Millisecond
		b := serve(t, pace, &allowed{})
		open(t.Context(), t, b.url, "flood") // and its body is never read
		eventually(t, "the stream was dropped", func() bool { return b.exec.running.Load() == 0 && b.streams.Open() == 0 })
	})
}

func TestEventStreamKeepsProxiesAwake(t *testing.T) {
	t.Parallel()
	pace := quick
	pace.Ping = 5 * time.Millisecond
	b := serve(t, pace, &allowed{})
	resp := open(t.Context(), t, b.url, "ever")
	buf := make([]byte, 0, 1024)
	for !strings.Contains(string(buf), "}\n\n:\n\n:\n\n") {
		n, err := resp.Body.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err != nil || len(buf) == cap(buf) {
			t.Fatalf("no comments came: %q, %v", buf, err)
		}
	}
}

// Starting and stopping often leaks nothing (TestMain looks) and never hangs.
func TestManyStreams(t *testing.T) {
	t.Parallel()
	b := serve(t, quick, &allowed{})
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r, _ := http.NewRequestWithContext(ctx, http.MethodPost, b.url, strings.NewReader(fmt.Sprintf(`{"query":"count %d"}`, i)))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "text/event-stream")
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if n := strings.Count(string(body), "event: next"); err != nil || n != i {
				t.Errorf("%d events of %d, %v", n, i, err)
			}
		})
	}
	wg.Wait()
}
