package worker_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/signal"
	"syscall"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
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
	worker.Handle(w, "SyncOrders", func(ctx context.Context, task *worker.Task, args SyncOrders) error {
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
	pay := func(ctx context.Context, task *worker.Task, order int) error {
		if order < 0 {
			return worker.NoRetry(errors.New("there is no such order")) // to the failed queue at once
		}
		return nil
	}
	_ = pay
}

func ExampleRetryAfter() {
	fetch := func(ctx context.Context, task *worker.Task, page int) error {
		return worker.RetryAfter(time.Minute, errors.New("the bank says: too many requests"))
	}
	_ = fetch
}

func ExampleSnooze() {
	export := func(ctx context.Context, task *worker.Task, day string) error {
		return worker.Snooze(10 * time.Minute) // not there yet, and no failure either
	}
	_ = export
}

func ExampleWorker_Use() {
	var w *worker.Worker // made by New
	timed := func(next worker.HandlerFunc) worker.HandlerFunc {
		return func(ctx context.Context, task *worker.Task) error {
			began := time.Now()
			err := next(ctx, task)
			slog.Info("handled", "handler", task.Handler, "took", time.Since(began), "failed", err != nil)
			return err
		}
	}
	if w != nil {
		w.Use(timed)
	}
}

func ExampleTask_Checkpoint() {
	resume := func(ctx context.Context, task *worker.Task, _ struct{}) error {
		var next int
		if _, err := task.LastCheckpoint(&next); err != nil {
			return err
		}
		for ; next < 1000; next++ {
			if next%100 == 0 {
				if err := task.Checkpoint(ctx, next); err != nil {
					return err
				}
			}
		}
		return nil
	}
	_ = resume
}
