package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// spreadOf spreads a task over n nodes.
func spreadOf(t *models.Task, n int) Spread {
	s := Spread{TaskID: t.ID, Attempt: t.Attempt}
	for i := range n {
		s.Nodes = append(s.Nodes, SpreadNode{ID: fmt.Sprintf("01NODENODENODENODENODENO%02d", i), Name: fmt.Sprintf("worker-%d", i)})
	}
	return s
}

// spread makes a new task the parent of n children, and answers it and them.
func spread(t testing.TB, s *Store, task models.Task, n int) (models.Task, []models.Task) {
	t.Helper()
	done, err := s.SpreadTasks(t.Context(), nil, t0, []Spread{spreadOf(&task, n)}, nil)
	if err != nil || len(done.Parents) != 1 || len(done.Children) != n {
		t.Fatalf("%d parents, %d children, refused %v, %v", len(done.Parents), len(done.Children), done.Refused, err)
	}
	return done.Parents[0], childrenOf(t, s, task.ID)
}

func childrenOf(t testing.TB, s *Store, parent string) []models.Task {
	t.Helper()
	children, _, err := s.TaskPage(t.Context(), TaskFilter{ParentID: parent}, Page{First: 100})
	if err != nil {
		t.Fatal(err)
	}
	return children
}

// run has a child run to an end.
func run(t testing.TB, s *Store, child models.Task, outcome models.Outcome) EndResult {
	t.Helper()
	e := endOf(&dispatch(t, s, t0, load(t, s, child.ID))[0], outcome, t0.Add(time.Minute))
	e.NoRetry = true
	return end(t, s, e)
}

func TestSpreadMakesChildrenOnce(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		task := w.task(0)
		create(t, s, task)
		parent, children := spread(t, s, task, 3)
		if parent.State != models.TaskRunning || parent.Attempt != 1 || *parent.Shards != 3 || parent.NodeID != nil || !parent.Spread() {
			t.Errorf("parent: %+v", parent)
		}
		if diff := cmp.Diff(parent, load(t, s, task.ID)); diff != "" {
			t.Errorf("the parent's row (-said +got):\n%s", diff)
		}
		for i, c := range children {
			want := models.Task{
				ID: models.ChildID(task.ID, i), JobID: task.JobID, AppID: task.AppID, GroupID: task.GroupID, State: models.TaskWaiting,
				Trigger: task.Trigger, Priority: task.Priority, ScheduledAt: task.ScheduledAt, AvailableAt: t0, CreatedAt: t0,
				MaxAttempts: task.MaxAttempts, TimeoutMS: task.TimeoutMS, Parameters: task.Parameters,
				ParentID: &task.ID, Shard: &i, Shards: new(3), PinnedTo: new(fmt.Sprint("worker-", i)),
				NodeID: new(fmt.Sprintf("01NODENODENODENODENODENO%02d", i)), NodeName: fmt.Sprint("worker-", i),
			}
			if diff := cmp.Diff(want, c); diff != "" {
				t.Errorf("child %d (-want +got):\n%s", i, diff)
			}
		}
		again, err := s.SpreadTasks(t.Context(), nil, t0, []Spread{spreadOf(&task, 5)}, nil)
		if err != nil || len(again.Parents) != 1 || len(again.Children) != 0 || len(childrenOf(t, s, task.ID)) != 3 {
			t.Errorf("a repeat: %d parents, %d children, %v", len(again.Parents), len(again.Children), err)
		}
		old, child := spreadOf(&task, 1), spreadOf(&children[0], 1)
		old.Attempt = 7
		refused, err := s.SpreadTasks(t.Context(), nil, t0, []Spread{old, child, {TaskID: models.NewID(t0)}}, nil)
		if err != nil || len(refused.Refused) != 3 {
			t.Errorf("another attempt, a child, nothing: refused %v, %v", refused.Refused, err)
		}
		_, gone, err := s.DispatchTasks(t.Context(), nil, t0, []Dispatch{dispatchOf(&parent, 1)}, nil)
		if err != nil || len(gone) != 1 {
			t.Errorf("a parent was given to a node: %v, %v", gone, err)
		}
		wantCounters(t, s)
	})
}

