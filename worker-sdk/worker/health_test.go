package worker_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

// probe asks one of the health handler's paths.
func probe(t *testing.T, w *worker.Worker, path string) (int, worker.Health) {
	t.Helper()
	answer := httptest.NewRecorder()
	w.Health().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
	var h worker.Health
	if err := json.Unmarshal(answer.Body.Bytes(), &h); err != nil {
		t.Fatalf("%s: %v in %s", path, err, answer.Body)
	}
	if h.OK != (answer.Code == http.StatusOK) || h.OK != (len(h.Reasons) == 0) || answer.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
	}
	return answer.Code, h
}

// expect checks both paths: ready is a part of the reason, "" for ready.
func expect(t *testing.T, w *worker.Worker, when string, live bool, ready string) {
	t.Helper()
	if code, h := probe(t, w, "/livez"); (code == http.StatusOK) != live {
		t.Errorf("%s: live %+v", when, h)
	}
	if code, h := probe(t, w, "/readyz"); (code == http.StatusOK) != (ready == "") || !strings.Contains(strings.Join(h.Reasons, " "), ready) {
		t.Errorf("%s: ready %+v, want %q", when, h, ready)
	}
}

func TestHealthOverALife(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := workertest.NewServer(t)
		server.Down()
		cfg := server.Config("w1")
		cfg.Logger, cfg.Slots, cfg.DrainTimeout = quiet(), 4, time.Minute
		cfg.OnStart = func(context.Context, worker.Start) error { time.Sleep(time.Hour); return nil }
		w, err := worker.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		release := make(chan struct{})
		worker.Handle(w, "H", func(context.Context, *worker.Task, struct{}) error { <-release; return nil })
		expect(t, w, "before Run", true, "not been called")
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- w.Run(ctx) }()
		time.Sleep(time.Hour)
		expect(t, w, "server away", true, "not registered")
		server.Up()
		time.Sleep(time.Minute / 2)
		expect(t, w, "hook runs", true, "OnStart")
		time.Sleep(time.Hour)
		expect(t, w, "connected", true, "")
		if _, err := server.Enqueue("H", nil); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if _, h := probe(t, w, "/readyz"); h.Running != 1 || h.Slots != 4 || h.Node != "w1" || h.Group != "default" {
			t.Errorf("%+v", h)
		}
		server.Down()
		time.Sleep(time.Hour)
		expect(t, w, "server away again", true, "No server's stream")
		server.Up()
		time.Sleep(time.Minute)
		server.Drain("w1", true)
		synctest.Wait()
		expect(t, w, "drained by order", true, "drains this node")
		server.Drain("w1", false)
		synctest.Wait()
		expect(t, w, "resumed", true, "")
		stop()
		synctest.Wait()
		expect(t, w, "shutting down", true, "shutting down")
		close(release)
		if err := <-done; err != nil {
			t.Error(err)
		}
		expect(t, w, "after Run", false, "Run has returned")
		for _, path := range []string{"/", "/healthz"} {
			answer := httptest.NewRecorder()
			w.Health().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
			if answer.Code != http.StatusNotFound {
				t.Errorf("%s: %d", path, answer.Code)
			}
		}
		server.Close()
	})
}

// blocking is a log that blocks at one message, as a pipe that nobody reads.
type blocking struct {
	slog.Handler
	at      string
	release chan struct{}
	first   *atomic.Bool // set by the one that blocks; who waited at a mutex would stop the bubble's clock
}

func (b blocking) Enabled(context.Context, slog.Level) bool { return true }

func (b blocking) Handle(_ context.Context, r slog.Record) error {
	if r.Message == b.at && b.first.CompareAndSwap(false, true) {
		<-b.release
	}
	return nil
}

// A loop that stands still is found, though the others go on.
func TestALoopThatStandsStillIsNotAlive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := blocking{Handler: slog.DiscardHandler, at: "the server changed whether this node takes new work", release: make(chan struct{}), first: new(atomic.Bool)}
		b := begin(t, func(c *worker.Config) { c.Logger = slog.New(log) }, func(w *worker.Worker) { worker.Handle(w, "H", nothing) })
		b.run("H", nil)
		time.Sleep(time.Hour)
		expect(t, b.worker, "idle", true, "")
		b.Drain("w1", true) // the loop that hears of it first, by the stream or by a heartbeat, logs that and never comes back
		time.Sleep(5 * time.Minute)
		code, h := probe(t, b.worker, "/livez")
		reasons := strings.Join(h.Reasons, " ")
		if code != http.StatusServiceUnavailable || !strings.Contains(reasons, "The stream has been neither read nor opened for 5m") && !strings.Contains(reasons, "No heartbeat has been tried for 5m") {
			t.Errorf("%d %+v", code, h)
		}
		close(log.release)
		time.Sleep(time.Minute)
		if code, h := probe(t, b.worker, "/livez"); code != http.StatusOK {
			t.Errorf("%d %+v", code, h)
		}
		b.end()
	})
}
