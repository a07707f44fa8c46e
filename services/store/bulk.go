package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// MaxOpenBulks is how many bulk operations may be under way at once.
const MaxOpenBulks = 50

// CreateBulk makes a bulk operation of these tasks and answers it; one whose id
// exists already is answered as it stands, so that a request may be repeated.
// Fault: LIMIT.
func (s *Store) CreateBulk(ctx context.Context, b models.BulkOperation, tasks []string, audit models.Audit) (models.BulkOperation, error) {
	var made models.BulkOperation
	ids := make([]byte, 0, len(tasks)*idLength)
	for _, id := range tasks {
		ids = append(ids, id...)
	}
	err := s.write(ctx, "creating a bulk operation", func(tx *gorm.DB) error {
		there, err := bulk(tx, b.ID)
		if err == nil {
			made = there
			return nil
		}
		if !fault.Is(err, fault.NotFound) {
			return err
		}
		var open int64
		if err := queryOne(tx, &open, "SELECT COUNT(*) FROM bulk_operations WHERE state = ?", models.BulkRunning); err != nil {
			return fmt.Errorf("counting bulk operations: %w", err)
		}
		if open >= MaxOpenBulks {
			return fault.New(fault.Limit, "%d bulk operations are under way; wait for one to end, or cancel one.", open)
		}
		if err := tx.Create(&b).Error; err != nil {
			return fmt.Errorf("writing a bulk operation: %w", err)
		}
		if err := tx.Create(&models.BulkSelection{BulkID: b.ID, Tasks: ids}).Error; err != nil {
			return fmt.Errorf("writing the tasks of a bulk operation: %w", err)
		}
		if made, err = bulk(tx, b.ID); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	return made, err
}

func bulk(tx *gorm.DB, id string) (models.BulkOperation, error) {
	return one[models.BulkOperation](tx.Where("id = ?", id), "bulk operation "+id)
}

// BulksByIDs answers the bulk operations that exist among ids, in no order.
func (s *Store) BulksByIDs(ctx context.Context, ids []string) ([]models.BulkOperation, error) {
	return byIDs[models.BulkOperation](s.read(ctx), ids, "bulk operations")
}

// Bulk answers one bulk operation. Fault: NOT_FOUND.
func (s *Store) Bulk(ctx context.Context, id string) (models.BulkOperation, error) {
	return bulk(s.read(ctx), id)
}

// BulkPage answers a page of bulk operations, newest first; positions are ids.
// Fault: INVALID.
func (s *Store) BulkPage(ctx context.Context, createdBy string, p Page) ([]models.BulkOperation, PageInfo, error) {
	q := s.read(ctx)
	if createdBy != "" {
		q = q.Where("created_by = ?", createdBy) // a few thousand rows in all: people make them
	}
	return newest[models.BulkOperation](q, p, "bulk operations")
}

// BulksToDo answers the bulk operations that are under way, oldest first.
func (s *Store) BulksToDo(ctx context.Context, limit int) ([]models.BulkOperation, error) {
	return list[models.BulkOperation](s.read(ctx).Where("state = ?", models.BulkRunning).Order("id").Limit(limit), "bulk operations")
}

// BulkTasks answers the ids of up to n tasks of a bulk operation from a position on;
// none when it has ended.
func (s *Store) BulkTasks(ctx context.Context, id string, position int64, n int) ([]string, error) {
	var raw []byte
	err := queryOne(s.read(ctx), &raw, "SELECT SUBSTR(tasks, ?, ?) FROM bulk_selections WHERE bulk_id = ?", position*idLength+1, n*idLength, id)
	if err != nil {
		return nil, fmt.Errorf("reading the tasks of a bulk operation: %w", err)
	}
	ids := make([]string, 0, len(raw)/idLength)
	for ; len(raw) >= idLength; raw = raw[idLength:] {
		ids = append(ids, string(raw[:idLength]))
	}
	return ids, nil
}

// BulkRefusals answers up to perBulk tasks that each of these bulk operations left as
// they are, by id.
func (s *Store) BulkRefusals(ctx context.Context, bulkIDs []string, perBulk int) (map[string][]models.BulkRefusal, error) {
	if len(bulkIDs) == 0 {
		return nil, nil
	}
	parts := make([]string, len(bulkIDs))
	args := make([]any, 0, 2*len(bulkIDs))
	for i, id := range bulkIDs {
		parts[i] = "SELECT bulk_id, task_id, message FROM bulk_refusals WHERE bulk_id = ? ORDER BY task_id LIMIT ?"
		args = append(args, id, perBulk)
	}
	var rows []models.BulkRefusal
	if err := s.read(ctx).Raw(s.dialect.union(parts), args...).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("reading what bulk operations left: %w", err)
	}
	of := make(map[string][]models.BulkRefusal, len(bulkIDs))
	for _, row := range rows {
		of[row.BulkID] = append(of[row.BulkID], row)
	}
	return of, nil
}

// BulkStep is what a bulk operation does next.
type BulkStep struct {
	ID       string
	Position int64 // tasks dealt with as they were read
	TaskIDs  []string
	// Elsewhere are those of TaskIDs that were dealt with before, outside of the
	// step: nil for one that was done, the reason for one that was refused.
	Elsewhere map[string]*fault.Error
	// Parameters answers what to retry a task with; nil: its own.
	Parameters func(t *models.Task) (json.RawMessage, error)
	// Audit answers the audit row of what is done to a task.
	Audit func(taskID string) models.Audit
	At    time.Time
}

// BulkResult is what a step has done.
type BulkResult struct {
	Operation models.BulkOperation
	Changed   []models.Task // as they are now
	Stopping  []models.Task // those of them that run and must be told to stop
}

// ErrBulkMoved says that a bulk operation is not as it was read: read it again.
var ErrBulkMoved = errors.New("the bulk operation has changed meanwhile")

// AdvanceBulk does to the next tasks of a bulk operation what it is for and notes how
// far it came, in one transaction, so that nothing is done twice. A task that does not
// allow it is left as it is and noted as refused. Errors: ErrBulkMoved when it no
// longer runs or is further on; DeposedError; NOT_FOUND.
func (s *Store) AdvanceBulk(ctx context.Context, fence Fence, step BulkStep) (BulkResult, error) {
	var result BulkResult
	err := s.write(ctx, fmt.Sprintf("doing %d tasks of a bulk operation", len(step.TaskIDs)), func(tx *gorm.DB) error {
		result = BulkResult{}
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		b, err := bulk(s.locked(tx), step.ID)
		if err != nil {
			return err
		}
		if b.State != models.BulkRunning || b.Position() != step.Position {
			return ErrBulkMoved
		}
		refusals, err := s.bulkTasks(tx, &b, &step, &result)
		if err != nil {
			return err
		}
		return s.bulkNote(tx, &b, &step, refusals, &result)
	})
	return result, err
}

// bulkTasks does what b is for to the step's tasks, and answers those that it left.
func (s *Store) bulkTasks(tx *gorm.DB, b *models.BulkOperation, step *BulkStep, result *BulkResult) ([]models.BulkRefusal, error) {
	present, err := s.lockTasks(tx, step.TaskIDs, fullColumns)
	if err != nil {
		return nil, err
	}
	var refusals []models.BulkRefusal
	var audits []models.Audit
	books := newBooks(byPeople)
	for _, id := range step.TaskIDs {
		refused, elsewhere := step.Elsewhere[id]
		if t := present[id]; t == nil {
			refused = fault.New(fault.NotFound, "There is no task %s any more.", id)
		} else if !elsewhere {
			if refused, err = s.bulkTask(tx, b, step, t, books, result); err != nil {
				return nil, err
			}
			if refused == nil {
				audits = append(audits, step.Audit(id))
			}
		}
		if refused != nil {
			refusals = append(refusals, models.BulkRefusal{BulkID: b.ID, TaskID: id, Message: refused.Message})
		}
	}
	if len(audits) > 0 {
		if err := insertAudits(tx, audits); err != nil {
			return nil, fmt.Errorf("writing the audit log: %w", err)
		}
	}
	if err := s.settle(tx, books); err != nil {
		return nil, err
	}
	for _, parent := range books.parents { // that ended with the last of its children
		result.Changed = slices.DeleteFunc(result.Changed, func(t models.Task) bool { return t.ID == parent.ID })
		result.Changed = append(result.Changed, parent)
	}
	return refusals, nil
}

// bulkTask does what b is for to one locked task. A fault is an answer, not an error.
func (s *Store) bulkTask(tx *gorm.DB, b *models.BulkOperation, step *BulkStep, t *models.Task, books *books, result *BulkResult) (*fault.Error, error) {
	d := deed{b.CreatedBy, b.Reason, models.ReasonRequested, clock.Cut(step.At)}
	var err error
	switch b.Kind {
	case models.BulkRetry:
		var parameters json.RawMessage
		if parameters, err = step.Parameters(t); err == nil {
			err = s.requeueTask(tx, t, books, parameters, d.at)
		}
	case models.BulkDiscard:
		err = discardTask(tx, t, books, d)
	case models.BulkCancel:
		var done CancelResult
		if done, err = s.cancelWhole(tx, t, books, d); err == nil {
			result.stop(done)
		}
	}
	if refused, is := errors.AsType[*fault.Error](err); is {
		return refused, nil
	}
	if err == nil {
		result.Changed = append(result.Changed, *t)
	}
	return nil, err
}

// stop notes what is to be told of a cancellation: a parent is on no node, its children are.
func (r *BulkResult) stop(done CancelResult) {
	r.Changed = append(r.Changed, done.Others...)
	if done.Requested && !done.Task.Spread() {
		r.Stopping = append(r.Stopping, done.Task)
	}
	for _, t := range done.Others {
		if t.State == models.TaskRunning {
			r.Stopping = append(r.Stopping, t)
		}
	}
}

// bulkNote writes how far b came, and ends it with its last task.
func (s *Store) bulkNote(tx *gorm.DB, b *models.BulkOperation, step *BulkStep, refusals []models.BulkRefusal, result *BulkResult) error {
	kept := refusals[:min(len(refusals), max(0, models.MaxBulkRefusals-int(b.Refused)))]
	if len(kept) > 0 {
		if err := tx.Create(&kept).Error; err != nil {
			return fmt.Errorf("noting what a bulk operation left: %w", err)
		}
	}
	b.Refused += int64(len(refusals))
	b.Done += int64(len(step.TaskIDs) - len(refusals))
	if b.Position() >= b.Total {
		b.State, b.FinishedAt = models.BulkFinished, new(clock.Cut(step.At))
		if err := forgetBulk(tx, b.ID); err != nil {
			return err
		}
	}
	_, err := exec(tx, "UPDATE bulk_operations SET done = ?, refused = ?, state = ?, finished_at = ? WHERE id = ?",
		b.Done, b.Refused, b.State, b.FinishedAt, b.ID)
	if err != nil {
		return fmt.Errorf("noting how far a bulk operation came: %w", err)
	}
	result.Operation = *b
	return nil
}

// forgetBulk deletes which tasks an operation that has ended was for.
func forgetBulk(tx *gorm.DB, id string) error {
	if _, err := exec(tx, "DELETE FROM bulk_selections WHERE bulk_id = ?", id); err != nil {
		return fmt.Errorf("forgetting the tasks of a bulk operation: %w", err)
	}
	return nil
}

// CancelBulk stops a bulk operation; what it has done stands. One that was stopped
// already stays as it is. Faults: NOT_FOUND, CONFLICT when it has come to its end.
func (s *Store) CancelBulk(ctx context.Context, id string, at time.Time, audit models.Audit) (models.BulkOperation, error) {
	var after models.BulkOperation
	err := s.write(ctx, "stopping a bulk operation", func(tx *gorm.DB) error {
		b, err := bulk(s.locked(tx), id)
		if err != nil {
			return err
		}
		after = b
		switch b.State {
		case models.BulkCancelled:
			return nil
		case models.BulkFinished:
			return fault.New(fault.Conflict, "Bulk operation %s is FINISHED: it has come to each of its tasks.", id)
		case models.BulkRunning:
		}
		after.State, after.FinishedAt = models.BulkCancelled, new(clock.Cut(at))
		if _, err := exec(tx, "UPDATE bulk_operations SET state = ?, finished_at = ? WHERE id = ?", after.State, after.FinishedAt, id); err != nil {
			return fmt.Errorf("stopping a bulk operation: %w", err)
		}
		if err := forgetBulk(tx, id); err != nil {
			return err
		}
		return insertAudit(tx, &audit)
	})
	return after, err
}
