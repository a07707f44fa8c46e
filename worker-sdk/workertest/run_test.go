package workertest_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

type page struct {
	Size int `json:"size"`
}

// count goes through a range in pages and remembers where it was.
func count(ctx context.Context, task *worker.Task, args page) error {
	next := task.Range.From
	if _, err := task.LastCheckpoint(&next); err != nil {
		return worker.NoRetry(err)
	}
	for ; next < task.Range.To; next += int64(args.Size) {
		task.Logger().Info("page", "from", next)
		task.Progress(float64(next)/float64(task.Range.To), "counting")
		if err := task.Checkpoint(ctx, next); err != nil {
			return err
		}
	}
	task.Progress(1, "done")
	return task.SetResult(next)
}

func TestRunShowsWhatAHandlerDid(t *testing.T) {
	t.Parallel()
	o := workertest.Run(t, count, page{Size: 10}, workertest.Range(100, 150), workertest.Shard(1, 4), workertest.Checkpoint(130), workertest.Attempt(2))
	var result int64
	if err := o.DecodeResult(&result); err != nil || result != 150 || o.Err != nil || o.Ending != "succeeded" || o.State != "SUCCEEDED" || o.Attempt != 2 {
		t.Errorf("outcome %+v, %v", o, err)
	}
	var last int64
	if err := o.DecodeCheckpoint(&last); err != nil || last != 140 {
		t.Errorf("checkpoint %d, %v", last, err)
	}
	if o.LogText() != "INFO page\nINFO page\n" || o.Logs[1].Fields["from"] != 140.0 || !o.Logged("page") || o.Logged("pages") {
		t.Errorf("logs %+v", o.Logs)
	}
	if o.Progress != (workertest.Progress{Fraction: 1, Message: "done"}) {
		t.Errorf("progress %+v", o.Progress)
	}
}

func TestRunKeepsTheErrorAsItWas(t *testing.T) {
	t.Parallel()
	sentinel := errors.New("no stock")
	for name, c := range map[string]struct {
		err     error
		ending  string
		noRetry bool
		pause   time.Duration
	}{
		"plain":       {sentinel, "failed", false, -1},
		"no retry":    {worker.NoRetry(sentinel), "failed", true, -1},
		"retry after": {worker.RetryAfter(time.Minute, sentinel), "failed", false, time.Minute},
		"snooze":      {worker.Snooze(time.Hour), "snoozed", false, time.Hour},
	} {
		handler := func(context.Context, *worker.Task, struct{}) error { return c.err }
		o := workertest.Run(t, handler, struct{}{}, workertest.MaxAttempts(9))
		if !errors.Is(o.Err, c.err) || o.Ending != c.ending || o.NoRetry != c.noRetry || len(o.Attempts) != 1 ||
			(o.Pause == nil) != (c.pause < 0) || o.Pause != nil && *o.Pause != c.pause {
			t.Errorf("%s: %+v", name, o)
		}
		if d, ok := o.Snoozed(); ok != (c.ending == "snoozed") || ok && d != time.Hour {
			t.Errorf("%s: snoozed %v, %v", name, d, ok)
		}
		if err := o.DecodeResult(new(int)); err == nil {
			t.Errorf("%s has a result", name)
		}
		if err := o.DecodeCheckpoint(new(int)); err == nil {
			t.Errorf("%s has a checkpoint", name)
		}
	}
}

func TestRunCatchesPanicsGoexitAndBadParameters(t *testing.T) {
	t.Parallel()
	o := workertest.Run(t, func(context.Context, *worker.Task, int) error { panic("ouch") }, 1)
	if o.Err == nil || o.Error != "panic: ouch" || !strings.Contains(o.Stack, "run_test.go") {
		t.Errorf("panic: %+v", o)
	}
	o = workertest.Run(t, func(context.Context, *worker.Task, int) error { runtime.Goexit(); return nil }, 1)
	if o.Err == nil || !strings.Contains(o.Error, "Goexit") {
		t.Errorf("Goexit: %+v", o)
	}
}

func TestRunInABubblePassesTimeAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := workertest.Run(t, func(ctx context.Context, task *worker.Task, _ struct{}) error {
			if time.Until(task.Deadline) != 24*time.Hour || !task.ScheduledAt.Equal(time.Date(2026, 3, 8, 7, 30, 0, 0, time.UTC)) {
				t.Errorf("task %+v", task)
			}
			<-ctx.Done()
			return context.Cause(ctx)
		}, struct{}{}, workertest.TimeLimit(24*time.Hour), workertest.ScheduledAt(time.Date(2026, 3, 8, 9, 30, 0, 0, time.FixedZone("", 7200))))
		if o.Ending != "timed_out" || !errors.Is(o.Err, worker.ErrTimeLimit) {
			t.Errorf("outcome %+v", o)
		}
	})
}

