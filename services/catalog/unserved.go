package catalog

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// groupsKept bounds the groups whose workers are remembered.
const groupsKept = 10_000

// Unserved answers the ids of those jobs that no node of their group could run sooner or
// later: none that is not offline has the handler and is the node, or has the labels, that
// the job is routed to. That there is one is remembered for a few seconds, that there is
// none never: it is read again, for all jobs in one statement or two, so a worker that has
// come counts at once.
func (c *Catalog) Unserved(ctx context.Context, jobs []*models.Job) (map[string]bool, error) {
	var doubtful []*models.Job
	groups := map[string]bool{}
	for _, j := range jobs {
		if workers, ok := c.workers.Get(j.GroupID); !ok || !workers.Serve(j) {
			doubtful = append(doubtful, j)
			groups[j.GroupID] = true
		}
	}
	if len(doubtful) == 0 {
		return nil, nil //nolint:nilnil // reading from a nil map is fine
	}
	asOf := c.clock.Now()
	found, err := c.source.GroupsWorkers(ctx, slices.Sorted(maps.Keys(groups)), c.named(jobs, groups))
	if err != nil {
		return nil, fmt.Errorf("reading who can run %d jobs: %w", len(doubtful), err)
	}
	for group, workers := range found {
		c.workers.Put(group, workers, asOf)
	}
	unserved := map[string]bool{}
	for _, j := range doubtful {
		if w, ok := found[j.GroupID]; !ok || !w.Serve(j) {
			unserved[j.ID] = true
		}
	}
	return unserved, nil
}

// named lists, by app, the nodes that jobs of these groups may be pinned to. Whether one
// is by its group's rule is known only to the reading, which adds that node.
func (c *Catalog) named(jobs []*models.Job, groups map[string]bool) map[string][]string {
	var names map[string][]string
	for _, j := range jobs {
		if !groups[j.GroupID] || j.Routing == nil {
			continue
		}
		r, _ := models.RouteOf(j, 0, nil) // one that cannot be read has no node
		if name := r.Node(); name != "" && !slices.Contains(names[j.AppID], name) {
			if names == nil {
				names = map[string][]string{}
			}
			names[j.AppID] = append(names[j.AppID], name)
		}
	}
	return names
}

// lifetimeOfWorkers is how long a worker counts as there after it was read. One that
// leaves meanwhile is missed late, which costs a few rows.
const lifetimeOfWorkers = 5 * time.Second
