package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/pprof"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

const (
	// workerEnv makes this program the worker under measurement; its value is the
	// number of slots.
	workerEnv  = "BELFRY_BENCH_WORKER"
	profileEnv = "BELFRY_BENCH_PROFILE"
	// countEnv asks for so many workers in the one process; absent: one.
	countEnv = "BELFRY_BENCH_COUNT"
)

func runWorker() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if file := os.Getenv(profileEnv); file != "" {
		out, err := os.Create(file)
		if err != nil {
			return err
		}
		defer out.Close()
		if err := pprof.StartCPUProfile(out); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	slots, err := strconv.Atoi(os.Getenv(workerEnv))
	if err != nil {
		return err
	}
	count, err := strconv.Atoi(cmp.Or(os.Getenv(countEnv), "1"))
	if err != nil {
		return err
	}
	workers, ctx := errgroup.WithContext(ctx)
	for i := range count {
		workers.Go(func() error { return serve(ctx, fmt.Sprintf("bench-%d", i+1), slots) })
	}
	return workers.Wait()
}

// serve runs one worker until ctx ends.
func serve(ctx context.Context, name string, slots int) error {
	w, err := worker.New(worker.Config{
		Server: os.Getenv("SERVER"), App: "bench", Key: os.Getenv("KEY"), Group: "default", Name: name, Slots: slots,
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return err
	}
	worker.Handle(w, "Noop", func(context.Context, *worker.Task, struct{}) error { return nil })
	worker.Handle(w, "Fail", func(context.Context, *worker.Task, struct{}) error { return errors.New("the printer is on fire") })
	worker.Handle(w, "Chatter", chat)
	return w.Run(ctx)
}
