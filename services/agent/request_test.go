package agent

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

// receiver is an HTTP server and an agent that may reach it under /v1/, with the
// secret TOKEN.
func receiver(t *testing.T, answer http.HandlerFunc) (*Agent, string) {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	list := "http: [{url: '" + server.URL + "/v1/', methods: [GET, POST, PUT], secrets: [TOKEN, QUOTED]}]"
	return agentWith(t, list, map[string]string{"TOKEN": "s3cret-value", "QUOTED": `a"b\c`}), server.URL
}

func httpResultOf(t *testing.T, o workertest.Outcome) (r httpResult) {
	t.Helper()
	if err := o.DecodeResult(&r); err != nil {
		t.Fatalf("%v; error %q", err, o.Error)
	}
	r.DurationMS = 0
	return r
}

func TestRequestArrivesAsItWasAskedFor(t *testing.T) {
	t.Parallel()
	type seen struct{ Method, Path, Query, Type, Auth, Custom, Body, Task, Attempt, Shard, Agent, Key string }
	var got seen
	a, url := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h := r.Header
		got = seen{
			r.Method, r.URL.Path, r.URL.RawQuery, h.Get("Content-Type"), h.Get("Authorization"), h.Get("X-Count"), string(body),
			h.Get("Belfry-Task-Id"), h.Get("Belfry-Attempt"), h.Get("Belfry-Shard"), h.Get("User-Agent"), h.Get("Idempotency-Key"),
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = io.WriteString(w, "{\"ok\": true,\r\n \"echo\": \"s3cret-value\"}")
	})
	o := run(t, a.http, object{
		"method": "post", "url": url + "/v1/close?day=1",
		"headers": object{"authorization": "Bearer ${env:TOKEN}", "X-Count": 5, "Idempotency-Key": "$${env:TOKEN}"},
		"body":    object{"secret": "${env:QUOTED}", "n": 12345678901234567, "list": []string{"<&>"}},
	}, workertest.Attempt(2), workertest.MaxAttempts(3), workertest.Shard(1, 4))
	if o.Err != nil {
		t.Fatal(o.Err)
	}
	want := seen{
		"POST", "/v1/close", "day=1", "application/json", "Bearer s3cret-value", "5",
		`{"list":["<&>"],"n":12345678901234567,"secret":"a\"b\\c"}`, o.TaskID, "2", "1/4", "belfry-agent/test", "${env:TOKEN}",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	r := httpResultOf(t, o)
	if r.Status != 200 || string(r.JSON) != `{"ok":true,"echo":"(hidden)"}` || r.Body != "" {
		t.Errorf("%+v with %s", r, r.JSON)
	}
	if all := o.LogText() + string(o.Result); strings.Contains(all, "s3cret") || strings.Contains(all, "day=1") {
		t.Errorf("a secret or the query is shown:\n%s", all)
	}
}

func TestAnswersAreJudged(t *testing.T) {
	t.Parallel()
	a, url := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		var status int
		_, _ = fmt.Sscan(r.URL.Query().Get("status"), &status)
		if pause := r.URL.Query().Get("pause"); pause != "" {
			w.Header().Set("Retry-After", pause)
		}
		w.WriteHeader(status)
		if status != 204 && status != 304 {
			_, _ = io.WriteString(w, `state=done rows=17`)
		}
	})
	for _, tt := range []struct {
		query   string
		more    object
		err     string
		noRetry bool
		pause   time.Duration
	}{
		{query: "status=200"},
		{query: "status=204"},
		{query: "status=500", err: "answered 500 Internal Server Error; expected was 200 to 299"},
		{query: "status=404", more: object{"expect": []int{200, 404}}},
		{query: "status=201", more: object{"expect": []int{200, 202}}, err: "expected was 200 or 202"},
		{query: "status=400", more: object{"noRetryStatuses": []int{400}}, err: "400", noRetry: true},
		{query: "status=503&pause=7", err: "503", pause: 7 * time.Second},
		{query: "status=429&pause=99999999999", err: "429", pause: time.Hour},
		{query: "status=500&pause=7", err: "500"},
		{query: "status=200", more: object{"bodyContains": "state=done"}},
		{query: "status=200", more: object{"bodyContains": "state=failed"}, err: "does not contain"},
		{query: "status=200", more: object{"bodyMatches": `rows=\d+$`}},
		{query: "status=200", more: object{"bodyMatches": `rows=0`}, err: "does not match"},
	} {
		parameters := object{"url": url + "/v1/x?" + tt.query}
		maps.Copy(parameters, tt.more)
		o := run(t, a.http, parameters)
		var pause time.Duration
		if o.Pause != nil {
			pause = *o.Pause
		}
		if (o.Err == nil) != (tt.err == "") || !strings.Contains(o.Error, tt.err) || o.NoRetry != tt.noRetry || pause != tt.pause {
			t.Errorf("%s %v: %q, NoRetry %v, pause %s", tt.query, tt.more, o.Error, o.NoRetry, pause)
		}
	}
}

