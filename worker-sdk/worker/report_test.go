package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
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

func TestResultIsSentAgainUntilAcknowledged(t *testing.T) {
	t.Parallel()
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
			t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
		synctest.Wait()
		b.PushAgain(id) // after its result was accepted
		synctest.Wait()
		if calls.Load() != 1 {
			t.Errorf("%d calls", calls.Load())
		}
		b.end()
	})
}

func TestLostAssignmentIsPushedAgain(t *testing.T) {
	t.Parallel()
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

func TestManyTasksUnderFaults(t *testing.T) {
	t.Parallel()
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

// A server that will not have a report at all gets it in parts, until the item that
// is to blame is alone; only that one is dropped.
func TestReportThatIsRefusedWholeIsSentInParts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		b := begin(t, func(c *worker.Config) { c.Slots = 40 }, func(w *worker.Worker) {
			worker.Handle(w, "H", func(_ context.Context, task *worker.Task, _ int) error {
				<-release
				return task.SetResult(task.UniqueKey)
			})
		})
		var ids []string
		for i := range 40 {
			key := fmt.Sprint("key-", i)
			if i == 17 {
				key = "poison"
			}
			ids = append(ids, b.enqueue("H", i, workertest.UniqueKey(key)))
		}
		synctest.Wait()
		largest := 0
		b.Inject(func(call workertest.Call) workertest.Fault {
			if call.Path != wire.PathReport {
				return workertest.Fault{}
			}
			var r wire.Report
			_ = json.Unmarshal(call.Body, &r)
			switch {
			case len(r.Items) > 6:
				return workertest.Fault{Error: &wire.Error{Code: wire.CodeTooLarge}}
			case strings.Contains(string(call.Body), "poison"):
				return workertest.Fault{Error: &wire.Error{Code: wire.CodeInvalid, Message: "poison"}}
			}
			largest = max(largest, len(r.Items))
			return workertest.Fault{}
		})
		began := time.Now()
		close(release)
		for i, id := range ids {
			if i == 17 {
				continue
			}
			if o := b.wait(id); o.State != "SUCCEEDED" {
				t.Errorf("outcome %+v", o)
			}
		}
		if o, _ := b.Outcome(ids[17]); o.State == "SUCCEEDED" || time.Since(began) > time.Second || largest < 3 {
			t.Errorf("poison is %s, %s passed, reports of up to %d items", o.State, time.Since(began), largest)
		}
		b.Inject(nil)
		b.end()
	})
}
