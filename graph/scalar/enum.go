package scalar

import (
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"github.com/belfry-scheduler/belfry/models"
)

// The API writes an enumeration's values exactly as models names them, so one
// pair of helpers serves them all. A test walks the schema and fails when the two
// lists differ.

// marshal writes the name of an enumeration's value.
func marshal(v fmt.Stringer) graphql.Marshaler { return write(`"` + v.String() + `"`) }

// unmarshal reads the name of a value of the named enumeration.
func unmarshal[T any](enum string, parse func(string) (T, bool), v any) (T, error) {
	s, _ := v.(string)
	value, ok := parse(s)
	if !ok {
		return value, invalid("%s is not a value of %s.", show(v), enum)
	}
	return value, nil
}

// MarshalRole writes a Role.
func MarshalRole(v models.Role) graphql.Marshaler { return marshal(v) }

// UnmarshalRole reads a Role.
func UnmarshalRole(v any) (models.Role, error) {
	return unmarshal("Role", models.ParseRole, v)
}

// MarshalTokenScope writes a Scope.
func MarshalTokenScope(v models.Scope) graphql.Marshaler { return marshal(v) }

// UnmarshalTokenScope reads a Scope.
func UnmarshalTokenScope(v any) (models.Scope, error) {
	return unmarshal("TokenScope", models.ParseScope, v)
}

// MarshalTriggerKind writes a TriggerKind.
func MarshalTriggerKind(v models.TriggerKind) graphql.Marshaler { return marshal(v) }

// UnmarshalTriggerKind reads a TriggerKind.
func UnmarshalTriggerKind(v any) (models.TriggerKind, error) {
	return unmarshal("TriggerKind", models.ParseTriggerKind, v)
}

// MarshalConcurrencyPolicy writes a ConcurrencyPolicy.
func MarshalConcurrencyPolicy(v models.Concurrency) graphql.Marshaler { return marshal(v) }

// UnmarshalConcurrencyPolicy reads a ConcurrencyPolicy.
func UnmarshalConcurrencyPolicy(v any) (models.Concurrency, error) {
	return unmarshal("ConcurrencyPolicy", models.ParseConcurrency, v)
}

// MarshalKeyRule writes a KeyRule.
func MarshalKeyRule(v models.KeyRule) graphql.Marshaler { return marshal(v) }

// UnmarshalKeyRule reads a KeyRule.
func UnmarshalKeyRule(v any) (models.KeyRule, error) {
	return unmarshal("KeyRule", models.ParseKeyRule, v)
}

// MarshalDelivery writes a Delivery.
func MarshalDelivery(v models.Delivery) graphql.Marshaler { return marshal(v) }

// UnmarshalDelivery reads a Delivery.
func UnmarshalDelivery(v any) (models.Delivery, error) {
	return unmarshal("Delivery", models.ParseDelivery, v)
}

// MarshalPriority writes a Priority.
func MarshalPriority(v models.Priority) graphql.Marshaler { return marshal(v) }

// UnmarshalPriority reads a Priority.
func UnmarshalPriority(v any) (models.Priority, error) {
	return unmarshal("Priority", models.ParsePriority, v)
}

// MarshalBackoff writes a Backoff.
func MarshalBackoff(v models.Backoff) graphql.Marshaler { return marshal(v) }

// UnmarshalBackoff reads a Backoff.
func UnmarshalBackoff(v any) (models.Backoff, error) {
	return unmarshal("Backoff", models.ParseBackoff, v)
}

// MarshalMisfirePolicy writes a MisfirePolicy.
func MarshalMisfirePolicy(v models.MisfirePolicy) graphql.Marshaler { return marshal(v) }

// UnmarshalMisfirePolicy reads a MisfirePolicy.
func UnmarshalMisfirePolicy(v any) (models.MisfirePolicy, error) {
	return unmarshal("MisfirePolicy", models.ParseMisfirePolicy, v)
}

// MarshalRoutingStrategy writes a RoutingStrategy.
func MarshalRoutingStrategy(v models.Routing) graphql.Marshaler { return marshal(v) }

// UnmarshalRoutingStrategy reads a RoutingStrategy.
func UnmarshalRoutingStrategy(v any) (models.Routing, error) {
	return unmarshal("RoutingStrategy", models.ParseRouting, v)
}

// MarshalNodeState writes a NodeState.
func MarshalNodeState(v models.NodeState) graphql.Marshaler { return marshal(v) }

// UnmarshalNodeState reads a NodeState.
func UnmarshalNodeState(v any) (models.NodeState, error) {
	return unmarshal("NodeState", models.ParseNodeState, v)
}

// MarshalTaskState writes a TaskState.
func MarshalTaskState(v models.TaskState) graphql.Marshaler { return marshal(v) }

// UnmarshalTaskState reads a TaskState.
func UnmarshalTaskState(v any) (models.TaskState, error) {
	return unmarshal("TaskState", models.ParseTaskState, v)
}

// MarshalDependencyCondition writes a DependencyCondition.
func MarshalDependencyCondition(v models.DependencyCondition) graphql.Marshaler { return marshal(v) }

// UnmarshalDependencyCondition reads a DependencyCondition.
func UnmarshalDependencyCondition(v any) (models.DependencyCondition, error) {
	return unmarshal("DependencyCondition", models.ParseDependencyCondition, v)
}

