package graph

import (
	"context"
	"encoding/json"
	"time"

	"github.com/belfry-scheduler/belfry/graph/generated"
	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/services/task"
)

// Node is the resolver for Attempt.node.
func (r *attemptResolver) Node(ctx context.Context, obj *gqlmodel.Attempt) (*gqlmodel.Node, error) {
	return r.node(ctx, obj.NodeID)
}

// CancelTask is the resolver for Mutation.cancelTask.
func (r *mutationResolver) CancelTask(ctx context.Context, id string, reason *string) (*gqlmodel.TaskPayload, error) {
	changed, err := r.services.Tasks.Cancel(ctx, actor(ctx), "", id, or(reason, ""))
	return r.taskPayload(changed)(inArgument("id", err))
}

// CancelTaskByKey is the resolver for Mutation.cancelTaskByKey.
func (r *mutationResolver) CancelTaskByKey(ctx context.Context, job string, uniqueKey string) (*gqlmodel.TaskPayload, error) {
	changed, err := r.services.Tasks.CancelByKey(ctx, actor(ctx), "", job, uniqueKey, "")
	return r.taskPayload(changed)(inArgument("uniqueKey", err))
}

// RescheduleTask is the resolver for Mutation.rescheduleTask.
func (r *mutationResolver) RescheduleTask(ctx context.Context, id string, delay *time.Duration, runAt *time.Time) (*gqlmodel.TaskPayload, error) {
	changed, err := r.services.Tasks.Reschedule(ctx, actor(ctx), "", id, task.When{Delay: delay, RunAt: runAt})
	return r.taskPayload(changed)(inArgument("id", err))
}

// RescheduleTaskByKey is the resolver for Mutation.rescheduleTaskByKey.
func (r *mutationResolver) RescheduleTaskByKey(ctx context.Context, job string, uniqueKey string, delay *time.Duration, runAt *time.Time) (*gqlmodel.TaskPayload, error) {
	changed, err := r.services.Tasks.RescheduleByKey(ctx, actor(ctx), "", job, uniqueKey, task.When{Delay: delay, RunAt: runAt})
	return r.taskPayload(changed)(inArgument("uniqueKey", err))
}

// RetryTask is the resolver for Mutation.retryTask.
func (r *mutationResolver) RetryTask(ctx context.Context, id string, parameters json.RawMessage) (*gqlmodel.TaskPayload, error) {
	changed, err := r.services.Tasks.Retry(ctx, actor(ctx), id, parameters)
	return r.taskPayload(changed)(inArgument("id", err))
}

// DiscardTask is the resolver for Mutation.discardTask.
func (r *mutationResolver) DiscardTask(ctx context.Context, id string, reason *string) (*gqlmodel.TaskPayload, error) {
	changed, err := r.services.Tasks.Discard(ctx, actor(ctx), id, or(reason, ""))
	return r.taskPayload(changed)(inArgument("id", err))
}

// Tasks is the resolver for Query.tasks.
func (r *queryResolver) Tasks(ctx context.Context, first *int, after *string, last *int, before *string, filter *gqlmodel.TaskFilter) (*gqlmodel.TaskConnection, error) {
	return r.taskPage(ctx, page.Args{First: first, After: after, Last: last, Before: before}, taskFilter(ctx, filter))
}

// Task is the resolver for Query.task.
func (r *queryResolver) Task(ctx context.Context, id string) (*gqlmodel.Task, error) {
	return found(r.taskOf)(r.services.Tasks.Task(ctx, id))
}

// Job is the resolver for Task.job.
func (r *taskResolver) Job(ctx context.Context, obj *gqlmodel.Task) (*gqlmodel.Job, error) {
	return r.job(ctx, obj.Row.JobID)
}

// Group is the resolver for Task.group.
func (r *taskResolver) Group(ctx context.Context, obj *gqlmodel.Task) (*gqlmodel.NodeGroup, error) {
	return r.group(ctx, obj.Row.GroupID)
}

// Node is the resolver for Task.node.
func (r *taskResolver) Node(ctx context.Context, obj *gqlmodel.Task) (*gqlmodel.Node, error) {
	return r.node(ctx, obj.Row.NodeID)
}

// RootTask is the resolver for Task.rootTask.
func (r *taskResolver) RootTask(ctx context.Context, obj *gqlmodel.Task) (*gqlmodel.Task, error) {
	return r.task(ctx, obj.Row.RootID)
}

// Parent is the resolver for Task.parent.
func (r *taskResolver) Parent(ctx context.Context, obj *gqlmodel.Task) (*gqlmodel.Task, error) {
	return r.task(ctx, obj.Row.ParentID)
}

