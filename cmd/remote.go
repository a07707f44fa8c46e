package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/belfry-scheduler/belfry/internal/gqlclient"
	"github.com/belfry-scheduler/belfry/services/jobfile"
)

// remoteFlag says which server a command talks to, and as whom.
type remoteFlag struct {
	Server string `env:"BELFRY_SERVER" default:"http://127.0.0.1:7000" placeholder:"URL" help:"Address of the server (${default})."`
	Token  string `env:"BELFRY_TOKEN" placeholder:"TOKEN" help:"API token; better in the environment, since others can read command lines."`
}

// remote is the server that a command talks to.
type remote struct {
	client *gqlclient.Client
	apps   map[string]*remoteApp // asked for so far; nil: there is no such app
}

// remoteApp is an app with what job files name by name.
type remoteApp struct {
	ID     string
	Groups map[string]string // ids by name
	Jobs   []jobfile.Live    // by name
}

func (f *remoteFlag) open() (*remote, error) {
	client, err := gqlclient.New(f.Server, strings.TrimSpace(f.Token))
	if err != nil {
		return nil, &usageError{err: err}
	}
	return &remote{client: client, apps: map[string]*remoteApp{}}, nil
}

// do sends an operation; a refusal for want of a token says how to give one.
func (r *remote) do(ctx context.Context, operation string, variables map[string]any, out any) error {
	err := r.client.Do(ctx, operation, variables, out)
	if failure, ok := errors.AsType[*gqlclient.Failure](err); ok && failure.Code == "UNAUTHENTICATED" {
		return fmt.Errorf("%w Put an API token into BELFRY_TOKEN", err)
	}
	return err
}

// appNames are the names of all apps.
func (r *remote) appNames(ctx context.Context) ([]string, error) {
	var out struct {
		Apps []struct {
			Name     string `json:"name"`
			JobCount int    `json:"jobCount"`
		} `json:"apps"`
	}
	if err := r.do(ctx, "query ExportApps { apps { name jobCount } }", nil, &out); err != nil {
		return nil, err
	}
	var names []string
	for _, a := range out.Apps {
		if a.JobCount > 0 {
			names = append(names, a.Name)
		}
	}
	return names, nil
}

// app answers an app with its groups and jobs; nil when there is none.
func (r *remote) app(ctx context.Context, name string) (*remoteApp, error) {
	if a, ok := r.apps[name]; ok {
		return a, nil
	}
	var out struct {
		App *struct {
			ID         string `json:"id"`
			NodeGroups []struct {
				ID   string `json:"id"`
				Name string `json:"name"`
			} `json:"nodeGroups"`
		} `json:"app"`
	}
	err := r.do(ctx, "query JobFileApp($name: String!) { app(name: $name) { id nodeGroups { id name } } }", map[string]any{"name": name}, &out)
	if err != nil {
		return nil, err
	}
	if out.App == nil {
		r.apps[name] = nil
		return nil, nil //nolint:nilnil // there is no such app
	}
	a := &remoteApp{ID: out.App.ID, Groups: map[string]string{}}
	for _, g := range out.App.NodeGroups {
		a.Groups[g.Name] = g.ID
	}
	if a.Jobs, err = r.jobs(ctx, a.ID); err != nil {
		return nil, err
	}
	r.apps[name] = a
	return a, nil
}

const jobsOperation = `query JobFileJobs($app: ID!, $after: String) {
  jobs(first: 50, after: $after, filter: {app: $app}) {
    nodes {
      id version name handler parameters description labels enabled priority timeout concurrency maxRunning delivery
      group { name }
      trigger {
        kind expression zone startAt endAt jitter every delay onRestDay mode window
        calendar { name }
        upstream { on job { name app { name } } }
      }
      retry { maxAttempts backoff delay maxDelay jitter }
      misfire { policy grace limit }
      routing { strategy key node fallback fallbackAfter labels }
    }
    pageInfo { hasNextPage endCursor }
  }
}`

// remoteJob is a job as the server shows it. Fields that have the same name and form
// in a job file are read by jobfile's types.
type remoteJob struct {
	jobfile.Job
	ID      string                `json:"id"`
	Version int                   `json:"version"`
	Group   struct{ Name string } `json:"group"`
	Trigger remoteTrigger         `json:"trigger"`
}

