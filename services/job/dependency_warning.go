package job

import (
	"context"
	"fmt"
	"strings"

	"github.com/belfry-scheduler/belfry/models"
)

// apart answers, by job id, the names of upstream jobs that never share a run though
// the job waits for all of them in one: those without a dependency trigger, each of
// whose tasks begins a run. Jobs without such a fault are left out.
func (s *Service) apart(ctx context.Context, jobs []models.Job) (map[string][]string, error) {
	var ids []string
	for i := range jobs {
		j := &jobs[i]
		if j.TriggerKind == models.TriggerDependency && j.DependencyMode == models.DependencyAll && j.DependencyWindow == models.WindowRun {
			ids = append(ids, j.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	upstream, err := s.store.Upstream(ctx, ids)
	if err != nil {
		return nil, err
	}
	var others []string
	for _, list := range upstream {
		for _, d := range list {
			others = append(others, d.UpstreamID)
		}
	}
	rows, err := s.store.JobsByIDs(ctx, others)
	if err != nil {
		return nil, err
	}
	roots := map[string]string{}
	for i := range rows {
		if rows[i].TriggerKind != models.TriggerDependency {
			roots[rows[i].ID] = rows[i].Name
		}
	}
	all := map[string][]string{}
	for id, list := range upstream {
		var names []string
		for _, d := range list {
			if name, root := roots[d.UpstreamID]; root {
				names = append(names, fmt.Sprintf("%q", name))
			}
		}
		if len(names) > 1 {
			all[id] = names
		}
	}
	return all, nil
}

func apartWarning(names []string) string {
	return fmt.Sprintf("The upstream jobs %s each begin runs of their own and never meet in one: "+
		"wait for them by hour, day, week or month, unless it is only run with everything downstream of another job.",
		strings.Join(names[:min(len(names), namedUpstream)], ", "))
}
