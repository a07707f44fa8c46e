package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

func TestDrainWaitsThenReleases(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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

func TestStopBeforeConnecting(t *testing.T) {
	t.Parallel()
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

// A stream that was opened again after the good-bye would bring the node back.
func TestTheGoodbyeIsTheLastWord(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := workertest.NewServer(t)
		watch := &streamWatch{next: server.Client().Transport}
		b := join(t, server, "w1", func(c *worker.Config) { c.HTTPClient.Transport = watch }, func(w *worker.Worker) {
			worker.Handle(w, "H", func(context.Context, *worker.Task, struct{}) error { return nil })
		})
		b.run("H", nil)
		b.stop()
		if err := <-b.done; err != nil {
			t.Error(err)
		}
		if watch.last != wire.PathLeave || watch.openAtLast != 0 {
			t.Errorf("the last request is %s, with %d streams open", watch.last, watch.openAtLast)
		}
	})
}
