package task

import (
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
)

// Reschedule gives a task that waits, for its first attempt or the next one,
// another instant. Its id and scheduled instant stay. AppID, unless empty, is the
// only app whose tasks may be rescheduled. Faults: NOT_FOUND, CONFLICT when it runs
// or has ended, INVALID.
func (s *Service) Reschedule(ctx context.Context, actor, appID, id string, when When) (models.Task, error) {
	now := s.clock.Now()
	at, wrong := when.due(now)
	if wrong != nil {
		return models.Task{}, wrong
	}
	if err := s.ofApp(ctx, appID, id); err != nil {
		return models.Task{}, err
	}
	audit := record(now, actor, actionReschedule, id, map[string]string{"to": at.Format(time.RFC3339Nano)})
	t, err := s.store.RescheduleTask(ctx, id, at, &audit)
	if err != nil {
		return models.Task{}, err
	}
	s.notify.TasksQueued(ctx, []string{t.GroupID})
	s.notify.TaskChanged(ctx, []string{id})
	return t, nil
}

// RescheduleByKey reschedules the unfinished task of a job that has this unique
// key. Job is an id or, within appID, a name. Faults as of Reschedule.
func (s *Service) RescheduleByKey(ctx context.Context, actor, appID, job, key string, when When) (models.Task, error) {
	t, err := s.byKey(ctx, appID, job, key)
	if err != nil {
		return models.Task{}, err
	}
	return s.Reschedule(ctx, actor, appID, t.ID, when)
}

// byKey answers the unfinished task of a job that holds a unique key. Fault:
// NOT_FOUND.
func (s *Service) byKey(ctx context.Context, appID, job, key string) (models.Task, error) {
	id, err := s.jobID(ctx, appID, job)
	if err != nil {
		return models.Task{}, err
	}
	t, err := s.store.TaskByKey(ctx, id, key)
	if fault.Is(err, fault.NotFound) {
		return t, fault.At("uniqueKey", fault.NotFound, "No unfinished task of the job has the unique key %s.", check.Quote(key))
	}
	return t, err
}

// That a request moved a task is kept for as long as a repeat of the request is
// told from a new one, and some time longer.
const (
	keepMoves   = 48 * time.Hour
	forgetEvery = 10 * time.Minute
	forgetBatch = 1000
)

// forget deletes old records of moved tasks, some in a round. Servers that do it at
// the same time only find less to do.
func (s *Service) forget(ctx context.Context) (time.Duration, error) {
	n, err := s.store.ForgetMoves(ctx, s.clock.Now().Add(-keepMoves), forgetBatch)
	if n == forgetBatch {
		return lifecycle.AtOnce, err
	}
	return forgetEvery, err
}
