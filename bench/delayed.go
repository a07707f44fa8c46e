package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/client"
)

// measureDelayed enqueues tasks that are due in half an hour, each with a unique key.
func measureDelayed(ctx context.Context, o options) error {
	in, err := install(ctx, o, onMariaDB)
	if err != nil {
		return err
	}
	defer in.close()
	if _, err := in.createJob(ctx); err != nil {
		return err
	}
	c, err := client.New(client.Config{Server: in.url, App: "bench", Key: in.key})
	if err != nil {
		return err
	}
	defer c.Close()
	start := time.Now()
	for from := 0; from < o.tasks; from += 1000 {
		items := make([]client.NewTask, min(1000, o.tasks-from))
		for i := range items {
			items[i] = client.Task("noop", struct{}{}, client.In(30*time.Minute), client.UniqueKey(fmt.Sprintf("batch-%d", from+i)))
		}
		if _, err := c.EnqueueMany(ctx, items...); err != nil {
			return err
		}
	}
	fmt.Printf("with key, batches of 1,000: %.0f/s\n", rate(o.tasks, time.Since(start)))

	single := o.tasks / 2
	start = time.Now()
	var next atomic.Int64
	one := func(ctx context.Context) error {
		key := fmt.Sprintf("single-%d", next.Add(1))
		_, err := c.Enqueue(ctx, "noop", struct{}{}, client.In(30*time.Minute), client.UniqueKey(key))
		return err
	}
	if err := callers(ctx, singleCallers, single, one); err != nil {
		return err
	}
	fmt.Printf("with key, one a call, %d callers: %.0f/s\n", singleCallers, rate(single, time.Since(start)))
	return nil
}
