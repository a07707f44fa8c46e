package graph

import (
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/services/job"
)

// revisionOrder is the name of the order of revisions in cursors; the key is the number.
const revisionOrder = "revision"

func revisionOf(r *job.Revision) *gqlmodel.JobRevision {
	return &gqlmodel.JobRevision{
		Number: r.Number, At: r.At, Author: r.Author, AuthorKind: gqlmodel.AuthorKind(r.AuthorKind), Action: r.Action,
		Changes: each(r.Changes, fieldChangeOf), Snapshot: r.Snapshot, Row: &r.JobRevision,
	}
}

func fieldChangeOf(c *job.FieldChange) *gqlmodel.JobFieldChange {
	return &gqlmodel.JobFieldChange{Field: c.Field, Before: text(c.Before), After: text(c.After)}
}

func revisionConnection(rows []job.Revision, info job.PageInfo) *gqlmodel.JobRevisionConnection {
	c := &gqlmodel.JobRevisionConnection{
		Edges: make([]*gqlmodel.JobRevisionEdge, len(rows)), Nodes: make([]*gqlmodel.JobRevision, len(rows)),
		PageInfo: &gqlmodel.PageInfo{HasNextPage: info.HasNext, HasPreviousPage: info.HasPrevious},
	}
	for i := range rows {
		c.Nodes[i] = revisionOf(&rows[i])
		c.Edges[i] = &gqlmodel.JobRevisionEdge{Cursor: page.Cursor(revisionOrder, job.RevisionPosition(&rows[i])), Node: c.Nodes[i]}
	}
	if len(c.Edges) > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[len(rows)-1].Cursor
	}
	return c
}