// Backfill is the resolver for Task.backfill.
func (r *taskResolver) Backfill(ctx context.Context, obj *gqlmodel.Task) (*gqlmodel.Backfill, error) {
	if obj.Row.BackfillID == nil {
		return nil, nil //nolint:nilnil // absent is an answer: the schema says null
	}
	row, err := edge(ctx, r.loaders(ctx).backfills, "backfill", *obj.Row.BackfillID)
	return backfillOf(row), err
}

// Children is the resolver for Task.children.
func (r *taskResolver) Children(ctx context.Context, obj *gqlmodel.Task, first *int, after *string) (*gqlmodel.TaskConnection, error) {
	args := page.Args{First: first, After: after}
	if obj.Shards == nil || obj.Shard != nil { // not the parent of shards
		window, err := page.Read(taskOrder, args)
		if err != nil {
			return nil, err
		}
		return r.taskConnection(nil, task.PageInfo{HasPrevious: window.After != ""}, window, noCount), nil
	}
	return r.taskPage(ctx, args, task.Filter{ParentID: obj.ID})
}

// Attempts is the resolver for Task.attempts.
func (r *taskResolver) Attempts(ctx context.Context, obj *gqlmodel.Task) ([]*gqlmodel.Attempt, error) {
	attempts, _, err := r.loaders(ctx).attempts.Load(ctx, obj.Row)
	return each(attempts, attemptOf), err
}

// Timeline is the resolver for Task.timeline.
func (r *taskResolver) Timeline(ctx context.Context, obj *gqlmodel.Task) ([]*gqlmodel.TimelineEntry, error) {
	entries, _, err := r.loaders(ctx).timeline.Load(ctx, obj.Row)
	return each(entries, entryOf), err
}

// Logs is the resolver for Task.logs.
func (r *taskResolver) Logs(ctx context.Context, obj *gqlmodel.Task, first *int, after *int64) (*gqlmodel.TaskLogConnection, error) {
	n, err := page.Size("first", first, normalLogs, mostLogs)
	if err != nil {
		return nil, err
	}
	read, err := r.services.Tasks.Logs(ctx, obj.ID, or(after, 0), n)
	if err != nil {
		return nil, err
	}
	attempts, _, err := r.loaders(ctx).attempts.Load(ctx, obj.Row)
	if err != nil {
		return nil, err
	}
	shown := &gqlmodel.TaskLogConnection{Nodes: logLinesOf(read.Lines, namesOf(attempts)), HasNextPage: read.More, Truncated: read.Truncated}
	if n := len(read.Lines); n > 0 {
		shown.EndCursor = &read.Lines[n-1].Seq
	}
	return shown, nil
}

// SearchLogs is the resolver for Task.searchLogs.
func (r *taskResolver) SearchLogs(ctx context.Context, obj *gqlmodel.Task, filter gqlmodel.TaskLogFilter, first *int, after *int64, backward bool) (*gqlmodel.TaskLogSearch, error) {
	query, err := logQuery(&filter, first)
	if err != nil {
		return nil, err
	}
	query.From, query.Backward = or(after, 0), backward
	found, err := r.services.Tasks.SearchLogs(ctx, obj.ID, query)
	if err != nil {
		return nil, err
	}
	attempts, _, err := r.loaders(ctx).attempts.Load(ctx, obj.Row)
	if err != nil {
		return nil, err
	}
	shown := &gqlmodel.TaskLogSearch{Nodes: logLinesOf(found.Lines, namesOf(attempts)), HasNextPage: found.More}
	if found.SearchedTo > 0 {
		shown.SearchedTo = &found.SearchedTo
	}
	return shown, nil
}

// TotalCount is the resolver for TaskConnection.totalCount.
func (r *taskConnectionResolver) TotalCount(ctx context.Context, obj *gqlmodel.TaskConnection) (*int, error) {
	return obj.Count(ctx)
}

// Node is the resolver for TimelineEntry.node.
func (r *timelineEntryResolver) Node(ctx context.Context, obj *gqlmodel.TimelineEntry) (*gqlmodel.Node, error) {
	return r.node(ctx, obj.NodeID)
}

// Attempt answers the resolvers of Attempt.
func (r *Resolver) Attempt() generated.AttemptResolver { return &attemptResolver{r} }

// Task answers the resolvers of Task.
func (r *Resolver) Task() generated.TaskResolver { return &taskResolver{r} }

// TaskConnection answers the resolvers of TaskConnection.
func (r *Resolver) TaskConnection() generated.TaskConnectionResolver {
	return &taskConnectionResolver{r}
}

// TimelineEntry answers the resolvers of TimelineEntry.
func (r *Resolver) TimelineEntry() generated.TimelineEntryResolver { return &timelineEntryResolver{r} }

type (
	attemptResolver        struct{ *Resolver }
	taskResolver           struct{ *Resolver }
	taskConnectionResolver struct{ *Resolver }
	timelineEntryResolver  struct{ *Resolver }
)
