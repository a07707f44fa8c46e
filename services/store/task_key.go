package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// keyOf is a unique key within its job.
type keyOf struct{ job, key string }

func keyOfTask(t *models.Task) keyOf { return keyOf{t.JobID, *t.UniqueKey} }

// held is what holds a key, as a round of takeKeys has found it and decided.
type held struct {
	row   string       // the task in the key's row as it stands; empty: there is no row
	now   string       // the task that shall hold it
	task  *models.Task // that task where it was locked or is made here, else nil
	moved bool         // task's row is to be written
}

// keyRound is one try at the unique keys of some wishes. What it decides is kept
// apart from the wishes, because a try may be made again.
type keyRound struct {
	c        *creation
	wishes   []*Wish // by job and key, those of one key as they were asked for
	holders  map[keyOf]*held
	there    map[string]bool   // ids of wishes that are tasks already
	repeats  map[string]string // move ids that are recorded → task
	fresh    []*models.Task
	changed  []*models.Task // holders whose row is to be written
	from     map[string]models.TaskState
	moves    [][]any
	answered map[string]CreateResult
}

// takeKeys gives the unique keys to those tasks that may be inserted, which it
// answers, and moves or replaces holders. A task that exists already takes no key:
// it may have released it.
func (c *creation) takeKeys(wishes []*Wish) ([]*models.Task, error) {
	if len(wishes) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(wishes, func(a, b *Wish) int {
		x, y := keyOfTask(&a.Task), keyOfTask(&b.Task)
		return cmp.Or(strings.Compare(x.job, y.job), strings.Compare(x.key, y.key))
	})
	var r *keyRound
	var err error
	for range duplicateTries {
		r = &keyRound{
			c: c, wishes: wishes, holders: map[keyOf]*held{}, from: map[string]models.TaskState{}, answered: map[string]CreateResult{},
		}
		if err = r.look(); err != nil {
			return nil, err
		}
		r.decide()
		if err = r.take(); !errors.Is(err, gorm.ErrDuplicatedKey) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("taking %d unique keys: %w", len(wishes), err)
	}
	maps.Copy(c.answers, r.answered)
	return r.fresh, r.write()
}

// look reads who holds the keys, locks those that may be moved or replaced, and
// only then looks for repeats: another call with the same request held the same
// lock, or has committed.
func (r *keyRound) look() error {
	if err := r.readKeys(); err != nil {
		return err
	}
	var ids []string
	for _, w := range r.wishes {
		if h := r.holders[keyOfTask(&w.Task)]; h != nil && w.OnHeld > models.KeyKeep {
			ids = append(ids, h.row)
		}
	}
	if len(ids) > 0 {
		slices.Sort(ids)
		locked, err := r.c.s.lockTasks(r.c.tx, slices.Compact(ids), lightColumns)
		if err != nil {
			return err
		}
		for key, h := range r.holders {
			t := locked[h.row]
			if t == nil {
				continue
			}
			if t.State.Final() { // it has just released the key
				delete(r.holders, key)
				continue
			}
			h.task = t
			r.from[t.ID] = t.State
		}
	}
	return r.readRepeats()
}

func (r *keyRound) readKeys() error {
	const one = "(job_id = ? AND unique_key = ?)"
	for chunk := range chunks(r.wishes, 100) {
		args := make([]any, 0, 2*len(chunk))
		for _, w := range chunk {
			args = append(args, w.Task.JobID, *w.Task.UniqueKey)
		}
		rows, err := query(r.c.tx, "SELECT job_id, unique_key, task_id FROM task_keys WHERE "+one+strings.Repeat(" OR "+one, len(chunk)-1), args...)
		if err != nil {
			return fmt.Errorf("looking up unique keys: %w", err)
		}
		err = scan(rows, func() error {
			var k models.TaskKey
			if err := rows.Scan(&k.JobID, &k.UniqueKey, &k.TaskID); err != nil {
				return err
			}
			r.holders[keyOf{k.JobID, k.UniqueKey}] = &held{row: k.TaskID, now: k.TaskID}
			return nil
		})
		if err != nil {
			return fmt.Errorf("looking up unique keys: %w", err)
		}
	}
	return nil
}

