package fleet

import (
	"context"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Limits and defaults of a node group.
const (
	mostLimit        = 100_000
	defaultHeartbeat = 5 * time.Second
	defaultMisses    = 3
	shortestBeat     = time.Second
	longestBeat      = time.Minute
	fewestMisses     = 2
	mostMisses       = 20
)

// Group is a new node group in the terms of the API; nil means absent.
type Group struct {
	AppID             string
	Name              string
	MaxRunning        *int
	ReleaseRate       *int
	ReleaseBurst      *int
	Routing           *models.Routing
	Route             *check.Route // with what its strategy needs; instead of Routing
	HeartbeatInterval *time.Duration
	HeartbeatMisses   *int
}

// Field is a field of an update: absent (the zero value), null (Set, Value nil)
// or a value.
type Field[T any] struct {
	Set   bool
	Value *T
}

// GroupUpdate is a change of a node group: absent fields stay, null clears a limit
// or sets the default.
type GroupUpdate struct {
	ID                string
	MaxRunning        Field[int]
	ReleaseRate       Field[int]
	ReleaseBurst      Field[int]
	Routing           Field[models.Routing]
	Route             Field[check.Route] // with what its strategy needs; instead of Routing
	HeartbeatInterval Field[time.Duration]
	HeartbeatMisses   Field[int]
}

// CreateGroup makes a node group. Faults: INVALID, REQUIRED, TAKEN, NOT_FOUND (the
// app).
func (s *Service) CreateGroup(ctx context.Context, actor string, in Group) (models.NodeGroup, error) {
	now := s.clock.Now()
	g := newGroup(in.AppID, in.Name, now)
	g.MaxRunning, g.ReleaseRate, g.ReleaseBurst = in.MaxRunning, in.ReleaseRate, in.ReleaseBurst
	if in.HeartbeatMisses != nil {
		g.HeartbeatMisses = *in.HeartbeatMisses
	}
	var wrong fault.List
	wrong.Add(check.Name("name", in.Name))
	wrong = append(wrong, setRouting(&g, in.Routing, in.Route)...)
	wrong.Add(setHeartbeat(&g, in.HeartbeatInterval))
	wrong = append(wrong, checkGroup(&g)...)
	if err := wrong.Err(); err != nil {
		return models.NodeGroup{}, err
	}
	row := audit(now, actor, "group.create", "group", g.ID, detail(map[string]any{"name": g.Name}))
	if err := s.store.CreateGroup(ctx, g, row); err != nil {
		return models.NodeGroup{}, err
	}
	s.notify.GroupChanged(ctx, g.ID)
	return g, nil
}

// UpdateGroup changes a node group. Faults: NOT_FOUND, INVALID.
func (s *Service) UpdateGroup(ctx context.Context, actor string, in GroupUpdate) (models.NodeGroup, error) {
	now := s.clock.Now()
	row := audit(now, actor, "group.update", "group", in.ID, detail(in.changes()))
	g, err := s.store.UpdateGroup(ctx, in.ID, func(g *models.NodeGroup) error {
		g.UpdatedAt = now
		return in.apply(g)
	}, row)
	if err != nil {
		return models.NodeGroup{}, err
	}
	s.notify.GroupChanged(ctx, g.ID)
	return g, nil
}

// apply puts the changes into g and checks the whole.
func (in *GroupUpdate) apply(g *models.NodeGroup) error {
	var wrong fault.List
	for _, limit := range []struct {
		field Field[int]
		to    **int
	}{
		{in.MaxRunning, &g.MaxRunning}, {in.ReleaseRate, &g.ReleaseRate}, {in.ReleaseBurst, &g.ReleaseBurst},
	} {
		if limit.field.Set {
			*limit.to = limit.field.Value
		}
	}
	same := in.Routing.Value != nil && *in.Routing.Value == g.Routing // the strategy alone, unchanged, leaves its rule
	if in.Route.Set || in.Routing.Set && !same {
		wrong = append(wrong, setRouting(g, in.Routing.Value, in.Route.Value)...)
	}
	if in.HeartbeatMisses.Set {
		g.HeartbeatMisses = valueOr(in.HeartbeatMisses.Value, defaultMisses)
	}
	if in.HeartbeatInterval.Set {
		every := valueOr(in.HeartbeatInterval.Value, defaultHeartbeat)
		wrong.Add(setHeartbeat(g, &every))
	}
	return append(wrong, checkGroup(g)...).Err()
}

// changes is what the audit log shows.
func (in *GroupUpdate) changes() map[string]any {
	all := map[string]any{}
	note(all, "maxRunning", in.MaxRunning)
	note(all, "releaseRate", in.ReleaseRate)
	note(all, "releaseBurst", in.ReleaseBurst)
	note(all, "routing", in.Routing)
	note(all, "routingRule", in.Route)
	note(all, "heartbeatInterval", in.HeartbeatInterval)
	note(all, "heartbeatMisses", in.HeartbeatMisses)
	return all
}

func note[T any](all map[string]any, name string, f Field[T]) {
	switch {
	case !f.Set:
	case f.Value == nil:
		all[name] = nil
	default:
		all[name] = shown(*f.Value)
	}
}

// shown is a value as the API writes it.
func shown(v any) any {
	if named, ok := v.(fmt.Stringer); ok {
		return named.String()
	}
	return v
}

func valueOr[T any](v *T, otherwise T) T {
	if v == nil {
		return otherwise
	}
	return *v
}

// DeleteGroup deletes a node group with its nodes. Faults: NOT_FOUND, CONFLICT
// while jobs or unfinished tasks are dispatched to it.
func (s *Service) DeleteGroup(ctx context.Context, actor, id string) (models.NodeGroup, error) {
	g, err := s.store.DeleteGroup(ctx, id, audit(s.clock.Now(), actor, "group.delete", "group", id, nil))
	if err != nil {
		return models.NodeGroup{}, err
	}
	s.notify.GroupChanged(ctx, id)
	return g, nil
}

// Group answers one node group. Fault: NOT_FOUND.
func (s *Service) Group(ctx context.Context, id string) (models.NodeGroup, error) {
	return s.store.Group(ctx, id)
}

// Groups answers the node groups of one app, or of all for an empty id, by app and
// name; at most 1,000.
func (s *Service) Groups(ctx context.Context, appID string) ([]models.NodeGroup, error) {
	return s.store.Groups(ctx, appID)
}

// GroupsByIDs answers the groups that exist among ids, in no order.
func (s *Service) GroupsByIDs(ctx context.Context, ids []string) ([]models.NodeGroup, error) {
	return s.store.GroupsByIDs(ctx, ids)
}

// GroupJobCounts answers how many jobs are dispatched to each of these groups.
func (s *Service) GroupJobCounts(ctx context.Context, groupIDs []string) (map[string]int, error) {
	return s.store.CountJobsByGroup(ctx, groupIDs)
}

// GroupLoad is what goes on in a group.
type GroupLoad struct {
	Waiting int64 // for their time, a slot or a retry
	Running int64
	Slots   int // of online nodes
}

// Loads answers what goes on in each group that has tasks or nodes.
func (s *Service) Loads(ctx context.Context) (map[string]GroupLoad, error) {
	counters, err := s.store.Counters(ctx)
	if err != nil {
		return nil, err
	}
	slots, err := s.store.GroupSlots(ctx)
	if err != nil {
		return nil, err
	}
	loads := make(map[string]GroupLoad, len(counters))
	for id, n := range counters {
		loads[id] = GroupLoad{Waiting: n[models.TaskWaiting] + n[models.TaskRetrying], Running: n[models.TaskRunning]}
	}
	for id, n := range slots {
		load := loads[id]
		load.Slots = n
		loads[id] = load
	}
	return loads, nil
}

func defaultGroup(appID string, now time.Time) models.NodeGroup {
	return newGroup(appID, "default", now)
}

func newGroup(appID, name string, now time.Time) models.NodeGroup {
	id := models.NewID(now)
	return models.NodeGroup{
		ID: id, AppID: appID, Name: name, Partition: models.PartitionOf(id), Routing: models.RouteLeastLoaded,
		HeartbeatMS: defaultHeartbeat.Milliseconds(), HeartbeatMisses: defaultMisses, CreatedAt: now, UpdatedAt: now,
	}
}

func setHeartbeat(g *models.NodeGroup, every *time.Duration) *fault.Error {
	if every == nil {
		return nil
	}
	g.HeartbeatMS = every.Milliseconds()
	return check.Span("heartbeatInterval", *every, shortestBeat, longestBeat)
}

// setRouting puts a routing in: a strategy with its rule, or a strategy that needs none.
func setRouting(g *models.NodeGroup, strategy *models.Routing, route *check.Route) fault.List {
	field := "routingRule"
	if route == nil {
		field = "routing"
		route = &check.Route{Strategy: valueOr(strategy, models.RouteLeastLoaded)}
	}
	rule, wrong := check.Routing(field, *route)
	if route.Strategy == models.RouteBroadcast {
		wrong.Add(fault.At(field, fault.Invalid, "%s is BROADCAST, which is for single jobs: every task of the group would run on all its nodes. Give it to the jobs that are meant.", field))
	}
	g.Routing, g.RoutingRule = route.Strategy, rule
	return wrong
}

// checkGroup checks the limits, and those that depend on one another.
func checkGroup(g *models.NodeGroup) fault.List {
	var wrong fault.List
	for _, limit := range []struct {
		name  string
		value *int
	}{
		{"maxRunning", g.MaxRunning}, {"releaseRate", g.ReleaseRate}, {"releaseBurst", g.ReleaseBurst},
	} {
		if limit.value != nil {
			wrong.Add(check.Number(limit.name, *limit.value, 1, mostLimit))
		}
	}
	if g.ReleaseBurst != nil && g.ReleaseRate == nil {
		wrong.Add(fault.At("releaseBurst", fault.Invalid,
			"releaseBurst is %d without a releaseRate; set a releaseRate or leave releaseBurst out.", *g.ReleaseBurst))
	}
	if g.ReleaseBurst != nil && g.ReleaseRate != nil && *g.ReleaseBurst > *g.ReleaseRate {
		wrong.Add(fault.At("releaseBurst", fault.Invalid,
			"releaseBurst is %d and above releaseRate, %d; within any second no more than the rate begins, so give at most %d or raise the rate.",
			*g.ReleaseBurst, *g.ReleaseRate, *g.ReleaseRate))
	}
	wrong.Add(check.Number("heartbeatMisses", g.HeartbeatMisses, fewestMisses, mostMisses))
	return wrong
}
