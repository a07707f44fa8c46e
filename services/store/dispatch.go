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

// Dispatch gives a task's next attempt to a node.
type Dispatch struct {
	TaskID      string
	Attempt     int // the present number; the new one is one more
	NodeID      string
	NodeName    string
	Incarnation string
	TimeoutMS   int64 // time limit of the attempt; 0: none
	// AvailableAt is the task's as it was read: one that was put off since then is
	// refused. Zero: not checked.
	AvailableAt time.Time
}

// JobLimit allows a job at most Max RUNNING tasks.
type JobLimit struct {
	JobID  string
	Max    int
	Spread bool // some of its tasks may be parts of others, which count as one
}

// DispatchTasks begins attempts in one transaction and answers the whole rows of
// those that now run. Refused are the ids of tasks that are gone, no longer queued,
// put off or at another attempt, of those for a process that has left, was lost or
// replaced, and of those that would exceed a job's limit, which is
// counted in this transaction; items that come first go first. It may be
// repeated: an attempt that runs already, on the same process, is answered as
// dispatched. Errors: DeposedError.
func (s *Store) DispatchTasks(ctx context.Context, fence Fence, at time.Time, items []Dispatch, limits []JobLimit) (dispatched []models.Task, refused []string, err error) {
	at = clock.Cut(at)
	err = s.write(ctx, fmt.Sprintf("dispatching %d tasks", len(items)), func(tx *gorm.DB) error {
		dispatched, refused = make([]models.Task, 0, len(items)), nil
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		nodes, err := s.processes(tx, items)
		if err != nil {
			return err
		}
		room, err := s.room(tx, limits)
		if err != nil {
			return err
		}
		present, err := s.lockTasks(tx, idsOfDispatches(items), dispatchColumns)
		if err != nil {
			return err
		}
		b := newBooks(byDispatch)
		var begun []*models.Task
		var again []string
		for i := range items {
			item := &items[i]
			t := present[item.TaskID]
			switch {
			case t != nil && item.runs(t):
				again = append(again, t.ID)
			case t == nil || t.Attempt != item.Attempt || !t.State.Queued() || item.putOff(t) || t.Spread() ||
				item.gone(nodes) || !t.Child() && !room.take(t.JobID):
				refused = append(refused, item.TaskID)
			default:
				from := t.State
				item.begin(t, at)
				b.moved(t, from, models.EventDispatch, at)
				begun = append(begun, t)
				dispatched = append(dispatched, *t)
			}
		}
		for part := range chunks(again, inLimit) {
			rows, err := s.readTasks(tx, part, fullColumns, "")
			if err != nil {
				return err
			}
			dispatched = append(dispatched, rows...)
		}
		if err := s.writeDispatches(tx, at, begun); err != nil {
			return err
		}
		return s.settle(tx, b)
	})
	return dispatched, refused, err
}

// processes reads the nodes that items name. Their rows are locked against changes: who
// ends the attempts of a process that has gone, once its row says so, then finds all
// there are, and none comes after.
func (s *Store) processes(tx *gorm.DB, items []Dispatch) (map[string]models.Node, error) {
	ids := make([]string, len(items))
	for i := range items {
		ids[i] = items[i].NodeID
	}
	slices.Sort(ids)
	nodes := map[string]models.Node{}
	for chunk := range chunks(slices.Compact(ids), inLimit) {
		rows, err := query(tx, "SELECT id, incarnation, state FROM nodes"+s.dialect.byKey()+" WHERE id IN ("+marks(len(chunk))+") ORDER BY id"+s.dialect.lockShared(), anys(chunk)...)
		if err == nil {
			err = scan(rows, func() error {
				var n models.Node
				err := rows.Scan(&n.ID, &n.Incarnation, &n.State)
				nodes[n.ID] = n
				return err
			})
		}
		if err != nil {
			return nil, fmt.Errorf("looking at nodes: %w", err)
		}
	}
	return nodes, nil
}

// gone says whether the process that is to get the attempt has left, was lost or was
// replaced by another. One without a row is the rescue's business.
func (d *Dispatch) gone(nodes map[string]models.Node) bool {
	n, known := nodes[d.NodeID]
	return known && (n.State == models.NodeOffline || n.Incarnation != d.Incarnation)
}

