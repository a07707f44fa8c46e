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

// Spread makes a queued task the parent of one child for each of Nodes, in this order; one
// that was spread before gets no new children: those of them that failed run again.
type Spread struct {
	TaskID      string
	Attempt     int       // the present number; the new one is one more
	AvailableAt time.Time // as of Dispatch
	Nodes       []SpreadNode
}

// SpreadNode is a node that a child is pinned to.
type SpreadNode struct{ ID, Name string }

// Spreading answers SpreadTasks.
type Spreading struct {
	Parents  []models.Task // that run now, or ended at once because no child had failed
	Children []models.Task // that were made or run again
	Refused  []string      // ids of tasks as of DispatchTasks
}

// SpreadTasks spreads tasks in one transaction: the parents run, and their children wait.
// It may be repeated: a parent that was spread in just this way is answered again, without
// its children. Errors: DeposedError.
func (s *Store) SpreadTasks(ctx context.Context, fence Fence, at time.Time, items []Spread, limits []JobLimit) (Spreading, error) {
	var done Spreading
	at = clock.Cut(at)
	err := s.write(ctx, fmt.Sprintf("spreading %d tasks", len(items)), func(tx *gorm.DB) error {
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		room, err := s.room(tx, limits)
		if err != nil {
			return err
		}
		ids := make([]string, len(items))
		for i := range items {
			ids[i] = items[i].TaskID
		}
		slices.Sort(ids)
		present, err := s.lockTasks(tx, slices.Compact(ids), dispatchColumns)
		if err != nil {
			return err
		}
		r := spreading{s: s, tx: tx, at: at, books: newBooks(byDispatch)}
		for i := range items {
			item, t := &items[i], present[items[i].TaskID]
			switch {
			case t != nil && t.State == models.TaskRunning && t.Attempt == item.Attempt+1 && t.Spread():
				r.done.Parents = append(r.done.Parents, *t)
			case t == nil || t.Attempt != item.Attempt || !t.State.Queued() || t.Child() || item.putOff(t) ||
				!t.Spread() && len(item.Nodes) == 0 || !room.take(t.JobID):
				r.done.Refused = append(r.done.Refused, item.TaskID)
			default:
				if err := r.spread(t, item); err != nil {
					return err
				}
			}
		}
		if err := r.write(); err != nil {
			return err
		}
		done = r.done
		return nil
	})
	return done, err
}

func (d *Spread) putOff(t *models.Task) bool {
	return !d.AvailableAt.IsZero() && t.AvailableAt.After(d.AvailableAt)
}

// spreading is one run of SpreadTasks.
type spreading struct {
	s       *Store
	tx      *gorm.DB
	at      time.Time
	books   *books
	done    Spreading
	parents [][]any // rows to be written
	fresh   []*models.Task
	again   []*models.Task // children that run again
	history [][]any        // their ended attempts
}

// spread changes t and makes or chooses its children.
func (r *spreading) spread(t *models.Task, item *Spread) error {
	from := t.State
	if t.Spread() {
		if err := r.repeat(t); err != nil {
			return err
		}
	} else {
		t.Shards = new(len(item.Nodes))
		for shard, n := range item.Nodes {
			r.fresh = append(r.fresh, childOf(t, shard, n, r.at))
		}
	}
	t.State = models.TaskRunning
	t.Attempt++
	t.DispatchedAt, t.StartedAt, t.FinishedAt, t.DeadlineAt = &r.at, &r.at, nil, nil
	t.Outcome, t.Error, t.Result, t.Reason = models.OutcomeNone, "", nil, ""
	r.books.moved(t, from, models.EventDispatch, r.at)
	r.books.familyMoved(t.ID, r.at) // where nothing is to run again it ends at once
	r.parents = append(r.parents, []any{t.ID, *t.Shards, r.at, r.at})
	r.done.Parents = append(r.done.Parents, *t)
	return nil
}

