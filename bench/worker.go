package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"runtime/pprof"
	"strconv"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

const (
	// workerEnv makes this program the worker under measurement; its value is the
	// number of slots.
	workerEnv  = "BELFRY_BENCH_WORKER"
	profileEnv = "BELFRY_BENCH_PROFILE"
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
	w, err := worker.New(worker.Config{
		Server: os.Getenv("SERVER"), App: "bench", Key: os.Getenv("KEY"), Group: "default", Name: "bench-1", Slots: slots,
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return err
	}
	worker.Handle(w, "Noop", func(context.Context, *worker.Task, struct{}) error { return nil })
	return w.Run(ctx)
}
