package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// Server is a server as people see it.
type Server struct {
	models.Server
	State      models.ServerState
	Partitions []int          // those it took last, ascending
	Groups     int            // node groups in them
	Lag        *time.Duration // how late the oldest due fire or task is that could be handled now; nil without any
	Troubles   []string       // sentences: what is wrong
}

// flowFresh is how old an owner's word on a line may be before its age counts as
// lateness: the owner repeats it each second while something is due.
const flowFresh = 3 * time.Second

// Servers answers the servers that live, and those that were lost within the last
// hour, by name. A server that stopped in good order is gone from the list at once. It
// is six small reads, however many tasks there are.
func (s *Service) Servers(ctx context.Context) ([]Server, error) {
	rows, err := s.store.Servers(ctx, time.Unix(0, 0))
	if err != nil {
		return nil, err
	}
	owners, err := s.store.PartitionOwners(ctx)
	if err != nil {
		return nil, err
	}
	groups, err := s.store.GroupsByPartition(ctx)
	if err != nil {
		return nil, err
	}
	now := s.clock.Now()
	lags, err := s.lags(ctx, now)
	if err != nil {
		return nil, err
	}
	all := make([]Server, len(rows))
	for i := range rows {
		all[i] = s.server(rows[i], owners, groups, lags, now)
	}
	slices.SortFunc(all, func(a, b Server) int {
		if by := strings.Compare(a.Name, b.Name); by != 0 {
			return by
		}
		return a.StartedAt.Compare(b.StartedAt)
	})
	return all, nil
}

// lags answers, by partition, how late the oldest fire or task is that nothing holds up.
func (s *Service) lags(ctx context.Context, now time.Time) (map[int]time.Duration, error) {
	fires, err := s.store.OverdueFires(ctx, now)
	if err != nil {
		return nil, err
	}
	flows, err := s.store.LateFlows(ctx)
	if err != nil {
		return nil, err
	}
	lags := make(map[int]time.Duration, len(fires)+len(flows))
	for part, at := range fires {
		lags[part] = now.Sub(at)
	}
	for i := range flows {
		part := models.PartitionOf(flows[i].GroupID)
		lags[part] = max(lags[part], lateness(&flows[i], now))
	}
	return lags, nil
}

// lateness is how late a line's oldest task is at now, which its owner told a while ago.
func lateness(f *models.GroupFlow, now time.Time) time.Duration {
	late := time.Duration(f.LateMS) * time.Millisecond
	if age := now.Sub(f.At); age > flowFresh {
		late += age
	}
	return late
}

func (s *Service) server(row models.Server, owners []models.Partition, groups map[int]int, lags map[int]time.Duration, now time.Time) Server {
	shown := Server{Server: row, State: models.ServerLive, Partitions: []int{}, Troubles: []string{}}
	for _, p := range owners {
		if p.OwnerID != row.ID {
			continue
		}
		shown.Partitions = append(shown.Partitions, p.ID)
		shown.Groups += groups[p.ID]
		if lag, late := lags[p.ID]; late && (shown.Lag == nil || lag > *shown.Lag) {
			shown.Lag = &lag
		}
	}
	if len(row.Degraded) > 0 && json.Unmarshal(row.Degraded, &shown.Troubles) != nil {
		shown.Troubles = []string{}
	}
	silent := now.Sub(row.LastSeenAt)
	switch {
	case silent >= s.lost:
		shown.State = models.ServerLost
		shown.Troubles = []string{fmt.Sprintf("It has not been heard of for %s: the other servers take its partitions.", silent.Round(time.Second))}
	case row.Stopping:
		shown.State = models.ServerStopping
	}
	return shown
}

// GroupFlows answers how the lines of groups move, by their owners' word; groups that
// never had a line are missing. The word of an owner that is silent is old, which
// DrainsNote then says.
func (s *Service) GroupFlows(ctx context.Context, groupIDs []string) (map[string]models.GroupFlow, error) {
	flows, err := s.store.GroupFlows(ctx, groupIDs)
	if err != nil {
		return nil, err
	}
	now := s.clock.Now()
	for id, f := range flows {
		if age := now.Sub(f.At); age > flowFresh {
			f.Released = 0
			if f.Due > 0 {
				f.DrainsInMS = nil
				f.DrainsNote = fmt.Sprintf("Its server has said nothing for %s: the figures are from then.", age.Round(time.Second))
			}
			flows[id] = f
		}
	}
	return flows, nil
}