// childOf is the child of t for a node.
func childOf(t *models.Task, shard int, n SpreadNode, at time.Time) *models.Task {
	return &models.Task{
		ID: models.ChildID(t.ID, shard), JobID: t.JobID, AppID: t.AppID, GroupID: t.GroupID,
		State: models.TaskWaiting, Trigger: t.Trigger, Priority: t.Priority,
		ScheduledAt: t.ScheduledAt, AvailableAt: at, CreatedAt: at, MaxAttempts: t.MaxAttempts, TimeoutMS: t.TimeoutMS,
		Parameters: t.Parameters, RootID: t.RootID, Downstream: t.Downstream,
		ParentID: &t.ID, Shard: &shard, Shards: t.Shards, PinnedTo: &n.Name, NodeID: &n.ID, NodeName: n.Name,
	}
}

// repeat has the children of t that failed run again, with t's present parameters, as a
// person's retry does; the others keep their ends.
func (r *spreading) repeat(t *models.Task) error {
	children, err := r.s.lockChildren(r.tx, t.ID)
	if err != nil {
		return err
	}
	for i := range children {
		c := &children[i]
		from := c.State
		to, legal := models.Next(from, models.EventRequeue)
		if !legal {
			continue
		}
		r.history = append(r.history, attemptRow(c))
		c.State, c.Reason, c.AvailableAt, c.Parameters = to, "", r.at, t.Parameters
		c.MaxAttempts, c.LostCount, c.HandedBack = max(c.MaxAttempts, c.Tries()+1), 0, 0
		c.CancelRequestedAt, c.CancelReason, c.CancelActor = nil, "", ""
		r.books.moved(c, from, models.EventRequeue, r.at)
		r.again = append(r.again, c)
	}
	return nil
}

func (r *spreading) write() error {
	slices.SortFunc(r.parents, func(a, b []any) int { return strings.Compare(a[0].(string), b[0].(string)) })
	err := r.s.updateLocked(r.tx, update{
		table: "tasks", key: "id", set: []string{"shards", "dispatched_at", "started_at"},
		fixed: setState(models.TaskRunning) + `, attempt = attempt + 1, finished_at = NULL, deadline_at = NULL, outcome = 0,
			error = '', result = NULL, reason = '', ` + r.s.dialect.keepRoom(roomAfterDispatch),
		guard: stateIn(models.From(models.EventDispatch)...),
	}, r.parents)
	if err != nil {
		return fmt.Errorf("writing %d parents: %w", len(r.parents), err)
	}
	if _, err := r.s.insertTasks(r.tx, r.fresh, r.books); err != nil {
		return err
	}
	if err := r.writeAgain(); err != nil {
		return err
	}
	for _, list := range [][]*models.Task{r.fresh, r.again} {
		for _, t := range list {
			r.done.Children = append(r.done.Children, *t)
		}
	}
	if err := r.s.settle(r.tx, r.books); err != nil {
		return err
	}
	for _, ended := range r.books.parents {
		i := slices.IndexFunc(r.done.Parents, func(t models.Task) bool { return t.ID == ended.ID })
		r.done.Parents[i] = ended
	}
	return nil
}

func (r *spreading) writeAgain() error {
	if err := r.s.shelve(r.tx, r.history); err != nil {
		return err
	}
	sortTasks(r.again)
	rows := make([][]any, len(r.again))
	for i, t := range r.again {
		rows[i] = []any{t.ID, t.MaxAttempts, document(t.Parameters)}
	}
	err := r.s.updateLocked(r.tx, update{
		table: "tasks", key: "id", set: []string{"max_attempts", "parameters", "available_at"},
		fixed: setState(models.TaskRetrying) + `, reason = '', lost_count = 0, handed_back = 0,
			cancel_requested_at = NULL, cancel_reason = '', cancel_actor = ''`,
		guard: stateIn(models.From(models.EventRequeue)...),
	}, withValue(rows, r.at))
	if err != nil {
		return fmt.Errorf("writing %d children that run again: %w", len(rows), err)
	}
	return nil
}

// withValue adds one value to each row.
func withValue(rows [][]any, v any) [][]any {
	for i := range rows {
		rows[i] = append(rows[i], v)
	}
	return rows
}
