package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/internal/ulid"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Option says how a task is enqueued.
type Option func(*wire.NewTask) error

// Level is a priority.
type Level string

// Levels for Priority.
const (
	Low      Level = "LOW"
	Normal   Level = "NORMAL"
	High     Level = "HIGH"
	Critical Level = "CRITICAL"
)

// In runs the task after d, by the server's clock; the default is at once.
func In(d time.Duration) Option {
	return func(t *wire.NewTask) error {
		if d < 0 {
			return invalid("delay", "the delay is %s: choose zero or more", d)
		}
		if t.RunAt != nil {
			return invalid("delay", "In and At are both given: choose one")
		}
		t.DelayMS = int64((d + time.Millisecond - 1) / time.Millisecond)
		return nil
	}
}

// At runs the task at the instant t; one in the past means at once.
func At(at time.Time) Option {
	return func(t *wire.NewTask) error {
		if at.IsZero() {
			return invalid("runAt", "the instant is zero: choose one, or leave At out")
		}
		if t.DelayMS != 0 {
			return invalid("runAt", "In and At are both given: choose one")
		}
		utc := at.UTC()
		t.RunAt = &utc
		return nil
	}
}

// UniqueKey makes the task the only unfinished one of its job with that key:
// Enqueue returns the id of the one that exists, if there is one. CancelKey finds
// it by the key.
func UniqueKey(key string) Option {
	return func(t *wire.NewTask) error {
		if key == "" {
			return invalid("uniqueKey", "the unique key is empty: leave UniqueKey out for none")
		}
		t.UniqueKey = key
		return nil
	}
}

// Rule is what Enqueue does when an unfinished task of the job holds the unique key.
type Rule string

// Rules for OnKeyHeld. A task that runs, or waits in the failed queue, is left alone
// by all of them; Reschedule and Replace fail with CONFLICT then, and the message
// names the task.
const (
	Keep       Rule = wire.KeyKeep       // it stays, and its id is returned: the default
	Reschedule Rule = wire.KeyReschedule // it stays, with its id and parameters, and gets the new instant
	Replace    Rule = wire.KeyReplace    // it is cancelled, and the new task is made
)

// OnKeyHeld says what happens when an unfinished task of the job has the same
// unique key. It needs UniqueKey. A call that is repeated with the same request id
// moves or replaces once.
func OnKeyHeld(rule Rule) Option {
	return func(t *wire.NewTask) error {
		switch rule {
		case Keep, Reschedule, Replace:
			t.OnKeyHeld = string(rule)
			return nil
		}
		return invalid("onKeyHeld", "the rule is %q: choose Keep, Reschedule or Replace", string(rule))
	}
}

// Priority sets the task's priority instead of the job's.
func Priority(level Level) Option {
	return func(t *wire.NewTask) error {
		switch level {
		case Low, Normal, High, Critical:
			t.Priority = string(level)
			return nil
		}
		return invalid("priority", "the priority is %q: choose LOW, NORMAL, HIGH or CRITICAL", string(level))
	}
}

// RequestID sets the id under which repeats of this request are recognised, a ULID
// as NewRequestID returns it. A service that keeps it with its own data can repeat
// the call even after a restart; without this option each call makes its own.
func RequestID(id string) Option {
	return func(t *wire.NewTask) error {
		if !ulid.Valid(id) {
			return invalid("requestId", "the request id is %q: use one that NewRequestID made", id)
		}
		t.RequestID = id
		return nil
	}
}

// NewRequestID returns a new id for RequestID.
func NewRequestID() string { return ulid.New() }

// RequestIDFrom returns the request id that name stands for within a task, the same at
// each of its attempts: a handler that enqueues with it, and is tried again, enqueues
// nothing twice.
//
//	c.Enqueue(ctx, "SendInvoice", args, client.RequestID(client.RequestIDFrom(task.ID, "invoice")))
//
// Servers recognise it for at least a day after the task's scheduled instant.
func RequestIDFrom(taskID, name string) string { return ulid.Derive(taskID, name) }

// NewTask is a task to be enqueued by EnqueueMany; Task makes it.
type NewTask struct {
	task wire.NewTask
	err  error
}

