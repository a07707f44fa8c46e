package graph

import (
	"context"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/audit"
)

// auditOrder is the name of the trail's order in cursors; the key is the row's id.
const auditOrder = "audit"

// auditFilter cuts a filter to the apps that the caller administers.
func auditFilter(ctx context.Context, in *gqlmodel.AuditFilter) audit.Filter {
	f := audit.Filter{Within: withRole(ctx, models.RoleAdmin)}
	if in == nil {
		return f
	}
	f.Actor, f.Kind, f.Object, f.Action = given(in.Actor), given(in.Kind), given(in.Object), given(in.Action)
	f.AppID, f.From, f.To, f.Search = given(in.App), in.From.Value(), in.To.Value(), given(in.Search)
	return f
}

func (r *Resolver) auditOf(ctx context.Context, a *models.Audit) *gqlmodel.AuditEntry {
	if a.AppID != "" {
		r.loaders(ctx).apps.Expect(a.AppID)
	}
	kind := a.ActorKind
	if kind == "" { // a row of an older version
		kind = models.AuthorSystem
	}
	return &gqlmodel.AuditEntry{
		ID: a.ID, At: a.At, Actor: a.Actor, ActorKind: gqlmodel.AuthorKind(kind), Action: a.Action, Kind: a.Kind, Object: text(a.Object),
		Name: text(a.ObjectName), AppID: a.AppID, Address: text(a.Address), Agent: text(a.Agent), RequestID: text(a.RequestID),
		Before: a.StateBefore, After: a.StateAfter, Detail: a.Detail,
	}
}

func (r *Resolver) auditConnection(ctx context.Context, rows []models.Audit, info audit.PageInfo) *gqlmodel.AuditConnection {
	c := &gqlmodel.AuditConnection{
		Edges: make([]*gqlmodel.AuditEdge, len(rows)), Nodes: make([]*gqlmodel.AuditEntry, len(rows)),
		PageInfo: &gqlmodel.PageInfo{HasNextPage: info.HasNext, HasPreviousPage: info.HasPrevious},
	}
	for i := range rows {
		c.Nodes[i] = r.auditOf(ctx, &rows[i])
		c.Edges[i] = &gqlmodel.AuditEdge{Cursor: page.Cursor(auditOrder, rows[i].ID), Node: c.Nodes[i]}
	}
	if len(c.Edges) > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[len(rows)-1].Cursor
	}
	if info.Stopped != "" {
		c.SearchedTo = new(models.IDTime(info.Stopped))
		c.PageInfo.EndCursor = new(page.Cursor(auditOrder, info.Stopped))
	}
	return c
}
