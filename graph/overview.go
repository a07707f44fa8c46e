package graph

import (
	"context"
	"slices"
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

// overview puts together what the services count of some apps or, with nil, of all. It is a
// handful of small reads, however much has happened.
func (r *Resolver) overview(ctx context.Context, apps []string) (*gqlmodel.Overview, error) {
	v := &view{Overview: gqlmodel.Overview{At: r.clock.Now()}, apps: apps}
	if err := r.findGroups(ctx, v); err != nil {
		return nil, err
	}
	for _, part := range []func(context.Context, *view) error{
		r.countTasks, r.countEnds, r.countNodes, r.countJobs, r.listFailures, r.listUpcoming,
	} {
		if err := part(ctx, v); err != nil {
			return nil, err
		}
	}
	return &v.Overview, nil
}

// view is an overview that is put together.
type view struct {
	gqlmodel.Overview
	apps, groups []string // nil: all
}

// findGroups reads the groups of the apps.
func (r *Resolver) findGroups(ctx context.Context, v *view) error {
	if v.apps == nil {
		return nil
	}
	v.groups = []string{}
	groups, err := r.services.Fleet.Groups(ctx, "")
	for i := range groups {
		if slices.Contains(v.apps, groups[i].AppID) {
			v.groups = append(v.groups, groups[i].ID)
		}
	}
	return err
}

func (r *Resolver) countTasks(ctx context.Context, o *view) error {
	counters, err := r.services.Counts.Counters(ctx)
	if err != nil {
		return err
	}
	if o.Due, err = r.services.Counts.CountDue(ctx, o.groups); err != nil {
		return err
	}
	for group, n := range counters {
		if o.groups != nil && !slices.Contains(o.groups, group) {
			continue
		}
		o.Waiting += n[models.TaskWaiting]
		o.Running += n[models.TaskRunning]
		o.Retrying += n[models.TaskRetrying]
		o.FailedQueue += n[models.TaskFailed]
	}
	return nil
}

// countEnds sums the roll-ups of all groups by minute. Minutes in which nothing
// ended have no row and are filled in.
func (r *Resolver) countEnds(ctx context.Context, o *view) error {
	from := o.At.Truncate(time.Minute).Add(-(overviewMinutes - 1) * time.Minute)
	rows, err := r.services.Counts.Minutes(ctx, from)
	if err != nil {
		return err
	}
	if o.groups != nil {
		rows = slices.DeleteFunc(rows, func(m models.Minute) bool { return !slices.Contains(o.groups, m.GroupID) })
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

func (r *Resolver) countNodes(ctx context.Context, o *view) error {
	n, slots, err := r.services.Counts.CountNodes(ctx, o.apps)
	if err != nil {
		return err
	}
	o.Slots = slots
	o.Nodes = &gqlmodel.NodeCounts{
		Online: n[models.NodeOnline], Suspect: n[models.NodeSuspect], Offline: n[models.NodeOffline], Draining: n[models.NodeDraining],
	}
	return nil
}

func (r *Resolver) countJobs(ctx context.Context, o *view) error {
	n, err := r.services.Jobs.Count(ctx, job.Filter{Enabled: new(true), Within: o.apps})
	o.Jobs = n
	return err
}

func (r *Resolver) listFailures(ctx context.Context, o *view) error {
	failed := task.Filter{States: []models.TaskState{models.TaskFailed}, Within: o.apps}
	rows, _, err := r.services.Tasks.Page(ctx, failed, task.Page{First: overviewFailures})
	r.loaders(ctx).seeTasks(pointers(rows))
	o.RecentFailures = each(rows, r.taskOf)
	return err
}

func (r *Resolver) listUpcoming(ctx context.Context, o *view) error {
	rows, err := r.services.Jobs.Upcoming(ctx, o.apps, overviewUpcoming)
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
