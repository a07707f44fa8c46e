// Package sqlonce lets a handler do something in a database once for a task, however
// often the task runs: a worker that was lost after its commit, a connection that broke
// during the commit, or two attempts at the same time change nothing twice.
//
//	worker.Handle(w, "ChargeOrder", func(ctx context.Context, task *worker.Task, o Order) error {
//		ran, err := sqlonce.Once(ctx, db, task, func(ctx context.Context, tx *sql.Tx) error {
//			_, err := tx.ExecContext(ctx, "UPDATE accounts SET balance = balance - ? WHERE id = ?", o.Sum, o.Account)
//			return err
//		})
//		…
//	})
//
// It works by a row in a table of the same database, inserted in the same transaction:
// its key is the task's id, so that a second insert waits for the first transaction,
// and then finds that the work is done. No other locks are needed, and none are held
// outside of transactions.
//
// # The table
//
// It is made by whoever makes the database's other tables; this package creates
// nothing. [MySQL] and [SQLite] are its definitions. Rows stay until [Forget] deletes
// them: keep them for longer than a task can take with all of its retries.
//
// # What counts as the same
//
// All attempts of a task have its id, also after a take-over by another node, a snooze
// or a manual retry in the failed queue. A re-run of a finished task is a task of its
// own. A handler with several transactions names each by [Step].
//
// What is done outside of the database is not undone with the transaction: send the
// mail after Once, or write it into an outbox table inside.
//
// It is for MySQL, MariaDB and SQLite, whose placeholders are question marks.
package sqlonce
