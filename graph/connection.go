package graph

import (
	"context"
	"slices"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/task"
)

// Sizes of lists that are no connections, in entries.
const (
	normalNextFires = 5
	mostNextFires   = 1000
	mostRecentTasks = 50
	normalLogs      = 200
	mostLogs        = 1000
)

// taskOrder is the name of the order of tasks in cursors; the key is the TaskId.
const taskOrder = "task"

// taskPage reads a page of tasks.
func (r *Resolver) taskPage(ctx context.Context, args page.Args, filter task.Filter) (*gqlmodel.TaskConnection, error) {
	window, err := page.Read(taskOrder, args)
	if err != nil {
		return nil, err
	}
	rows, info, err := r.services.Tasks.Page(ctx, filter, task.Page(window))
	if err != nil {
		return nil, err
	}
	r.loaders(ctx).seeTasks(pointers(rows))
	return r.taskConnection(rows, info, window, r.taskCount(filter)), nil
}

func (r *Resolver) taskConnection(rows []models.Task, info task.PageInfo, window page.Window, count page.Count) *gqlmodel.TaskConnection {
	c := &gqlmodel.TaskConnection{
		Edges: make([]*gqlmodel.TaskEdge, len(rows)), Nodes: make([]*gqlmodel.Task, len(rows)),
		PageInfo: &gqlmodel.PageInfo{HasNextPage: info.HasNext, HasPreviousPage: info.HasPrevious}, Count: count,
	}
	for i := range rows {
		c.Nodes[i] = r.taskOf(&rows[i])
		c.Edges[i] = &gqlmodel.TaskEdge{Cursor: page.Cursor(taskOrder, rows[i].ID), Node: c.Nodes[i]}
	}
	if len(c.Edges) > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[len(rows)-1].Cursor
	}
	if info.Stopped != "" {
		showStop(c, info, window.Last > 0)
	}
	return c
}

// showStop has the next page go on where the search for this one stopped.
func showStop(c *gqlmodel.TaskConnection, info task.PageInfo, backward bool) {
	cursor := page.Cursor(taskOrder, info.Stopped)
	c.SearchedTo = new(models.IDTime(info.Stopped))
	if backward {
		c.PageInfo.StartCursor = &cursor
	} else {
		c.PageInfo.EndCursor = &cursor
	}
}

// noCount is the estimate of a list whose counting would be dear.
func noCount(context.Context) (*int, error) { return nil, nil } //nolint:nilnil // null: not counted

// taskCount estimates from the counters that exist: live and failed tasks by
// group. Any other count would be a scan.
func (r *Resolver) taskCount(f task.Filter) page.Count {
	rest := f
	rest.States, rest.GroupID = nil, ""
	counted := len(f.States) > 0 && !slices.ContainsFunc(f.States, func(s models.TaskState) bool {
		return !s.Live() && s != models.TaskFailed
	})
	if !counted || !isEmpty(rest) {
		return noCount
	}
	return func(ctx context.Context) (*int, error) {
		counters, err := r.services.Counts.Counters(ctx)
		if err != nil {
			return nil, err
		}
		var sum int64
		for group, n := range counters {
			if f.GroupID != "" && f.GroupID != group {
				continue
			}
			for _, state := range f.States {
				sum += n[state]
			}
		}
		return new(int(sum)), nil
	}
}

// isEmpty says whether a filter lets all tasks through.
func isEmpty(f task.Filter) bool {
	return f.Within == nil && f.JobID == "" && f.AppID == "" && f.GroupID == "" && f.NodeID == "" && f.ParentID == "" &&
		len(f.States) == 0 && f.Trigger == 0 && f.From == nil && f.To == nil && f.Search == "" && f.BackfillID == ""
}

func jobConnection(rows []models.Job, info job.PageInfo, order job.Order, name string, count page.Count) *gqlmodel.JobConnection {
	c := &gqlmodel.JobConnection{
		Edges: make([]*gqlmodel.JobEdge, len(rows)), Nodes: make([]*gqlmodel.Job, len(rows)),
		PageInfo: &gqlmodel.PageInfo{HasNextPage: info.HasNext, HasPreviousPage: info.HasPrevious}, Count: count,
	}
	for i := range rows {
		c.Nodes[i] = jobOf(&rows[i])
		c.Edges[i] = &gqlmodel.JobEdge{Cursor: page.Cursor(name, job.Position(&rows[i], order)), Node: c.Nodes[i]}
	}
	if len(c.Edges) > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[len(rows)-1].Cursor
	}
	return c
}
