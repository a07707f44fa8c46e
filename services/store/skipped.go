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

// skippedRun is a run of fires that became no tasks, with what decides whether it
// goes on from the one before.
type skippedRun struct {
	models.SkippedFires
	last  *time.Time // the job's last fire that became a task until now
	fired bool       // tasks are made together with it
	// anyOrder says that the instants of the fires need not grow: upstream tasks end in
	// any order.
	anyOrder bool
}

// sameSpell is how long after the latest run one whose fires come in any order still
// goes on from it.
const sameSpell = time.Hour

// growing says whether runs of this reason are told one fire at a time: while no
// worker is there, on a rest day, or while a job that depends on others is paused. One
// row grows then, instead of a row a fire.
func (r *skippedRun) growing() bool {
	switch r.Reason {
	case models.ReasonNoWorker, models.ReasonPaused, models.ReasonInvalidTrigger:
		return true
	}
	return strings.HasPrefix(r.Reason, "CALENDAR_")
}

// continues says whether r goes on from the latest run of its job.
func (r *skippedRun) continues(latest *models.SkippedFires) bool {
	if latest == nil || r.fired || latest.Reason != r.Reason {
		return false
	}
	if r.anyOrder && r.RecordedAt.Sub(latest.RecordedAt) < sameSpell {
		return true
	}
	return latest.LastAt.Before(r.FirstAt) && (r.last == nil || r.last.Before(latest.FirstAt))
}

// grow adds r to the run that it goes on from.
func (r *skippedRun) grow(row *models.SkippedFires) {
	if r.FirstAt.Before(row.FirstAt) {
		row.FirstAt = r.FirstAt
	}
	if r.LastAt.After(row.LastAt) {
		row.LastAt = r.LastAt
	}
	row.Count, row.AtLeast, row.RecordedAt = row.Count+r.Count, row.AtLeast || r.AtLeast, r.RecordedAt
}

// recordSkipped records runs of jobs whose rows are locked: as rows of their own, or
// as the continuation of the job's latest one. What was missed and begins is noted in b.
func (s *Store) recordSkipped(tx *gorm.DB, b *books, runs []skippedRun) error {
	var jobs []string
	for i := range runs {
		if runs[i].growing() {
			jobs = append(jobs, runs[i].JobID)
		}
	}
	latest, err := s.latestSkipped(tx, jobs)
	if err != nil {
		return err
	}
	fresh := make([]models.SkippedFires, 0, len(runs))
	grown := map[string]*models.SkippedFires{}
	for i := range runs {
		r := &runs[i]
		row := latest[r.JobID]
		if !r.growing() || !r.continues(row) {
			fresh = append(fresh, r.SkippedFires)
			latest[r.JobID] = nil // no older one is continued after it
			continue
		}
		r.grow(row)
		grown[row.ID] = row
	}
	if err := s.insertSkipped(tx, fresh); err != nil {
		return err
	}
	if err := s.alertMissed(tx, &b.alert, fresh); err != nil {
		return err
	}
	rows := make([][]any, 0, len(grown))
	for id, f := range grown {
		rows = append(rows, []any{id, clock.Cut(f.FirstAt), clock.Cut(f.LastAt), f.Count, f.AtLeast, clock.Cut(f.RecordedAt)})
	}
	slices.SortFunc(rows, func(a, b []any) int { return strings.Compare(a[0].(string), b[0].(string)) })
	if err := s.updateLocked(tx, update{table: "skipped_fires", key: "id", set: []string{"first_at", "last_at", "fires", "at_least", "recorded_at"}}, rows); err != nil {
		return fmt.Errorf("adding to %d runs of skipped fires: %w", len(rows), err)
	}
	return nil
}

// latestSkipped answers the latest run of skipped fires of each of these jobs.
func (s *Store) latestSkipped(tx *gorm.DB, jobs []string) (map[string]*models.SkippedFires, error) {
	latest := map[string]*models.SkippedFires{}
	for chunk := range chunks(jobs, inLimit) {
		ids, err := readIDs(tx, "SELECT MAX(id) FROM skipped_fires"+s.dialect.forceIndex("skipped_fires_job")+
			" WHERE job_id IN ("+marks(len(chunk))+") GROUP BY job_id", anys(chunk)...)
		if err != nil {
			return nil, err
		}
		if len(ids) == 0 {
			continue
		}
		var rows []models.SkippedFires
		if err := tx.Where("id IN ?", ids).Find(&rows).Error; err != nil {
			return nil, fmt.Errorf("reading runs of skipped fires: %w", err)
		}
		for i := range rows {
			latest[rows[i].JobID] = &rows[i]
		}
	}
	return latest, nil
}

// countSkipped adds runs of skipped fires to the hours of their jobs, where a
// transaction keeps no books.
func (s *Store) countSkipped(tx *gorm.DB, skipped []models.SkippedFires) error {
	var r rollups
	for i := range skipped {
		r.skipped(&skipped[i])
	}
	return s.writeRollups(tx, &r)
}

// SkippedAt answers the runs of a job's fires that became no tasks and hold an
// instant, up to limit, the first recorded first. A run is recorded after its fires,
// so the index is read from the instant on.
func (s *Store) SkippedAt(ctx context.Context, jobID string, at time.Time, limit int) ([]models.SkippedFires, error) {
	at = clock.Cut(at)
	// A run that grows keeps the id of its first fire.
	grown := s.read(ctx).Where("job_id = ? AND id < ? AND first_at <= ? AND last_at >= ?", jobID, models.LowestID(at), at, at).Order("id DESC").Limit(limit)
	later := s.read(ctx).Where("job_id = ? AND id >= ? AND first_at <= ? AND last_at >= ?", jobID, models.LowestID(at), at, at).Order("id").Limit(limit)
	rows, err := list[models.SkippedFires](later, "skipped fires")
	if err != nil || len(rows) > 0 {
		return rows, err
	}
	return list[models.SkippedFires](grown, "skipped fires")
}
