//go:build unix

package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// feeder is a server that does next to nothing, so that a benchmark measures the
// worker: it keeps the worker's slots full with assignments rendered beforehand and
// accepts every item without decoding the reports.
type feeder struct {
	slots  int
	want   int64
	given  atomic.Int64
	done   atomic.Int64
	more   chan int // slots that have become free
	all    chan struct{}
	frames atomic.Int64
	calls  atomic.Int64
}

var (
	resultMark = []byte(`"result":{"outcome"`)
	itemMark   = []byte(`{"task":`)
)

func (f *feeder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case wire.PathRegister:
		_ = json.NewEncoder(w).Encode(wire.Registered{Server: "feeder", Settings: wire.Settings{
			HeartbeatMS: 1000, OfflineMS: 3000, ReportMS: 100, KeepAliveMS: 60_000, LogLimit: 2 << 20,
		}})
	case wire.PathStream:
		f.stream(w, r)
	case wire.PathReport:
		body, _ := io.ReadAll(r.Body)
		f.calls.Add(1)
		items, results := bytes.Count(body, itemMark), bytes.Count(body, resultMark)
		answer := append(make([]byte, 0, 32*items+16), `{"acks":[`...)
		for i := range items {
			if i > 0 {
				answer = append(answer, ',')
			}
			answer = append(answer, `{"status":"accepted"}`...)
		}
		if f.done.Add(int64(results)) == f.want {
			close(f.all)
		}
		_, _ = w.Write(append(answer, "]}"...))
		if results > 0 {
			f.more <- results
		}
	default:
		_, _ = w.Write([]byte(`{}`))
	}
}

func (f *feeder) stream(w http.ResponseWriter, r *http.Request) {
	free := f.slots
	var frame []byte
	for {
		if n := min(int64(free), f.want-f.given.Load(), 500); n > 0 {
			frame = f.render(frame[:0], f.given.Add(n)-n, n)
			free -= int(n)
			f.frames.Add(1)
			_, _ = w.Write(frame)
			w.(http.Flusher).Flush()
			continue
		}
		select {
		case n := <-f.more:
			free += n
		case <-r.Context().Done():
			return
		}
	}
}

func (f *feeder) render(b []byte, from, n int64) []byte {
	b = append(b, `{"kind":"assign","seq":`...)
	b = strconv.AppendInt(b, f.frames.Load()+1, 10)
	b = append(b, `,"assign":[`...)
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"task":"01JD5Z7Q8WT5`...)
		b = strconv.AppendInt(b, 10_000_000_000_000+from+i, 10)
		b = append(b, `","attempt":1,"maxAttempts":3,"jobId":"01JD5Z7Q8WT5X0000000000000","job":"Sync orders","handler":"Noop","trigger":"CRON","parameters":{"shop":17,"full":false},"scheduledAt":"2026-11-30T07:30:00Z","timeoutMs":60000,"deadline":"2026-11-30T07:31:00.123456Z"}`...)
	}
	return append(b, "]}\n"...)
}

// BenchmarkNoopTasks runs tasks whose handler does nothing through a worker that
// talks to a server over a socket. One operation is one task: its assignment is
// read, its parameters are decoded, the handler is called, its result is reported
// and the acknowledgement is worked in. The figures include the little that the
// server does, in the same process.
func BenchmarkNoopTasks(b *testing.B) {
	for _, slots := range []int{16, 256, 1000} {
		b.Run(strconv.Itoa(slots)+"slots", func(b *testing.B) { benchmarkTasks(b, slots, false) })
	}
	b.Run("256slots-1logline", func(b *testing.B) { benchmarkTasks(b, 256, true) })
}

func benchmarkTasks(b *testing.B, slots int, logs bool) {
	b.Helper()
	f := &feeder{slots: slots, want: int64(b.N), more: make(chan int, 1<<16), all: make(chan struct{})}
	server := httptest.NewServer(f)
	w, err := worker.New(worker.Config{Server: server.URL, App: "bench", Key: "k", Name: "n", Slots: slots, Logger: quiet(), OnlyTaskLog: true})
	if err != nil {
		b.Fatal(err)
	}
	type shop struct {
		Shop int
		Full bool
	}
	worker.Handle(w, "Noop", func(_ context.Context, task *worker.Task, _ shop) error {
		if logs {
			task.Logger().Info("synchronised", "orders", 17, "shop", "north")
		}
		return nil
	})
	ctx, cancel := context.WithCancel(b.Context())
	ran := make(chan error, 1)
	b.ReportAllocs()
	before := cpuTime()
	b.ResetTimer()
	go func() { ran <- w.Run(ctx) }()
	<-f.all
	b.StopTimer()
	b.ReportMetric(float64((cpuTime()-before).Nanoseconds())/float64(b.N), "cpu-ns/op")
	b.ReportMetric(float64(b.N)/float64(max(f.calls.Load(), 1)), "tasks/report")
	cancel()
	if err := <-ran; err != nil {
		b.Error(err)
	}
	server.Close()
}

// cpuTime is what this process has used of all processors: on a machine that is
// shared, the elapsed time says little.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
