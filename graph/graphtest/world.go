package graphtest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/event"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/signal"
	"github.com/belfry-scheduler/belfry/services/store" //nolint:depguard // a bench does what the engine would do: it ends attempts and writes logs
	"github.com/belfry-scheduler/belfry/services/task"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// App makes an app with its group "default".
func (b *Bench) App(t testing.TB, name string) (models.App, models.NodeGroup) {
	t.Helper()
	app, _, err := b.Fleet.CreateApp(t.Context(), "test", name, "")
	if err != nil {
		t.Fatal(err)
	}
	groups, err := b.Fleet.Groups(t.Context(), app.ID)
	if err != nil || len(groups) != 1 {
		t.Fatalf("the app has %d groups, %v", len(groups), err)
	}
	return app, groups[0]
}

// Job makes a job that only people and programs run.
func (b *Bench) Job(t testing.TB, group, name string, edit ...func(*job.Input)) models.Job {
	t.Helper()
	in := job.Input{
		GroupID: group, Name: name, Handler: "Work", Trigger: job.TriggerInput{Manual: new(true)},
		Retry: &job.RetryInput{MaxAttempts: 3, Delay: time.Second},
	}
	for _, e := range edit {
		e(&in)
	}
	j, err := b.Jobs.Create(t.Context(), "test", in)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// Task makes a task that waits.
func (b *Bench) Task(t testing.TB, n task.NewTask) models.Task {
	t.Helper()
	made, err := b.Tasks.Run(t.Context(), "test", n)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Node registers an online node with two handlers.
func (b *Bench) Node(t testing.TB, group models.NodeGroup, name string) models.Node {
	t.Helper()
	now := clock.System{}.Now()
	n, _, err := b.store.RegisterNode(t.Context(), models.Node{
		ID: models.NewID(now), AppID: group.AppID, GroupID: group.ID, Name: name, Incarnation: "inc-" + name,
		State: models.NodeOnline, Slots: 4, Running: 1, ServerID: "server-1", Labels: json.RawMessage(`{"zone":"a"}`),
		Handlers: json.RawMessage(`["Work","Other"]`), SDK: "belfry-go/1.0", Host: "host-1", StartedAt: now, LastSeenAt: now,
	})
	if err != nil {
		t.Fatal(err)
	}
	teller{bus: b.Bus, store: b.store}.NodeChanged(t.Context(), n.ID, n.GroupID)
	return n
}

// Offline marks a node as lost.
func (b *Bench) Offline(t testing.TB, n models.Node) {
	t.Helper()
	changed, err := b.store.SetNodeState(t.Context(), n.ID, n.Incarnation, models.NodeOffline, "")
	if err != nil || !changed {
		t.Fatalf("the node was not taken offline: %t, %v", changed, err)
	}
	teller{bus: b.Bus, store: b.store}.NodeChanged(t.Context(), n.ID, n.GroupID)
}

// Dispatch begins the next attempt of a task on a node, and has it start.
func (b *Bench) Dispatch(t testing.TB, id string, n models.Node) models.Task {
	t.Helper()
	before, err := b.Tasks.Task(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	now := clock.System{}.Now()
	rows, refused, err := b.store.DispatchTasks(t.Context(), nil, now, []store.Dispatch{{
		TaskID: id, Attempt: before.Attempt, NodeID: n.ID, NodeName: n.Name, Incarnation: n.Incarnation, TimeoutMS: before.TimeoutMS,
	}}, nil)
	if err != nil || len(refused) > 0 {
		t.Fatalf("dispatching: %v, %v", refused, err)
	}
	accepted, err := b.store.RecordProgress(t.Context(), []store.AttemptProgress{{
		TaskID: id, Attempt: rows[0].Attempt, Incarnation: n.Incarnation, StartedAt: &now, Fraction: new(0.5), Message: "half way",
	}})
	if err != nil || !accepted[0] {
		t.Fatalf("starting: %v, %v", accepted, err)
	}
	teller{bus: b.Bus, store: b.store}.TaskChanged(t.Context(), []string{id})
	return rows[0]
}

// End ends the running attempt of a task: well, for a retry, or for good.
func (b *Bench) End(t testing.TB, id string, event models.Event) models.Task {
	t.Helper()
	running, err := b.Tasks.Task(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	now := clock.System{}.Now()
	end := store.AttemptEnd{TaskID: id, Attempt: running.Attempt, Outcome: models.OutcomeFailed, FinishedAt: now, Error: "no luck"}
	reason := models.ReasonRetriesExhausted
	switch event { //nolint:exhaustive // the others are no ends of attempts
	case models.EventSucceed:
		end.Outcome, end.Error, end.Result, reason = models.OutcomeSucceeded, "", json.RawMessage(`{"done":true}`), ""
	case models.EventRetry:
		reason = ""
	}
	results, err := b.store.EndAttempts(t.Context(), nil, []store.AttemptEnd{end}, func(*models.Task, *store.AttemptEnd) store.Decision {
		return store.Decision{Event: event, Reason: reason, AvailableAt: now}
	})
	if err != nil || results[0].Status != store.Ended {
		t.Fatalf("ending: %+v, %v", results, err)
	}
	teller{bus: b.Bus, store: b.store}.TaskChanged(t.Context(), []string{id})
	return results[0].Task
}

// Write appends n lines to a task's log, the first of which has this number.
func (b *Bench) Write(t testing.TB, tk models.Task, first, n int) {
	t.Helper()
	lines := make([]wire.LogLine, n)
	for i := range lines {
		lines[i] = wire.LogLine{
			Seq: int64(first + i), At: clock.System{}.Now(), Level: "INFO", Message: fmt.Sprintf("line %d", first+i), Fields: json.RawMessage(`{"k":"v"}`),
		}
	}
	raw, err := json.Marshal(lines)
	if err != nil {
		t.Fatal(err)
	}
	chunk := models.LogChunk{
		TaskID: tk.ID, FirstSeq: models.LogSeq(tk.Attempt, int64(first)), LastSeq: models.LogSeq(tk.Attempt, int64(first+n-1)), Bytes: len(raw), Lines: raw,
	}
	if err := b.store.AppendLogs(t.Context(), []models.LogChunk{chunk}, 2<<20); err != nil {
		t.Fatal(err)
	}
	b.Bus.Publish(t.Context(), signal.Of(signal.Logs, "", signal.TaskIDs{IDs: []string{tk.ID}}))
}

// Server notes a server as alive that leads a partition; edit may change what it says.
func (b *Bench) Server(t testing.TB, id string, partition int, edit ...func(*models.Server)) {
	t.Helper()
	now := clock.System{}.Now()
	ctx := t.Context()
	row := models.Server{ID: id, Name: id + ":7000", Version: "1.2.3", StartedAt: now, LastSeenAt: now, ClockOffsetMS: 12, Locks: models.LockRedis}
	for _, e := range edit {
		e(&row)
	}
	if err := b.store.BeatServer(ctx, row); err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.TakePartition(ctx, partition, id); err != nil {
		t.Fatal(err)
	}
	b.Bus.Publish(ctx, event.Message{Topic: event.TopicOwnership, Key: id})
}

// StopServer takes a server off the list, as one does that stops in good order.
func (b *Bench) StopServer(t testing.TB, id string) {
	t.Helper()
	if err := b.store.RemoveServer(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	b.Bus.Publish(t.Context(), event.Message{Topic: event.TopicOwnership, Key: id})
}

// Flow records how a group's line moves, as its owner does.
func (b *Bench) Flow(t testing.TB, g models.NodeGroup, flow models.GroupFlow) {
	t.Helper()
	flow.GroupID = g.ID
	if err := b.store.WriteGroupFlows(t.Context(), nil, []models.GroupFlow{flow}); err != nil {
		t.Fatal(err)
	}
	b.Bus.Publish(t.Context(), signal.OfFlows("server-1", []signal.GroupRef{{ID: g.ID, AppID: g.AppID}})...)
}

// Skip records fires of a job that became no task.
func (b *Bench) Skip(t testing.TB, j models.Job, fires int64) {
	t.Helper()
	now := clock.System{}.Now()
	won, err := b.store.RecordFires(t.Context(), nil, []store.Fires{{
		JobID: j.ID, Version: j.Version, ExpectedNext: *j.NextFireAt, Next: j.NextFireAt, Last: j.LastFireAt,
		Skipped: []models.SkippedFires{{
			ID: models.NewID(now), JobID: j.ID, FirstAt: now.Add(-time.Hour), LastAt: now, Count: fires, Reason: models.ReasonMisfireSkipped, RecordedAt: now,
		}},
	}})
	if err != nil || !won[0] {
		t.Fatalf("recording skipped fires: %v, %v", won, err)
	}
}

// Lose has the bus lose messages: it is given more at once than a subscription
// holds, as when Redis was away for long.
func (b *Bench) Lose(ctx context.Context) {
	flood := make([]event.Message, 2*event.Buffer)
	for i := range flood {
		flood[i] = signal.Of(signal.Logs, "", signal.TaskIDs{})
	}
	b.Bus.Publish(ctx, flood...)
}
