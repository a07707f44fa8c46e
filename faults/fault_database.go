package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// cutCommits is F07: connections break around COMMIT, so that nobody knows whether
// it stands.
func cutCommits(ctx context.Context, b *bed) error {
	cutters := make([]*commitCutter, len(b.servers))
	for i, s := range b.servers {
		c := &commitCutter{chance: 0.15, rng: rand.New(rand.NewPCG(b.rng.Uint64(), 0))}
		cutters[i] = c
		s.db.set(func() { s.db.meddle = c.meddle })
	}
	for b.more(3 * time.Second) {
		b.load.request(ctx, "long-"+b.groups[b.rng.IntN(len(b.groups))].Name)
		b.rest(ctx, 500*time.Millisecond)
		b.look(ctx)
	}
	var unheard, unsent int64
	for _, c := range cutters {
		unheard += c.unheard.Load()
		unsent += c.unsent.Load()
	}
	b.fig.scale = fmt.Sprintf("%d commits unheard, %d unsent, of 2000", unheard, unsent)
	return nil
}

// restartDatabase is F06: MariaDB stops in order for a while, and dies.
func restartDatabase(ctx context.Context, b *bed) error {
	rounds := 0
	for ; b.more(14 * time.Second); rounds++ {
		end, away := b.db.Halt, 4*time.Second
		if rounds%2 == 1 {
			end, away = b.db.Kill, 0
		}
		if err := end(); err != nil {
			return err
		}
		b.rest(ctx, away)
		if err := b.db.Restart(); err != nil {
			return err
		}
		b.struck() // what counts is how soon things go on once it is back
		b.rest(ctx, 8*time.Second)
		b.look(ctx)
	}
	b.fig.scale = fmt.Sprintf("%d restarts, stopped for 4 s and killed in turn", rounds)
	return nil
}

// slowDatabase is F14: every statement takes 100 ms longer, then 1 s, and then
// somebody holds the locks of jobs and partitions for longer than a lock wait.
func slowDatabase(ctx context.Context, b *bed) error {
	slow := func(d, during time.Duration) {
		for _, s := range b.servers {
			s.db.set(func() { s.db.delay = [2]time.Duration{d / 2, d / 2} })
		}
		b.rest(ctx, during)
	}
	slow(100*time.Millisecond, 10*time.Second)
	slow(time.Second, 6*time.Second)
	slow(0, 4*time.Second)
	tx, err := b.ledger.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, table := range []string{"jobs", "partitions"} {
		if _, err := tx.ExecContext(ctx, "SELECT id FROM "+table+" FOR UPDATE"); err != nil {
			return err
		}
	}
	b.struck()
	b.rest(ctx, 8*time.Second)
	if err := tx.Rollback(); err != nil {
		return err
	}
	b.look(ctx)
	b.fig.scale = "100 ms for 10 s, 1 s for 6 s, all jobs and partitions locked for 8 s"
	return nil
}

// deadlocks is F16: the database picks our transactions as victims, and answers to
// commits get lost.
func deadlocks(ctx context.Context, b *bed) error {
	for _, s := range b.servers {
		if err := s.fail("tx.deadlock=fail@0.05;tx.unknown=fail@0.02"); err != nil {
			return err
		}
	}
	b.rest(ctx, time.Until(b.load.to)-time.Second)
	b.look(ctx)
	transactions := 0
	for _, s := range b.servers {
		hits, err := s.hits()
		if err != nil {
			return err
		}
		transactions += hits["tx.deadlock"]
	}
	b.fig.scale = fmt.Sprintf("%d transactions", transactions)
	return nil
}
