package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/belfry-scheduler/belfry/services/jobfile"
)

type exportCommand struct {
	remoteFlag
	App    []string `placeholder:"NAME" help:"App to export; may be given several times. Without it: all that have jobs."`
	File   string   `short:"f" placeholder:"FILE" help:"File to write, replaced if it is there; - or nothing is standard output."`
	Schema bool     `help:"Print the JSON schema of job files instead, for editors."`
}

// Help implements kong.HelpProvider.
func (exportCommand) Help() string {
	return `Writes the server's jobs as a job file, one document an app. belfry apply of it changes nothing. Parameters are written as
they are: look through them before the file goes to git.

  belfry export --app orders -f orders.yaml
  belfry export --schema > belfry-jobs.schema.json`
}

// Run writes the file.
func (c *exportCommand) Run(ctx context.Context, io IO) error {
	text := jobfile.Schema
	if !c.Schema {
		var err error
		if text, err = c.export(ctx); err != nil {
			return err
		}
	}
	if c.File == "" || c.File == "-" {
		if _, err := io.Stdout.Write(text); err != nil {
			return fmt.Errorf("writing the job file: %w", err)
		}
		return nil
	}
	return replaceFile(c.File, text)
}

func (c *exportCommand) export(ctx context.Context) ([]byte, error) {
	r, err := c.open()
	if err != nil {
		return nil, err
	}
	names := c.App
	if len(names) == 0 {
		if names, err = r.appNames(ctx); err != nil {
			return nil, err
		}
	}
	var documents []jobfile.Document
	for _, name := range names {
		app, err := r.app(ctx, name)
		if err != nil {
			return nil, err
		}
		if app == nil {
			return nil, &usageError{err: fmt.Errorf("there is no app %q; belfry export without --app exports all", name)}
		}
		documents = append(documents, documentOf(name, app))
	}
	if len(documents) == 0 {
		return nil, errors.New("no app has jobs; nothing was written")
	}
	return jobfile.Write(documents)
}

// documentOf is an app's document. The group that most jobs are in is the document's.
func documentOf(name string, app *remoteApp) jobfile.Document {
	count := map[string]int{}
	d := jobfile.Document{App: name, Group: "default"}
	for i := range app.Jobs {
		j := app.Jobs[i].Job
		if count[j.Group]++; count[j.Group] > count[d.Group] {
			d.Group = j.Group
		}
		if j.Enabled != nil && *j.Enabled {
			j.Enabled = nil // so that a pause by a person later is no drift
		}
		d.Jobs = append(d.Jobs, j)
	}
	if d.Group == "default" {
		d.Group = ""
	}
	return d
}

// replaceFile writes a file whole or not at all.
func replaceFile(name string, text []byte) error {
	next, err := os.CreateTemp(filepath.Dir(name), ".belfry-export-*")
	if err != nil {
		return fmt.Errorf("the file %s cannot be written: %s", name, reasonOf(err))
	}
	defer func() { _ = os.Remove(next.Name()) }() // gone when all went well
	_, err = next.Write(text)
	err = errors.Join(err, next.Chmod(0o644), next.Close()) //nolint:gosec // a job file is no secret file: it is for git
	if err == nil {
		err = os.Rename(next.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("the file %s cannot be written: %w", name, err)
	}
	return nil
}
