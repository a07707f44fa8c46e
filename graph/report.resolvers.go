package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
)

// CreateReportSchedule is the resolver for Mutation.createReportSchedule.
func (r *mutationResolver) CreateReportSchedule(ctx context.Context, input gqlmodel.ReportScheduleInput) (*gqlmodel.ReportSchedulePayload, error) {
	made, err := r.services.Reports.Create(ctx, actor(ctx), reportInput(&input))
	return reportPayload(&made)(inInput("name", err))
}

// UpdateReportSchedule is the resolver for Mutation.updateReportSchedule.
func (r *mutationResolver) UpdateReportSchedule(ctx context.Context, id string, input gqlmodel.ReportScheduleInput) (*gqlmodel.ReportSchedulePayload, error) {
	saved, err := r.services.Reports.Update(ctx, actor(ctx), id, reportInput(&input))
	return reportPayload(&saved)(inInput("id", err))
}

// DeleteReportSchedule is the resolver for Mutation.deleteReportSchedule.
func (r *mutationResolver) DeleteReportSchedule(ctx context.Context, id string) (*gqlmodel.ReportSchedulePayload, error) {
	gone, err := r.services.Reports.Delete(ctx, actor(ctx), id)
	return reportPayload(&gone)(inArgument("id", err))
}

// SendReportNow is the resolver for Mutation.sendReportNow.
func (r *mutationResolver) SendReportNow(ctx context.Context, id string) (*gqlmodel.ReportSchedulePayload, error) {
	sent, err := r.services.Reports.SendNow(ctx, actor(ctx), id)
	return reportPayload(&sent)(inArgument("id", err))
}

// ReportSchedules is the resolver for Query.reportSchedules.
func (r *queryResolver) ReportSchedules(ctx context.Context) ([]*gqlmodel.ReportSchedule, error) {
	rows, err := r.services.Reports.Schedules(ctx)
	r.loaders(ctx).seeReports(pointers(rows))
	return each(rows, reportOf), err
}

// MorningReport is the resolver for Query.morningReport.
func (r *queryResolver) MorningReport(ctx context.Context, app, day, at, zone *string) (*gqlmodel.MorningReport, error) {
	return r.morningReport(ctx, or(app, ""), or(day, ""), or(at, ""), or(zone, ""))
}

// Job is the resolver for ReportLine.job.
func (r *reportLineResolver) Job(ctx context.Context, obj *gqlmodel.ReportLine) (*gqlmodel.Job, error) {
	return r.jobIfAny(ctx, &obj.JobID)
}

// Task is the resolver for ReportLine.task.
func (r *reportLineResolver) Task(ctx context.Context, obj *gqlmodel.ReportLine) (*gqlmodel.Task, error) {
	if obj.TaskID == "" {
		return nil, nil
	}
	return r.task(ctx, &obj.TaskID)
}

// App is the resolver for ReportSchedule.app.
func (r *reportScheduleResolver) App(ctx context.Context, obj *gqlmodel.ReportSchedule) (*gqlmodel.App, error) {
	if obj.Row.AppID == nil {
		return nil, nil
	}
	row, _, err := r.loaders(ctx).apps.Load(ctx, *obj.Row.AppID)
	return appOf(row), err
}

// Channels is the resolver for ReportSchedule.channels.
func (r *reportScheduleResolver) Channels(ctx context.Context, obj *gqlmodel.ReportSchedule) ([]*gqlmodel.AlertChannel, error) {
	return r.reportChannels(ctx, obj.Row)
}

// People is the resolver for ReportSchedule.people.
func (r *reportScheduleResolver) People(ctx context.Context, obj *gqlmodel.ReportSchedule) ([]*gqlmodel.Person, error) {
	return r.reportPeople(ctx, obj.Row)
}

// ReportLine answers the resolvers of ReportLine.
func (r *Resolver) ReportLine() generated.ReportLineResolver { return &reportLineResolver{r} }

// ReportSchedule answers the resolvers of ReportSchedule.
func (r *Resolver) ReportSchedule() generated.ReportScheduleResolver {
	return &reportScheduleResolver{r}
}

type (
	reportLineResolver     struct{ *Resolver }
	reportScheduleResolver struct{ *Resolver }
)
