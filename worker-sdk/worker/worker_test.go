package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

// The tests of this package let a worker and a server in memory run in a synctest
// bubble: every pause passes at once, and a goroutine that is left over when a test
// ends makes it panic.

// bench is a server with one worker that is running.
type bench struct {
	*workertest.Server
	t      *testing.T
	worker *worker.Worker
	stop   context.CancelFunc
	done   chan error
}

// quiet discards log lines.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// begin starts a worker of the name "w1" with handlers registered by register.
func begin(t *testing.T, change func(*worker.Config), register func(*worker.Worker)) *bench {
	t.Helper()
	server := workertest.NewServer(t)
	b := join(t, server, "w1", change, register)
	if err := server.Connected(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	return b
}

func join(t *testing.T, server *workertest.Server, name string, change func(*worker.Config), register func(*worker.Worker)) *bench {
	t.Helper()
	cfg := server.Config(name)
	cfg.Logger, cfg.Slots = quiet(), 4
	if change != nil {
		change(&cfg)
	}
	w, err := worker.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	register(w)
	ctx, cancel := context.WithCancel(t.Context())
	b := &bench{Server: server, t: t, worker: w, stop: cancel, done: make(chan error, 1)}
	go func() { b.done <- w.Run(ctx) }()
	return b
}

// end drains the worker and checks that Run returns no error.
func (b *bench) end() {
	b.t.Helper()
	b.stop()
	if err := <-b.done; err != nil {
		b.t.Errorf("Run: %v", err)
	}
	b.Close()
}

func (b *bench) enqueue(handler string, args any, options ...workertest.Option) string {
	b.t.Helper()
	id, err := b.Enqueue(handler, args, options...)
	if err != nil {
		b.t.Fatal(err)
	}
	return id
}

func (b *bench) wait(id string) workertest.Outcome {
	b.t.Helper()
	o, err := b.Wait(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return o
}

func (b *bench) run(handler string, args any, options ...workertest.Option) workertest.Outcome {
	b.t.Helper()
	return b.wait(b.enqueue(handler, args, options...))
}

type order struct {
	ID  int    `json:"id"`
	Who string `json:"who"`
}

func TestTaskReachesItsHandlerWhole(t *testing.T) {
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
		"nil map panic":  {func(context.Context, *worker.Task, struct{}) error { var m map[string]int; m["x"] = 1; return nil }, nil, "FAILED", "failed", "panic: assignment to entry in nil map", false, -1, 1},
		"limit passed":   {func(ctx context.Context, _ *worker.Task, _ struct{}) error { <-ctx.Done(); return ctx.Err() }, []workertest.Option{workertest.TimeLimit(time.Second)}, "FAILED", "timed_out", "the time limit has passed: context deadline exceeded", false, -1, 1},
		"limit, no care": {func(ctx context.Context, _ *worker.Task, _ struct{}) error { <-ctx.Done(); return nil }, []workertest.Option{workertest.TimeLimit(time.Second)}, "SUCCEEDED", "succeeded", "", false, -1, 1},
		"limit, other":   {func(ctx context.Context, _ *worker.Task, _ struct{}) error { <-ctx.Done(); return boom }, []workertest.Option{workertest.TimeLimit(time.Second)}, "FAILED", "timed_out", "the time limit has passed: boom", false, -1, 1},
		"limit, cause":   {func(ctx context.Context, _ *worker.Task, _ struct{}) error { <-ctx.Done(); return context.Cause(ctx) }, []workertest.Option{workertest.TimeLimit(time.Second)}, "FAILED", "timed_out", "the time limit has passed", false, -1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := begin(t, nil, func(w *worker.Worker) { worker.Handle(w, "H", c.handler) })
				o := b.run("H", nil, c.options...)
				if o.State != c.state || o.Ending != c.ending || o.Error != c.error || o.NoRetry != c.noRetry || len(o.Attempts) != c.tries {
					t.Errorf("got %s, %s, %q, no retry %v after %d attempts", o.State, o.Ending, o.Error, o.NoRetry, len(o.Attempts))
				}
				if (o.Pause != nil) != (c.pause >= 0) || o.Pause != nil && *o.Pause != c.pause {
					t.Errorf("pause %v, want %s", o.Pause, c.pause)
				}
				if strings.Contains(name, "panic") != strings.Contains(o.Stack, "worker_test.go") {
					t.Errorf("stack %q", o.Stack)
				}
				b.end()
			})
		})
	}
}

