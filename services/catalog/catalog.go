// Package catalog answers job definitions, and whether anybody can run them, from
// memory for the parts that handle tasks by the thousand. An entry lives for a few seconds and is dropped at once
// when the bus says that the job changed; whatever must be exact is decided in
// the ledger, not here.
package catalog

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/memo"
)

const (
	// lifetime bounds how long a definition may be stale when a hint was lost.
	lifetime = 5 * time.Second
	// capacity bounds the entries; past it the catalog starts afresh.
	capacity = 20_000
)

// Source reads from the ledger.
type Source interface {
	// JobsByIDs answers job definitions; ids that do not exist are left out.
	JobsByIDs(ctx context.Context, ids []string) ([]models.Job, error)
	// GroupsWorkers answers what the nodes of groups that are not offline can do; those
	// with these names, by app, and those that the groups pin their tasks to also by name.
	GroupsWorkers(ctx context.Context, groupIDs []string, named map[string][]string) (map[string]*models.GroupWorkers, error)
}

// Catalog caches job definitions, and who can run them. It is safe for concurrent use.
type Catalog struct {
	source  Source
	clock   clock.Clock
	workers *memo.Cache[string, *models.GroupWorkers] // by group; they are not changed

	mu   sync.Mutex
	jobs map[string]entry // at most capacity
	gen  int              // counts Forget, so that a read begun before it is not kept
}

type entry struct {
	job  *models.Job
	till time.Time
}

// New makes an empty catalog.
func New(source Source, c clock.Clock) *Catalog {
	return &Catalog{
		source: source, clock: c, jobs: map[string]entry{},
		workers: memo.New[string, *models.GroupWorkers](c, lifetimeOfWorkers, groupsKept),
	}
}

// Jobs answers the definitions of ids, deleted jobs included; ids that do not
// exist are left out. The definitions are shared: nobody changes them.
func (c *Catalog) Jobs(ctx context.Context, ids []string) (map[string]*models.Job, error) {
	found := make(map[string]*models.Job, len(ids))
	missing, gen := c.cached(ids, found)
	if len(missing) == 0 {
		return found, nil
	}
	jobs, err := c.source.JobsByIDs(ctx, missing)
	if err != nil {
		return nil, fmt.Errorf("reading %d job definitions: %w", len(missing), err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.jobs)+len(jobs) > capacity {
		clear(c.jobs)
	}
	till := c.clock.Now().Add(lifetime)
	for i := range jobs {
		found[jobs[i].ID] = &jobs[i]
		if gen == c.gen {
			c.jobs[jobs[i].ID] = entry{job: &jobs[i], till: till}
		}
	}
	return found, nil
}

// Warm reads again what would expire within ahead, so that whoever needs it at an
// instant that is known before does not have to wait for the ledger then.
func (c *Catalog) Warm(ctx context.Context, ids []string, ahead time.Duration) error {
	c.mu.Lock()
	till := c.clock.Now().Add(ahead)
	for _, id := range ids {
		if e, ok := c.jobs[id]; ok && e.till.Before(till) {
			delete(c.jobs, id)
		}
	}
	c.mu.Unlock()
	_, err := c.Jobs(ctx, ids)
	return err
}

// Forget drops the definition of a job that changed; an empty id drops all.
func (c *Catalog) Forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gen++
	if id == "" {
		clear(c.jobs)
		return
	}
	delete(c.jobs, id)
}

// cached puts what is known of ids into found and answers the rest, each once,
// with the present generation.
func (c *Catalog) cached(ids []string, found map[string]*models.Job) (missing []string, gen int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock.Now()
	asked := make(map[string]bool, len(ids))
	for _, id := range ids {
		if asked[id] {
			continue
		}
		asked[id] = true
		if e, ok := c.jobs[id]; ok && now.Before(e.till) {
			found[id] = e.job
			continue
		}
		missing = append(missing, id)
	}
	return missing, c.gen
}
