package watch

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

const (
	finishPage    = 500  // jobs that are looked at for a condition in one pass
	finishTold    = 1000 // told ones that are looked at again in one pass
	upstreamDepth = 10   // how far up dependencies are followed
	upstreamMost  = 5000 // jobs that are followed for one page
)

// progress is how far the jobs of a condition were looked at for one deadline.
type progress struct {
	deadline time.Time
	after    string // the job up to which
	done     bool
}

// unfinished looks, once a deadline of a condition has passed, for jobs whose last
// scheduled run before it has not succeeded; and at those that were told, whether they
// have since.
func (w *Watcher) unfinished(ctx context.Context, l *look) (finding, error) {
	over, err := w.finished(ctx, l)
	if err != nil {
		return finding{}, err
	}
	f := finding{judged: func(k store.WatchKey) bool { return over[k] }}
	wanted := map[string]bool{}
	for _, c := range l.of(models.AlertNotFinishedBy) {
		key := c.RuleID + " " + c.By + " " + c.Zone
		wanted[key] = true
		holds, err := w.pastDeadline(ctx, l, &c, key)
		if err != nil {
			return finding{}, err
		}
		f.holds = append(f.holds, holds...)
	}
	for key := range w.finishing {
		if !wanted[key] {
			delete(w.finishing, key)
		}
	}
	return f, nil
}

// finished are the told conditions that are over: the run has succeeded, or the job is
// gone or paused.
func (w *Watcher) finished(ctx context.Context, l *look) (map[store.WatchKey]bool, error) {
	var keys []store.WatchKey
	for key := range l.open {
		if key.Kind == models.AlertNotFinishedBy {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b store.WatchKey) int { return strings.Compare(a.Subject+a.RuleID, b.Subject+b.RuleID) })
	if len(keys) > finishTold { // a part of them in turn
		at := int(l.now.Unix()/int64(every/time.Second)) * finishTold % len(keys)
		keys = append(keys[at:], keys[:at]...)[:finishTold]
	}
	over := map[store.WatchKey]bool{}
	ids := make([]string, len(keys))
	for i, key := range keys {
		ids[i] = idOf(key.Subject)
	}
	jobs, err := w.jobsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		row := l.open[key]
		told := models.AlertEvent{Detail: row.Detail}
		since := row.Since
		if d := told.Details(); d.ScheduledAt != nil {
			since = *d.ScheduledAt
		}
		j := jobs[idOf(key.Subject)]
		if j == nil || j.DeletedAt != nil || !j.Enabled {
			over[key] = true
			continue
		}
		done, err := w.cfg.Ledger.SucceededSince(ctx, []store.JobSince{{JobID: j.ID, Since: since}})
		if err != nil {
			return nil, err
		}
		over[key] = done[j.ID]
	}
	return over, nil
}

// pastDeadline looks at the next page of jobs for a condition's latest deadline.
func (w *Watcher) pastDeadline(ctx context.Context, l *look, c *Condition, key string) ([]models.AlertEvent, error) {
	before, deadline, err := deadlines(c.By, c.Zone, l.now)
	if err != nil {
		w.cfg.Logger.WarnContext(ctx, "a rule's time of day cannot be read", "rule", c.RuleID, "error", err)
		return nil, nil
	}
	p := w.finishing[key]
	if !p.deadline.Equal(deadline) {
		p = progress{deadline: deadline, done: deadline.Before(c.Since)}
	}
	defer func() { w.finishing[key] = p }()
	if p.done {
		return nil, nil
	}
	jobs, err := w.cfg.Ledger.JobsAfter(ctx, p.after, finishPage)
	if err != nil {
		return nil, err
	}
	due, err := w.fired(ctx, c, jobs, before, deadline)
	if err != nil {
		return nil, err
	}
	asked := make([]store.JobSince, len(due))
	for i, d := range due {
		asked[i] = store.JobSince{JobID: d.job.ID, Since: d.fire}
	}
	succeeded, err := w.cfg.Ledger.SucceededSince(ctx, asked)
	if err != nil {
		return nil, err
	}
	var holds []models.AlertEvent
	for _, d := range due {
		if !succeeded[d.job.ID] {
			holds = append(holds, about(c.Kind, c.RuleID, d.job, models.AlertDetail{
				Since: &deadline, Until: &deadline, ScheduledAt: &d.fire, LateMS: l.now.Sub(deadline).Milliseconds(),
			}))
		}
	}
	if p.done = len(jobs) < finishPage; !p.done {
		p.after = jobs[len(jobs)-1].ID
	}
	return holds, nil
}

