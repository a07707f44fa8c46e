package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// MaxReports is how many report schedules there may be.
const MaxReports = 100

// ErrReportMoved says that a report schedule is not as it was read: it was edited, or its
// report has been sent.
var ErrReportMoved = errors.New("the report schedule has changed meanwhile")

// CreateReport makes a report schedule. Faults: TAKEN (name), NOT_FOUND (app), LIMIT.
func (s *Store) CreateReport(ctx context.Context, r models.ReportSchedule, audit models.Audit) error {
	return s.write(ctx, "creating a report schedule", func(tx *gorm.DB) error {
		var n int64
		if err := tx.Model(&models.ReportSchedule{}).Count(&n).Error; err != nil {
			return err
		}
		if n >= MaxReports {
			return fault.New(fault.Limit, "There are %d report schedules, the most there can be; delete one first.", n)
		}
		if err := reportApp(tx, &r); err != nil {
			return err
		}
		if err := tx.Create(&r).Error; err != nil {
			return taken(err, r.Name, "another report")
		}
		return insertAudit(tx, &audit)
	})
}

func reportApp(tx *gorm.DB, r *models.ReportSchedule) error {
	if r.AppID == nil {
		return nil
	}
	_, err := one[models.App](tx.Where("id = ?", *r.AppID), "app "+*r.AppID)
	if fault.Is(err, fault.NotFound) {
		return fault.At("app", fault.NotFound, "There is no app %q; choose one of the list.", *r.AppID)
	}
	return err
}

// UpdateReport lets edit change a report schedule under a lock, counts its version up and
// answers it. Faults: NOT_FOUND, TAKEN (name), those of edit.
func (s *Store) UpdateReport(ctx context.Context, id string, edit func(*models.ReportSchedule) (models.Audit, error)) (models.ReportSchedule, error) {
	var r models.ReportSchedule
	err := s.write(ctx, "changing a report schedule", func(tx *gorm.DB) error {
		var err error
		if r, err = one[models.ReportSchedule](s.locked(tx).Where("id = ?", id), "report schedule "+id); err != nil {
			return err
		}
		was := stateOf(&r)
		audit, err := edit(&r)
		if err != nil {
			return err
		}
		if err := reportApp(tx, &r); err != nil {
			return err
		}
		r.Version++
		const set = `UPDATE report_schedules SET name = ?, app_id = ?, zone = ?, at_time = ?, days = ?, channels = ?, people = ?, enabled = ?,
			next_at = ?, version = ?, updated_at = ? WHERE id = ?`
		_, err = exec(tx, set, r.Name, r.AppID, r.Zone, r.AtTime, r.Days, document(r.Channels), document(r.People), r.Enabled,
			cutTime(r.NextAt), r.Version, clock.Cut(r.UpdatedAt), id)
		if err != nil {
			return taken(err, r.Name, "another report")
		}
		audit.Was = was
		return insertAudit(tx, &audit)
	})
	return r, err
}

// DeleteReport deletes a report schedule. Fault: NOT_FOUND.
func (s *Store) DeleteReport(ctx context.Context, id string, audit models.Audit) (models.ReportSchedule, error) {
	var r models.ReportSchedule
	err := s.changing(ctx, "deleting a report schedule", &audit, func(tx *gorm.DB) error {
		var err error
		if r, err = one[models.ReportSchedule](s.locked(tx).Where("id = ?", id), "report schedule "+id); err != nil {
			return err
		}
		if _, err := exec(tx, "DELETE FROM report_schedules WHERE id = ?", id); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	return r, err
}

// Report answers one report schedule. Fault: NOT_FOUND.
func (s *Store) Report(ctx context.Context, id string) (models.ReportSchedule, error) {
	return one[models.ReportSchedule](s.read(ctx).Where("id = ?", id), "report schedule "+id)
}

// Reports answers all report schedules by name; there are at most MaxReports.
func (s *Store) Reports(ctx context.Context) ([]models.ReportSchedule, error) {
	return list[models.ReportSchedule](s.read(ctx).Order("name, id").Limit(mostListed), "report schedules")
}

// SendReport writes the notifications of a report that is due and moves its schedule on,
// in one transaction: whatever crashes, each is sent once. Errors: ErrReportMoved,
// DeposedError.
func (s *Store) SendReport(ctx context.Context, fence Fence, due models.ReportSchedule, next *time.Time, at time.Time, rows []models.Notification) error {
	return s.write(ctx, "sending a report", func(tx *gorm.DB) error {
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		n, err := exec(tx, "UPDATE report_schedules SET next_at = ?, last_sent_at = ? WHERE id = ? AND version = ? AND next_at = ?",
			cutTime(next), clock.Cut(at), due.ID, due.Version, cutTime(due.NextAt))
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrReportMoved
		}
		return s.AddNotifications(tx, rows)
	})
}

// JobSums are the sums of a job's hours.
type JobSums struct {
	models.JobHour
	Name  string
	AppID string
}

// SumJobHours answers, by job id, the sums of the hours from from up to to, excluded, of
// the jobs of one app, or of all for an empty id. It reads a range of the key for each
// job.
func (s *Store) SumJobHours(ctx context.Context, appID string, from, to time.Time) (map[string]*JobSums, error) {
	statement, args := s.jobHourSums(appID, from, to)
	rows, err := query(s.read(ctx), statement, args...)
	if err != nil {
		return nil, fmt.Errorf("adding up the hours of jobs: %w", err)
	}
	sums := map[string]*JobSums{}
	err = scan(rows, func() error {
		var j JobSums
		err := rows.Scan(&j.JobID, &j.Name, &j.AppID, &j.Succeeded, &j.Failed, &j.Cancelled, &j.Skipped, &j.Retried, &j.DurationMS, &j.DelayMS, &j.Missed, &j.Late, &j.Recovered, &j.Lost)
		sums[j.JobID] = &j
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("adding up the hours of jobs: %w", err)
	}
	return sums, nil
}

func (s *Store) jobHourSums(appID string, from, to time.Time) (string, []any) {
	statement := `SELECT j.id, j.name, j.app_id, SUM(h.succeeded), SUM(h.failed), SUM(h.cancelled), SUM(h.skipped), SUM(h.retried),
		SUM(h.duration_ms), SUM(h.delay_ms), SUM(h.missed), SUM(h.late), SUM(h.recovered), SUM(h.lost)
		FROM jobs j` + s.dialect.joinInOrder() + `job_hours h ON h.job_id = j.id AND h.hour_at >= ? AND h.hour_at < ?`
	args := []any{clock.Cut(from), clock.Cut(to)}
	if appID != "" {
		statement += " WHERE j.app_id = ?"
		args = append(args, appID)
	}
	return statement + " GROUP BY j.id, j.name, j.app_id", args
}
