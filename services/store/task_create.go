package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// CreateResult answers one task of CreateTasks.
type CreateResult struct {
	ID       string // of the new task, or of the one that was there already
	Existing bool
}

// CreateTasks inserts tasks in one transaction, all or none, and answers one
// result a task, in order. An id that exists already, from an earlier call or
// within this one, is answered as Existing and changes nothing, so that a call
// may be repeated. A task whose unique key is held by an unfinished task of its
// job is not created; the holder's id is answered. Fault: Invalid at "uniqueKey".
func (s *Store) CreateTasks(ctx context.Context, tasks []models.Task) ([]CreateResult, error) {
	for i := range tasks {
		if err := checkNewTask(&tasks[i]); err != nil {
			return nil, err
		}
	}
	var results []CreateResult
	err := s.write(ctx, fmt.Sprintf("creating %d tasks", len(tasks)), func(tx *gorm.DB) error {
		results = make([]CreateResult, len(tasks))
		c := creation{s: s, tx: tx, books: newBooks(byEnqueue), answers: make(map[string]CreateResult, len(tasks))}
		if err := c.run(tasks); err != nil {
			return err
		}
		for i := range tasks {
			results[i] = c.answers[tasks[i].ID]
			if i > 0 && c.first[tasks[i].ID] != i {
				results[i].Existing = true // the same id twice within this call
			}
		}
		return s.settle(tx, c.books)
	})
	return results, err
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

func (c *creation) run(tasks []models.Task) error {
	c.first = make(map[string]int, len(tasks))
	fresh := make([]*models.Task, 0, len(tasks))
	var keyed []*models.Task
	for i := range tasks {
		t := &tasks[i]
		if _, repeated := c.first[t.ID]; repeated {
			continue
		}
		c.first[t.ID] = i
		if t.UniqueKey != nil {
			keyed = append(keyed, t)
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
		c.answers[t.ID] = CreateResult{ID: t.ID, Existing: existing[t.ID]}
	}
	return c.returnKeys(holders, existing)
}

// takeKeys takes the unique keys of tasks and answers those tasks that may be
// inserted. A task that exists already takes no key: it may have released it.
func (c *creation) takeKeys(tasks []*models.Task) ([]*models.Task, error) {
	if len(tasks) == 0 {
		return nil, nil
	}
	// Stable: of several with one key, the first one asked for is made.
	slices.SortStableFunc(tasks, func(a, b *models.Task) int {
		return cmp.Or(strings.Compare(a.JobID, b.JobID), strings.Compare(*a.UniqueKey, *b.UniqueKey))
	})
	ids := make([]string, len(tasks))
	for i, t := range tasks {
		ids[i] = t.ID
	}
	there, err := existingTasks(c.tx, ids)
	if err != nil {
		return nil, err
	}
	tasks = slices.DeleteFunc(tasks, func(t *models.Task) bool {
		if there[t.ID] {
			c.answers[t.ID] = CreateResult{ID: t.ID, Existing: true}
		}
		return there[t.ID]
	})
	for range duplicateTries {
		if tasks, err = c.freeKeys(tasks); err != nil {
			return nil, err
		}
		rows := make([][]any, len(tasks))
		for i, t := range tasks {
			rows[i] = []any{t.JobID, *t.UniqueKey, t.ID}
		}
		err = c.s.insertRows(c.tx, "task_keys", []string{"job_id", "unique_key", "task_id"}, rows, "")
		if !errors.Is(err, gorm.ErrDuplicatedKey) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("taking %d unique keys: %w", len(tasks), err)
	}
	return tasks, nil
}

// freeKeys answers those tasks whose key nobody holds; of several with one key
// only the first. The others are answered with the holder.
func (c *creation) freeKeys(tasks []*models.Task) ([]*models.Task, error) {
	holders := map[[2]string]string{}
	const one = "(job_id = ? AND unique_key = ?)"
	for chunk := range chunks(tasks, 100) {
		args := make([]any, 0, 2*len(chunk))
		for _, t := range chunk {
			args = append(args, t.JobID, *t.UniqueKey)
		}
		rows, err := query(c.tx, "SELECT job_id, unique_key, task_id FROM task_keys WHERE "+one+strings.Repeat(" OR "+one, len(chunk)-1), args...)
		if err != nil {
			return nil, fmt.Errorf("looking up unique keys: %w", err)
		}
		err = scan(rows, func() error {
			var k models.TaskKey
			if err := rows.Scan(&k.JobID, &k.UniqueKey, &k.TaskID); err != nil {
				return err
			}
			holders[[2]string{k.JobID, k.UniqueKey}] = k.TaskID
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("looking up unique keys: %w", err)
		}
	}
	var free []*models.Task
	for _, t := range tasks {
		key := [2]string{t.JobID, *t.UniqueKey}
		if holder, held := holders[key]; held {
			c.answers[t.ID] = CreateResult{ID: holder, Existing: true}
			continue
		}
		holders[key] = t.ID
		free = append(free, t)
	}
	return free, nil
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
		if t.State == models.TaskSkipped {
			e = models.EventSkip
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
