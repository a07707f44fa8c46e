// Package timetable compiles the triggers of job rows, so that the preview, the
// saving of a job and the firing of it all read the row in the same way.
package timetable

import (
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// SpecOf is the trigger of a job row in the schedule's terms.
func SpecOf(j *models.Job) schedule.Spec {
	s := schedule.Spec{Jitter: ms(j.JitterMS), StartAt: at(j.StartAt), EndAt: at(j.EndAt)}
	switch j.TriggerKind {
	case models.TriggerCron:
		s.Kind, s.Expression, s.Zone = schedule.KindCron, j.Expression, j.Zone
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

// Compile compiles the trigger of a job row. The job's id seeds H and jitter.
// Errors as of schedule.Compile.
func Compile(j *models.Job) (*schedule.Trigger, error) { return schedule.Compile(SpecOf(j), j.ID) }

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

func at(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// capacity bounds a Cache; past it the cache starts afresh.
const capacity = 200_000

// Cache keeps compiled triggers by job and version. It is safe for concurrent use.
type Cache struct {
	mu       sync.Mutex
	compiled map[string]compiled
}

type compiled struct {
	version int
	trigger *schedule.Trigger
}

// Compile is like the function Compile, from memory where the same version of the
// job was compiled before.
func (c *Cache) Compile(j *models.Job) (*schedule.Trigger, error) {
	c.mu.Lock()
	known, ok := c.compiled[j.ID]
	c.mu.Unlock()
	if ok && known.version == j.Version {
		return known.trigger, nil
	}
	t, err := Compile(j)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.compiled == nil || len(c.compiled) >= capacity {
		c.compiled = map[string]compiled{}
	}
	c.compiled[j.ID] = compiled{version: j.Version, trigger: t}
	return t, nil
}
