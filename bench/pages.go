package main

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"
)

const (
	pageJobs    = 20
	pageRepeats = 40 // requests of each kind
)

// listQuery asks for a page of 50 tasks with twelve fields.
const listQuery = `query($f: TaskFilter, $first: Int, $after: String, $last: Int, $before: String) {
  tasks(filter: $f, first: $first, after: $after, last: $last, before: $before) {
    nodes { id state trigger scheduledAt startedAt finishedAt error uniqueKey parameters result progress job { name } }
    pageInfo { startCursor endCursor }
  }
}`

// measurePages fills the ledger with finished tasks and reads lists of them: each
// filter, at the front, in the middle and at the end; and the overview.
func measurePages(ctx context.Context, o options) error {
	in, err := install(ctx, o, onMariaDB)
	if err != nil {
		return err
	}
	defer in.close()
	worker, err := in.startWorker(ctx, o)
	if err != nil {
		return err
	}
	defer stopProcess(worker)
	start := time.Now()
	job, err := in.history(ctx, o.rows)
	if err != nil {
		return err
	}
	fmt.Printf("%d finished tasks of %d jobs written in %s\n", o.rows, pageJobs, time.Since(start).Round(time.Second))
	middle := time.Now().UTC().Add(-time.Duration(o.rows/2) * time.Second).Format(time.RFC3339)
	for _, kind := range []struct {
		name   string
		filter map[string]any
	}{
		{"all", nil},
		{"one job", map[string]any{"job": job}},
		{"failed queue", map[string]any{"states": []string{"FAILED"}}},
		{"finished", map[string]any{"states": []string{"SUCCEEDED", "FAILED"}}},
		{"failed, one job", map[string]any{"job": job, "states": []string{"FAILED"}}},
		{"trigger", map[string]any{"trigger": "MANUAL"}},
		{"trigger that made none", map[string]any{"trigger": "CRON"}},
		{"state of none", map[string]any{"states": []string{"DISCARDED"}}},
		{"until the middle", map[string]any{"to": middle}},
		{"one job from the middle", map[string]any{"job": job, "from": middle}},
		{"search of a job's name", map[string]any{"search": "history-7"}},
	} {
		if err := in.pages(ctx, kind.name, kind.filter, middle); err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
	}
	return in.timed(ctx, "overview", func() error {
		return in.graphql(ctx, `{overview{waiting running retrying failedQueue slots jobs minutes{at succeeded failed} recentFailures{id} upcoming{at}}}`, nil, new(any))
	})
}

// pages times the first page, one in the middle and the last of a filter.
func (in *installation) pages(ctx context.Context, name string, filter map[string]any, middle string) error {
	var deep string
	if err := in.page(ctx, map[string]any{"f": with(filter, "to", middle), "first": 50}, &deep); err != nil {
		return err
	}
	for _, depth := range []struct {
		name      string
		variables map[string]any
	}{
		{"first page", map[string]any{"first": 50}},
		{"in the middle", map[string]any{"first": 50, "after": deep}},
		{"before the middle", map[string]any{"last": 50, "before": deep}},
		{"last page", map[string]any{"last": 50}},
	} {
		if deep == "" && strings.Contains(depth.name, "middle") {
			continue
		}
		variables := with(depth.variables, "f", filter)
		if err := in.timed(ctx, name+", "+depth.name, func() error { return in.page(ctx, variables, nil) }); err != nil {
			return err
		}
	}
	return nil
}

// with answers a copy of a map with one more entry.
func with(m map[string]any, key string, value any) map[string]any {
	out := map[string]any{key: value}
	maps.Copy(out, m)
	return out
}

func (in *installation) page(ctx context.Context, variables map[string]any, cursor *string) error {
	var answer struct {
		Tasks struct {
			PageInfo struct{ EndCursor string }
		}
	}
	err := in.graphql(ctx, listQuery, variables, &answer)
	if cursor != nil {
		*cursor = answer.Tasks.PageInfo.EndCursor
	}
	return err
}

// timed calls fn some times and prints the quantiles.
func (in *installation) timed(ctx context.Context, name string, fn func() error) error {
	us := make([]int64, 0, pageRepeats)
	for range pageRepeats {
		start := time.Now()
		if err := fn(); err != nil {
			return err
		}
		us = append(us, time.Since(start).Microseconds())
	}
	fmt.Printf("%-40s %s\n", name, spread(us))
	return ctx.Err()
}

// history runs a task and copies it within the database: one finished task a second up
// to now, of all jobs by turns, each thousandth of them failed. It answers a job's id.
func (in *installation) history(ctx context.Context, n int) (string, error) {
	last, err := in.createJobs(ctx, pageJobs, "history", map[string]any{"trigger": manual})
	if err != nil {
		return "", err
	}
	var made struct {
		TriggerJob struct{ Task struct{ ID string } }
	}
	if err := in.graphql(ctx, `mutation($id:ID!){triggerJob(input:{job:$id}){task{id}}}`, map[string]any{"id": last}, &made); err != nil {
		return "", err
	}
	if err := in.awaitEnds(ctx, last, 1); err != nil {
		return "", err
	}
	jobs, err := in.jobIDs(ctx)
	if err != nil {
		return "", err
	}
	at := fmt.Sprintf("UTC_TIMESTAMP(6) - INTERVAL %d SECOND + INTERVAL s.seq SECOND", n)
	return last, in.copyRows(ctx, "tasks", n, "id = '"+made.TriggerJob.Task.ID+"'", map[string]string{
		"id":     "CONCAT('01AAAAAAAA', LPAD(s.seq, 16, '0'))",
		"job_id": fmt.Sprintf("ELT(1 + s.seq %% %d, '%s')", len(jobs), strings.Join(jobs, "', '")),
		"state":  "IF(s.seq % 1000 = 7, 5, 4)", "scheduled_at": at, "available_at": at,
	})
}

func (in *installation) jobIDs(ctx context.Context) ([]string, error) {
	rows, err := in.ledger.QueryContext(ctx, "SELECT id FROM jobs")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
