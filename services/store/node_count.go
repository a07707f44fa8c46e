package store

import (
	"context"
	"fmt"

	"github.com/belfry-scheduler/belfry/models"
)

// CountNodes answers how many nodes of some apps, nil: of all, are in each state, and how
// many slots the online ones have together.
func (s *Store) CountNodes(ctx context.Context, apps []string) (byState map[models.NodeState]int, slots int, err error) {
	var rows []struct {
		State models.NodeState
		N     int
		Slots int
	}
	q := s.read(ctx).Model(&models.Node{}).Select("state, COUNT(*) AS n, SUM(slots) AS slots").Group("state")
	if apps != nil {
		q = q.Where("app_id IN ?", apps)
	}
	if err := q.Scan(&rows).Error; err != nil {
		return nil, 0, fmt.Errorf("counting nodes by state: %w", err)
	}
	byState = make(map[models.NodeState]int, len(rows))
	for _, r := range rows {
		byState[r.State] = r.N
		if r.State == models.NodeOnline {
			slots = r.Slots
		}
	}
	return byState, slots, nil
}