// due is a job with its last fire before a deadline.
type due struct {
	job  *models.Job
	fire time.Time
}

// fired answers those of some jobs, in a condition's scope, that had to run between two
// deadlines, with their last fire. A job that waits for others had to run when one that
// it waits for, directly or not, had.
func (w *Watcher) fired(ctx context.Context, c *Condition, jobs []models.Job, after, upTo time.Time) ([]due, error) {
	var found []due
	var waiting []*models.Job
	var clocked []models.Job
	for i := range jobs {
		j := &jobs[i]
		if j.DeletedAt != nil || !j.Enabled || c.Jobs != nil && !c.Jobs(j) {
			continue
		}
		if j.TriggerKind == models.TriggerDependency {
			waiting = append(waiting, j)
		} else {
			clocked = append(clocked, *j)
		}
	}
	fires, err := w.lastFires(ctx, clocked, after, upTo)
	if err != nil {
		return nil, err
	}
	for i := range clocked {
		if at, ok := fires[clocked[i].ID]; ok {
			found = append(found, due{&clocked[i], at})
		}
	}
	if len(waiting) == 0 {
		return found, nil
	}
	roots, err := w.roots(ctx, waiting)
	if err != nil {
		return nil, err
	}
	upstream, err := w.upstreamFires(ctx, roots, after, upTo)
	if err != nil {
		return nil, err
	}
	for _, j := range waiting {
		var first time.Time
		for root := range roots[j.ID] {
			if at, ok := upstream[root]; ok && !at.Before(j.CreatedAt) && (first.IsZero() || at.Before(first)) {
				first = at
			}
		}
		if !first.IsZero() {
			found = append(found, due{j, first})
		}
	}
	return found, nil
}

// roots answers, by job, all jobs above it that depend on none.
func (w *Watcher) roots(ctx context.Context, jobs []*models.Job) (map[string]map[string]bool, error) {
	reached := map[string]map[string]bool{} // by job above → the jobs below that asked
	level := map[string]bool{}
	for _, j := range jobs {
		reached[j.ID] = map[string]bool{j.ID: true}
		level[j.ID] = true
	}
	roots := map[string]map[string]bool{}
	for range upstreamDepth {
		if len(level) == 0 || len(reached) > upstreamMost {
			break
		}
		var ids []string
		for id := range level {
			ids = append(ids, id)
		}
		above, err := w.cfg.Ledger.Upstream(ctx, ids)
		if err != nil {
			return nil, err
		}
		level = map[string]bool{}
		for _, id := range ids {
			for below := range reached[id] {
				if len(above[id]) == 0 {
					if roots[below] == nil {
						roots[below] = map[string]bool{}
					}
					roots[below][id] = true
				}
			}
			for _, d := range above[id] {
				if reached[d.UpstreamID] == nil {
					reached[d.UpstreamID] = map[string]bool{}
				}
				for below := range reached[id] {
					if !reached[d.UpstreamID][below] {
						reached[d.UpstreamID][below] = true
						level[d.UpstreamID] = true
					}
				}
			}
		}
	}
	return roots, nil
}

