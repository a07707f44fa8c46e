package task

import (
	"context"
	"fmt"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// What reads take and answer; the shapes are the ledger's.
type (
	// Filter says which tasks; all its set conditions hold.
	Filter = store.TaskFilter
	// Page says which part of a list: by the ids before and after it.
	Page = store.Page
	// PageInfo says whether the list goes on at either end.
	PageInfo = store.PageInfo
)

// Task answers one task. Fault: NOT_FOUND.
func (s *Service) Task(ctx context.Context, id string) (models.Task, error) {
	return s.store.Task(ctx, id)
}

// ByIDs answers the tasks that exist among ids, in no order.
func (s *Service) ByIDs(ctx context.Context, ids []string) ([]models.Task, error) {
	return s.store.TasksByIDs(ctx, ids)
}

// Page answers a page of tasks, latest scheduled first. Page.After and
// Page.Before are task ids. Fault: INVALID for a page without or with two sizes.
func (s *Service) Page(ctx context.Context, f Filter, p Page) ([]models.Task, PageInfo, error) {
	return s.store.TaskPage(ctx, f, p)
}

// Recent answers the latest tasks of each job, newest first.
func (s *Service) Recent(ctx context.Context, jobIDs []string, perJob int) (map[string][]models.Task, error) {
	return s.store.RecentTasks(ctx, jobIDs, perJob)
}

// Attempts answers all attempts of each of tasks, first to latest, by task id.
func (s *Service) Attempts(ctx context.Context, tasks []models.Task) (map[string][]Attempt, error) {
	ended, err := s.store.Attempts(ctx, idsOf(tasks))
	if err != nil {
		return nil, fmt.Errorf("reading attempts: %w", err)
	}
	byTask := groupBy(ended, func(a *models.Attempt) string { return a.TaskID })
	all := make(map[string][]Attempt, len(tasks))
	for i := range tasks {
		all[tasks[i].ID] = attemptsOf(&tasks[i], byTask[tasks[i].ID])
	}
	return all, nil
}

// Timeline answers everything that happened to each of tasks, in order, by task
// id.
func (s *Service) Timeline(ctx context.Context, tasks []models.Task) (map[string][]Entry, error) {
	ids := idsOf(tasks)
	ended, err := s.store.Attempts(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("reading attempts: %w", err)
	}
	refusals, err := s.store.Refusals(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("reading refusals: %w", err)
	}
	audits, err := s.store.TaskAudits(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("reading the audit log: %w", err)
	}
	attemptsBy := groupBy(ended, func(a *models.Attempt) string { return a.TaskID })
	refusalsBy := groupBy(refusals, func(r *models.Refusal) string { return r.TaskID })
	auditsBy := groupBy(audits, func(a *models.Audit) string { return a.Object })
	all := make(map[string][]Entry, len(tasks))
	for i := range tasks {
		id := tasks[i].ID
		all[id] = timeline(&tasks[i], attemptsBy[id], refusalsBy[id], auditsBy[id])
	}
	return all, nil
}

func idsOf(tasks []models.Task) []string {
	ids := make([]string, len(tasks))
	for i := range tasks {
		ids[i] = tasks[i].ID
	}
	return ids
}

// groupBy sorts rows into lists by key and keeps their order.
func groupBy[T any](rows []T, key func(*T) string) map[string][]T {
	groups := map[string][]T{}
	for i := range rows {
		groups[key(&rows[i])] = append(groups[key(&rows[i])], rows[i])
	}
	return groups
}
