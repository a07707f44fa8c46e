package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// RouteInput is what a task's node may be chosen by.
type RouteInput struct {
	UniqueKey  string // empty without one
	Parameters json.RawMessage
}

// RouteInputs answers what the nodes of tasks may be chosen by; ids without a task
// are left out.
func (s *Store) RouteInputs(ctx context.Context, ids []string) (map[string]RouteInput, error) {
	found := make(map[string]RouteInput, len(ids))
	for chunk := range chunks(ids, inLimit) {
		rows, err := query(s.read(ctx), "SELECT id, COALESCE(unique_key, ''), COALESCE(parameters, '') FROM tasks"+s.dialect.byKey()+
			" WHERE id IN ("+marks(len(chunk))+")", anys(chunk)...)
		if err != nil {
			return nil, fmt.Errorf("reading the routing keys of %d tasks: %w", len(ids), err)
		}
		err = scan(rows, func() error {
			var id, parameters string
			var in RouteInput
			err := rows.Scan(&id, &in.UniqueKey, &parameters)
			if parameters != "" {
				in.Parameters = json.RawMessage(parameters)
			}
			found[id] = in
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("reading the routing keys of %d tasks: %w", len(ids), err)
		}
	}
	return found, nil
}

// LastNodes answers the nodes that ran the latest tasks of jobs; a job none of whose
// newest tasks ran is left out.
func (s *Store) LastNodes(ctx context.Context, jobIDs []string) (map[string]string, error) {
	until := models.LowestID(s.clock.Now().Add(time.Millisecond)) // what is scheduled for later has not run
	last := make(map[string]string, len(jobIDs))
	for _, job := range jobIDs {
		ids, err := readIDs(s.read(ctx), "SELECT node_id FROM (SELECT id, node_id FROM tasks"+s.dialect.forceIndex("tasks_job")+
			" WHERE job_id = ? AND shelf = ? AND id < ? ORDER BY id DESC LIMIT ?) newest WHERE node_id IS NOT NULL ORDER BY id DESC LIMIT 1",
			job, shelfMoving, until, newestLooked)
		if err != nil {
			return nil, fmt.Errorf("reading the last node of a job: %w", err)
		}
		if len(ids) > 0 {
			last[job] = ids[0]
		}
	}
	return last, nil
}