func TestSnoozeUsesUpNoAttempt(t *testing.T) {
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
	synctest.Test(t, func(t *testing.T) {
		var order []string
		note := func(name string) worker.Middleware {
			return func(next worker.HandlerFunc) worker.HandlerFunc {
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

func TestCancelCauses(t *testing.T) {
	for name, c := range map[string]struct {
		do    func(*bench, string)
		cause error
		text  string
		state string
	}{
		"cancelled":  {func(b *bench, id string) { b.Cancel(id, "by Ada") }, worker.ErrCancelled, "by Ada", "CANCELLED"},
		"replaced":   {func(b *bench, id string) { b.End(id, wire.CauseReplaced) }, worker.ErrReplaced, "", "CANCELLED"},
		"time limit": {func(b *bench, id string) { b.End(id, wire.CauseTimeLimit) }, worker.ErrTimeLimit, "", "FAILED"},
		"unknown":    {func(b *bench, id string) { b.End(id, "of a later version") }, worker.ErrCancelled, "", "CANCELLED"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var cause error
				b := begin(t, nil, func(w *worker.Worker) {
					worker.Handle(w, "H", func(ctx context.Context, _ *worker.Task, _ struct{}) error {
						<-ctx.Done()
						cause = context.Cause(ctx)
						return ctx.Err()
					})
				})
				id := b.enqueue("H", nil)
				synctest.Wait()
				c.do(b, id)
				o := b.wait(id)
				if !errors.Is(cause, c.cause) || !strings.Contains(cause.Error(), c.text) || o.State != c.state {
					t.Errorf("cause %v, state %s", cause, o.State)
				}
				b.end()
			})
		})
	}
}

func TestLostAttemptStopsAndReportsNothing(t *testing.T) {
	for name, lose := range map[string]func(*bench, string){
		"told on the stream":     func(b *bench, id string) { b.End(id, wire.CauseLost); b.TakeOver(id) },
		"told by the heartbeat":  func(b *bench, id string) { b.TakeOver(id) },
		"told on re-registering": func(b *bench, id string) { b.TakeOver(id); b.Forget() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var causes []error
				b := begin(t, func(c *worker.Config) { c.Slots = 2 }, func(w *worker.Worker) {
					worker.Handle(w, "H", func(ctx context.Context, task *worker.Task, _ struct{}) error {
						if task.Attempt > 1 {
							return nil
						}
						<-ctx.Done()
						causes = append(causes, context.Cause(ctx))
						task.Logger().Info("nobody reads this")
						if err := task.Checkpoint(context.Background(), 1); !errors.Is(err, worker.ErrLeaseLost) {
							t.Errorf("Checkpoint: %v", err)
						}
						return ctx.Err()
					})
				})
				id := b.enqueue("H", nil)
				synctest.Wait()
				lose(b, id)
				o := b.wait(id)
				b.end()
				if len(causes) != 1 || !errors.Is(causes[0], worker.ErrLeaseLost) {
					t.Errorf("causes %v", causes)
				}
				if o.State != "SUCCEEDED" || len(o.Attempts) != 1 || len(o.Logs) != 0 || o.Checkpoint != nil {
					t.Errorf("outcome %+v", o)
				}
			})
		})
	}
}

func TestStaleAckStopsTheAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopped := make(chan error, 1)
		b := begin(t, nil, func(w *worker.Worker) {
			worker.Handle(w, "H", func(ctx context.Context, task *worker.Task, _ struct{}) error {
				if task.Attempt > 1 {
					return nil
				}
				ticker := time.NewTicker(10 * time.Millisecond)
				defer ticker.Stop()
				for {
					select {
					case <-ticker.C:
						task.Progress(0.5, "half")
					case <-ctx.Done():
						stopped <- context.Cause(ctx)
						return ctx.Err()
					}
				}
			})
		})
		b.Use(func(s *wire.Settings) { s.HeartbeatMS = time.Hour.Milliseconds() })
		id := b.enqueue("H", nil)
		synctest.Wait()
		began := time.Now()
		b.TakeOver(id)
		if err := <-stopped; !errors.Is(err, worker.ErrLeaseLost) || time.Since(began) > time.Second {
			t.Errorf("cause %v after %s", err, time.Since(began))
		}
		b.end()
	})
}

func TestResultIsSentAgainUntilAcknowledged(t *testing.T) {
	for name, fault := range map[string]func(call workertest.Call) workertest.Fault{
		"reply lost":   func(workertest.Call) workertest.Fault { return workertest.Fault{DropReply: true} },
		"request lost": func(workertest.Call) workertest.Fault { return workertest.Fault{Refuse: true} },
		"unavailable": func(workertest.Call) workertest.Fault {
			return workertest.Fault{Error: &wire.Error{Code: wire.CodeUnavailable}}
		},
		"comes twice": func(workertest.Call) workertest.Fault { return workertest.Fault{Twice: true, DropReply: true} },
		"hangs":       func(workertest.Call) workertest.Fault { return workertest.Fault{Delay: time.Hour} },
		"no longer known": func(workertest.Call) workertest.Fault {
			return workertest.Fault{Error: &wire.Error{Code: wire.CodeNotRegistered}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var calls atomic.Int32
				b := begin(t, nil, func(w *worker.Worker) {
					worker.Handle(w, "H", func(_ context.Context, task *worker.Task, _ struct{}) error {
						calls.Add(1)
						task.Logger().Info("one line")
						return task.SetResult("kept")
					})
				})
				bodies := map[string]int{}
				b.Inject(func(call workertest.Call) workertest.Fault {
					if call.Path != wire.PathReport || call.Nth > 10 {
						return workertest.Fault{}
					}
					_, items, _ := strings.Cut(string(call.Body), `"items":`)
					bodies[items]++
					return fault(call)
				})
				o := b.run("H", nil)
				if calls.Load() != 1 || string(o.Result) != `"kept"` || o.LogText() != "INFO one line\n" || len(o.Attempts) != 1 {
					t.Errorf("%d calls, outcome %+v", calls.Load(), o)
				}
				for b.Calls(wire.PathReport) < 11 {
					time.Sleep(time.Second)
				}
				b.end()
				if b.Calls(wire.PathReport) != 11 || len(bodies) != 1 {
					t.Errorf("%d reports, %d different ones", b.Calls(wire.PathReport), len(bodies))
				}
				if s := b.worker.Stats(); s.Unacked != 0 || s.Running != 0 {
					t.Errorf("stats %+v", s)
				}
			})
		})
	}
}

func TestRetryAckSendsTheSameChunkAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := workertest.NewServer(t)
		flaky := &ackRewriter{next: server.Client().Transport, times: 3}
		b := join(t, server, "w1", func(c *worker.Config) { c.HTTPClient.Transport = flaky }, func(w *worker.Worker) {
			worker.Handle(w, "H", func(ctx context.Context, task *worker.Task, _ struct{}) error {
				task.Logger().Info("first")
				if err := task.Checkpoint(ctx, 7); err != nil {
					t.Errorf("Checkpoint: %v", err)
				}
				task.Progress(2, "more than all")
				task.Logger().Info("second")
				return nil
			})
		})
		o := b.run("H", nil)
		if o.LogText() != "INFO first\nINFO second\n" || o.State != "SUCCEEDED" || string(o.Checkpoint) != "7" || o.Progress.Fraction != 1 {
			t.Errorf("outcome %+v", o)
		}
		b.end()
	})
}

