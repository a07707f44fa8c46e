package graph

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/calendar"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

func calendarOf(c *models.Calendar) *gqlmodel.Calendar {
	if c == nil {
		return nil
	}
	return &gqlmodel.Calendar{
		ID: c.ID, Name: c.Name, Description: c.Description, RestDays: weekdaysOf(c.RestDays), QuietWindows: windowsOf(c),
		Version: c.Version, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt, Row: c,
	}
}

// week is the order in which weekdays are shown.
var week = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday}

func weekdaysOf(set int) []gqlmodel.Weekday {
	shown := []gqlmodel.Weekday{}
	for _, day := range week {
		if set>>day&1 == 1 {
			shown = append(shown, gqlmodel.Weekday(strings.ToUpper(day.String())))
		}
	}
	return shown
}

func weekdays(in []gqlmodel.Weekday) []time.Weekday {
	days := make([]time.Weekday, 0, len(in))
	for _, name := range in {
		for _, day := range week {
			if strings.EqualFold(day.String(), string(name)) {
				days = append(days, day)
			}
		}
	}
	return days
}

// windowsOf shows the quiet windows; a row that somebody wrote by hand and that
// cannot be read shows none.
func windowsOf(c *models.Calendar) []*gqlmodel.QuietWindow {
	windows, err := timetable.QuietWindows(c)
	if err != nil {
		return []*gqlmodel.QuietWindow{}
	}
	return each(windows, func(w *models.QuietWindow) *gqlmodel.QuietWindow {
		return &gqlmodel.QuietWindow{Days: weekdaysOf(w.Days), From: w.From, To: w.To, Rule: gqlmodel.QuietRule(w.Rule)}
	})
}

func calendarDayOf(d *models.CalendarDay) *gqlmodel.CalendarDay {
	return &gqlmodel.CalendarDay{Date: d.Date, Kind: gqlmodel.CalendarDayKind(d.Kind), Name: d.Name}
}

// calendarDays are the dated days of a calendar, of one year or all.
func (r *Resolver) calendarDays(ctx context.Context, id string, year *int) ([]*gqlmodel.CalendarDay, error) {
	row, found, err := r.loaders(ctx).calendars.Load(ctx, id)
	if err != nil || !found {
		return []*gqlmodel.CalendarDay{}, err
	}
	days, err := timetable.Days(row)
	if err != nil {
		return nil, err
	}
	shown := []*gqlmodel.CalendarDay{}
	for i := range days {
		if year == nil || strings.HasPrefix(days[i].Date, strconv.Itoa(*year)+"-") {
			shown = append(shown, calendarDayOf(&days[i]))
		}
	}
	return shown, nil
}

// calendarOfJob answers the compiled calendar that a job names; nil for none.
func (r *Resolver) calendarOfJob(ctx context.Context, j *models.Job) (*schedule.Calendar, error) {
	if j.CalendarID == nil {
		return nil, nil //nolint:nilnil // a job without a calendar has none
	}
	compiled, _, err := r.loaders(ctx).compiled.Load(ctx, *j.CalendarID)
	return compiled, err
}

func calendarInput(in gqlmodel.CreateCalendarInput) calendar.Input {
	return calendar.Input{
		AppID: in.App, Name: in.Name, Description: given(in.Description), RestDays: weekdays(in.RestDays.Value()),
		Days: dayInputs(in.Days.Value()), QuietWindows: windowInputs(in.QuietWindows.Value()),
	}
}

func calendarUpdate(in gqlmodel.UpdateCalendarInput) calendar.Update {
	return calendar.Update{
		ID: in.ID, Version: in.Version.Value(), Name: orEmpty(in.Name), Description: orEmpty(in.Description),
		RestDays: listField(in.RestDays, weekdays), Days: listField(in.Days, dayInputs), QuietWindows: listField(in.QuietWindows, windowInputs),
	}
}

// orEmpty is a text field: nil when absent, empty for null.
func orEmpty(o graphql.Omittable[*string]) *string {
	value, set := o.ValueOK()
	if set && value == nil {
		return new("")
	}
	return value
}

// listField is a list field: nil when absent, empty for null.
func listField[I, T any](o graphql.Omittable[[]I], convert func([]I) []T) *[]T {
	value, set := o.ValueOK()
	if !set {
		return nil
	}
	return new(convert(value))
}

func dayInputs(in []*gqlmodel.CalendarDayInput) []models.CalendarDay {
	days := make([]models.CalendarDay, 0, len(in))
	for _, d := range in {
		days = append(days, models.CalendarDay{Date: d.Date, Kind: string(d.Kind), Name: given(d.Name)})
	}
	return days
}

func windowInputs(in []*gqlmodel.QuietWindowInput) []calendar.Window {
	windows := make([]calendar.Window, 0, len(in))
	for _, w := range in {
		windows = append(windows, calendar.Window{Days: weekdays(w.Days.Value()), From: w.From, To: w.To, Rule: string(w.Rule)})
	}
	return windows
}

func calendarImport(in gqlmodel.ImportCalendarInput) calendar.Import {
	return calendar.Import{
		ID: in.ID, Format: calendar.Format(in.Format), Text: in.Text, ReplaceYear: in.ReplaceYear.Value(), DryRun: given(in.DryRun),
	}
}

// calendarPayload makes the answer of the calendar mutations.
func calendarPayload(saved models.Calendar) func([]*gqlmodel.UserError, error) (*gqlmodel.CalendarPayload, error) {
	return func(refused []*gqlmodel.UserError, err error) (*gqlmodel.CalendarPayload, error) {
		if err != nil || len(refused) > 0 {
			return &gqlmodel.CalendarPayload{UserErrors: refused}, err
		}
		return &gqlmodel.CalendarPayload{Calendar: calendarOf(&saved), UserErrors: refused}, nil
	}
}

// importPayload makes the answer of importCalendar.
func importPayload(done *calendar.Imported) func([]*gqlmodel.UserError, error) (*gqlmodel.CalendarImportPayload, error) {
	return func(refused []*gqlmodel.UserError, err error) (*gqlmodel.CalendarImportPayload, error) {
		if err != nil || len(refused) > 0 {
			return &gqlmodel.CalendarImportPayload{Added: []*gqlmodel.CalendarDay{}, Removed: []*gqlmodel.CalendarDay{}, UserErrors: refused}, err
		}
		return &gqlmodel.CalendarImportPayload{
			Calendar: calendarOf(&done.Calendar), Added: each(done.Added, calendarDayOf), Removed: each(done.Removed, calendarDayOf),
			Unchanged: done.Unchanged, UserErrors: refused,
		}, nil
	}
}

func clockChangeOf(c *schedule.ClockChange) *gqlmodel.ClockChange {
	return &gqlmodel.ClockChange{At: c.At, OffsetBefore: c.Before, OffsetAfter: c.After}
}

func scheduleDayOf(d *schedule.CalendarDay) *gqlmodel.CalendarDay {
	kind := gqlmodel.CalendarDayKindRest
	if d.Work {
		kind = gqlmodel.CalendarDayKindWork
	}
	return &gqlmodel.CalendarDay{Date: d.Date, Kind: kind, Name: d.Name}
}

func excludedOf(e *job.Excluded) *gqlmodel.ExcludedFire {
	shown := &gqlmodel.ExcludedFire{At: e.At, Reason: string(e.Reason), Message: e.Message}
	if !e.MovedTo.IsZero() {
		shown.MovedTo = &e.MovedTo
	}
	return shown
}
