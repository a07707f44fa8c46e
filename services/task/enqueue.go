package task

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/batch"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/origin"
	"github.com/belfry-scheduler/belfry/services/store"
)

const (
	enqueueBatch = 500 // single enqueues that share a commit
	// enqueueWriters is how many commits are under way at once. With two, each gets
	// half of what arrives: 16 callers then reach 3,100 tasks a second, not 5,500.
	enqueueWriters = 1
)

// Created answers one NewTask: a new task, or the one that held its unique key or
// request id already, or an error for people.
type Created struct {
	TaskID   string
	Existing bool
	Moved    bool   // the one that held the key was given the new instant
	Replaced string // the task that was cancelled for this one; empty: none
	Err      error  // INVALID, REQUIRED, NOT_FOUND, CONFLICT

	task models.Task // as it was written; only of a new one
}

// Run makes one task on a person's or token's request and answers it, or the task
// that holds its unique key. Faults: INVALID, REQUIRED, NOT_FOUND (also for a
// deleted job), CONFLICT (the holder of the key can be neither moved nor
// replaced), LIMIT.
func (s *Service) Run(ctx context.Context, actor string, n NewTask) (models.Task, error) {
	r, err := prepare(n, models.TriggerManual, actor, s.clock.Now())
	if err != nil {
		return models.Task{}, err
	}
	return s.run(ctx, r)
}

// run writes one prepared request and answers its task.
func (s *Service) run(ctx context.Context, r request) (models.Task, error) {
	r.from = origin.Of(ctx) // it shares a transaction with requests from elsewhere
	created, err := s.write(ctx, r)
	if err != nil {
		return models.Task{}, err
	}
	if created.Err != nil {
		return models.Task{}, created.Err
	}
	if created.Existing {
		return s.store.Task(ctx, created.TaskID)
	}
	return created.task, nil
}

// Enqueue makes tasks on a program's request: the valid ones of items in one
// transaction. It answers one entry an item, in order. Faults: INVALID for a
// request without or with too many items, LIMIT.
func (s *Service) Enqueue(ctx context.Context, items []NewTask) ([]Created, error) {
	if len(items) == 0 || len(items) > MaxItems {
		return nil, fault.At("tasks", fault.Invalid, "tasks has %d entries; send 1 to %d.", len(items), MaxItems)
	}
	now := s.clock.Now()
	answers := make([]Created, len(items))
	valid := make([]request, 0, len(items))
	places := make([]int, 0, len(items)) // of the valid ones within items
	for i, n := range items {
		r, err := prepare(n, models.TriggerAPI, "", now)
		if err != nil {
			answers[i].Err = err
			continue
		}
		valid = append(valid, r)
		places = append(places, i)
	}
	if len(valid) == 0 {
		return answers, nil
	}
	created, err := s.writeAll(ctx, valid)
	if err != nil {
		return nil, err
	}
	for i, place := range places {
		answers[place] = created[i]
	}
	return answers, nil
}

// writeAll stores one request's items together. A single one shares its commit
// with those of other callers.
func (s *Service) writeAll(ctx context.Context, valid []request) ([]Created, error) {
	if len(valid) > 1 {
		return s.create(ctx, valid)
	}
	created, err := s.write(ctx, valid[0])
	return []Created{created}, err
}

// write stores one request together with those that arrive at the same time.
func (s *Service) write(ctx context.Context, r request) (Created, error) {
	created, errs, err := s.writer.Do(ctx, r)
	switch {
	case errors.Is(err, batch.ErrFull):
		return Created{}, fault.New(fault.Limit, "Too many tasks are being enqueued at this moment; try again in a second.")
	case errors.Is(err, batch.ErrStopped):
		return Created{}, fault.New(fault.Unavailable, "This server is stopping; try another one.")
	case err != nil:
		return Created{}, fmt.Errorf("enqueueing: %w", err)
	}
	return created[0], errs[0]
}

// create turns requests into tasks in one transaction and tells the dispatchers.
func (s *Service) create(ctx context.Context, requests []request) ([]Created, error) {
	jobs, err := s.jobsOf(ctx, requests)
	if err != nil {
		return nil, err
	}
	answers := make([]Created, len(requests))
	known, err := s.repeats(ctx, requests, jobs)
	if err != nil {
		return nil, err
	}
	wishes := make([]store.Wish, 0, len(requests))
	places := make([]int, 0, len(requests))
	for i := range requests {
		switch {
		case jobs[i] == nil:
			answers[i].Err = noJob(requests[i].NewTask)
		case known[i] != "":
			answers[i] = Created{TaskID: known[i], Existing: true}
		default:
			wishes = append(wishes, requests[i].wish(jobs[i]))
			places = append(places, i)
		}
	}
	if len(wishes) == 0 {
		return answers, nil
	}
	results, err := s.store.CreateWished(ctx, wishes)
	if err != nil {
		return nil, fmt.Errorf("enqueueing %d tasks: %w", len(wishes), err)
	}
	for i, place := range places {
		answers[place] = created(results[i], &wishes[i].Task)
	}
	s.announce(ctx, places, answers)
	return answers, nil
}

func created(result store.CreateResult, t *models.Task) Created {
	c := Created{TaskID: result.ID, Existing: result.Existing, Moved: result.Moved, Replaced: result.Replaced, Err: result.Err}
	if !c.Existing {
		c.task = *t
	}
	if c.Err != nil {
		return Created{Err: c.Err}
	}
	return c
}

// announce hints at what changed. The tasks stand already, so a failure here is only
// logged.
func (s *Service) announce(ctx context.Context, places []int, answers []Created) {
	var news news
	for _, place := range places {
		news.add(&answers[place])
	}
	if len(news.moved) > 0 {
		s.announceMoved(ctx, news.moved)
	}
	if len(news.replaced) > 0 {
		s.notify.TaskChanged(ctx, news.replaced)
	}
	if len(news.tasks) > 0 {
		s.notify.TasksQueued(ctx, news.groups)
		s.notify.TasksCreated(ctx, news.tasks)
	}
}

// news is what there is to tell of one transaction.
type news struct {
	tasks           []models.Task // new ones
	groups          []string      // of the new ones
	moved, replaced []string
}

func (n *news) add(a *Created) {
	switch {
	case a.Err != nil:
		return
	case a.Moved:
		n.moved = append(n.moved, a.TaskID)
		return
	case a.Existing:
		return
	}
	if a.Replaced != "" {
		n.replaced = append(n.replaced, a.Replaced)
	}
	n.tasks = append(n.tasks, a.task)
	if !slices.Contains(n.groups, a.task.GroupID) {
		n.groups = append(n.groups, a.task.GroupID)
	}
}

// announceMoved has the dispatchers look at tasks that have another instant now.
func (s *Service) announceMoved(ctx context.Context, ids []string) {
	tasks, err := s.store.TasksByIDs(ctx, ids)
	if err != nil {
		s.log.WarnContext(ctx, "hint not passed on", "what", "moved tasks", "error", err)
		return // the dispatcher's slow look finds them
	}
	var groups []string
	for i := range tasks {
		if !slices.Contains(groups, tasks[i].GroupID) {
			groups = append(groups, tasks[i].GroupID)
		}
	}
	s.notify.TasksQueued(ctx, groups)
	s.notify.TaskChanged(ctx, ids)
}

func noJob(n NewTask) error {
	if n.AppID != "" {
		return fault.At("job", fault.NotFound, "The app has no job %q; create it, or correct the name.", n.Job)
	}
	return fault.At("job", fault.NotFound, "There is no job %q; it may have been deleted.", n.Job)
}
