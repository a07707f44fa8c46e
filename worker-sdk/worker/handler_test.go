package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

func nothing(context.Context, *worker.Task, struct{}) error { return nil }

func TestMistakesOfRegistrationsNameBothPlaces(t *testing.T) {
	t.Parallel()
	idle := func(next worker.Handler) worker.Handler { return next }
	for name, c := range map[string]struct {
		register func(*worker.Worker)
		says     []string
	}{
		"two names": {func(w *worker.Worker) {
			worker.Handle(w, "A", nothing)
			worker.Handle(w, "A", nothing)
		}, []string{`"A" is registered twice`, `the handler "A" (handler_test.go:`, `the handler "A" (handler_test.go:`}},
		"alias of a name": {func(w *worker.Worker) {
			worker.Handle(w, "A", nothing)
			worker.HandleResult(w, "B", func(context.Context, *worker.Task, int) (int, error) { return 1, nil }, worker.Aliases("C", "A"))
		}, []string{`"A" is registered twice`, `the handler "A" (handler_test.go:`, `an alias of the handler "B" (handler_test.go:`}},
		"name of an alias": {func(w *worker.Worker) {
			worker.Handle(w, "B", nothing, worker.Aliases("A"))
			worker.Handle(w, "A", nothing)
		}, []string{`an alias of the handler "B"`, `the handler "A"`}},
		"two aliases": {func(w *worker.Worker) {
			worker.Handle(w, "A", nothing, worker.Aliases("old"))
			worker.Handle(w, "B", nothing, worker.Aliases("old"))
		}, []string{`"old" is registered twice`, `an alias of the handler "A"`, `an alias of the handler "B"`}},
		"its own alias":      {func(w *worker.Worker) { worker.Handle(w, "A", nothing, worker.Aliases("A")) }, []string{`"A" is given twice`, "once is enough"}},
		"alias with a space": {func(w *worker.Worker) { worker.Handle(w, "A", nothing, worker.Aliases(" b")) }, []string{`" b"`, "without spaces"}},
		"no function":        {func(w *worker.Worker) { worker.HandleResult[int, int](w, "A", nil) }, []string{`"A" is nil`}},
		"limit of nothing":   {func(w *worker.Worker) { worker.Handle(w, "A", nothing, worker.Limit(0)) }, []string{`"A"`, "Limit is 0s"}},
		"no slots":           {func(w *worker.Worker) { worker.Handle(w, "A", nothing, worker.Slots(0)) }, []string{`"A"`, "Slots is 0", "10000"}},
		"nil middleware":     {func(w *worker.Worker) { worker.Handle(w, "A", nothing, worker.With(idle, nil)) }, []string{`"A"`, "nil middleware"}},
		"nil for all":        {func(w *worker.Worker) { w.Use(nil); worker.Handle(w, "A", nothing) }, []string{"Use got a nil"}},
		"middleware of a nil": {func(w *worker.Worker) {
			w.Use(func(worker.Handler) worker.Handler { return nil })
			worker.Handle(w, "A", nothing)
		}, []string{`"A"`, "returned nil"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, err := worker.New(workertest.NewServer(t).Config("n"))
			if err != nil {
				t.Fatal(err)
			}
			c.register(w)
			err = w.Run(t.Context())
			if err == nil {
				t.Fatal("Run begins")
			}
			for _, part := range c.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q misses %q", err, part)
				}
			}
		})
	}
}

func TestAnOldNameStillArrives(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := begin(t, nil, func(w *worker.Worker) {
			worker.Handle(w, "CloseOrder", func(_ context.Context, task *worker.Task, _ struct{}) error {
				return task.SetResult(task.Handler)
			}, worker.Aliases("ShutOrder", "shut-order"))
		})
		for _, name := range []string{"CloseOrder", "ShutOrder", "shut-order"} {
			if o := b.run(name, nil); string(o.Result) != `"`+name+`"` {
				t.Errorf("%s: %+v", name, o)
			}
		}
		b.end()
	})
}

func TestHandleResult(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		type sum struct{ Orders int }
		fails := errors.New("no stock")
		b := begin(t, nil, func(w *worker.Worker) {
			worker.HandleResult(w, "Sum", func(_ context.Context, _ *worker.Task, args []int) (sum, error) {
				s := sum{}
				for _, n := range args {
					s.Orders += n
				}
				if s.Orders == 0 {
					return s, fails
				}
				return s, nil
			})
			worker.HandleResult(w, "Huge", func(context.Context, *worker.Task, struct{}) (string, error) {
				return strings.Repeat("x", wire.MaxResultBytes), nil
			})
			worker.HandleResult(w, "NoJSON", func(context.Context, *worker.Task, struct{}) (chan int, error) { return make(chan int), nil })
		})
		if o := b.run("Sum", []int{1, 2}); string(o.Result) != `{"Orders":3}` || o.State != "SUCCEEDED" {
			t.Errorf("%+v", o)
		}
		if o := b.run("Sum", []int{}); o.Result != nil || o.Error != "no stock" || o.NoRetry {
			t.Errorf("%+v", o)
		}
		for _, name := range []string{"Huge", "NoJSON", "Sum"} {
			args := any("no list")
			if name != "Sum" {
				args = nil
			}
			if o := b.run(name, args, workertest.MaxAttempts(3)); o.State != "FAILED" || !o.NoRetry || len(o.Attempts) != 1 {
				t.Errorf("%s: %+v", name, o)
			}
		}
		b.end()
	})
}

