package worker_test

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

// SyncOrders are the parameters of a job as its handler gets them.
type SyncOrders struct {
	Shop string `json:"shop"`
	Full bool   `json:"full"`
}

// A service that embeds a worker and drains on SIGTERM.
func Example() {
	w, err := worker.New(worker.Config{
		Server: "http://127.0.0.1:7000",
		App:    "order-worker",
		Key:    "the app's key",
		Group:  "orders",
		Name:   "orders-1", // the same after a restart
		Slots:  32,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	worker.Handle(w, "SyncOrders", func(_ context.Context, task *worker.Task, args SyncOrders) error {
		task.Logger().Info("synchronising", "shop", args.Shop)
		task.Progress(0.5, "half of the orders")
		return task.SetResult(map[string]int{"orders": 17})
	})
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := w.Run(ctx); err != nil {
		fmt.Println(err)
	}
}

func ExampleNoRetry() {
	pay := func(_ context.Context, _ *worker.Task, order int) error {
		if order < 0 {
			return worker.NoRetry(fmt.Errorf("there is no order %d", order))
		}
		return nil
	}
	outcome := workertest.Run(exampleT, pay, -1) // exampleT stands for a test's t
	fmt.Println(outcome.Ending, outcome.NoRetry, outcome.Error)
	// Output: failed true there is no order -1
}

func ExampleRetryAfter() {
	errBusy := errors.New("the bank says: too many requests")
	fetch := func(_ context.Context, task *worker.Task, _ string) error {
		if task.Attempt == 1 {
			return worker.RetryAfter(time.Minute, errBusy)
		}
		return nil
	}
	outcome := workertest.Run(exampleT, fetch, "statements")
	fmt.Println(outcome.Ending, *outcome.Pause, errors.Is(outcome.Err, errBusy))
	// Output: failed 1m0s true
}

func ExampleSnooze() {
	export := func(_ context.Context, task *worker.Task, day string) error {
		if task.Attempt == 1 { // the file is not there yet, which is no failure
			return worker.Snooze(10 * time.Minute)
		}
		return task.SetResult(day)
	}
	outcome := workertest.Run(exampleT, export, "2026-11-30")
	pause, _ := outcome.Snoozed()
	fmt.Println(outcome.Ending, pause)
	// Output: snoozed 10m0s
}

func ExampleTask_Checkpoint() {
	count := func(ctx context.Context, task *worker.Task, upTo int) error {
		next := 0
		if _, err := task.LastCheckpoint(&next); err != nil {
			return err
		}
		fmt.Println("from", next)
		for ; next < upTo; next++ {
			if next%100 == 0 {
				if err := task.Checkpoint(ctx, next); err != nil {
					return err
				}
			}
		}
		return nil
	}
	outcome := workertest.Run(exampleT, count, 450, workertest.Attempt(2), workertest.Checkpoint(300))
	fmt.Println(outcome.Ending, string(outcome.Checkpoint))
	// Output:
	// from 300
	// succeeded 400
}

func ExampleWorker_Use() {
	server := workertest.NewServer(exampleT)
	defer server.Close()
	w, err := worker.New(server.Config("orders-1"))
	if err != nil {
		fmt.Println(err)
		return
	}
	w.Use(func(next worker.Handler) worker.Handler {
		return func(ctx context.Context, task *worker.Task) error {
			err := next(ctx, task)
			fmt.Println(task.Handler, "with", string(task.Parameters), "returned", err)
			return err
		}
	})
	worker.Handle(w, "CloseOrder", func(context.Context, *worker.Task, int) error { return nil })

	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- w.Run(ctx) }()
	id, _ := server.Enqueue("CloseOrder", 17)
	_, _ = server.Wait(ctx, id)
	stop()
	fmt.Println("drained:", <-ran)
	// Output:
	// CloseOrder with 17 returned <nil>
	// drained: <nil>
}

// exampleT stands in for a test's t, which examples do not have.
var exampleT testing.TB = fakeT{}

type fakeT struct{ testing.TB }

func (fakeT) Helper()                  {}
func (fakeT) Cleanup(func())           {}
func (fakeT) Context() context.Context { return context.Background() }