func TestDuplicateAssignmentIsHarmless(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		release := make(chan struct{})
		b := begin(t, nil, func(w *worker.Worker) {
			worker.Handle(w, "H", func(context.Context, *worker.Task, struct{}) error { calls.Add(1); <-release; return nil })
		})
		id := b.enqueue("H", nil)
		synctest.Wait()
		b.PushAgain(id) // while it runs
		synctest.Wait()
		close(release)
		b.wait(id)
		b.PushAgain(id) // after its result was accepted
		synctest.Wait()
		if calls.Load() != 1 {
			t.Errorf("%d calls", calls.Load())
		}
		b.end()
	})
}

func TestLostAssignmentIsPushedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := begin(t, nil, func(w *worker.Worker) {
			worker.Handle(w, "H", func(context.Context, *worker.Task, struct{}) error { return nil })
		})
		b.Disconnect(false)
		id := b.enqueue("H", nil) // no stream is open at this moment
		if o := b.wait(id); o.State != "SUCCEEDED" {
			t.Errorf("outcome %+v", o)
		}
		b.end()
	})
}

func TestReconnectKeepsWhatRuns(t *testing.T) {
	for name, cut := range map[string]func(*bench){
		"broken":    func(b *bench) { b.Disconnect(false) },
		"bye":       func(b *bench) { b.Disconnect(true) },
		"forgotten": func(b *bench) { b.Forget() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var calls atomic.Int32
				release := make(chan struct{})
				b := begin(t, nil, func(w *worker.Worker) {
					worker.Handle(w, "H", func(ctx context.Context, _ *worker.Task, _ struct{}) error {
						calls.Add(1)
						select {
						case <-release:
						case <-ctx.Done():
							t.Errorf("ended by %v", context.Cause(ctx))
						}
						return nil
					})
				})
				id := b.enqueue("H", nil)
				synctest.Wait()
				for range 5 {
					cut(b)
					time.Sleep(10 * time.Second) // of the bubble's time
					if err := b.Connected(t.Context(), 1); err != nil {
						t.Fatal(err)
					}
				}
				close(release)
				if o := b.wait(id); o.State != "SUCCEEDED" || o.Attempt != 1 || calls.Load() != 1 {
					t.Errorf("%d calls, outcome %+v", calls.Load(), o)
				}
				b.end()
			})
		})
	}
}

func TestSilentStreamIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := begin(t, nil, func(w *worker.Worker) {
			worker.Handle(w, "H", func(context.Context, *worker.Task, struct{}) error { return nil })
		})
		// The server keeps its next streams silent: nothing comes, nothing breaks.
		b.Inject(func(call workertest.Call) workertest.Fault {
			if call.Path == wire.PathStream && call.Nth < 4 {
				return workertest.Fault{Delay: 24 * time.Hour}
			}
			return workertest.Fault{}
		})
		began := time.Now()
		b.Disconnect(false)
		if o := b.run("H", nil); o.State != "SUCCEEDED" || time.Since(began) > time.Minute {
			t.Errorf("outcome %+v after %s", o, time.Since(began))
		}
		b.end()
	})
}

