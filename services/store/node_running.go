package store

import (
	"context"
	"fmt"

	"github.com/belfry-scheduler/belfry/models"
)

// HandlersRunning counts the RUNNING attempts that are with the present process of each
// of these nodes, by node and name of the handler; it reads what runs in their groups.
func (s *Store) HandlersRunning(ctx context.Context, nodes []models.Node) (map[string]map[string]int, error) {
	process, seen := make(map[string]string, len(nodes)), map[string]bool{}
	var groups []string
	for i := range nodes {
		process[nodes[i].ID] = nodes[i].Incarnation
		if g := nodes[i].GroupID; !seen[g] {
			seen[g] = true
			groups = append(groups, g)
		}
	}
	counts := make(map[string]map[string]int, len(nodes))
	for chunk := range chunks(groups, inLimit) {
		rows, err := query(s.read(ctx), "SELECT t.node_id, t.incarnation, j.handler, COUNT(*) FROM tasks t"+s.dialect.forceIndex("tasks_queue")+
			" JOIN jobs j ON j.id = t.job_id WHERE t.group_id IN ("+marks(len(chunk))+") AND t.state = ? AND t.node_id IS NOT NULL"+
			" GROUP BY t.node_id, t.incarnation, j.handler", append(anys(chunk), models.TaskRunning)...)
		if err != nil {
			return nil, fmt.Errorf("counting what runs on nodes: %w", err)
		}
		err = scan(rows, func() error {
			var node, incarnation, handler string
			var n int
			if err := rows.Scan(&node, &incarnation, &handler, &n); err != nil {
				return err
			}
			if present, asked := process[node]; !asked || present != incarnation {
				return nil
			}
			if counts[node] == nil {
				counts[node] = map[string]int{}
			}
			counts[node][handler] = n
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("counting what runs on nodes: %w", err)
		}
	}
	return counts, nil
}
