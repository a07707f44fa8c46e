package catalog

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// groupsKept bounds the groups whose handlers are remembered.
const groupsKept = 10_000

// Unserved answers the ids of those jobs whose group has no node that could run them
// sooner or later: none that is not offline has the handler. That a handler is there is
// remembered for a few seconds, that it is missing never: it is read again, for all jobs
// in one statement, so a worker that has come counts at once.
func (c *Catalog) Unserved(ctx context.Context, jobs []*models.Job) (map[string]bool, error) {
	var doubtful []*models.Job
	groups := map[string]bool{}
	for _, j := range jobs {
		if handlers, ok := c.handlers.Get(j.GroupID); !ok || !handlers[j.Handler] {
			doubtful = append(doubtful, j)
			groups[j.GroupID] = true
		}
	}
	if len(doubtful) == 0 {
		return nil, nil //nolint:nilnil // reading from a nil map is fine
	}
	asOf := c.clock.Now()
	found, err := c.source.GroupsHandlers(ctx, slices.Sorted(maps.Keys(groups)))
	if err != nil {
		return nil, fmt.Errorf("reading who can run %d jobs: %w", len(doubtful), err)
	}
	for group, handlers := range found {
		c.handlers.Put(group, handlers, asOf)
	}
	unserved := map[string]bool{}
	for _, j := range doubtful {
		if !found[j.GroupID][j.Handler] {
			unserved[j.ID] = true
		}
	}
	return unserved, nil
}

// lifetimeOfHandlers is how long a handler counts as there after it was read. A worker
// that leaves meanwhile is missed late, which costs a few rows.
const lifetimeOfHandlers = 5 * time.Second
