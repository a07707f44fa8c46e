package job

import (
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// What reads take and answer; the shapes are the ledger's.
type (
	// Filter says which jobs; all its set conditions hold.
	Filter = store.JobFilter
	// Order is the order of a list of jobs.
	Order = store.JobOrder
	// Page says which part of a list: by the positions before and after it.
	Page = store.Page
	// PageInfo says whether the list goes on at either end.
	PageInfo = store.PageInfo
)

// Orders of jobs.
const (
	ByName     = store.JobsByName
	ByNextFire = store.JobsByNextFire
	ByCreation = store.JobsByCreation
)

// Job answers one job, also a deleted one. Fault: NOT_FOUND.
func (s *Service) Job(ctx context.Context, id string) (models.Job, error) {
	return s.store.Job(ctx, id)
}

// ByIDs answers the jobs that exist among ids, deleted ones too, in no order.
func (s *Service) ByIDs(ctx context.Context, ids []string) ([]models.Job, error) {
	return s.store.JobsByIDs(ctx, ids)
}

// Page answers a page of jobs that are not deleted. Page.After and Page.Before are
// positions from Position. Fault: INVALID for a bad position or page size.
func (s *Service) Page(ctx context.Context, f Filter, o Order, p Page) ([]models.Job, PageInfo, error) {
	return s.store.JobPage(ctx, f, o, p)
}

// Position is where a job stands in a list with this order: opaque text.
func Position(j *models.Job, o Order) string { return store.JobPosition(j, o) }

// Count answers how many jobs match.
func (s *Service) Count(ctx context.Context, f Filter) (int, error) { return s.store.CountJobs(ctx, f) }

// Upcoming answers the jobs that fire next, soonest first, of some apps or, with nil, of all.
func (s *Service) Upcoming(ctx context.Context, within []string, limit int) ([]models.Job, error) {
	return s.store.UpcomingJobs(ctx, within, limit)
}

// SkippedFires answers the fires that became no task, newest first, for each job.
func (s *Service) SkippedFires(ctx context.Context, jobIDs []string, perJob int) (map[string][]models.SkippedFires, error) {
	return s.store.SkippedFires(ctx, jobIDs, perJob)
}

// NextFires answers the next count fires of a job with its calendar, see Calendars:
// none while it is paused, invalid, deleted or does not answer to the clock.
func (s *Service) NextFires(j *models.Job, c *schedule.Calendar, count int) []time.Time {
	if j.CalendarID != nil && c == nil || !j.Enabled || j.InvalidReason != "" || j.DeletedAt != nil || j.NextFireAt == nil {
		return []time.Time{}
	}
	if j.TriggerKind == models.TriggerFixedDelay {
		return []time.Time{*j.NextFireAt}
	}
	t, err := timetable.Compile(j, c)
	if err != nil {
		return []time.Time{}
	}
	return t.Preview(s.clock.Now(), min(count, mostPreview))
}

// Words says in a sentence when a job with its calendar fires, in English or
// Chinese (en, zh-CN).
func (s *Service) Words(j *models.Job, c *schedule.Calendar, locale string) string {
	t, err := timetable.Compile(j, c)
	if err != nil {
		return triggerFault(j, err).Message
	}
	return t.Describe(schedule.Lang(locale))
}

// Dialect says how a cron job's expression is read: unix or quartz; empty for
// other triggers.
func (s *Service) Dialect(j *models.Job) string {
	if c := cronOf(j); c != nil {
		return string(c.Dialect())
	}
	return ""
}

// Resolved is a cron job's expression as it is read, macros and every H resolved;
// empty for other triggers.
func (s *Service) Resolved(j *models.Job) string {
	if c := cronOf(j); c != nil {
		return c.String()
	}
	return ""
}

// cronOf is a job's expression; nil without a valid one.
func cronOf(j *models.Job) *schedule.Cron {
	if j.TriggerKind != models.TriggerCron {
		return nil
	}
	c, err := schedule.ParseCron(j.Expression, j.ID)
	if err != nil {
		return nil // the job says itself that its trigger is invalid
	}
	return c
}

// Stats counts the ends of a job's tasks over the last 24 hours.
type Stats struct {
	Succeeded, Failed, Cancelled, Skipped, Retried int64
	Missed, Excluded                               int64          // fires that never became tasks
	Late                                           int64          // tasks whose first attempt started late
	MeanDuration                                   *time.Duration // of successful attempts; nil without any
	MeanDelay                                      *time.Duration // between being due and starting; nil without any
}

// Stats answers the counts of each job, from roll-ups: the present hour and the 24
// before it.
func (s *Service) Stats(ctx context.Context, jobIDs []string) (map[string]Stats, error) {
	from := s.clock.Now().Add(-24 * time.Hour).Truncate(time.Hour)
	hours, err := s.store.JobHours(ctx, jobIDs, from)
	if err != nil {
		return nil, err
	}
	sums := make(map[string]models.JobHour, len(jobIDs))
	for _, h := range hours {
		sum := sums[h.JobID]
		sum.Succeeded += h.Succeeded
		sum.Failed += h.Failed
		sum.Cancelled += h.Cancelled
		sum.Skipped += h.Skipped
		sum.Retried += h.Retried
		sum.Missed += h.Missed
		sum.Excluded += h.Excluded
		sum.Late += h.Late
		sum.DurationMS += h.DurationMS
		sum.DelayMS += h.DelayMS
		sums[h.JobID] = sum
	}
	stats := make(map[string]Stats, len(jobIDs))
	for _, id := range jobIDs {
		sum := sums[id]
		stats[id] = Stats{
			Succeeded: sum.Succeeded, Failed: sum.Failed, Cancelled: sum.Cancelled, Skipped: sum.Skipped, Retried: sum.Retried,
			Missed: sum.Missed, Excluded: sum.Excluded, Late: sum.Late,
			MeanDuration: mean(sum.DurationMS, sum.Succeeded), MeanDelay: mean(sum.DelayMS, sum.Succeeded),
		}
	}
	return stats, nil
}

// mean is the mean of n lengths that sum up to so many milliseconds.
func mean(ms, n int64) *time.Duration {
	if n == 0 {
		return nil
	}
	return new(time.Duration(ms) * time.Millisecond / time.Duration(n))
}

// ReasonInWords says why fires became no task.
func ReasonInWords(reason string) string {
	switch reason {
	case models.ReasonMisfireSkipped:
		return "They were missed, and the job's misfire policy is to skip them."
	case models.ReasonMisfireCoalesced:
		return "They were missed, and one later run stood for all of them."
	case models.ReasonMisfireLimit:
		return "They were missed, and more than the job's misfire limit had come together."
	case ReasonPaused:
		return "The job was paused."
	case ReasonEdited:
		return "The trigger was changed before they were made."
	case models.ReasonInvalidTrigger:
		return "The job's trigger could not work."
	case models.ReasonCalendarRestDay:
		return "The job's calendar has rest days then."
	case models.ReasonCalendarQuiet:
		return "The job's calendar has a quiet window then."
	case models.ReasonNoWorker:
		return "No worker that could run the job was there, and enough of its fires waited already."
	case models.ReasonOverlap:
		return "An earlier task of the job still ran."
	}
	return "They were not run (" + reason + ")."
}
