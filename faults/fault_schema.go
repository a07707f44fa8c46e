package main

import (
	"context"
	"fmt"
	"time"
)

// startTogether is F21: servers start at once on an empty database and one of them
// is killed in the middle of it.
func startTogether(ctx context.Context, b *bed) error {
	const together = 6
	rounds, failed := 0, 0
	var worst time.Duration
	for began := time.Now(); time.Since(began) < b.f.span; rounds++ {
		name, err := b.db.NewDatabase(ctx)
		if err != nil {
			return err
		}
		b.name = name
		took, err := b.startOnEmpty(ctx, together)
		if err != nil {
			failed++
			b.fig.breaks("round %d: %v", rounds, err)
		}
		worst = max(worst, took)
		for _, s := range b.servers {
			s.close()
		}
		b.servers = nil
	}
	b.fig.scale = fmt.Sprintf("%d rounds of 50, %d servers each, all ready within %s; no release to come from yet", rounds, together, short(worst))
	b.fig.lost = failed
	return nil
}

// startOnEmpty is one round; it answers how long the slowest took.
func (b *bed) startOnEmpty(ctx context.Context, n int) (time.Duration, error) {
	began := time.Now()
	for i := range n {
		s, err := newServer(b, fmt.Sprintf("s%d-%d", i+1, began.UnixMilli()))
		if err != nil {
			return 0, err
		}
		b.servers = append(b.servers, s)
		if err := s.launch(); err != nil {
			return 0, err
		}
	}
	victim := b.servers[b.rng.IntN(n)]
	sleepUntil(ctx, began.Add(time.Duration(200+b.rng.IntN(2500))*time.Millisecond))
	victim.kill()
	for _, s := range b.others(victim) {
		if _, err := s.proc.await(ctx, readyLine); err != nil {
			return 0, err
		}
	}
	took := time.Since(began)
	if err := victim.launch(); err != nil {
		return 0, err
	}
	if _, err := victim.proc.await(ctx, readyLine); err != nil {
		return 0, fmt.Errorf("the killed server did not start again: %w", err)
	}
	return took, b.checkVersions(ctx)
}

// checkVersions sees that each migration was applied once.
func (b *bed) checkVersions(ctx context.Context) error {
	var rows, versions int
	err := b.db.Admin().QueryRowContext(ctx,
		"SELECT COUNT(*), COUNT(DISTINCT version_id) FROM "+b.name+".schema_versions WHERE is_applied").Scan(&rows, &versions)
	if err != nil {
		return fmt.Errorf("reading the schema's versions: %w", err)
	}
	if rows != versions || versions < 40 {
		return fmt.Errorf("%d versions in %d rows", versions, rows)
	}
	return nil
}