// MarshalDependencyMode writes a DependencyMode.
func MarshalDependencyMode(v models.DependencyMode) graphql.Marshaler { return marshal(v) }

// UnmarshalDependencyMode reads a DependencyMode.
func UnmarshalDependencyMode(v any) (models.DependencyMode, error) {
	return unmarshal("DependencyMode", models.ParseDependencyMode, v)
}

// MarshalDependencyWindow writes a DependencyWindow.
func MarshalDependencyWindow(v models.DependencyWindow) graphql.Marshaler { return marshal(v) }

// UnmarshalDependencyWindow reads a DependencyWindow.
func UnmarshalDependencyWindow(v any) (models.DependencyWindow, error) {
	return unmarshal("DependencyWindow", models.ParseDependencyWindow, v)
}

// MarshalDownstreamRule writes a DownstreamRule.
func MarshalDownstreamRule(v models.DownstreamRule) graphql.Marshaler { return marshal(v) }

// UnmarshalDownstreamRule reads a DownstreamRule.
func UnmarshalDownstreamRule(v any) (models.DownstreamRule, error) {
	return unmarshal("DownstreamRule", models.ParseDownstreamRule, v)
}

// MarshalCalendarRule writes a CalendarRule.
func MarshalCalendarRule(v models.CalendarRule) graphql.Marshaler { return marshal(v) }

// UnmarshalCalendarRule reads a CalendarRule.
func UnmarshalCalendarRule(v any) (models.CalendarRule, error) {
	return unmarshal("CalendarRule", models.ParseCalendarRule, v)
}

// MarshalBackfillState writes a BackfillState.
func MarshalBackfillState(v models.BackfillState) graphql.Marshaler { return marshal(v) }

// UnmarshalBackfillState reads a BackfillState.
func UnmarshalBackfillState(v any) (models.BackfillState, error) {
	return unmarshal("BackfillState", models.ParseBackfillState, v)
}

// MarshalBulkKind writes a BulkKind.
func MarshalBulkKind(v models.BulkKind) graphql.Marshaler { return marshal(v) }

// UnmarshalBulkKind reads a BulkKind.
func UnmarshalBulkKind(v any) (models.BulkKind, error) {
	return unmarshal("BulkKind", models.ParseBulkKind, v)
}

// MarshalBulkState writes a BulkState.
func MarshalBulkState(v models.BulkState) graphql.Marshaler { return marshal(v) }

// UnmarshalBulkState reads a BulkState.
func UnmarshalBulkState(v any) (models.BulkState, error) {
	return unmarshal("BulkState", models.ParseBulkState, v)
}

// MarshalLockMode writes a LockMode.
func MarshalLockMode(v models.LockMode) graphql.Marshaler { return marshal(v) }

// UnmarshalLockMode reads a LockMode.
func UnmarshalLockMode(v any) (models.LockMode, error) {
	return unmarshal("LockMode", models.ParseLockMode, v)
}

// MarshalServerState writes a ServerState.
func MarshalServerState(v models.ServerState) graphql.Marshaler { return marshal(v) }

// UnmarshalServerState reads a ServerState.
func UnmarshalServerState(v any) (models.ServerState, error) {
	return unmarshal("ServerState", models.ParseServerState, v)
}

// MarshalGroupLimit writes a GroupLimit.
func MarshalGroupLimit(v models.GroupLimit) graphql.Marshaler { return marshal(v) }

// UnmarshalGroupLimit reads a GroupLimit.
func UnmarshalGroupLimit(v any) (models.GroupLimit, error) {
	return unmarshal("GroupLimit", models.ParseGroupLimit, v)
}

// MarshalPinFallback writes a PinFallback.
func MarshalPinFallback(v models.PinFallback) graphql.Marshaler { return marshal(v) }

// UnmarshalPinFallback reads a PinFallback.
func UnmarshalPinFallback(v any) (models.PinFallback, error) {
	return unmarshal("PinFallback", models.ParsePinFallback, v)
}

// MarshalChannelKind writes a ChannelKind.
func MarshalChannelKind(v models.ChannelKind) graphql.Marshaler { return marshal(v) }

// UnmarshalChannelKind reads a ChannelKind.
func UnmarshalChannelKind(v any) (models.ChannelKind, error) {
	return unmarshal("ChannelKind", models.ParseChannelKind, v)
}

// MarshalMessageKind writes a MessageKind.
func MarshalMessageKind(v models.MessageKind) graphql.Marshaler { return marshal(v) }

// UnmarshalMessageKind reads a MessageKind.
func UnmarshalMessageKind(v any) (models.MessageKind, error) {
	return unmarshal("MessageKind", models.ParseMessageKind, v)
}

// MarshalNotificationState writes a NotificationState.
func MarshalNotificationState(v models.NotificationState) graphql.Marshaler { return marshal(v) }

// UnmarshalNotificationState reads a NotificationState.
func UnmarshalNotificationState(v any) (models.NotificationState, error) {
	return unmarshal("NotificationState", models.ParseNotificationState, v)
}

// MarshalAlertSeverity writes an AlertSeverity.
func MarshalAlertSeverity(v models.Severity) graphql.Marshaler { return marshal(v) }

// UnmarshalAlertSeverity reads an AlertSeverity.
func UnmarshalAlertSeverity(v any) (models.Severity, error) {
	return unmarshal("AlertSeverity", models.ParseSeverity, v)
}
