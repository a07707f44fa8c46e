package cmd

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/worker-sdk/client"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// A handler that enqueues and is tried again enqueues nothing twice.
func TestAHandlerEnqueuesOnceOverItsAttempts(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	var mails atomic.Int64
	p.work("w1", func(w *worker.Worker) {
		c := w.Client()
		worker.Handle(w, "Ship", func(ctx context.Context, task *worker.Task, _ none) error {
			id, err := c.Enqueue(ctx, "mail", nil, client.RequestID(client.RequestIDFrom(task.ID, "mail")), client.In(50*time.Millisecond))
			if err != nil {
				return err
			}
			if task.Attempt < 3 {
				return errors.New("the carrier does not answer")
			}
			return task.SetResult(id)
		})
		worker.Handle(w, "Mail", func(context.Context, *worker.Task, none) error { mails.Add(1); return nil })
	})
	ship := p.job("Ship", func(in *job.Input) { in.Retry = &job.RetryInput{MaxAttempts: 3, Delay: 10 * time.Millisecond} })
	p.job("Mail", nil)
	c, err := client.New(client.Config{Server: p.url, App: "shop", Key: p.key})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := c.Wait(t.Context(), p.trigger(ship))
	var mail string
	if err != nil || r.Attempt != 3 || r.Decode(&mail) != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	if r, err := c.Wait(t.Context(), mail); err != nil || r.State != client.Succeeded || mails.Load() != 1 {
		t.Errorf("%+v, %v, %d mails", r, err, mails.Load())
	}
}

// losing loses the answers to the first requests after the server has carried them out.
type losing struct{ lost atomic.Int64 }

func (l *losing) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && l.lost.Add(1) <= 2 {
		return nil, errors.Join(errors.New("connection reset by peer"), resp.Body.Close())
	}
	return resp, err
}

// Many tasks go in one call; those that cannot be made are named, and the others are
// made once although the answers were lost.
func TestTheClientEnqueuesManyOnce(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	var ran atomic.Int64
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Count", func(_ context.Context, task *worker.Task, n int) error {
			ran.Add(1)
			return task.SetResult(n)
		})
	})
	p.job("Count", nil)
	c, err := client.New(client.Config{Server: p.url, App: "shop", Key: p.key, HTTPClient: &http.Client{Transport: &losing{}}})
	if err != nil {
		t.Fatal(err)
	}
	var list []client.NewTask
	for n := range 20 {
		list = append(list, client.Task("count", n, client.Priority(client.High), client.At(time.Now().Add(-time.Minute))))
	}
	list = append(list, client.Task("no such job", nil))
	out, err := c.EnqueueMany(t.Context(), list...)
	if e, ok := errors.AsType[*client.Error](out[20].Err); err == nil || !ok || e.Code != client.CodeNotFound {
		t.Errorf("the job that is not there: %v", out[20].Err)
	}
	for n, made := range out[:20] {
		var got int
		r, err := c.Wait(t.Context(), made.ID)
		if err != nil || made.Err != nil || r.Decode(&got) != nil || got != n {
			t.Errorf("task %d: %+v, %+v, %v", n, made, r, err)
		}
	}
	if ran.Load() != 20 {
		t.Errorf("%d tasks ran", ran.Load())
	}
}

func TestTheClientMovesAndCancels(t *testing.T) {
	t.Parallel()
	p := newPlant(t)
	p.work("w1", func(w *worker.Worker) {
		worker.Handle(w, "Close", func(context.Context, *worker.Task, none) error { return nil })
	})
	p.job("Close", nil)
	c, err := client.New(client.Config{Server: p.url, App: "shop", Key: p.key})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	key := client.UniqueKey("order-17")
	first, err := c.Enqueue(t.Context(), "close", nil, client.In(time.Hour), key)
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.EnqueueMany(t.Context(), client.Task("close", nil, client.In(2*time.Hour), key, client.OnKeyHeld(client.Replace)))
	if err != nil || out[0].Replaced != first {
		t.Fatalf("%+v, %v", out, err)
	}
	if r, err := c.Wait(t.Context(), first); err != nil || r.State != client.Cancelled {
		t.Errorf("the replaced task: %+v, %v", r, err)
	}
	if err := c.MoveKey(t.Context(), "close", "order-17"); err != nil { // to now
		t.Fatal(err)
	}
	if r, err := c.Wait(t.Context(), out[0].ID); err != nil || r.State != client.Succeeded {
		t.Errorf("the moved task: %+v, %v", r, err)
	}
	waits, err := c.Enqueue(t.Context(), "close", nil, client.In(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Cancel(t.Context(), waits, client.Reason("paid")); err != nil {
		t.Fatal(err)
	}
	if r, err := c.Wait(t.Context(), waits); err != nil || r.State != client.Cancelled {
		t.Errorf("the cancelled task: %+v, %v", r, err)
	}
	if e, ok := errors.AsType[*client.Error](c.Cancel(t.Context(), waits)); !ok || e.Code != client.CodeConflict {
		t.Errorf("cancelling it again: %v", e)
	}
}
