package task

import (
	"context"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// jobsOf answers the job of each request, nil where there is none or it belongs
// to another app. Names go before ids.
func (s *Service) jobsOf(ctx context.Context, requests []request) ([]*models.Job, error) {
	found := make([]*models.Job, len(requests))
	if err := s.jobsByName(ctx, requests, found); err != nil {
		return nil, err
	}
	if err := s.jobsByID(ctx, requests, found); err != nil {
		return nil, err
	}
	return found, nil
}

// jobsByName fills found for requests that come from an app.
func (s *Service) jobsByName(ctx context.Context, requests []request, found []*models.Job) error {
	names := map[string][]string{} // by app
	asked := map[[2]string]bool{}
	for _, r := range requests {
		key := [2]string{r.AppID, r.Job}
		if r.AppID != "" && !asked[key] {
			asked[key] = true
			names[r.AppID] = append(names[r.AppID], r.Job)
		}
	}
	for app, of := range names {
		jobs, err := s.store.JobsByNames(ctx, app, of)
		if err != nil {
			return fmt.Errorf("looking for jobs by name: %w", err)
		}
		byName := make(map[string]*models.Job, len(jobs))
		for i := range jobs {
			byName[jobs[i].Name] = &jobs[i]
		}
		for i, r := range requests {
			if r.AppID == app {
				found[i] = byName[r.Job]
			}
		}
	}
	return nil
}

// jobsByID fills what is still open in found.
func (s *Service) jobsByID(ctx context.Context, requests []request, found []*models.Job) error {
	var ids []string
	asked := map[string]bool{}
	for i, r := range requests {
		if found[i] == nil && len(r.Job) == idLength && !asked[r.Job] {
			asked[r.Job] = true
			ids = append(ids, r.Job)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	jobs, err := s.store.JobsByIDs(ctx, ids)
	if err != nil {
		return fmt.Errorf("looking for jobs: %w", err)
	}
	byID := make(map[string]*models.Job, len(jobs))
	for i := range jobs {
		if jobs[i].DeletedAt == nil {
			byID[jobs[i].ID] = &jobs[i]
		}
	}
	for i, r := range requests {
		j := byID[r.Job]
		if found[i] == nil && j != nil && (r.AppID == "" || r.AppID == j.AppID) {
			found[i] = j
		}
	}
	return nil
}

const idLength = 26 // characters of a ULID

// repeats works out the ids that request ids stand for, and answers for each
// request the task that an earlier call with the same request id made, or "".
func (s *Service) repeats(ctx context.Context, requests []request, jobs []*models.Job) ([]string, error) {
	known := make([]string, len(requests))
	var ids []string
	for i := range requests {
		if jobs[i] != nil {
			requests[i].identify(jobs[i].AppID)
			ids = append(ids, requests[i].earlier...)
		}
	}
	if len(ids) == 0 {
		return known, nil
	}
	existing, err := s.store.ExistingTasks(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("looking for repeated requests: %w", err)
	}
	for i := range requests {
		for _, id := range requests[i].earlier {
			if existing[id] {
				known[i] = id
				break
			}
		}
	}
	return known, nil
}

// wish is what r asks the ledger for.
func (r *request) wish(j *models.Job) store.Wish {
	w := store.Wish{Task: r.task(j), OnHeld: r.OnKeyHeld, InputsOf: r.repeats}
	if r.OnKeyHeld == models.KeyReschedule {
		w.Move, w.Moves = r.move, r.moves
	}
	if r.actor != "" {
		w.Audit = r.audit
	}
	return w
}

// task is the task that r asks for.
func (r *request) task(j *models.Job) models.Task {
	t := models.Task{
		ID: r.id, JobID: j.ID, AppID: j.AppID, GroupID: j.GroupID,
		State: models.TaskWaiting, Trigger: r.kind, Priority: j.Priority,
		ScheduledAt: r.dueAt, AvailableAt: r.dueAt, CreatedAt: r.now,
		MaxAttempts: j.MaxAttempts, TimeoutMS: j.TimeoutMS,
		Parameters: j.Parameters, RootID: r.rootID, Downstream: r.Downstream,
	}
	if r.scheduledAt != nil {
		t.ScheduledAt = *r.scheduledAt
	}
	if t.ID == "" {
		t.ID = models.NewID(t.ScheduledAt)
	}
	if r.Parameters != nil || r.rootID != nil {
		t.Parameters = r.Parameters
	}
	if r.Priority != nil {
		t.Priority = *r.Priority
	}
	if r.UniqueKey != "" {
		t.UniqueKey = &r.UniqueKey
	}
	return t
}

// audit is the record of a person's request that made a task, or moved the one that held
// its key.
func (r *request) audit(made store.CreateResult) models.Audit {
	action, detail := actionRun, map[string]string(nil)
	switch {
	case made.Moved:
		action, detail = actionReschedule, map[string]string{"to": r.dueAt.Format(time.RFC3339Nano)}
	case r.rootID != nil:
		action = actionRerun
	}
	a := record(r.now, r.actor, action, made.ID, detail)
	a.ActorKind, a.Address, a.RequestID, a.Agent = r.from.Kind, r.from.Address, r.from.RequestID, r.from.Agent
	return a
}