func idsOfDispatches(items []Dispatch) []string {
	ids := make([]string, len(items))
	for i := range items {
		ids[i] = items[i].TaskID
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// runs says whether the attempt has begun already, just as d says.
func (d *Dispatch) runs(t *models.Task) bool {
	return t.State == models.TaskRunning && t.Attempt == d.Attempt+1 &&
		t.NodeID != nil && *t.NodeID == d.NodeID && t.Incarnation == d.Incarnation
}

// putOff says whether the task was given a later instant since it was read.
func (d *Dispatch) putOff(t *models.Task) bool {
	return !d.AvailableAt.IsZero() && t.AvailableAt.After(d.AvailableAt)
}

// begin changes t as writeDispatches changes its row.
func (d *Dispatch) begin(t *models.Task, at time.Time) {
	t.State = models.TaskRunning
	t.Attempt++
	t.NodeID, t.NodeName, t.Incarnation = &d.NodeID, d.NodeName, d.Incarnation
	t.TimeoutMS = d.TimeoutMS
	t.DispatchedAt, t.DeadlineAt = &at, nil
	if d.TimeoutMS > 0 {
		deadline := at.Add(time.Duration(d.TimeoutMS) * time.Millisecond)
		t.DeadlineAt = &deadline
	}
	t.StartedAt, t.FinishedAt, t.Outcome, t.Error, t.Result = nil, nil, models.OutcomeNone, "", nil
	t.Reason, t.Progress, t.ProgressMessage = "", nil, ""
}

// writeDispatches writes begun attempts; the tasks are locked and were queued.
func (s *Store) writeDispatches(tx *gorm.DB, at time.Time, tasks []*models.Task) error {
	sortTasks(tasks)
	rows := make([][]any, len(tasks))
	for i, t := range tasks {
		rows[i] = []any{t.ID, *t.NodeID, t.NodeName, t.Incarnation, at, t.DeadlineAt, t.TimeoutMS}
	}
	err := s.updateLocked(tx, update{
		table: "tasks", key: "id",
		set: []string{"node_id", "node_name", "incarnation", "dispatched_at", "deadline_at", "timeout_ms"},
		fixed: setState(models.TaskRunning) + `, attempt = attempt + 1, started_at = NULL, finished_at = NULL, outcome = 0,
			error = '', result = NULL, reason = '', progress = NULL, progress_message = '', ` + s.dialect.keepRoom(roomAfterDispatch),
		guard: stateIn(models.From(models.EventDispatch)...),
	}, rows)
	if err != nil {
		return fmt.Errorf("beginning %d attempts: %w", len(rows), err)
	}
	return nil
}

// setState is an assignment; the number is one of ours, not an input.
func setState(state models.TaskState) string { return fmt.Sprintf("state = %d", state) }

// stateIn is a guard.
func stateIn(states ...models.TaskState) string {
	numbers := make([]string, len(states))
	for i, state := range states {
		numbers[i] = fmt.Sprint(uint8(state))
	}
	return "state IN (" + strings.Join(numbers, ", ") + ")"
}

// room is how many more tasks of limited jobs may run.
type room map[string]int

// take uses up room of a job and says whether there was some.
func (r room) take(job string) bool {
	left, limited := r[job]
	if !limited {
		return true
	}
	if left <= 0 {
		return false
	}
	r[job] = left - 1
	return true
}

// room counts what runs of limited jobs. Their rows are locked first, so that two
// transactions cannot both see the last place free.
func (s *Store) room(tx *gorm.DB, limits []JobLimit) (room, error) {
	left := room{}
	if len(limits) == 0 {
		return left, nil
	}
	jobs := make([]string, 0, len(limits))
	for _, l := range limits {
		left[l.JobID] = l.Max
		jobs = append(jobs, l.JobID)
	}
	slices.Sort(jobs)
	for chunk := range chunks(jobs, inLimit) {
		rows, err := query(tx, "SELECT id FROM jobs"+s.dialect.byKey()+" WHERE id IN ("+marks(len(chunk))+") ORDER BY id"+s.dialect.lockRows(), anys(chunk)...)
		if err != nil {
			return nil, fmt.Errorf("locking limited jobs: %w", err)
		}
		if err := scan(rows, func() error { return nil }); err != nil {
			return nil, fmt.Errorf("locking limited jobs: %w", err)
		}
	}
	live, err := s.running(tx, jobs, slices.ContainsFunc(limits, func(l JobLimit) bool { return l.Spread }))
	if err != nil {
		return nil, err
	}
	for job, l := range live {
		left[job] -= l.Running
	}
	return left, nil
}

// SkipTasks ends WAITING tasks that will not run, with a reason code, and answers
// the rows that changed, without parameters, checkpoint and result; tasks in other
// states, or put off beyond at, are left alone. Errors: DeposedError.
func (s *Store) SkipTasks(ctx context.Context, fence Fence, at time.Time, reason string, ids []string) (skipped []models.Task, err error) {
	return s.takeOut(ctx, fence, at, models.EventSkip, reason, ids)
}

// ParkTasks puts queued tasks that cannot run into the failed queue, with a reason
// code; otherwise it is as SkipTasks. A parent that ended with the last of its children
// is answered after them.
func (s *Store) ParkTasks(ctx context.Context, fence Fence, at time.Time, reason string, ids []string) (parked []models.Task, err error) {
	return s.takeOut(ctx, fence, at, models.EventPark, reason, ids)
}

// takeOut ends the waiting of tasks without an attempt.
func (s *Store) takeOut(ctx context.Context, fence Fence, at time.Time, event models.Event, reason string, ids []string) (out []models.Task, err error) {
	at = clock.Cut(at)
	err = s.write(ctx, fmt.Sprintf("taking %d tasks out of the queue", len(ids)), func(tx *gorm.DB) error {
		out = nil
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		ids := slices.Compact(slices.Sorted(slices.Values(ids)))
		present, err := s.lockTasks(tx, ids, lightColumns)
		if err != nil {
			return err
		}
		b := newBooks(byDispatch)
		var rows [][]any
		for _, id := range ids {
			t := present[id]
			if t == nil || t.AvailableAt.After(at) { // put off meanwhile
				continue
			}
			from := t.State
			to, legal := models.Next(from, event)
			if !legal {
				continue
			}
			t.State, t.Reason, t.FinishedAt = to, reason, &at
			b.moved(t, from, event, at)
			rows = append(rows, []any{t.ID, reason, at})
			out = append(out, *t)
		}
		err = s.updateLocked(tx, update{
			table: "tasks", key: "id", set: []string{"reason", "finished_at"},
			fixed: setState(stateAfter(event)) + ", " + s.dialect.keepRoom(0), guard: stateIn(models.From(event)...),
		}, rows)
		if err != nil {
			return fmt.Errorf("writing %d tasks: %w", len(rows), err)
		}
		if err := s.settle(tx, b); err != nil {
			return err
		}
		out = append(out, b.parents...)
		return nil
	})
	return out, err
}

// stateAfter is where an event leads that leads to one state only.
func stateAfter(e models.Event) models.TaskState {
	to, _ := models.Next(models.From(e)[0], e)
	return to
}
