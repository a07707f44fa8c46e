package worker_test

import (
	"context"
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

func TestReconnectKeepsWhatRuns(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]func(*bench){
		"broken":    func(b *bench) { b.Disconnect(false) },
		"bye":       func(b *bench) { b.Disconnect(true) },
		"forgotten": func(b *bench) { b.Forget() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
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
	t.Parallel()
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

func TestRegistrationErrors(t *testing.T) {
	t.Parallel()
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
			t.Parallel()
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
				if !ok || failure.Code != c.code || !strings.HasPrefix(failure.Message, "do this and that") {
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
	t.Parallel()
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
	t.Parallel()
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

func TestKeyRevokedWhileRunning(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
