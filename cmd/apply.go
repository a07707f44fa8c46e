package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/belfry-scheduler/belfry/services/jobfile"
)

type applyCommand struct {
	remoteFlag
	jobFileFlag
	Yes bool `short:"y" help:"Do not ask."`
}

// Help implements kong.HelpProvider.
func (applyCommand) Help() string {
	return `Makes the server's jobs what the files say: shows the plan, asks, then creates, changes and (with --prune only) deletes
jobs one by one. It can be repeated at any time: what is done already is left alone. When one job is refused it stops and says
what was done and what was not.

  belfry apply -f jobs.yaml
  belfry import crontab /etc/crontab --app ops | belfry apply --yes -f -`
}

// Run applies the files.
func (c *applyCommand) Run(ctx context.Context, io IO) error {
	sources, err := c.read(io)
	if err != nil {
		if _, ok := errors.AsType[*badFiles](err); ok {
			return &usageError{err: err}
		}
		return err
	}
	r, err := c.open()
	if err != nil {
		return err
	}
	plan, err := c.planned(ctx, r, sources)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprint(io.Stdout, plan.Show(c.ShowParameters)); err != nil {
		return fmt.Errorf("writing the plan: %w", err)
	}
	if !plan.Drift() {
		return nil
	}
	if !c.Yes {
		if err := c.ask(io); err != nil {
			return err
		}
	}
	return r.apply(ctx, io, &plan)
}

// ask asks on the terminal.
func (c *applyCommand) ask(io IO) error {
	file, ok := io.Stdin.(*os.File)
	if ok {
		info, err := file.Stat()
		ok = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	if !ok || slices.Contains(c.File, "-") {
		return &usageError{err: errors.New("nothing was changed: there is no terminal to ask on; repeat with --yes")}
	}
	if _, err := fmt.Fprint(io.Stdout, "Apply this? [y/N] "); err != nil {
		return fmt.Errorf("asking: %w", err)
	}
	answer, _ := bufio.NewReader(io.Stdin).ReadString('\n') // the end of input is a no
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return errors.New("nothing was changed")
}

const (
	createOperation = "mutation ApplyCreate($input: CreateJobInput!) { payload: createJob(input: $input) { job { id warnings } userErrors { field message } } }"
	updateOperation = "mutation ApplyUpdate($input: UpdateJobInput!) { payload: updateJob(input: $input) { job { id warnings } userErrors { field message } } }"
	deleteOperation = "mutation ApplyDelete($id: ID!) { payload: deleteJob(id: $id) { job { id } userErrors { field message } } }"
)

// apply makes the changes of a plan in their order and stops at the first that fails.
func (r *remote) apply(ctx context.Context, io IO, plan *jobfile.Plan) error {
	all := plan.Count(jobfile.Create) + plan.Count(jobfile.Update) + plan.Count(jobfile.Delete)
	done := map[jobfile.Action]string{jobfile.Create: "created", jobfile.Update: "changed", jobfile.Delete: "deleted"}
	made := 0
	for i := range plan.Changes {
		change := &plan.Changes[i]
		word := done[change.Action]
		if word == "" {
			continue
		}
		if err := r.make(ctx, io, change); err != nil {
			return stopped(plan.Changes[i:], made, all, err)
		}
		made++
		if _, err := fmt.Fprintf(io.Stdout, "%s %s/%s\n", word, change.App, change.Name); err != nil {
			return stopped(plan.Changes[i+1:], made, all, fmt.Errorf("writing what was done: %w", err))
		}
	}
	return nil
}

// stopped says what was done before a failure and what was not.
func stopped(rest []jobfile.Change, made, all int, err error) error {
	var names []string
	for i := range rest {
		if c := &rest[i]; c.Action == jobfile.Create || c.Action == jobfile.Update || c.Action == jobfile.Delete {
			names = append(names, fmt.Sprintf("%s %s/%s", c.Action, c.App, c.Name))
		}
	}
	return fmt.Errorf("%w\nstopped: %d of %d changes were made; not made: %s. Repeat the command when this is mended: what was done stays", err, made, all, strings.Join(names, ", "))
}

// make makes one change.
func (r *remote) make(ctx context.Context, io IO, c *jobfile.Change) error {
	operation, variables := deleteOperation, map[string]any{"id": c.Live.ID}
	if c.Action != jobfile.Delete {
		ids := map[[2]string]string{}
		if d := c.Job.Trigger.Dependency; d != nil {
			for _, u := range d.Upstream {
				id, err := r.jobID(ctx, u.App, u.Job)
				if err != nil {
					return err
				}
				ids[[2]string{u.App, u.Job}] = id
			}
		}
		in, err := jobInput(&c.Job, r.apps[c.App].Groups[c.Job.Group], func(app, name string) string { return ids[[2]string{app, name}] })
		if err != nil {
			return err
		}
		operation = createOperation
		if c.Action == jobfile.Update {
			operation = updateOperation
			in["id"], in["version"] = c.Live.ID, c.Live.Version // what was planned is what is changed, or nothing
		}
		variables = map[string]any{"input": in}
	}
	answer, err := r.change(ctx, operation, variables)
	if err != nil {
		return fmt.Errorf("%s %s/%s: %w", c.Action, c.App, c.Name, err)
	}
	if len(answer.UserErrors) > 0 || answer.Job == nil {
		return refused(c, answer.UserErrors)
	}
	if c.Action == jobfile.Create {
		r.apps[c.App].Jobs = append(r.apps[c.App].Jobs, jobfile.Live{ID: answer.Job.ID, Job: c.Job})
	}
	for _, w := range answer.Job.Warnings {
		_, _ = fmt.Fprintf(io.Stderr, "warning: %s/%s: %s\n", c.App, c.Name, w)
	}
	return nil
}

// refused says at which lines of the file the server's reasons are.
func refused(c *jobfile.Change, all []refusal) error {
	var wrong jobfile.Problems
	for _, e := range all {
		field := e.Field
		if len(field) > 0 && field[0] == "input" {
			field = field[1:]
		}
		line, column := c.Job.Where(strings.Join(field, "."))
		if line == 0 { // a deleted job stands in no file
			return fmt.Errorf("%s %s/%s: %s", c.Action, c.App, c.Name, e.Message)
		}
		wrong = append(wrong, jobfile.Problem{Source: c.Source, Line: line, Column: column, Message: e.Message})
	}
	return fmt.Errorf("%s %s/%s was refused\n%w", c.Action, c.App, c.Name, wrong)
}
