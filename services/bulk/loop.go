package bulk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/store"
)

// Pass does one step of each operation under way, if this server leads, and answers
// how long it may rest. So a short one that comes after a long one is not held up.
func (s *Service) Pass(ctx context.Context) (time.Duration, error) {
	epoch, ours := s.owner.Partitions()[leader]
	if !ours {
		return longest, nil
	}
	todo, err := s.store.BulksToDo(ctx, store.MaxOpenBulks)
	if err != nil || len(todo) == 0 {
		return longest, err
	}
	for i := range todo {
		if err := s.step(ctx, store.Fence{leader: epoch}, &todo[i]); err != nil {
			return 0, store.GiveWay(err, s.owner.Lost)
		}
	}
	return lifecycle.AtOnce, nil
}

// step deals with the next tasks of one operation.
func (s *Service) step(ctx context.Context, fence store.Fence, b *models.BulkOperation) error {
	ids, err := s.store.BulkTasks(ctx, b.ID, b.Position(), perStep)
	if err != nil || len(ids) == 0 {
		return err // it was stopped meanwhile
	}
	now := s.clock.Now()
	elsewhere, err := s.repeat(ctx, b, ids)
	if err != nil {
		return err
	}
	result, err := s.store.AdvanceBulk(ctx, fence, store.BulkStep{
		ID: b.ID, Position: b.Position(), TaskIDs: ids, Elsewhere: elsewhere, At: now,
		Parameters: func(t *models.Task) (json.RawMessage, error) { return parameters(b, t) },
		Audit: func(id string) models.Audit {
			detail := map[string]any{"bulk": b.ID}
			if b.Reason != "" {
				detail["reason"] = b.Reason
			}
			if b.Parameters != nil || b.Patch != nil {
				detail["parameters"] = "edited"
			}
			return record(now, b.CreatedBy, actions[b.Kind], "task", id, detail)
		},
	})
	if errors.Is(err, store.ErrBulkMoved) || fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	s.tell(ctx, &result, b.Kind)
	return nil
}

// actions are the names in the audit log of what is done to each task, the same as
// when it is done to that one alone.
var actions = map[models.BulkKind]string{
	models.BulkRetry: "task.retry", models.BulkDiscard: "task.discard", models.BulkCancel: "task.cancel",
}

// tell says what a step has done.
func (s *Service) tell(ctx context.Context, done *store.BulkResult, kind models.BulkKind) {
	var groups, ids []string
	for i := range done.Changed {
		ids = append(ids, done.Changed[i].ID)
		groups = append(groups, done.Changed[i].GroupID)
	}
	if kind == models.BulkRetry && len(groups) > 0 {
		s.notify.TasksQueued(ctx, slices.Compact(slices.Sorted(slices.Values(groups))))
	}
	if len(ids) > 0 {
		s.notify.TaskChanged(ctx, ids)
	}
	for i := range done.Stopping {
		s.notify.CancelRequested(ctx, done.Stopping[i])
	}
	s.notify.BulkChanged(ctx, done.Operation)
}

// repeat makes anew those of a retry's tasks that have ended for good. That has
// transactions of its own, but may be done again after a crash: its request id makes
// the new task once.
func (s *Service) repeat(ctx context.Context, b *models.BulkOperation, ids []string) (map[string]*fault.Error, error) {
	if b.Kind != models.BulkRetry {
		return nil, nil
	}
	tasks, err := s.store.TasksByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	elsewhere := map[string]*fault.Error{}
	for i := range tasks {
		t := &tasks[i]
		if !t.State.Final() {
			continue
		}
		edited, err := s.edited(ctx, b, t.ID)
		if err == nil {
			_, err = s.repeater.Repeat(ctx, b.CreatedBy, t.ID, edited, b.ID+":"+t.ID)
		}
		refused := refusal(err)
		if err != nil && refused == nil {
			return nil, fmt.Errorf("repeating task %s: %w", t.ID, err)
		}
		elsewhere[t.ID] = refused
	}
	return elsewhere, nil
}

// edited answers what to repeat a task with; nil: its own parameters.
func (s *Service) edited(ctx context.Context, b *models.BulkOperation, id string) (json.RawMessage, error) {
	if b.Patch == nil {
		return b.Parameters, nil
	}
	t, err := s.store.Task(ctx, id)
	if err != nil {
		return nil, err
	}
	return parameters(b, &t)
}

// parameters answers what to retry a task with; nil: its own. Fault: INVALID.
func parameters(b *models.BulkOperation, t *models.Task) (json.RawMessage, error) {
	if b.Patch == nil {
		return b.Parameters, nil
	}
	has := t.Parameters
	if len(has) == 0 {
		has = json.RawMessage(`{}`)
	}
	if !isObject(has) {
		return nil, fault.New(fault.Invalid, "The parameters of task %s are no JSON object, so members cannot be set in them; replace them as a whole.", t.ID)
	}
	merged, err := jsonpatch.MergePatch(has, b.Patch)
	if err != nil {
		return nil, fault.New(fault.Invalid, "The parameters of task %s cannot be changed: %s.", t.ID, err)
	}
	if wrong := check.JSON("parameters", merged, check.MaxJSON); wrong != nil {
		return nil, wrong
	}
	return merged, nil
}
