// Command bench measures Belfry as its users run it: a server on MariaDB (flushed
// at each commit) and Redis, or on SQLite, and a worker in a process of its own,
// all on this machine. Figures are of this machine and this run: compare them only
// within it; each is printed with the load beside it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

// options are the command line.
type options struct {
	run                            string
	tasks, slots, rate             int
	firing, seconds, jobs, delayed int
	rows, workers, failures        int
	profile, belfry                string
}

// scenario is one thing to measure.
type scenario struct {
	name, what string
	run        func(context.Context, options) error
}

// scenarios, in the order in which they run.
var scenarios = []scenario{
	{"cron", "next fire of 20 expressions, beside two libraries", measureCron},
	{"peers", "Belfry beside River and Asynq on the same no-op work", measurePeers},
	{"backlog", "enqueue and work a backlog of no-op tasks; latency of lone tasks", measureBacklog},
	{"fires", "jobs that fire each second: late by how much, on MariaDB and on SQLite", measureFires},
	{"delayed", "enqueue of delayed tasks, one a call and in batches", measureDelayed},
	{"alerts", "tasks that fail by the thousand: messages, cost, delay of other tasks; event to message", measureAlerts},
	{"logs", "lines of logs into the ledger, and to people who follow them", measureLogs},
	{"workers", "idle workers on one server: memory and CPU", measureWorkers},
	{"pages", "lists of tasks and the overview on a ledger of millions", measurePages},
	{"million", "a million jobs of which none is due, two million delayed tasks", measureMillion},
}

func main() {
	if os.Getenv(workerEnv) != "" {
		exit(runWorker())
	}
	names := make([]string, len(scenarios))
	for i, s := range scenarios {
		names[i] = s.name
	}
	var o options
	flag.StringVar(&o.run, "run", strings.Join(names, ","), "what to measure")
	flag.IntVar(&o.tasks, "tasks", 50_000, "peers, backlog: no-op tasks")
	flag.IntVar(&o.slots, "slots", 200, "slots of the worker")
	flag.IntVar(&o.rate, "rate", 50, "backlog: tasks a second of the latency measurement")
	flag.IntVar(&o.firing, "firing", 1000, "fires: jobs that fire each second")
	flag.IntVar(&o.seconds, "seconds", 15, "fires, million: seconds to measure")
	flag.IntVar(&o.jobs, "jobs", 1_000_000, "million: jobs")
	flag.IntVar(&o.workers, "workers", 1000, "workers: how many")
	flag.IntVar(&o.rows, "rows", 5_000_000, "pages: finished tasks")
	flag.IntVar(&o.delayed, "delayed", 2_000_000, "million: delayed tasks")
	flag.IntVar(&o.failures, "failures", 100_000, "alerts: tasks that fail, in 10 minutes for each 100,000")
	flag.StringVar(&o.profile, "profile", "", "backlog, fires: write CPU profiles to FILE.server and FILE.worker")
	flag.StringVar(&o.belfry, "belfry", "../bin/belfry", "the binary to measure")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	exit(runAll(ctx, o))
}

func runAll(ctx context.Context, o options) error {
	wanted := strings.Split(o.run, ",")
	for _, name := range wanted {
		if !slices.ContainsFunc(scenarios, func(s scenario) bool { return s.name == name }) {
			return fmt.Errorf("there is no measurement %q", name)
		}
	}
	for _, s := range scenarios {
		if !slices.Contains(wanted, s.name) {
			continue
		}
		fmt.Printf("\n== %s: %s (load %s)\n", s.name, s.what, loadAverage())
		if err := s.run(ctx, o); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// loadAverage is what else the machine does.
func loadAverage() string {
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(raw))[0]
}

func exit(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}