func TestDrainWaitsThenReleases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cause error
		b := begin(t, func(c *worker.Config) { c.DrainTimeout = time.Minute }, func(w *worker.Worker) {
			worker.Handle(w, "Short", func(context.Context, *worker.Task, struct{}) error { time.Sleep(50 * time.Second); return nil })
			worker.Handle(w, "Long", func(ctx context.Context, task *worker.Task, _ struct{}) error {
				if task.Attempt > 1 {
					return nil
				}
				<-ctx.Done()
				cause = context.Cause(ctx)
				_ = task.Checkpoint(ctx, "where I was")
				return errors.New("the driver says: bad connection")
			})
		})
		short, long := b.enqueue("Short", nil), b.enqueue("Long", nil)
		synctest.Wait()
		b.stop()
		synctest.Wait()
		late := b.enqueue("Short", nil)
		began := time.Now()
		if err := <-b.done; err != nil {
			t.Errorf("Run: %v", err)
		}
		if took := time.Since(began); took < time.Minute || took > 61*time.Second {
			t.Errorf("drained in %s", took)
		}
		if !errors.Is(cause, worker.ErrShutdown) {
			t.Errorf("cause %v", cause)
		}
		if o, _ := b.Outcome(short); o.State != "SUCCEEDED" {
			t.Errorf("the short task is %s", o.State)
		}
		o, _ := b.Outcome(long)
		if o.Ending != wire.OutcomeReleased || o.State != "RETRYING" || string(o.Checkpoint) != `"where I was"` {
			t.Errorf("the long task: %+v", o)
		}
		if o, _ := b.Outcome(late); o.State != "WAITING" && o.State != "RETRYING" || len(o.Attempts) != 0 {
			t.Errorf("the late task: %+v", o)
		}
		// Another node finishes what was released, although one attempt is allowed.
		second := join(t, b.Server, "w2", nil, func(w *worker.Worker) {
			worker.Handle(w, "Short", func(context.Context, *worker.Task, struct{}) error { return nil })
			worker.Handle(w, "Long", func(_ context.Context, task *worker.Task, _ struct{}) error {
				var where string
				if found, err := task.LastCheckpoint(&where); !found || err != nil || where != "where I was" {
					t.Errorf("checkpoint %q, %v, %v", where, found, err)
				}
				return nil
			})
		})
		if o := second.wait(long); o.State != "SUCCEEDED" || o.Attempt < 2 {
			t.Errorf("the long task in the end: %+v", o)
		}
		second.wait(late)
		second.end()
	})
}

func TestDrainByOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		b := begin(t, nil, func(w *worker.Worker) {
			worker.Handle(w, "H", func(context.Context, *worker.Task, struct{}) error { <-release; return nil })
		})
		first := b.enqueue("H", nil)
		synctest.Wait()
		b.Drain("w1", true)
		synctest.Wait()
		if !b.worker.Stats().Draining {
			t.Error("does not drain")
		}
		b.PushAgain(first)
		second := b.enqueue("H", nil)
		time.Sleep(time.Minute)
		close(release)
		b.wait(first)
		if o, _ := b.Outcome(second); o.State != "WAITING" {
			t.Errorf("the second task is %s", o.State)
		}
		b.Drain("w1", false)
		if o := b.wait(second); o.State != "SUCCEEDED" {
			t.Errorf("the second task: %+v", o)
		}
		b.end()
	})
}

func TestStuckHandlerIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		b := begin(t, func(c *worker.Config) { c.DrainTimeout = time.Second }, func(w *worker.Worker) {
			worker.Handle(w, "Deaf", func(context.Context, *worker.Task, struct{}) error { <-release; return nil })
		})
		b.enqueue("Deaf", nil)
		synctest.Wait()
		b.stop()
		if err := <-b.done; err == nil || !strings.Contains(err.Error(), "Deaf (1)") {
			t.Errorf("Run: %v", err)
		}
		close(release)
		synctest.Wait()
		b.Close()
	})
}

func TestRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var most, running atomic.Int32
		b := begin(t, func(c *worker.Config) { c.Slots = 2 }, func(w *worker.Worker) {
			worker.Handle(w, "H", func(context.Context, *worker.Task, struct{}) error {
				most.Store(max(most.Load(), running.Add(1)))
				<-release
				running.Add(-1)
				return nil
			})
		})
		var reasons []string
		b.Inject(func(call workertest.Call) workertest.Fault {
			var r wire.Report
			if call.Path == wire.PathReport && json.Unmarshal(call.Body, &r) == nil {
				for _, item := range r.Items {
					if item.Refused != nil {
						reasons = append(reasons, item.Refused.Reason)
					}
				}
			}
			return workertest.Fault{}
		})
		ids := []string{b.enqueue("H", nil), b.enqueue("H", nil)}
		synctest.Wait()
		b.Overbook("w1", 3)
		ids = append(ids, b.enqueue("H", nil))
		synctest.Wait()
		b.Push("w1", wire.Assignment{Task: "x", Attempt: 1, Handler: "Unknown"})
		synctest.Wait()
		b.Overbook("w1", 2)
		close(release)
		for _, id := range ids {
			if o := b.wait(id); o.State != "SUCCEEDED" {
				t.Errorf("outcome %+v", o)
			}
		}
		b.end()
		if most.Load() > 2 || len(reasons) != 2 || reasons[0] != wire.RefuseNoSlot || reasons[1] != wire.RefuseNoHandler {
			t.Errorf("%d ran at once, refused %v", most.Load(), reasons)
		}
	})
}

func TestRegistrationErrors(t *testing.T) {
	for name, c := range map[string]struct {
		code   string
		lasts  time.Duration // of the bubble's time until Run returns
		within time.Duration
	}{
		"unauthenticated": {wire.CodeUnauthenticated, 0, time.Second},
		"invalid":         {wire.CodeInvalid, 0, time.Second},
		"group missing":   {wire.CodeNotFound, 0, time.Second},
		"version":         {wire.CodeVersion, 0, time.Second},
		"name in use":     {wire.CodeNameInUse, time.Minute, 75 * time.Second},
		"replaced":        {wire.CodeReplaced, 0, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := workertest.NewServer(t)
				server.Inject(func(workertest.Call) workertest.Fault {
					return workertest.Fault{Error: &wire.Error{Code: c.code, Message: "do this and that"}}
				})
				began := time.Now()
				b := join(t, server, "w1", nil, func(w *worker.Worker) {
					worker.Handle(w, "H", func(context.Context, *worker.Task, struct{}) error { return nil })
				})
				err := <-b.done
				failure, ok := errors.AsType[*worker.ServerError](err)
				if !ok || failure.Code != c.code || failure.Message != "do this and that" {
					t.Errorf("Run: %v", err)
				}
				if took := time.Since(began); took < c.lasts || took > c.within {
					t.Errorf("after %s", took)
				}
			})
		})
	}
}

func TestReplacedProcessStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cause error
		handlers := func(w *worker.Worker) {
			worker.Handle(w, "H", func(ctx context.Context, task *worker.Task, _ struct{}) error {
				if task.Attempt > 1 {
					return nil
				}
				<-ctx.Done()
				cause = context.Cause(ctx)
				return ctx.Err()
			})
		}
		old := begin(t, nil, handlers)
		id := old.enqueue("H", nil)
		synctest.Wait()
		old.Disconnect(false)
		fresh := join(t, old.Server, "w1", nil, handlers)
		if err := <-old.done; !errors.Is(err, worker.ErrNodeReplaced) {
			t.Errorf("Run: %v", err)
		}
		if !errors.Is(cause, worker.ErrLeaseLost) {
			t.Errorf("cause %v", cause)
		}
		if o := fresh.wait(id); o.State != "SUCCEEDED" {
			t.Errorf("outcome %+v", o)
		}
		fresh.end()
	})
}

func TestServerIsAwayAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := workertest.NewServer(t)
		away := time.Now().Add(10 * time.Minute)
		server.Inject(func(workertest.Call) workertest.Fault { return workertest.Fault{Refuse: time.Now().Before(away)} })
		b := join(t, server, "w1", nil, func(w *worker.Worker) {
			worker.Handle(w, "H", func(context.Context, *worker.Task, struct{}) error { return nil })
		})
		if o := b.run("H", nil); o.State != "SUCCEEDED" || time.Until(away) < -10*time.Second {
			t.Errorf("outcome %+v, %s late", o, -time.Until(away))
		}
		b.end()
	})
}

