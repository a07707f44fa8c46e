package relay

import (
	"context"
	"slices"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/dispatch"
	"github.com/belfry-scheduler/belfry/services/event"
	"github.com/belfry-scheduler/belfry/services/signal"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// publishTasks tells subscribers here and on other servers of changed tasks.
func (r *Relay) publishTasks(ctx context.Context, tasks []models.Task) {
	r.fillsChanged(ctx, tasks)
	for i := range tasks {
		r.waiters.wake(tasks[i].ID)
	}
	r.bus.Publish(ctx, signal.OfTasks(r.serverID, tasks)...)
}

// TasksQueued says that tasks wait in groups (trigger, workflow, task).
func (r *Relay) TasksQueued(ctx context.Context, groupIDs []string) {
	r.parts.Dispatcher.Queued(groupIDs...)
	messages := make([]event.Message, len(groupIDs))
	for i, id := range groupIDs {
		messages[i] = event.Message{Topic: signal.Queue, Key: id}
	}
	r.bus.Publish(ctx, messages...)
}

// ArrivalsWritten says that ended tasks have dependents (store).
func (r *Relay) ArrivalsWritten(ctx context.Context, _ []int) {
	r.parts.Workflow.Wake()
	r.bus.Publish(ctx, event.Message{Topic: signal.Joins, Key: r.serverID})
}

// JobsFired says that jobs' fires were written (trigger, workflow).
func (r *Relay) JobsFired(ctx context.Context, jobs []models.Job) {
	messages := make([]event.Message, len(jobs))
	for i := range jobs {
		messages[i] = signal.Of(signal.Jobs, jobs[i].ID, signal.JobChange{
			From: r.serverID, JobID: jobs[i].ID, GroupID: jobs[i].GroupID, Fired: true,
		})
	}
	r.bus.Publish(ctx, messages...)
}

// JobsMoved says that the next fires of jobs are others now (calendar).
func (r *Relay) JobsMoved(ctx context.Context, jobs []models.Job) {
	r.parts.Trigger.Wake()
	r.JobsFired(ctx, jobs)
}

// JobChanged says that a job's definition changed (job).
func (r *Relay) JobChanged(ctx context.Context, jobID, groupID string) {
	r.parts.Catalog.Forget(jobID)
	r.parts.Trigger.Wake()
	r.parts.Dispatcher.Queued(groupID)
	r.bus.Publish(ctx, signal.Of(signal.Jobs, jobID, signal.JobChange{From: r.serverID, JobID: jobID, GroupID: groupID}))
}

// TasksDispatched says that attempts were given to nodes (dispatch).
func (r *Relay) TasksDispatched(ctx context.Context, tasks []models.Task) { r.publishTasks(ctx, tasks) }

// TasksSkipped says that tasks will not run (dispatch).
func (r *Relay) TasksSkipped(ctx context.Context, tasks []models.Task) {
	r.publishTasks(ctx, tasks)
	r.wakeFixedDelay(tasks)
}

// TasksParked says that tasks came into the failed queue without an attempt (dispatch).
func (r *Relay) TasksParked(ctx context.Context, tasks []models.Task) {
	r.publishTasks(ctx, tasks)
	r.wakeFixedDelay(tasks)
}

// GroupsFlowed says that how the lines of groups move has changed (dispatch).
func (r *Relay) GroupsFlowed(ctx context.Context, groups []models.NodeGroup) {
	refs := make([]signal.GroupRef, len(groups))
	for i := range groups {
		refs[i] = signal.GroupRef{ID: groups[i].ID, AppID: groups[i].AppID}
	}
	r.bus.Publish(ctx, signal.OfFlows(r.serverID, refs)...)
}

// AttemptsEnded says that attempts ended (result).
func (r *Relay) AttemptsEnded(ctx context.Context, tasks []models.Task) {
	ends := make([]dispatch.Ended, len(tasks))
	for i := range tasks {
		ends[i] = dispatch.Ended{TaskID: tasks[i].ID, GroupID: tasks[i].GroupID, Attempt: tasks[i].Attempt, State: tasks[i].State}
	}
	r.parts.Dispatcher.Ended(ends)
	r.publishTasks(ctx, tasks)
	r.wakeFixedDelay(tasks)
}

// BackfillChanged says that a backfill is new or has changed (backfill).
func (r *Relay) BackfillChanged(ctx context.Context, b models.Backfill) {
	r.bus.Publish(ctx, signal.Of(signal.Fills, b.ID, signal.BackfillChange{From: r.serverID, ID: b.ID}))
	r.parts.Backfills.Wake()
}

// AlertsWritten says that alert events were written (store).
func (r *Relay) AlertsWritten(ctx context.Context) { r.AlertsEdited(ctx) }

// AlertsEdited says that rules or silences have changed (alert).
func (r *Relay) AlertsEdited(ctx context.Context) {
	r.parts.Alerts.Wake()
	r.bus.Publish(ctx, event.Message{Topic: signal.Alerts, Key: r.serverID})
}

// IncidentsChanged says that incidents are new or have changed (alert).
func (r *Relay) IncidentsChanged(ctx context.Context, ids []string) {
	r.bus.Publish(ctx, signal.OfIncidents(r.serverID, ids)...)
}

// BulkChanged says that a bulk operation is new or has changed (bulk).
func (r *Relay) BulkChanged(ctx context.Context, b models.BulkOperation) {
	r.bus.Publish(ctx, signal.Of(signal.Bulks, b.ID, signal.BulkChange{From: r.serverID, ID: b.ID}))
	r.parts.Bulks.Wake()
}

// NotificationsQueued says that something waits to be sent.
func (r *Relay) NotificationsQueued(ctx context.Context) {
	r.parts.Deliveries.Wake()
	r.bus.Publish(ctx, event.Message{Topic: signal.Post, Key: r.serverID})
}

// NotificationsChanged says that notifications were written or have changed.
func (r *Relay) NotificationsChanged(ctx context.Context, ids []string) {
	r.bus.Publish(ctx, signal.OfNotes(r.serverID, ids)...)
}

// fillsChanged tells of the backfills of tasks that have come to an end, or left the
// failed queue: their counts are others now, and they may make more.
func (r *Relay) fillsChanged(ctx context.Context, tasks []models.Task) {
	var told []string
	for i := range tasks {
		t := &tasks[i]
		if t.BackfillID == nil || t.State == models.TaskRunning || slices.Contains(told, *t.BackfillID) {
			continue
		}
		told = append(told, *t.BackfillID)
		r.BackfillChanged(ctx, models.Backfill{ID: *t.BackfillID})
	}
}

// wakeFixedDelay has the trigger look: an end sets the next fire of such a job.
func (r *Relay) wakeFixedDelay(tasks []models.Task) {
	for i := range tasks {
		if tasks[i].Trigger == models.TriggerFixedDelay && !tasks[i].State.Live() {
			r.parts.Trigger.Wake()
			return
		}
	}
}

// TasksCreated says that tasks are new (task).
func (r *Relay) TasksCreated(ctx context.Context, tasks []models.Task) { r.publishTasks(ctx, tasks) }

// TaskChanged says that people or programs changed tasks (task).
func (r *Relay) TaskChanged(ctx context.Context, ids []string) {
	tasks, err := r.ledger.TasksByIDs(ctx, ids)
	if err != nil {
		r.warn(ctx, "reading changed tasks", err)
		return
	}
	r.publishTasks(ctx, tasks)
	r.wakeFixedDelay(tasks)
	r.parentsEnded(tasks)
	queued := map[string]bool{}
	for i := range tasks {
		if tasks[i].State == models.TaskRetrying {
			queued[tasks[i].GroupID] = true
		}
	}
	for id := range queued {
		r.TasksQueued(ctx, []string{id})
	}
}

// parentsEnded tells the dispatcher of parents that ended without a node's word: they were
// cancelled while none of their children ran.
func (r *Relay) parentsEnded(tasks []models.Task) {
	var ends []dispatch.Ended
	for i := range tasks {
		if t := &tasks[i]; t.Spread() && t.State != models.TaskRunning && t.Attempt > 0 {
			ends = append(ends, dispatch.Ended{TaskID: t.ID, GroupID: t.GroupID, Attempt: t.Attempt, State: t.State})
		}
	}
	if len(ends) > 0 {
		r.parts.Dispatcher.Ended(ends)
	}
}

// TaskProgressed says that running tasks reported progress (workerapi).
func (r *Relay) TaskProgressed(ctx context.Context, ids []string) {
	tasks, err := r.ledger.TasksByIDs(ctx, ids)
	if err != nil {
		r.warn(ctx, "reading progressing tasks", err)
		return
	}
	r.bus.Publish(ctx, signal.OfTasks(r.serverID, tasks)...)
}

// LogsAppended says that log lines came (workerapi).
func (r *Relay) LogsAppended(ctx context.Context, ids []string) {
	r.bus.Publish(ctx, signal.Of(signal.Logs, "", signal.TaskIDs{IDs: ids}))
}

// CancelRequested sends the cancellation of a running task to its node (task).
// The rescue sends it again if it is lost.
func (r *Relay) CancelRequested(ctx context.Context, t models.Task) {
	if t.NodeID == nil {
		return
	}
	n, err := r.ledger.Node(ctx, *t.NodeID)
	if err != nil {
		r.warn(ctx, "reading the node of a cancelled task", err)
		return
	}
	cause := wire.CauseCancelled
	if t.Reason == models.ReasonReplaced {
		cause = wire.CauseReplaced
	}
	r.Cancel(ctx, n, []wire.Cancel{{
		AttemptRef: wire.AttemptRef{Task: t.ID, Attempt: t.Attempt}, Cause: cause, Reason: t.CancelReason,
	}})
}

// GroupChanged says that a group's row changed (fleet).
func (r *Relay) GroupChanged(ctx context.Context, id string) {
	r.parts.Dispatcher.GroupChanged(ctx, id)
	r.bus.Publish(ctx, event.Message{Topic: signal.Groups, Key: id})
}

// Assign brings work to a node (dispatch).
func (r *Relay) Assign(ctx context.Context, n models.Node, work []wire.Assignment) {
	for len(work) > 0 {
		k := fitting(work)
		f := signal.Frame{Frame: wire.Frame{Kind: wire.FrameAssign, Assign: work[:k]}}
		if bytesOf(&work[0]) > frameBytes {
			f.Large = []string{work[0].Task}
		}
		r.frame(ctx, n, f)
		work = work[k:]
	}
}

// frameBytes is about how much goes into one frame; the bus carries 64 KiB.
const frameBytes = 32 << 10

// fitting is how many assignments go into the next frame: one at least.
func fitting(work []wire.Assignment) int {
	size := 0
	for i := range work {
		size += bytesOf(&work[i])
		if size > frameBytes && i > 0 {
			return i
		}
	}
	return len(work)
}

// bytesOf is about how much an assignment takes in a frame.
func bytesOf(a *wire.Assignment) int {
	size := 400 + len(a.Parameters) + len(a.Checkpoint)
	for _, u := range a.Upstream {
		size += 100 + len(u.Result)
	}
	return size
}

// Cancel brings cancellations to a node (dispatch, rescue).
func (r *Relay) Cancel(ctx context.Context, n models.Node, cancels []wire.Cancel) {
	r.frame(ctx, n, signal.Frame{Frame: wire.Frame{Kind: wire.FrameCancel, Cancel: cancels}})
}

// frame delivers here if the node's stream is here, else to the server that has it.
// An assignment too large for the bus goes as its task's id alone.
func (r *Relay) frame(ctx context.Context, n models.Node, f signal.Frame) {
	if r.parts.Registry.Deliver(n.ID, n.Incarnation, f.Frame) || n.ServerID == "" || n.ServerID == r.serverID {
		return // a frame that found no stream is repeated by the reconciliation
	}
	if len(f.Large) > 0 {
		f.Frame = wire.Frame{}
	}
	f.Incarnation = n.Incarnation
	r.bus.PublishTo(ctx, n.ServerID, signal.Of(signal.Frames, n.ID, f))
}
