package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Task answers one task. Fault: NOT_FOUND.
func (s *Store) Task(ctx context.Context, id string) (models.Task, error) {
	tasks, err := s.TasksByIDs(ctx, []string{id})
	if err == nil && len(tasks) == 0 {
		err = fault.New(fault.NotFound, "There is no task %s.", id)
	}
	if err != nil {
		return models.Task{}, err
	}
	return tasks[0], nil
}

// TasksByIDs answers the tasks that exist among ids, in no order.
func (s *Store) TasksByIDs(ctx context.Context, ids []string) ([]models.Task, error) {
	var all []models.Task
	for part := range slices.Chunk(ids, idsAtOnce) {
		rows, err := query(s.read(ctx), "SELECT "+fullColumns.list+" FROM tasks WHERE id IN ("+marks(len(part))+")", anys(part)...)
		if err != nil {
			return nil, fmt.Errorf("reading %d tasks: %w", len(part), err)
		}
		tasks, err := fullColumns.scan(rows)
		if err != nil {
			return nil, fmt.Errorf("reading %d tasks: %w", len(part), err)
		}
		all = append(all, tasks...)
	}
	return all, nil
}

// idsAtOnce bounds the ids in one statement.
const idsAtOnce = 1000

// ExistingTasks answers which of ids are tasks.
func (s *Store) ExistingTasks(ctx context.Context, ids []string) (map[string]bool, error) {
	rows, err := byIDs[models.Task](s.read(ctx).Select("id"), ids, "tasks")
	if err != nil {
		return nil, err
	}
	found := make(map[string]bool, len(rows))
	for i := range rows {
		found[rows[i].ID] = true
	}
	return found, nil
}

// TaskByKey answers the unfinished task of a job that holds a unique key; one in
// the failed queue counts as unfinished. Fault: NOT_FOUND.
func (s *Store) TaskByKey(ctx context.Context, jobID, key string) (models.Task, error) {
	held, err := one[models.TaskKey](s.read(ctx).Where("job_id = ? AND unique_key = ?", jobID, key), "unfinished task with this unique key")
	if err != nil {
		return models.Task{}, err
	}
	return s.Task(ctx, held.TaskID)
}

// Attempts answers the ended attempts of tasks that went on after them, by task
// and number.
func (s *Store) Attempts(ctx context.Context, taskIDs []string) ([]models.Attempt, error) {
	if len(taskIDs) == 0 {
		return nil, nil
	}
	return list[models.Attempt](s.read(ctx).Where("task_id IN ?", taskIDs).Order("task_id, number"), "attempts")
}

// Refusals answers the late reports of older attempts that were refused, oldest
// first.
func (s *Store) Refusals(ctx context.Context, taskIDs []string) ([]models.Refusal, error) {
	if len(taskIDs) == 0 {
		return nil, nil
	}
	return list[models.Refusal](s.read(ctx).Where("task_id IN ?", taskIDs).Order("id"), "refusals")
}

// recentJobs bounds the jobs whose latest tasks one statement reads.
const recentJobs = 20

// RecentTasks answers the latest tasks of each job, newest first.
func (s *Store) RecentTasks(ctx context.Context, jobIDs []string, perJob int) (map[string][]models.Task, error) {
	if perJob < 1 || perJob > largestPage {
		return nil, fault.At("first", fault.Invalid, "first is %d; it must be 1 to %d.", perJob, largestPage)
	}
	recent := make(map[string][]models.Task, len(jobIDs))
	for jobs := range slices.Chunk(jobIDs, recentJobs) {
		var ids []string
		for _, job := range jobs {
			of, err := s.taskIDs(ctx, jobBranches(job, nil, wanted{}), true, perJob)
			if err != nil {
				return nil, err
			}
			ids = append(ids, of...)
		}
		tasks, err := s.tasksInOrder(ctx, ids)
		if err != nil {
			return nil, err
		}
		for i := range tasks {
			recent[tasks[i].JobID] = append(recent[tasks[i].JobID], tasks[i])
		}
	}
	return recent, nil
}

// tasksInOrder reads the tasks with these ids in the order of ids.
func (s *Store) tasksInOrder(ctx context.Context, ids []string) ([]models.Task, error) {
	tasks, err := s.TasksByIDs(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("reading a page: %w", err)
	}
	place := make(map[string]int, len(ids))
	for i, id := range ids {
		place[id] = i
	}
	slices.SortFunc(tasks, func(a, b models.Task) int { return place[a.ID] - place[b.ID] })
	return tasks, nil
}