func TestStopBeforeConnecting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := workertest.NewServer(t)
		server.Inject(func(workertest.Call) workertest.Fault { return workertest.Fault{Refuse: true} })
		b := join(t, server, "w1", nil, func(w *worker.Worker) {
			worker.Handle(w, "H", func(context.Context, *worker.Task, struct{}) error { return nil })
		})
		time.Sleep(time.Minute)
		b.end()
	})
}

func TestKeyRevokedWhileRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := begin(t, nil, func(w *worker.Worker) {
			worker.Handle(w, "H", func(context.Context, *worker.Task, struct{}) error { return nil })
		})
		revoked := time.Now()
		b.Inject(func(workertest.Call) workertest.Fault {
			return workertest.Fault{Error: &wire.Error{Code: wire.CodeUnauthenticated, Message: "revoked"}}
		})
		err := <-b.done
		if failure, ok := errors.AsType[*worker.ServerError](err); !ok || failure.Code != wire.CodeUnauthenticated {
			t.Errorf("Run: %v", err)
		}
		if took := time.Since(revoked); took < time.Minute || took > 2*time.Minute {
			t.Errorf("gave up after %s", took)
		}
	})
}

func TestSecondServerTakesOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := workertest.NewServer(t)
		gate := &gateway{next: server.Client().Transport}
		gate.down.Store("a")
		b := join(t, server, "w1", func(c *worker.Config) {
			c.Server, c.HTTPClient.Transport = "http://a.test, http://b.test", gate
		}, func(w *worker.Worker) {
			worker.Handle(w, "H", func(context.Context, *worker.Task, struct{}) error { return nil })
		})
		for _, down := range []string{"a", "b", "a"} {
			gate.down.Store(down)
			b.Disconnect(false)
			began := time.Now()
			if o := b.run("H", nil); o.State != "SUCCEEDED" || time.Since(began) > 5*time.Second {
				t.Errorf("outcome %+v after %s", o, time.Since(began))
			}
		}
		b.end()
	})
}

func TestManyTasksUnderFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const tasks = 400
		var mu sync.Mutex
		runs := map[string]int{}
		b := begin(t, func(c *worker.Config) { c.Slots = 32 }, func(w *worker.Worker) {
			worker.Handle(w, "H", func(_ context.Context, task *worker.Task, n int) error {
				mu.Lock()
				runs[task.ID]++
				mu.Unlock()
				task.Logger().Info("working", "n", n)
				time.Sleep(time.Duration(n%7) * time.Millisecond)
				return task.SetResult(n)
			})
		})
		b.Inject(func(call workertest.Call) workertest.Fault {
			switch call.Nth % 7 {
			case 1:
				return workertest.Fault{DropReply: call.Path != wire.PathStream}
			case 3:
				return workertest.Fault{Refuse: true}
			case 5:
				return workertest.Fault{Twice: call.Path != wire.PathStream, Delay: 3 * time.Millisecond}
			}
			return workertest.Fault{}
		})
		ids := make([]string, tasks)
		for i := range ids {
			ids[i] = b.enqueue("H", i, workertest.Delay(time.Duration(i)*time.Millisecond))
			if i%50 == 0 {
				b.Disconnect(i%100 == 0)
			}
		}
		for i, id := range ids {
			o := b.wait(id)
			mu.Lock()
			runs := runs[id]
			mu.Unlock()
			if string(o.Result) != fmt.Sprint(i) || o.LogText() != "INFO working\n" || runs != 1 {
				t.Errorf("task %d ran %d times: %+v", i, runs, o)
			}
		}
		b.end()
	})
}
