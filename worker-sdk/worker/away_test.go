package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// halfAway is a server that hands out work and takes no report until it is back: the
// worst that a worker can meet, since a server that is away altogether hands out
// nothing. It keeps next to nothing itself, so that memory can be measured.
type halfAway struct {
	stream *io.PipeWriter

	mu      sync.Mutex
	back    bool
	results map[string]int // by task, once it is back
}

func (h *halfAway) RoundTrip(r *http.Request) (*http.Response, error) {
	var answer any = struct{}{}
	switch r.URL.Path {
	case wire.PathStream:
		reader, writer := io.Pipe()
		h.stream = writer
		context.AfterFunc(r.Context(), func() { _ = writer.CloseWithError(io.ErrUnexpectedEOF) })
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: reader, Request: r}, nil
	case wire.PathRegister:
		answer = wire.Registered{Server: "half away", Settings: wire.Settings{KeepAliveMS: time.Hour.Milliseconds()}}
	case wire.PathHeartbeat:
		answer = wire.HeartbeatAnswer{}
	case wire.PathReport:
		reported, err := h.report(r.Body)
		if err != nil {
			return nil, err
		}
		answer = reported
	}
	text, err := json.Marshal(answer)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(text)), Request: r}, err
}

func (h *halfAway) report(body io.Reader) (*wire.Reported, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.back {
		return nil, errors.New("connection refused")
	}
	var r wire.Report
	if err := json.NewDecoder(body).Decode(&r); err != nil {
		return nil, err
	}
	answer := &wire.Reported{}
	for _, it := range r.Items {
		answer.Acks = append(answer.Acks, wire.Ack{Status: wire.AckAccepted})
		if it.Result != nil {
			h.results[it.Task]++
		}
	}
	return answer, nil
}

// assign hands out one attempt.
func (h *halfAway) assign(t *testing.T, n int) {
	t.Helper()
	_, err := fmt.Fprintf(h.stream, `{"kind":"assign","seq":%d,"assign":[{"task":"01JDYV5W00Q2FGNDPT%08d","attempt":1,"job":"Work","handler":"Work","parameters":{"order":%d},"scheduledAt":"2026-11-30T07:30:00Z"}]}`+"\n", n+1, n, n)
	if err != nil {
		t.Fatal(err)
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// away runs ten minutes at 100 assignments a second against h and returns the most
// memory that they took, and what the folder of unsent results took.
func (h *halfAway) away(t *testing.T, dir string) (most, onDisk int64) {
	t.Helper()
	synctest.Wait()
	begin := heap()
	for n := range 60_000 {
		h.assign(t, n)
		time.Sleep(10 * time.Millisecond) // in the bubble
		if n%6000 == 5999 {
			synctest.Wait()
			most = max(most, heap()-begin)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		onDisk += info.Size()
	}
	return most, onDisk
}

// The figures of docs/worker-sdk.md: ten minutes at 100 results a second, each of 1 KiB
// and with ten log lines, of which no report gets through. Results are kept up to the
// bound and then nothing more is taken on; log lines make way. Afterwards each result
// arrives once.
func TestMemoryWhileNoReportGetsThrough(t *testing.T) { //nolint:paralleltest // measures the heap
	for _, c := range []struct {
		slots, kept int
		spill       bool
		limit       int64 // MiB
	}{
		{32, 1024, false, 24}, {32, 1024, true, 24}, {2500, 10_000, false, 64},
	} {
		t.Run(fmt.Sprintf("%d slots, file %v", c.slots, c.spill), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &halfAway{results: map[string]int{}}
				cfg := worker.Config{Server: "http://half-away.test", App: "shop", Key: "k", Name: "w1", Slots: c.slots, Logger: quiet(), HTTPClient: &http.Client{Transport: h}}
				dir := t.TempDir()
				if c.spill {
					cfg.SpillDir = dir
				}
				w, err := worker.New(cfg)
				if err != nil {
					t.Fatal(err)
				}
				result := strings.Repeat("x", 1<<10)
				worker.Handle(w, "Work", func(_ context.Context, task *worker.Task, _ struct{ Order int }) error {
					for i := range 10 {
						task.Logger().Info("working on an order, step by step", "step", i)
					}
					task.Progress(1, "done")
					return task.SetResult(result)
				})
				ctx, stop := context.WithCancel(t.Context())
				ran := make(chan error, 1)
				go func() { ran <- w.Run(ctx) }()
				most, onDisk := h.away(t, dir)
				unacked := w.Stats().Unacked
				t.Logf("%d slots, file %v: at most %.1f MiB of heap, %.1f MiB on disk, %d results kept",
					c.slots, c.spill, float64(most)/(1<<20), float64(onDisk)/(1<<20), unacked)
				if unacked != c.kept || most > c.limit<<20 || (onDisk > 0) != c.spill || onDisk > 8<<20 {
					t.Errorf("%d results, %d bytes, %d on disk", unacked, most, onDisk)
				}
				h.mu.Lock()
				h.back = true
				h.mu.Unlock()
				time.Sleep(10 * time.Second)
				stop()
				if err := <-ran; err != nil {
					t.Errorf("Run: %v", err)
				}
				for task, n := range h.results {
					if n != 1 {
						t.Errorf("the result of %s arrived %d times", task, n)
					}
				}
				if len(h.results) != c.kept {
					t.Errorf("%d results arrived", len(h.results))
				}
			})
		})
	}
}
