package models

import (
	"slices"
	"strings"
)

// Area is a part of the API that an API token can be limited to.
type Area uint8

// Areas.
const (
	AreaJobs Area = iota + 1
	AreaTasks
	AreaLogs
	AreaAlerts
	AreaNodes
	AreaReports
	AreaAdministration
)

// Scope is what an API token may do in one area.
type Scope uint8

// Scopes, two for each area. Logs are only read.
const (
	ScopeJobsRead Scope = iota + 1
	ScopeJobsWrite
	ScopeTasksRead
	ScopeTasksWrite
	ScopeLogsRead
	ScopeAlertsRead
	ScopeAlertsWrite
	ScopeNodesRead
	ScopeNodesWrite
	ScopeReportsRead
	ScopeReportsWrite
	ScopeAdministrationRead
	ScopeAdministrationWrite
)

var scopeNames = []string{
	"", "JOBS_READ", "JOBS_WRITE", "TASKS_READ", "TASKS_WRITE", "LOGS_READ", "ALERTS_READ", "ALERTS_WRITE",
	"NODES_READ", "NODES_WRITE", "REPORTS_READ", "REPORTS_WRITE", "ADMINISTRATION_READ", "ADMINISTRATION_WRITE",
}

func (v Scope) String() string { return name(scopeNames, uint8(v)) }

// ParseScope reads a scope's name as the API writes it.
func ParseScope(s string) (Scope, bool) { return parse[Scope](scopeNames, s) }

// ScopeNames are the names of all scopes, in the order of their areas.
func ScopeNames() []string { return slices.Clone(scopeNames[1:]) }

// Read is what reading in the area needs.
func (a Area) Read() Scope {
	return [...]Scope{0, ScopeJobsRead, ScopeTasksRead, ScopeLogsRead, ScopeAlertsRead, ScopeNodesRead, ScopeReportsRead, ScopeAdministrationRead}[a]
}

// Write is what changing something in the area needs; 0 for logs, which nobody changes.
func (a Area) Write() Scope {
	if a == 0 || a == AreaLogs {
		return 0
	}
	return a.Read() + 1
}

// JoinScopes writes scopes as the ledger keeps them: names with commas between, each once
// and in order.
func JoinScopes(scopes []Scope) string {
	names := make([]string, 0, len(scopes))
	for _, s := range slices.Compact(slices.Sorted(slices.Values(scopes))) {
		names = append(names, s.String())
	}
	return strings.Join(names, ",")
}

// SplitScopes reads what JoinScopes has written. A name that this version does not know
// becomes scope 0, which allows nothing, so that a token never gains by a downgrade.
func SplitScopes(text string) []Scope {
	if text == "" {
		return nil
	}
	var scopes []Scope
	for part := range strings.SplitSeq(text, ",") {
		s, _ := ParseScope(part)
		scopes = append(scopes, s)
	}
	return scopes
}