func TestRunRefusesArgumentsThatAreNoJSON(t *testing.T) {
	t.Parallel()
	server := workertest.NewServer(t)
	if _, err := server.Enqueue("H", make(chan int)); err == nil {
		t.Error("a channel is enqueued")
	}
	if _, err := server.Enqueue("H", nil, workertest.Checkpoint(make(chan int))); err == nil {
		t.Error("a channel is a checkpoint")
	}
	if _, err := server.Wait(t.Context(), "nothing"); err == nil {
		t.Error("an unknown task is waited for")
	}
	if _, ok := server.Outcome("nothing"); ok {
		t.Error("an unknown task has an outcome")
	}
}

func TestServerWithTwoWorkers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := workertest.NewServer(t)
		ctx, stop := context.WithCancel(t.Context())
		ran := make(chan error, 2)
		for _, name := range []string{"a", "b"} {
			cfg := server.Config(name)
			cfg.Logger, cfg.Slots = slog.New(slog.DiscardHandler), 2
			w, err := worker.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			worker.Handle(w, "Where", func(ctx context.Context, task *worker.Task, _ struct{}) error {
				time.Sleep(time.Second)
				return task.SetResult(w.Name())
			})
			go func() { ran <- w.Run(ctx) }()
		}
		if err := server.Connected(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		var ids []string
		for range 8 {
			id, err := server.Enqueue("Where", nil)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		began := time.Now()
		for _, id := range ids {
			o, err := server.Wait(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			seen[string(o.Result)]++
		}
		if seen[`"a"`] != 4 || seen[`"b"`] != 4 || time.Since(began) > 3*time.Second {
			t.Errorf("%v after %s", seen, time.Since(began))
		}
		stop()
		for range 2 {
			if err := <-ran; err != nil {
				t.Error(err)
			}
		}
	})
}

func ExampleRun() {
	t := exampleT() // a test's own t
	greet := func(_ context.Context, task *worker.Task, name string) error {
		task.Logger().Info("greeting", "who", name)
		return task.SetResult("Hello, " + name)
	}
	outcome := workertest.Run(t, greet, "Ada")
	fmt.Println(outcome.Ending, string(outcome.Result))
	fmt.Print(outcome.LogText())
	// Output:
	// succeeded "Hello, Ada"
	// INFO greeting
}

func ExampleServer() {
	server := workertest.NewServer(exampleT())
	defer server.Close()
	w, err := worker.New(server.Config("orders-1"))
	if err != nil {
		fmt.Println(err)
		return
	}
	worker.Handle(w, "CloseOrder", func(_ context.Context, task *worker.Task, order int) error {
		if task.Attempt == 1 {
			return errors.New("the database is away")
		}
		return task.SetResult(order)
	})
	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- w.Run(ctx) }()

	id, _ := server.Enqueue("CloseOrder", 17, workertest.MaxAttempts(3))
	outcome, _ := server.Wait(ctx, id)
	fmt.Println(outcome.State, "at attempt", outcome.Attempt)
	stop()
	fmt.Println("drained:", <-ran)
	// Output:
	// SUCCEEDED at attempt 2
	// drained: <nil>
}

// exampleT stands in for a test's t, which examples do not have.
func exampleT() testing.TB { return fakeT{} }

type fakeT struct{ testing.TB }

func (fakeT) Helper()                  {}
func (fakeT) Cleanup(func())           {}
func (fakeT) Context() context.Context { return context.Background() }

func TestRunWithUpstreamResults(t *testing.T) {
	t.Parallel()
	type imported struct{ Orders int }
	outcome := workertest.Run(t, func(_ context.Context, task *worker.Task, _ struct{}) error {
		var in imported
		found, err := task.Upstream("import", &in)
		if err != nil || !found || task.Trigger != "DEPENDENCY" {
			return fmt.Errorf("found %v, %w", found, err)
		}
		return task.SetResult(in.Orders + len(task.UpstreamResults()))
	}, struct{}{}, workertest.Upstream("import", "SUCCEEDED", imported{17}), workertest.Upstream("check", "FAILED", nil))
	if string(outcome.Result) != "19" || outcome.Err != nil {
		t.Errorf("result %s, %v", outcome.Result, outcome.Err)
	}
}
