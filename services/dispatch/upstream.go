package dispatch

import (
	"context"
	"fmt"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// mayHaveUpstream says whether a task may have been made by the ends of others: by a
// dependency trigger, or as the re-run of such a task.
func mayHaveUpstream(t *models.Task) bool {
	return t.Trigger == models.TriggerDependency || t.Trigger == models.TriggerManual && t.RootID != nil
}

// upstream answers, by task, the wire's form of the tasks that made some.
func (d *Dispatcher) upstream(ctx context.Context, tasks []models.Task) (map[string][]wire.Upstream, error) {
	var ids []string
	for i := range tasks {
		if mayHaveUpstream(&tasks[i]) {
			ids = append(ids, tasks[i].ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	results, err := d.cfg.Ledger.UpstreamResults(ctx, ids, wire.MaxUpstreamBytes)
	if err != nil {
		return nil, fmt.Errorf("reading the upstream results of %d tasks: %w", len(ids), err)
	}
	all := make(map[string][]wire.Upstream, len(results))
	for id, list := range results {
		all[id] = fitted(list)
	}
	return all, nil
}

// fitted leaves out the results that would make an assignment too large; a smaller one
// after them may fit. The bound is what a frame to a node at another server has room
// for beside the rest.
func fitted(results []models.UpstreamResult) []wire.Upstream {
	room := wire.MaxUpstreamBytes
	list := make([]wire.Upstream, len(results))
	for i := range results {
		r := &results[i]
		list[i] = wire.Upstream{Job: r.JobName, Task: r.TaskID, State: r.State.String()}
		if r.Bytes > room {
			list[i].Omitted = true
			continue
		}
		room -= r.Bytes
		list[i].Result = r.Result
	}
	return list
}