// Task describes a run of job with args as its parameters, which are encoded as
// JSON, at most 256 KiB; nil means none.
func Task(job string, args any, options ...Option) NewTask {
	t := NewTask{task: wire.NewTask{Job: job}}
	if job == "" {
		t.err = invalid("job", "the job is empty: give a job's name or id")
		return t
	}
	if args != nil {
		data, err := json.Marshal(args)
		switch {
		case err != nil:
			t.err = &Error{Code: CodeInvalid, Field: "parameters", Message: "encoding the parameters: " + err.Error(), cause: err}
		case len(data) > wire.MaxParameters:
			t.err = &Error{Code: CodeTooLarge, Field: "parameters", Message: fmt.Sprintf("the parameters have %d bytes of JSON: at most %d are taken, so store them elsewhere and pass their address", len(data), wire.MaxParameters)}
		}
		t.task.Parameters = data
	}
	for _, option := range options {
		if err := option(&t.task); err != nil && t.err == nil {
			t.err = err
		}
	}
	if t.err == nil && t.task.UniqueKey == "" && t.task.OnKeyHeld != "" && t.task.OnKeyHeld != wire.KeyKeep {
		t.err = invalid("onKeyHeld", "OnKeyHeld is given without a key: add UniqueKey")
	}
	if t.task.RequestID == "" {
		t.task.RequestID = ulid.New()
	}
	return t
}

// Enqueued is a task of EnqueueMany: created, or found by its unique key or request
// id (Existing), or refused (Err, an *Error).
type Enqueued struct {
	ID       string
	Existing bool
	Moved    bool   // Reschedule gave the existing one the new instant
	Replaced string // the task that Replace cancelled for this one; empty for none
	Err      error
}

// Enqueue runs job once with args as its parameters and returns the task's id. The
// error is an *Error; codes: NOT_FOUND for the job, INVALID, TOO_LARGE, CONFLICT (see
// OnKeyHeld), UNAUTHENTICATED, UNAVAILABLE. After UNAVAILABLE the task may exist: calling again
// with the same RequestID or UniqueKey is safe.
func (c *Client) Enqueue(ctx context.Context, job string, args any, options ...Option) (string, error) {
	out, err := c.EnqueueMany(ctx, Task(job, args, options...))
	if err != nil {
		if e, ok := errors.AsType[*Error](err); ok {
			return "", e
		}
		return "", err
	}
	return out[0].ID, nil
}

// EnqueueMany enqueues tasks in as few requests as possible and returns one entry a
// task, in order. The error joins the first few of the entries' errors; the other
// tasks are enqueued all the same. When no server answers, the rest of the entries
// have an UNAVAILABLE error.
func (c *Client) EnqueueMany(ctx context.Context, tasks ...NewTask) ([]Enqueued, error) {
	out := make([]Enqueued, len(tasks))
	var request wire.Enqueue
	var places []int // where the request's tasks stand in out
	size := 0
	send := func() {
		c.send(ctx, request, places, out)
		request.Tasks, places, size = request.Tasks[:0], places[:0], 0
	}
	for i := range tasks {
		if tasks[i].err != nil {
			out[i].Err = tasks[i].err
			continue
		}
		weight := len(tasks[i].task.Parameters) + len(tasks[i].task.UniqueKey) + 512
		if len(places) == wire.MaxEnqueueItems || len(places) > 0 && size+weight > wire.MaxBodyBytes/2 {
			send()
		}
		request.Tasks, places, size = append(request.Tasks, tasks[i].task), append(places, i), size+weight
	}
	if len(places) > 0 {
		send()
	}
	return out, firstErrors(tasks, out)
}

func (c *Client) send(ctx context.Context, request wire.Enqueue, places []int, out []Enqueued) {
	var answer wire.Enqueued
	body, err := json.Marshal(request)
	if err == nil {
		err = c.post(ctx, wire.PathEnqueue, body, &answer)
	}
	if err == nil && len(answer.Tasks) != len(places) {
		err = &Error{Code: CodeUnavailable, Message: fmt.Sprintf("the server answered %d of %d tasks", len(answer.Tasks), len(places))}
	}
	for i, place := range places {
		if err != nil {
			out[place].Err = err
			continue
		}
		t := answer.Tasks[i]
		out[place] = Enqueued{ID: t.ID, Existing: t.Existing, Moved: t.Moved, Replaced: t.Replaced, Err: errorOfItem(t.Error)}
	}
}

// maxJoined bounds how many errors EnqueueMany joins.
const maxJoined = 10

func firstErrors(tasks []NewTask, out []Enqueued) error {
	var joined []error
	failed := 0
	for i := range out {
		if out[i].Err == nil {
			continue
		}
		if failed++; failed <= maxJoined {
			joined = append(joined, fmt.Errorf("task %d (%s): %w", i, tasks[i].task.Job, out[i].Err))
		}
	}
	if failed > maxJoined {
		joined = append(joined, fmt.Errorf("and %d more", failed-maxJoined))
	}
	return errors.Join(joined...)
}
