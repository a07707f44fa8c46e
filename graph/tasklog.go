package graph

import (
	"context"
	"log/slog"
	"time"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/task"
)

const (
	logPage = 500                    // lines read at once
	logPace = 100 * time.Millisecond // between two reads that hints ask for
	logPoll = 2 * time.Second        // how often it is looked without a hint, since hints may be lost
	logLast = time.Second            // how long further lines are awaited after the task has ended
	logOld  = time.Minute            // a task that ended before this has all its lines
)

// taskLog replays a task's log and follows it, line by line.
func (r *Resolver) taskLog(ctx context.Context, id string, after int64) (<-chan *gqlmodel.TaskLogLine, error) {
	out, s := make(chan *gqlmodel.TaskLogLine), scopeOf(ctx)
	send := func(ctx context.Context, part *gqlmodel.TaskLogPart) error {
		if part.Truncated || part.LateAttempt != nil {
			s.resync.Store(true)
		}
		for _, line := range part.Nodes {
			select {
			case out <- line:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	}
	return out, r.followLog(ctx, id, after, send, func() { close(out) })
}

// taskLogParts replays a task's log and follows it, many lines at once.
func (r *Resolver) taskLogParts(ctx context.Context, id string, after int64) (<-chan *gqlmodel.TaskLogPart, error) {
	out := make(chan *gqlmodel.TaskLogPart)
	send := func(ctx context.Context, part *gqlmodel.TaskLogPart) error {
		select {
		case out <- part:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return out, r.followLog(ctx, id, after, send, func() { close(out) })
}

// followLog hands parts of a task's log to send until the log is complete or ctx
// ends, then calls done. It holds one part at a time: send blocks while the
// subscriber is slow, and what has come meanwhile is read from the ledger.
func (r *Resolver) followLog(ctx context.Context, id string, after int64, send func(context.Context, *gqlmodel.TaskLogPart) error, done func()) error {
	if _, err := r.services.Tasks.Task(ctx, id); err != nil {
		if fault.Is(err, fault.NotFound) {
			return fault.At("task", fault.NotFound, "There is no task %q: it may have been deleted with its history.", id)
		}
		return err
	}
	wake, unwatch, err := r.feeds.logs.Watch(id)
	if err != nil {
		return refused(err)
	}
	names := nodeNames{read: func(ctx context.Context) (map[int]string, error) { return r.nodeNames(ctx, id) }}
	f := &follower{
		ended: func(ctx context.Context) (bool, bool, error) { return r.taskEnded(ctx, id) },
		read: func(ctx context.Context, after int64) (task.LogPage, error) {
			return r.services.Tasks.Logs(ctx, id, after, logPage)
		},
		send: func(ctx context.Context, page *task.LogPage, late int) error {
			part := &gqlmodel.TaskLogPart{Nodes: logLinesOf(page.Lines, names.of(ctx, page.Lines)), Truncated: page.Truncated}
			if late > 0 {
				part.LateAttempt = &late
			}
			return send(ctx, part)
		},
		after: after, wake: wake, log: r.log.With("task_id", id),
	}
	go func() { // belongs to the operation and ends with ctx, or with the log
		defer done()
		defer unwatch()
		f.run(ctx)
	}()
	return nil
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
	read  func(ctx context.Context, after int64) (task.LogPage, error)
	// send hands a page on; late, unless 0, is the first of the attempts before the
	// present one whose log has grown since it was read.
	send  func(ctx context.Context, page *task.LogPage, late int) error
	after int64 // seq of the last line sent
	heads map[int]task.LogHead
	wake  <-chan struct{}
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
// hint came. After a hint it waits for logPace, so that hints that come in quick
// succession cause one read.
func (f *follower) wait(ctx context.Context, ended bool) bool {
	d := logPoll
	if ended {
		d = logLast
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-f.wake:
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
	pace := time.NewTimer(logPace)
	defer pace.Stop()
	select {
	case <-pace.C:
	case <-ctx.Done():
	}
	return false
}

// drain sends all lines that there are and answers how many.
func (f *follower) drain(ctx context.Context) (sent int, err error) {
	for {
		page, err := f.read(ctx, f.after)
		if err != nil {
			return sent, err
		}
		late := f.late(page.Heads)
		if len(page.Lines) == 0 && late == 0 {
			return sent, nil
		}
		if err := f.send(ctx, &page, late); err != nil {
			return sent, err
		}
		if n := len(page.Lines); n > 0 {
			f.after = page.Lines[n-1].Seq
			sent += n
		}
		if !page.More {
			return sent, nil
		}
	}
}

// late answers the first attempt before the present one whose log has changed
// since the read before: a node that was cut off sends its lines when another has
// taken over. 0 means none.
func (f *follower) late(heads []task.LogHead) (first int) {
	present, _ := models.SplitLogSeq(f.after)
	known := f.heads
	f.heads = make(map[int]task.LogHead, len(heads))
	for _, h := range heads {
		f.heads[h.Attempt] = h
		before, seen := known[h.Attempt]
		if known != nil && h.Attempt < present && (!seen || before != h) && (first == 0 || h.Attempt < first) {
			first = h.Attempt
		}
	}
	return first
}

// nodeNames knows the nodes of a task's attempts by their numbers.
type nodeNames struct {
	read  func(ctx context.Context) (map[int]string, error)
	known map[int]string
}

// of answers the names for lines; it reads them again for an attempt that it does
// not know. Without an answer lines go without names: they matter more.
func (n *nodeNames) of(ctx context.Context, lines []task.LogLine) map[int]string {
	for i := range lines {
		if n.known[lines[i].Attempt] != "" {
			continue
		}
		if fresh, err := n.read(ctx); err == nil {
			n.known = fresh
		}
		break
	}
	return n.known
}

// nodeNames answers the names of the nodes of a task's attempts.
func (r *Resolver) nodeNames(ctx context.Context, id string) (map[int]string, error) {
	t, err := r.services.Tasks.Task(ctx, id)
	if err != nil {
		return nil, err
	}
	all, err := r.services.Tasks.Attempts(ctx, []models.Task{t})
	if err != nil {
		return nil, err
	}
	return namesOf(all[id]), nil
}

func namesOf(attempts []task.Attempt) map[int]string {
	names := make(map[int]string, len(attempts))
	for i := range attempts {
		names[attempts[i].Number] = attempts[i].NodeName
	}
	return names
}

// logLinesOf translates lines; names are those of the attempts' nodes.
func logLinesOf(lines []task.LogLine, names map[int]string) []*gqlmodel.TaskLogLine {
	shown := make([]*gqlmodel.TaskLogLine, len(lines))
	for i := range lines {
		shown[i] = logLineOf(&lines[i])
		if name := names[lines[i].Attempt]; name != "" {
			shown[i].NodeName = &name
		}
	}
	return shown
}

// mostLogText bounds the text that is searched for, in characters.
const mostLogText = 200

// logQuery reads a filter. Faults: INVALID for first, text and attempt.
func logQuery(in *gqlmodel.TaskLogFilter, first *int) (task.LogQuery, error) {
	n, err := page.Size("first", first, normalLogs, mostLogs)
	if err != nil {
		return task.LogQuery{}, err
	}
	q := task.LogQuery{Text: given(in.Text), Attempt: given(in.Attempt), Limit: n}
	if length := utf8.RuneCountInString(q.Text); length > mostLogText {
		return q, fault.At("filter.text", fault.Invalid, "The text has %d characters: search for at most %d.", length, mostLogText)
	}
	if q.Attempt < 0 || q.Attempt > maxAttemptNumber {
		return q, fault.At("filter.attempt", fault.Invalid, "There is no attempt %d: attempts count from 1.", q.Attempt)
	}
	if level := given(in.MinLevel); level != "" {
		q.Rank = models.LogRank(string(level))
	}
	return q, nil
}

// maxAttemptNumber is more than any task has attempts.
const maxAttemptNumber = 1 << 30
