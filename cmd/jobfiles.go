package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/jobfile"
)

// jobFileFlag names job files.
type jobFileFlag struct {
	File           []string `short:"f" sep:"none" placeholder:"FILE" required:"" help:"Job file; - is standard input. May be given several times."`
	Prune          bool     `help:"Also delete the jobs of the files' apps that stand in none of the files."`
	ShowParameters bool     `help:"Show the values of parameters, which may hold secrets."`
}

// read reads all files and says everything that is wrong with them.
func (f *jobFileFlag) read(in IO) ([]jobfile.Source, error) {
	var sources []jobfile.Source
	var wrong jobfile.Problems
	for _, name := range f.File {
		text, err := readFile(in, name, jobfile.MaxBytes)
		if err != nil {
			return nil, err
		}
		shown := name
		if name == "-" {
			shown = "standard input"
		}
		documents, err := jobfile.Read(shown, text)
		if problems, ok := errors.AsType[jobfile.Problems](err); ok {
			wrong = append(wrong, problems...)
			continue
		}
		sources = append(sources, jobfile.Source{Name: shown, Documents: documents})
	}
	if len(wrong) == 0 && len(sources) > 1 {
		wrong = jobfile.Twice(sources)
	}
	if len(wrong) > 0 {
		return nil, &badFiles{wrong}
	}
	return sources, nil
}

// badFiles says what is wrong with files, a line each.
type badFiles struct{ problems jobfile.Problems }

// Error implements error.
func (b *badFiles) Error() string {
	return fmt.Sprintf("the job files cannot be used; nothing was changed\n%s", b.problems.Error())
}

// readFile reads a file or, for -, standard input: at most so many bytes and one more.
func readFile(in IO, name string, most int64) ([]byte, error) {
	from := in.Stdin
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("the file %s cannot be read: %s", name, reasonOf(err))
		}
		defer func() { _ = file.Close() }()
		from = file
	}
	text, err := io.ReadAll(io.LimitReader(from, most+1))
	if err != nil {
		return nil, fmt.Errorf("the file %s cannot be read: %s", name, reasonOf(err))
	}
	return text, nil
}

// planned compares files with the server.
func (f *jobFileFlag) planned(ctx context.Context, r *remote, sources []jobfile.Source) (jobfile.Plan, error) {
	live := map[string][]jobfile.Live{}
	var wrong jobfile.Problems
	for _, s := range sources {
		for i := range s.Documents {
			d := &s.Documents[i]
			app, err := r.app(ctx, d.App)
			if err != nil {
				return jobfile.Plan{}, err
			}
			if app == nil {
				line, column := d.Where("app")
				wrong = append(wrong, jobfile.Problem{Source: s.Name, Line: line, Column: column, Message: fmt.Sprintf("There is no app %s; create it in the console or with belfry app create %s.", d.App, d.App)})
				continue
			}
			live[d.App] = app.Jobs
		}
	}
	if len(wrong) > 0 {
		return jobfile.Plan{}, &badFiles{wrong}
	}
	plan := jobfile.Make(sources, live, f.Prune)
	missing, err := r.missing(ctx, &plan)
	if err == nil && len(missing) > 0 {
		err = &badFiles{missing}
	}
	return plan, err
}

// missing says which groups and upstream jobs a plan names that there are not.
func (r *remote) missing(ctx context.Context, plan *jobfile.Plan) (jobfile.Problems, error) {
	coming := map[[2]string]bool{}
	going := map[[2]string]bool{}
	for i := range plan.Changes {
		c := &plan.Changes[i]
		coming[[2]string{c.App, c.Name}] = c.Action == jobfile.Create
		going[[2]string{c.App, c.Name}] = c.Action == jobfile.Delete
	}
	var wrong jobfile.Problems
	for i := range plan.Changes {
		c := &plan.Changes[i]
		if c.Action != jobfile.Create && c.Action != jobfile.Update {
			continue
		}
		say := func(path, message string, args ...any) {
			line, column := c.Job.Where(path)
			wrong = append(wrong, jobfile.Problem{Source: c.Source, Line: line, Column: column, Message: fmt.Sprintf(message, args...)})
		}
		if r.apps[c.App].Groups[c.Job.Group] == "" {
			say("group", "The app %s has no node group %s; create it in the console, or name another one.", c.App, check.Quote(c.Job.Group))
		}
		d := c.Job.Trigger.Dependency
		if d == nil {
			continue
		}
		for k, u := range d.Upstream {
			key := [2]string{u.App, u.Job}
			id, err := r.jobID(ctx, u.App, u.Job)
			if err != nil {
				return nil, err
			}
			if id == "" && !coming[key] || going[key] {
				say(fmt.Sprintf("trigger.dependency.upstream.%d.job", k), "There is no job %s in the app %s to wait for.", check.Quote(u.Job), u.App)
			}
		}
	}
	return wrong, nil
}

// jobID is the id of a job by its name; empty when there is none.
func (r *remote) jobID(ctx context.Context, app, name string) (string, error) {
	a, err := r.app(ctx, app)
	if err != nil || a == nil {
		return "", err
	}
	for i := range a.Jobs {
		if a.Jobs[i].Job.Name == name {
			return a.Jobs[i].ID, nil
		}
	}
	return "", nil
}
