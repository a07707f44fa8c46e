package workertest_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/client"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

func TestRunStopsAHandlerForEachCause(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cause  error
		is     error
		says   string
		ending string
	}{
		"person":     {fmt.Errorf("%w: by Ada", worker.ErrCancelled), worker.ErrCancelled, "by Ada", "cancelled"},
		"replaced":   {worker.ErrReplaced, worker.ErrReplaced, "newer firing", "cancelled"},
		"time limit": {worker.ErrTimeLimit, worker.ErrTimeLimit, "limit", "timed_out"},
		"shutdown":   {worker.ErrShutdown, worker.ErrShutdown, "shutting down", "released"},
		"lost":       {worker.ErrLeaseLost, worker.ErrLeaseLost, "no longer", "lost"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var took time.Duration
				o := workertest.Run(t, func(ctx context.Context, task *worker.Task, _ struct{}) error {
					began := time.Now()
					<-ctx.Done()
					took = time.Since(began)
					if err := task.Checkpoint(context.WithoutCancel(ctx), "half"); (err != nil) != (name == "lost") {
						t.Errorf("Checkpoint: %v", err)
					}
					return context.Cause(ctx)
				}, struct{}{}, workertest.StopAfter(time.Hour, c.cause))
				if o.Ending != c.ending || !errors.Is(o.Err, c.is) || !strings.Contains(o.Err.Error(), c.says) || took < time.Hour || took > time.Hour+time.Second {
					t.Errorf("after %s: %+v", took, o)
				}
				if want := map[bool]string{true: "", false: `"half"`}[name == "lost"]; string(o.Checkpoint) != want {
					t.Errorf("checkpoint %s", o.Checkpoint)
				}
			})
		})
	}
}

func TestRunOfAHandlerThatIsFasterThanItsStop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		o := workertest.Run(t, func(context.Context, *worker.Task, int) error { return nil }, 1, workertest.StopAfter(time.Hour, worker.ErrShutdown))
		if o.Ending != "succeeded" || time.Since(began) > time.Minute {
			t.Errorf("after %s: %+v", time.Since(began), o)
		}
	})
}

func TestRunWithMiddlewareAndAResult(t *testing.T) {
	t.Parallel()
	var order []string
	mark := func(name string) worker.Middleware {
		return func(next worker.Handler) worker.Handler {
			return func(ctx context.Context, task *worker.Task) error {
				order = append(order, name+" "+string(task.Parameters))
				return next(ctx, task)
			}
		}
	}
	double := func(_ context.Context, _ *worker.Task, n int) (int, error) {
		if n < 0 {
			return 7, errors.New("negative")
		}
		return 2 * n, nil
	}
	if n, o := workertest.RunResult(t, double, 4, workertest.Middleware(mark("a"), mark("b"))); n != 8 || string(o.Result) != "8" || strings.Join(order, ",") != "a 4,b 4" {
		t.Errorf("%d, %+v, order %v", n, o, order)
	}
	if n, o := workertest.RunResult(t, double, -1); n != 0 || o.Err == nil || o.Result != nil {
		t.Errorf("%d, %+v", n, o)
	}
}

// failing notes what Run says instead of ending the test.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Helper()                           {}
func (f *failing) Context() context.Context          { return context.Background() }
func (f *failing) Fatalf(format string, args ...any) { f.said = fmt.Sprintf(format, args...) }

func TestRunSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	handler := func(context.Context, *worker.Task, int) error { return nil }
	for says, options := range map[string][]workertest.Option{
		"StopAfter":      {workertest.StopAfter(time.Second, errors.New("a mood"))},
		"nil middleware": {workertest.Middleware(nil)},
	} {
		f := &failing{}
		workertest.Run(f, handler, 1, options...)
		if !strings.Contains(f.said, says) {
			t.Errorf("%s: %q", says, f.said)
		}
	}
}

// A crash in the middle: the other node goes on from the checkpoint, over an outage of
// the server.
func TestServerLivesThroughCrashesAndOutages(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := workertest.NewServer(t)
		count := func(ctx context.Context, task *worker.Task, upTo int) (int, error) {
			next := 0
			if _, err := task.LastCheckpoint(&next); err != nil {
				return 0, err
			}
			from := next
			for ; next < upTo; next++ {
				if err := task.Checkpoint(ctx, next); err != nil {
					return 0, err
				}
				time.Sleep(time.Second)
			}
			return from, nil
		}
		start := func(name string) (stop func() error) {
			cfg := server.Config(name)
			cfg.Logger, cfg.DrainTimeout = slog.New(slog.DiscardHandler), time.Second
			w, err := worker.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			worker.HandleResult(w, "Count", count)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- w.Run(ctx) }()
			return func() error { cancel(); return <-done }
		}
		stopFirst := start("n1")
		c, err := client.New(server.ClientConfig())
		if err != nil {
			t.Fatal(err)
		}
		id, err := c.Enqueue(t.Context(), "Count", 60)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Second)
		stopSecond := start("n2")
		server.CutOff("n1")
		time.Sleep(10 * time.Second)
		server.Down()
		time.Sleep(5 * time.Minute)
		server.Up()
		result, err := c.Wait(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		var from int
		if err := result.Decode(&from); err != nil || from < 15 || from > 21 {
			t.Errorf("the second node went on from %d, %v", from, err)
		}
		if err := stopSecond(); err != nil {
			t.Error(err)
		}
		if err := stopFirst(); err == nil {
			t.Error("a process that was cut off has reported")
		}
		server.Close()
	})
}
