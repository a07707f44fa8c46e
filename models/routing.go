package models

import (
	"encoding/json"
	"fmt"
)

// Routing says how tasks are spread over the nodes of a group.
type Routing uint8

// Routing strategies. The numbers stand in the ledger: never renumber.
const (
	RouteLeastLoaded Routing = iota + 1
	RouteRoundRobin
	RouteRandom
	RouteHash
	RouteSticky
	RoutePinned
	RouteLabels
	RouteBroadcast
)

// PinFallback says what happens to a task while its pinned node cannot take it because
// it is not online.
type PinFallback uint8

// Pin fall-backs. The numbers stand in the ledger: never renumber.
const (
	PinWait PinFallback = iota + 1
	PinAny
	PinFail
)

var (
	routingNames  = []string{"", "LEAST_LOADED", "ROUND_ROBIN", "RANDOM", "CONSISTENT_HASH", "STICKY", "PINNED", "LABELS", "BROADCAST"}
	fallbackNames = []string{"", "WAIT", "ANY", "FAIL"}
)

func (v Routing) String() string     { return name(routingNames, uint8(v)) }
func (v PinFallback) String() string { return name(fallbackNames, uint8(v)) }

// ParseRouting reads a routing strategy's name as the API writes it.
func ParseRouting(s string) (Routing, bool) { return parse[Routing](routingNames, s) }

// ParsePinFallback reads a pin fall-back's name as the API writes it.
func ParsePinFallback(s string) (PinFallback, bool) { return parse[PinFallback](fallbackNames, s) }

// RoutingRule is what a routing strategy needs besides its name.
type RoutingRule struct {
	Key      string            `json:"key,omitempty"`      // CONSISTENT_HASH: a JSON pointer into the parameters; empty: the unique key
	Node     string            `json:"node,omitempty"`     // PINNED: the node's name
	Fallback PinFallback       `json:"fallback,omitempty"` // PINNED
	AfterMS  int64             `json:"afterMs,omitempty"`  // PINNED with ANY or FAIL: how long the node is waited for
	Labels   map[string]string `json:"labels,omitempty"`   // LABELS: those that a node must have
}

// Document is the rule as the ledger keeps it; nil for one that says nothing.
func (r RoutingRule) Document() json.RawMessage {
	document, err := json.Marshal(r)
	if err != nil || string(document) == "{}" { // texts and numbers always marshal
		return nil
	}
	return document
}

// RuleOf reads a rule that the ledger keeps; nil is one that says nothing.
func RuleOf(document json.RawMessage) (RoutingRule, error) {
	var r RoutingRule
	if len(document) == 0 {
		return r, nil
	}
	if err := json.Unmarshal(document, &r); err != nil {
		return r, fmt.Errorf("reading a routing rule: %w", err)
	}
	return r, nil
}

// Route is how the nodes of a job's tasks are chosen.
type Route struct {
	Strategy Routing
	Rule     RoutingRule
}

// RouteOf is a job's own route, or that of its group, which has this strategy and rule.
// With a rule that cannot be read it is the strategy without a rule, and an error.
func RouteOf(j *Job, group Routing, rule json.RawMessage) (Route, error) {
	r := Route{Strategy: group}
	if j.Routing != nil {
		r.Strategy, rule = *j.Routing, j.RoutingRule
	}
	var err error
	r.Rule, err = RuleOf(rule)
	return r, err
}

// Node is the name of the only node that tasks are for, however long it is away; empty
// when there is no such node.
func (r *Route) Node() string {
	if r.Strategy == RoutePinned && r.Rule.Fallback != PinAny {
		return r.Rule.Node
	}
	return ""
}

// Labels are those that a node must have; nil for none.
func (r *Route) Labels() map[string]string {
	if r.Strategy == RouteLabels {
		return r.Rule.Labels
	}
	return nil
}

// HasLabels says whether a node with the labels got has all those that are wanted.
func HasLabels(got, wanted map[string]string) bool {
	for name, value := range wanted {
		if has, ok := got[name]; !ok || has != value {
			return false
		}
	}
	return true
}

// WorkerKind is what a node announced of itself.
type WorkerKind struct {
	Handlers map[string]bool
	Labels   map[string]string
}

// GroupWorkers is what the nodes of a group that are not offline can do.
type GroupWorkers struct {
	Routing     Routing // the group's own
	RoutingRule json.RawMessage
	Kinds       []WorkerKind          // each once
	Named       map[string]WorkerKind // those that were asked for by name
}

// Serve says whether some node could run the job's tasks sooner or later. One that fails
// without its node is served: it shall fail.
func (w *GroupWorkers) Serve(j *Job) bool {
	r, _ := RouteOf(j, w.Routing, w.RoutingRule) // it is routed as if it had no rule
	if name := r.Node(); name != "" && r.Rule.Fallback != PinFail {
		return w.Named[name].Handlers[j.Handler]
	}
	for i := range w.Kinds {
		if k := &w.Kinds[i]; k.Handlers[j.Handler] && HasLabels(k.Labels, r.Labels()) {
			return true
		}
	}
	return false
}
