package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
)

// SecurityFindings is the resolver for Query.securityFindings.
func (r *queryResolver) SecurityFindings(ctx context.Context) ([]*gqlmodel.SecurityFinding, error) {
	found, err := r.services.Posture.Findings(ctx)
	return each(found, findingOf), err
}
