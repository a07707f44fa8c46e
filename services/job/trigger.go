package job

import (
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

const (
	maxExpression = 1000 // characters
	longestJitter = 24 * time.Hour
)

// setTrigger puts a trigger in and says everything that is wrong with it. now is
// the instant after which it must fire at least once.
func (d *draft) setTrigger(in TriggerInput, now time.Time) {
	d.clearTrigger()
	before := len(d.wrong)
	switch {
	case in.count() != 1:
		d.wrong.Add(fault.At("trigger", fault.Required, "trigger has %d kinds; give exactly one of cron, fixedRate, fixedDelay, dependency and manual.", in.count()))
	case in.Cron != nil:
		d.setCron(in.Cron)
	case in.FixedRate != nil:
		d.job.TriggerKind, d.job.EveryMS = models.TriggerFixedRate, in.FixedRate.Every.Milliseconds()
		d.wrong.Add(check.Span("trigger.fixedRate.every", in.FixedRate.Every, shortest, longest))
		d.job.StartAt = d.instant("trigger.fixedRate.startAt", in.FixedRate.StartAt)
	case in.FixedDelay != nil:
		d.job.TriggerKind, d.job.EveryMS = models.TriggerFixedDelay, in.FixedDelay.Delay.Milliseconds()
		d.wrong.Add(check.Span("trigger.fixedDelay.delay", in.FixedDelay.Delay, shortest, longest))
	case in.Dependency != nil:
		d.setDependency(in.Dependency)
	case !*in.Manual:
		d.wrong.Add(fault.At("trigger.manual", fault.Invalid, "trigger.manual is false; set it to true or choose another trigger."))
	default:
		d.job.TriggerKind = models.TriggerManual
	}
	if len(d.wrong) == before {
		d.wrong = append(d.wrong, d.compile(now)...)
	}
}

func (in *TriggerInput) count() int {
	n := 0
	for _, set := range []bool{in.Cron != nil, in.FixedRate != nil, in.FixedDelay != nil, in.Dependency != nil, in.Manual != nil} {
		if set {
			n++
		}
	}
	return n
}

func (d *draft) clearTrigger() {
	j := d.job
	j.TriggerKind, j.Expression, j.Zone, j.StartAt, j.EndAt, j.JitterMS, j.EveryMS = 0, "", "", nil, nil, 0, 0
	j.InvalidReason, j.DependencyMode, j.DependencyWindow = "", 0, 0
	j.CalendarID, j.CalendarVersion, j.OnRestDay = nil, 0, 0
	d.upstream = nil
}

func (d *draft) setCron(in *CronInput) {
	j := d.job
	j.TriggerKind, j.Expression, j.Zone = models.TriggerCron, in.Expression, valueOr(in.Zone, "UTC")
	if j.Zone == "" {
		j.Zone = "UTC"
	}
	j.StartAt = d.instant("trigger.cron.startAt", in.StartAt)
	j.EndAt = d.instant("trigger.cron.endAt", in.EndAt)
	if in.Jitter != nil {
		j.JitterMS = in.Jitter.Milliseconds()
		d.wrong.Add(check.Span("trigger.cron.jitter", *in.Jitter, 0, longestJitter))
	}
	d.setCalendar(in)
	// Both are looked at even when one is wrong, so that both are shown.
	if e := check.Text("trigger.cron.expression", in.Expression, maxExpression); e != nil {
		d.wrong.Add(e)
	} else if _, err := schedule.ParseCron(in.Expression, j.ID); err != nil {
		d.wrong.Add(triggerFault(j, err))
	}
	if _, err := schedule.LoadZone(j.Zone); err != nil {
		d.wrong.Add(triggerFault(j, err))
	}
}

func (d *draft) instant(path string, at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	d.wrong.Add(check.Instant(path, *at))
	cut := clock.Cut(*at)
	return &cut
}

// compile checks the trigger as a whole; it must fire at least once after now,
// unless it is the one that the job has already.
func (d *draft) compile(now time.Time) fault.List {
	t, err := timetable.Compile(d.job, d.calendar.compiled)
	if err != nil {
		return fault.List{triggerFault(d.job, err)}
	}
	if d.before != nil && sameTrigger(d.before, d.job) {
		return nil
	}
	if e := neverFires(d.job, t, now); e != nil {
		return fault.List{e}
	}
	return nil
}

// neverFires says why a trigger that answers to the clock has no fire after now.
func neverFires(j *models.Job, t *schedule.Trigger, now time.Time) *fault.Error {
	if t.Kind() != schedule.KindCron && t.Kind() != schedule.KindFixedRate {
		return nil
	}
	if _, ok := t.Next(now); ok {
		return nil
	}
	switch {
	case t.Kind() == schedule.KindFixedRate:
		return fault.At("trigger.fixedRate.startAt", fault.Invalid, "trigger.fixedRate.startAt leaves no fire to come; choose an earlier one.")
	case t.TakesAll(now):
		return fault.At("trigger.cron.calendar", fault.Invalid, "The calendar takes out every fire of the expression %q; correct one of the two.", j.Expression)
	case t.Cron().Never():
		return fault.At("trigger.cron.expression", fault.Invalid, "The expression %q never fires: no such date exists; correct its day, month or year.", j.Expression)
	case j.EndAt != nil:
		return fault.At("trigger.cron.endAt", fault.Invalid, "trigger.cron.endAt is %s and the expression %q does not fire before it any more; choose a later one.", j.EndAt.Format(time.RFC3339), j.Expression)
	}
	return fault.At("trigger.cron.expression", fault.Invalid, "The expression %q fires no more: all its dates have passed; correct its year.", j.Expression)
}

// triggerFault turns what the schedule package says into an error of the input
// field it means.
func triggerFault(j *models.Job, err error) *fault.Error {
	branch := map[models.TriggerKind]string{
		models.TriggerCron: "trigger.cron", models.TriggerFixedRate: "trigger.fixedRate", models.TriggerFixedDelay: "trigger.fixedDelay",
		models.TriggerDependency: "trigger.dependency",
	}[j.TriggerKind]
	if parse, ok := errors.AsType[*schedule.ParseError](err); ok {
		return fault.At(branch+".expression", fault.Invalid, "The expression %s is wrong at %s.", check.Quote(j.Expression), parse.Error())
	}
	if zone, ok := errors.AsType[*schedule.ZoneError](err); ok {
		return fault.At(branch+".zone", fault.Invalid, "%s.", sentence(zone.Message))
	}
	if spec, ok := errors.AsType[*schedule.SpecError](err); ok && branch != "" {
		return fault.At(branch+"."+spec.Field, fault.Invalid, "%s.", sentence(spec.Message))
	}
	return fault.At("trigger", fault.Invalid, "%s.", sentence(err.Error()))
}

// sentence begins with a capital and leaves the full stop to the caller.
func sentence(s string) string {
	s = strings.TrimSuffix(s, ".")
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}