func TestTheShorterLimitCounts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		own, job, ends time.Duration
		says           string
	}{
		"own alone":   {time.Minute, 0, time.Minute, "the handler's own, 1m0s"},
		"own shorter": {time.Minute, time.Hour, time.Minute, "the handler's own, 1m0s"},
		"job shorter": {time.Hour, time.Minute, time.Minute, "the time limit has passed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var cause error
				b := begin(t, nil, func(w *worker.Worker) {
					worker.Handle(w, "H", func(ctx context.Context, task *worker.Task, _ struct{}) error {
						began := time.Now()
						if left := time.Until(task.Deadline); left != c.ends {
							t.Errorf("%s left", left)
						}
						<-ctx.Done()
						if cause = context.Cause(ctx); time.Since(began) != c.ends || ctx.Err() != context.DeadlineExceeded {
							t.Errorf("%v after %s", ctx.Err(), time.Since(began))
						}
						return ctx.Err()
					}, worker.Limit(c.own))
				})
				o := b.run("H", nil, workertest.TimeLimit(c.job))
				if o.Ending != wire.OutcomeTimedOut || !errors.Is(cause, worker.ErrTimeLimit) || !strings.Contains(o.Error, c.says) {
					t.Errorf("%+v, cause %v", o, cause)
				}
				b.end()
			})
		})
	}
}

// Two of the handler's tasks run, the others of its tasks wait at the server, and the
// node's other slots are free for another handler.
func TestSlotsOfAHandler(t *testing.T) {
	t.Parallel()
	for name, told := range map[string]bool{"the server knows": true, "the server does not": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var running, most, refused atomic.Int32
				release := make(chan struct{})
				server := workertest.NewServer(t)
				server.Inject(func(call workertest.Call) workertest.Fault {
					var r wire.Report
					if call.Path == wire.PathReport && json.Unmarshal(call.Body, &r) == nil {
						refused.Add(int32(len(slices.DeleteFunc(r.Items, func(i wire.Item) bool { return i.Refused == nil }))))
					}
					return workertest.Fault{}
				})
				if !told {
					server.IgnoreHandlerSlots()
				}
				b := join(t, server, "w1", func(c *worker.Config) { c.Slots = 6 }, func(w *worker.Worker) {
					worker.Handle(w, "Licensed", func(context.Context, *worker.Task, struct{}) error {
						most.Store(max(most.Load(), running.Add(1)))
						<-release
						running.Add(-1)
						return nil
					}, worker.Slots(2), worker.Aliases("Old"))
					worker.Handle(w, "Other", nothing)
				})
				var ids []string
				for i := range 8 {
					ids = append(ids, b.enqueue([]string{"Licensed", "Old"}[i%2], nil))
				}
				synctest.Wait()
				if o := b.run("Other", nil); o.State != "SUCCEEDED" {
					t.Errorf("the other handler: %+v", o)
				}
				if running.Load() != 2 {
					t.Errorf("%d run", running.Load())
				}
				close(release)
				for _, id := range ids {
					if o := b.wait(id); o.State != "SUCCEEDED" || len(o.Attempts) != 1 {
						t.Errorf("%+v", o)
					}
				}
				b.end()
				if most.Load() != 2 || told && refused.Load() != 0 || !told && refused.Load() == 0 {
					t.Errorf("at most %d, %d refused", most.Load(), refused.Load())
				}
			})
		})
	}
}

func TestMiddlewareOfAWorkerAndOfAHandler(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var order []string
		mark := func(name string) worker.Middleware {
			return func(next worker.Handler) worker.Handler {
				return func(ctx context.Context, task *worker.Task) error {
					order = append(order, name)
					return next(ctx, task)
				}
			}
		}
		b := begin(t, nil, func(w *worker.Worker) {
			worker.Handle(w, "H", nothing, worker.With(mark("own 1"), mark("own 2")), worker.With(mark("own 3")))
			worker.Handle(w, "Plain", nothing)
			w.Use(mark("all 1"), mark("all 2"))
		})
		b.run("Plain", nil)
		b.run("H", nil)
		b.end()
		if want := []string{"all 1", "all 2", "all 1", "all 2", "own 1", "own 2", "own 3"}; !slices.Equal(order, want) {
			t.Errorf("order %v", order)
		}
	})
}
