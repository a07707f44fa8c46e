package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestConfig(t *testing.T) {
	t.Parallel()
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	c, err := parse([]string{"-close-after", "45s"}, env("BELFRY_KEY", "k", "BELFRY_GROUP", "orders", "BELFRY_SERVER", "http://a", "BELFRY_NODE", "orders-1", "ORDERS_EVERY", "0s"))
	if err != nil || c.key != "k" || c.group != "orders" || c.app != "demo" || c.server != "http://a" || c.node != "orders-1" || c.closeAfter != 45*time.Second || c.every != 0 {
		t.Errorf("%+v, %v", c, err)
	}
	for want, args := range map[string][]string{
		"BELFRY_KEY":   {},
		"-close-after": {"-close-after", "soon"},
		"-every":       {"-every", "-1s"},
		"Usage":        {"-help"},
		"not defined":  {"-nonsense"},
	} {
		if _, err := parse(args, env()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func testService(t *testing.T) *service {
	t.Helper()
	s, _, err := assemble(config{server: workertest.URL, app: workertest.App, key: workertest.Key}, quiet())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSyncOrdersGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := testService(t)
		o := workertest.Run(t, s.syncOrders, SyncOrders{Shop: "south", Pages: 5}, workertest.Checkpoint(3), workertest.Attempt(2))
		var result struct{ Pages, Orders int }
		if err := o.DecodeResult(&result); err != nil || result.Pages != 5 || result.Orders < 40 || result.Orders > 98 {
			t.Errorf("%+v, %v", result, err)
		}
		if !o.Logged("going on where an earlier attempt was") || o.Progress.Fraction != 1 || string(o.Checkpoint) != "5" {
			t.Errorf("outcome %+v", o)
		}
		cut := workertest.Run(t, s.syncOrders, SyncOrders{}, workertest.TimeLimit(time.Second))
		if cut.Ending != "timed_out" || !errors.Is(cut.Err, worker.ErrTimeLimit) || string(cut.Checkpoint) != "2" {
			t.Errorf("outcome %+v", cut)
		}
	})
}

func TestCloseOrderIsGuarded(t *testing.T) {
	t.Parallel()
	s := testService(t)
	first, second := s.orders.create(time.Now()), s.orders.create(time.Now())
	if _, err := s.orders.pay(second.ID); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		order, attempt int
		want           string // result, or the error's beginning
		noRetry        bool
	}{
		{first.ID, 2, `{"order":1,"state":"closed"}`, false},
		{first.ID, 2, `{"order":1,"state":"closed"}`, false},
		{first.ID, 1, "attempt 1 is older than attempt 2", false},
		{second.ID, 1, `{"order":2,"state":"paid"}`, false},
		{99, 1, "order 99: there is no such order", true},
	} {
		o := workertest.Run(t, s.closeOrder, CloseOrder{c.order}, workertest.Attempt(c.attempt))
		if got := string(o.Result) + o.Error; !strings.HasPrefix(got, c.want) || o.NoRetry != c.noRetry {
			t.Errorf("order %d, attempt %d: %s", c.order, c.attempt, got)
		}
	}
}

func TestReportDailyRecovers(t *testing.T) {
	t.Parallel()
	s := testService(t)
	always, never := 2.0, 0.0
	for attempt, fails := range map[int]bool{1: true, 2: true, 3: false} {
		o := workertest.Run(t, s.reportDaily, ReportDaily{&always}, workertest.Attempt(attempt))
		if (o.Err != nil) != fails || fails && (o.Pause == nil || *o.Pause != 5*time.Second) {
			t.Errorf("attempt %d: %+v", attempt, o)
		}
	}
	if o := workertest.Run(t, s.reportDaily, ReportDaily{&never}); o.Err != nil {
		t.Errorf("outcome %+v", o)
	}
}

// The whole service on a socket: orders come in, one is paid, the other is closed.
func TestServiceEndToEnd(t *testing.T) {
	t.Parallel()
	server := workertest.NewServer(t)
	belfry := httptest.NewServer(server)
	defer belfry.Close()
	defer server.Close()
	ctx, stop := context.WithCancel(t.Context())
	lines := newLineWatch("orders is serving")
	ran := make(chan error, 1)
	go func() {
		ran <- run(ctx, config{
			server: belfry.URL, app: workertest.App, key: workertest.Key, group: "default", node: "orders-1",
			listen: "127.0.0.1:0", closeAfter: 100 * time.Millisecond,
		}, slog.New(slog.NewTextHandler(lines, nil)))
	}()
	base := lines.value(t, "url=")

	var created struct {
		Order order
		Task  string
	}
	post(t, base+"/orders", http.StatusCreated, &created)
	if o, err := server.Wait(t.Context(), created.Task); err != nil || string(o.Result) != `{"order":1,"state":"closed"}` {
		t.Errorf("%+v, %v", o, err)
	}
	server.Drain("orders-1", true) // so that the payment comes before the closing
	post(t, base+"/orders", http.StatusCreated, &created)
	var state struct{ State string }
	post(t, base+"/orders/2/pay", http.StatusOK, &state)
	if o, err := server.Wait(t.Context(), created.Task); err != nil || o.State != "CANCELLED" || state.State != paid {
		t.Errorf("%+v, %v, %s", o, err, state.State)
	}
	post(t, base+"/orders/17/pay", http.StatusNotFound, &state)
	post(t, base+"/orders/x/pay", http.StatusBadRequest, &state)
	resp, err := http.Get(base + "/orders")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if !strings.HasPrefix(string(text), `[{"id":2,"state":"paid"`) {
		t.Errorf("orders %s", text)
	}
	stop()
	if err := <-ran; err != nil {
		t.Error(err)
	}
}

func TestOrdersComeInByThemselves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := workertest.NewServer(t)
		s, _, err := assemble(config{server: workertest.URL, app: workertest.App, key: workertest.Key, http: server.Client(), closeAfter: time.Hour}, quiet())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 61*time.Second)
		defer cancel()
		s.takeOrders(ctx, 20*time.Second)
		s.takeOrders(ctx, 0)
		if n := len(s.orders.list(100)); n != 3 {
			t.Errorf("%d orders", n)
		}
	})
}

func post(t *testing.T, url string, status int, into any) {
	t.Helper()
	resp, err := http.Post(url, "application/json", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil || resp.StatusCode != status {
		t.Fatalf("%s: status %d, %v", url, resp.StatusCode, err)
	}
}

// lineWatch hands on the first log line that contains a text.
type lineWatch struct {
	text  string
	found chan string
}

func newLineWatch(text string) *lineWatch { return &lineWatch{text, make(chan string, 1)} }

func (l *lineWatch) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(l.text)) {
		l.found <- string(p)
	}
	return len(p), nil
}

// value waits for the line and returns what stands after key in it.
func (l *lineWatch) value(t *testing.T, key string) string {
	t.Helper()
	select {
	case line := <-l.found:
		for field := range strings.FieldsSeq(line) {
			if value, ok := strings.CutPrefix(field, key); ok {
				return value
			}
		}
		t.Fatalf("no %s in %q", key, line)
	case <-t.Context().Done():
	}
	panic(fmt.Sprint("the line with ", key, " did not come"))
}
