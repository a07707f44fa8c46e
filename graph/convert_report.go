package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/report"
)

func reportInput(in *gqlmodel.ReportScheduleInput) report.Input {
	return report.Input{
		Name: in.Name, AppID: in.App.Value(), Zone: in.Zone, At: in.At, Days: weekdays(in.Days.Value()), Channels: in.Channels,
		People: in.People.Value(), Enabled: or(in.Enabled.Value(), true), Version: in.Version.Value(),
	}
}

func reportOf(r *models.ReportSchedule) *gqlmodel.ReportSchedule {
	if r == nil {
		return nil
	}
	return &gqlmodel.ReportSchedule{
		ID: r.ID, Name: r.Name, Zone: r.Zone, At: r.AtTime, Days: weekdaysOf(r.Days), Enabled: r.Enabled, LastSentAt: r.LastSentAt, NextAt: r.NextAt,
		CreatedBy: r.CreatedBy, UpdatedAt: r.UpdatedAt, Version: r.Version, Row: r,
	}
}

// reportPayload makes the answer of the mutations of report schedules.
func reportPayload(saved *models.ReportSchedule) func([]*gqlmodel.UserError, error) (*gqlmodel.ReportSchedulePayload, error) {
	return func(refused []*gqlmodel.UserError, err error) (*gqlmodel.ReportSchedulePayload, error) {
		if err != nil || len(refused) > 0 {
			return &gqlmodel.ReportSchedulePayload{UserErrors: refused}, err
		}
		return &gqlmodel.ReportSchedulePayload{Schedule: reportOf(saved), UserErrors: refused}, nil
	}
}

// reportChannels are the channels of a schedule that there still are, as they were given.
func (r *Resolver) reportChannels(ctx context.Context, row *models.ReportSchedule) ([]*gqlmodel.AlertChannel, error) {
	all := []*gqlmodel.AlertChannel{}
	for _, id := range report.Channels(row) {
		c, found, err := r.loaders(ctx).channels.Load(ctx, id)
		if err != nil {
			return nil, err
		}
		if found {
			all = append(all, channelOf(c))
		}
	}
	return all, nil
}

func (r *Resolver) reportPeople(ctx context.Context, row *models.ReportSchedule) ([]*gqlmodel.Person, error) {
	all := []*gqlmodel.Person{}
	for _, id := range report.People(row) {
		c, found, err := r.loaders(ctx).people.Load(ctx, id)
		if err != nil {
			return nil, err
		}
		if found {
			all = append(all, personOf(c))
		}
	}
	return all, nil
}

func (r *Resolver) morningReport(ctx context.Context, app, day, at, zone string) (*gqlmodel.MorningReport, error) {
	d, err := r.services.Reports.Look(ctx, app, day, at, zone)
	if err != nil {
		return nil, err
	}
	l := r.loaders(ctx)
	for _, lines := range [][]models.ReportLine{d.Failures, d.Missed, d.Slow, d.Running} {
		for i := range lines {
			l.jobs.Expect(lines[i].JobID)
			if lines[i].TaskID != "" {
				l.tasks.Expect(lines[i].TaskID)
			}
		}
	}
	return &gqlmodel.MorningReport{
		From: d.From, To: d.To, Figures: figuresOf(&d.Figures), Week: figuresOf(&d.Week), Failures: each(d.Failures, lineOf), Missed: each(d.Missed, lineOf),
		Slow: each(d.Slow, lineOf), Running: each(d.Running, lineOf), FailedJobs: d.FailedJobs, MissedJobs: d.MissedJobs,
	}, nil
}

func figuresOf(f *models.ReportFigures) *gqlmodel.ReportFigures {
	return &gqlmodel.ReportFigures{
		Ran: f.Ran, Succeeded: f.Succeeded, Failed: f.Failed, Recovered: f.Recovered, TakenOver: f.TakenOver, Late: f.Late, Missed: f.Missed,
		Running: f.Running, Slower: f.Slower,
	}
}

func lineOf(l *models.ReportLine) *gqlmodel.ReportLine {
	shown := &gqlmodel.ReportLine{At: l.At, Count: l.Count, Error: l.Error, JobID: l.JobID, TaskID: l.TaskID}
	if l.Duration > 0 {
		shown.Duration, shown.Usual = &l.Duration, &l.Usual
	}
	return shown
}
