package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
)

func dependencyInput(in *gqlmodel.DependencyTriggerInput) *job.DependencyInput {
	d := &job.DependencyInput{Mode: in.Mode.Value(), Window: in.Window.Value(), Zone: in.Zone.Value()}
	for _, u := range in.Upstream {
		d.Upstream = append(d.Upstream, job.UpstreamInput{Job: u.Job, On: u.On.Value()})
	}
	return d
}

func upstreamOf(d *models.Dependency) *gqlmodel.Upstream {
	return &gqlmodel.Upstream{On: d.On, JobID: d.UpstreamID}
}

func joinOf(j *job.Join) *gqlmodel.Join {
	return &gqlmodel.Join{
		Window: j.Window, OpenedAt: j.OpenedAt, Arrived: each(j.Arrived, arrivalOf), FiredAt: j.FiredAt, Reason: text(j.Reason),
		TaskID: j.TaskID, MissingIDs: j.Missing,
	}
}

func arrivalOf(a *job.Arrival) *gqlmodel.Arrival {
	return &gqlmodel.Arrival{At: a.EndedAt, Condition: a.On, JobID: a.UpstreamID, TaskID: a.TaskID}
}

// dependencyWords says when a job with a dependency trigger fires.
func (r *Resolver) dependencyWords(ctx context.Context, row *models.Job, locale string) (string, error) {
	upstream, _, err := r.loaders(ctx).upstream.Load(ctx, row.ID)
	if err != nil {
		return "", err
	}
	names := make([]job.Upstream, len(upstream))
	for i := range upstream {
		u, err := edge(ctx, r.loaders(ctx).jobs, "job", upstream[i].UpstreamID)
		if err != nil {
			return "", err
		}
		names[i] = job.Upstream{Name: u.Name, On: upstream[i].On}
	}
	return job.DependencyWords(row, names, locale), nil
}