func TestRedirectsStayWithinTheRule(t *testing.T) {
	t.Parallel()
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(other.Close)
	a, url := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		target := map[string]string{"/v1/in": "/v1/end", "/v1/up": "/admin", "/v1/out": other.URL + "/v1/", "/v1/loop": "/v1/loop"}[r.URL.Path]
		if target != "" {
			http.Redirect(w, r, target, http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, r.URL.Path)
	})
	get := func(path string, redirects int) workertest.Outcome {
		return run(t, a.http, object{"url": url + path, "redirects": redirects, "headers": object{"X-Token": "${env:TOKEN}"}})
	}
	if o := get("/v1/in", 0); !strings.Contains(o.Error, "answered 302") {
		t.Errorf("followed unasked: %v", o.Error)
	}
	if o := get("/v1/in", 1); o.Err != nil || httpResultOf(t, o).Body != "/v1/end" || httpResultOf(t, o).URL != url+"/v1/end" {
		t.Errorf("%v %+v", o.Err, httpResultOf(t, o))
	}
	for _, path := range []string{"/v1/up", "/v1/out"} {
		if o := get(path, 5); !o.NoRetry || !strings.Contains(o.Error, "does not cover") {
			t.Errorf("%s: %v", path, o.Error)
		}
	}
	if o := get("/v1/loop", 3); !strings.Contains(o.Error, "answered 302") {
		t.Errorf("a loop: %v", o.Error)
	}
	if n := elsewhere.Load(); n != 0 {
		t.Errorf("%d requests went to another server", n)
	}
}

