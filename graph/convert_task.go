package graph

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/task"
)

func (r *Resolver) taskOf(t *models.Task) *gqlmodel.Task {
	if t == nil {
		return nil
	}
	shown := &gqlmodel.Task{
		ID: t.ID, State: t.State, Trigger: t.Trigger, Priority: t.Priority,
		ScheduledAt: t.ScheduledAt, AvailableAt: t.AvailableAt, CreatedAt: t.CreatedAt, StartedAt: t.StartedAt,
		Duration: runTime(t, r.clock.Now()), Attempt: t.Attempt, MaxAttempts: t.MaxAttempts,
		Parameters: t.Parameters, Result: t.Result, Error: text(t.Error), Reason: text(t.Reason),
		UniqueKey: t.UniqueKey, Shard: t.Shard, Shards: t.Shards,
		Progress: t.Progress, ProgressMessage: text(t.ProgressMessage), CancelRequestedAt: t.CancelRequestedAt,
		Row: t,
	}
	if !t.State.Live() {
		shown.FinishedAt = t.FinishedAt
	}
	if t.State == models.TaskRunning {
		shown.DeadlineAt = t.DeadlineAt
	}
	return shown
}

// runTime is how long the latest attempt has run.
func runTime(t *models.Task, now time.Time) *time.Duration {
	switch {
	case t.StartedAt == nil:
		return nil
	case t.State == models.TaskRunning:
		return new(max(now.Sub(*t.StartedAt), 0)) // the node's clock may be ahead
	case t.FinishedAt == nil:
		return nil
	default:
		return new(max(t.FinishedAt.Sub(*t.StartedAt), 0))
	}
}

func attemptOf(a *task.Attempt) *gqlmodel.Attempt {
	return &gqlmodel.Attempt{
		ID: fmt.Sprintf("%s/%d", a.TaskID, a.Number), Number: a.Number, State: gqlmodel.AttemptState(a.State),
		NodeName: text(a.NodeName), AvailableAt: a.AvailableAt, DispatchedAt: a.DispatchedAt,
		StartedAt: a.StartedAt, FinishedAt: a.FinishedAt, Error: text(a.Error), Result: a.Result, NodeID: a.NodeID,
	}
}

func entryOf(e *task.Entry) *gqlmodel.TimelineEntry {
	shown := &gqlmodel.TimelineEntry{
		At: e.At, Kind: gqlmodel.TimelineKind(e.Kind), Message: e.Message, Actor: text(e.Actor), NodeID: e.NodeID,
	}
	if e.Attempt > 0 {
		shown.Attempt = &e.Attempt
	}
	return shown
}

func logLineOf(l *task.LogLine) *gqlmodel.TaskLogLine {
	return &gqlmodel.TaskLogLine{
		Seq: l.Seq, At: l.At, Level: l.Level, Message: l.Message, Fields: l.Fields, Attempt: l.Attempt,
	}
}

func taskFilter(ctx context.Context, in *gqlmodel.TaskFilter) task.Filter {
	if in == nil {
		return task.Filter{Within: within(ctx)}
	}
	return task.Filter{
		JobID: given(in.Job), AppID: given(in.App), GroupID: given(in.Group), NodeID: given(in.Node),
		States: slices.Compact(slices.Sorted(slices.Values(in.States.Value()))), Trigger: given(in.Trigger),
		From: in.From.Value(), To: in.To.Value(), Search: given(in.Search), BackfillID: given(in.Backfill),
		ParentID: given(in.Parent), Within: within(ctx),
	}
}

func newTask(in gqlmodel.TriggerJobInput) task.NewTask {
	return task.NewTask{
		Job: in.Job, Parameters: raw(in.Parameters), Delay: in.Delay.Value(), RunAt: in.RunAt.Value(),
		UniqueKey: given(in.UniqueKey), OnKeyHeld: given(in.OnKeyHeld), Priority: in.Priority.Value(), RequestID: given(in.RequestID),
		Downstream: given(in.Downstream),
	}
}
