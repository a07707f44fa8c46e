package store

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// A parent and its children. The children are found by a range of ids with nothing else in
// it (models.ChildID). Whatever ends a child locks the parent afterwards and looks whether
// another child is still live: of two ends at the same time the later one sees the earlier,
// so exactly one ends the parent.

// familyMoved notes that the children of a parent may all have ended.
func (b *books) familyMoved(parent string, at time.Time) {
	if b.families == nil {
		b.families = map[string]time.Time{}
	}
	if at.After(b.families[parent]) {
		b.families[parent] = at
	}
}

// endFamilies ends the parents, in order of id, whose last child has ended.
func (s *Store) endFamilies(tx *gorm.DB, b *books) error {
	if len(b.families) == 0 {
		return nil
	}
	ids := slices.Sorted(maps.Keys(b.families))
	locked, err := s.lockTasks(tx, ids, lightColumns)
	if err != nil {
		return fmt.Errorf("locking the parents of %d families: %w", len(ids), err)
	}
	for _, id := range ids {
		parent := locked[id]
		if parent == nil || parent.State != models.TaskRunning {
			continue
		}
		live, err := s.anyLiveChild(tx, id)
		if err != nil {
			return err
		}
		if live {
			continue
		}
		if err := s.endFamily(tx, b, parent, b.families[id]); err != nil {
			return err
		}
	}
	return nil
}

// anyLiveChild stops at the first.
func (s *Store) anyLiveChild(tx *gorm.DB, parent string) (bool, error) {
	low, high := models.ChildIDs(parent)
	ids, err := readIDs(tx, "SELECT id FROM tasks"+s.dialect.byKey()+" WHERE id >= ? AND id <= ? AND state IN (?, ?, ?) ORDER BY id LIMIT 1",
		low, high, models.TaskWaiting, models.TaskRunning, models.TaskRetrying)
	return len(ids) > 0, err
}

// endFamily ends a locked parent that runs and none of whose children is live.
func (s *Store) endFamily(tx *gorm.DB, b *books, parent *models.Task, at time.Time) error {
	children, err := s.childEnds(tx, parent.ID)
	if err != nil {
		return err
	}
	kind, ends := "shards", make([]models.ChildEnd, len(children))
	for i := range children {
		ends[i] = models.ChildEnd{State: children[i].State, Name: nameOfChild(&children[i])}
		if children[i].PinnedTo != nil {
			kind = "nodes"
		}
	}
	end, over := models.EndFamily(ends, parent.CancelRequestedAt != nil, parent.Reason, kind)
	if !over {
		return nil
	}
	from := parent.State
	parent.State, _ = models.Next(from, end.Event) // legal from RUNNING
	parent.Reason, parent.Error, parent.FinishedAt = end.Reason, cutError(end.Error), &at
	parent.Outcome = map[models.Event]models.Outcome{
		models.EventSucceed: models.OutcomeSucceeded, models.EventFail: models.OutcomeFailed, models.EventCancel: models.OutcomeCancelled,
	}[end.Event]
	b.rolls.begun(parent, at)
	b.moved(parent, from, end.Event, at)
	b.parents = append(b.parents, *parent)
	return updateTask(tx, parent, from, map[string]any{
		"state": parent.State, "reason": parent.Reason, "error": parent.Error, "outcome": parent.Outcome, "finished_at": at,
	})
}

// nameOfChild is what people call a child.
func nameOfChild(t *models.Task) string {
	if t.PinnedTo != nil {
		return *t.PinnedTo
	}
	return strconv.Itoa(shardOf(t))
}

func shardOf(t *models.Task) int {
	if t.Shard == nil {
		return 0
	}
	return *t.Shard
}

// childEnds answers the children of a parent by shard: only state, shard and pin.
func (s *Store) childEnds(tx *gorm.DB, parent string) ([]models.Task, error) {
	low, high := models.ChildIDs(parent)
	rows, err := query(tx, "SELECT id, state, shard, pinned_to FROM tasks"+s.dialect.byKey()+" WHERE id >= ? AND id <= ? ORDER BY id DESC", low, high)
	if err != nil {
		return nil, fmt.Errorf("reading the children of task %s: %w", parent, err)
	}
	var children []models.Task
	err = scan(rows, func() error {
		var t models.Task
		err := rows.Scan(&t.ID, &t.State, &t.Shard, &t.PinnedTo)
		children = append(children, t)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the children of task %s: %w", parent, err)
	}
	return children, nil
}

// lockChildren reads the children of a parent, by shard, and locks them.
func (s *Store) lockChildren(tx *gorm.DB, parent string) ([]models.Task, error) {
	low, high := models.ChildIDs(parent)
	rows, err := query(tx, "SELECT "+lightColumns.list+" FROM tasks"+s.dialect.byKey()+" WHERE id >= ? AND id <= ? ORDER BY id DESC"+s.dialect.lockRows(), low, high)
	if err != nil {
		return nil, fmt.Errorf("locking the children of task %s: %w", parent, err)
	}
	children, err := lightColumns.scan(rows)
	if err != nil {
		return nil, fmt.Errorf("locking the children of task %s: %w", parent, err)
	}
	return children, nil
}

// cancelChildren cancels the live children of a locked parent and answers those that
// changed. The parent ends with the last of them, at once when none runs.
func (s *Store) cancelChildren(tx *gorm.DB, parent *models.Task, b *books, d deed) ([]models.Task, error) {
	children, err := s.lockChildren(tx, parent.ID)
	if err != nil {
		return nil, err
	}
	var changed []models.Task
	for i := range children {
		t := &children[i]
		if !t.State.Live() || t.CancelRequestedAt != nil {
			continue
		}
		if _, err := cancelTask(tx, t, b, d); err != nil {
			return nil, err
		}
		changed = append(changed, *t)
	}
	b.familyMoved(parent.ID, clock.Cut(d.at))
	return changed, nil
}
