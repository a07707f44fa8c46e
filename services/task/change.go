package task

import (
	"context"
	"encoding/json"

	"github.com/belfry-scheduler/belfry/internal/failpoint"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

const (
	maxReason   = 500 // characters of a reason that a person gives
	maxEditJSON = check.MaxJSON
)

// Cancel ends a task: a waiting or failed one at once, a running one through its
// handler's context, in which case the answered task still runs. AppID, unless
// empty, is the only app whose tasks may be cancelled. Faults: NOT_FOUND,
// CONFLICT when the task has ended already, INVALID.
func (s *Service) Cancel(ctx context.Context, actor, appID, id, reason string) (models.Task, error) {
	if err := check.Text("reason", reason, maxReason); err != nil {
		return models.Task{}, err
	}
	if err := s.ofApp(ctx, appID, id); err != nil {
		return models.Task{}, err
	}
	now := s.clock.Now()
	audit := record(now, actor, actionCancel, id, map[string]string{"reason": reason})
	result, err := s.store.CancelTask(ctx, id, reason, actor, models.ReasonRequested, now, &audit)
	if err != nil {
		return models.Task{}, err
	}
	failpoint.Here(failpoint.CancelRequested)
	s.cancelled(ctx, &result)
	return result.Task, nil
}

// cancelled tells of a cancellation and of what was cancelled with it.
func (s *Service) cancelled(ctx context.Context, result *store.CancelResult) {
	all := append([]models.Task{result.Task}, result.Others...)
	s.notify.TaskChanged(ctx, idsOf(all))
	for i := range all {
		if all[i].State == models.TaskRunning && !all[i].Spread() {
			s.notify.CancelRequested(ctx, all[i])
		}
	}
}

// CancelByKey cancels the unfinished task of a job that has this unique key. Job
// is an id or, within appID, a name. Faults as of Cancel.
func (s *Service) CancelByKey(ctx context.Context, actor, appID, job, key, reason string) (models.Task, error) {
	t, err := s.byKey(ctx, appID, job, key)
	if err != nil {
		return models.Task{}, err
	}
	return s.Cancel(ctx, actor, appID, t.ID, reason)
}

// Retry runs a task again. One in the failed queue gets its next attempt; for one
// that has ended a new task of the same job is made, linked to the first, and
// answered again while it is unfinished. Parameters, unless nil, replace those of
// the task. Faults: NOT_FOUND (also when the job was deleted), CONFLICT while the
// task is under way, INVALID.
func (s *Service) Retry(ctx context.Context, actor, id string, parameters json.RawMessage) (models.Task, error) {
	if err := check.JSON("parameters", parameters, maxEditJSON); err != nil {
		return models.Task{}, err
	}
	parameters = check.Compact(parameters)
	t, err := s.store.Task(ctx, id)
	if err != nil {
		return models.Task{}, err
	}
	switch {
	case t.State == models.TaskFailed:
		return s.requeue(ctx, actor, id, parameters)
	case t.State.Final():
		return s.rerun(ctx, actor, &t, parameters, "")
	}
	return models.Task{}, fault.New(fault.Conflict, "Task %s is %s: it is under way already; cancel it first if it is to begin anew.", id, t.State)
}

func (s *Service) requeue(ctx context.Context, actor, id string, parameters json.RawMessage) (models.Task, error) {
	now := s.clock.Now()
	var detail map[string]string
	if parameters != nil {
		detail = map[string]string{"parameters": "edited"}
	}
	audit := record(now, actor, actionRetry, id, detail)
	t, err := s.store.RequeueTask(ctx, id, parameters, now, &audit)
	if err != nil {
		return models.Task{}, err
	}
	s.notify.TasksQueued(ctx, []string{t.GroupID})
	s.notify.TaskChanged(ctx, []string{id})
	return t, nil
}

// rerun makes the task that repeats t. It keeps t's scheduled instant, by which
// handlers know what they work for, and the upstream tasks that made it: jobs that
// have run after t for this run's sake do not run again. Its unique key makes a second press answer
// the same task.
func (s *Service) rerun(ctx context.Context, actor string, t *models.Task, parameters json.RawMessage, requestID string) (models.Task, error) {
	now := s.clock.Now()
	root := t.ID
	if t.RootID != nil {
		root = *t.RootID
	}
	if parameters == nil {
		parameters = t.Parameters
	}
	priority := t.Priority
	again, err := s.run(ctx, request{
		NewTask: NewTask{Job: t.JobID, Parameters: parameters, Priority: &priority, UniqueKey: rerunPrefix + t.ID, Downstream: t.Downstream, RequestID: requestID},
		kind:    models.TriggerManual, actor: actor, now: now, dueAt: now,
		repeats: t.ID, rootID: &root, scheduledAt: &t.ScheduledAt,
	})
	if fault.Is(err, fault.NotFound) {
		return models.Task{}, fault.New(fault.NotFound, "The job of task %s was deleted, so it cannot be run again.", t.ID)
	}
	return again, err
}

// Repeat makes the task that repeats one that has ended. A repeated request id makes
// nothing: the task that it made is answered. Faults as of Retry.
func (s *Service) Repeat(ctx context.Context, actor, id string, parameters json.RawMessage, requestID string) (models.Task, error) {
	t, err := s.store.Task(ctx, id)
	if err != nil {
		return models.Task{}, err
	}
	if !t.State.Final() {
		return models.Task{}, fault.New(fault.Conflict, "Task %s is %s: it has not ended, so it cannot be repeated.", id, t.State)
	}
	return s.rerun(ctx, actor, &t, parameters, requestID)
}

// Discard takes a task out of the failed queue for good. Faults: NOT_FOUND,
// CONFLICT when it is not there, INVALID.
func (s *Service) Discard(ctx context.Context, actor, id, reason string) (models.Task, error) {
	if err := check.Text("reason", reason, maxReason); err != nil {
		return models.Task{}, err
	}
	now := s.clock.Now()
	audit := record(now, actor, actionDiscard, id, map[string]string{"reason": reason})
	t, err := s.store.DiscardTask(ctx, id, reason, actor, now, &audit)
	if err != nil {
		return models.Task{}, err
	}
	s.notify.TaskChanged(ctx, []string{id})
	return t, nil
}

// ofApp answers NOT_FOUND when the task is another app's, as if it did not exist.
func (s *Service) ofApp(ctx context.Context, appID, id string) error {
	if appID == "" {
		return nil
	}
	t, err := s.store.Task(ctx, id)
	if err != nil {
		return err
	}
	if t.AppID != appID {
		return fault.New(fault.NotFound, "There is no task %s.", id)
	}
	return nil
}

// jobID answers the id of a job that is named by id or, within appID, by name.
func (s *Service) jobID(ctx context.Context, appID, job string) (string, error) {
	n := NewTask{AppID: appID, Job: job}
	jobs, err := s.jobsOf(ctx, []request{{NewTask: n}})
	if err != nil {
		return "", err
	}
	if jobs[0] == nil {
		return "", noJob(n)
	}
	return jobs[0].ID, nil
}
