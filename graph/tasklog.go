package graph

import (
	"context"
	"log/slog"
	"time"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/task"
)

const (
	logPage = 500             // lines read at once
	logPoll = 2 * time.Second // how often it is looked without a hint, since hints may be lost
	logLast = time.Second     // how long further lines are awaited after the task has ended
	logOld  = time.Minute     // a task that ended before this has all its lines
)

// taskLog replays a task's log and follows it.
func (r *Resolver) taskLog(ctx context.Context, id string, after int64) (<-chan *gqlmodel.TaskLogLine, error) {
	if _, err := r.services.Tasks.Task(ctx, id); err != nil {
		if fault.Is(err, fault.NotFound) {
			return nil, fault.At("task", fault.NotFound, "There is no task %q: it may have been deleted with its history.", id)
		}
		return nil, err
	}
	wake, unwatch, err := r.feeds.logs.Watch(id)
	if err != nil {
		return nil, refused(err)
	}
	f := &follower{
		ended: func(ctx context.Context) (bool, bool, error) { return r.taskEnded(ctx, id) },
		read: func(ctx context.Context, after int64) ([]task.LogLine, bool, error) {
			page, err := r.services.Tasks.Logs(ctx, id, after, logPage)
			return page.Lines, page.More, err
		},
		after: after, wake: wake, out: make(chan *gqlmodel.TaskLogLine), log: r.log.With("task_id", id),
	}
	go func() { // belongs to the operation and ends with ctx, or with the log
		defer close(f.out)
		defer unwatch()
		f.run(ctx)
	}()
	return f.out, nil
}

// taskEnded says whether nothing more will run unless a person asks for it, and
// whether that is so since long. A task that is no more has ended.
func (r *Resolver) taskEnded(ctx context.Context, id string) (ended, long bool, err error) {
	t, err := r.services.Tasks.Task(ctx, id)
	if fault.Is(err, fault.NotFound) {
		return true, true, nil
	}
	if err != nil || t.State.Live() {
		return false, false, err
	}
	return true, t.FinishedAt == nil || r.clock.Now().Sub(*t.FinishedAt) > logOld, nil
}

// follower sends one task's lines, in order and each once.
type follower struct {
	ended func(ctx context.Context) (ended, long bool, err error)
	read  func(ctx context.Context, after int64) (lines []task.LogLine, more bool, err error)
	after int64 // seq of the last line sent
	wake  <-chan struct{}
	out   chan *gqlmodel.TaskLogLine
	log   *slog.Logger
}

// run sends lines until the log is complete or ctx ends. It is complete when the
// task has ended and no line has come for a moment: lines are written beside the
// end, not within it.
func (f *follower) run(ctx context.Context) {
	quiet := false
	for ctx.Err() == nil {
		ended, long, err := f.ended(ctx) // before the lines: what was written before the end is then read
		sent := 0
		if err == nil {
			sent, err = f.drain(ctx)
		}
		if err != nil && ctx.Err() == nil {
			f.log.WarnContext(ctx, "reading a task's log failed; trying again", "error", err)
		}
		over := err == nil && ended && (sent == 0 || long)
		if over && (quiet || long) {
			return
		}
		ended = ended && err == nil
		quiet = f.wait(ctx, ended) && ended
	}
}

// wait waits for a hint or the time to look without one; it answers true when no
// hint came.
func (f *follower) wait(ctx context.Context, ended bool) bool {
	d := logPoll
	if ended {
		d = logLast
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-f.wake:
		return false
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// drain sends all lines that there are and answers how many.
func (f *follower) drain(ctx context.Context) (sent int, err error) {
	for {
		lines, more, err := f.read(ctx, f.after)
		if err != nil {
			return sent, err
		}
		for i := range lines {
			select {
			case f.out <- logLineOf(&lines[i]):
				f.after = lines[i].Seq
				sent++
			case <-ctx.Done():
				return sent, context.Cause(ctx)
			}
		}
		if !more || len(lines) == 0 {
			return sent, nil
		}
	}
}
