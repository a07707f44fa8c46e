package link

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// network answers by host.
type network map[string]http.HandlerFunc

func (n network) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	handler := n[r.URL.Host]
	if handler == nil {
		return nil, errors.New("connection refused")
	}
	w := httptest.NewRecorder()
	handler(w, r)
	return w.Result(), nil
}

func newLink(t *testing.T, servers string, n network) *Link {
	t.Helper()
	l, err := New(Config{Server: servers, Key: "key", HTTPClient: &http.Client{Transport: n, Timeout: time.Nanosecond}})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(l.bases)
	return l
}

func answering(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestEveryRequestCarriesKeyAndBasePath(t *testing.T) {
	t.Parallel()
	l := newLink(t, "http://a/prefix/", network{"a": func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get("Authorization") != "Bearer key" || r.URL.Path != "/prefix/worker/v1/report" || string(body) != `{"x":1}` || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("request %+v with %s", r, body)
		}
		if _, listed := r.Header["Idempotency-Key"]; !listed {
			t.Error("the transport may not repeat the request")
		}
		_, _ = io.WriteString(w, `{"acks":[{"status":"accepted"}]}`)
	}})
	var out wire.Reported
	if err := l.Post(t.Context(), time.Second, wire.PathReport, []byte(`{"x":1}`), &out); err != nil || len(out.Acks) != 1 {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestWhichServerIsAskedNext(t *testing.T) {
	t.Parallel()
	unavailable := answering(503, `{"error":{"code":"UNAVAILABLE","message":"later"}}`)
	for name, c := range map[string]struct {
		a    http.HandlerFunc
		next string
	}{
		"answers":            {answering(200, `{}`), "http://a"},
		"no connection":      {nil, "http://b"},
		"unavailable":        {unavailable, "http://b"},
		"proxy error":        {answering(502, "<html>"), "http://b"},
		"other web server":   {answering(404, "not here"), "http://b"},
		"garbage":            {answering(200, "<html>"), "http://b"},
		"refusal is final":   {answering(409, `{"error":{"code":"NOT_REGISTERED","message":"register"}}`), "http://a"},
		"redirect":           {answering(307, ""), "http://a"},
		"oversized answer":   {answering(200, strings.Repeat("x", wire.MaxBodyBytes+1)), "http://b"},
		"too many requests":  {answering(429, ""), "http://b"},
		"unknown error code": {answering(400, `{"error":{"code":"NEW","message":"?"}}`), "http://a"},
	} {
		n := network{"b": answering(200, `{}`)}
		if c.a != nil {
			n["a"] = c.a
		}
		l := newLink(t, "http://a,http://b", n)
		var out struct{}
		err := l.Post(t.Context(), time.Minute, "/x", nil, &out)
		// What another server may do is done by the other one within the same call.
		final := c.next == "http://a" && name != "answers"
		if l.Server() != c.next || (err != nil) != final {
			t.Errorf("%s: next is %s, error %v", name, l.Server(), err)
		}
	}
}

func TestACallThatIsCalledOffKeepsTheServer(t *testing.T) {
	t.Parallel()
	l := newLink(t, "http://a,http://b", network{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Get(ctx, time.Second, "/x", nil); err == nil || l.Server() != "http://a" {
		t.Errorf("next is %s, error %v", l.Server(), err)
	}
}

func TestEachServerIsTriedOnceInACall(t *testing.T) {
	t.Parallel()
	asked := map[string]int{}
	down := func(w http.ResponseWriter, r *http.Request) {
		asked[r.URL.Host]++
		w.WriteHeader(503)
	}
	l := newLink(t, "http://a,http://b,http://c", network{"a": down, "b": down, "c": down})
	if err := l.Get(t.Context(), time.Second, "/x", nil); err == nil || len(asked) != 3 || asked["a"]+asked["b"]+asked["c"] != 3 {
		t.Errorf("asked %v, error %v", asked, err)
	}
}

func TestAStreamLeavesItsOwnServerOnly(t *testing.T) {
	t.Parallel()
	l := newLink(t, "http://a,http://b,http://c", network{"a": answering(200, ""), "b": answering(200, "")})
	resp, leave, err := l.Open(t.Context(), "/stream")
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	l.leave(0) // a report has moved on from a meanwhile
	if leave(); l.Server() != "http://b" {
		t.Errorf("next is %s: the stream's end moved the reports on", l.Server())
	}
	l.at.Store(0)
	if leave(); l.Server() != "http://b" {
		t.Errorf("next is %s", l.Server())
	}
}

func TestErrorsSayWhatHappened(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		handler   http.HandlerFunc
		code      string
		transient bool
		text      string
	}{
		"coded":       {answering(400, `{"error":{"code":"INVALID","field":"slots","message":"choose less"}}`), "INVALID", false, "INVALID: choose less (field slots)"},
		"html":        {answering(502, "<html>\nlong page"), "", true, "http://a answered /x with status 502 (Bad Gateway: <html>): is it the address of a Belfry server?"},
		"unreachable": {nil, "", true, "no answer from http://a to /x: connection refused"},
		"server code": {answering(500, `{"error":{"code":"ODD","message":"oops"}}`), "ODD", true, "ODD: oops"},
	} {
		n := network{}
		if c.handler != nil {
			n["a"] = c.handler
		}
		err := newLink(t, "http://a", n).Get(t.Context(), time.Second, "/x", nil)
		if err == nil || err.Error() != c.text || Code(err) != c.code || Transient(err) != c.transient {
			t.Errorf("%s: %v, code %q, transient %v", name, err, Code(err), Transient(err))
		}
	}
}

func TestOwnClientDoesNotFollowRedirects(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/elsewhere" {
			t.Error("the redirect was followed")
		}
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}))
	defer server.Close()
	l, err := New(Config{Server: server.URL, Key: "key"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.Post(t.Context(), time.Second, "/x", []byte("{}"), nil); err == nil || !strings.Contains(err.Error(), "status 302") {
		t.Errorf("error %v", err)
	}
}

func TestBackoffGrowsWithinItsLimit(t *testing.T) {
	t.Parallel()
	const limit = 5 * time.Second
	for try := range 100 {
		ceiling := min(limit, 100*time.Millisecond<<min(try, 20))
		for range 50 {
			if d := Backoff(try, limit); d < ceiling/2 || d > ceiling {
				t.Fatalf("try %d waits %s", try, d)
			}
		}
	}
}

func TestServersAreSpread(t *testing.T) {
	t.Parallel()
	first, second := map[string]int{}, map[string]int{}
	for range 600 {
		l, err := New(Config{Server: "http://a, http://b/,", Servers: []string{"http://c", "http://b"}, HTTPClient: &http.Client{}})
		if err != nil {
			t.Fatal(err)
		}
		if len(l.bases) != 3 {
			t.Fatalf("%v", l.bases)
		}
		first[l.Server()]++
		if l.Server() == "http://a" { // a goes away: its processes spread over the others
			l.leave(0)
			second[l.Server()]++
		}
	}
	if len(first) != 3 || second["http://b"] < 40 || second["http://c"] < 40 {
		t.Errorf("first %v, after the loss of a %v", first, second)
	}
}
