package cmd

import (
	"context"
	"fmt"
)

type diffCommand struct {
	remoteFlag
	jobFileFlag
}

// Help implements kong.HelpProvider.
func (diffCommand) Help() string {
	return `Shows what belfry apply would change and changes nothing. Exit code 0: nothing; 2: something; 1: it could not be
found out.

  belfry diff -f jobs.yaml
  belfry diff -f billing.yaml -f orders.yaml --prune`
}

// drift says that server and files differ: exit code 2, with nothing more to say.
type drift struct{}

// Error implements error.
func (drift) Error() string { return "the server differs from the job files" }

// Run prints the plan.
func (c *diffCommand) Run(ctx context.Context, io IO) error {
	sources, err := c.read(io)
	if err != nil {
		return err
	}
	r, err := c.open()
	if err != nil {
		return fmt.Errorf("%s", err.Error()) // exit code 2 means drift here
	}
	plan, err := c.planned(ctx, r, sources)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprint(io.Stdout, plan.Show(c.ShowParameters)); err != nil {
		return fmt.Errorf("writing the plan: %w", err)
	}
	if plan.Drift() {
		return drift{}
	}
	return nil
}