// Lists, counts and limits see the parent as the one run of its job, whatever its
// children do, and it ends with the last of them.
func TestAFamilyIsOneRun(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		job := w.jobs[0].ID
		task := w.task(0)
		task.UniqueKey = new("daily")
		create(t, s, task)
		_, children := spread(t, s, task, 3)
		running := dispatch(t, s, t0, children...)
		listed, _, err := s.TaskPage(t.Context(), TaskFilter{JobID: job}, Page{First: 10})
		if err != nil || len(listed) != 1 || listed[0].ID != task.ID {
			t.Errorf("the job's list has %d tasks, %v", len(listed), err)
		}
		for name, f := range map[string]TaskFilter{
			"all": {}, "running": {States: []models.TaskState{models.TaskRunning}}, "app": {AppID: w.app.ID}, "group": {GroupID: w.group.ID},
		} {
			if listed, _, err := s.TaskPage(t.Context(), f, Page{First: 10}); err != nil || len(listed) != 1 {
				t.Errorf("the list of %s has %d tasks, %v", name, len(listed), err)
			}
		}
		for name, f := range map[string]TaskFilter{"node": {NodeID: *running[0].NodeID}, "id": {Search: children[1].ID}} {
			if listed, _, err := s.TaskPage(t.Context(), f, Page{First: 10}); err != nil || len(listed) == 0 || !listed[0].Child() {
				t.Errorf("by %s there are %d tasks, %v", name, len(listed), err)
			}
		}
		live, err := s.JobLive(t.Context(), []string{job})
		if diff := cmp.Diff(map[string]JobLive{job: {Running: 1, OldestRunning: task.ID}}, live); err != nil || diff != "" {
			t.Errorf("%v; live (-want +got):\n%s", err, diff)
		}
		other := w.task(0)
		create(t, s, other)
		limit := []JobLimit{{JobID: job, Max: 2, Spread: true}}
		if rows, refused, err := s.DispatchTasks(t.Context(), nil, t0, []Dispatch{dispatchOf(&other, 1)}, limit); err != nil || len(rows) != 1 {
			t.Errorf("a second run of two: refused %v, %v", refused, err)
		}
		third := w.task(0)
		create(t, s, third)
		if done, err := s.SpreadTasks(t.Context(), nil, t0, []Spread{spreadOf(&third, 2)}, limit); err != nil || len(done.Refused) != 1 {
			t.Errorf("a third run of two: %+v, %v", done, err)
		}
		for i := range running {
			e := endOf(&running[i], models.OutcomeSucceeded, t0.Add(time.Minute))
			r := end(t, s, e)
			if last := i == len(running)-1; (r.Parent != nil) != last || last && r.Parent.State != models.TaskSucceeded {
				t.Errorf("after child %d the parent is %+v", i, r.Parent)
			}
			if r := end(t, s, e); r.Status != Ended || r.Parent != nil {
				t.Errorf("a repeat of its end: %+v", r)
			}
		}
		got := load(t, s, task.ID)
		if got.State != models.TaskSucceeded || got.Outcome != models.OutcomeSucceeded || !got.FinishedAt.Equal(t0.Add(time.Minute)) || got.Error != "" {
			t.Errorf("parent: %+v", got)
		}
		hours, err := s.JobHours(t.Context(), []string{job}, t0.Add(-time.Hour))
		if err != nil || len(hours) != 1 || hours[0].Succeeded != 1 {
			t.Errorf("hours: %+v, %v", hours, err)
		}
		if _, err := s.TaskByKey(t.Context(), job, "daily"); !fault.Is(err, fault.NotFound) {
			t.Errorf("its unique key is held still: %v", err)
		}
		wantCounters(t, s)
	})
}

