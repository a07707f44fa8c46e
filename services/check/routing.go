package check

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Route is a routing in the terms of the API; nil means absent.
type Route struct {
	Strategy models.Routing
	Key      *string // a JSON pointer into the parameters; absent or empty: the unique key
	Node     *string
	Fallback *models.PinFallback
	After    *time.Duration
	Labels   json.RawMessage // object of strings
}

const (
	longestKey      = 200 // characters of a JSON pointer
	longestNode     = 128
	mostRouteLabels = 10
	defaultPinAfter = 30 * time.Second
	longestPinAfter = 24 * time.Hour
)

// Routing checks a routing, in which each field belongs to one strategy, and answers
// its rule as the ledger keeps it. Field is the path of the routing.
func Routing(field string, in Route) (rule json.RawMessage, wrong fault.List) {
	var r models.RoutingRule
	foreign := func(name string, given bool, owner models.Routing) {
		if given && in.Strategy != owner {
			wrong.Add(fault.At(field+"."+name, fault.Invalid, "%s.%s is only for the strategy %s; leave it out with %s.", field, name, owner, in.Strategy))
		}
	}
	foreign("key", in.Key != nil && *in.Key != "", models.RouteHash)
	foreign("node", in.Node != nil && *in.Node != "", models.RoutePinned)
	foreign("fallback", in.Fallback != nil, models.RoutePinned)
	foreign("fallbackAfter", in.After != nil, models.RoutePinned)
	foreign("labels", in.Labels != nil, models.RouteLabels)
	switch in.Strategy { //nolint:exhaustive // the others have no rule
	case models.RouteHash:
		if in.Key != nil {
			r.Key = *in.Key
			wrong.Add(pointer(field+".key", r.Key))
		}
	case models.RoutePinned:
		wrong = append(wrong, pinned(field, in, &r)...)
	case models.RouteLabels:
		wrong.Add(routeLabels(field+".labels", in.Labels, &r))
	}
	return r.Document(), wrong
}

// pointer refuses what is no JSON pointer (RFC 6901).
func pointer(field, v string) *fault.Error {
	if v == "" {
		return nil
	}
	escapes := strings.Count(v, "~0") + strings.Count(v, "~1")
	if !strings.HasPrefix(v, "/") || strings.Count(v, "~") != escapes {
		return fault.At(field, fault.Invalid,
			"%s is %s; give a JSON pointer into the parameters, for example /order/id, or leave it out for the unique key.", field, Quote(v))
	}
	return Text(field, v, longestKey)
}

func pinned(field string, in Route, r *models.RoutingRule) (wrong fault.List) {
	if in.Node != nil {
		r.Node = *in.Node
	}
	wrong.Add(Line(field+".node", r.Node, longestNode))
	r.Fallback = models.PinWait
	if in.Fallback != nil {
		r.Fallback = *in.Fallback
	}
	after := defaultPinAfter
	switch {
	case r.Fallback == models.PinWait && in.After != nil:
		wrong.Add(fault.At(field+".fallbackAfter", fault.Invalid,
			"%s.fallbackAfter has no effect with the fallback WAIT; leave it out, or choose ANY or FAIL.", field))
		return wrong
	case r.Fallback == models.PinWait:
		return wrong
	case in.After != nil:
		after = *in.After
	}
	wrong.Add(Span(field+".fallbackAfter", after, 0, longestPinAfter))
	r.AfterMS = after.Milliseconds()
	return wrong
}

func routeLabels(field string, labels json.RawMessage, r *models.RoutingRule) *fault.Error {
	if err := Labels(field, labels); err != nil {
		return err
	}
	if len(labels) > 0 && json.Unmarshal(labels, &r.Labels) != nil { // Labels has seen that it can be
		r.Labels = nil
	}
	if n := len(r.Labels); n == 0 || n > mostRouteLabels {
		return fault.At(field, fault.Required, "%s has %d entries; name 1 to %d labels that a node must have, for example {\"zone\": \"a\"}.", field, n, mostRouteLabels)
	}
	return nil
}
