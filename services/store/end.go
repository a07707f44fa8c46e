package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// AttemptEnd says how an attempt ended.
type AttemptEnd struct {
	TaskID      string
	Attempt     int
	NodeID      string // with Incarnation, the process that says so; both empty: not checked (ends by a server)
	Incarnation string
	Outcome     models.Outcome
	StartedAt   *time.Time // nil: as recorded before
	FinishedAt  time.Time
	Error       string // cut at 16 KiB
	Result      json.RawMessage
	NoRetry     bool
	After       *time.Duration
	Reason      string
}

// Decision says what an attempt's end means for its task.
type Decision struct {
	Event       models.Event // SUCCEED, RETRY, FAIL or CANCEL
	Reason      string       // code
	AvailableAt time.Time    // RETRY: when the next attempt may begin
	Uncounted   bool         // the attempt used up no try
	HandedBack  bool         // it was refused or released
	Poisoned    bool         // the attempt's process died under it
}

// EndStatus says what became of an AttemptEnd.
type EndStatus uint8

// End statuses.
const (
	Ended   EndStatus = iota + 1 // accepted, now or at an earlier call with the same end
	Stale                        // the attempt is over, another's or another end was accepted
	Missing                      // there is no such task
)

// EndResult answers one AttemptEnd. Task is the row after the change, or as it was
// found, without parameters and checkpoint; its result is there when this call
// ended the attempt.
type EndResult struct {
	Status EndStatus
	Task   models.Task
	Parent *models.Task // that ended with this task, the last of its children
}

// EndAttempts ends attempts in one transaction and answers one result an end, in
// order. The tasks are locked; decide, which must be pure, is asked about each
// RUNNING task whose attempt ends. An attempt that goes on with a retry is copied
// to the history; its number stays the task's until the next dispatch. It may be
// repeated: the end that was accepted is Ended again and changes nothing. Errors:
// DeposedError.
func (s *Store) EndAttempts(ctx context.Context, fence Fence, ends []AttemptEnd, decide func(t *models.Task, e *AttemptEnd) Decision) ([]EndResult, error) {
	var results []EndResult
	err := s.write(ctx, fmt.Sprintf("ending %d attempts", len(ends)), func(tx *gorm.DB) error {
		results = make([]EndResult, len(ends))
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		present, err := s.lockTasks(tx, idsOfEnds(ends), lightColumns)
		if err != nil {
			return err
		}
		g := ending{books: newBooks(byEnd)}
		var late []int // to be looked for in the history
		for i := range ends {
			t := present[ends[i].TaskID]
			switch {
			case t == nil:
				results[i].Status = Missing
			case ends[i].concerns(t):
				if err := g.end(t, &ends[i], decide(t, &ends[i])); err != nil {
					return err
				}
				results[i].Status = Ended
			case t.State != models.TaskRunning && ends[i].same(t.Attempt, t.Incarnation, t.Outcome):
				results[i].Status = Ended
			default:
				results[i].Status = Stale
				late = append(late, i)
			}
		}
		if err := s.lookInHistory(tx, ends, results, late); err != nil {
			return err
		}
		for i := range ends {
			if t := present[ends[i].TaskID]; t != nil {
				results[i].Task = *t
			}
		}
		if err := s.writeEnds(tx, &g); err != nil {
			return err
		}
		for i := range g.books.parents {
			p := &g.books.parents[i]
			last := slices.IndexFunc(results, func(r EndResult) bool { return r.Task.ParentID != nil && *r.Task.ParentID == p.ID })
			results[last].Parent = p // its end is in the books because of one
		}
		return nil
	})
	return results, err
}

