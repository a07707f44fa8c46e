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

// Jobs that fire are found by the index jobs_due (due_at, part, id). The generated
// column due_at is next_fire_at while the job is enabled, valid and not deleted.

// DueJobs answers jobs of some partitions that fire before an instant or at it,
// the earliest first.
func (s *Store) DueJobs(ctx context.Context, partitions []int, before time.Time, limit int) ([]models.Job, error) {
	var jobs []models.Job
	err := s.read(ctx).Raw("SELECT * FROM jobs"+s.dialect.forceIndex("jobs_due")+
		" WHERE due_at <= ? AND part IN ? ORDER BY due_at LIMIT ?", clock.Cut(before), orNone(partitions), limit).Scan(&jobs).Error
	if err != nil {
		return nil, fmt.Errorf("reading due jobs: %w", err)
	}
	return jobs, nil
}

// NextFireAt answers when the first job of some partitions fires; nil when none
// ever will.
func (s *Store) NextFireAt(ctx context.Context, partitions []int) (*time.Time, error) {
	var due []time.Time
	err := s.read(ctx).Raw("SELECT due_at FROM jobs"+s.dialect.forceIndex("jobs_due")+
		" WHERE due_at > ? AND part IN ? ORDER BY due_at LIMIT 1", earliest, orNone(partitions)).Scan(&due).Error
	if err != nil {
		return nil, fmt.Errorf("reading the next fire: %w", err)
	}
	if len(due) == 0 {
		return nil, nil
	}
	return &due[0], nil
}

// earliest is before every instant in the ledger.
var earliest = time.Date(1000, 1, 1, 0, 0, 0, 0, time.UTC)

// orNone keeps an IN list from being empty, which is no SQL.
func orNone(partitions []int) []int {
	if len(partitions) == 0 {
		return []int{-1}
	}
	return partitions
}

// Fires is what a job's trigger decided: the tasks of its fires up to Next, and
// the fires that will not become tasks.
type Fires struct {
	JobID        string
	Version      int        // of the definition that was read
	Calendar     int        // CalendarVersion of the row that was read
	ExpectedNext time.Time  // its next fire as it was read
	Next         *time.Time // the new one; nil: none
	Last         *time.Time // the last fire; nil: unchanged
	Since        *time.Time // without Last: the new TriggerSince, as what was missed is not owed any more; nil: unchanged
	Tasks        []models.Task
	Skipped      []models.SkippedFires
	// Keep, above 0, says that nobody can run the job now: that many of its fires may
	// wait, 100 at most. Those of Tasks beyond it are recorded as skipped.
	Keep int
}

// RecordFires inserts the tasks of fires and moves each job's next fire on, in one
// transaction. A job wins while its version and next fire are as they were read
// and it may fire; the fires of the others are not recorded. It may be repeated:
// a job whose fires are recorded already, in just this way, wins again, and tasks
// that exist are left alone. Where Keep held tasks back, fires says afterwards what was
// recorded. Errors: DeposedError.
func (s *Store) RecordFires(ctx context.Context, fence Fence, fires []Fires) (won []bool, err error) {
	asked := slices.Clone(fires)
	err = s.write(ctx, fmt.Sprintf("recording the fires of %d jobs", len(fires)), func(tx *gorm.DB) error {
		won = make([]bool, len(fires))
		copy(fires, asked)
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		present, err := s.lockJobs(tx, fires)
		if err != nil {
			return err
		}
		var moved []int
		before := map[int]*time.Time{} // last fires of those that move
		for i := range fires {
			job, ok := present[fires[i].JobID]
			switch {
			case !ok:
			case job.firesAs(&fires[i]):
				won[i] = true
				moved = append(moved, i)
				before[i] = job.last
				job.next, job.last = cutTime(fires[i].Next), cutTime(fires[i].Last)
				job.may = false // a second decision about one job in a call loses
			case job.firedAs(&fires[i]):
				won[i] = true
			}
		}
		if err := s.holdBack(tx, fires, moved); err != nil {
			return err
		}
		if err := s.moveJobs(tx, fires, moved); err != nil {
			return err
		}
		return s.insertFires(tx, fires, won, before)
	})
	return won, err
}

// firing is what a job's row says about its fires.
type firing struct {
	version    int
	calendar   int
	next, last *time.Time
	may        bool // enabled, valid and not deleted
}

// firesAs says whether the job is as it was when f was decided.
func (j *firing) firesAs(f *Fires) bool {
	return j.may && j.version == f.Version && j.calendar == f.Calendar && j.next != nil && j.next.Equal(clock.Cut(f.ExpectedNext))
}

// firedAs says whether f is what was recorded last: the answer to the commit was
// lost, and f comes again.
func (j *firing) firedAs(f *Fires) bool {
	return j.version == f.Version && sameTime(j.next, cutTime(f.Next)) && f.Last != nil && sameTime(j.last, cutTime(f.Last))
}

func sameTime(a, b *time.Time) bool { return a == b || a != nil && b != nil && a.Equal(*b) }

