package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// An edited calendar holds for all fires after the edit, of all its jobs, which may
// be a hundred thousand. Each job's row says by which version its next fire was
// computed, and the calendar's row by which version all of them were; so the work
// goes on in batches wherever it was broken off.

// UnappliedCalendars answers the calendars, without their days, whose jobs' next
// fires have not all been computed by the present version.
func (s *Store) UnappliedCalendars(ctx context.Context) ([]models.Calendar, error) {
	return list[models.Calendar](s.read(ctx).Omit("days").Where("applied_version <> version").Order("id"), "edited calendars")
}

// JobsBehindCalendar answers jobs of a calendar whose next fire was computed by
// another version than this, in the order of their ids from after on.
func (s *Store) JobsBehindCalendar(ctx context.Context, calendarID string, version int, after string, limit int) ([]models.Job, error) {
	var jobs []models.Job
	err := s.read(ctx).Raw("SELECT * FROM jobs"+s.dialect.forceIndex("jobs_calendar")+
		" WHERE calendar_id = ? AND id > ? AND calendar_version <> ? AND deleted_at IS NULL ORDER BY id LIMIT ?",
		calendarID, after, version, limit).Scan(&jobs).Error
	if err != nil {
		return nil, fmt.Errorf("reading the jobs of a calendar: %w", err)
	}
	return jobs, nil
}

// CalendarMove is the next fire of a job by another version of its calendar.
type CalendarMove struct {
	Job     models.Job // as it was read
	Version int        // of the calendar
	Next    *time.Time // its next fire; nil: none
	Since   time.Time  // up to here nothing is owed or left to be counted
	Skipped []models.SkippedFires
}

// MoveByCalendar writes next fires, in one transaction. Fires after at that were
// written ahead are taken back. A job that was edited or fired since it was read is
// left alone; moved says which were written.
func (s *Store) MoveByCalendar(ctx context.Context, at time.Time, moves []CalendarMove) (moved []bool, err error) {
	err = s.write(ctx, fmt.Sprintf("moving the next fires of %d jobs", len(moves)), func(tx *gorm.DB) error {
		moved = make([]bool, len(moves))
		as := make([]Fires, len(moves))
		for i := range moves {
			as[i].JobID = moves[i].Job.ID
		}
		present, err := s.lockJobs(tx, as)
		if err != nil {
			return err
		}
		var rows, lasts [][]any
		var skipped []models.SkippedFires
		for i := range moves {
			m := &moves[i]
			job, ok := present[m.Job.ID]
			if !ok || job.version != m.Job.Version || job.calendar != m.Job.CalendarVersion || !sameTime(job.next, m.Job.NextFireAt) {
				continue
			}
			if job.last != nil && job.last.After(at) {
				back, err := s.takeBackFires(tx, &m.Job, at)
				if err != nil {
					return err
				}
				if back.any {
					lasts = append(lasts, []any{m.Job.ID, cutTime(back.last)})
				}
			}
			moved[i] = true
			rows = append(rows, []any{m.Job.ID, cutTime(m.Next), m.Version, clock.Cut(m.Since)})
			skipped = append(skipped, m.Skipped...)
		}
		slices.SortFunc(rows, func(a, b []any) int { return strings.Compare(a[0].(string), b[0].(string)) })
		set := update{table: "jobs", key: "id", set: []string{"next_fire_at", "calendar_version", "trigger_since"}, guard: "deleted_at IS NULL"}
		if err := s.updateLocked(tx, set, rows); err != nil {
			return fmt.Errorf("moving the next fires: %w", err)
		}
		slices.SortFunc(lasts, func(a, b []any) int { return strings.Compare(a[0].(string), b[0].(string)) })
		if err := s.updateLocked(tx, update{table: "jobs", key: "id", set: []string{"last_fire_at"}}, lasts); err != nil {
			return fmt.Errorf("taking back the last fires: %w", err)
		}
		if err := s.insertSkipped(tx, skipped); err != nil {
			return err
		}
		return s.countSkipped(tx, skipped)
	})
	return moved, err
}

// CalendarApplied records that the next fires of all jobs of a calendar have been
// computed by a version.
func (s *Store) CalendarApplied(ctx context.Context, id string, version int) error {
	return s.write(ctx, "finishing a calendar's edit", func(tx *gorm.DB) error {
		_, err := exec(tx, "UPDATE calendars SET applied_version = ? WHERE id = ? AND applied_version < ?", version, id, version)
		return err
	})
}