// A parent of which some children failed is in the failed queue alone; tried again, only
// they run again, with the parameters that it has by then.
func TestOnlyFailedChildrenRunAgain(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		task := w.task(0)
		create(t, s, task)
		_, children := spread(t, s, task, 3)
		for i, outcome := range []models.Outcome{models.OutcomeFailed, models.OutcomeSucceeded, models.OutcomeFailed} {
			run(t, s, children[i], outcome)
		}
		parent := load(t, s, task.ID)
		if parent.State != models.TaskFailed || parent.Reason != models.ReasonChildrenFailed || parent.Error != "2 of 3 nodes failed: worker-0, worker-2" {
			t.Fatalf("parent: %s %s %q", parent.State, parent.Reason, parent.Error)
		}
		failed, _, err := s.TaskPage(t.Context(), TaskFilter{States: []models.TaskState{models.TaskFailed}}, Page{First: 10})
		if err != nil || len(failed) != 1 || failed[0].ID != task.ID {
			t.Errorf("the failed queue has %d tasks, %v", len(failed), err)
		}
		for what, err := range map[string]error{
			"retry":   second(s.RequeueTask(t.Context(), children[0].ID, nil, t0, nil)),
			"discard": second(s.DiscardTask(t.Context(), children[0].ID, "", "ada", t0, nil)),
		} {
			if !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), task.ID) {
				t.Errorf("%s of a child alone: %v", what, err)
			}
		}
		wantCounters(t, s)
		edited := json.RawMessage(`{"edited":true}`)
		if _, err := s.RequeueTask(t.Context(), task.ID, edited, t0, nil); err != nil {
			t.Fatal(err)
		}
		queue, err := s.QueuedTasks(t.Context(), w.group.ID, t0, 10, nil)
		if err != nil || len(queue) != 1 || !queue[0].Spread || queue[0].Child {
			t.Fatalf("queue: %+v, %v", queue, err)
		}
		again := load(t, s, task.ID)
		done, err := s.SpreadTasks(t.Context(), nil, t0, []Spread{spreadOf(&again, 7)}, nil)
		if err != nil || len(done.Children) != 2 || *done.Parents[0].Shards != 3 {
			t.Fatalf("again: %+v, %v", done, err)
		}
		queue, err = s.QueuedTasks(t.Context(), w.group.ID, t0, 10, nil)
		if err != nil || len(queue) != 2 || !queue[0].Child || *queue[0].PinnedTo == *queue[1].PinnedTo {
			t.Fatalf("queue: %+v, %v", queue, err)
		}
		for i, want := range []models.TaskState{models.TaskRetrying, models.TaskSucceeded, models.TaskRetrying} {
			c := load(t, s, children[i].ID)
			if c.State != want || (want == models.TaskRetrying) != (string(c.Parameters) == string(edited)) {
				t.Errorf("child %d is %s with %s", i, c.State, c.Parameters)
			}
		}
		run(t, s, children[0], models.OutcomeSucceeded)
		if r := run(t, s, children[2], models.OutcomeSucceeded); r.Parent == nil || r.Parent.State != models.TaskSucceeded || r.Parent.Attempt != 2 {
			t.Errorf("parent: %+v", r.Parent)
		}
		if got := attemptsOf(t, s, task.ID); len(got) != 1 || got[0].Error != parent.Error {
			t.Errorf("the parent's history: %+v", got)
		}
		wantCounters(t, s)
	})
}

func second[A any](_ A, err error) error { return err }

