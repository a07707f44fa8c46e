package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// graphCache keeps the whole graph of dependencies for runs that ask for everything
// downstream. It is read anew when its version has changed. Bounds: as many edges as
// there are dependencies, and reached, which starts afresh past mostReached entries.
type graphCache struct {
	mu      sync.Mutex
	version int64
	down    map[string][]string        // job → those that depend on it
	reached map[string]map[string]bool // root's job → all that lies downstream, itself included
	entries int                        // in reached
}

const mostReached = 200_000

// within answers which upstream jobs belong to the run of a root task: the root's own
// job and all that lies downstream of it. It is nil, and all are waited for, when the
// root is no longer in the ledger.
func (s *Store) within(tx *gorm.DB, rootID string, upstream []models.Dependency) (map[string]bool, error) {
	var root string
	switch err := queryFirst(tx, &root, "SELECT job_id FROM tasks WHERE id = ?", rootID); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading a run's root: %w", err)
	}
	var version int64
	err := queryFirst(tx, &version, "SELECT version FROM dependency_graph WHERE id = 1")
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("reading the version of the dependencies: %w", err)
	}
	c := &s.graph
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.down == nil || c.version != version {
		down, err := readGraph(tx)
		if err != nil {
			return nil, err
		}
		c.version, c.down, c.reached, c.entries = version, down, map[string]map[string]bool{}, 0
	}
	all := c.reach(root)
	in := make(map[string]bool, len(upstream))
	for _, d := range upstream {
		in[d.UpstreamID] = all[d.UpstreamID]
	}
	return in, nil
}

// reach answers a job and all that lies downstream of it.
func (c *graphCache) reach(root string) map[string]bool {
	if all := c.reached[root]; all != nil {
		return all
	}
	all := map[string]bool{root: true}
	for queue := []string{root}; len(queue) > 0; queue = queue[1:] {
		for _, job := range c.down[queue[0]] {
			if !all[job] {
				all[job] = true
				queue = append(queue, job)
			}
		}
	}
	if c.entries += len(all); c.entries > mostReached {
		c.reached, c.entries = map[string]map[string]bool{}, len(all)
	}
	c.reached[root] = all
	return all
}

const wholeGraph = "SELECT upstream_id, job_id FROM dependencies"

func readGraph(tx *gorm.DB) (map[string][]string, error) {
	rows, err := query(tx, wholeGraph)
	if err != nil {
		return nil, fmt.Errorf("reading the dependencies: %w", err)
	}
	down := map[string][]string{}
	err = scan(rows, func() error {
		var upstream, job string
		err := rows.Scan(&upstream, &job)
		down[upstream] = append(down[upstream], job)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the dependencies: %w", err)
	}
	return down, nil
}

// queryFirst reads the first value of a query; sql.ErrNoRows when there is none.
func queryFirst(tx *gorm.DB, into any, statement string, args ...any) error {
	rows, err := query(tx, statement, args...)
	if err != nil {
		return err
	}
	found := false
	err = scan(rows, func() error {
		found = true
		return rows.Scan(into)
	})
	if err == nil && !found {
		return sql.ErrNoRows
	}
	return err
}

// Within answers which of a job's upstream jobs belong to the run of a root task that
// asked for everything downstream; nil when that cannot be told any more.
func (s *Store) Within(ctx context.Context, rootID string, upstream []models.Dependency) (map[string]bool, error) {
	return s.within(s.read(ctx), rootID, upstream)
}
