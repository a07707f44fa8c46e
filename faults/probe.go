package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// bystander is a client that behaves well while others do not: it asks a small query
// ten times a second and takes the times (V12).
type bystander struct {
	b *bed
	s *server

	mu     sync.Mutex
	times  []time.Duration
	failed int
}

// bystand begins to ask; the bystander ends with ctx.
func (b *bed) bystand(ctx context.Context, s *server) *bystander {
	y := &bystander{b: b, s: s}
	go func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				y.ask(ctx)
			}
		}
	}()
	return y
}

func (y *bystander) ask(ctx context.Context) {
	began := time.Now()
	_, err := askOne[any](ctx, y.b, y.s, `{app(name:"`+appName+`"){id nodeGroups{id name}}}`, nil)
	if ctx.Err() != nil {
		return
	}
	y.mu.Lock()
	defer y.mu.Unlock()
	if err != nil {
		y.failed++
		return
	}
	y.times = append(y.times, time.Since(began))
}

// take answers the 99th percentile of the times since the last call, how many they are,
// and how often there was no answer.
func (y *bystander) take() (p99 time.Duration, n, failed int) {
	y.mu.Lock()
	defer y.mu.Unlock()
	p99, n, failed = percentile(y.times, 99), len(y.times), y.failed
	y.times, y.failed = nil, 0
	return p99, n, failed
}

func percentile(all []time.Duration, percent int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)]
}

// tolerable is the time below which a slow answer is no broken promise: attackers and
// servers share the machine's few processors, and each stands still for as long now and then.
const tolerable = 500 * time.Millisecond

// crowded is how many programs want each processor, with those of others; at least 1. What
// is measured in time takes so many times as long.
func crowded() float64 {
	load, err := strconv.ParseFloat(machineLoad(), 64)
	if err != nil {
		return 1
	}
	return max(1, load/float64(runtime.NumCPU()))
}

// judge compares the bystander's times with the calm ones (V12).
func (y *bystander) judge(calm time.Duration) time.Duration {
	p99, n, failed := y.take()
	if failed > n/100 {
		y.b.fig.breaks("V12: a client that behaves well had no answer %d times of %d", failed, n+failed)
	}
	if limit := time.Duration(float64(max(2*calm, tolerable)) * crowded()); p99 > limit {
		y.b.fig.breaks("V12: a client that behaves well waited %s (p99), in calm %s; at this load %s are no wonder", short(p99), short(calm), short(limit))
	}
	return p99
}

// gauges are what a server's process holds.
type gauges struct {
	goroutines, files int
	memory            int64 // bytes that are resident
}

// gauges reads what the server says of itself, past its proxy.
func (s *server) gauges(ctx context.Context) (g gauges, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.host()+"/metrics", http.NoBody)
	if err != nil {
		return g, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return g, err
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), " ")
		n, _ := strconv.ParseFloat(value, 64) // of the three below they are numbers
		switch name {
		case "go_goroutines":
			g.goroutines = int(n)
		case "process_open_fds":
			g.files = int(n)
		case "process_resident_memory_bytes":
			g.memory = int64(n)
		}
	}
	if err := lines.Err(); err != nil || g.goroutines == 0 {
		return g, fmt.Errorf("reading the figures of %s: %+v, %w", s.name, g, err)
	}
	return g, nil
}

// host is where the server itself listens.
func (s *server) host() string {
	s.front.mu.Lock()
	defer s.front.mu.Unlock()
	return s.front.target
}

// resident answers the resident memory of a process, in bytes; 0 when it is gone.
func resident(pid int) int64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(raw))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// peak watches a process's memory until ctx ends; the function answers the greatest.
func peak(ctx context.Context, pid int) func() int64 {
	var most int64
	done := make(chan struct{})
	ctx, end := context.WithCancel(ctx)
	go func() {
		defer close(done)
		for sleepUntil(ctx, time.Now().Add(20*time.Millisecond)) {
			most = max(most, resident(pid))
		}
	}()
	return func() int64 {
		end()
		<-done
		return most
	}
}

// mib shows bytes.
func mib(n int64) string { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) }

// pooled are goroutines and files that a server may have more than before and keep: its pool
// of connections to the database fills up to 32, each with a goroutine, and its clients keep some.
const pooled = 50

// returned waits until a server holds about what it held before (V9).
func (b *bed) returned(ctx context.Context, s *server, before gauges, within time.Duration) (gauges, error) {
	var now gauges
	var err error
	ok := waitUntil(ctx, within, func() bool {
		now, err = s.gauges(ctx)
		return err == nil && now.goroutines <= before.goroutines+before.goroutines/20+pooled && now.files <= before.files+before.files/20+pooled
	})
	if err == nil && !ok {
		b.fig.breaks("V9: %s after it %s holds %d goroutines and %d files, before %d and %d", short(within), s.name, now.goroutines, now.files, before.goroutines, before.files)
	}
	return now, err
}
