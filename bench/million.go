package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// measureMillion compares an idle installation with one that has a million jobs,
// none of them due, and two million delayed tasks: the work of each second should
// depend on what is due, and the start should read none of it.
func measureMillion(ctx context.Context, o options) error {
	in, err := install(ctx, o, onMariaDB)
	if err != nil {
		return err
	}
	defer in.close()
	onRequest, err := in.createJob(ctx)
	if err != nil {
		return err
	}
	if err := in.idle(ctx, o, "with one job"); err != nil {
		return err
	}
	start := time.Now()
	if err := in.multiply(ctx, o); err != nil {
		return err
	}
	fmt.Printf("%d jobs and %d delayed tasks written in %s\n", o.jobs, o.delayed, time.Since(start).Round(time.Second))
	stopProcess(in.server)
	start = time.Now()
	if err := in.startServer(ctx); err != nil {
		return err
	}
	fmt.Printf("start of the server until it is ready: %s\n", time.Since(start).Round(time.Millisecond))
	if err := in.idle(ctx, o, "with all of them"); err != nil {
		return err
	}
	worker, err := in.startWorker(ctx, o)
	if err != nil {
		return err
	}
	defer stopProcess(worker)
	return in.latency(ctx, o, onRequest)
}

func (in *installation) idle(ctx context.Context, o options, what string) error {
	if err := pause(ctx, 5*time.Second); err != nil { // until everything has settled
		return err
	}
	cpu := in.cpu()
	if err := pause(ctx, time.Duration(o.seconds)*time.Second); err != nil {
		return err
	}
	fmt.Printf("idle %s: %s\n", what, cpu.since())
	return nil
}

// multiply copies one job and one task of it within the database, which is the
// quickest way to have many.
func (in *installation) multiply(ctx context.Context, o options) error {
	waiting, err := in.createJobs(ctx, 1, "waiting", map[string]any{"trigger": manual})
	if err != nil {
		return err
	}
	if _, err := in.createJobs(ctx, 1, "yearly", onCron("0 0 1 1 *")); err != nil {
		return err
	}
	if err := in.graphql(ctx, `mutation($id:ID!){triggerJob(input:{job:$id,delay:"8000h"}){task{id}}}`, map[string]any{"id": waiting}, new(any)); err != nil {
		return err
	}
	err = in.copyRows(ctx, "jobs", o.jobs, "name = 'yearly'", map[string]string{
		"id": "CONCAT('7ZJ', LPAD(s.seq, 23, '0'))", "name": "CONCAT('yearly-', s.seq)", "live_name": "CONCAT('yearly-', s.seq)",
		"next_fire_at": "UTC_TIMESTAMP() + INTERVAL 30 DAY + INTERVAL s.seq SECOND",
	})
	if err != nil {
		return err
	}
	err = in.copyRows(ctx, "tasks", o.delayed, "state = 1", map[string]string{
		"id":           "CONCAT('7ZT', LPAD(s.seq, 23, '0'))",
		"scheduled_at": "UTC_TIMESTAMP() + INTERVAL 30 DAY + INTERVAL s.seq SECOND",
		"available_at": "UTC_TIMESTAMP() + INTERVAL 30 DAY + INTERVAL s.seq SECOND",
	})
	if err != nil {
		return err
	}
	_, err = in.ledger.ExecContext(ctx, "UPDATE counters SET n = n + ? WHERE state = 1 LIMIT 1", o.delayed)
	return err
}

// copyRows inserts n copies of the one row of a table that the condition finds.
func (in *installation) copyRows(ctx context.Context, table string, n int, where string, changed map[string]string) error {
	rows, err := in.ledger.QueryContext(ctx,
		"SELECT column_name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? AND generation_expression IS NULL", table)
	if err != nil {
		return err
	}
	defer rows.Close()
	var columns, values []string
	for rows.Next() {
		var c string
		if err := rows.Scan(&c); err != nil {
			return err
		}
		v, ok := changed[c]
		if !ok {
			v = "t." + c
		}
		columns, values = append(columns, c), append(values, v)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	const chunk = 50_000
	for from := 0; from < n; from += chunk {
		_, err := in.ledger.ExecContext(ctx, fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM (SELECT * FROM %s WHERE %s LIMIT 1) t, seq_%d_to_%d s",
			table, strings.Join(columns, ", "), strings.Join(values, ", "), table, where, from+1, min(from+chunk, n)))
		if err != nil {
			return err
		}
	}
	return nil
}
