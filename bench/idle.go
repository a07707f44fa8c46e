package main

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// measureWorkers lets many workers with nothing to do be connected to one server: what
// each costs it in memory and processor time.
func measureWorkers(ctx context.Context, o options) error {
	in, err := install(ctx, o, onMariaDB)
	if err != nil {
		return err
	}
	defer in.close()
	if _, err := in.createJob(ctx); err != nil {
		return err
	}
	if err := in.idle(ctx, o, "without a worker"); err != nil {
		return err
	}
	before := residentMiB(in.server.Process.Pid)
	worker, err := in.startWorker(ctx, o, countEnv+"="+strconv.Itoa(o.workers))
	if err != nil {
		return err
	}
	defer stopProcess(worker)
	start := time.Now()
	err = until(ctx, func() (bool, error) {
		var online int
		err := in.ledger.QueryRowContext(ctx, "SELECT COUNT(*) FROM nodes WHERE state = 1").Scan(&online)
		return online >= o.workers, err
	})
	if err != nil {
		return err
	}
	fmt.Printf("%d workers connected in %s\n", o.workers, time.Since(start).Round(time.Millisecond))
	if err := in.idle(ctx, o, fmt.Sprintf("with %d workers", o.workers)); err != nil {
		return err
	}
	after := residentMiB(in.server.Process.Pid)
	fmt.Printf("memory of the server: %.0f MiB before, %.0f MiB with them, %.0f KiB each\n", before, after, (after-before)*1024/float64(o.workers))
	return nil
}
