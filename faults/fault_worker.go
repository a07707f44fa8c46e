package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"
)

// holdWork enqueues long tasks and waits until a worker runs at least n of them.
func (b *bed) holdWork(ctx context.Context, w *process, n int, kinds ...string) (int, error) {
	for i := range 3 * n {
		g := b.groups[i%len(b.groups)]
		b.load.request(ctx, kinds[i%len(kinds)]+"-"+g.Name)
	}
	count := 0
	waitUntil(ctx, 5*time.Second, func() bool {
		count = 0
		for _, e := range b.witness.running() {
			if e.PID == w.pid() {
				count++
			}
		}
		return count >= n
	})
	return count, ctx.Err()
}

// pauseWorkers is F04: a worker stands still for three times as long as it takes to
// be given up, and comes back with what it held.
func pauseWorkers(ctx context.Context, b *bed) error {
	rounds, held := 0, 0
	for ; b.more(14 * time.Second); rounds++ {
		w := b.workers[b.rng.IntN(len(b.workers))]
		n, err := b.holdWork(ctx, w, 6, "long", "deaf")
		if err != nil {
			return err
		}
		held += n
		if err := w.signal(syscall.SIGSTOP); err != nil {
			return err
		}
		b.struck()
		b.rest(ctx, 9*time.Second)
		b.look(ctx)
		if err := w.signal(contSignal); err != nil {
			return err
		}
		b.rest(ctx, 2*time.Second)
	}
	b.fig.scale = fmt.Sprintf("%d pauses of 9 s (3 s x 3), %d attempts held", rounds, held)
	return nil
}

// repeatEverything is F18: reports and frames come one to three times and out of
// order.
func repeatEverything(ctx context.Context, b *bed) error {
	all, err := b.reroute()
	if err != nil {
		return err
	}
	for _, m := range all {
		m.repeat.Store(true)
	}
	rng := rand.New(rand.NewPCG(b.rng.Uint64(), 0))
	for b.more(4 * time.Second) {
		b.load.request(ctx, "long-"+b.groups[rng.IntN(len(b.groups))].Name)
		b.rest(ctx, 300*time.Millisecond)
	}
	b.look(ctx)
	var reports, frames int64
	for _, m := range all {
		m.repeat.Store(false)
		reports += m.reports.Load()
		frames += m.frames.Load()
	}
	b.fig.scale = fmt.Sprintf("%d reports and %d frames repeated", reports, frames)
	return nil
}

// killWorkers is F03: a worker dies with attempts under way; another comes later,
// under another name.
func killWorkers(ctx context.Context, b *bed) error {
	kills, held := 0, 0
	for ; b.more(12 * time.Second); kills++ {
		w := b.workers[b.rng.IntN(len(b.workers))]
		if _, err := b.holdWork(ctx, w, 8, "long", "deaf"); err != nil {
			return err
		}
		var lost []note
		for _, n := range b.witness.running() {
			if n.PID == w.pid() {
				lost = append(lost, n)
			}
		}
		b.killWorker(w)
		at := time.Now()
		held += len(lost)
		b.awaitReruns(ctx, lost, at)
		b.look(ctx)
		if err := b.startWorker(fmt.Sprintf("n%d", kills+1)); err != nil {
			return err
		}
		b.rest(ctx, 2*time.Second)
	}
	b.fig.scale = fmt.Sprintf("%d kills with %d attempts under way; heartbeat 1 s x 3; take-over is kill to next attempt", kills, held)
	return nil
}

// awaitReruns waits until each of the executions has a later one and takes the times.
func (b *bed) awaitReruns(ctx context.Context, lost []note, at time.Time) {
	b.witness.until(ctx, 10*time.Second, func(notes []note) bool {
		again := map[string]time.Time{}
		for _, n := range notes {
			if n.Kind == noteStart && n.At.After(at) && again[n.Task].IsZero() {
				again[n.Task] = n.At
			}
		}
		var took []time.Duration
		for _, n := range lost {
			if t := again[n.Task]; !t.IsZero() {
				took = append(took, t.Sub(at))
			}
		}
		if len(took) == len(lost) {
			b.fig.takeovers = append(b.fig.takeovers, took...)
			return true
		}
		return false
	})
}

// rollingStops is F22: SIGTERM to workers and servers in turn, under load; what runs
// longer than the grace is handed back and must not use up a try.
func rollingStops(ctx context.Context, b *bed) error {
	stops, worst := 0, time.Duration(0)
	for ; b.more(8 * time.Second); stops++ {
		began := time.Now()
		if stops%2 == 0 {
			w := b.workers[0]
			if _, err := b.holdWork(ctx, w, 4, "long"); err != nil {
				return err
			}
			if err := w.signal(syscall.SIGTERM); err != nil {
				return err
			}
			if err := b.startWorker(fmt.Sprintf("n%d", stops)); err != nil {
				return err
			}
			began = time.Now()
			<-w.done
			b.workers = b.workers[1:]
		} else {
			s := b.servers[stops/2%len(b.servers)]
			if err := s.proc.signal(syscall.SIGTERM); err != nil {
				return err
			}
			b.struck()
			<-s.proc.done
			worst = max(worst, time.Since(began))
			if err := s.start(ctx); err != nil {
				return err
			}
		}
		worst = max(worst, time.Since(began))
		b.look(ctx)
		b.rest(ctx, 2*time.Second)
	}
	b.fig.scale = fmt.Sprintf("%d stops of 20, the longest took %s", stops, short(worst))
	return b.checkTries(ctx)
}

// checkTries sees that no try was used up by a stop: nothing else went wrong.
func (b *bed) checkTries(ctx context.Context) error {
	return each(ctx, b.ledger, "SELECT id, attempt, uncounted FROM tasks WHERE attempt - uncounted > 1", func(scan func(...any) error) error {
		var id string
		var attempts, uncounted int
		err := scan(&id, &attempts, &uncounted)
		b.fig.breaks("task %s used up %d tries by orderly stops", id, attempts-uncounted)
		return err
	})
}
