package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The numbers of states and outcomes as they stand in the ledger. They are written
// out, not imported: the checker shares no code with what it checks.
const (
	stateRunning   = 2
	stateSucceeded = 4
	stateFailed    = 5
	stateCancelled = 6

	outcomeFailed   = 2
	outcomeTimedOut = 3
	outcomeLost     = 4
	outcomeReleased = 6
)

// task is a row of tasks as far as the checker needs it.
type task struct {
	id, job           string
	state, attempt    int
	scheduled         time.Time
	started, finished sql.NullTime
	reason            string
	outcome           int
	result            sql.NullString
}

// final says whether the state is one that never changes.
func (t *task) final() bool { return t.state >= stateSucceeded && t.state != stateFailed }

// answer is the handler's result; false when there is none.
func (t *task) answer() (r result, ok bool) {
	return r, t.result.Valid && json.Unmarshal([]byte(t.result.String), &r) == nil
}

// attempt is a row of attempts.
type attempt struct {
	task       string
	number     int
	outcome    int
	dispatched sql.NullTime
}

// skip is a row of skipped_fires.
type skip struct {
	job         string
	first, last time.Time
	reason      string
}

// books is everything that the ledger says after a fault.
type books struct {
	tasks    map[string]*task
	byJob    map[string][]*task
	attempts map[string][]attempt
	skips    map[string][]skip
	refusals int
	lapses   []string // contradictions within the ledger itself
}

// each calls fn for each row of a query.
func each(ctx context.Context, db *sql.DB, query string, fn func(scan func(...any) error) error) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// judged leaves out the tasks of jobs that were poisoned.
const judged = "job_id NOT IN (SELECT id FROM jobs WHERE name LIKE '" + poisonPrefix + "%')"

const taskColumns = "id, job_id, state, attempt, scheduled_at, started_at, finished_at, reason, outcome, result"

// readTasks reads tasks that fit a condition, by id.
func (b *bed) readTasks(ctx context.Context, where string) (map[string]*task, error) {
	all := map[string]*task{}
	err := each(ctx, b.ledger, "SELECT "+taskColumns+" FROM tasks WHERE "+where, func(scan func(...any) error) error {
		t := &task{}
		if err := scan(&t.id, &t.job, &t.state, &t.attempt, &t.scheduled, &t.started, &t.finished, &t.reason, &t.outcome, &t.result); err != nil {
			return err
		}
		all[t.id] = t
		return nil
	})
	return all, err
}

// read reads the books.
func (b *bed) read(ctx context.Context) (_ *books, err error) {
	k := &books{byJob: map[string][]*task{}, attempts: map[string][]attempt{}, skips: map[string][]skip{}}
	if k.tasks, err = b.readTasks(ctx, judged); err != nil {
		return nil, err
	}
	for _, t := range k.tasks {
		k.byJob[t.job] = append(k.byJob[t.job], t)
	}
	err = each(ctx, b.ledger, "SELECT task_id, number, outcome, dispatched_at FROM attempts ORDER BY task_id, number", func(scan func(...any) error) error {
		var a attempt
		err := scan(&a.task, &a.number, &a.outcome, &a.dispatched)
		k.attempts[a.task] = append(k.attempts[a.task], a)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = each(ctx, b.ledger, "SELECT job_id, first_at, last_at, reason FROM skipped_fires", func(scan func(...any) error) error {
		var s skip
		err := scan(&s.job, &s.first, &s.last, &s.reason)
		k.skips[s.job] = append(k.skips[s.job], s)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := b.ledger.QueryRowContext(ctx, "SELECT COUNT(*) FROM refusals").Scan(&k.refusals); err != nil {
		return nil, err
	}
	return k, b.readLapses(ctx, k)
}

// readLapses looks for contradictions within the ledger: jobs that stand still (V7)
// and counters that differ from what they count.
func (b *bed) readLapses(ctx context.Context, k *books) error {
	err := each(ctx, b.ledger, `SELECT name, next_fire_at FROM jobs
		WHERE enabled AND deleted_at IS NULL AND invalid_reason = '' AND next_fire_at < UTC_TIMESTAMP(6) - INTERVAL 5 SECOND`, func(scan func(...any) error) error {
		var name string
		var next time.Time
		err := scan(&name, &next)
		k.lapses = append(k.lapses, fmt.Sprintf("V7: job %s still has its next fire at %s", name, next.Format(time.TimeOnly)))
		return err
	})
	if err != nil {
		return err
	}
	// Counters are kept for the states that can be left, roll-ups for the others.
	err = each(ctx, b.ledger, `SELECT group_id, state, SUM(n) FROM
		(SELECT group_id, state, 1 n FROM tasks WHERE state IN (1, 2, 3, 5) UNION ALL SELECT group_id, state, -n FROM counters) x
		GROUP BY group_id, state HAVING SUM(n) <> 0`, func(scan func(...any) error) error {
		var group string
		var state, more int
		err := scan(&group, &state, &more)
		k.lapses = append(k.lapses, fmt.Sprintf("counters: group %s has %d tasks more in state %d than its counter says", group, more, state))
		return err
	})
	if err != nil {
		return err
	}
	return each(ctx, b.ledger, `SELECT job_id, SUM(n) FROM
		(SELECT job_id, 1 n FROM tasks WHERE state = 4 UNION ALL SELECT job_id, -succeeded FROM job_hours) x
		GROUP BY job_id HAVING SUM(n) <> 0`, func(scan func(...any) error) error {
		var job string
		var more int
		err := scan(&job, &more)
		k.lapses = append(k.lapses, fmt.Sprintf("roll-up: job %s has %d successes more than its hours say", job, more))
		return err
	})
}

// unsettled says what is still to be done: live tasks, and jobs that are due.
func (b *bed) unsettled(ctx context.Context) (tasks, jobs int, err error) {
	if err = b.ledger.QueryRowContext(ctx, "SELECT COUNT(*) FROM tasks WHERE state <= 3 AND "+judged).Scan(&tasks); err != nil {
		return 0, 0, err
	}
	err = b.ledger.QueryRowContext(ctx, "SELECT COUNT(*) FROM jobs WHERE due_at IS NOT NULL AND name NOT LIKE '"+poisonPrefix+"%'").Scan(&jobs)
	return tasks, jobs, err
}

// evidence writes the tables that tell the story to files, as tab-separated text.
func (b *bed) evidence(ctx context.Context) error {
	for _, table := range []string{"tasks", "attempts", "refusals", "nodes", "jobs", "skipped_fires", "partitions", "servers"} {
		if err := b.dump(ctx, table); err != nil {
			return fmt.Errorf("keeping table %s: %w", table, err)
		}
	}
	return nil
}

func (b *bed) dump(ctx context.Context, table string) error {
	rows, err := b.ledger.QueryContext(ctx, "SELECT * FROM "+table)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	var text strings.Builder
	text.WriteString(strings.Join(names, "\t") + "\n")
	cells := make([]sql.NullString, len(names))
	places := make([]any, len(names))
	for i := range cells {
		places[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			return err
		}
		for i, cell := range cells {
			fmt.Fprintf(&text, "%s%.200q", strings.Repeat("\t", min(i, 1)), cell.String)
		}
		text.WriteByte('\n')
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.dir, table+".tsv"), []byte(text.String()), 0o600)
}
