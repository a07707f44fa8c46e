package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// contender is a system that is measured beside others on the same no-op work.
type contender interface {
	label() string
	// enqueueMany writes n tasks, 1,000 a call.
	enqueueMany(ctx context.Context, n int) error
	// enqueueOne writes one task.
	enqueueOne(ctx context.Context) error
	// begin starts its workers.
	begin(ctx context.Context) error
	// handled waits until n tasks in all have been handled, and recorded where the
	// system keeps a record.
	handled(ctx context.Context, n int) error
	// latencies enqueues n tasks at the given ticks and answers for each the
	// microseconds from the call to the start of its handler.
	latencies(ctx context.Context, n int, tick <-chan time.Time) ([]int64, error)
	// cpu is the processor time of all its processes so far, in seconds.
	cpu() float64
	close()
}

// score is what one contender reached.
type score struct {
	label                string
	many, one, backlog   float64 // tasks a second
	cpu                  float64 // seconds of a core for 10,000 tasks, enqueue not counted
	slowP50, slowP99     time.Duration
	steadyP50, steadyP99 time.Duration
}

// steps of the latency measurement: tasks a second.
const (
	slowRate   = 50
	steadyRate = 500
)

const singleCallers, singles = 16, 8000

// run measures one contender and closes it.
func run(ctx context.Context, c contender, tasks int) (s score, err error) {
	defer c.close()
	s.label = c.label()
	start := time.Now()
	if err := c.enqueueMany(ctx, tasks); err != nil {
		return s, fmt.Errorf("enqueue in batches: %w", err)
	}
	s.many = rate(tasks, time.Since(start))

	start = time.Now()
	if err := callers(ctx, singleCallers, singles, c.enqueueOne); err != nil {
		return s, fmt.Errorf("enqueue one by one: %w", err)
	}
	s.one = rate(singles, time.Since(start))

	used := c.cpu()
	start = time.Now()
	if err := c.begin(ctx); err != nil {
		return s, fmt.Errorf("starting workers: %w", err)
	}
	if err := c.handled(ctx, tasks+singles); err != nil {
		return s, fmt.Errorf("working the backlog: %w", err)
	}
	s.backlog = rate(tasks+singles, time.Since(start))
	s.cpu = (c.cpu() - used) / float64(tasks+singles) * 10_000

	if s.slowP50, s.slowP99, err = lag(ctx, c, slowRate); err != nil {
		return s, err
	}
	s.steadyP50, s.steadyP99, err = lag(ctx, c, steadyRate)
	return s, err
}

// lag measures the latency of tasks that come at a steady rate for five seconds.
func lag(ctx context.Context, c contender, perSecond int) (p50, p99 time.Duration, err error) {
	if err := pause(ctx, time.Second); err != nil { // what came before has settled
		return 0, 0, err
	}
	tick := time.NewTicker(time.Second / time.Duration(perSecond))
	defer tick.Stop()
	us, err := c.latencies(ctx, 5*perSecond, tick.C)
	if err != nil {
		return 0, 0, fmt.Errorf("latency at %d/s: %w", perSecond, err)
	}
	slices.Sort(us)
	at := func(q float64) time.Duration { return time.Duration(us[int(q*float64(len(us)-1))]) * time.Microsecond }
	return at(.5), at(.99), nil
}

// callers calls fn n times from some goroutines at once, until one fails.
func callers(ctx context.Context, at, n int, fn func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var group sync.WaitGroup
	for range at {
		group.Go(func() {
			for ctx.Err() == nil && next.Add(1) <= int64(n) {
				if err := fn(ctx); err != nil {
					cancel(err)
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// peerTask is the no-op task of the peers; Sent is 0 or its enqueue in Unix µs.
type peerTask struct {
	Sent int64 `json:"sent,omitempty"`
}

// Kind names it for River.
func (peerTask) Kind() string { return "noop" }

// starts collects when handlers of the bench's own process started.
type starts struct {
	count atomic.Int64
	mu    sync.Mutex
	us    []int64 // from the enqueue, of tasks that carry its instant
}

// saw is called by a handler; sent is 0 or when the task was enqueued, in Unix µs.
func (s *starts) saw(sent int64) {
	if sent != 0 {
		took := time.Now().UnixMicro() - sent
		s.mu.Lock()
		s.us = append(s.us, took)
		s.mu.Unlock()
	}
	s.count.Add(1)
}

// take waits for n latencies and answers them.
func (s *starts) take(ctx context.Context, n int) ([]int64, error) {
	err := until(ctx, func() (bool, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.us) >= n, nil
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	us := s.us
	s.us = nil
	return us, err
}

// until looks twenty times a second whether something holds.
func until(ctx context.Context, holds func() (bool, error)) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if ok, err := holds(); ok || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
