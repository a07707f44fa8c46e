package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// fault is one way to break an installation, by its number in the list of proposed
// tests. Its run breaks things while the load runs, for about span, and says in
// figures.scale what it did how often.
type fault struct {
	id       string
	what     string
	short    bool          // one of the few for every test run
	span     time.Duration // of the load
	servers  int           // 0: two
	workers  int           // 0: two
	jobs     int           // that fire each second, in each group; 0: two
	enqueues int           // a second
	settle   time.Duration // longest time until nothing is left; 0: a minute
	bare     bool          // no servers, workers and load: run does everything
	cancels  bool          // tasks may end as cancelled
	run      func(ctx context.Context, b *bed) error
}

// scaled answers the fault as the short list has it: three quarters as long.
func (f *fault) scaled(short bool) *fault {
	g := *f
	if short {
		g.span = g.span * 3 / 4
	}
	return &g
}

func (f *fault) serverCount() int        { return or(f.servers, 2) }
func (f *fault) workerCount() int        { return or(f.workers, 2) }
func (f *fault) jobsPerGroup() int       { return or(f.jobs, 2) }
func (f *fault) settling() time.Duration { return or(f.settle, time.Minute) }

func or[T comparable](v, other T) T {
	var zero T
	if v == zero {
		return other
	}
	return v
}

// perform runs a round: installation, load, fault, healing, settling, checking.
func perform(ctx context.Context, o *options, f *fault, rng *rand.Rand, dir string, fig *figures) error {
	b, err := newBed(ctx, o, f, rng, dir, fig)
	if err != nil {
		return err
	}
	defer b.close()
	if f.bare {
		return f.run(ctx, b)
	}
	if err := b.startWorkers(f.workerCount()); err != nil {
		return err
	}
	if err := b.awaitNodes(ctx, f.workerCount()*groupCount); err != nil {
		return err
	}
	if err := b.startLoad(ctx); err != nil {
		return err
	}
	fig.seen = map[string]*task{}
	if !sleepUntil(ctx, b.load.from.Add(time.Second)) {
		return ctx.Err()
	}
	if err := f.run(ctx, b); err != nil {
		return fmt.Errorf("breaking things: %w", err)
	}
	if err := b.heal(ctx); err != nil {
		return fmt.Errorf("healing: %w", err)
	}
	if !sleepUntil(ctx, b.load.to.Add(time.Second)) {
		return ctx.Err()
	}
	b.look(ctx)
	b.load.done.Wait()
	b.load.repeat(ctx, 20)
	if err := b.awaitSettled(ctx); err != nil {
		return err
	}
	k, err := b.read(ctx)
	if err != nil {
		return fmt.Errorf("reading the ledger: %w", err)
	}
	b.check(k)
	if len(fig.broken) > 0 || o.always {
		return b.evidence(ctx)
	}
	return nil
}

// look remembers the tasks that are final now, to see that they stay as they are.
func (b *bed) look(ctx context.Context) {
	now, err := b.readTasks(ctx, "state >= 4")
	if err != nil {
		return // the database is away just now
	}
	for id, t := range now {
		if b.fig.seen[id] == nil {
			b.fig.seen[id] = t
		}
	}
}

// awaitSettled waits until nothing is left to be done (V8). What is left after the
// bound is a broken promise.
func (b *bed) awaitSettled(ctx context.Context) error {
	began := time.Now()
	var tasks, jobs int
	var err error
	ok := waitUntil(ctx, b.f.settling(), func() bool {
		tasks, jobs, err = b.unsettled(ctx)
		return err == nil && tasks == 0 && jobs == 0
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	b.fig.settled = time.Since(began)
	if !ok {
		b.fig.breaks("V8: %s after the last fault %d tasks are live and %d jobs are due", b.f.settling(), tasks, jobs)
	}
	return nil
}

// sleepUntil waits for an instant and answers false when ctx ends first.
func sleepUntil(ctx context.Context, at time.Time) bool {
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// rest waits, within the load's window.
func (b *bed) rest(ctx context.Context, d time.Duration) {
	at := time.Now().Add(d)
	if at.After(b.load.to) {
		at = b.load.to
	}
	sleepUntil(ctx, at)
}

// more says whether at least d of the load's window is left.
func (b *bed) more(d time.Duration) bool { return time.Until(b.load.to) >= d }
