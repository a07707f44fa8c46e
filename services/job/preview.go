package job

import (
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/schedule"
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
	Warnings    []string
	Err         *fault.Error // why the trigger is refused; the first reason
}

// Preview tells what a trigger would do and saves nothing. H in an expression is
// resolved as for a job that does not exist. A trigger that would be refused is
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
	d := draft{job: &models.Job{}}
	d.setTrigger(in.Trigger, time.Time{}) // one that only fired in the past is shown, with a warning
	if len(d.wrong) > 0 {
		return Preview{Fires: []time.Time{}, Warnings: []string{}, Err: d.wrong[0]}, nil
	}
	if d.job.TriggerKind == models.TriggerDependency {
		return s.previewDependency(ctx, Preview{Fires: []time.Time{}, Warnings: []string{}}, &d, schedule.Lang(locale))
	}
	t, err := schedule.Compile(specOf(d.job), "")
	if err != nil {
		return Preview{}, err // setTrigger has just compiled it
	}
	p := Preview{Fires: t.Preview(after, count), Description: t.Describe(schedule.Lang(locale)), Warnings: t.Warnings(after, schedule.Lang(locale))}
	if t.Cron() != nil {
		p.Dialect = string(t.Cron().Dialect())
	}
	return p, nil
}

func checkLocale(locale string) *fault.Error {
	switch schedule.Lang(locale) {
	case schedule.English, schedule.Chinese:
		return nil
	}
	return fault.At("locale", fault.Invalid, "locale is %s; it must be en or zh-CN.", check.Quote(locale))
}