// A parent's children are cancelled with it; it ends with the last of them that ran.
func TestAFamilyIsCancelled(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		cancel := func(id string) CancelResult {
			t.Helper()
			r, err := s.CancelTask(t.Context(), id, "enough", "ada", models.ReasonRequested, t0, nil)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		waiting := w.task(0)
		create(t, s, waiting)
		spread(t, s, waiting, 2)
		if r := cancel(waiting.ID); !r.Done || r.Requested || len(r.Others) != 2 || r.Task.State != models.TaskCancelled || r.Task.Reason != models.ReasonRequested {
			t.Errorf("none ran: %+v", r)
		}
		task := w.task(0)
		create(t, s, task)
		_, children := spread(t, s, task, 3)
		running := dispatch(t, s, t0, children[0])
		run(t, s, children[1], models.OutcomeSucceeded)
		r := cancel(task.ID)
		if r.Done || !r.Requested || len(r.Others) != 2 {
			t.Errorf("one ran: %+v", r)
		}
		for i, want := range []models.TaskState{models.TaskRunning, models.TaskSucceeded, models.TaskCancelled} {
			if c := load(t, s, children[i].ID); c.State != want || (want == models.TaskRunning) != (c.State.Live() && c.CancelRequestedAt != nil) {
				t.Errorf("child %d is %s, cancellation asked for at %v", i, c.State, c.CancelRequestedAt)
			}
		}
		if again := cancel(task.ID); !again.Requested || len(again.Others) != 0 {
			t.Errorf("a repeat: %+v", again)
		}
		if e := end(t, s, endOf(&running[0], models.OutcomeCancelled, t0)); e.Parent == nil || e.Parent.State != models.TaskCancelled || e.Parent.CancelActor != "ada" {
			t.Errorf("the last: %+v", e.Parent)
		}
		single := w.task(0)
		create(t, s, single)
		_, children = spread(t, s, single, 2)
		cancel(children[0].ID)
		run(t, s, children[1], models.OutcomeSucceeded)
		if got := load(t, s, single.ID); got.State != models.TaskCancelled || got.Error != "1 of 2 nodes were cancelled: worker-0" {
			t.Errorf("with one child cancelled: %s %q", got.State, got.Error)
		}
		wantCounters(t, s)
	})
}

// A bulk cancellation of a parent stops its children too.
func TestAFamilyIsCancelledInBulk(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		one, two := w.task(0), w.task(0)
		create(t, s, one, two)
		_, children := spread(t, s, one, 2)
		spread(t, s, two, 2)
		dispatch(t, s, t0, children[0])
		b := models.BulkOperation{ID: models.NewID(t0), Kind: models.BulkCancel, State: models.BulkRunning, Total: 2, CreatedAt: t0}
		result := BulkResult{}
		err := s.write(t.Context(), "a step", func(tx *gorm.DB) error {
			step := BulkStep{ID: b.ID, TaskIDs: []string{one.ID, two.ID}, At: t0, Audit: func(id string) models.Audit {
				return models.Audit{ID: models.NewID(t0), At: t0, Action: "task.cancel", Kind: "task", Object: id}
			}}
			refused, err := s.bulkTasks(tx, &b, &step, &result)
			if len(refused) > 0 {
				t.Errorf("refused: %+v", refused)
			}
			return err
		})
		if err != nil || len(result.Stopping) != 1 || result.Stopping[0].ID != children[0].ID {
			t.Errorf("to be stopped: %+v, %v", result.Stopping, err)
		}
		states := map[string]models.TaskState{}
		for _, changed := range result.Changed {
			states[changed.ID] = changed.State
		}
		if len(states) != 6 || states[one.ID] != models.TaskRunning || states[two.ID] != models.TaskCancelled {
			t.Errorf("changed: %v", states)
		}
		wantCounters(t, s)
	})
}

// A child whose node stays away is parked, and its parent ends with it.
func TestAParkedChildEndsItsParent(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		task := w.task(0)
		create(t, s, task)
		_, children := spread(t, s, task, 2)
		run(t, s, children[0], models.OutcomeSucceeded)
		out, err := s.ParkTasks(t.Context(), nil, t0, models.ReasonNodeAway, []string{children[1].ID})
		if err != nil || len(out) != 2 || out[1].ID != task.ID || out[1].State != models.TaskFailed || out[1].Error != "1 of 2 nodes failed: worker-1" {
			t.Errorf("parked: %+v, %v", out, err)
		}
		wantCounters(t, s)
	})
}