// Server-side request forgery in other schedulers' HTTP jobs: nothing leaves the
// machine for an address that is not listed, and no secret goes to another one.
func TestRequestsThatAreRefused(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	a, url := receiver(t, func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	host := strings.TrimPrefix(url, "http://")
	for _, tt := range []struct {
		parameters object
		want       string
	}{
		{object{}, "no url"},
		{object{"url": url + "/v2/"}, "would allow it"},
		{object{"url": url + "/v1/../admin"}, ". or .."},
		{object{"url": "http://user@" + host + "/v1/"}, "user name"},
		{object{"url": "http://169.254.169.254/latest/meta-data/"}, "not allowed"},
		{object{"url": "file:///etc/passwd"}, "http://"},
		{object{"url": "gopher://" + host + "/v1/"}, "http://"},
		{object{"url": url + "/v1/", "method": "DELETE"}, "DELETE"},
		{object{"url": url + "/v1/", "method": "GET\r\nX: y"}, "not usable"},
		{object{"url": url + "/v1/", "headers": object{"Host": "admin.internal"}}, "cannot be set"},
		{object{"url": url + "/v1/", "headers": object{"belfry-fence": "9"}}, "cannot be set"},
		{object{"url": url + "/v1/", "headers": object{"Transfer-Encoding": "chunked"}}, "cannot be set"},
		{object{"url": url + "/v1/", "headers": object{"X-A\r\nX-B": "1"}}, "cannot be set"},
		{object{"url": url + "/v1/", "headers": object{"X-A": "1\r\nX-B: 2"}}, "line break"},
		{object{"url": url + "/v1/", "headers": object{"X-A": "${env:PATH}"}}, "may not be sent"},
		{object{"url": url + "/v1/", "body": object{"deep": []any{"${env:BELFRY_KEY}"}}}, "may not be sent"},
		{object{"url": url + "/v1/", "timeout": "0s"}, "timeout"},
		{object{"url": url + "/v1/", "redirects": 50}, "redirects"},
		{object{"url": url + "/v1/", "expect": []int{20}}, "does not exist"},
		{object{"url": url + "/v1/", "bodyMatches": "("}, "regular expression"},
		{object{"url": url + "/v1/", "header": object{}}, "Known are"},
	} {
		o := run(t, a.http, tt.parameters)
		if !o.NoRetry || !strings.Contains(o.Error, tt.want) {
			t.Errorf("%v: NoRetry %v, %q", tt.parameters, o.NoRetry, o.Error)
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("%d refused requests were made", n)
	}
}

func TestSecretThatIsNotSet(t *testing.T) {
	t.Parallel()
	a := agentWith(t, "http: [{url: 'http://127.0.0.1:9/', secrets: [NOT_SET_ANYWHERE]}]", nil)
	o := run(t, a.http, object{"url": "http://127.0.0.1:9/", "headers": object{"X-A": "${env:NOT_SET_ANYWHERE}"}})
	if !o.NoRetry || !strings.Contains(o.Error, "NOT_SET_ANYWHERE is not set") {
		t.Errorf("%v", o.Error)
	}
}

func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	a, url := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		block := strings.Repeat("订单", 10_000)
		for range 1000 { // 60 MB
			_, _ = io.WriteString(w, block)
		}
	})
	o := run(t, a.http, object{"url": url + "/v1/"})
	r := httpResultOf(t, o)
	if o.Err != nil || r.Bytes != 60_000_000 || len(r.Body) > keptBody || !r.BodyCut || strings.Contains(r.Body, "\uFFFD") {
		t.Errorf("%v, %d bytes, %d kept, cut %v", o.Err, r.Bytes, len(r.Body), r.BodyCut)
	}
}

func TestAnswerInAnotherCharset(t *testing.T) {
	t.Parallel()
	a, url := receiver(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=GBK")
		_, _ = io.WriteString(w, "\xb6\xa9\xb5\xa5")
	})
	if r := httpResultOf(t, run(t, a.http, object{"url": url + "/v1/"})); r.Body != "订单" {
		t.Errorf("%q", r.Body)
	}
}

func TestReceiverThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	a, url := receiver(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body) // only then the server notices that the other side is gone
		<-r.Context().Done()
	})
	o := run(t, a.http, object{"url": url + "/v1/?token=1", "timeout": "100ms"})
	if o.Ending != "failed" || !strings.Contains(o.Error, "no whole answer within the timeout of 100ms") || strings.Contains(o.Error, "token") {
		t.Errorf("%s %s", o.Ending, o.Error)
	}
	if o := run(t, a.http, object{"url": url + "/v1/"}, workertest.TimeLimit(100*time.Millisecond)); o.Ending != "timed_out" {
		t.Errorf("%s %s", o.Ending, o.Error)
	}
	gone := agentWith(t, "http: [{url: 'http://127.0.0.1:1/'}]", nil)
	if o := run(t, gone.http, object{"url": "http://127.0.0.1:1/?token=1"}); o.NoRetry || !strings.Contains(o.Error, "connection refused") || strings.Contains(o.Error, "token") {
		t.Errorf("%s", o.Error)
	}
}

func TestCertificatesAreChecked(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.Config.ErrorLog = nil
	server.StartTLS()
	t.Cleanup(server.Close)
	a := agentWith(t, "http: [{url: '"+server.URL+"/'}]", nil)
	if o := run(t, a.http, object{"url": server.URL + "/"}); o.Err == nil || !strings.Contains(o.Error, "certificate") {
		t.Errorf("%v", o.Error)
	}
}
