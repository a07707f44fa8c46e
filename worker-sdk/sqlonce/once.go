package sqlonce

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// Once runs fn in a transaction of db and commits it, unless that was done before for
// this task; ran says whether it was done by this call. An error of fn, the end of ctx
// (the attempt was cancelled, has reached its time limit, or was given to another
// node) or a panic rolls everything back, and the next attempt runs fn again.
//
// After an error of the commit itself nobody knows whether it happened; the next
// attempt finds out. A call that meets another one for the same task waits for its end.
func Once(ctx context.Context, db *sql.DB, task *worker.Task, fn func(ctx context.Context, tx *sql.Tx) error, list ...Option) (ran bool, err error) {
	if fn == nil {
		return false, errors.New("sqlonce: fn is nil: pass a function")
	}
	_, ran, err = Value(ctx, db, task, func(ctx context.Context, tx *sql.Tx) (struct{}, error) {
		return struct{}{}, fn(ctx, tx)
	}, list...)
	return ran, err
}

// Value is Once for an fn with a result, which is kept as JSON beside the note that it
// is done: a call that finds the work done returns the result of the one that did it.
// So a later attempt can go on with the number of the invoice that an earlier one made.
func Value[T any](ctx context.Context, db *sql.DB, task *worker.Task, fn func(ctx context.Context, tx *sql.Tx) (T, error), list ...Option) (v T, ran bool, err error) {
	o, err := optionsOf(list)
	switch {
	case err != nil:
		return v, false, err
	case db == nil || task == nil || task.ID == "" || fn == nil:
		return v, false, errors.New("sqlonce: db, task or fn is missing: pass the database, the task that the handler got and a function")
	}
	for try := 1; ; try++ {
		v, insertErr, err := run(ctx, db, task, fn, &o)
		if insertErr == nil {
			return v, err == nil, err
		}
		// Drivers have no common word for a key that is there already: look.
		found, err := o.read(ctx, db, task.ID, &v)
		switch {
		case err != nil:
			return v, false, errors.Join(insertErr, err)
		case found:
			return v, false, nil
		case try == insertTries || !pause(ctx, try):
			return v, false, insertErr
		}
	}
}

// insertTries is how often the note is tried. Of several attempts that wait for one
// whose transaction is rolled back, InnoDB calls some off as a deadlock. Nothing has
// happened in their transactions, so that they can begin again.
const insertTries = 6

// pause waits a random time of up to 10 ms before the second try, and twice as long
// before each further one; it returns false when ctx ends first.
func pause(ctx context.Context, try int) bool {
	timer := time.NewTimer(rand.N(5 * time.Millisecond << try))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// run does the work. insertErr is an error of the note that it is done, before which
// nothing else has happened.
func run[T any](ctx context.Context, db *sql.DB, task *worker.Task, fn func(context.Context, *sql.Tx) (T, error), o *options) (v T, insertErr, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return v, nil, fmt.Errorf("sqlonce: beginning a transaction: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit; also in a panic of fn
	insert := "INSERT INTO " + o.table + " (task_id, step, attempt, done_at) VALUES (?, ?, ?, ?)"
	if _, err := tx.ExecContext(ctx, insert, task.ID, o.step, task.Attempt, o.now().UnixMilli()); err != nil {
		return v, fmt.Errorf("sqlonce: noting task %s in %s: %w", task.ID, o.table, err), nil
	}
	if v, err = fn(ctx, tx); err != nil {
		return v, nil, err
	}
	if err := o.keep(ctx, tx, task.ID, v); err != nil {
		return v, nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return v, nil, err // before the commit: another attempt may be at work
	}
	if err := tx.Commit(); err != nil {
		return v, nil, fmt.Errorf("sqlonce: committing the work of task %s: %w", task.ID, err)
	}
	return v, nil, nil
}

// keep stores the result, if there is one.
func (o *options) keep(ctx context.Context, tx *sql.Tx, task string, v any) error {
	if _, none := v.(struct{}); none {
		return nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("sqlonce: encoding the result of task %s: %w", task, err)
	}
	_, err = tx.ExecContext(ctx, "UPDATE "+o.table+" SET result = ? WHERE task_id = ? AND step = ?", string(text), task, o.step)
	if err != nil {
		return fmt.Errorf("sqlonce: keeping the result of task %s: %w", task, err)
	}
	return nil
}

// read answers whether the work was done, and puts its result into v.
func (o *options) read(ctx context.Context, db *sql.DB, task string, v any) (bool, error) {
	var text sql.NullString
	err := db.QueryRowContext(ctx, "SELECT result FROM "+o.table+" WHERE task_id = ? AND step = ?", task, o.step).Scan(&text)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("sqlonce: looking for task %s in %s: %w", task, o.table, err)
	case !text.Valid:
		return true, nil
	}
	if err := json.Unmarshal([]byte(text.String), v); err != nil {
		return false, fmt.Errorf("sqlonce: decoding the result of task %s: %w", task, err)
	}
	return true, nil
}
