package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/client"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
	"github.com/belfry-scheduler/belfry/worker-sdk/workertest"
)

type order struct {
	Order int `json:"order"`
}

// connect returns a server with a worker that runs "Close" and "Fail", and a client.
// stop ends the worker.
func connect(t *testing.T, change func(*client.Config)) (server *workertest.Server, c *client.Client, stop func()) {
	t.Helper()
	server = workertest.NewServer(t)
	cfg := client.Config{Server: workertest.URL, App: workertest.App, Key: workertest.Key, HTTPClient: server.Client()}
	if change != nil {
		change(&cfg)
	}
	c, err := client.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	wcfg := server.Config("w1")
	w, err := worker.New(wcfg)
	if err != nil {
		t.Fatal(err)
	}
	worker.Handle(w, "Close", func(_ context.Context, task *worker.Task, o order) error { return task.SetResult(o.Order * 2) })
	worker.Handle(w, "Fail", func(context.Context, *worker.Task, struct{}) error { return errors.New("no way") })
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- w.Run(ctx) }()
	return server, c, func() {
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		server.Close()
	}
}

func TestEnqueueAndWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, c, stop := connect(t, nil)
		began := time.Now()
		id, err := c.Enqueue(t.Context(), "Close", order{21}, client.In(30*time.Minute), client.UniqueKey("order-21"), client.Priority(client.High))
		if err != nil {
			t.Fatal(err)
		}
		again, err := c.Enqueue(t.Context(), "Close", order{22}, client.UniqueKey("order-21"))
		if err != nil || again != id {
			t.Errorf("the same key gives %s, %v, not %s", again, err, id)
		}
		r, err := c.Wait(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		var doubled int
		if err := r.Decode(&doubled); err != nil || doubled != 42 || r.Err() != nil || r.State != client.Succeeded || r.ID != id || r.Job != "Close" || r.FinishedAt.IsZero() {
			t.Errorf("result %+v, %v", r, err)
		}
		if took := time.Since(began); took < 30*time.Minute || took > 31*time.Minute {
			t.Errorf("took %s", took)
		}
		id, err = c.Enqueue(t.Context(), "Fail", nil, client.At(time.Now().Add(-time.Hour)))
		if err != nil {
			t.Fatal(err)
		}
		r, err = c.Wait(t.Context(), id)
		if err != nil || r.State != client.Failed || r.Err() == nil || !strings.HasSuffix(r.Err().Error(), "no way") {
			t.Errorf("result %+v, %v", r, err)
		}
		stop()
	})
}

// A call is repeated until it is answered, and creates its task once.
func TestRepeatsCreateNothingTwice(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]workertest.Fault{
		"reply lost":  {DropReply: true},
		"refused":     {Refuse: true},
		"unavailable": {Error: &wire.Error{Code: wire.CodeUnavailable}},
		"slow":        {Delay: 11 * time.Second, DropReply: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server, c, stop := connect(t, func(c *client.Config) { c.RetryFor = time.Minute })
				bodies := map[string]bool{}
				server.Inject(func(call workertest.Call) workertest.Fault {
					if call.Path != wire.PathEnqueue || call.Nth > 3 {
						return workertest.Fault{}
					}
					bodies[string(call.Body)] = true
					var r wire.Enqueue
					if json.Unmarshal(call.Body, &r) != nil || len(r.Tasks) != 1 || len(r.Tasks[0].RequestID) != 26 {
						t.Errorf("request %s", call.Body)
					}
					return fault
				})
				id, err := c.Enqueue(t.Context(), "Close", order{1})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := c.Wait(t.Context(), id); err != nil {
					t.Error(err)
				}
				if len(bodies) != 1 || server.Calls(wire.PathEnqueue) != 4 {
					t.Errorf("%d bodies in %d calls", len(bodies), server.Calls(wire.PathEnqueue))
				}
				stop()
			})
		})
	}
}

func TestRequestIDOutlivesTheCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, c, stop := connect(t, nil)
		request := client.RequestID(client.NewRequestID())
		first, err := c.Enqueue(t.Context(), "Close", order{1}, request)
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.EnqueueMany(t.Context(), client.Task("Close", order{1}, request), client.Task("Close", order{2}))
		if err != nil || out[0].ID != first || !out[0].Existing || out[1].ID == first || out[1].Existing {
			t.Errorf("%+v, %v", out, err)
		}
		stop()
	})
}

