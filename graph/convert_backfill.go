package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/backfill"
	"github.com/belfry-scheduler/belfry/services/signal"
)

// backfillOrder is the name of the order of backfills in cursors; the key is the id.
const backfillOrder = "backfill"

// What CreateBackfillInput means where it says nothing.
const (
	normalPerMinute  = 60
	normalMaxRunning = 10
)

func backfillInput(in gqlmodel.CreateBackfillInput) backfill.Input {
	return backfill.Input{
		JobID: in.Job, From: in.From, To: in.To, Parameters: raw(in.Parameters), OnlyMissing: given(in.OnlyMissing),
		PerMinute: or(in.PerMinute.Value(), normalPerMinute), MaxRunning: or(in.MaxRunning.Value(), normalMaxRunning), RequestID: given(in.RequestID),
	}
}

func backfillOf(b *models.Backfill) *gqlmodel.Backfill {
	if b == nil {
		return nil
	}
	return &gqlmodel.Backfill{
		ID: b.ID, From: b.FromAt, To: b.ToAt, State: b.State, OnlyMissing: b.OnlyMissing, PerMinute: b.PerMinute, MaxRunning: b.MaxRunning,
		Parameters: b.Parameters, Total: b.Total, Created: b.Created, Present: b.Present, Succeeded: b.Succeeded, Failed: b.Failed,
		Cancelled: b.Cancelled, Progress: b.Progress(), NextAt: b.NextAt, CreatedBy: b.CreatedBy, CreatedAt: b.CreatedAt, FinishedAt: b.FinishedAt,
		Row: b,
	}
}

func backfillConnection(rows []models.Backfill, info backfill.PageInfo) *gqlmodel.BackfillConnection {
	c := &gqlmodel.BackfillConnection{
		Edges: make([]*gqlmodel.BackfillEdge, len(rows)), Nodes: make([]*gqlmodel.Backfill, len(rows)),
		PageInfo: &gqlmodel.PageInfo{HasNextPage: info.HasNext, HasPreviousPage: info.HasPrevious},
	}
	for i := range rows {
		c.Nodes[i] = backfillOf(&rows[i])
		c.Edges[i] = &gqlmodel.BackfillEdge{Cursor: page.Cursor(backfillOrder, rows[i].ID), Node: c.Nodes[i]}
	}
	if len(c.Edges) > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[len(rows)-1].Cursor
	}
	return c
}

func backfillPreviewOf(p *backfill.Preview) *gqlmodel.BackfillPreview {
	shown := &gqlmodel.BackfillPreview{
		Total: p.Total, AtLeast: p.AtLeast, Present: p.Present, First: p.First, Last: p.Last,
		Sample: pointers(p.Sample), Duration: p.Duration, Warnings: p.Warnings,
	}
	if p.Err != nil {
		field := append([]string{"input"}, p.Err.Field...)
		shown.Error = &gqlmodel.UserError{Code: string(p.Err.Code), Field: field, Message: p.Err.Message}
	}
	return shown
}

// backfillPayload makes the answer of the backfill mutations.
func backfillPayload(changed models.Backfill) func([]*gqlmodel.UserError, error) (*gqlmodel.BackfillPayload, error) {
	return func(refused []*gqlmodel.UserError, err error) (*gqlmodel.BackfillPayload, error) {
		if err != nil || len(refused) > 0 {
			return &gqlmodel.BackfillPayload{UserErrors: refused}, err
		}
		return &gqlmodel.BackfillPayload{Backfill: backfillOf(&changed), UserErrors: refused}, nil
	}
}

func (r *Resolver) backfillChanged(ctx context.Context, id string) (<-chan *gqlmodel.Backfill, error) {
	sub, err := r.feeds.fill.Subscribe(
		func(c signal.BackfillChange) bool { return c.ID == id },
		func(b *models.Backfill) bool { return b.ID == id },
	)
	if err != nil {
		return nil, refused(err)
	}
	return stream(ctx, sub, backfillOf, func(ctx context.Context) (*models.Backfill, error) {
		rows, err := r.services.Backfills.ByIDs(ctx, []string{id})
		return first(rows), err
	}), nil
}
