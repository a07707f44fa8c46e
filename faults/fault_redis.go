package main

import (
	"context"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// breakRedis is F08: Redis loses everything, dies and starts empty, and is away for
// longer than any lock lives.
func breakRedis(ctx context.Context, b *bed) error {
	const flushes = 4
	for range flushes {
		if err := b.redisDo("FLUSHALL"); err != nil {
			return err
		}
		b.struck()
		b.rest(ctx, 3*time.Second)
	}
	for _, away := range []time.Duration{0, 14 * time.Second} {
		if err := b.redis.Kill(); err != nil {
			return err
		}
		b.struck()
		b.rest(ctx, away)
		if err := b.redis.Restart(); err != nil {
			return err
		}
		b.rest(ctx, 6*time.Second)
		b.look(ctx)
	}
	b.fig.scale = fmt.Sprintf("%d times FLUSHALL, 2 times kill -9, once away for 14 s", flushes)
	return nil
}

// stealLocks is F09: the keys of the locks vanish, and a stranger takes them.
func stealLocks(ctx context.Context, b *bed) error {
	thefts := 0
	for ; b.more(14 * time.Second); thefts++ {
		commands := make([]string, 0, models.Partitions)
		for p := range models.Partitions {
			key := fmt.Sprintf("belfry:lock:%d", p)
			if thefts%2 == 0 {
				commands = append(commands, "DEL "+key)
			} else {
				commands = append(commands, "SET "+key+" stranger PX 8000")
			}
		}
		if err := b.redisDo(commands...); err != nil {
			return err
		}
		b.struck()
		b.rest(ctx, 12*time.Second)
		b.look(ctx)
	}
	b.fig.scale = fmt.Sprintf("%d times all 64 keys, deleted and then held by a stranger for 8 s", thefts)
	return nil
}
