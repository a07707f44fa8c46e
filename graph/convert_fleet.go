package graph

import (
	"encoding/json"

	"github.com/99designs/gqlgen/graphql"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fleet"
)

func appOf(a *models.App) *gqlmodel.App {
	if a == nil {
		return nil
	}
	return &gqlmodel.App{ID: a.ID, Name: a.Name, Description: a.Description, CreatedAt: a.CreatedAt}
}

func appKeyOf(k *models.AppKey) *gqlmodel.AppKey {
	return &gqlmodel.AppKey{
		ID: k.ID, Prefix: k.Prefix, CreatedAt: k.CreatedAt, LastUsedAt: k.LastUsedAt, RevokedAt: k.RevokedAt,
	}
}

func groupOf(g *models.NodeGroup) *gqlmodel.NodeGroup {
	if g == nil {
		return nil
	}
	return &gqlmodel.NodeGroup{
		ID: g.ID, Name: g.Name, MaxRunning: g.MaxRunning, ReleaseRate: g.ReleaseRate, ReleaseBurst: g.ReleaseBurst,
		Routing: g.Routing, RoutingRule: routingOf(g.Routing, g.RoutingRule), HeartbeatInterval: millis(g.HeartbeatMS), HeartbeatMisses: g.HeartbeatMisses,
		Warnings: fleet.GroupWarnings(g), TakeoverAfter: g.OfflineAfter(), CreatedAt: g.CreatedAt, Row: g,
	}
}

func nodeOf(n *models.Node) *gqlmodel.Node {
	if n == nil {
		return nil
	}
	return &gqlmodel.Node{
		ID: n.ID, Name: n.Name, State: n.State, Slots: n.Slots, Running: n.Running, LastSeenAt: n.LastSeenAt,
		Incarnation: n.Incarnation, StartedAt: n.StartedAt, Labels: n.Labels, Handlers: handlersOf(n),
		Sdk: n.SDK, Host: n.Host, DeafSince: n.DeafSince,
		Stuck: n.Stuck, StuckAttempts: stuckOf(n), Lingering: n.Lingering, Row: n,
	}
}

// stuckOf reads which handlers of a node do not end; the ledger holds only valid ones.
func stuckOf(n *models.Node) []*gqlmodel.StuckAttempt {
	var rows []models.StuckAttempt
	if len(n.StuckAttempts) > 0 && json.Unmarshal(n.StuckAttempts, &rows) != nil {
		rows = nil
	}
	stuck := make([]*gqlmodel.StuckAttempt, len(rows))
	for i, s := range rows {
		stuck[i] = &gqlmodel.StuckAttempt{
			TaskID: s.TaskID, Attempt: s.Attempt, Handler: s.Handler, Since: s.Since, Cause: s.Cause, Stack: s.Stack,
		}
	}
	return stuck
}

// stuckTasks are the tasks whose handlers do not end on a node.
func stuckTasks(n *models.Node) []string {
	if len(n.StuckAttempts) == 0 {
		return nil
	}
	stuck := stuckOf(n)
	ids := make([]string, len(stuck))
	for i, s := range stuck {
		ids[i] = s.TaskID
	}
	return ids
}

// handlerSlotsOf reads the limits of single handlers, with how many run of each; the
// ledger holds only valid ones.
func handlerSlotsOf(n *models.Node, running map[string]int) []*gqlmodel.HandlerSlots {
	limits := []*gqlmodel.HandlerSlots{}
	if len(n.HandlerSlots) > 0 && json.Unmarshal(n.HandlerSlots, &limits) != nil {
		return []*gqlmodel.HandlerSlots{}
	}
	for _, limit := range limits {
		for _, name := range limit.Handlers {
			limit.Running += running[name]
		}
	}
	return limits
}

// handlersOf reads the handler names of a node; the ledger holds only valid ones.
func handlersOf(n *models.Node) []string {
	handlers := []string{}
	if len(n.Handlers) > 0 && json.Unmarshal(n.Handlers, &handlers) != nil {
		return []string{}
	}
	return handlers
}

func groupInput(in gqlmodel.CreateNodeGroupInput) fleet.Group {
	return fleet.Group{
		AppID: in.App, Name: in.Name,
		MaxRunning: in.MaxRunning.Value(), ReleaseRate: in.ReleaseRate.Value(), ReleaseBurst: in.ReleaseBurst.Value(),
		Routing: in.Routing.Value(), Route: routingInput(in.RoutingRule.Value()), HeartbeatInterval: in.HeartbeatInterval.Value(), HeartbeatMisses: in.HeartbeatMisses.Value(),
	}
}

func groupUpdate(in gqlmodel.UpdateNodeGroupInput) fleet.GroupUpdate {
	return fleet.GroupUpdate{
		ID:         in.ID,
		MaxRunning: fleetField(in.MaxRunning), ReleaseRate: fleetField(in.ReleaseRate), ReleaseBurst: fleetField(in.ReleaseBurst),
		Routing: fleetField(in.Routing), Route: fleetRoute(in.RoutingRule), HeartbeatInterval: fleetField(in.HeartbeatInterval), HeartbeatMisses: fleetField(in.HeartbeatMisses),
	}
}

func fleetField[T any](o graphql.Omittable[*T]) fleet.Field[T] {
	value, set := o.ValueOK()
	return fleet.Field[T]{Set: set, Value: value}
}

func fleetRoute(o graphql.Omittable[*gqlmodel.RoutingInput]) fleet.Field[check.Route] {
	value, set := o.ValueOK()
	return fleet.Field[check.Route]{Set: set, Value: routingInput(value)}
}
