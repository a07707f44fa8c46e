package sqlonce_test

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/belfry-scheduler/belfry/worker-sdk/sqlonce"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// A worker is lost after its commit and before its result has arrived: the attempt that
// takes over finds the invoice that was made.
func ExampleValue() {
	ctx := context.Background()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	if _, err := db.ExecContext(ctx, sqlonce.SQLite+"; CREATE TABLE invoices (number INTEGER PRIMARY KEY, customer TEXT)"); err != nil {
		fmt.Println(err)
		return
	}
	handler := func(ctx context.Context, task *worker.Task, customer string) error {
		number, ran, err := sqlonce.Value(ctx, db, task, func(ctx context.Context, tx *sql.Tx) (int64, error) {
			made, err := tx.ExecContext(ctx, "INSERT INTO invoices (customer) VALUES (?)", customer)
			if err != nil {
				return 0, err
			}
			return made.LastInsertId()
		})
		if err != nil {
			return err
		}
		fmt.Printf("attempt %d: invoice %d, made now: %v\n", task.Attempt, number, ran)
		return nil
	}
	for n := 1; n <= 2; n++ {
		if err := handler(ctx, &worker.Task{ID: "01JDYV5W00Q2FGNDPT3P1YB480", Attempt: n}, "Ada"); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// attempt 1: invoice 1, made now: true
	// attempt 2: invoice 1, made now: false
}
