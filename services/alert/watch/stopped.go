package watch

import (
	"context"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

const (
	walkedAt1  = 1000            // jobs whose schedules are looked at in one pass
	longPast   = 2 * time.Minute // by how much a next fire must be past to be told
	farOff     = time.Minute     // by how much it must lie beyond what the schedule says
	ahead      = 5 * time.Second // fires before then may be tasks already
	doubtFor   = 20 * time.Second
	mostDoubts = 10_000
)

// stopped looks for jobs that should fire and do not. It walks over all jobs, a page a
// pass, and judges those of the page.
func (w *Watcher) stopped(ctx context.Context, l *look) (finding, error) {
	from := w.walked
	jobs, err := w.cfg.Ledger.JobsAfter(ctx, from, walkedAt1)
	if err != nil {
		return finding{}, err
	}
	to := "\x7f" // after the last id
	if w.walked = ""; len(jobs) == walkedAt1 {
		to = jobs[len(jobs)-1].ID
		w.walked = to
	}
	calendars, err := w.calendars.Of(ctx, jobs...)
	if err != nil {
		return finding{}, err
	}
	idle, err := w.idle(ctx, jobs, l.now)
	if err != nil {
		return finding{}, err
	}
	var holds []models.AlertEvent
	doubtful := map[string]bool{}
	for i := range jobs {
		j := &jobs[i]
		s := w.stop(j, calendars, l.now)
		if idle[j.ID] {
			s = stop{code: stopNoNext, why: "It has no next fire and no task whose end would set one: save the job again.", since: l.now, doubt: true}
		}
		if s.why == "" {
			delete(w.doubted, j.ID)
			continue
		}
		if s.doubt && !w.sure(j.ID, l.now) {
			doubtful[models.JobSubject(j.ID)] = true
			continue
		}
		e := about(models.AlertScheduleStopped, "", j, models.AlertDetail{
			Reason: s.code, Since: &s.since, ScheduledAt: j.NextFireAt, LateMS: s.late.Milliseconds(),
		})
		e.Error = s.why
		holds = append(holds, e)
	}
	return finding{holds: holds, judged: func(k store.WatchKey) bool {
		id := idOf(k.Subject)
		return k.Kind == models.AlertScheduleStopped && id > from && id <= to && !doubtful[k.Subject]
	}}, nil
}

// idle answers the FIXED_DELAY jobs that have no next fire and no task under way.
func (w *Watcher) idle(ctx context.Context, jobs []models.Job, now time.Time) (map[string]bool, error) {
	idle := map[string]bool{}
	var ids []string
	for i := range jobs {
		j := &jobs[i]
		over := j.EndAt != nil && !j.EndAt.After(now)
		if j.TriggerKind == models.TriggerFixedDelay && j.Enabled && j.DeletedAt == nil && j.InvalidReason == "" && j.NextFireAt == nil && !over {
			idle[j.ID] = true
			ids = append(ids, j.ID)
		}
	}
	busy, err := w.cfg.Ledger.BusyFixedDelays(ctx, ids)
	for id := range busy {
		delete(idle, id)
	}
	return idle, err
}

// sure says whether what seems odd about a job has seemed so for a while: between an edit
// of a calendar and the computing of next fires it may be odd for a moment.
func (w *Watcher) sure(job string, now time.Time) bool {
	since, known := w.doubted[job]
	if !known {
		if len(w.doubted) >= mostDoubts {
			clear(w.doubted)
		}
		w.doubted[job] = now
		return false
	}
	return now.Sub(since) >= doubtFor
}

// Reasons why a schedule has stopped, in the detail of its event.
const (
	stopInvalid = models.ReasonInvalidTrigger // it cannot work
	stopNoNext  = "NO_NEXT_FIRE"              // it has a next fire and the job has none
	stopPast    = "NEXT_FIRE_PAST"            // the next fire is long past and became no task
	stopFar     = "NEXT_FIRE_TOO_LATE"        // the next fire lies beyond the schedule's own
)

// stop is why a job has stopped; an empty why for one that has not.
type stop struct {
	code, why string
	since     time.Time
	late      time.Duration
	doubt     bool // it may be so for a moment
}

func (w *Watcher) stop(j *models.Job, calendars map[string]timetable.KnownCalendar, now time.Time) stop {
	return stopOf(j, now, func() (*schedule.Trigger, error) {
		calendar, ok := timetable.For(calendars, j)
		if !ok {
			return nil, fmt.Errorf("its calendar does not exist or cannot be read")
		}
		return w.compiled.Compile(j, calendar.Compiled)
	})
}

// stopOf is pure but for compile, which answers the job's trigger.
func stopOf(j *models.Job, now time.Time, compile func() (*schedule.Trigger, error)) stop {
	clocked := j.TriggerKind == models.TriggerCron || j.TriggerKind == models.TriggerFixedRate
	switch {
	case j.DeletedAt != nil || !j.Enabled:
		return stop{}
	case j.InvalidReason != "":
		return stop{code: stopInvalid, why: j.InvalidReason, since: j.UpdatedAt}
	case j.NextFireAt != nil && now.Sub(*j.NextFireAt) > longPast:
		late := now.Sub(*j.NextFireAt)
		return stop{code: stopPast, why: "Its next fire is long past and became no task.", since: *j.NextFireAt, late: late}
	case !clocked:
		return stop{}
	}
	trigger, err := compile()
	if err != nil {
		return stop{code: stopInvalid, why: err.Error(), since: j.UpdatedAt}
	}
	next, fires := trigger.Next(now.Add(ahead))
	switch {
	case !fires:
		return stop{} // it has come to its end
	case j.NextFireAt == nil:
		return stop{code: stopNoNext, why: "It has no next fire, though its schedule has one: save the job again.", since: now, doubt: true}
	case j.NextFireAt.Sub(next) > farOff:
		return stop{code: stopFar, why: "Its next fire is later than its schedule says: save the job again.", since: now, late: j.NextFireAt.Sub(next), doubt: true}
	}
	return stop{}
}
