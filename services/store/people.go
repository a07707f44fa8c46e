package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// CancelResult answers CancelTask with the task as it is now.
type CancelResult struct {
	Task      models.Task
	Done      bool // it is CANCELLED
	Requested bool // it runs: its attempt must be told to stop
	// Others are the tasks that were cancelled with it, or that ended because of it: its
	// children or its parent. Those that run must be told to stop.
	Others []models.Task
}

// deed is who does something to a task, when and why.
type deed struct {
	actor  string
	reason string // the person's words
	code   string // the reason code, of a cancellation
	at     time.Time
}

// CancelTask cancels a task that waits, or that failed, at once; for a running one
// it records the wish, and no further attempt will begin. Code is the reason code,
// reason the person's words. A parent's children are cancelled with it. A repeated wish
// changes nothing. Faults: NotFound, Conflict (the task has ended).
func (s *Store) CancelTask(ctx context.Context, id, reason, actor, code string, at time.Time, audit *models.Audit) (CancelResult, error) {
	var result CancelResult
	var family *books
	err := s.changeTask(ctx, id, "cancelling a task", func(tx *gorm.DB, t *models.Task, b *books) (err error) {
		asked := t.State == models.TaskRunning && t.CancelRequestedAt != nil
		from := t.State
		family = b
		if result, err = s.cancelWhole(tx, t, b, deed{actor, reason, code, clock.Cut(at)}); err != nil || asked {
			return err
		}
		return insertAudit(tx, movedTask(audit, from, result.Task.State))
	})
	if err != nil {
		return CancelResult{}, err
	}
	for _, parent := range family.parents {
		if parent.ID == id { // none of its children ran
			result.Task, result.Done, result.Requested = parent, true, false
			continue
		}
		result.Others = append(result.Others, parent)
	}
	return result, nil
}

// cancelWhole does to a locked task what CancelTask says.
func (s *Store) cancelWhole(tx *gorm.DB, t *models.Task, b *books, d deed) (CancelResult, error) {
	result, err := cancelTask(tx, t, b, d)
	if err == nil && result.Requested && t.Spread() {
		result.Others, err = s.cancelChildren(tx, t, b, d)
	}
	return result, err
}

// cancelTask cancels a locked task, but not its children.
func cancelTask(tx *gorm.DB, t *models.Task, b *books, d deed) (CancelResult, error) {
	from := t.State
	to, legal := models.Next(from, models.EventCancel)
	running := from == models.TaskRunning
	switch {
	case !legal:
		return CancelResult{}, fault.New(fault.Conflict, "Task %s is %s already: it has ended and can no longer be cancelled.", t.ID, from)
	case running && t.CancelRequestedAt != nil:
		return CancelResult{Task: *t, Requested: true}, nil
	case !running:
		t.State = to
		if from != models.TaskFailed { // a failed task keeps the end of its attempt
			t.FinishedAt = &d.at
		}
		b.moved(t, from, models.EventCancel, d.at)
	}
	t.Reason, t.CancelRequestedAt = d.code, &d.at
	t.CancelReason, t.CancelActor = cutChars(d.reason, lineLimit), cutChars(d.actor, nameLimit)
	err := updateTask(tx, t, from, map[string]any{
		"state": t.State, "finished_at": t.FinishedAt, "reason": t.Reason, "cancel_requested_at": t.CancelRequestedAt,
		"cancel_reason": t.CancelReason, "cancel_actor": t.CancelActor,
	})
	return CancelResult{Task: *t, Done: !running, Requested: running}, err
}

// RequeueTask has a FAILED task tried again, with other parameters unless they are
// nil. Its ended attempt goes to the history; one more try is allowed if all are
// used up; what it was parked for is forgotten. Faults: NotFound, Conflict.
func (s *Store) RequeueTask(ctx context.Context, id string, parameters json.RawMessage, at time.Time, audit *models.Audit) (models.Task, error) {
	var now models.Task
	err := s.changeTask(ctx, id, "requeueing a task", func(tx *gorm.DB, t *models.Task, b *books) error {
		from := t.State
		if err := s.requeueTask(tx, t, b, parameters, clock.Cut(at)); err != nil {
			return err
		}
		now = *t
		return insertAudit(tx, movedTask(audit, from, t.State))
	})
	return now, err
}

