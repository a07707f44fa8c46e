package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

type hourKey struct {
	job string
	at  time.Time
}

type minuteKey struct {
	group string
	at    time.Time
}

// rollups gathers what a transaction adds to the hours of jobs and the minutes of
// groups.
type rollups struct {
	hours   map[hourKey]*models.JobHour
	minutes map[minuteKey]*models.Minute
}

// add notes that t, changed already, was moved by an event at an instant.
func (r *rollups) add(t *models.Task, e models.Event, at time.Time) {
	if e == models.EventDispatch || e == models.EventDiscard || e == models.EventRequeue {
		return // no ends
	}
	if r.minutes == nil {
		r.minutes = map[minuteKey]*models.Minute{}
	}
	at = clock.Cut(at)
	h, mk := r.hour(t.JobID, at), minuteKey{t.GroupID, at.Truncate(time.Minute)}
	m := r.minutes[mk]
	if m == nil {
		m = &models.Minute{GroupID: mk.group, Minute: mk.at}
		r.minutes[mk] = m
	}
	switch e {
	default: // the others end nothing
	case models.EventSucceed:
		h.Succeeded++
		m.Succeeded++
		addTimes(h, t)
		if t.Tries() > 1 {
			h.Recovered++
		}
	case models.EventFail, models.EventPark:
		h.Failed++
		m.Failed++
	case models.EventCancel:
		h.Cancelled++
		m.Cancelled++
	case models.EventSkip:
		h.Skipped++
		m.Skipped++
	case models.EventRetry:
		h.Retried++
		if t.Outcome == models.OutcomeLost {
			h.Lost++
		}
		m.Retried++
	}
}

// hour is the entry of a job's hour.
func (r *rollups) hour(job string, at time.Time) *models.JobHour {
	key := hourKey{job, clock.Cut(at).Truncate(models.JobHourStep)}
	h := r.hours[key]
	if h == nil {
		if r.hours == nil {
			r.hours = map[hourKey]*models.JobHour{}
		}
		h = &models.JobHour{JobID: key.job, Hour: key.at}
		r.hours[key] = h
	}
	return h
}

// begun notes, at the end of t's first attempt, whether that had started late.
func (r *rollups) begun(t *models.Task, at time.Time) {
	if t.Attempt == 1 && t.StartedAt != nil && t.StartedAt.Sub(t.AvailableAt) > models.LateAfter {
		r.hour(t.JobID, at).Late++
	}
}

// skipped notes fires that became no tasks. What an edit or a pause took away was
// never due.
func (r *rollups) skipped(f *models.SkippedFires) {
	switch {
	case strings.HasPrefix(f.Reason, "MISFIRE_"):
		r.hour(f.JobID, f.RecordedAt).Missed += f.Count
	case strings.HasPrefix(f.Reason, "CALENDAR_"):
		r.hour(f.JobID, f.RecordedAt).Excluded += f.Count
	case f.Reason == models.ReasonNoWorker:
		r.hour(f.JobID, f.RecordedAt).Skipped += f.Count
	}
}

// addTimes adds how long a successful attempt ran and how late it began. Clocks of
// workers may be off: what would be negative counts as nothing.
func addTimes(h *models.JobHour, t *models.Task) {
	if t.StartedAt == nil || t.FinishedAt == nil {
		return
	}
	h.DurationMS += max(t.FinishedAt.Sub(*t.StartedAt).Milliseconds(), 0)
	h.DelayMS += max(t.StartedAt.Sub(t.AvailableAt).Milliseconds(), 0)
}

// writeRollups adds what was gathered, each table in order of its key.
func (s *Store) writeRollups(tx *gorm.DB, r *rollups) error {
	hours := make([][]any, 0, len(r.hours))
	for _, h := range r.hours {
		hours = append(hours, []any{h.JobID, h.Hour, h.Succeeded, h.Failed, h.Cancelled, h.Skipped, h.Retried, h.DurationMS, h.DelayMS, h.Missed, h.Excluded, h.Late, h.Recovered, h.Lost})
	}
	sortRows(hours)
	columns := []string{"job_id", "hour_at", "succeeded", "failed", "cancelled", "skipped", "retried", "duration_ms", "delay_ms", "missed", "excluded", "late", "recovered", "lost"}
	if err := s.insertRows(tx, "job_hours", columns, hours, s.dialect.onConflict("job_id, hour_at", sums(columns[2:])...)); err != nil {
		return fmt.Errorf("adding to the hours of %d jobs: %w", len(hours), err)
	}
	minutes := make([][]any, 0, len(r.minutes))
	for _, m := range r.minutes {
		minutes = append(minutes, []any{m.GroupID, m.Minute, m.Succeeded, m.Failed, m.Cancelled, m.Skipped, m.Retried})
	}
	sortRows(minutes)
	columns = []string{"group_id", "minute_at", "succeeded", "failed", "cancelled", "skipped", "retried"}
	if err := s.insertRows(tx, "minutes", columns, minutes, s.dialect.onConflict("minute_at, group_id", sums(columns[2:])...)); err != nil {
		return fmt.Errorf("adding to the minutes of %d groups: %w", len(minutes), err)
	}
	return nil
}

// sums answers assignments that add the new value of each column to the present.
func sums(columns []string) []string {
	set := make([]string, len(columns))
	for i, c := range columns {
		set[i] = c + " = " + c + " + new(" + c + ")"
	}
	return set
}

// sortRows orders rows by a text and then an instant, so that two transactions
// lock them in the same order.
func sortRows(rows [][]any) {
	slices.SortFunc(rows, func(a, b []any) int {
		return cmp.Or(cmp.Compare(a[0].(string), b[0].(string)), a[1].(time.Time).Compare(b[1].(time.Time)))
	})
}

// Minutes answers the minutes of all groups from an instant on, oldest first.
func (s *Store) Minutes(ctx context.Context, from time.Time) ([]models.Minute, error) {
	var rows []models.Minute
	err := s.read(ctx).Where("minute_at >= ?", clock.Cut(from)).Order("minute_at, group_id").Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("reading the minutes: %w", err)
	}
	return rows, nil
}

// JobHours answers the hours of some jobs from an instant on, oldest first within
// each job.
func (s *Store) JobHours(ctx context.Context, jobIDs []string, from time.Time) ([]models.JobHour, error) {
	var rows []models.JobHour
	for chunk := range chunks(jobIDs, inLimit) {
		var part []models.JobHour
		err := s.read(ctx).Where("job_id IN ? AND hour_at >= ?", chunk, clock.Cut(from)).Order("job_id, hour_at").Find(&part).Error
		if err != nil {
			return nil, fmt.Errorf("reading the hours of %d jobs: %w", len(jobIDs), err)
		}
		rows = append(rows, part...)
	}
	return rows, nil
}
