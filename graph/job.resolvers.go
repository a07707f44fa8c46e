package graph

import (
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/job"
)

// App is the resolver for Job.app.
func (r *jobResolver) App(ctx context.Context, obj *gqlmodel.Job) (*gqlmodel.App, error) {
	return r.app(ctx, obj.Row.AppID)
}

// Group is the resolver for Job.group.
func (r *jobResolver) Group(ctx context.Context, obj *gqlmodel.Job) (*gqlmodel.NodeGroup, error) {
	return r.group(ctx, obj.Row.GroupID)
}

// Warnings is the resolver for Job.warnings.
func (r *jobResolver) Warnings(ctx context.Context, obj *gqlmodel.Job) ([]string, error) {
	warnings, _, err := r.loaders(ctx).jobWarnings.Load(ctx, obj.Row)
	if warnings == nil {
		warnings = []string{}
	}
	return warnings, err
}

// NextFires is the resolver for Job.nextFires.
func (r *jobResolver) NextFires(ctx context.Context, obj *gqlmodel.Job, count *int) ([]*time.Time, error) {
	n, err := page.Size("count", count, normalNextFires, mostNextFires)
	if err != nil {
		return nil, err
	}
	compiled, err := r.calendarOfJob(ctx, obj.Row)
	if err != nil {
		return nil, err
	}
	return pointers(r.services.Jobs.NextFires(obj.Row, compiled, n)), nil
}

// SkippedFires is the resolver for Job.skippedFires.
func (r *jobResolver) SkippedFires(ctx context.Context, obj *gqlmodel.Job, first *int) ([]*gqlmodel.SkippedFires, error) {
	n, err := page.Size("first", first, page.DefaultSize, page.MaxSize)
	if err != nil {
		return nil, err
	}
	skipped, err := r.loaders(ctx).skippedFires.load(ctx, obj.ID, n)
	return each(skipped, skippedOf), err
}

// RecentTasks is the resolver for Job.recentTasks.
func (r *jobResolver) RecentTasks(ctx context.Context, obj *gqlmodel.Job, first *int) ([]*gqlmodel.Task, error) {
	n, err := page.Size("first", first, page.DefaultSize, mostRecentTasks)
	if err != nil {
		return nil, err
	}
	tasks, err := r.loaders(ctx).recentTasks.load(ctx, obj.ID, n)
	return each(tasks, r.taskOf), err
}

// Stats is the resolver for Job.stats.
func (r *jobResolver) Stats(ctx context.Context, obj *gqlmodel.Job) (*gqlmodel.JobStats, error) {
	stats, _, err := r.loaders(ctx).jobStats.Load(ctx, obj.ID)
	return statsOf(&stats), err
}

// TotalCount is the resolver for JobConnection.totalCount.
func (r *jobConnectionResolver) TotalCount(ctx context.Context, obj *gqlmodel.JobConnection) (*int, error) {
	return obj.Count(ctx)
}

// CreateJob is the resolver for Mutation.createJob.
func (r *mutationResolver) CreateJob(ctx context.Context, input gqlmodel.CreateJobInput) (*gqlmodel.JobPayload, error) {
	if err := r.seesUpstream(ctx, input.Trigger); err != nil {
		return jobPayload(models.Job{})(inInput("id", err))
	}
	saved, err := r.services.Jobs.Create(ctx, actor(ctx), jobInput(input))
	return jobPayload(saved)(inInput("id", err))
}

// UpdateJob is the resolver for Mutation.updateJob.
func (r *mutationResolver) UpdateJob(ctx context.Context, input gqlmodel.UpdateJobInput) (*gqlmodel.JobPayload, error) {
	if err := r.seesUpstream(ctx, input.Trigger.Value()); err != nil {
		return jobPayload(models.Job{})(inInput("id", err))
	}
	saved, err := r.services.Jobs.Update(ctx, actor(ctx), jobUpdate(input))
	return jobPayload(saved)(inInput("id", err))
}

// PauseJob is the resolver for Mutation.pauseJob.
func (r *mutationResolver) PauseJob(ctx context.Context, id string) (*gqlmodel.JobPayload, error) {
	saved, err := r.services.Jobs.Pause(ctx, actor(ctx), id)
	return jobPayload(saved)(inArgument("id", err))
}

// ResumeJob is the resolver for Mutation.resumeJob.
func (r *mutationResolver) ResumeJob(ctx context.Context, id string) (*gqlmodel.JobPayload, error) {
	saved, err := r.services.Jobs.Resume(ctx, actor(ctx), id)
	return jobPayload(saved)(inArgument("id", err))
}

// DeleteJob is the resolver for Mutation.deleteJob.
func (r *mutationResolver) DeleteJob(ctx context.Context, id string) (*gqlmodel.JobPayload, error) {
	saved, err := r.services.Jobs.Delete(ctx, actor(ctx), id)
	return jobPayload(saved)(inArgument("id", err))
}

