package dispatch

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// route is how the nodes of a job's tasks are chosen.
type route struct {
	strategy models.Routing
	rule     models.RoutingRule
}

// routeOf is a job's own route, or its group's.
func routeOf(j *models.Job, g *models.NodeGroup) (route, error) {
	r, err := models.RouteOf(j, g.Routing, g.RoutingRule)
	return route{strategy: r.Strategy, rule: r.Rule}, err
}

// seek is one task that needs a node.
type seek struct {
	handler string
	avoid   string    // id of the node on which its last attempt ended; empty: none
	key     string    // CONSISTENT_HASH; empty: it has none
	last    string    // STICKY: id of the node that ran its job last; empty: none
	since   time.Time // it could have started from then on
	now     time.Time
}

// found is what became of a search.
type found struct {
	node  *node     // nil: none can take the task now
	fail  bool      // it shall wait no longer: a person must decide
	none  bool      // no node is online that could ever take it
	lost  bool      // of a part: its own node is gone, so any other may take it
	again time.Time // without a change it is worth looking again then; zero: it is not
}

// seekLocked chooses a node for a task. It only reads the group, but for the turn of
// ROUND_ROBIN.
func (g *group) seekLocked(r *route, s *seek) found {
	if r.strategy == models.RouteLeastLoaded || r.strategy == models.RouteLabels {
		return g.lightestLocked(r, s)
	}
	able := g.ableLocked(r, s.handler)
	switch r.strategy {
	case models.RoutePinned:
		return g.pinnedLocked(r, s, able)
	case models.RouteSticky:
		if i := slices.IndexFunc(able, func(n *node) bool { return n.row.ID == s.last }); i >= 0 && s.last != s.avoid {
			return found{node: withRoom(able[i], s.handler)} // it waits for this node while it is there
		}
	case models.RouteLeastLoaded, models.RouteRoundRobin, models.RouteRandom, models.RouteHash, models.RouteLabels, models.RouteBroadcast:
	}
	f := found{none: len(able) == 0}
	able = slices.DeleteFunc(able, func(n *node) bool { return !n.room(s.handler) })
	if others := without(able, s.avoid); len(others) > 0 {
		able = others
	}
	if len(able) > 0 {
		f.node = g.pickLocked(r.strategy, s.key, able)
	}
	return f
}

// lightestLocked is the fitting node with the smallest share of busy slots. Most tasks
// are routed so; it makes no lists.
func (g *group) lightestLocked(r *route, s *seek) found {
	f := found{none: true}
	var avoided *node
	for _, n := range g.nodes {
		if !n.open() || !n.handlers[s.handler] || !n.fits(r) {
			continue
		}
		f.none = false
		switch {
		case !n.room(s.handler):
		case n.row.ID == s.avoid:
			avoided = n
		case f.node == nil || n.lighter(f.node):
			f.node = n
		}
	}
	if f.node == nil {
		f.node = avoided
	}
	return f
}

// fits says whether the node has what a route asks for.
func (n *node) fits(r *route) bool { return r.strategy != models.RouteLabels || n.has(r.rule.Labels) }

// ableLocked are the nodes, by id, that take new work of a handler, with or without a
// free slot.
func (g *group) ableLocked(r *route, handler string) []*node {
	able := make([]*node, 0, len(g.nodes))
	for _, n := range g.nodes {
		if n.open() && n.handlers[handler] && n.fits(r) {
			able = append(able, n)
		}
	}
	slices.SortFunc(able, func(a, b *node) int { return strings.Compare(a.row.ID, b.row.ID) })
	return able
}

// pinnedLocked answers the one node, or what the rule says while it is not there.
func (g *group) pinnedLocked(r *route, s *seek, able []*node) found {
	if i := slices.IndexFunc(able, func(n *node) bool { return n.row.Name == r.rule.Node }); i >= 0 {
		return found{node: withRoom(able[i], s.handler)}
	}
	if r.rule.Fallback != models.PinAny && r.rule.Fallback != models.PinFail {
		return found{none: true}
	}
	if end := s.since.Add(time.Duration(r.rule.AfterMS) * time.Millisecond); s.now.Before(end) {
		return found{none: true, again: end}
	}
	if r.rule.Fallback == models.PinFail {
		return found{fail: true}
	}
	return g.seekLocked(&route{strategy: models.RouteLeastLoaded}, s)
}

// withRoom is n if it has a free slot for a handler.
func withRoom(n *node, handler string) *node {
	if !n.room(handler) {
		return nil
	}
	return n
}

func without(nodes []*node, id string) []*node {
	if id == "" {
		return nodes
	}
	return slices.DeleteFunc(slices.Clone(nodes), func(n *node) bool { return n.row.ID == id })
}

// pickLocked chooses among nodes that can all take the task; there is one at least.
func (g *group) pickLocked(strategy models.Routing, key string, able []*node) *node {
	switch {
	case strategy == models.RouteRandom:
		return able[rand.IntN(len(able))]
	case strategy == models.RouteRoundRobin:
		g.rotation++
		return able[g.rotation%len(able)]
	case strategy == models.RouteHash && key != "":
		return slices.MaxFunc(able, func(a, b *node) int { return compare(affinity(key, a), affinity(key, b)) })
	}
	return slices.MinFunc(able, func(a, b *node) int {
		if a.lighter(b) {
			return -1
		}
		return 1
	})
}

func compare(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// affinity is how much a key likes a node (rendezvous hashing): when a node comes or
// goes only the keys that like it best move. Its name counts, which outlives its
// process. FNV leaves texts that differ only at the end close together, so it is mixed
// once more.
func affinity(key string, n *node) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(key)))) // never fails; so "ab"+"c" is not "a"+"bc"
	_, _ = h.Write([]byte(key))
	_, _ = h.Write([]byte(n.row.Name))
	x := h.Sum64()
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// has says whether the node announced all of these labels.
func (n *node) has(labels map[string]string) bool { return models.HasLabels(n.labels, labels) }