type remoteTrigger struct {
	Kind       string `json:"kind"`
	Expression string `json:"expression"`
	Zone       string `json:"zone"`
	StartAt    string `json:"startAt"`
	EndAt      string `json:"endAt"`
	Jitter     string `json:"jitter"`
	Every      string `json:"every"`
	Delay      string `json:"delay"`
	OnRestDay  string `json:"onRestDay"`
	Mode       string `json:"mode"`
	Window     string `json:"window"`
	Calendar   *struct {
		Name string `json:"name"`
	} `json:"calendar"`
	Upstream []struct {
		On  string `json:"on"`
		Job struct {
			Name string `json:"name"`
			App  struct {
				Name string `json:"name"`
			} `json:"app"`
		} `json:"job"`
	} `json:"upstream"`
}

// jobs reads all jobs of an app, page by page.
func (r *remote) jobs(ctx context.Context, appID string) ([]jobfile.Live, error) {
	var all []jobfile.Live
	variables := map[string]any{"app": appID}
	for {
		var out struct {
			Jobs struct {
				Nodes    []remoteJob `json:"nodes"`
				PageInfo struct {
					HasNextPage bool   `json:"hasNextPage"`
					EndCursor   string `json:"endCursor"`
				} `json:"pageInfo"`
			} `json:"jobs"`
		}
		if err := r.do(ctx, jobsOperation, variables, &out); err != nil {
			return nil, err
		}
		for i := range out.Jobs.Nodes {
			all = append(all, out.Jobs.Nodes[i].live())
		}
		if !out.Jobs.PageInfo.HasNextPage {
			return all, nil
		}
		variables["after"] = out.Jobs.PageInfo.EndCursor
	}
}

// live is the job in the terms of job files.
func (j *remoteJob) live() jobfile.Live {
	job := j.Job
	job.Group = j.Group.Name
	job.Trigger = j.Trigger.trigger()
	return jobfile.Live{ID: j.ID, Version: j.Version, Job: job}
}

func (t *remoteTrigger) trigger() jobfile.Trigger {
	switch t.Kind {
	case "CRON":
		c := &jobfile.Cron{Expression: t.Expression, Zone: t.Zone, StartAt: t.StartAt, EndAt: t.EndAt, Jitter: t.Jitter, OnRestDay: t.OnRestDay}
		if t.Calendar != nil {
			c.Calendar = t.Calendar.Name
		}
		return jobfile.Trigger{Cron: c}
	case "FIXED_RATE":
		return jobfile.Trigger{FixedRate: &jobfile.FixedRate{Every: t.Every, StartAt: t.StartAt}}
	case "FIXED_DELAY":
		return jobfile.Trigger{FixedDelay: &jobfile.FixedDelay{Delay: t.Delay}}
	case "DEPENDENCY":
		d := &jobfile.Dependency{Mode: t.Mode, Window: t.Window, Zone: t.Zone}
		for _, u := range t.Upstream {
			d.Upstream = append(d.Upstream, jobfile.Upstream{Job: u.Job.Name, App: u.Job.App.Name, On: u.On})
		}
		return jobfile.Trigger{Dependency: d}
	}
	return jobfile.Trigger{Manual: true}
}

// refusal is what a mutation says against its input.
type refusal struct {
	Field   []string `json:"field"`
	Message string   `json:"message"`
}

type jobAnswer struct {
	Job *struct {
		ID       string   `json:"id"`
		Warnings []string `json:"warnings"`
	} `json:"job"`
	UserErrors []refusal `json:"userErrors"`
}

// change sends one of the job mutations, whose answer has the name payload.
func (r *remote) change(ctx context.Context, operation string, variables map[string]any) (jobAnswer, error) {
	var out struct {
		Payload jobAnswer `json:"payload"`
	}
	err := r.do(ctx, operation, variables, &out)
	return out.Payload, err
}

// jobInput is a job as createJob and updateJob take it: every field, with null for the
// default, so that what a file leaves out becomes the default again.
func jobInput(j *jobfile.Job, groupID string, idOf func(app, name string) string) (map[string]any, error) {
	raw, err := json.Marshal(j)
	if err != nil {
		return nil, fmt.Errorf("writing the job %q: %w", j.Name, err)
	}
	in := map[string]any{
		"description": nil, "labels": nil, "parameters": nil, "maxRunning": nil, "routing": nil, "sharding": nil,
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return nil, fmt.Errorf("writing the job %q: %w", j.Name, err)
	}
	for name, v := range given {
		in[name] = v
	}
	in["group"] = groupID
	if d := j.Trigger.Dependency; d != nil {
		upstream := make([]map[string]any, len(d.Upstream))
		for i, u := range d.Upstream {
			upstream[i] = map[string]any{"job": idOf(u.App, u.Job), "on": u.On}
		}
		in["trigger"] = map[string]any{"dependency": map[string]any{"upstream": upstream, "mode": d.Mode, "window": d.Window, "zone": d.Zone}}
	}
	return in, nil
}