// RollBackJob is the resolver for Mutation.rollBackJob.
func (r *mutationResolver) RollBackJob(ctx context.Context, id string, revision int, version *int) (*gqlmodel.JobPayload, error) {
	saved, err := r.services.Jobs.RollBack(ctx, actor(ctx), id, revision, version)
	return jobPayload(saved)(inArgument("id", err))
}

// TriggerJob is the resolver for Mutation.triggerJob.
func (r *mutationResolver) TriggerJob(ctx context.Context, input gqlmodel.TriggerJobInput) (*gqlmodel.TaskPayload, error) {
	made, err := r.services.Tasks.Run(ctx, actor(ctx), newTask(input))
	return r.taskPayload(made)(inInput("id", err))
}

// Jobs is the resolver for Query.jobs.
func (r *queryResolver) Jobs(ctx context.Context, first *int, after *string, filter *gqlmodel.JobFilter, orderBy *gqlmodel.JobOrder) (*gqlmodel.JobConnection, error) {
	order, name := jobOrder(orderBy)
	window, err := page.Read(name, page.Args{First: first, After: after})
	if err != nil {
		return nil, err
	}
	match := jobFilter(ctx, filter)
	rows, info, err := r.services.Jobs.Page(ctx, match, order, job.Page(window))
	if fault.Is(err, fault.Invalid) && after != nil {
		return nil, fault.At("after", fault.Invalid, "after is no cursor of this list in this order: take endCursor of one of its pages.")
	}
	if err != nil {
		return nil, err
	}
	count := func(ctx context.Context) (*int, error) {
		n, err := r.services.Jobs.Count(ctx, match)
		return &n, err
	}
	r.loaders(ctx).seeJobs(pointers(rows))
	return jobConnection(rows, info, order, name, count), nil
}

// Job is the resolver for Query.job.
func (r *queryResolver) Job(ctx context.Context, id string) (*gqlmodel.Job, error) {
	return found(jobOf)(r.services.Jobs.Job(ctx, id))
}

// SchedulePreview is the resolver for Query.schedulePreview.
func (r *queryResolver) SchedulePreview(ctx context.Context, input gqlmodel.SchedulePreviewInput) (*gqlmodel.SchedulePreview, error) {
	if err := r.seesPreview(ctx, &input); err != nil {
		return nil, fault.Prefix("input", err)
	}
	preview, err := r.services.Jobs.Preview(ctx, previewInput(input))
	if err != nil {
		return nil, fault.Prefix("input", err)
	}
	return previewOf(&preview), nil
}

// Description is the resolver for Trigger.description.
func (r *triggerResolver) Description(ctx context.Context, obj *gqlmodel.Trigger, locale *string) (string, error) {
	if obj.Row.TriggerKind == models.TriggerDependency {
		return r.dependencyWords(ctx, obj.Row, or(locale, "en"))
	}
	compiled, err := r.calendarOfJob(ctx, obj.Row)
	if err != nil {
		return "", err
	}
	return r.services.Jobs.Words(obj.Row, compiled, or(locale, "en")), nil
}

// Resolved is the resolver for Trigger.resolved.
func (r *triggerResolver) Resolved(_ context.Context, obj *gqlmodel.Trigger) (*string, error) {
	return text(r.services.Jobs.Resolved(obj.Row)), nil
}

// Calendar is the resolver for Trigger.calendar.
func (r *triggerResolver) Calendar(ctx context.Context, obj *gqlmodel.Trigger) (*gqlmodel.Calendar, error) {
	if obj.Row.CalendarID == nil {
		return nil, nil //nolint:nilnil // absent is an answer: the schema says null
	}
	row, _, err := r.loaders(ctx).calendars.Load(ctx, *obj.Row.CalendarID)
	return calendarOf(row), err
}

// Dialect is the resolver for Trigger.dialect.
func (r *triggerResolver) Dialect(_ context.Context, obj *gqlmodel.Trigger) (*string, error) {
	return text(r.services.Jobs.Dialect(obj.Row)), nil
}

// Job answers the resolvers of Job.
func (r *Resolver) Job() generated.JobResolver { return &jobResolver{r} }

// JobConnection answers the resolvers of JobConnection.
func (r *Resolver) JobConnection() generated.JobConnectionResolver { return &jobConnectionResolver{r} }

// Trigger answers the resolvers of Trigger.
func (r *Resolver) Trigger() generated.TriggerResolver { return &triggerResolver{r} }

type (
	jobResolver           struct{ *Resolver }
	jobConnectionResolver struct{ *Resolver }
	triggerResolver       struct{ *Resolver }
)