func (s *Store) lockJobs(tx *gorm.DB, fires []Fires) (map[string]*firing, error) {
	ids := make([]string, len(fires))
	for i := range fires {
		ids[i] = fires[i].JobID
	}
	slices.Sort(ids)
	present := make(map[string]*firing, len(ids))
	for chunk := range chunks(slices.Compact(ids), inLimit) {
		rows, err := query(tx, `SELECT id, version, calendar_version, next_fire_at, last_fire_at, enabled AND deleted_at IS NULL AND invalid_reason = ''
			FROM jobs`+s.dialect.byKey()+" WHERE id IN ("+marks(len(chunk))+") ORDER BY id"+s.dialect.lockRows(), anys(chunk)...)
		if err != nil {
			return nil, fmt.Errorf("locking %d jobs: %w", len(chunk), err)
		}
		err = scan(rows, func() error {
			var id string
			var j firing
			if err := rows.Scan(&id, &j.version, &j.calendar, &j.next, &j.last, &j.may); err != nil {
				return err
			}
			present[id] = &j
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("reading %d jobs: %w", len(chunk), err)
		}
	}
	return present, nil
}

// moveJobs writes the next and last fires of those fires that are listed.
func (s *Store) moveJobs(tx *gorm.DB, fires []Fires, moved []int) error {
	// By what else is written: nothing, the last fire, the instant since.
	var next, last, since [][]any
	for _, i := range moved {
		f := &fires[i]
		switch {
		case f.Since != nil:
			since = append(since, []any{f.JobID, cutTime(f.Next), cutTime(f.Since)})
		case f.Last != nil:
			last = append(last, []any{f.JobID, cutTime(f.Next), cutTime(f.Last)})
		default:
			next = append(next, []any{f.JobID, cutTime(f.Next)})
		}
	}
	for _, part := range []struct {
		set  []string
		rows [][]any
	}{{[]string{"next_fire_at", "last_fire_at"}, last}, {[]string{"next_fire_at", "trigger_since"}, since}, {[]string{"next_fire_at"}, next}} {
		slices.SortFunc(part.rows, func(a, b []any) int { return strings.Compare(a[0].(string), b[0].(string)) })
		err := s.updateLocked(tx, update{table: "jobs", key: "id", set: part.set, guard: "enabled AND deleted_at IS NULL"}, part.rows)
		if err != nil {
			return fmt.Errorf("moving the next fires on: %w", err)
		}
	}
	return nil
}

// insertFires inserts the tasks of the winners, and the skipped fires of those that
// have just moved; before is their last fire until now.
func (s *Store) insertFires(tx *gorm.DB, fires []Fires, won []bool, before map[int]*time.Time) error {
	var tasks []*models.Task
	var skipped []skippedRun
	seen := map[string]bool{}
	for i := range fires {
		if !won[i] {
			continue
		}
		for j := range fires[i].Tasks {
			if t := &fires[i].Tasks[j]; !seen[t.ID] {
				seen[t.ID] = true
				tasks = append(tasks, t)
			}
		}
		if last, moves := before[i]; moves {
			for _, f := range fires[i].Skipped {
				skipped = append(skipped, skippedRun{SkippedFires: f, last: last, fired: len(fires[i].Tasks) > 0})
			}
		}
	}
	b := newBooks(byEnqueue)
	if _, err := s.insertTasks(tx, tasks, b); err != nil {
		return err
	}
	for i := range skipped {
		b.rolls.skipped(&skipped[i].SkippedFires)
	}
	if err := s.recordSkipped(tx, b, skipped); err != nil {
		return err
	}
	return s.settle(tx, b)
}

func (s *Store) insertSkipped(tx *gorm.DB, skipped []models.SkippedFires) error {
	rows := make([][]any, len(skipped))
	for i := range skipped {
		f := &skipped[i]
		rows[i] = []any{f.ID, f.JobID, clock.Cut(f.FirstAt), clock.Cut(f.LastAt), f.Count, f.AtLeast, f.Reason, clock.Cut(f.RecordedAt)}
	}
	columns := []string{"id", "job_id", "first_at", "last_at", "fires", "at_least", "reason", "recorded_at"}
	// A repeat finds its rows there already.
	err := s.insertRows(tx, "skipped_fires", columns, rows, s.dialect.onConflict("id", "reason = new(reason)"))
	if err != nil {
		return fmt.Errorf("recording %d skipped fires: %w", len(skipped), err)
	}
	return nil
}

// MarkJobInvalid records why a job's trigger cannot work, so that it is left alone
// until it is edited. Nothing happens when the job has been edited meanwhile.
func (s *Store) MarkJobInvalid(ctx context.Context, jobID string, version int, reason string) error {
	return s.write(ctx, "marking a job invalid", func(tx *gorm.DB) error {
		n, err := exec(tx, "UPDATE jobs SET invalid_reason = ? WHERE id = ? AND version = ? AND deleted_at IS NULL", cutError(reason), jobID, version)
		if err != nil || n == 0 {
			return err
		}
		return s.alertInvalid(tx, jobID, reason)
	})
}
