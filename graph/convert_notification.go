package graph

import (
	"context"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/book"
	"github.com/belfry-scheduler/belfry/services/signal"
)

// noteOrder is the name of the order of notifications in cursors; the key is the id.
const noteOrder = "notification"

func noteOf(n *models.Notification) *gqlmodel.Notification {
	if n == nil {
		return nil
	}
	shown := &gqlmodel.Notification{
		ID: n.ID, Kind: n.Kind, Severity: n.Severity, State: n.State, Reason: n.Reason, Problems: n.Problems, CreatedAt: n.CreatedAt, SentAt: n.SentAt, Row: n,
	}
	if n.State == models.NotificationQueued {
		shown.NextAt = &n.NextAt
	}
	return shown
}

func tryOf(t *models.DeliveryTry) *gqlmodel.DeliveryTry {
	return &gqlmodel.DeliveryTry{
		Number: t.Number, At: t.At, Duration: time.Duration(t.DurationMS) * time.Millisecond, Status: positive(t.Status),
		Response: text(t.Response), Error: text(t.Error), NextAt: t.NextAt,
	}
}

// positive is a number that is absent when it is 0.
func positive(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

func noteFilter(in *gqlmodel.NotificationFilter) book.Filter {
	if in == nil {
		return book.Filter{}
	}
	f := book.Filter{ChannelID: given(in.Channel), RuleID: given(in.Rule), IncidentID: given(in.Incident), States: in.States.Value()}
	if from := in.From.Value(); from != nil {
		f.From = *from
	}
	if to := in.To.Value(); to != nil {
		f.To = *to
	}
	return f
}

// matchesNote says whether a notification matches, times aside.
func matchesNote(f *book.Filter, n *models.Notification) bool {
	return (f.ChannelID == "" || f.ChannelID == n.ChannelID) &&
		(f.RuleID == "" || n.RuleID != nil && f.RuleID == *n.RuleID) &&
		(f.IncidentID == "" || slices.Contains(n.IncidentIDs, f.IncidentID)) &&
		(len(f.States) == 0 || slices.Contains(f.States, n.State))
}

func (r *Resolver) notePage(ctx context.Context, args page.Args, f book.Filter) (*gqlmodel.NotificationConnection, error) {
	window, err := page.Read(noteOrder, args)
	if err != nil {
		return nil, err
	}
	rows, info, err := r.services.Book.Page(ctx, f, book.Page(window))
	if err != nil {
		return nil, err
	}
	r.loaders(ctx).seeNotes(pointers(rows))
	c := &gqlmodel.NotificationConnection{
		Edges: make([]*gqlmodel.NotificationEdge, len(rows)), Nodes: make([]*gqlmodel.Notification, len(rows)),
		PageInfo: &gqlmodel.PageInfo{HasNextPage: info.HasNext, HasPreviousPage: info.HasPrevious},
	}
	for i := range rows {
		c.Nodes[i] = noteOf(&rows[i])
		c.Edges[i] = &gqlmodel.NotificationEdge{Cursor: page.Cursor(noteOrder, rows[i].ID), Node: c.Nodes[i]}
	}
	if len(c.Edges) > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[len(rows)-1].Cursor
	}
	return c, nil
}

// rendered is the text of a notification: as it was sent, or as it would be.
func (r *Resolver) rendered(ctx context.Context, n *models.Notification) (subject, body string, err error) {
	var c *models.AlertChannel
	if n.Subject == "" && n.Body == "" {
		if c, _, err = r.loaders(ctx).channels.Load(ctx, n.ChannelID); err != nil {
			return "", "", err
		}
	}
	subject, body = r.services.Book.Rendered(n, c)
	return subject, body, nil
}

func (r *Resolver) noteChanged(ctx context.Context, f book.Filter) (<-chan *gqlmodel.Notification, error) {
	f.From, f.To = time.Time{}, time.Time{}
	sub, err := r.feeds.note.Subscribe(
		func(signal.NoteChanges) bool { return true },
		func(n *models.Notification) bool { return matchesNote(&f, n) },
	)
	if err != nil {
		return nil, refused(err)
	}
	return stream(ctx, sub, noteOf, func(ctx context.Context) (*models.Notification, error) {
		rows, _, err := r.services.Book.Page(ctx, f, book.Page{First: 1})
		return first(rows), err
	}), nil
}
