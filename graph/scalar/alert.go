package scalar

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/belfry-scheduler/belfry/models"
)

// MarshalAlertEventKind writes an AlertEventKind.
func MarshalAlertEventKind(v models.AlertEventKind) graphql.Marshaler { return marshal(v) }

// UnmarshalAlertEventKind reads an AlertEventKind.
func UnmarshalAlertEventKind(v any) (models.AlertEventKind, error) {
	return unmarshal("AlertEventKind", models.ParseAlertEventKind, v)
}

// MarshalAlertScopeKind writes an AlertScopeKind.
func MarshalAlertScopeKind(v models.AlertScopeKind) graphql.Marshaler { return marshal(v) }

// UnmarshalAlertScopeKind reads an AlertScopeKind.
func UnmarshalAlertScopeKind(v any) (models.AlertScopeKind, error) {
	return unmarshal("AlertScopeKind", models.ParseAlertScopeKind, v)
}

// MarshalAlertNotice writes an AlertNotice.
func MarshalAlertNotice(v models.AlertNotice) graphql.Marshaler { return marshal(v) }

// UnmarshalAlertNotice reads an AlertNotice.
func UnmarshalAlertNotice(v any) (models.AlertNotice, error) {
	return unmarshal("AlertNotice", models.ParseAlertNotice, v)
}

// MarshalIncidentState writes an IncidentState.
func MarshalIncidentState(v models.IncidentState) graphql.Marshaler { return marshal(v) }

// UnmarshalIncidentState reads an IncidentState.
func UnmarshalIncidentState(v any) (models.IncidentState, error) {
	return unmarshal("IncidentState", models.ParseIncidentState, v)
}

// MarshalIncidentEntryKind writes an IncidentEntryKind.
func MarshalIncidentEntryKind(v models.IncidentEntryKind) graphql.Marshaler { return marshal(v) }

// UnmarshalIncidentEntryKind reads an IncidentEntryKind.
func UnmarshalIncidentEntryKind(v any) (models.IncidentEntryKind, error) {
	return unmarshal("IncidentEntryKind", models.ParseIncidentEntryKind, v)
}

// MarshalSilenceKind writes a SilenceKind.
func MarshalSilenceKind(v models.SilenceKind) graphql.Marshaler { return marshal(v) }

// UnmarshalSilenceKind reads a SilenceKind.
func UnmarshalSilenceKind(v any) (models.SilenceKind, error) {
	return unmarshal("SilenceKind", models.ParseSilenceKind, v)
}
