package workerapi

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/registry"
	"github.com/belfry-scheduler/belfry/services/task"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// enqueue creates tasks of the app's jobs. A wish that is wrong keeps no other back.
func (a *API) enqueue(ctx context.Context, app models.App, req wire.Enqueue) (wire.Enqueued, error) {
	switch n := len(req.Tasks); {
	case n == 0:
		return wire.Enqueued{}, fault.At("tasks", fault.Invalid, "tasks is empty: send 1 to %d.", wire.MaxEnqueueItems)
	case n > wire.MaxEnqueueItems:
		return wire.Enqueued{}, &registry.Refusal{Wire: wire.Error{
			Code: wire.CodeTooLarge, Field: "tasks", Message: fmt.Sprintf("tasks has %d entries: send at most %d.", n, wire.MaxEnqueueItems),
		}}
	}
	answer := wire.Enqueued{Tasks: make([]wire.EnqueuedTask, len(req.Tasks))}
	items := make([]task.NewTask, 0, len(req.Tasks))
	places := make([]int, 0, len(req.Tasks)) // of items within the answer
	for i := range req.Tasks {
		n, err := newTask(app, &req.Tasks[i])
		if err != nil {
			answer.Tasks[i] = notMade(err)
			continue
		}
		items, places = append(items, n), append(places, i)
	}
	if len(items) == 0 {
		return answer, nil
	}
	created, err := a.cfg.Tasks.Enqueue(ctx, items)
	if err != nil {
		return wire.Enqueued{}, err
	}
	for i, place := range places {
		c := &created[i]
		if c.Err != nil {
			answer.Tasks[place] = notMade(c.Err)
			continue
		}
		answer.Tasks[place] = wire.EnqueuedTask{ID: c.TaskID, Existing: c.Existing, Moved: c.Moved, Replaced: c.Replaced}
	}
	return answer, nil
}

func notMade(err error) wire.EnqueuedTask {
	e := wireError(err)
	return wire.EnqueuedTask{Error: &e}
}

// milliseconds is n of them; what does not fit is the longest or shortest time, which
// the checks that follow refuse or cut.
func milliseconds(n int64) time.Duration {
	const most = int64(math.MaxInt64 / time.Millisecond)
	return time.Duration(min(max(n, -most), most)) * time.Millisecond
}

// newTask is the service's form of a wish.
func newTask(app models.App, t *wire.NewTask) (task.NewTask, error) {
	n := task.NewTask{
		AppID: app.ID, Job: t.Job, Parameters: t.Parameters, RunAt: t.RunAt, UniqueKey: t.UniqueKey, RequestID: t.RequestID,
	}
	if t.DelayMS != 0 {
		delay := milliseconds(t.DelayMS)
		n.Delay = &delay
	}
	if t.OnKeyHeld != "" {
		rule, ok := models.ParseKeyRule(t.OnKeyHeld)
		if !ok {
			return n, fault.At("onKeyHeld", fault.Invalid, "onKeyHeld %q is unknown: give KEEP, RESCHEDULE or REPLACE.", t.OnKeyHeld)
		}
		n.OnKeyHeld = rule
	}
	if t.Priority != "" {
		p, ok := models.ParsePriority(t.Priority)
		if !ok {
			return n, fault.At("priority", fault.Invalid, "Priority %q is unknown: give LOW, NORMAL, HIGH or CRITICAL.", t.Priority)
		}
		n.Priority = &p
	}
	return n, nil
}

// cancel cancels a task of the app.
func (a *API) cancel(ctx context.Context, app models.App, req wire.CancelRequest) (wire.TaskStatus, error) {
	actor := "app " + app.Name
	var t models.Task
	var err error
	switch {
	case req.Task != "" && !isTask(req.Task):
		err = noTask(app, req.Task)
	case req.Task != "":
		t, err = a.cfg.Tasks.Cancel(ctx, actor, app.ID, req.Task, req.Reason)
	case req.Job != "" && req.UniqueKey != "":
		t, err = a.cfg.Tasks.CancelByKey(ctx, actor, app.ID, req.Job, req.UniqueKey, req.Reason)
	default:
		err = fault.At("task", fault.Required, "Name the task, or its job and unique key.")
	}
	if err != nil {
		return wire.TaskStatus{}, err
	}
	return a.statusOf(ctx, &t)
}

