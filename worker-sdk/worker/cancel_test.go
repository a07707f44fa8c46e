package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

func TestCancelCauses(t *testing.T) {
	t.Parallel()
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
			t.Parallel()
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
	t.Parallel()
	const byHeartbeat = "told by the heartbeat"
	for name, lose := range map[string]func(*bench, string){
		"told on the stream":     func(b *bench, id string) { b.End(id, wire.CauseLost); b.TakeOver(id) },
		byHeartbeat:              func(b *bench, id string) { b.TakeOver(id) },
		"told on re-registering": func(b *bench, id string) { b.TakeOver(id); b.Forget() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				causes := make(chan error, 2)
				b := begin(t, func(c *worker.Config) { c.Slots = 2 }, func(w *worker.Worker) {
					worker.Handle(w, "H", func(ctx context.Context, task *worker.Task, _ struct{}) error {
						if task.Attempt > 1 {
							return nil
						}
						<-ctx.Done()
						causes <- context.Cause(ctx)
						task.Logger().Info("nobody reads this")
						if err := task.Checkpoint(t.Context(), 1); !errors.Is(err, worker.ErrLeaseLost) {
							t.Errorf("Checkpoint: %v", err)
						}
						return ctx.Err()
					})
				})
				told := 0 // items about the lost attempt, besides its start
				b.Inject(func(call workertest.Call) workertest.Fault {
					var r wire.Report
					if call.Path == wire.PathReport && json.Unmarshal(call.Body, &r) == nil {
						for _, item := range r.Items {
							if item.Attempt == 1 && item.Started == nil {
								told++
							}
						}
					}
					return workertest.Fault{}
				})
				if name != byHeartbeat {
					b.Use(rareHeartbeats)
				}
				id := b.enqueue("H", nil)
				time.Sleep(time.Second) // its start is reported: no stale ack will tell
				lose(b, id)
				o := b.wait(id)
				time.Sleep(10 * time.Second)
				select { // before the drain, whose heartbeat would tell it too
				case cause := <-causes:
					if !errors.Is(cause, worker.ErrLeaseLost) {
						t.Errorf("cause %v", cause)
					}
				default:
					t.Error("the attempt was not told")
				}
				b.end()
				if told != 0 {
					t.Errorf("%d items about an attempt that is lost", told)
				}
				if o.State != "SUCCEEDED" || len(o.Attempts) != 1 || len(o.Logs) != 0 || o.Checkpoint != nil {
					t.Errorf("outcome %+v", o)
				}
			})
		})
	}
}

// rareHeartbeats leaves it to others to tell a worker something.
func rareHeartbeats(s *wire.Settings) { s.HeartbeatMS = time.Hour.Milliseconds() }

func TestStaleAckStopsTheAttempt(t *testing.T) {
	t.Parallel()
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
		b.Use(rareHeartbeats)
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
