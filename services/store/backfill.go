package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// MaxOpenBackfills is how many backfills of one job may be under way at once.
const MaxOpenBackfills = 20

// CreateBackfill makes a backfill with its instants and answers it; one whose id
// exists already is answered as it stands, so that a request may be repeated.
// Faults: NOT_FOUND (of the job), LIMIT.
func (s *Store) CreateBackfill(ctx context.Context, b models.Backfill, fires []byte, audit models.Audit) (models.Backfill, error) {
	var made models.Backfill
	err := s.write(ctx, "creating a backfill", func(tx *gorm.DB) error {
		if _, err := s.lockJob(tx, b.JobID); err != nil {
			return err
		}
		there, err := s.backfill(tx, b.ID)
		if err == nil {
			made = there
			return nil
		}
		if !fault.Is(err, fault.NotFound) {
			return err
		}
		var open int64
		err = queryOne(tx, &open, "SELECT COUNT(*) FROM backfills WHERE job_id = ? AND state IN (?, ?)", b.JobID, models.BackfillRunning, models.BackfillPaused)
		if err != nil {
			return fmt.Errorf("counting backfills: %w", err)
		}
		if open >= MaxOpenBackfills {
			return fault.New(fault.Limit, "The job has %d backfills under way; wait for one to end, or cancel one.", open)
		}
		if err := tx.Create(&b).Error; err != nil {
			return fmt.Errorf("writing a backfill: %w", err)
		}
		if err := tx.Create(&models.BackfillFires{BackfillID: b.ID, Fires: fires}).Error; err != nil {
			return fmt.Errorf("writing the instants of a backfill: %w", err)
		}
		if made, err = s.backfill(tx, b.ID); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	return made, err
}

func (s *Store) backfill(tx *gorm.DB, id string) (models.Backfill, error) {
	return one[models.Backfill](tx.Where("id = ?", id), "backfill "+id)
}

// lockBackfill reads a backfill and keeps others from changing it. Fault: NOT_FOUND.
func (s *Store) lockBackfill(tx *gorm.DB, id string) (models.Backfill, error) {
	return s.backfill(s.locked(tx), id)
}

// Backfill answers one backfill. Fault: NOT_FOUND.
func (s *Store) Backfill(ctx context.Context, id string) (models.Backfill, error) {
	return s.backfill(s.read(ctx), id)
}

// BackfillsByIDs answers the backfills that exist among ids, in no order.
func (s *Store) BackfillsByIDs(ctx context.Context, ids []string) ([]models.Backfill, error) {
	return byIDs[models.Backfill](s.read(ctx), ids, "backfills")
}

// BackfillPage answers a page of backfills, newest first, of one job unless jobID is
// empty; positions are ids. Fault: INVALID.
func (s *Store) BackfillPage(ctx context.Context, jobID string, p Page) ([]models.Backfill, PageInfo, error) {
	q := s.read(ctx)
	if jobID != "" {
		q = q.Where("job_id = ?", jobID)
	}
	return newest[models.Backfill](q, p, "backfills")
}

// BackfillInstants answers the instants of a backfill as they were given to
// CreateBackfill. Fault: NOT_FOUND.
func (s *Store) BackfillInstants(ctx context.Context, id string) ([]byte, error) {
	row, err := one[models.BackfillFires](s.read(ctx).Where("backfill_id = ?", id), "backfill "+id)
	return row.Fires, err
}

// RanAt answers the scheduled instants from from up to to, excluded, for which a
// task of a job has run, runs or will run: of its own fire, of a backfill, or
// repeated by a person. One that was skipped or cancelled is none. It reads the
// job's tasks of that span, whatever made them.
func (s *Store) RanAt(ctx context.Context, jobID string, from, to time.Time) (map[time.Time]bool, error) {
	parts := make([]string, 0, len(ranShelves))
	var args []any
	for _, shelf := range ranShelves {
		parts = append(parts, "SELECT scheduled_at FROM tasks"+s.dialect.forceIndex("tasks_job")+
			" WHERE job_id = ? AND shelf = ? AND id >= ? AND id < ? AND (trigger_kind IN (?, ?, ?) OR root_id IS NOT NULL)")
		args = append(args, jobID, shelf, models.LowestID(from), models.LowestID(to.Add(time.Millisecond)),
			models.TriggerCron, models.TriggerFixedRate, models.TriggerBackfill)
	}
	rows, err := query(s.read(ctx), s.dialect.union(parts), args...)
	if err != nil {
		return nil, fmt.Errorf("looking for fires that ran: %w", err)
	}
	ran := map[time.Time]bool{}
	err = scan(rows, func() error {
		var at time.Time
		err := rows.Scan(&at)
		ran[at.UTC()] = true
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("looking for fires that ran: %w", err)
	}
	return ran, nil
}

// ranShelves hold all states but CANCELLED and SKIPPED.
var ranShelves = []int{shelfMoving, int(models.TaskRetrying), int(models.TaskFailed), int(models.TaskDiscarded)}

// BackfillsToDo answers the backfills of jobs in some partitions for which their
// owner has something to do, oldest first.
func (s *Store) BackfillsToDo(ctx context.Context, partitions []int, limit int) ([]models.Backfill, error) {
	var rows []models.Backfill
	err := s.read(ctx).Raw("SELECT b.* FROM backfills b JOIN jobs j ON j.id = b.job_id WHERE b.work = ? AND j.part IN ? ORDER BY b.id LIMIT ?",
		true, orNone(partitions), limit).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("reading backfills: %w", err)
	}
	return rows, nil
}

// BackfillStep is what a backfill does next.
type BackfillStep struct {
	ID        string
	Done      int64 // fires dealt with as they were read
	Tasks     []models.Task
	Present   int64 // fires that are left out
	ReleaseAt time.Time
	NextAt    *time.Time // the fire after these; nil: none
	At        time.Time
}

// ErrBackfillMoved says that a backfill is not as it was read: read it again.
var ErrBackfillMoved = errors.New("the backfill has changed meanwhile")

// AdvanceBackfill inserts the next tasks of a backfill and notes how far it came, in
// one transaction, and answers it. Errors: ErrBackfillMoved when it no longer runs,
// is further on, or may not have so many tasks under way; DeposedError; NOT_FOUND.
func (s *Store) AdvanceBackfill(ctx context.Context, fence Fence, step BackfillStep) (models.Backfill, error) {
	var after models.Backfill
	err := s.write(ctx, fmt.Sprintf("making %d tasks of a backfill", len(step.Tasks)), func(tx *gorm.DB) error {
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		b, err := s.lockBackfill(tx, step.ID)
		if err != nil {
			return err
		}
		if b.State != models.BackfillRunning || b.Done() != step.Done || b.Created-b.Ended()+int64(len(step.Tasks)) > int64(b.MaxRunning) {
			return ErrBackfillMoved
		}
		tasks := make([]*models.Task, len(step.Tasks))
		for i := range step.Tasks {
			tasks[i] = &step.Tasks[i]
		}
		books := newBooks(byEnqueue)
		existing, err := s.insertTasks(tx, tasks, books)
		if err != nil {
			return err
		}
		if len(existing) > 0 { // ids are the backfill's own, so this is a fault of ours
			return fmt.Errorf("%d tasks of backfill %s are there already", len(existing), b.ID)
		}
		b.Created += int64(len(tasks))
		b.Present += step.Present
		_, err = exec(tx, "UPDATE backfills SET created = ?, present = ?, release_at = ?, next_at = ? WHERE id = ?",
			b.Created, b.Present, clock.Cut(step.ReleaseAt), cutTime(step.NextAt), b.ID)
		if err != nil {
			return fmt.Errorf("noting how far a backfill came: %w", err)
		}
		books.fills = map[string]*filled{b.ID: {at: step.At}}
		if err := s.settle(tx, books); err != nil {
			return err
		}
		after, err = s.backfill(tx, b.ID)
		return err
	})
	return after, err
}

// SetBackfill brings an open backfill into another state, pausing, resuming or
// cancelling it, and answers it. It stays as it is when it is in that state already.
// Faults: NOT_FOUND, CONFLICT when it has ended.
func (s *Store) SetBackfill(ctx context.Context, id string, state models.BackfillState, at time.Time, audit models.Audit) (models.Backfill, error) {
	var after models.Backfill
	err := s.write(ctx, "changing a backfill", func(tx *gorm.DB) error {
		b, err := s.lockBackfill(tx, id)
		switch {
		case err != nil:
			return err
		case b.State == state:
			after = b
			return nil
		case !b.State.Open():
			return fault.New(fault.Conflict, "Backfill %s is %s: it has ended; make a new one instead.", id, b.State)
		}
		var finished *time.Time
		if state == models.BackfillCancelled {
			finished = cutTime(&at)
		}
		_, err = exec(tx, "UPDATE backfills SET state = ?, work = ?, finished_at = ? WHERE id = ?", state, state != models.BackfillPaused, finished, id)
		if err != nil {
			return err
		}
		books := newBooks(byPeople)
		books.fills = map[string]*filled{id: {at: at}}
		if err := s.settle(tx, books); err != nil {
			return err
		}
		if after, err = s.backfill(tx, id); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	return after, err
}

// CloseBackfill notes that nothing is left to do for a cancelled backfill, once all
// of its tasks have ended.
func (s *Store) CloseBackfill(ctx context.Context, id string) error {
	return s.write(ctx, "closing a backfill", func(tx *gorm.DB) error {
		return s.writeBackfills(tx, map[string]*filled{id: {}})
	})
}

// CancelBackfillTasks cancels up to limit tasks of a backfill that wait, and answers
// them as they are now, without what can be large.
func (s *Store) CancelBackfillTasks(ctx context.Context, b models.Backfill, at time.Time, limit int) ([]models.Task, error) {
	var ids []string
	for _, state := range []models.TaskState{models.TaskWaiting, models.TaskRetrying} {
		statement, args := s.tasksOfBackfill(&b, state, limit-len(ids))
		part, err := readIDs(s.read(ctx), statement, args...)
		if err != nil {
			return nil, err
		}
		ids = append(ids, part...)
	}
	slices.Sort(ids)
	for chunk := range chunks(ids, cancelAtOnce) {
		if _, err := s.cancelWaiting(ctx, "cancelling the tasks of a backfill", chunk, models.ReasonBackfillCancelled, clock.Cut(at)); err != nil {
			return nil, err
		}
	}
	return s.TasksByIDs(ctx, ids)
}

// tasksOfBackfill finds tasks of a backfill in a state by their job and ids.
func (s *Store) tasksOfBackfill(b *models.Backfill, state models.TaskState, limit int) (string, []any) {
	statement := "SELECT id FROM tasks" + s.dialect.forceIndex("tasks_job") +
		" WHERE job_id = ? AND shelf = ? AND id >= ? AND id < ? AND state = ? AND backfill_id = ? ORDER BY id LIMIT ?"
	return statement, []any{b.JobID, shelfOf(state), models.LowestID(b.FromAt), models.LowestID(b.ToAt.Add(time.Millisecond)), state, b.ID, limit}
}

// withinBackfill bounds a filter that names a backfill to its job and range, by which
// its tasks are found.
func (s *Store) withinBackfill(ctx context.Context, f *TaskFilter) error {
	if f.BackfillID == "" {
		return nil
	}
	b, err := s.Backfill(ctx, f.BackfillID)
	if fault.Is(err, fault.NotFound) {
		f.JobID = none // nothing matches
		return nil
	}
	if err != nil {
		return err
	}
	if f.JobID != "" && f.JobID != b.JobID {
		f.JobID = none
		return nil
	}
	f.JobID = b.JobID
	from, to := b.FromAt, b.ToAt.Add(time.Millisecond)
	if f.From == nil || f.From.Before(from) {
		f.From = &from
	}
	if f.To == nil || f.To.After(to) {
		f.To = &to
	}
	return nil
}

// none is the id of nothing.
const none = "0"

// cancelBackfillsOf ends the open backfills of a job that is deleted; its queued
// tasks are cancelled anyway.
func cancelBackfillsOf(tx *gorm.DB, jobID string, at time.Time) error {
	_, err := exec(tx, "UPDATE backfills SET state = ?, work = ?, finished_at = ? WHERE job_id = ? AND state IN (?, ?)",
		models.BackfillCancelled, true, clock.Cut(at), jobID, models.BackfillRunning, models.BackfillPaused)
	if err != nil {
		return fmt.Errorf("cancelling the backfills of a job: %w", err)
	}
	return nil
}
