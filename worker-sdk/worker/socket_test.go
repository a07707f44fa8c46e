package worker_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

// TestMain fails when a goroutine of the SDK is left after all tests; tests in a
// synctest bubble find their own, those on sockets are found here.
func TestMain(m *testing.M) {
	code := m.Run()
	deadline := time.Now().Add(5 * time.Second)
	for left := sdkGoroutines(); left != ""; left = sdkGoroutines() {
		if time.Now().After(deadline) {
			fmt.Fprintf(os.Stderr, "goroutines are left:\n%s\n", left)
			os.Exit(1)
		}
		runtime.Gosched()
	}
	os.Exit(code)
}

// sdkGoroutines returns the stacks of goroutines that run or were made by the SDK.
func sdkGoroutines() string {
	text := make([]byte, 1<<20)
	text = text[:runtime.Stack(text, true)]
	var left []string
	for stack := range strings.SplitSeq(string(text), "\n\n") {
		if strings.Contains(stack, "belfry/worker-sdk") && !strings.Contains(stack, "worker_test.TestMain") {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}

// On real sockets, with the worker's own HTTP client: start, work, stop, many times.
func TestStartAndStopOverSockets(t *testing.T) {
	t.Parallel()
	server := workertest.NewServer(t)
	listener := httptest.NewServer(server)
	defer listener.Close()
	for round := range 30 {
		cfg := server.Config(fmt.Sprint("w", round))
		cfg.Server, cfg.HTTPClient, cfg.Logger = listener.URL+"/", nil, quiet()
		w, err := worker.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		worker.Handle(w, "H", func(_ context.Context, task *worker.Task, n int) error {
			task.Logger().Info("here", "n", n)
			return task.SetResult(n + 1)
		})
		ctx, cancel := context.WithCancel(t.Context())
		ran := make(chan error, 1)
		go func() { ran <- w.Run(ctx) }()
		if round%3 == 1 {
			server.Disconnect(round%2 == 0)
		}
		id, err := server.Enqueue("H", round)
		if err != nil {
			t.Fatal(err)
		}
		o, err := server.Wait(t.Context(), id)
		if err != nil || string(o.Result) != fmt.Sprint(round+1) || o.LogText() != "INFO here\n" {
			t.Fatalf("round %d: %+v, %v", round, o, err)
		}
		cancel()
		if err := <-ran; err != nil {
			t.Fatal(err)
		}
	}
	server.Close()
}
