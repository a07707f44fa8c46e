package models

import "fmt"

// TriggerKind says what made a task, or makes a job's tasks.
type TriggerKind uint8

// Trigger kinds. The numbers stand in the ledger: never renumber.
const (
	TriggerCron TriggerKind = iota + 1
	TriggerFixedRate
	TriggerFixedDelay
	TriggerDelay
	TriggerManual
	TriggerAPI
	TriggerDependency
	TriggerBackfill
)

// Priority decides which of several due tasks goes first; higher goes first.
type Priority uint8

// Priorities. The numbers stand in the ledger: never renumber.
const (
	PriorityLow Priority = iota + 1
	PriorityNormal
	PriorityHigh
	PriorityCritical
)

// Priorities lists all priorities, first to go first.
var Priorities = [...]Priority{PriorityCritical, PriorityHigh, PriorityNormal, PriorityLow}

// Concurrency says what happens when a job overlaps with itself.
type Concurrency uint8

// Concurrency policies.
const (
	ConcurrencyAllow Concurrency = iota + 1
	ConcurrencySkip
	ConcurrencyQueue
	ConcurrencyReplace
)

// KeyRule says what happens to the unfinished task that holds the unique key of a
// task that is to be made.
type KeyRule uint8

// Key rules.
const (
	KeyKeep       KeyRule = iota + 1 // it stays, and is the answer
	KeyReschedule                    // it stays, and gets the new instant
	KeyReplace                       // it is cancelled, and the new one is made
)

// Delivery says what happens to an attempt whose node was lost.
type Delivery uint8

// Delivery guarantees.
const (
	AtLeastOnce Delivery = iota + 1
	AtMostOnce
)

// Backoff says how the wait before a retry grows.
type Backoff uint8

// Back-off curves.
const (
	BackoffFixed Backoff = iota + 1
	BackoffExponential
)

// MisfirePolicy says what happens to missed fires.
type MisfirePolicy uint8

// Misfire policies.
const (
	MisfireSkip MisfirePolicy = iota + 1
	MisfireFireOnce
	MisfireFireAll
)

// NodeState is the state of a node.
type NodeState uint8

// Node states.
const (
	NodeOnline NodeState = iota + 1
	NodeSuspect
	NodeOffline
	NodeDraining
)

// Role is what an account or token may do; each role includes those below it.
type Role uint8

// Roles.
const (
	RoleViewer Role = iota + 1
	RoleOperator
	RoleDeveloper
	RoleAdmin
)

var (
	triggerNames     = []string{"", "CRON", "FIXED_RATE", "FIXED_DELAY", "DELAY", "MANUAL", "API", "DEPENDENCY", "BACKFILL"}
	priorityNames    = []string{"", "LOW", "NORMAL", "HIGH", "CRITICAL"}
	concurrencyNames = []string{"", "ALLOW", "SKIP", "QUEUE", "REPLACE"}
	keyRuleNames     = []string{"", "KEEP", "RESCHEDULE", "REPLACE"}
	deliveryNames    = []string{"", "AT_LEAST_ONCE", "AT_MOST_ONCE"}
	backoffNames     = []string{"", "FIXED", "EXPONENTIAL"}
	misfireNames     = []string{"", "SKIP", "FIRE_ONCE", "FIRE_ALL"}
	nodeStateNames   = []string{"", "ONLINE", "SUSPECT", "OFFLINE", "DRAINING"}
	roleNames        = []string{"", "VIEWER", "OPERATOR", "DEVELOPER", "ADMIN"}
)

// name returns the name of value n of an enumeration, or its number.
func name(names []string, n uint8) string {
	if int(n) < len(names) && names[n] != "" {
		return names[n]
	}
	return fmt.Sprintf("UNKNOWN(%d)", n)
}

// parse is the opposite of name.
func parse[T ~uint8](names []string, s string) (T, bool) {
	for i := 1; i < len(names); i++ {
		if names[i] == s && s != "" {
			return T(i), true
		}
	}
	return 0, false
}

func (v TriggerKind) String() string   { return name(triggerNames, uint8(v)) }
func (v Priority) String() string      { return name(priorityNames, uint8(v)) }
func (v Concurrency) String() string   { return name(concurrencyNames, uint8(v)) }
func (v KeyRule) String() string       { return name(keyRuleNames, uint8(v)) }
func (v Delivery) String() string      { return name(deliveryNames, uint8(v)) }
func (v Backoff) String() string       { return name(backoffNames, uint8(v)) }
func (v MisfirePolicy) String() string { return name(misfireNames, uint8(v)) }
func (v NodeState) String() string     { return name(nodeStateNames, uint8(v)) }
func (v Role) String() string          { return name(roleNames, uint8(v)) }

// ParseTriggerKind reads a trigger kind's name as the API writes it.
func ParseTriggerKind(s string) (TriggerKind, bool) { return parse[TriggerKind](triggerNames, s) }

// ParsePriority reads a priority's name as the API writes it.
func ParsePriority(s string) (Priority, bool) { return parse[Priority](priorityNames, s) }

// ParseConcurrency reads a concurrency policy's name as the API writes it.
func ParseConcurrency(s string) (Concurrency, bool) { return parse[Concurrency](concurrencyNames, s) }

// ParseKeyRule reads a key rule's name as the API writes it.
func ParseKeyRule(s string) (KeyRule, bool) { return parse[KeyRule](keyRuleNames, s) }

// ParseDelivery reads a delivery guarantee's name as the API writes it.
func ParseDelivery(s string) (Delivery, bool) { return parse[Delivery](deliveryNames, s) }

// ParseBackoff reads a back-off's name as the API writes it.
func ParseBackoff(s string) (Backoff, bool) { return parse[Backoff](backoffNames, s) }

// ParseMisfirePolicy reads a misfire policy's name as the API writes it.
func ParseMisfirePolicy(s string) (MisfirePolicy, bool) { return parse[MisfirePolicy](misfireNames, s) }

// ParseNodeState reads a node state's name as the API writes it.
func ParseNodeState(s string) (NodeState, bool) { return parse[NodeState](nodeStateNames, s) }

// ParseRole reads a role's name as the API writes it.
func ParseRole(s string) (Role, bool) { return parse[Role](roleNames, s) }
