package cmd

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"
)

type migrateCommand struct {
	Up     migrateUp     `cmd:"" help:"Bring the database's schema up to date."`
	Status migrateStatus `cmd:"" help:"List the schema's migrations."`
}

type migrateUp struct{ databaseFlag }

// Run migrates and says so.
func (c *migrateUp) Run(ctx context.Context, io IO) error {
	st, err := c.open(ctx, io.Stderr)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	_, err = fmt.Fprintln(io.Stdout, "The schema is up to date.")
	return err
}

type migrateStatus struct{ databaseFlag }

// Run lists the migrations and when they were applied.
func (c *migrateStatus) Run(ctx context.Context, io IO) error {
	st, err := c.connect(ctx, io.Stderr)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	states, err := st.MigrationStatus(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(io.Stdout, 0, 0, 2, ' ', 0)
	for _, s := range states {
		applied := "pending"
		if s.AppliedAt != nil {
			applied = s.AppliedAt.Format(time.RFC3339)
		}
		_, _ = fmt.Fprintf(table, "%d\t%s\t%s\n", s.Version, applied, s.Name) // Flush answers the error
	}
	return table.Flush()
}
