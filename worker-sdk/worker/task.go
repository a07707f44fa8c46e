package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Task is one attempt of a task as its handler sees it. The fields are not changed
// once the handler has begun; the methods are safe for use by many goroutines, and
// do nothing once the handler has returned.
type Task struct {
	ID      string // the TaskId, the same for all attempts
	Attempt int    // 1 for the first
	// Fence is the fencing token, which rises from attempt to attempt: a store that
	// remembers the highest it has seen can refuse the writes of an older attempt.
	Fence       int64
	MaxAttempts int
	JobID       string
	JobName     string
	Handler     string
	Trigger     string // CRON, FIXED_RATE, FIXED_DELAY, DELAY, MANUAL, DEPENDENCY or BACKFILL
	Root        string // the task that began this chain, "" if none did
	UniqueKey   string
	ScheduledAt time.Time // the instant that the task was to run, in UTC
	Deadline    time.Time // when the time limit passes, by this machine's clock; zero without one
	Shard       int       // 0 … Shards-1
	Shards      int       // 0 when the task is not sharded
	Range       Range     // of a range shard, otherwise zero
	Parameters  json.RawMessage
	TraceParent string // W3C traceparent of the firing, "" without tracing

	upstream []UpstreamResult
	a        *attempt
}

// Range is the half-open index range [From, To) of a range shard.
type Range struct{ From, To int64 }

// Len returns how many indices r has.
func (r Range) Len() int64 { return r.To - r.From }

type taskKey struct{}

// FromContext returns the task whose handler got ctx, or a context made from it.
func FromContext(ctx context.Context) (*Task, bool) {
	task, ok := ctx.Value(taskKey{}).(*Task)
	return task, ok
}

// Logger returns the logger of this attempt. Its lines appear in the task's log
// while the handler runs, where the console shows them live, and in Config.Logger.
// A message is cut at 16 KiB; when lines come faster than the server takes them,
// the oldest waiting ones are dropped and a line says how many.
func (t *Task) Logger() *slog.Logger {
	t.a.logOnce.Do(func() { t.a.logger = newTaskLogger(t.a) })
	return t.a.logger
}

// Progress tells how far the handler has come: fraction from 0 to 1 and a few words.
// Only the latest is kept, so it may be called often.
func (t *Task) Progress(fraction float64, message string) {
	if math.IsNaN(fraction) {
		fraction = 0
	}
	t.a.book.progress(t.a, wire.Progress{
		Fraction: min(max(fraction, 0), 1),
		Message:  cut(message, maxProgressBytes),
	})
}

// maxProgressBytes bounds the words of Progress.
const maxProgressBytes = 1024

// Checkpoint saves v, at most 64 KiB of JSON, as the place from which a later
// attempt goes on, and waits until the server has it. When ctx ends first, its
// cause is returned, but v still goes along with the attempt's result. After
// ErrLeaseLost nothing is saved.
func (t *Task) Checkpoint(ctx context.Context, v any) error {
	data, err := marshal("checkpoint", v, wire.MaxCheckpoint)
	if err != nil {
		return err
	}
	saved := make(chan error, 1)
	t.a.book.checkpoint(t.a, data, saved)
	select {
	case err := <-saved:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// LastCheckpoint decodes the latest checkpoint, of this or an earlier attempt,
// into v, and reports whether there was one.
func (t *Task) LastCheckpoint(v any) (bool, error) {
	data := t.a.book.lastCheckpoint(t.a)
	if len(data) == 0 {
		return false, nil
	}
	if err := json.Unmarshal(data, v); err != nil {
		return true, fmt.Errorf("decoding the checkpoint: %w", err)
	}
	return true, nil
}

// SetResult sets the attempt's result, at most 256 KiB of JSON; the last call
// counts. A v that cannot be stored leaves the result as it was, and the task's log
// says so too.
func (t *Task) SetResult(v any) error {
	data, err := marshal("result", v, wire.MaxResultBytes)
	if err != nil {
		t.Logger().Warn("the result was not set", "error", err)
		return err
	}
	t.a.book.setResult(t.a, data)
	return nil
}

func marshal(what string, v any, limit int) (json.RawMessage, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encoding the %s: %w", what, err)
	}
	if len(data) > limit {
		return nil, fmt.Errorf("the %s has %d bytes of JSON: at most %d are kept, so store it elsewhere and keep its address", what, len(data), limit)
	}
	return data, nil
}

// errEnded is what a Checkpoint after the handler's end gets.
var errEnded = errors.New("the handler has returned")

// taskOf fills a Task from its assignment.
func taskOf(as *wire.Assignment, received time.Time) Task {
	t := Task{
		ID: as.Task, Attempt: as.Attempt, Fence: int64(as.Attempt), MaxAttempts: as.MaxAttempts,
		JobID: as.JobID, JobName: as.Job, Handler: as.Handler, Trigger: as.Trigger,
		Root: as.Root, UniqueKey: as.UniqueKey, ScheduledAt: as.ScheduledAt.UTC(),
		Shard: as.Shard, Shards: as.Shards, Parameters: as.Parameters, TraceParent: as.TraceParent,
	}
	if as.TimeoutMS > 0 {
		t.Deadline = received.Add(time.Duration(as.TimeoutMS) * time.Millisecond)
	}
	for _, u := range as.Upstream {
		t.upstream = append(t.upstream, UpstreamResult{Job: u.Job, TaskID: u.Task, State: u.State, Result: u.Result, Omitted: u.Omitted})
	}
	if as.Range != nil {
		t.Range = Range{From: as.Range.From, To: as.Range.To}
	}
	return t
}
