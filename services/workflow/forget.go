package workflow

import (
	"context"
	"fmt"
	"time"
)

// Windows are forgotten some time after they were opened, fired or not, and beyond a
// number for each job: a condition that is never met, or upstream jobs that never
// come together in one run, must not fill the ledger. The longest window is a month,
// and a failed task may wait in the queue for weeks.
const (
	forgetAfter = 60 * 24 * time.Hour
	keptWindows = 10_000 // of each job, the newest
	forgetEvery = time.Hour
	forgetBatch = 1000 // windows removed at once
	jobsAtOnce  = 1000
)

// tidy forgets old windows now and then. Whoever owns the first partition does it for
// all jobs; two that do it at the same time do no harm.
func (w *Workflow) tidy(ctx context.Context) error {
	now := w.cfg.Clock.Now()
	if _, mine := w.cfg.Owner.Partitions()[0]; !mine || now.Before(w.forgets) {
		return nil
	}
	if err := w.Forget(ctx); err != nil {
		return err
	}
	w.forgets = now.Add(forgetEvery)
	return nil
}

// Forget removes the windows that are too old or too many.
func (w *Workflow) Forget(ctx context.Context) error {
	before := w.cfg.Clock.Now().Add(-forgetAfter)
	err := whole(func() (int, error) { return w.cfg.Ledger.ForgetJoins(ctx, before, forgetBatch) })
	if err != nil {
		return fmt.Errorf("forgetting old windows: %w", err)
	}
	for after := ""; ; {
		jobs, err := w.cfg.Ledger.DependencyJobs(ctx, after, jobsAtOnce)
		if err != nil {
			return fmt.Errorf("reading the jobs that depend on others: %w", err)
		}
		for _, id := range jobs {
			err := whole(func() (int, error) { return w.cfg.Ledger.TrimJoins(ctx, id, keptWindows, forgetBatch) })
			if err != nil {
				return fmt.Errorf("forgetting the oldest windows of job %s: %w", id, err)
			}
		}
		if len(jobs) < jobsAtOnce {
			return nil
		}
		after = jobs[len(jobs)-1]
	}
}

// whole repeats a removal until it finds less than a batch.
func whole(remove func() (int, error)) error {
	for {
		n, err := remove()
		if err != nil || n < forgetBatch {
			return err
		}
	}
}