func TestEnqueueManySplitsAndReportsEach(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, c, stop := connect(t, nil)
		var tasks []client.NewTask
		for i := range 2500 {
			tasks = append(tasks, client.Task("Close", order{i}, client.In(time.Hour)))
		}
		tasks[7] = client.Task("", nil)
		tasks[1200] = client.Task("Close", make(chan int))
		out, err := c.EnqueueMany(t.Context(), tasks...)
		if err == nil || !strings.Contains(err.Error(), "task 7 ()") || !strings.Contains(err.Error(), "task 1200 (Close)") {
			t.Errorf("error %v", err)
		}
		seen := map[string]bool{}
		for i, o := range out {
			if (o.Err != nil) != (i == 7 || i == 1200) || o.Err == nil && (o.ID == "" || seen[o.ID]) {
				t.Fatalf("task %d: %+v", i, o)
			}
			seen[o.ID] = true
		}
		if n := server.Calls(wire.PathEnqueue); n != 3 {
			t.Errorf("%d requests", n)
		}
		big := make([]client.NewTask, 40)
		for i := range big {
			big[i] = client.Task("Close", strings.Repeat("x", 250<<10), client.In(time.Hour))
		}
		if _, err := c.EnqueueMany(t.Context(), big...); err != nil {
			t.Error(err)
		}
		if out, err := c.EnqueueMany(t.Context()); len(out) != 0 || err != nil {
			t.Errorf("nothing: %v, %v", out, err)
		}
		server.Inject(func(workertest.Call) workertest.Fault {
			return workertest.Fault{Error: &wire.Error{Code: wire.CodeInvalid, Message: "no"}}
		})
		if _, err := c.EnqueueMany(t.Context(), tasks...); err == nil || !strings.Contains(err.Error(), "and 2490 more") {
			t.Errorf("error %v", err)
		}
		server.Inject(nil)
		stop()
	})
}

func TestCancel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, c, stop := connect(t, nil)
		var reason string
		server.Inject(func(call workertest.Call) workertest.Fault {
			var r wire.CancelRequest
			if call.Path == wire.PathCancel && json.Unmarshal(call.Body, &r) == nil {
				reason = r.Reason
			}
			return workertest.Fault{}
		})
		byID, err := c.Enqueue(t.Context(), "Close", order{1}, client.In(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		byKey, err := c.Enqueue(t.Context(), "Close", order{1}, client.In(time.Hour), client.UniqueKey("k"))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Cancel(t.Context(), byID, client.Reason("paid")); err != nil || reason != "paid" {
			t.Errorf("%v, reason %q", err, reason)
		}
		if err := c.CancelKey(t.Context(), "Close", "k"); err != nil {
			t.Error(err)
		}
		for _, id := range []string{byID, byKey} {
			if r, err := c.Wait(t.Context(), id); err != nil || r.State != client.Cancelled || r.Err() == nil {
				t.Errorf("%+v, %v", r, err)
			}
		}
		for name, err := range map[string]error{
			"unknown id": c.Cancel(t.Context(), "no-such-task"), "key without a task": c.CancelKey(t.Context(), "Close", "k"),
		} {
			if e, ok := errors.AsType[*client.Error](err); !ok || e.Code != client.CodeNotFound {
				t.Errorf("%s: %v", name, err)
			}
		}
		stop()
	})
}

func TestCallsWithoutAServerEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, c, stop := connect(t, nil)
		server.Inject(func(call workertest.Call) workertest.Fault {
			return workertest.Fault{Refuse: strings.HasPrefix(call.Path, wire.PathEnqueue) || strings.HasPrefix(call.Path, wire.PathTask)}
		})
		began := time.Now()
		_, err := c.Enqueue(t.Context(), "Close", order{1})
		e, ok := errors.AsType[*client.Error](err)
		if !ok || e.Code != client.CodeUnavailable || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), workertest.URL) {
			t.Errorf("error %v", err)
		}
		if took := time.Since(began); took < 25*time.Second || took > 31*time.Second {
			t.Errorf("gave up after %s", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if _, err := c.Wait(ctx, "x"); !errors.Is(err, context.DeadlineExceeded) || ctx.Err() == nil {
			t.Errorf("Wait: %v", err)
		}
		stop()
	})
}

func TestWaitSurvivesAServerAndEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, c, stop := connect(t, nil)
		id, err := c.Enqueue(t.Context(), "Close", order{4}, client.In(10*time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		server.Inject(func(call workertest.Call) workertest.Fault {
			return workertest.Fault{DropReply: strings.HasPrefix(call.Path, wire.PathTask) && call.Nth%2 == 0}
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := c.Wait(ctx, id); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Wait: %v", err)
		}
		if r, err := c.Wait(t.Context(), id); err != nil || string(r.Output) != "8" {
			t.Errorf("%+v, %v", r, err)
		}
		if n := server.Calls(wire.PathTask + id); n > 60 {
			t.Errorf("%d questions in ten minutes", n)
		}
		stop()
	})
}

