package job

import (
	"context"

	"github.com/belfry-scheduler/belfry/models"
)

// Upstream answers what each of these jobs waits for, in the order in which it was
// entered.
func (s *Service) Upstream(ctx context.Context, jobIDs []string) (map[string][]models.Dependency, error) {
	return s.store.Upstream(ctx, jobIDs)
}

// Downstream answers the jobs whose trigger names each of these jobs, the first perJob
// of them by name.
func (s *Service) Downstream(ctx context.Context, jobIDs []string, perJob int) (map[string][]models.Job, error) {
	return s.store.Dependents(ctx, jobIDs, perJob)
}

// Join is one window of a job with a dependency trigger.
type Join struct {
	models.Join
	Arrived []Arrival // in order of the instants
	Missing []string  // ids of the upstream jobs that are still awaited; none once the window is closed
}

// Arrival is the end of an upstream task within a window.
type Arrival struct {
	models.JoinArrival
	On models.DependencyCondition // what is awaited of its job now
}

// Joins answers the windows of each job that were opened last, newest first. Jobs that
// are no longer waited for are left out of them.
func (s *Service) Joins(ctx context.Context, jobIDs []string, perJob int) (map[string][]Join, error) {
	rows, err := s.store.Joins(ctx, jobIDs, perJob)
	if err != nil {
		return nil, err
	}
	var flat []models.Join
	for _, joins := range rows {
		flat = append(flat, joins...)
	}
	arrived, err := s.store.JoinArrivals(ctx, flat)
	if err != nil {
		return nil, err
	}
	upstream, err := s.store.Upstream(ctx, jobIDs)
	if err != nil {
		return nil, err
	}
	all := make(map[string][]Join, len(rows))
	for id, joins := range rows {
		for _, row := range joins {
			j, err := s.join(ctx, row, upstream[id], arrived[[2]string{row.JobID, row.Window}])
			if err != nil {
				return nil, err
			}
			all[id] = append(all[id], j)
		}
	}
	return all, nil
}

// join puts a window together.
func (s *Service) join(ctx context.Context, row models.Join, upstream []models.Dependency, arrived []models.JoinArrival) (Join, error) {
	j := Join{Join: row, Missing: []string{}}
	awaited := make(map[string]models.DependencyCondition, len(upstream))
	for _, d := range upstream {
		awaited[d.UpstreamID] = d.On
	}
	met := map[string]bool{}
	for _, a := range arrived {
		if on, waits := awaited[a.UpstreamID]; waits {
			j.Arrived = append(j.Arrived, Arrival{JoinArrival: a, On: on})
			met[a.UpstreamID] = on.Met(a.State)
		}
	}
	if row.Closed() {
		return j, nil
	}
	var within map[string]bool
	if row.Downstream == models.DownstreamAll { // such a window is named by its run's root
		var err error
		if within, err = s.store.Within(ctx, row.Window, upstream); err != nil {
			return Join{}, err
		}
	}
	for _, d := range upstream {
		if !met[d.UpstreamID] && (within == nil || within[d.UpstreamID]) {
			j.Missing = append(j.Missing, d.UpstreamID)
		}
	}
	return j, nil
}
