package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

// runOne runs a worker until one task of handler has ended.
func runOne(change func(*worker.Config), register func(*worker.Worker), handler string, args any, options ...workertest.Option) (*worker.Worker, workertest.Outcome) {
	server := workertest.NewServer(exampleT)
	defer server.Close()
	cfg := server.Config("orders-1")
	cfg.Logger = quiet()
	if change != nil {
		change(&cfg)
	}
	w, err := worker.New(cfg)
	if err != nil {
		panic(err) //nolint:forbidigo // a mistake in an example
	}
	register(w)
	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- w.Run(ctx) }()
	id, _ := server.Enqueue(handler, args, options...)
	outcome, _ := server.Wait(ctx, id)
	stop()
	if err := <-ran; err != nil {
		panic(err) //nolint:forbidigo // likewise
	}
	return w, outcome
}

func ExampleHandleResult() {
	type order struct{ Items []int }
	type total struct{ Sum int }
	_, outcome := runOne(nil, func(w *worker.Worker) {
		worker.HandleResult(w, "SumOrder", func(_ context.Context, _ *worker.Task, o order) (total, error) {
			t := total{}
			for _, price := range o.Items {
				t.Sum += price
			}
			return t, nil
		})
	}, "SumOrder", order{Items: []int{3, 4}})
	fmt.Println(outcome.State, string(outcome.Result))
	// Output: SUCCEEDED {"Sum":7}
}

// After a rename jobs may give the old name until they have been changed.
func ExampleAliases() {
	w, outcome := runOne(nil, func(w *worker.Worker) {
		worker.Handle(w, "CloseOrder", func(_ context.Context, task *worker.Task, _ int) error {
			return task.SetResult(task.Handler)
		}, worker.Aliases("ShutOrder"))
	}, "ShutOrder", 17)
	fmt.Println(outcome.State, string(outcome.Result), w.Stats().Handlers["CloseOrder"].Aliased)
	// Output: SUCCEEDED "ShutOrder" 1
}

func ExampleLimit() {
	_, outcome := runOne(nil, func(w *worker.Worker) {
		worker.Handle(w, "CallBank", func(ctx context.Context, _ *worker.Task, _ struct{}) error {
			<-ctx.Done() // the bank does not answer
			return fmt.Errorf("calling the bank: %w", ctx.Err())
		}, worker.Limit(10*time.Millisecond))
	}, "CallBank", nil, workertest.TimeLimit(time.Hour))
	fmt.Println(outcome.Ending)
	fmt.Println(outcome.Error)
	// Output:
	// timed_out
	// the time limit has passed: the handler's own, 10ms: calling the bank: context deadline exceeded
}

// At most two conversions at once in this process, because each needs a licence; the
// node's other slots stay free for other handlers.
func ExampleSlots() {
	_, outcome := runOne(func(c *worker.Config) { c.Slots = 32 }, func(w *worker.Worker) {
		worker.Handle(w, "ConvertVideo", func(context.Context, *worker.Task, string) error { return nil }, worker.Slots(2))
		worker.Handle(w, "CloseOrder", func(context.Context, *worker.Task, int) error { return nil })
	}, "ConvertVideo", "holiday.mkv")
	fmt.Println(outcome.State)
	// Output: SUCCEEDED
}

func ExampleWith() {
	retryOnBusy := func(next worker.Handler) worker.Handler {
		return func(ctx context.Context, task *worker.Task) error {
			err := next(ctx, task)
			if errors.Is(err, errTooBusy) {
				return worker.RetryAfter(time.Millisecond, err)
			}
			return err
		}
	}
	_, outcome := runOne(nil, func(w *worker.Worker) {
		worker.Handle(w, "Fetch", func(_ context.Context, task *worker.Task, _ struct{}) error {
			if task.Attempt == 1 {
				return errTooBusy
			}
			return nil
		}, worker.With(retryOnBusy))
	}, "Fetch", nil, workertest.MaxAttempts(3))
	fmt.Println(outcome.State, "at attempt", outcome.Attempt)
	// Output: SUCCEEDED at attempt 2
}

