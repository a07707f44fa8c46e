package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/client"
)

// measureBacklog measures how fast a backlog of no-op tasks is enqueued and worked, from the
// first dispatch to the last end in the ledger, and then how long a lone task
// takes from its enqueue to its start.
func measureBacklog(ctx context.Context, o options) error {
	in, err := install(ctx, o, onMariaDB)
	if err != nil {
		return err
	}
	defer in.close()
	job, err := in.createJob(ctx)
	if err != nil {
		return err
	}
	c, err := client.New(client.Config{Server: in.url, App: "bench", Key: in.key})
	if err != nil {
		return err
	}
	defer c.Close()
	start := time.Now()
	if err := enqueue(ctx, c, o.tasks); err != nil {
		return err
	}
	took := time.Since(start)
	fmt.Printf("enqueue, batches of 1,000, one caller: %d tasks in %s, %.0f/s\n", o.tasks, took.Round(time.Millisecond), rate(o.tasks, took))
	return in.work(ctx, o, job)
}

// enqueue writes n no-op tasks, 1,000 a call.
func enqueue(ctx context.Context, c *client.Client, n int) error {
	for done := 0; done < n; {
		items := make([]client.NewTask, min(1000, n-done))
		for i := range items {
			items[i] = client.Task("noop", struct{}{})
		}
		if _, err := c.EnqueueMany(ctx, items...); err != nil {
			return err
		}
		done += len(items)
	}
	return nil
}

// work starts the worker and waits until the ledger has every end.
func (in *installation) work(ctx context.Context, o options, job string) error {
	server, db := cpuSeconds(in.server.Process.Pid), cpuSeconds(in.db.PID())
	worker, err := in.startWorker(ctx, o)
	if err != nil {
		return err
	}
	defer stopProcess(worker)
	if o.profile != "" {
		go func() {
			if err := in.saveProfile(ctx, o.profile+".server"); err != nil {
				fmt.Fprintln(os.Stderr, "bench: no profile:", err)
			}
		}()
	}
	took, err := in.awaitAll(ctx, job, o.tasks)
	if err != nil {
		return err
	}
	fmt.Printf("end to end, one server, one worker with %d slots: %d tasks in %s, %.0f/s\n", o.slots, o.tasks, took.Round(time.Millisecond), rate(o.tasks, took))
	perTask := func(seconds float64) float64 { return seconds * 1e6 / float64(o.tasks) }
	fmt.Printf("CPU a task: server %.0f µs, MariaDB %.0f µs, worker %.0f µs\n",
		perTask(cpuSeconds(in.server.Process.Pid)-server), perTask(cpuSeconds(in.db.PID())-db), perTask(cpuSeconds(worker.Process.Pid)))
	return in.latency(ctx, o, job)
}

// awaitAll waits until n tasks have succeeded and answers the time from the first
// dispatch to the last end.
func (in *installation) awaitAll(ctx context.Context, job string, n int) (time.Duration, error) {
	if err := in.awaitEnds(ctx, job, n); err != nil {
		return 0, err
	}
	var took int64
	const query = "SELECT TIMESTAMPDIFF(MICROSECOND, MIN(dispatched_at), MAX(finished_at)) FROM tasks WHERE job_id = ? AND state = 4"
	err := in.ledger.QueryRowContext(ctx, query, job).Scan(&took)
	return time.Duration(took) * time.Microsecond, err
}

// awaitEnds waits until n tasks of a job have succeeded, on either kind of ledger.
func (in *installation) awaitEnds(ctx context.Context, job string, n int) error {
	return until(ctx, func() (bool, error) {
		var done int
		err := in.ledger.QueryRowContext(ctx, "SELECT COUNT(*) FROM tasks WHERE job_id = ? AND state = 4", job).Scan(&done)
		return done >= n, err
	})
}

// spread prints the quantiles of measured microseconds, which it sorts.
func spread(us []int64) string {
	if len(us) == 0 {
		return "nothing measured"
	}
	slices.Sort(us)
	at := func(q float64) time.Duration { return time.Duration(us[int(q*float64(len(us)-1))]) * time.Microsecond }
	return fmt.Sprintf("p50 %s, p99 %s, max %s", at(.5), at(.99), at(1))
}

// latency enqueues single tasks at a steady rate and reads from the ledger how
// long each took from its writing to its start.
func (in *installation) latency(ctx context.Context, o options, job string) error {
	c, err := client.New(client.Config{Server: in.url, App: "bench", Key: in.key})
	if err != nil {
		return err
	}
	defer c.Close()
	n := 5 * o.rate
	ids := make([]string, 0, n)
	tick := time.NewTicker(time.Second / time.Duration(o.rate))
	defer tick.Stop()
	for range n {
		<-tick.C
		id, err := c.Enqueue(ctx, "noop", struct{}{})
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	if _, err := in.awaitAll(ctx, job, o.tasks+n); err != nil {
		return err
	}
	took := make([]int64, 0, n)
	for _, id := range ids {
		var us int64
		const query = "SELECT TIMESTAMPDIFF(MICROSECOND, created_at, started_at) FROM tasks WHERE id = ?"
		if err := in.ledger.QueryRowContext(ctx, query, id).Scan(&us); err != nil {
			return err
		}
		took = append(took, us)
	}
	fmt.Printf("enqueue → start at %d/s: %s\n", o.rate, spread(took))
	return nil
}
