package graph

import (
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fleet"
)

// serverOf shows a server.
func (r *Resolver) serverOf(s *fleet.Server) *gqlmodel.Server {
	shown := &gqlmodel.Server{
		ID: s.ID, Name: s.Name, Version: s.Version, State: s.State, StartedAt: s.StartedAt, LastSeenAt: s.LastSeenAt,
		Partitions: s.Partitions, Groups: s.Groups, Lag: s.Lag, ClockOffset: millis(s.ClockOffsetMS),
		Degraded: s.Troubles, Self: s.ID == r.installation.ServerID,
	}
	if s.Locks != 0 {
		shown.Locks = &s.Locks
	}
	return shown
}

// drainsNote is why a line's end cannot be said; nil when it can.
func drainsNote(f models.GroupFlow) *string {
	if f.DrainsInMS != nil || f.DrainsNote == "" {
		return nil
	}
	return &f.DrainsNote
}
