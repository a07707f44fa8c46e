package worker_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

func TestOnStartRunsBeforeTheFirstAssignment(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := workertest.NewServer(t)
		var mu sync.Mutex // the crashed process goes on beside the next one
		var starts []worker.Start
		var handled []string
		note := func(what string) {
			mu.Lock()
			defer mu.Unlock()
			handled = append(handled, what)
		}
		life := func(crash bool) *bench {
			return join(t, server, "w1", func(c *worker.Config) {
				c.OnStart = func(_ context.Context, s worker.Start) error {
					time.Sleep(time.Minute) // it tidies up; heartbeats go on meanwhile
					starts = append(starts, s)
					note("start")
					return nil
				}
				c.DrainTimeout = time.Second
			}, func(w *worker.Worker) {
				worker.Handle(w, "H", func(ctx context.Context, _ *worker.Task, _ struct{}) error {
					note("task")
					if crash {
						<-ctx.Done()
					}
					return ctx.Err()
				})
			})
		}
		id, err := server.Enqueue("H", nil)
		if err != nil {
			t.Fatal(err)
		}
		first := life(true)
		time.Sleep(2 * time.Minute)
		server.CutOff("w1") // it crashes
		second := life(false)
		if o := second.wait(id); o.State != "SUCCEEDED" || o.Attempt != 2 {
			t.Errorf("%+v", o)
		}
		second.stop()
		<-second.done
		third := life(false)
		third.run("H", nil)
		third.stop()
		<-third.done
		first.stop()
		if err := <-first.done; err == nil {
			t.Error("the crashed one has told its result")
		}
		if strings.Join(handled, " ") != "start task start task start task" {
			t.Errorf("order %v", handled)
		}
		if len(starts) != 3 || starts[0].Previous != nil || starts[0].Node != "w1" || starts[0].Group != "default" || starts[0].Incarnation == "" {
			t.Fatalf("starts %+v", starts)
		}
		if p := starts[1].Previous; p == nil || p.Incarnation != starts[0].Incarnation || p.Left || p.LastSeenAt.IsZero() {
			t.Errorf("previous %+v", p)
		}
		if p := starts[2].Previous; p == nil || p.Incarnation != starts[1].Incarnation || !p.Left {
			t.Errorf("previous %+v", p)
		}
		server.Close()
	})
}

func TestAFailingOnStartStopsRun(t *testing.T) {
	t.Parallel()
	dirty := errors.New("cannot remove /tmp/half-written")
	for name, hook := range map[string]func(context.Context, worker.Start) error{
		"error": func(context.Context, worker.Start) error { return dirty },
		"panic": func(context.Context, worker.Start) error { panic(dirty) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := workertest.NewServer(t)
				called := false
				b := join(t, server, "w1", func(c *worker.Config) { c.OnStart = hook }, func(w *worker.Worker) {
					worker.Handle(w, "H", func(context.Context, *worker.Task, struct{}) error { called = true; return nil })
				})
				b.enqueue("H", nil)
				err := <-b.done
				if err == nil || !strings.Contains(err.Error(), "OnStart") || !strings.Contains(err.Error(), dirty.Error()) || called {
					t.Errorf("Run: %v, called %v", err, called)
				}
				if name == "error" && !errors.Is(err, dirty) {
					t.Errorf("%v is not the hook's error", err)
				}
				server.Close()
			})
		})
	}
}

func TestStopDuringOnStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := join(t, workertest.NewServer(t), "w1", func(c *worker.Config) {
			c.OnStart = func(ctx context.Context, _ worker.Start) error { <-ctx.Done(); return ctx.Err() }
		}, func(w *worker.Worker) { worker.Handle(w, "H", nothing) })
		time.Sleep(time.Minute)
		b.end()
	})
}
