package main

import (
	"context"
	"fmt"
	"time"
)

// poisons are changes of a job's row that no edit would let through, or that are
// extreme. Each is made by SQL to a job of its own that fires each second.
var poisons = []string{
	"expression = 'not a cron expression'", "expression = ''", "expression = '0 0 0 30 2 ?'", "expression = REPEAT('* ', 400)",
	"zone = 'Mars/Olympus'", "zone = ''", "trigger_kind = 99", "trigger_kind = 2, every_ms = 0", "trigger_kind = 2, every_ms = -1000",
	"trigger_kind = 2, every_ms = 50", "trigger_kind = 3, every_ms = 0", "trigger_kind = 7", "misfire_policy = 99", "misfire_limit = 0",
	"misfire_limit = -5", "misfire_grace_ms = -1", "next_fire_at = '1970-01-01'", "misfire_policy = 3, misfire_limit = 1000, next_fire_at = '2000-01-01'",
	"next_fire_at = '1000-01-01'", "next_fire_at = '9999-12-31'", "start_at = '9999-12-31'", "start_at = '2100-01-01', end_at = '2000-01-01'",
	"jitter_ms = -5", "jitter_ms = 9223372036854775807", "calendar_id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'", "concurrency = 99", "priority = 99",
	"delivery = 99", "routing = 99", "backoff = 99", "max_attempts = 0", "max_attempts = -1", "retry_delay_ms = -1", "retry_jitter = -3.5",
	"timeout_ms = -1", "timeout_ms = 9223372036854775807", "parameters = 'not json'", "parameters = NULL", "handler = ''", "labels = '[]'", "max_running = 0",
	"version = 0", "version = -1",
}

// poisonJobs is F31: broken rows beside good jobs, which must not notice.
func poisonJobs(ctx context.Context, b *bed) error {
	for i, change := range poisons {
		g := b.groups[i%len(b.groups)]
		j := &loadJob{name: fmt.Sprintf("%s%d", poisonPrefix, i)}
		if err := b.load.create(ctx, j, g, map[string]any{"cron": map[string]any{"expression": "* * * * * ?"}}); err != nil {
			return err
		}
		if _, err := b.ledger.ExecContext(ctx, "UPDATE jobs SET "+change+" WHERE id = ?", j.id); err != nil {
			return fmt.Errorf("poison %q: %w", change, err)
		}
	}
	b.rest(ctx, time.Until(b.load.to)-time.Second)
	var parked int
	if err := b.ledger.QueryRowContext(ctx, "SELECT COUNT(*) FROM jobs WHERE invalid_reason <> ''").Scan(&parked); err != nil {
		return err
	}
	b.fig.scale = fmt.Sprintf("%d broken rows, %d of them parked with a reason", len(poisons), parked)
	return nil
}

// poisonPrefix begins the names of jobs whose tasks the checker does not judge.
const poisonPrefix = "poison-"
