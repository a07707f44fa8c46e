package task

import (
	"context"
	"slices"
	"strings"

	"github.com/belfry-scheduler/belfry/models"
)

// Upstream answers, for each task that was made by the ends of others, these; those
// that are no more are left out.
func (s *Service) Upstream(ctx context.Context, taskIDs []string) (map[string][]models.Task, error) {
	links, err := s.store.TaskInputs(ctx, taskIDs)
	if err != nil {
		return nil, err
	}
	return s.linked(ctx, links)
}

// Downstream answers the tasks that each task's end made or helped to make, latest
// scheduled first, perTask of them.
func (s *Service) Downstream(ctx context.Context, taskIDs []string, perTask int) (map[string][]models.Task, error) {
	links, err := s.store.TaskOutputs(ctx, taskIDs, perTask)
	if err != nil {
		return nil, err
	}
	return s.linked(ctx, links)
}

// linked reads the tasks at the other ends of links, in the order of these.
func (s *Service) linked(ctx context.Context, links map[string][]string) (map[string][]models.Task, error) {
	var ids []string
	for _, list := range links {
		ids = append(ids, list...)
	}
	slices.Sort(ids)
	rows, err := s.ByIDs(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b models.Task) int { return strings.Compare(a.ID, b.ID) })
	all := make(map[string][]models.Task, len(links))
	for id, list := range links {
		for _, other := range list {
			at, found := slices.BinarySearchFunc(rows, other, func(t models.Task, id string) int { return strings.Compare(t.ID, id) })
			if found {
				all[id] = append(all[id], rows[at])
			}
		}
	}
	return all, nil
}