// readRepeats finds which wishes were fulfilled by an earlier call.
func (r *keyRound) readRepeats() error {
	ids := make([]string, len(r.wishes))
	var moves []string
	for i, w := range r.wishes {
		ids[i] = w.Task.ID
		moves = append(moves, w.Moves...)
	}
	var err error
	if r.there, err = existingTasks(r.c.tx, ids); err != nil {
		return err
	}
	r.repeats = map[string]string{}
	for chunk := range chunks(moves, inLimit) {
		rows, err := query(r.c.tx, "SELECT id, task_id FROM task_moves WHERE id IN ("+marks(len(chunk))+")", anys(chunk)...)
		if err != nil {
			return fmt.Errorf("looking up moved tasks: %w", err)
		}
		err = scan(rows, func() error {
			var id, task string
			if err := rows.Scan(&id, &task); err != nil {
				return err
			}
			r.repeats[id] = task
			return nil
		})
		if err != nil {
			return fmt.Errorf("looking up moved tasks: %w", err)
		}
	}
	return nil
}

// decide goes through the wishes in order.
func (r *keyRound) decide() {
	for _, w := range r.wishes {
		id := w.Task.ID
		if r.there[id] {
			r.answered[id] = CreateResult{ID: id, Existing: true}
			continue
		}
		if task := r.movedBefore(w); task != "" {
			r.answered[id] = CreateResult{ID: task, Existing: true}
			continue
		}
		h := r.holders[keyOfTask(&w.Task)]
		switch {
		case h == nil:
			h = &held{}
			r.holders[keyOfTask(&w.Task)] = h
			r.make(w, h)
		case h.now == id: // no such task is there: the row is this transaction's own, of a try before
			r.make(w, h)
		case w.OnHeld <= models.KeyKeep:
			r.answered[id] = CreateResult{ID: h.now, Existing: true}
		default:
			r.change(w, h)
		}
	}
}

func (r *keyRound) movedBefore(w *Wish) string {
	for _, id := range w.Moves {
		if task := r.repeats[id]; task != "" {
			return task
		}
	}
	return ""
}

// make lets the wished task hold the key. It is a copy: what follows may change it.
func (r *keyRound) make(w *Wish, h *held) {
	t := w.Task
	h.now, h.task = t.ID, &t
	r.fresh = append(r.fresh, &t)
}

// change moves or replaces a holder.
func (r *keyRound) change(w *Wish, h *held) {
	id, t := w.Task.ID, h.task
	if t == nil || !t.State.Queued() {
		r.answered[id] = CreateResult{ID: h.now, Existing: true, Err: keyConflict(h, w)}
		return
	}
	r.touch(t, h)
	if w.OnHeld == models.KeyReschedule {
		t.AvailableAt = clock.Cut(w.Task.AvailableAt)
		if w.Move != "" {
			r.repeats[w.Move] = t.ID
			r.moves = append(r.moves, []any{w.Move, t.ID, clock.Cut(w.Task.CreatedAt)})
		}
		r.answered[id] = CreateResult{ID: t.ID, Existing: true, Moved: true}
		return
	}
	at := clock.Cut(w.Task.CreatedAt)
	t.State, t.Reason, t.FinishedAt, t.CancelRequestedAt = models.TaskCancelled, models.ReasonReplaced, &at, &at
	t.CancelReason = "Replaced by task " + id + "."
	r.answered[id] = CreateResult{ID: id, Replaced: t.ID}
	r.make(w, h)
}

// touch notes that a holder's row is to be written, unless it is made here.
func (r *keyRound) touch(t *models.Task, h *held) {
	if _, stored := r.from[t.ID]; stored && !h.moved {
		h.moved = true
		r.changed = append(r.changed, t)
	}
}

func keyConflict(h *held, w *Wish) error {
	state := models.TaskRunning
	if h.task != nil {
		state = h.task.State
	}
	verb := "moved"
	if w.OnHeld == models.KeyReplace {
		verb = "replaced"
	}
	remedy := "wait for its end, or cancel it first"
	if state == models.TaskFailed {
		remedy = "retry, discard or cancel it first"
	}
	return fault.At("uniqueKey", fault.Conflict, "Task %s holds the unique key %q and is %s, so it cannot be %s: %s.",
		h.now, *w.Task.UniqueKey, state, verb, remedy)
}

