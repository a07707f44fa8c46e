package graph

import (
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/task"
)

// Sizes of the overview's lists, in entries.
const (
	overviewMinutes  = 60
	overviewFailures = 10
	overviewUpcoming = 10
)

// overview puts together what the services count. It is a handful of small reads,
// however much has happened.
func (r *Resolver) overview(ctx context.Context) (*gqlmodel.Overview, error) {
	o := &gqlmodel.Overview{At: r.clock.Now()}
	for _, part := range []func(context.Context, *gqlmodel.Overview) error{
		r.countTasks, r.countEnds, r.countNodes, r.countJobs, r.listFailures, r.listUpcoming,
	} {
		if err := part(ctx, o); err != nil {
			return nil, err
		}
	}
	return o, nil
}

func (r *Resolver) countTasks(ctx context.Context, o *gqlmodel.Overview) error {
	counters, err := r.services.Counts.Counters(ctx)
	if err != nil {
		return err
	}
	if o.Due, err = r.services.Counts.CountDue(ctx); err != nil {
		return err
	}
	for _, n := range counters {
		o.Waiting += n[models.TaskWaiting]
		o.Running += n[models.TaskRunning]
		o.Retrying += n[models.TaskRetrying]
		o.FailedQueue += n[models.TaskFailed]
	}
	return nil
}

// countEnds sums the roll-ups of all groups by minute. Minutes in which nothing
// ended have no row and are filled in.
func (r *Resolver) countEnds(ctx context.Context, o *gqlmodel.Overview) error {
	from := o.At.Truncate(time.Minute).Add(-(overviewMinutes - 1) * time.Minute)
	rows, err := r.services.Counts.Minutes(ctx, from)
	if err != nil {
		return err
	}
	o.Minutes = make([]*gqlmodel.MinuteStats, overviewMinutes)
	for i := range o.Minutes {
		o.Minutes[i] = &gqlmodel.MinuteStats{At: from.Add(time.Duration(i) * time.Minute)}
	}
	for _, row := range rows {
		i := int(row.Minute.Sub(from) / time.Minute)
		if i < 0 || i >= overviewMinutes {
			continue // ended while this was read
		}
		m := o.Minutes[i]
		m.Succeeded += row.Succeeded
		m.Failed += row.Failed
		m.Retried += row.Retried
		m.Cancelled += row.Cancelled
		m.Skipped += row.Skipped
	}
	return nil
}

func (r *Resolver) countNodes(ctx context.Context, o *gqlmodel.Overview) error {
	n, slots, err := r.services.Counts.CountNodes(ctx)
	if err != nil {
		return err
	}
	o.Slots = slots
	o.Nodes = &gqlmodel.NodeCounts{
		Online: n[models.NodeOnline], Suspect: n[models.NodeSuspect], Offline: n[models.NodeOffline], Draining: n[models.NodeDraining],
	}
	return nil
}

func (r *Resolver) countJobs(ctx context.Context, o *gqlmodel.Overview) error {
	n, err := r.services.Jobs.Count(ctx, job.Filter{Enabled: new(true)})
	o.Jobs = n
	return err
}

func (r *Resolver) listFailures(ctx context.Context, o *gqlmodel.Overview) error {
	failed := task.Filter{States: []models.TaskState{models.TaskFailed}}
	rows, _, err := r.services.Tasks.Page(ctx, failed, task.Page{First: overviewFailures})
	r.loaders(ctx).seeTasks(pointers(rows))
	o.RecentFailures = each(rows, r.taskOf)
	return err
}

func (r *Resolver) listUpcoming(ctx context.Context, o *gqlmodel.Overview) error {
	rows, err := r.services.Jobs.Upcoming(ctx, overviewUpcoming)
	if err != nil {
		return err
	}
	r.loaders(ctx).seeJobs(pointers(rows))
	o.Upcoming = make([]*gqlmodel.UpcomingFire, 0, len(rows))
	for i := range rows {
		if at := rows[i].NextFireAt; at != nil {
			o.Upcoming = append(o.Upcoming, &gqlmodel.UpcomingFire{Job: jobOf(&rows[i]), At: *at})
		}
	}
	return nil
}
