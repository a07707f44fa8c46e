package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

type order struct {
	ID  int    `json:"id"`
	Who string `json:"who"`
}

func TestTaskReachesItsHandlerWhole(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		scheduled := time.Now().Add(-time.Minute)
		var got worker.Task
		var args order
		b := begin(t, nil, func(w *worker.Worker) {
			worker.Handle(w, "Close", func(ctx context.Context, task *worker.Task, o order) error {
				if again, ok := worker.FromContext(ctx); !ok || again != task {
					t.Error("FromContext does not find the task")
				}
				got.ID, got.Attempt, got.Fence, got.MaxAttempts = task.ID, task.Attempt, task.Fence, task.MaxAttempts
				got.JobName, got.Handler, got.Trigger, got.UniqueKey = task.JobName, task.Handler, task.Trigger, task.UniqueKey
				got.Shard, got.Shards, got.Range = task.Shard, task.Shards, task.Range
				got.ScheduledAt, got.Deadline, got.TraceParent = task.ScheduledAt, task.Deadline, task.TraceParent
				args = o
				return task.SetResult(map[string]int{"closed": o.ID})
			})
		})
		o := b.run("Close", order{17, "Ada"}, workertest.Attempt(3), workertest.Job("Close orders"), workertest.Trigger("CRON"),
			workertest.UniqueKey("order-17"), workertest.Shard(2, 5), workertest.Range(100, 200), workertest.ScheduledAt(scheduled),
			workertest.TimeLimit(time.Minute), workertest.TraceParent("00-x"))
		if o.State != "SUCCEEDED" || string(o.Result) != `{"closed":17}` {
			t.Errorf("outcome %+v", o)
		}
		if args != (order{17, "Ada"}) {
			t.Errorf("args %+v", args)
		}
		if got.ID != o.TaskID || got.Attempt != 3 || got.Fence != 3 || got.MaxAttempts != 3 || got.JobName != "Close orders" || got.Handler != "Close" ||
			got.Trigger != "CRON" || got.UniqueKey != "order-17" || got.Shard != 2 || got.Shards != 5 || got.Range.Len() != 100 ||
			!got.ScheduledAt.Equal(scheduled) || got.ScheduledAt.Location() != time.UTC || got.TraceParent != "00-x" {
			t.Errorf("task %+v", &got)
		}
		if limit := time.Until(got.Deadline); limit <= 0 || limit > time.Minute {
			t.Errorf("deadline in %s", limit)
		}
		b.end()
	})
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	for name, c := range map[string]struct {
		handler func(ctx context.Context, task *worker.Task, _ struct{}) error
		options []workertest.Option
		state   string
		ending  string
		error   string
		noRetry bool
		pause   time.Duration // of the last ending; below zero: none
		tries   int
	}{
		"nil":   {func(context.Context, *worker.Task, struct{}) error { return nil }, nil, "SUCCEEDED", "succeeded", "", false, -1, 1},
		"error": {func(context.Context, *worker.Task, struct{}) error { return boom }, []workertest.Option{workertest.MaxAttempts(3)}, "FAILED", "failed", "boom", false, -1, 3},
		"no retry": {func(context.Context, *worker.Task, struct{}) error {
			return fmt.Errorf("outer: %w", worker.NoRetry(boom))
		}, []workertest.Option{workertest.MaxAttempts(3)}, "FAILED", "failed", "outer: boom", true, -1, 1},
		"no retry nil": {func(context.Context, *worker.Task, struct{}) error { return worker.NoRetry(nil) }, nil, "SUCCEEDED", "succeeded", "", false, -1, 1},
		"retry after": {func(context.Context, *worker.Task, struct{}) error {
			return worker.RetryAfter(1500*time.Microsecond, boom)
		}, []workertest.Option{workertest.MaxAttempts(2)}, "FAILED", "failed", "boom", false, 2 * time.Millisecond, 2},
		"retry after -":  {func(context.Context, *worker.Task, struct{}) error { return worker.RetryAfter(-time.Hour, boom) }, nil, "FAILED", "failed", "boom", false, 0, 1},
		"panic":          {func(context.Context, *worker.Task, struct{}) error { panic("ouch") }, nil, "FAILED", "failed", "panic: ouch", false, -1, 1},
		"nil map panic":  {func(context.Context, *worker.Task, struct{}) error { return fill(nil) }, nil, "FAILED", "failed", "panic: assignment to entry in nil map", false, -1, 1},
		"limit passed":   {func(ctx context.Context, _ *worker.Task, _ struct{}) error { <-ctx.Done(); return ctx.Err() }, []workertest.Option{workertest.TimeLimit(time.Second)}, "FAILED", "timed_out", "the time limit has passed: context deadline exceeded", false, -1, 1},
		"limit, no care": {func(ctx context.Context, _ *worker.Task, _ struct{}) error { <-ctx.Done(); return nil }, []workertest.Option{workertest.TimeLimit(time.Second)}, "SUCCEEDED", "succeeded", "", false, -1, 1},
		"limit, other":   {func(ctx context.Context, _ *worker.Task, _ struct{}) error { <-ctx.Done(); return boom }, []workertest.Option{workertest.TimeLimit(time.Second)}, "FAILED", "timed_out", "the time limit has passed: boom", false, -1, 1},
		"limit, cause":   {func(ctx context.Context, _ *worker.Task, _ struct{}) error { <-ctx.Done(); return context.Cause(ctx) }, []workertest.Option{workertest.TimeLimit(time.Second)}, "FAILED", "timed_out", "the time limit has passed", false, -1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := begin(t, nil, func(w *worker.Worker) { worker.Handle(w, "H", c.handler) })
				o := b.run("H", nil, c.options...)
				if o.State != c.state || o.Ending != c.ending || o.Error != c.error || o.NoRetry != c.noRetry || len(o.Attempts) != c.tries {
					t.Errorf("got %s, %s, %q, no retry %v after %d attempts", o.State, o.Ending, o.Error, o.NoRetry, len(o.Attempts))
				}
				if (o.Pause != nil) != (c.pause >= 0) || o.Pause != nil && *o.Pause != c.pause {
					t.Errorf("pause %v, want %s", o.Pause, c.pause)
				}
				if strings.Contains(name, "panic") != strings.Contains(o.Stack, "outcome_test.go") {
					t.Errorf("stack %q", o.Stack)
				}
				b.end()
			})
		})
	}
}

func TestSnoozeUsesUpNoAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began, fences := time.Now(), []int64{}
		b := begin(t, nil, func(w *worker.Worker) {
			worker.Handle(w, "H", func(_ context.Context, task *worker.Task, _ struct{}) error {
				if fences = append(fences, task.Fence); len(fences) < 3 {
					return worker.Snooze(time.Hour)
				}
				return nil
			})
		})
		o := b.run("H", nil)
		if o.State != "SUCCEEDED" || len(o.Attempts) != 3 || time.Since(began) < 2*time.Hour || fences[0] >= fences[1] || fences[1] >= fences[2] {
			t.Errorf("%s after %s, fences %v", o.State, time.Since(began), fences)
		}
		b.end()
	})
}

func TestParametersThatDoNotFit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := begin(t, nil, func(w *worker.Worker) {
			worker.Handle(w, "H", func(context.Context, *worker.Task, order) error { t.Error("was called"); return nil })
			worker.Handle(w, "Raw", func(_ context.Context, task *worker.Task, raw json.RawMessage) error { return task.SetResult(raw) })
			worker.Handle(w, "None", func(_ context.Context, _ *worker.Task, o order) error { return fmt.Errorf("%+v", o) })
		})
		if o := b.run("H", []int{1}, workertest.MaxAttempts(5)); !o.NoRetry || len(o.Attempts) != 1 || !strings.Contains(o.Error, "order") {
			t.Errorf("outcome %+v", o)
		}
		if o := b.run("Raw", map[string]any{"a": []int{1}}); string(o.Result) != `{"a":[1]}` {
			t.Errorf("result %s", o.Result)
		}
		if o := b.run("None", nil); o.Error != "{ID:0 Who:}" {
			t.Errorf("null gives %s", o.Error)
		}
		b.end()
	})
}

func TestGoexitInAHandler(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := begin(t, func(c *worker.Config) { c.Slots = 1 }, func(w *worker.Worker) {
			worker.Handle(w, "H", func(_ context.Context, task *worker.Task, _ struct{}) error {
				if task.Attempt == 1 {
					(&testing.T{}).SkipNow() // which is runtime.Goexit
				}
				return nil
			})
		})
		o := b.run("H", nil, workertest.MaxAttempts(2))
		if o.State != "SUCCEEDED" || !strings.Contains(o.Attempts[0].Error, "Goexit") {
			t.Errorf("outcome %+v", o)
		}
		b.end()
	})
}

func TestMiddlewareOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var order []string
		note := func(name string) worker.Middleware {
			return func(next worker.Handler) worker.Handler {
				return func(ctx context.Context, task *worker.Task) error {
					order = append(order, name)
					err := next(ctx, task)
					order = append(order, "-"+name)
					return err
				}
			}
		}
		b := begin(t, nil, func(w *worker.Worker) {
			w.Use(note("a"), note("b"))
			worker.Handle(w, "H", func(context.Context, *worker.Task, struct{}) error { order = append(order, "h"); return nil })
			w.Use(note("c"))
		})
		b.run("H", nil)
		if got := strings.Join(order, " "); got != "a b c h -c -b -a" {
			t.Errorf("order %s", got)
		}
		b.end()
	})
}

func fill(m map[string]int) error {
	m["x"] = 1
	return nil
}
