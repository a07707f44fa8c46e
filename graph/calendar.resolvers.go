package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/models"
)

// App is the resolver for Calendar.app.
func (r *calendarResolver) App(ctx context.Context, obj *gqlmodel.Calendar) (*gqlmodel.App, error) {
	return r.app(ctx, obj.Row.AppID)
}

// Days is the resolver for Calendar.days.
func (r *calendarResolver) Days(ctx context.Context, obj *gqlmodel.Calendar, year *int) ([]*gqlmodel.CalendarDay, error) {
	return r.calendarDays(ctx, obj.ID, year)
}

// JobCount is the resolver for Calendar.jobCount.
func (r *calendarResolver) JobCount(ctx context.Context, obj *gqlmodel.Calendar) (int, error) {
	n, _, err := r.loaders(ctx).calendarJobCounts.Load(ctx, obj.ID)
	return n, err
}

// Jobs is the resolver for Calendar.jobs.
func (r *calendarResolver) Jobs(ctx context.Context, obj *gqlmodel.Calendar, first *int) ([]*gqlmodel.Job, error) {
	n, err := page.Size("first", first, page.DefaultSize, page.MaxSize)
	if err != nil {
		return nil, err
	}
	jobs, err := r.loaders(ctx).calendarJobs.load(ctx, obj.ID, n)
	return each(jobs, jobOf), err
}

// CreateCalendar is the resolver for Mutation.createCalendar.
func (r *mutationResolver) CreateCalendar(ctx context.Context, input gqlmodel.CreateCalendarInput) (*gqlmodel.CalendarPayload, error) {
	saved, err := r.services.Calendars.Create(ctx, actor(ctx), calendarInput(input))
	return calendarPayload(saved)(inInput("app", err))
}

// UpdateCalendar is the resolver for Mutation.updateCalendar.
func (r *mutationResolver) UpdateCalendar(ctx context.Context, input gqlmodel.UpdateCalendarInput) (*gqlmodel.CalendarPayload, error) {
	saved, err := r.services.Calendars.Update(ctx, actor(ctx), calendarUpdate(input))
	return calendarPayload(saved)(inInput("id", err))
}

// DeleteCalendar is the resolver for Mutation.deleteCalendar.
func (r *mutationResolver) DeleteCalendar(ctx context.Context, id string) (*gqlmodel.CalendarPayload, error) {
	gone, err := r.services.Calendars.Delete(ctx, actor(ctx), id)
	return calendarPayload(gone)(inArgument("id", err))
}

// ImportCalendar is the resolver for Mutation.importCalendar.
func (r *mutationResolver) ImportCalendar(ctx context.Context, input gqlmodel.ImportCalendarInput) (*gqlmodel.CalendarImportPayload, error) {
	done, err := r.services.Calendars.Import(ctx, actor(ctx), calendarImport(input))
	return importPayload(&done)(inInput("id", err))
}

// Calendars is the resolver for Query.calendars.
func (r *queryResolver) Calendars(ctx context.Context, app *string) ([]*gqlmodel.Calendar, error) {
	rows, err := r.services.Calendars.Calendars(ctx, or(app, ""))
	rows = seen(ctx, rows, func(c *models.Calendar) string { return c.AppID })
	r.loaders(ctx).seeCalendars(pointers(rows))
	return each(rows, calendarOf), err
}

// Calendar is the resolver for Query.calendar.
func (r *queryResolver) Calendar(ctx context.Context, id string) (*gqlmodel.Calendar, error) {
	return found(calendarOf)(r.services.Calendars.Calendar(ctx, id))
}

// Calendar answers the resolvers of Calendar.
func (r *Resolver) Calendar() generated.CalendarResolver { return &calendarResolver{r} }

type calendarResolver struct{ *Resolver }
