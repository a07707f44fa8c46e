package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// CreateResult answers one task of CreateTasks or CreateWished.
type CreateResult struct {
	ID       string // of the new task, or of the one that was there already
	Existing bool
	Moved    bool   // RESCHEDULE: the one that was there got the wish's instant
	Replaced string // REPLACE: the task that was cancelled for the new one
	Err      error  // CONFLICT: what holds the key can be neither moved nor replaced; ID is that task
}

// Wish is a task to be made, and what becomes of an unfinished task of its job
// that holds its unique key.
type Wish struct {
	Task   models.Task
	OnHeld models.KeyRule // zero: KEEP
	// Move is the id under which a move is recorded, so that a repeat of the
	// request moves nothing again; empty: repeats are not told apart. Moves are
	// all ids under which an earlier call may have recorded it.
	Move  string
	Moves []string
	// InputsOf is the task that this one repeats: it takes over the upstream tasks
	// that made it. Empty: none.
	InputsOf string
	// Audit answers the audit row that is written with the task that was made, or with
	// the holder of its key that was moved; nil: none, a program asked.
	Audit func(r CreateResult) models.Audit
}

// CreateTasks inserts tasks in one transaction, all or none, and answers one
// result a task, in order. An id that exists already, from an earlier call or
// within this one, is answered as Existing and changes nothing, so that a call
// may be repeated. A task whose unique key is held by an unfinished task of its
// job is not created; the holder's id is answered. Fault: Invalid at "uniqueKey".
func (s *Store) CreateTasks(ctx context.Context, tasks []models.Task) ([]CreateResult, error) {
	wishes := make([]Wish, len(tasks))
	for i := range tasks {
		wishes[i].Task = tasks[i]
	}
	return s.CreateWished(ctx, wishes)
}

// CreateWished is CreateTasks with a rule for each unique key that is held:
// RESCHEDULE gives the holder, if it still waits, the instant of the wish; REPLACE
// cancels it and makes the wished task. A holder that runs or is in the failed
// queue is left alone and answered with CONFLICT. Wishes for one key are carried
// out in order. It may be repeated, also when the first call's answer was lost.
func (s *Store) CreateWished(ctx context.Context, wishes []Wish) ([]CreateResult, error) {
	for i := range wishes {
		if err := checkNewTask(&wishes[i].Task); err != nil {
			return nil, err
		}
	}
	var results []CreateResult
	err := s.write(ctx, fmt.Sprintf("creating %d tasks", len(wishes)), func(tx *gorm.DB) error {
		results = make([]CreateResult, len(wishes))
		c := creation{s: s, tx: tx, books: newBooks(byEnqueue), answers: make(map[string]CreateResult, len(wishes))}
		if err := c.run(wishes); err != nil {
			return err
		}
		for i := range wishes {
			id := wishes[i].Task.ID
			results[i] = c.answers[id]
			if i > 0 && c.first[id] != i { // the same id twice within this call
				results[i] = CreateResult{ID: results[i].ID, Existing: true, Err: results[i].Err}
			}
		}
		if err := insertAudits(tx, auditsOf(wishes, results)); err != nil {
			return err
		}
		return s.settle(tx, c.books)
	})
	return results, err
}

// auditsOf are the audit rows of what a call has done.
func auditsOf(wishes []Wish, results []CreateResult) []models.Audit {
	var audits []models.Audit
	for i, r := range results {
		if wishes[i].Audit != nil && r.Err == nil && (r.Moved || !r.Existing) {
			audits = append(audits, wishes[i].Audit(r))
		}
	}
	return audits
}

func checkNewTask(t *models.Task) error {
	if k := t.UniqueKey; k != nil && (utf8.RuneCountInString(*k) > nameLimit || *k == "" || !utf8.ValidString(*k)) {
		return fault.At("uniqueKey", fault.Invalid,
			"A unique key has %d characters; it must be 1 to %d characters of valid UTF-8.", utf8.RuneCountInString(*k), nameLimit)
	}
	return nil
}