var errTooBusy = errors.New("too many requests")

// A handler that is stopped tells by the cause what is worth doing.
func Example_cause() {
	export := func(ctx context.Context, task *worker.Task, _ struct{}) error {
		<-ctx.Done() // the work, in real life
		switch cause := context.Cause(ctx); {
		case errors.Is(cause, worker.ErrLeaseLost):
			return cause // another attempt may be running: write nothing any more
		case errors.Is(cause, worker.ErrShutdown):
			_ = task.Checkpoint(context.WithoutCancel(ctx), "page 7") // the next attempt goes on from here
			return cause
		default: // cancelled, replaced, or out of time
			return cause
		}
	}
	outcome := workertest.Run(exampleT, export, struct{}{}, workertest.StopAfter(time.Millisecond, worker.ErrShutdown))
	fmt.Println(outcome.Ending, string(outcome.Checkpoint))
	outcome = workertest.Run(exampleT, export, struct{}{},
		workertest.StopAfter(time.Millisecond, fmt.Errorf("%w: by Ada, wrong shop", worker.ErrCancelled)))
	fmt.Println(outcome.Ending, "-", outcome.Err)
	// Output:
	// released "page 7"
	// cancelled - the task was cancelled: by Ada, wrong shop
}

// Start is told to Config.OnStart before the first assignment.
func ExampleStart() {
	_, outcome := runOne(func(c *worker.Config) {
		c.OnStart = func(_ context.Context, s worker.Start) error {
			if s.Previous != nil && !s.Previous.Left {
				fmt.Println("a crashed process had this name until", s.Previous.LastSeenAt)
			}
			fmt.Println("removing what is half written on", s.Node)
			return nil // an error stops the worker
		}
	}, func(w *worker.Worker) {
		worker.Handle(w, "Export", func(context.Context, *worker.Task, int) error { fmt.Println("exporting"); return nil })
	}, "Export", 1)
	fmt.Println(outcome.State)
	// Output:
	// removing what is half written on orders-1
	// exporting
	// SUCCEEDED
}

func ExampleWorker_Health() {
	w, _ := runOne(nil, func(w *worker.Worker) {
		worker.Handle(w, "H", func(context.Context, *worker.Task, int) error { return nil })
	}, "H", 1)
	mux := http.NewServeMux()
	mux.Handle("/worker/", http.StripPrefix("/worker", w.Health())) // /worker/livez and /worker/readyz
	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/worker/readyz", nil))
	var health worker.Health
	_ = json.Unmarshal(answer.Body.Bytes(), &health)
	fmt.Println(answer.Code, health.Reasons)
	// Output: 503 [Run has returned.]
}

// counter is an observer with what it wants to know; NopObserver has the rest.
type counter struct {
	worker.NopObserver
}

func (counter) AttemptEnded(task *worker.Task, end worker.AttemptEnd) {
	fmt.Println(task.JobName, "of", end.Handler, end.Outcome, end.Err) //nolint:forbidigo // what the example shows
}

func ExampleObserver() {
	runOne(func(c *worker.Config) { c.Observer = counter{} }, func(w *worker.Worker) {
		worker.Handle(w, "CloseOrder", func(context.Context, *worker.Task, int) error { return errors.New("no such order") })
	}, "CloseOrder", 17, workertest.Job("Close orders"))
	// Output: Close orders of CloseOrder failed no such order
}

// With package expvar: expvar.Publish("belfry", expvar.Func(func() any { return w.Stats() })).
func ExampleWorker_Stats() {
	w, _ := runOne(func(c *worker.Config) { c.Slots = 8 }, func(w *worker.Worker) {
		worker.Handle(w, "CloseOrder", func(context.Context, *worker.Task, int) error { return nil })
	}, "CloseOrder", 17)
	s := w.Stats()
	fmt.Println(s.Slots, s.Running, s.Handlers["CloseOrder"].Succeeded)
	// Output: 8 0 1
}
