package worker_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
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
	for name, lose := range map[string]func(*bench, string){
		"told on the stream":     func(b *bench, id string) { b.End(id, wire.CauseLost); b.TakeOver(id) },
		"told by the heartbeat":  func(b *bench, id string) { b.TakeOver(id) },
		"told on re-registering": func(b *bench, id string) { b.TakeOver(id); b.Forget() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
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
						if err := task.Checkpoint(t.Context(), 1); !errors.Is(err, worker.ErrLeaseLost) {
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
