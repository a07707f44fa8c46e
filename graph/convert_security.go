package graph

import (
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/services/posture"
)

// findingOf shows a weakness.
func findingOf(f *posture.Finding) *gqlmodel.SecurityFinding {
	subjects := f.Subjects
	if subjects == nil {
		subjects = []string{}
	}
	return &gqlmodel.SecurityFinding{
		Code: gqlmodel.SecurityFindingCode(f.Code), Severity: gqlmodel.SecuritySeverity(f.Severity),
		What: f.What, Remedy: f.Remedy, Subjects: subjects, Count: f.Count,
	}
}
