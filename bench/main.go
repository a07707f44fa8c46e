// Command bench measures Belfry as its users run it: a server on MariaDB (flushed
// at each commit) and Redis, and a worker in a process of its own, all on this
// machine. Figures are of this machine and this run: compare them only within it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	if os.Getenv(workerEnv) != "" {
		exit(runWorker())
	}
	var o options
	flag.IntVar(&o.tasks, "tasks", 20_000, "no-op tasks of the backlog")
	flag.IntVar(&o.slots, "slots", 200, "slots of the worker")
	flag.IntVar(&o.rate, "rate", 50, "tasks a second of the latency measurement")
	flag.StringVar(&o.profile, "profile", "", "write CPU profiles of the server and the worker to FILE.server and FILE.worker")
	flag.StringVar(&o.belfry, "belfry", "../bin/belfry", "the binary to measure")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	exit(run(ctx, o))
}

func exit(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}