// requeueTask does to a locked task what RequeueTask says.
func (s *Store) requeueTask(tx *gorm.DB, t *models.Task, b *books, parameters json.RawMessage, at time.Time) error {
	from := t.State
	if t.Child() {
		return childAlone(t)
	}
	to, legal := models.Next(from, models.EventRequeue)
	if !legal {
		return fault.New(fault.Conflict, "Task %s is %s: only a task that is FAILED can be put back into the queue.", t.ID, from)
	}
	if err := s.shelve(tx, [][]any{attemptRow(t)}); err != nil {
		return err
	}
	t.State, t.Reason, t.AvailableAt = to, "", at
	t.MaxAttempts = max(t.MaxAttempts, t.Tries()+1)
	t.LostCount = 0
	t.CancelRequestedAt, t.CancelReason, t.CancelActor = nil, "", ""
	if parameters != nil {
		t.Parameters = compact(parameters)
	}
	b.moved(t, from, models.EventRequeue, at)
	return updateTask(tx, t, from, map[string]any{
		"state": t.State, "reason": t.Reason, "available_at": t.AvailableAt, "max_attempts": t.MaxAttempts, "lost_count": t.LostCount,
		"cancel_requested_at": t.CancelRequestedAt, "cancel_reason": t.CancelReason, "cancel_actor": t.CancelActor,
		"parameters": document(t.Parameters),
	})
}

// childAlone refuses what is done with a whole family.
func childAlone(t *models.Task) error {
	return fault.New(fault.Conflict, "Task %s is a part of task %s: do that to the whole task; a retry runs again only the parts that failed.", t.ID, *t.ParentID)
}

// shelve copies the ended attempts of tasks that leave the failed queue to the history. One
// that waited for its next attempt when it was parked is there already.
func (s *Store) shelve(tx *gorm.DB, history [][]any) error {
	err := s.insertRows(tx, "attempts", attemptColumns, history, s.dialect.onConflict("task_id, number", "number = new(number)"))
	if err != nil {
		return fmt.Errorf("copying %d attempts to the history: %w", len(history), err)
	}
	return nil
}

// DiscardTask takes a FAILED task out of the failed queue for good. Who and why
// are kept in the columns that hold them for a cancellation. Faults: NotFound,
// Conflict.
func (s *Store) DiscardTask(ctx context.Context, id, reason, actor string, at time.Time, audit *models.Audit) (models.Task, error) {
	var now models.Task
	err := s.changeTask(ctx, id, "discarding a task", func(tx *gorm.DB, t *models.Task, b *books) error {
		from := t.State
		if err := discardTask(tx, t, b, deed{actor, reason, models.ReasonRequested, clock.Cut(at)}); err != nil {
			return err
		}
		now = *t
		return insertAudit(tx, movedTask(audit, from, t.State))
	})
	return now, err
}

// discardTask does to a locked task what DiscardTask says.
func discardTask(tx *gorm.DB, t *models.Task, b *books, d deed) error {
	from := t.State
	if t.Child() {
		return childAlone(t)
	}
	to, legal := models.Next(from, models.EventDiscard)
	if !legal {
		return fault.New(fault.Conflict, "Task %s is %s: only a task that is FAILED can be discarded.", t.ID, from)
	}
	t.State, t.Reason, t.CancelRequestedAt = to, d.code, &d.at
	t.CancelReason, t.CancelActor = cutChars(d.reason, lineLimit), cutChars(d.actor, nameLimit)
	b.moved(t, from, models.EventDiscard, d.at)
	return updateTask(tx, t, from, map[string]any{
		"state": t.State, "reason": t.Reason, "cancel_requested_at": t.CancelRequestedAt,
		"cancel_reason": t.CancelReason, "cancel_actor": t.CancelActor,
	})
}

// changeTask runs change on a locked task in one transaction and writes the books
// last. Fault: NotFound.
func (s *Store) changeTask(ctx context.Context, id, what string, change func(tx *gorm.DB, t *models.Task, b *books) error) error {
	return s.write(ctx, what, func(tx *gorm.DB) error {
		present, err := s.lockTasks(tx, []string{id}, fullColumns)
		if err != nil {
			return err
		}
		t := present[id]
		if t == nil {
			return fault.New(fault.NotFound, "There is no task %s.", id)
		}
		b := newBooks(byPeople)
		if err := change(tx, t, b); err != nil {
			return err
		}
		return s.settle(tx, b)
	})
}

// updateTask writes columns of a locked task, guarded by the state it was in.
func updateTask(tx *gorm.DB, t *models.Task, from models.TaskState, columns map[string]any) error {
	res := tx.Table("tasks").Where("id = ? AND attempt = ? AND state = ?", t.ID, t.Attempt, from).Updates(columns)
	if res.Error != nil {
		return fmt.Errorf("writing task %s: %w", t.ID, res.Error)
	}
	if res.RowsAffected != 1 {
		return fmt.Errorf("task %s: %d rows changed though it was locked", t.ID, res.RowsAffected)
	}
	return nil
}
