package job

import (
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

const (
	defaultPreview = 10
	mostPreview    = 1000 // fires
)

// Preview is what a trigger would do.
type Preview struct {
	Fires       []time.Time // UTC; empty when it never fires by itself or Err is set
	Description string
	Dialect     string // unix or quartz for cron, else empty
	Resolved    string // the cron expression as it is read, macros and every H resolved; else empty
	Warnings    []string
	// What lies in (after, last fire], or within a year without any fire; each at
	// most 1,000, empty, not nil, for none.
	ClockChanges []schedule.ClockChange
	RestDays     []schedule.CalendarDay // dated days of the calendar, working ones too
	Excluded     []Excluded
	Err          *fault.Error // why the trigger is refused; the first reason
}

// Excluded is a fire that the calendar took out or moved, in words.
type Excluded struct {
	schedule.Excluded
	Message string
}

// Preview tells what a trigger would do and saves nothing. An H in an expression is
// resolved with the job's id; without one the fires are an example, and a warning
// says so. A trigger that would be refused is
// no fault but Preview.Err; INVALID means count or locale.
func (s *Service) Preview(ctx context.Context, in PreviewInput) (Preview, error) {
	count := valueOr(in.Count, defaultPreview)
	locale := valueOr(in.Locale, "en")
	var wrong fault.List
	wrong.Add(check.Number("count", count, 1, mostPreview))
	wrong.Add(checkLocale(locale))
	if err := wrong.Err(); err != nil {
		return Preview{}, err
	}
	after := s.clock.Now()
	if in.After != nil {
		after = in.After.UTC()
	}
	d := draft{job: &models.Job{ID: in.JobID, AppID: in.AppID}}
	if err := s.findCalendar(ctx, &d, in.Trigger); err != nil {
		return Preview{}, err
	}
	if c := in.Trigger.Cron; c != nil && valueOr(c.Calendar, "") != "" && in.AppID == "" {
		d.wrong.Add(fault.At("app", fault.Required, "app is missing; a calendar is meant, so say of which app."))
	}
	d.setTrigger(in.Trigger, time.Time{}) // one that only fired in the past is shown, with a warning
	if len(d.wrong) > 0 {
		p := empty()
		p.Err = d.wrong[0]
		return p, nil
	}
	if d.job.TriggerKind == models.TriggerDependency {
		return s.previewDependency(ctx, empty(), &d, schedule.Lang(locale))
	}
	t, err := timetable.Compile(d.job, d.calendar.compiled)
	if err != nil {
		return Preview{}, err // setTrigger has just compiled it
	}
	p := preview(t, d.calendar.compiled, after, count, schedule.Lang(locale))
	if in.JobID == "" && t.Cron() != nil && t.Cron().Hashed() {
		p.Warnings = append(p.Warnings, exampleOnly[schedule.Lang(locale)])
	}
	return p, nil
}

// exampleOnly warns that a new job's H is not resolved yet.
var exampleOnly = map[schedule.Lang]string{
	schedule.English: "H gets its value from the job's id when the job is saved: these fires are an example",
	schedule.Chinese: "H 的取值由任务的 ID 决定，保存任务时才确定：这里的触发时间仅为示例",
}

func empty() Preview {
	return Preview{
		Fires: []time.Time{}, Warnings: []string{}, ClockChanges: []schedule.ClockChange{},
		RestDays: []schedule.CalendarDay{}, Excluded: []Excluded{},
	}
}

// preview tells what a trigger would do after an instant.
func preview(t *schedule.Trigger, c *schedule.Calendar, after time.Time, count int, lang schedule.Lang) Preview {
	p := empty()
	p.Fires, p.Description, p.Warnings = t.Preview(after, count), t.Describe(lang), t.Warnings(after, lang)
	if t.Cron() == nil {
		return p
	}
	p.Dialect, p.Resolved = string(t.Cron().Dialect()), t.Cron().String()
	upTo := after.Add(check.Year)
	if n := len(p.Fires); n > 0 {
		upTo = p.Fires[n-1]
	}
	p.ClockChanges = t.ClockChanges(after, upTo, mostPreview)
	if c == nil {
		return p
	}
	p.RestDays = c.Days(after, upTo, t.Zone(), mostPreview)
	for _, e := range t.Excluded(after, upTo, mostPreview) {
		p.Excluded = append(p.Excluded, Excluded{Excluded: e, Message: e.Message(c.Name(), lang)})
	}
	return p
}

func checkLocale(locale string) *fault.Error {
	switch schedule.Lang(locale) {
	case schedule.English, schedule.Chinese:
		return nil
	}
	return fault.At("locale", fault.Invalid, "locale is %s; it must be en or zh-CN.", check.Quote(locale))
}
