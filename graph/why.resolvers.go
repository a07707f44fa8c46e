package graph

import (
	"context"
	"time"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/why"
)

// WhyNotRun is the resolver for Query.whyNotRun.
func (r *queryResolver) WhyNotRun(ctx context.Context, job string, at time.Time, locale *string) (*gqlmodel.WhyNotRun, error) {
	answer, err := r.services.Why.Why(ctx, job, at, or(locale, "en"))
	if err != nil {
		return nil, err
	}
	if answer.Task != nil {
		r.loaders(ctx).seeTasks([]*models.Task{answer.Task})
	}
	return &gqlmodel.WhyNotRun{
		Code: gqlmodel.WhyCode(answer.Code), Answer: answer.Sentence, Task: r.taskOf(answer.Task),
		Evidence:     each(answer.Evidence, evidenceOf),
		PreviousFire: answer.PreviousFire, NextFire: answer.NextFire,
	}, nil
}

func evidenceOf(e *why.Evidence) *gqlmodel.WhyEvidence {
	return &gqlmodel.WhyEvidence{At: e.At, Message: e.Message}
}