// What was parked while it waited for its next attempt can be tried again, alone or as a
// part: its last attempt is in the history already.
func TestParkedBetweenAttemptsRunsAgain(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		alone, whole := w.task(0), w.task(0)
		create(t, s, alone, whole)
		_, children := spread(t, s, whole, 1)
		ids := []string{alone.ID, children[0].ID}
		for _, id := range ids {
			end(t, s, AttemptEnd{TaskID: id, Attempt: dispatch(t, s, t0, load(t, s, id))[0].Attempt, Outcome: models.OutcomeLost, FinishedAt: t0})
		}
		if out, err := s.ParkTasks(t.Context(), nil, t0.Add(time.Hour), models.ReasonNodeAway, ids); err != nil || len(out) != 3 {
			t.Fatalf("%d parked, %v", len(out), err)
		}
		for _, id := range []string{alone.ID, whole.ID} {
			if _, err := s.RequeueTask(t.Context(), id, nil, t0, nil); err != nil {
				t.Error(err)
			}
		}
		now := load(t, s, whole.ID)
		if done, err := s.SpreadTasks(t.Context(), nil, t0, []Spread{spreadOf(&now, 1)}, nil); err != nil || len(done.Children) != 1 {
			t.Errorf("%d run again, %v", len(done.Children), err)
		}
		for _, id := range ids {
			if got := attemptsOf(t, s, id); len(got) != 1 || got[0].Outcome != models.OutcomeLost {
				t.Errorf("history: %+v", got)
			}
		}
	})
}

// Whoever ends the last two children at the same time, the parent ends exactly once.
func TestChildrenThatEndTogether(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		for range 10 {
			task := w.task(0)
			create(t, s, task)
			_, children := spread(t, s, task, 6)
			rows := dispatch(t, s, t0, children...)
			var mu sync.Mutex
			ended := 0
			var done sync.WaitGroup
			for i := range rows {
				done.Go(func() {
					results, err := s.EndAttempts(context.WithoutCancel(t.Context()), nil, []AttemptEnd{endOf(&rows[i], models.OutcomeSucceeded, t0)}, decideBy)
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						t.Error(err)
					} else if results[0].Parent != nil {
						ended++
					}
				})
			}
			done.Wait()
			if got := load(t, s, task.ID); ended != 1 || got.State != models.TaskSucceeded {
				t.Fatalf("ended %d times; the parent is %s", ended, got.State)
			}
		}
		wantCounters(t, s)
	})
}

// Children are found by the primary key and never sorted.
func TestFamilyStatementsUseTheirIndexes(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s, 1)
		fill(t, s, w)
		task := w.task(0)
		create(t, s, task)
		_, children := spread(t, s, task, 50)
		r := &recorder{}
		ctx := context.WithValue(t.Context(), recorderKey{}, r)
		if _, _, err := s.TaskPage(ctx, TaskFilter{ParentID: task.ID}, Page{First: 20, After: children[10].ID}); err != nil {
			t.Fatal(err)
		}
		rows := dispatch(t, s, t0, children[0])
		e := endOf(&rows[0], models.OutcomeFailed, t0)
		e.NoRetry = true
		if _, err := s.EndAttempts(ctx, nil, []AttemptEnd{e}, decideBy); err != nil {
			t.Fatal(err)
		}
		if _, err := s.CancelTask(ctx, task.ID, "", "", models.ReasonRequested, t0, nil); err != nil {
			t.Fatal(err)
		}
		other := w.task(0)
		create(t, s, other)
		if _, err := s.SpreadTasks(ctx, nil, t0, []Spread{spreadOf(&other, 3)}, []JobLimit{{JobID: other.JobID, Max: 5, Spread: true}}); err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, q := range r.list {
			if strings.HasPrefix(q.statement, "SELECT") && strings.Contains(q.statement, "FROM tasks") {
				seen++
				wantIndexed(t, q, explain(t, s, q.statement, q.args...))
			}
		}
		if seen < 6 {
			t.Errorf("only %d statements were seen", seen)
		}
	})
}