// eager answers at once although the task is not final.
type eager struct{ asked int }

func (e *eager) RoundTrip(r *http.Request) (*http.Response, error) {
	e.asked++
	status := wire.TaskStatus{ID: "x", State: "RUNNING", Final: e.asked > 50}
	text, err := json.Marshal(status)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: r, Body: body{bytes.NewReader(text)}}, err
}

type body struct{ *bytes.Reader }

func (body) Close() error { return nil }

func TestWaitDoesNotSpin(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, err := client.New(client.Config{Server: "http://a.test", App: "a", Key: "k", HTTPClient: &http.Client{Transport: &eager{}}})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, err := c.Wait(t.Context(), "x"); err != nil || time.Since(began) != 5*time.Second {
			t.Errorf("%v after %s", err, time.Since(began))
		}
	})
}

func TestMistakesAreNamed(t *testing.T) {
	t.Parallel()
	c, err := client.New(client.Config{Server: "http://a.test", App: "a", Key: "k", HTTPClient: &http.Client{}})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	enqueue := func(args any, options ...client.Option) error {
		_, err := c.Enqueue(ctx, "Close", args, options...)
		return err
	}
	_, noJob := c.Enqueue(ctx, "", nil)
	_, noID := c.Wait(ctx, "")
	for field, err := range map[string]error{
		"job": noJob, "task": noID, "task ": c.Cancel(ctx, ""), "uniqueKey": c.CancelKey(ctx, "Close", ""),
		"parameters": enqueue(func() {}), "delay": enqueue(nil, client.In(-1)), "runAt": enqueue(nil, client.At(time.Time{})),
		"runAt ": enqueue(nil, client.In(time.Hour), client.At(time.Now())), "delay ": enqueue(nil, client.At(time.Now()), client.In(time.Hour)),
		"uniqueKey ": enqueue(nil, client.UniqueKey("")), "priority": enqueue(nil, client.Priority("URGENT")), "requestId": enqueue(nil, client.RequestID("17")),
	} {
		e, ok := errors.AsType[*client.Error](err)
		if !ok || e.Code != client.CodeInvalid || e.Field != strings.TrimSpace(field) || !strings.Contains(e.Error(), e.Field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	if err := enqueue(strings.Repeat("x", wire.MaxParameters)); err == nil || !strings.Contains(err.Error(), client.CodeTooLarge) {
		t.Errorf("too much: %v", err)
	}
	for want, cfg := range map[string]client.Config{
		"Config.Server":   {App: "a", Key: "k"},
		"Config.App":      {Server: "http://a", Key: "k"},
		"Config.Key":      {Server: "http://a", App: "a", Key: "k\n"},
		"Config.RetryFor": {Server: "http://a", App: "a", Key: "k", RetryFor: -1},
	} {
		if _, err := client.New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// A handler enqueues a follow-up and fails after that: its second attempt finds the one
// of the first.
func ExampleRequestIDFrom() {
	server, done := exampleServer()
	defer done()
	w, err := worker.New(quietConfig(server))
	if err != nil {
		fmt.Println(err)
		return
	}
	c := w.Client()
	worker.Handle(w, "Ship", func(ctx context.Context, task *worker.Task, _ struct{}) error {
		id, err := c.Enqueue(ctx, "Mail", nil, client.RequestID(client.RequestIDFrom(task.ID, "mail")))
		if err != nil {
			return err
		}
		if task.Attempt == 1 {
			return errors.New("the carrier does not answer")
		}
		return task.SetResult(id)
	})
	var mails atomic.Int64
	worker.Handle(w, "Mail", func(context.Context, *worker.Task, struct{}) error { mails.Add(1); return nil })
	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- w.Run(ctx) }()

	shipped, _ := server.Enqueue("Ship", nil, workertest.MaxAttempts(2))
	result, _ := c.Wait(ctx, shipped)
	var mail string
	_ = result.Decode(&mail)
	_, err = c.Wait(ctx, mail)
	fmt.Println(result.State, "at attempt", result.Attempt, "mails:", mails.Load(), err)
	stop()
	<-ran
	// Output:
	// SUCCEEDED at attempt 2 mails: 1 <nil>
}

func quietConfig(server *workertest.Server) worker.Config {
	cfg := server.Config("w1")
	cfg.Logger = slog.New(slog.DiscardHandler)
	return cfg
}

func ExampleClient_Enqueue() {
	server, done := exampleServer()
	defer done()
	c, err := client.New(client.Config{Server: workertest.URL, App: workertest.App, Key: workertest.Key, HTTPClient: server.Client()})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	first, _ := c.Enqueue(ctx, "CloseOrder", map[string]int{"order": 17},
		client.In(30*time.Minute), client.UniqueKey("order-17"), client.Priority(client.High))
	second, _ := c.Enqueue(ctx, "CloseOrder", map[string]int{"order": 17},
		client.In(30*time.Minute), client.UniqueKey("order-17"))
	fmt.Println("one task:", first == second)
	fmt.Println("cancelled:", c.CancelKey(ctx, "CloseOrder", "order-17"))
	result, _ := c.Wait(ctx, first)
	fmt.Println(result.State)
	// Output:
	// one task: true
	// cancelled: <nil>
	// CANCELLED
}

// exampleServer stands in for a Belfry server. Examples have no testing.T, so it
// borrows one that ends with the example.
func exampleServer() (*workertest.Server, func()) {
	server := workertest.NewServer(noTest{})
	return server, server.Close
}

type noTest struct{ testing.TB }

func (noTest) Helper()        {}
func (noTest) Cleanup(func()) {}

func TestAHeldKeyIsMovedOrReplaced(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, c, stop := connect(t, nil)
		began := time.Now()
		key := client.UniqueKey("order-17")
		first, err := c.Enqueue(t.Context(), "Close", order{17}, client.In(time.Hour), key)
		if err != nil {
			t.Fatal(err)
		}
		// The answer to the move is lost: its repeat moves nothing again.
		server.Inject(func(call workertest.Call) workertest.Fault {
			return workertest.Fault{DropReply: call.Path == wire.PathEnqueue && call.Nth == 2}
		})
		out, err := c.EnqueueMany(t.Context(), client.Task("Close", order{99}, client.In(2*time.Hour), key, client.OnKeyHeld(client.Reschedule)))
		if err != nil || out[0].ID != first || !out[0].Existing {
			t.Errorf("moved: %+v, %v", out, err)
		}
		out, err = c.EnqueueMany(t.Context(), client.Task("Close", order{18}, client.In(3*time.Hour), key, client.OnKeyHeld(client.Replace)))
		if err != nil || out[0].Replaced != first || out[0].Existing {
			t.Fatalf("replaced: %+v, %v", out, err)
		}
		if r, err := c.Wait(t.Context(), first); err != nil || r.State != client.Cancelled {
			t.Errorf("the replaced task: %+v, %v", r, err)
		}
		if err := c.MoveKey(t.Context(), "Close", "order-17", client.In(30*time.Minute)); err != nil {
			t.Fatal(err)
		}
		r, err := c.Wait(t.Context(), out[0].ID)
		var doubled int
		if err != nil || r.Decode(&doubled) != nil || doubled != 36 {
			t.Errorf("result %+v, %v", r, err)
		}
		if took := time.Since(began); took < 30*time.Minute || took > 40*time.Minute {
			t.Errorf("took %s", took)
		}
		err = c.Move(t.Context(), out[0].ID, client.At(time.Now().Add(time.Hour)))
		if e, ok := errors.AsType[*client.Error](err); !ok || e.Code != client.CodeConflict {
			t.Errorf("moving an ended task: %v", err)
		}
		stop()
	})
}

func TestKeyOptionsAreChecked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, c, stop := connect(t, nil)
		for name, call := range map[string]func() error{
			"no key": func() error {
				_, err := c.Enqueue(t.Context(), "Close", nil, client.OnKeyHeld(client.Replace))
				return err
			},
			"unknown rule": func() error { _, err := c.Enqueue(t.Context(), "Close", nil, client.OnKeyHeld("SWAP")); return err },
			"no task":      func() error { return c.Move(t.Context(), "") },
			"no key given": func() error { return c.MoveKey(t.Context(), "Close", "") },
			"priority":     func() error { return c.Move(t.Context(), "x", client.Priority(client.High)) },
		} {
			if e, ok := errors.AsType[*client.Error](call()); !ok || e.Code != client.CodeInvalid {
				t.Errorf("%s: %v", name, e)
			}
		}
		if n := server.Calls(wire.PathEnqueue) + server.Calls(wire.PathMove); n != 0 {
			t.Errorf("%d calls were made", n)
		}
		stop()
	})
}