func (w *Watcher) upstreamFires(ctx context.Context, roots map[string]map[string]bool, after, upTo time.Time) (map[string]time.Time, error) {
	distinct := map[string]bool{}
	for _, of := range roots {
		for id := range of {
			distinct[id] = true
		}
	}
	var ids []string
	for id := range distinct {
		ids = append(ids, id)
	}
	rows, err := w.cfg.Ledger.JobsByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(j models.Job) bool { return j.DeletedAt != nil || !j.Enabled })
	return w.lastFires(ctx, rows, after, upTo)
}

// lastFires answers, by job, the last fire in (after, upTo] of those that answer to the
// clock and had one. A schedule that cannot be read is another check's business.
func (w *Watcher) lastFires(ctx context.Context, jobs []models.Job, after, upTo time.Time) (map[string]time.Time, error) {
	calendars, err := w.calendars.Of(ctx, jobs...)
	if err != nil {
		return nil, err
	}
	fires := map[string]time.Time{}
	for i := range jobs {
		j := &jobs[i]
		calendar, ok := timetable.For(calendars, j)
		if !ok || j.TriggerKind != models.TriggerCron && j.TriggerKind != models.TriggerFixedRate {
			continue
		}
		trigger, err := w.compiled.Compile(j, calendar.Compiled)
		if err != nil {
			continue
		}
		from := after
		for _, t := range []*time.Time{&j.CreatedAt, j.TriggerSince} { // nothing was owed before
			if t != nil && t.After(from) {
				from = *t
			}
		}
		if at, ok := lastFire(trigger, from, upTo); ok {
			fires[j.ID] = at
		}
	}
	return fires, nil
}

// lastFire is a trigger's last fire in (after, upTo]. It goes back in growing steps, so
// that a trigger of every second costs as few as a daily one.
func lastFire(t *schedule.Trigger, after, upTo time.Time) (time.Time, bool) {
	for _, step := range []time.Duration{time.Minute, time.Hour, 5 * time.Hour, upTo.Sub(after)} {
		from := upTo.Add(-step)
		if from.Before(after) {
			from = after
		}
		at, ok := t.Next(from)
		if !ok || at.After(upTo) {
			continue
		}
		for {
			next, more := t.Next(at)
			if !more || next.After(upTo) {
				return at, true
			}
			at = next
		}
	}
	return time.Time{}, false
}

// deadlines answers the latest instant, not after now, at which it was a time of day in a
// zone, and the one before it. A time of day that a clock change leaves out comes as much
// later as the clocks went on; one that comes twice counts the first time.
func deadlines(by, zone string, now time.Time) (before, last time.Time, err error) {
	minute, err := timetable.MinuteOfDay(by)
	if err != nil {
		return before, last, err
	}
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return before, last, fmt.Errorf("the zone %q is not known", zone)
	}
	year, month, day := now.In(loc).Date()
	for back := -1; back < 10; back++ {
		at := wallInstant(year, month, day-back, minute, loc)
		switch {
		case at.After(now):
		case last.IsZero():
			last = at
		case at.Before(last):
			return at, last, nil
		}
	}
	return before, last, fmt.Errorf("the zone %q has no days", zone)
}

// wallInstant is the instant of a local time.
func wallInstant(year int, month time.Month, day, minute int, loc *time.Location) time.Time {
	naive := time.Date(year, month, day, 0, minute, 0, 0, time.UTC)
	offset := func(at time.Time) time.Duration {
		_, seconds := at.In(loc).Zone()
		return time.Duration(seconds) * time.Second
	}
	// The clocks change at most once within two days.
	early := naive.Add(-offset(naive.Add(-26 * time.Hour)))
	late := naive.Add(-offset(naive.Add(26 * time.Hour)))
	right := func(at time.Time) bool { return at.Add(offset(at)).Equal(naive) }
	switch {
	case right(early) && (!right(late) || early.Before(late)):
		return early
	case right(late):
		return late
	}
	return early // left out: the old offset puts it behind the change
}
