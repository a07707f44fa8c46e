package job

import (
	"context"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// namedCalendar is the calendar that an input names; the zero value for none.
type namedCalendar struct {
	id       string
	version  int
	compiled *schedule.Calendar
}

// findCalendar looks up the calendar that a trigger names among those of the
// draft's app. One that is not there is left out, for setCalendar to say so.
func (s *Service) findCalendar(ctx context.Context, d *draft, in TriggerInput) error {
	if in.Cron == nil || valueOr(in.Cron.Calendar, "") == "" || d.job.AppID == "" {
		return nil
	}
	row, err := s.store.CalendarByName(ctx, d.job.AppID, *in.Cron.Calendar)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the job's calendar: %w", err)
	}
	compiled, err := timetable.CompileCalendar(&row)
	if err != nil {
		return fmt.Errorf("reading the job's calendar: %w", err)
	}
	d.calendar = namedCalendar{id: row.ID, version: row.Version, compiled: compiled}
	return nil
}

// setCalendar puts the calendar that was found into the draft.
func (d *draft) setCalendar(in *CronInput) {
	rule := valueOr(in.OnRestDay, models.CalendarSkip)
	name := valueOr(in.Calendar, "")
	switch {
	case name == "" && rule != models.CalendarSkip:
		d.wrong.Add(fault.At("trigger.cron.onRestDay", fault.Invalid,
			"trigger.cron.onRestDay is %s, but there is no calendar that names rest days; choose a calendar or leave onRestDay out.", rule))
	case name == "":
	case d.calendar.id != "":
		d.job.CalendarID, d.job.CalendarVersion, d.job.OnRestDay = &d.calendar.id, d.calendar.version, rule
	case d.job.AppID != "": // without an app, that is what is wrong
		d.wrong.Add(fault.At("trigger.cron.calendar", fault.NotFound,
			"There is no calendar %s in the job's app; choose one of its calendars or create it.", check.Quote(name)))
	}
}

// calendarOf answers the calendar that a job names, in its present version; the
// zero value for none, and a job whose calendar is gone cannot be compiled.
func (s *Service) calendarOf(ctx context.Context, j *models.Job) (timetable.KnownCalendar, error) {
	found, err := s.calendars.Of(ctx, *j)
	if err != nil {
		return timetable.KnownCalendar{}, err
	}
	known, ok := timetable.For(found, j)
	if !ok {
		return known, fault.At("trigger.cron.calendar", fault.NotFound, "The job's calendar is gone; give it another or none.")
	}
	return known, nil
}

// Calendars answers the compiled calendars with these ids that exist, each in its
// present version.
func (s *Service) Calendars(ctx context.Context, ids []string) (map[string]*schedule.Calendar, error) {
	found, err := s.calendars.ByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	all := make(map[string]*schedule.Calendar, len(found))
	for id, known := range found {
		all[id] = known.Compiled
	}
	return all, nil
}

// takenOut records the fires that the calendar of an enabled job has taken out up
// to now and that are not counted yet. It is called when the trigger is about to
// change; otherwise they are counted with the fire after them.
func takenOut(j *models.Job, calendar *schedule.Calendar, now time.Time) []models.SkippedFires {
	if calendar == nil || !j.Enabled || j.InvalidReason != "" {
		return nil
	}
	t, err := timetable.Compile(j, calendar)
	if err != nil {
		return nil
	}
	return timetable.TakenOut(j, t, now)
}
