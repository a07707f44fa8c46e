// Package timetable compiles the triggers of job rows, so that the preview, the
// saving of a job and the firing of it all read the row in the same way.
package timetable

import (
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// SpecOf is the trigger of a job row in the schedule's terms. calendar is the one
// that the row names, see [Calendars]; nil for none.
func SpecOf(j *models.Job, calendar *schedule.Calendar) schedule.Spec {
	s := schedule.Spec{Jitter: ms(j.JitterMS), StartAt: at(j.StartAt), EndAt: at(j.EndAt)}
	switch j.TriggerKind {
	case models.TriggerCron:
		s.Kind, s.Expression, s.Zone = schedule.KindCron, j.Expression, j.Zone
		if s.Calendar = calendar; calendar != nil && j.OnRestDay != 0 {
			s.OnRestDay = schedule.RestRule(j.OnRestDay.String())
		}
	case models.TriggerFixedRate:
		s.Kind, s.Every = schedule.KindFixedRate, ms(j.EveryMS)
	case models.TriggerFixedDelay:
		s.Kind, s.Delay = schedule.KindFixedDelay, ms(j.EveryMS)
	case models.TriggerManual, models.TriggerDependency: // do not answer to the clock
		s.Kind = schedule.KindManual
	default:
		s.Kind = schedule.Kind(j.TriggerKind.String()) // Compile refuses it and says why
	}
	return s
}

// MisfireOf is the misfire rule of a job row in the schedule's terms.
func MisfireOf(j *models.Job) schedule.Misfire {
	return schedule.Misfire{Policy: schedule.Policy(j.MisfirePolicy.String()), Grace: ms(j.MisfireGraceMS), Limit: j.MisfireLimit}
}

// Compile compiles the trigger of a job row with the calendar that it names, nil
// for none. The job's id seeds H and jitter. Errors as of schedule.Compile.
func Compile(j *models.Job, calendar *schedule.Calendar) (*schedule.Trigger, error) {
	return schedule.Compile(SpecOf(j, calendar), j.ID)
}

// CountedFrom is the instant after which what a calendar took out of a job's fires
// is not recorded yet; zero when that is unknown.
func CountedFrom(j *models.Job) (since, last time.Time) { return at(j.TriggerSince), at(j.LastFireAt) }

// TakenOut makes the records of what a calendar has taken out of a job's fires up to
// an instant and that are not made yet; nil for nothing.
func TakenOut(j *models.Job, t *schedule.Trigger, upTo time.Time) []models.SkippedFires {
	since, last := CountedFrom(j)
	if last.After(since) {
		since = last
	}
	if since.IsZero() {
		return nil
	}
	return Skipped(j.ID, t.TakenOut(since, upTo), upTo)
}

// Skipped are ranges of fires that will not run as the ledger keeps them.
func Skipped(jobID string, missed []schedule.Missed, now time.Time) []models.SkippedFires {
	var rows []models.SkippedFires
	for _, m := range missed {
		rows = append(rows, models.SkippedFires{
			ID: models.NewID(now), JobID: jobID, FirstAt: m.First, LastAt: m.Last, Count: int64(m.Count),
			AtLeast: m.AtLeast, Reason: string(m.Reason), RecordedAt: now,
		})
	}
	return rows
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

func at(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// capacity bounds a Cache; past it the cache starts afresh.
const capacity = 200_000

// Cache keeps compiled triggers by job, version and calendar. It is safe for
// concurrent use.
type Cache struct {
	mu       sync.Mutex
	compiled map[string]compiled
}

type compiled struct {
	version  int
	calendar *schedule.Calendar // each version of a calendar is an object of its own
	trigger  *schedule.Trigger
}

// Compile is like the function Compile, from memory where the same version of the
// job was compiled with the same calendar before.
func (c *Cache) Compile(j *models.Job, calendar *schedule.Calendar) (*schedule.Trigger, error) {
	c.mu.Lock()
	known, ok := c.compiled[j.ID]
	c.mu.Unlock()
	if ok && known.version == j.Version && known.calendar == calendar {
		return known.trigger, nil
	}
	t, err := Compile(j, calendar)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.compiled == nil || len(c.compiled) >= capacity {
		c.compiled = map[string]compiled{}
	}
	c.compiled[j.ID] = compiled{version: j.Version, calendar: calendar, trigger: t}
	return t, nil
}
