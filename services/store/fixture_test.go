package store

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// t0 is the instant that tests begin at.
var t0 = time.Date(2026, 3, 8, 7, 30, 0, 0, time.UTC)

// world is an app with a group and jobs, for tests of the hot path.
type world struct {
	app   models.App
	group models.NodeGroup
	jobs  []models.Job
	next  int // number of the next task
}

// newWorld writes an app, a group and n jobs that only people and programs run.
func newWorld(t testing.TB, s *Store, n int) *world {
	t.Helper()
	w := &world{app: models.App{ID: models.NewID(t0), Name: "shop-" + models.NewID(t0), CreatedAt: t0, UpdatedAt: t0}}
	w.group = models.NodeGroup{
		ID: models.NewID(t0), AppID: w.app.ID, Name: "default", Routing: models.RouteLeastLoaded,
		HeartbeatMS: 5000, HeartbeatMisses: 3, CreatedAt: t0, UpdatedAt: t0,
	}
	w.group.Partition = models.PartitionOf(w.group.ID)
	for i := range n {
		w.jobs = append(w.jobs, w.job(fmt.Sprintf("job-%d", i)))
	}
	for _, row := range []any{&w.app, &w.group, &w.jobs} {
		if err := s.writer.WithContext(t.Context()).Create(row).Error; err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// job is a job of the world that is not written yet.
func (w *world) job(name string) models.Job {
	return models.Job{
		ID: models.NewID(t0), AppID: w.app.ID, GroupID: w.group.ID, Partition: w.group.Partition,
		Name: name, LiveName: &name, Handler: "Work", TriggerKind: models.TriggerManual, Enabled: true,
		Priority: models.PriorityNormal, Concurrency: models.ConcurrencyAllow, Delivery: models.AtLeastOnce,
		MaxAttempts: 3, Backoff: models.BackoffExponential, RetryDelayMS: 1000, RetryMaxDelayMS: 60_000,
		MisfirePolicy: models.MisfireFireOnce, MisfireGraceMS: 60_000, MisfireLimit: 10,
		Version: 1, CreatedAt: t0, UpdatedAt: t0,
	}
}

// task is a new task that is not written yet; its ids grow.
func (w *world) task(job int) models.Task {
	at := t0.Add(time.Duration(w.next) * time.Millisecond)
	w.next++
	j := &w.jobs[job]
	return models.Task{
		ID: models.NewID(at), JobID: j.ID, AppID: w.app.ID, GroupID: w.group.ID,
		State: models.TaskWaiting, Trigger: models.TriggerAPI, Priority: j.Priority,
		ScheduledAt: at, AvailableAt: at, CreatedAt: at, MaxAttempts: j.MaxAttempts, TimeoutMS: 60_000,
		Parameters: json.RawMessage(`{"order":12345,"customer":"an average one"}`),
	}
}

// tasks answers n new tasks, spread over the jobs.
func (w *world) tasks(n int) []models.Task {
	list := make([]models.Task, n)
	for i := range list {
		list[i] = w.task(i % len(w.jobs))
	}
	return list
}

// create writes tasks.
func create(t testing.TB, s *Store, tasks ...models.Task) {
	t.Helper()
	if _, err := s.CreateTasks(t.Context(), tasks); err != nil {
		t.Fatal(err)
	}
}

// dispatchOf gives a task's next attempt to node n.
func dispatchOf(task *models.Task, n int) Dispatch {
	return Dispatch{
		TaskID: task.ID, Attempt: task.Attempt, NodeID: fmt.Sprintf("01NODENODENODENODENODENO%02d", n),
		NodeName: fmt.Sprintf("worker-%d", n), Incarnation: fmt.Sprintf("inc-%d", n), TimeoutMS: task.TimeoutMS,
	}
}

// dispatch begins the next attempt of tasks on node 1 and answers the rows.
func dispatch(t testing.TB, s *Store, at time.Time, tasks ...models.Task) []models.Task {
	t.Helper()
	items := make([]Dispatch, len(tasks))
	for i := range tasks {
		items[i] = dispatchOf(&tasks[i], 1)
	}
	rows, refused, err := s.DispatchTasks(t.Context(), nil, at, items, nil)
	if err != nil || len(refused) > 0 {
		t.Fatalf("dispatch: refused %v, %v", refused, err)
	}
	return rows
}

// endOf ends a running attempt.
func endOf(task *models.Task, outcome models.Outcome, at time.Time) AttemptEnd {
	started := at.Add(-time.Second)
	return AttemptEnd{
		TaskID: task.ID, Attempt: task.Attempt, NodeID: *task.NodeID, Incarnation: task.Incarnation,
		Outcome: outcome, StartedAt: &started, FinishedAt: at,
	}
}

// decideBy answers the usual decision for an outcome.
func decideBy(t *models.Task, e *AttemptEnd) Decision {
	switch {
	case e.Outcome == models.OutcomeSucceeded:
		return Decision{Event: models.EventSucceed}
	case e.Outcome == models.OutcomeCancelled:
		return Decision{Event: models.EventCancel, Reason: models.ReasonRequested}
	case e.Outcome == models.OutcomeReleased:
		return Decision{Event: models.EventRetry, Reason: models.ReasonReleased, AvailableAt: e.FinishedAt, Uncounted: true, HandedBack: e.Reason != models.ReasonSnoozed}
	case t.Tries() >= t.MaxAttempts || e.NoRetry:
		return Decision{Event: models.EventFail, Reason: models.ReasonRetriesExhausted}
	}
	return Decision{Event: models.EventRetry, AvailableAt: e.FinishedAt.Add(time.Second), Poisoned: e.Outcome == models.OutcomeLost}
}

// end ends a running attempt and answers the task.
func end(t testing.TB, s *Store, e AttemptEnd) EndResult {
	t.Helper()
	results, err := s.EndAttempts(t.Context(), nil, []AttemptEnd{e}, decideBy)
	if err != nil {
		t.Fatal(err)
	}
	return results[0]
}

// load reads a task as it stands.
func load(t testing.TB, s *Store, id string) models.Task {
	t.Helper()
	rows, err := s.AssignmentRows(t.Context(), []string{id})
	if err != nil || len(rows) != 1 {
		t.Fatalf("reading task %s: %d rows, %v", id, len(rows), err)
	}
	return rows[0]
}
