package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/internal/link"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	pollFor = 30 * time.Second // how long a server may hold one question of Wait
	// shortest is the least time between two questions, should a server answer at once
	// although the task is not final.
	shortest = 100 * time.Millisecond
)

// States of a Result that Wait returns.
const (
	Succeeded = "SUCCEEDED"
	Failed    = "FAILED" // in the failed queue
	Cancelled = "CANCELLED"
	Skipped   = "SKIPPED"
	Discarded = "DISCARDED"
)

// Result is what became of a task.
type Result struct {
	ID         string
	Job        string
	State      string // one of the states above
	Attempt    int    // number of the last attempt
	Output     json.RawMessage
	Error      string // of the last attempt, "" after a success
	FinishedAt time.Time
}

// Err returns nil for a task that succeeded, otherwise an error that says its state
// and its last attempt's error.
func (r Result) Err() error {
	if r.State == Succeeded {
		return nil
	}
	if r.Error == "" {
		return fmt.Errorf("task %s of job %q is %s", r.ID, r.Job, r.State)
	}
	return fmt.Errorf("task %s of job %q is %s: %s", r.ID, r.Job, r.State, r.Error)
}

// Decode decodes what the handler gave to SetResult into v; without a result it
// leaves v as it is.
func (r Result) Decode(v any) error {
	if len(r.Output) == 0 {
		return nil
	}
	if err := json.Unmarshal(r.Output, v); err != nil {
		return fmt.Errorf("decoding the result of task %s: %w", r.ID, err)
	}
	return nil
}

// Wait returns when the task has ended, however it ended: Result.Err says whether it
// succeeded. It survives the loss of servers and waits until ctx ends; the error is
// an *Error then, with code UNAVAILABLE and ctx's error inside, or says at once that
// the task is unknown (NOT_FOUND) or the key is wrong (UNAUTHENTICATED).
func (c *Client) Wait(ctx context.Context, taskID string) (Result, error) {
	if taskID == "" {
		return Result{}, invalid("task", "the task id is empty: pass the one that Enqueue returned")
	}
	path := wire.PathTask + url.PathEscape(taskID) + "?wait=" + strconv.FormatInt(pollFor.Milliseconds(), 10)
	for try := 0; ; {
		asked := time.Now()
		var status wire.TaskStatus
		err := c.link.Get(ctx, pollFor+callTimeout, path, &status)
		pause := max(shortest-time.Since(asked), 0)
		switch {
		case err == nil && status.Final:
			return resultOf(status), nil
		case err == nil:
			try = 0
		case !link.Transient(err):
			return Result{}, errorOf(err)
		default:
			pause = link.Backoff(try, maxBackoff)
			try++
		}
		if !link.Sleep(ctx, pause) {
			if err == nil {
				err = fmt.Errorf("task %s is %s", taskID, status.State)
			}
			return Result{}, ended(ctx, err)
		}
	}
}

func resultOf(s wire.TaskStatus) Result {
	r := Result{ID: s.ID, Job: s.Job, State: s.State, Attempt: s.Attempt, Output: s.Result, Error: s.Error}
	if s.FinishedAt != nil {
		r.FinishedAt = *s.FinishedAt
	}
	return r
}