// take writes the keys: a duplicate means that somebody else took one meanwhile.
func (r *keyRound) take() error {
	var rows [][]any
	var handed []keyOf
	for key, h := range r.holders {
		switch {
		case h.row == "":
			rows = append(rows, []any{key.job, key.key, h.now})
		case h.row != h.now:
			handed = append(handed, key)
		}
	}
	slices.SortFunc(rows, func(a, b []any) int {
		return cmp.Or(strings.Compare(a[0].(string), b[0].(string)), strings.Compare(a[1].(string), b[1].(string)))
	})
	if err := r.c.s.insertRows(r.c.tx, "task_keys", []string{"job_id", "unique_key", "task_id"}, rows, ""); err != nil {
		return err
	}
	slices.SortFunc(handed, func(a, b keyOf) int { return cmp.Or(strings.Compare(a.job, b.job), strings.Compare(a.key, b.key)) })
	for _, key := range handed {
		n, err := exec(r.c.tx, "UPDATE task_keys SET task_id = ? WHERE job_id = ? AND unique_key = ? AND task_id = ?",
			r.holders[key].now, key.job, key.key, r.holders[key].row)
		if err != nil {
			return err
		}
		if n != 1 {
			return fmt.Errorf("a unique key changed hands though its task was locked")
		}
	}
	return nil
}

// write writes the holders that were moved or replaced, and what was moved.
func (r *keyRound) write() error {
	sortTasks(r.changed)
	rows := make([][]any, len(r.changed))
	for i, t := range r.changed {
		rows[i] = []any{t.ID, t.State, t.Reason, t.AvailableAt, t.FinishedAt, t.CancelRequestedAt, t.CancelReason}
		if t.State == models.TaskCancelled {
			r.c.books.moved(t, r.from[t.ID], models.EventCancel, *t.FinishedAt)
		}
	}
	err := r.c.s.updateLocked(r.c.tx, update{
		table: "tasks", key: "id",
		set:   []string{"state", "reason", "available_at", "finished_at", "cancel_requested_at", "cancel_reason"},
		guard: stateIn(models.From(models.EventDispatch)...),
	}, rows)
	if err != nil {
		return fmt.Errorf("changing %d holders of unique keys: %w", len(rows), err)
	}
	slices.SortFunc(r.moves, func(a, b []any) int { return strings.Compare(a[0].(string), b[0].(string)) })
	err = r.c.s.insertRows(r.c.tx, "task_moves", []string{"id", "task_id", "moved_at"}, r.moves,
		r.c.s.dialect.onConflict("id", "moved_at = new(moved_at)"))
	if err != nil {
		return fmt.Errorf("recording %d moved tasks: %w", len(r.moves), err)
	}
	return nil
}

// RescheduleTask gives a task that waits another instant from which it, or its
// next attempt, may start. Its id and its scheduled instant stay: lists are in
// their order, and handlers know by it what they work for. Faults: NotFound,
// Conflict when it runs or has ended.
func (s *Store) RescheduleTask(ctx context.Context, id string, at time.Time, audit *models.Audit) (models.Task, error) {
	var after models.Task
	at = clock.Cut(at)
	err := s.changeTask(ctx, id, "rescheduling a task", func(tx *gorm.DB, t *models.Task, _ *books) error {
		after = *t
		switch {
		case t.State == models.TaskRunning:
			return fault.New(fault.Conflict, "Task %s runs since attempt %d was dispatched: cancel it, or wait for its end.", id, t.Attempt)
		case t.State == models.TaskFailed:
			return fault.New(fault.Conflict, "Task %s is in the failed queue: retry it instead.", id)
		case !t.State.Queued():
			return fault.New(fault.Conflict, "Task %s is %s: only a task that waits can be rescheduled; run its job anew instead.", id, t.State)
		case t.AvailableAt.Equal(at):
			return nil // a repeat
		}
		after.AvailableAt = at
		if err := updateTask(tx, t, t.State, map[string]any{"available_at": at}); err != nil {
			return err
		}
		return insertAudit(tx, audit)
	})
	return after, err
}

// ForgetMoves deletes up to limit records of moves by requests before an instant
// and answers how many.
func (s *Store) ForgetMoves(ctx context.Context, before time.Time, limit int) (int, error) {
	ids, err := readIDs(s.read(ctx), "SELECT id FROM task_moves WHERE id < ? ORDER BY id LIMIT ?", models.LowestID(before), limit)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	err = s.write(ctx, "forgetting moved tasks", func(tx *gorm.DB) error {
		_, err := exec(tx, s.dialect.deleteByKey("task_moves")+" WHERE id IN ("+marks(len(ids))+")", anys(ids)...)
		return err
	})
	return len(ids), err
}
