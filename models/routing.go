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
	routingNames  = []string{"", "LEAST_LOADED", "ROUND_ROBIN", "RANDOM", "CONSISTENT_HASH", "STICKY", "PINNED", "LABELS"}
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