func idsOfEnds(ends []AttemptEnd) []string {
	ids := make([]string, len(ends))
	for i := range ends {
		ids[i] = ends[i].TaskID
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// concerns says whether t runs the very attempt that e ends.
func (e *AttemptEnd) concerns(t *models.Task) bool {
	if t.State != models.TaskRunning || t.Attempt != e.Attempt || t.Spread() { // a parent is on no node
		return false
	}
	if e.NodeID != "" && (t.NodeID == nil || *t.NodeID != e.NodeID) {
		return false
	}
	return e.Incarnation == "" || e.Incarnation == t.Incarnation
}

// same says whether e is the end that an ended attempt had.
func (e *AttemptEnd) same(attempt int, incarnation string, outcome models.Outcome) bool {
	return e.Attempt == attempt && e.Outcome == outcome && (e.Incarnation == "" || e.Incarnation == incarnation)
}

// lookInHistory finds ends that were accepted before their task went on.
func (s *Store) lookInHistory(tx *gorm.DB, ends []AttemptEnd, results []EndResult, late []int) error {
	const one = "(task_id = ? AND number = ?)"
	for chunk := range chunks(late, 100) {
		args := make([]any, 0, 2*len(chunk))
		for _, i := range chunk {
			args = append(args, ends[i].TaskID, ends[i].Attempt)
		}
		rows, err := query(tx, "SELECT task_id, number, incarnation, outcome FROM attempts WHERE "+
			one+strings.Repeat(" OR "+one, len(chunk)-1), args...)
		if err != nil {
			return fmt.Errorf("reading ended attempts: %w", err)
		}
		err = scan(rows, func() error {
			var a models.Attempt
			if err := rows.Scan(&a.TaskID, &a.Number, &a.Incarnation, &a.Outcome); err != nil {
				return err
			}
			for _, i := range chunk {
				if ends[i].TaskID == a.TaskID && ends[i].same(a.Number, a.Incarnation, a.Outcome) {
					results[i].Status = Ended
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("reading ended attempts: %w", err)
		}
	}
	return nil
}

// ending is one run of EndAttempts.
type ending struct {
	books   *books
	plain   []*models.Task // succeeded
	other   []*models.Task // retried, failed or cancelled
	history [][]any        // rows of attempts
}

// end changes t as its row will be changed.
func (g *ending) end(t *models.Task, e *AttemptEnd, d Decision) error {
	from := t.State
	to, legal := models.Next(from, d.Event)
	if !legal {
		return fmt.Errorf("task %s: %s cannot follow from the end of an attempt", t.ID, d.Event)
	}
	finished := clock.Cut(e.FinishedAt)
	t.State, t.Reason, t.Outcome, t.FinishedAt = to, d.Reason, e.Outcome, &finished
	t.Error, t.Result = cutError(e.Error), compact(e.Result)
	if e.StartedAt != nil {
		t.StartedAt = cutTime(e.StartedAt)
	}
	if d.Uncounted {
		t.Uncounted++
	}
	if d.Poisoned {
		t.LostCount++
	}
	if t.HandedBack++; !d.HandedBack {
		t.HandedBack = 0
	}
	if !t.Child() {
		g.books.rolls.begun(t, finished)
	}
	if d.Event == models.EventRetry {
		g.history = append(g.history, attemptRow(t)) // with the instant it was available at
		t.AvailableAt = clock.Cut(d.AvailableAt)
	}
	if d.Event == models.EventSucceed && !d.Uncounted && !d.HandedBack && !d.Poisoned {
		g.plain = append(g.plain, t)
	} else {
		g.other = append(g.other, t)
	}
	g.books.moved(t, from, d.Event, finished)
	return nil
}

// attemptColumns are the columns of attempts, in the order of attemptRow.
var attemptColumns = []string{
	"task_id", "number", "node_id", "node_name", "incarnation", "outcome", "reason",
	"available_at", "dispatched_at", "started_at", "finished_at", "error", "result",
}

// attemptRow is the history's copy of a task's ended attempt.
func attemptRow(t *models.Task) []any {
	return []any{
		t.ID, t.Attempt, t.NodeID, t.NodeName, t.Incarnation, t.Outcome, t.Reason,
		clock.Cut(t.AvailableAt), t.DispatchedAt, t.StartedAt, t.FinishedAt, t.Error, document(t.Result),
	}
}

// writeEnds writes what was decided. Successes, which are most, get their own
// statement: it sends only what differs from row to row.
func (s *Store) writeEnds(tx *gorm.DB, g *ending) error {
	if err := s.writeSuccesses(tx, g.plain); err != nil {
		return err
	}
	sortTasks(g.other)
	rows := make([][]any, len(g.other))
	for i, t := range g.other {
		rows[i] = []any{
			t.ID, t.State, t.Reason, t.Outcome, t.StartedAt, t.FinishedAt, t.Error, document(t.Result),
			t.Uncounted, t.LostCount, t.HandedBack, t.AvailableAt,
		}
	}
	err := s.updateLocked(tx, update{
		table: "tasks", key: "id",
		set:   []string{"state", "reason", "outcome", "started_at", "finished_at", "error", "result", "uncounted", "lost_count", "handed_back", "available_at"},
		fixed: s.dialect.keepRoom(0),
		guard: stateIn(models.TaskRunning),
	}, rows)
	if err != nil {
		return fmt.Errorf("ending %d attempts: %w", len(rows), err)
	}
	if err := s.insertRows(tx, "attempts", attemptColumns, g.history, ""); err != nil {
		return fmt.Errorf("copying %d attempts to the history: %w", len(g.history), err)
	}
	return s.settle(tx, g.books)
}

func (s *Store) writeSuccesses(tx *gorm.DB, tasks []*models.Task) error {
	sortTasks(tasks)
	u := update{
		table: "tasks", key: "id", set: []string{"started_at", "finished_at"},
		fixed: setState(models.TaskSucceeded) + fmt.Sprintf(", outcome = %d, ", models.OutcomeSucceeded) + s.dialect.keepRoom(0),
		guard: stateIn(models.TaskRunning),
	}
	plain := !slices.ContainsFunc(tasks, func(t *models.Task) bool {
		return t.Result != nil || t.Error != "" || t.Reason != "" || t.Outcome != models.OutcomeSucceeded
	})
	if !plain {
		u.fixed = setState(models.TaskSucceeded) + ", " + s.dialect.keepRoom(0)
		u.set = append(u.set, "outcome", "reason", "error", "result")
	}
	rows := make([][]any, len(tasks))
	for i, t := range tasks {
		rows[i] = []any{t.ID, t.StartedAt, t.FinishedAt}
		if !plain {
			rows[i] = append(rows[i], t.Outcome, t.Reason, t.Error, document(t.Result))
		}
	}
	if err := s.updateLocked(tx, u, rows); err != nil {
		return fmt.Errorf("ending %d successful attempts: %w", len(rows), err)
	}
	return nil
}

// updateLocked updates rows that are locked and known to pass the guard.
func (s *Store) updateLocked(tx *gorm.DB, u update, rows [][]any) error {
	n, err := s.updateRows(tx, u, rows)
	if err == nil && int(n) != len(rows) {
		err = fmt.Errorf("%d of %d locked rows changed", n, len(rows))
	}
	return err
}

func sortTasks(tasks []*models.Task) {
	slices.SortFunc(tasks, func(a, b *models.Task) int { return strings.Compare(a.ID, b.ID) })
}