// creation is one run of CreateTasks.
type creation struct {
	s       *Store
	tx      *gorm.DB
	books   *books
	answers map[string]CreateResult // by the id that was asked for
	first   map[string]int          // place of the first task with an id
}

func (c *creation) run(wishes []Wish) error {
	c.first = make(map[string]int, len(wishes))
	fresh := make([]*models.Task, 0, len(wishes))
	var keyed []*Wish
	for i := range wishes {
		t := &wishes[i].Task
		if _, repeated := c.first[t.ID]; repeated {
			continue
		}
		c.first[t.ID] = i
		if t.UniqueKey != nil {
			keyed = append(keyed, &wishes[i])
		} else {
			fresh = append(fresh, t)
		}
	}
	holders, err := c.takeKeys(keyed)
	if err != nil {
		return err
	}
	all := slices.Concat(fresh, holders) // put in order by the insert
	existing, err := c.s.insertTasks(c.tx, all, c.books)
	if err != nil {
		return err
	}
	for _, t := range all {
		if from := wishes[c.first[t.ID]].InputsOf; from != "" && !existing[t.ID] {
			if err := inheritInputs(c.tx, from, t.ID); err != nil {
				return err
			}
		}
		c.answers[t.ID] = CreateResult{ID: t.ID, Existing: existing[t.ID], Replaced: c.answers[t.ID].Replaced}
	}
	return c.returnKeys(holders, existing)
}

// returnKeys frees the keys that were taken for tasks which, as it turned out,
// existed already.
func (c *creation) returnKeys(tasks []*models.Task, existing map[string]bool) error {
	var keys []models.TaskKey
	for _, t := range tasks {
		if existing[t.ID] {
			keys = append(keys, models.TaskKey{JobID: t.JobID, UniqueKey: *t.UniqueKey, TaskID: t.ID})
		}
	}
	return c.s.releaseKeys(c.tx, keys)
}

// insertTasks inserts tasks in order of id, enters them in the books, and answers
// which of them existed already; those are left alone.
func (s *Store) insertTasks(tx *gorm.DB, tasks []*models.Task, b *books) (existing map[string]bool, err error) {
	slices.SortFunc(tasks, func(x, y *models.Task) int { return strings.Compare(x.ID, y.ID) })
	set := newColumns(tasks)
	rows := make([][]any, len(tasks))
	for i, t := range tasks {
		rows[i] = set.row(t)
	}
	existing, err = s.insertNew(tx, "tasks", set.names, rows, func(ids []string) (map[string]bool, error) { return existingTasks(tx, ids) })
	if err != nil {
		return nil, fmt.Errorf("inserting %d tasks: %w", len(tasks), err)
	}
	for _, t := range tasks {
		if existing[t.ID] {
			continue
		}
		e := models.EventDispatch // nothing but the counters
		switch t.State {          //nolint:exhaustive // tasks are made in few states
		case models.TaskSkipped:
			e = models.EventSkip
		case models.TaskCancelled: // replaced within the call that made it
			e = models.EventCancel
		}
		b.moved(t, 0, e, t.CreatedAt)
	}
	return existing, nil
}

// existingTasks answers which ids there are tasks of.
func existingTasks(tx *gorm.DB, ids []string) (map[string]bool, error) {
	there := map[string]bool{}
	for chunk := range chunks(ids, inLimit) {
		rows, err := query(tx, "SELECT id FROM tasks WHERE id IN ("+marks(len(chunk))+")", anys(chunk)...)
		if err != nil {
			return nil, fmt.Errorf("looking up tasks: %w", err)
		}
		err = scan(rows, func() error {
			var id string
			if err := rows.Scan(&id); err != nil {
				return err
			}
			there[id] = true
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("looking up tasks: %w", err)
		}
	}
	return there, nil
}