// reschedule gives a waiting task of the app another instant.
func (a *API) reschedule(ctx context.Context, app models.App, req wire.MoveRequest) (wire.TaskStatus, error) {
	actor, when := "app "+app.Name, task.When{RunAt: req.RunAt}
	if req.DelayMS != 0 || req.RunAt == nil {
		delay := milliseconds(req.DelayMS)
		when.Delay = &delay
	}
	var t models.Task
	var err error
	switch {
	case req.Task != "" && !isTask(req.Task):
		err = noTask(app, req.Task)
	case req.Task != "":
		t, err = a.cfg.Tasks.Reschedule(ctx, actor, app.ID, req.Task, when)
	case req.Job != "" && req.UniqueKey != "":
		t, err = a.cfg.Tasks.RescheduleByKey(ctx, actor, app.ID, req.Job, req.UniqueKey, when)
	default:
		err = fault.At("task", fault.Required, "Name the task, or its job and unique key.")
	}
	if err != nil {
		return wire.TaskStatus{}, err
	}
	return a.statusOf(ctx, &t)
}

func noTask(app models.App, id string) error {
	return fault.New(fault.NotFound, "App %q has no task %s.", app.Name, check.Quote(id))
}

// status answers a task of the app, with ?wait=MS as soon as it is over.
func (a *API) status(w http.ResponseWriter, r *http.Request, app models.App) {
	wait := time.Duration(0)
	if text := r.URL.Query().Get("wait"); text != "" {
		ms, err := strconv.ParseInt(text, 10, 32)
		if err != nil || ms < 0 {
			a.refuse(w, r, fault.At("wait", fault.Invalid, "wait is %q: give milliseconds, at most %d.", text, waitLimit.Milliseconds()))
			return
		}
		wait = min(time.Duration(ms)*time.Millisecond, waitLimit)
	}
	t, err := a.await(r.Context(), app, r.PathValue("id"), wait)
	if err != nil {
		a.refuse(w, r, err)
		return
	}
	status, err := a.statusOf(r.Context(), &t)
	if err != nil {
		a.refuse(w, r, err)
		return
	}
	a.answer(w, r, http.StatusOK, status)
}

// lookAgain bounds how long a lost hint can hold an answer up.
const lookAgain = 5 * time.Second

// await reads a task until it is over or the time is up.
func (a *API) await(ctx context.Context, app models.App, id string, wait time.Duration) (models.Task, error) {
	if !isTask(id) {
		return models.Task{}, noTask(app, id)
	}
	changed, done := a.cfg.Watcher.AwaitTask(id)
	defer done()
	deadline := time.NewTimer(wait)
	defer deadline.Stop()
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		t, err := a.cfg.Tasks.Task(ctx, id)
		if err != nil {
			return t, err
		}
		if t.AppID != app.ID {
			return t, noTask(app, id)
		}
		if !t.State.Live() || wait == 0 {
			return t, nil
		}
		select {
		case <-ctx.Done():
			return t, fmt.Errorf("waiting for task %s: %w", id, ctx.Err())
		case <-deadline.C:
			return t, nil
		case <-changed:
		case <-again.C:
		}
	}
}

func (a *API) statusOf(ctx context.Context, t *models.Task) (wire.TaskStatus, error) {
	job, err := a.cfg.Ledger.Job(ctx, t.JobID)
	if err != nil {
		return wire.TaskStatus{}, fmt.Errorf("reading the job of task %s: %w", t.ID, err)
	}
	return wire.TaskStatus{
		ID: t.ID, Job: job.Name, State: t.State.String(), Final: !t.State.Live(), Attempt: t.Attempt,
		Result: t.Result, Error: t.Error, FinishedAt: t.FinishedAt,
	}, nil
}
