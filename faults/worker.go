package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// workerEnv makes this program a worker process; its value is the node's name.
const workerEnv = "BELFRY_FAULTS_WORKER"

const (
	noteStart   = "start"
	noteEffect  = "effect"
	noteEnd     = "end"
	noteAborted = "aborted" // the handler's context ended first
)

const (
	slotsEach = 30 // of a worker in each group
	drainFor  = 2 * time.Second
)

// parameters of the jobs' handler.
type parameters struct {
	MS   int  `json:"ms"`   // how long it works
	Deaf bool `json:"deaf"` // it does not listen to its context
}

// result is what a handler answers: the checker compares it with who was to answer.
type result struct {
	Attempt int `json:"attempt"`
	PID     int `json:"pid"`
}

// reporter sends notes to the witness.
type reporter struct {
	url  string
	node string
}

// runWorker runs one node in each group until SIGTERM.
func runWorker() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	rep := reporter{url: os.Getenv("WITNESS"), node: os.Getenv(workerEnv)}
	var running sync.WaitGroup
	var failed atomic.Bool
	for group := range strings.SplitSeq(os.Getenv("GROUPS"), ",") {
		w, err := worker.New(worker.Config{
			Server: os.Getenv("SERVERS"), App: appName, Key: os.Getenv("KEY"), Group: group, Name: group + "-" + rep.node, Slots: slotsEach,
			DrainTimeout: drainFor, Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		worker.Handle(w, handlerName, rep.handle)
		running.Go(func() {
			if err := w.Run(ctx); err != nil {
				fmt.Fprintln(os.Stderr, err)
				failed.Store(true)
			}
		})
	}
	running.Wait()
	if failed.Load() {
		return 1
	}
	return 0
}

var errFenced = errors.New("a later attempt had its effect already")

// handle is the work of every job: it works for a while, has its effect, and answers.
func (r reporter) handle(ctx context.Context, t *worker.Task, p parameters) error {
	if _, err := r.tell(t, noteStart); err != nil {
		return err
	}
	done := ctx.Done()
	if p.Deaf {
		done = nil
	}
	work := time.NewTimer(time.Duration(p.MS) * time.Millisecond)
	defer work.Stop()
	select {
	case <-work.C:
	case <-done:
		_, err := r.tell(t, noteAborted)
		return errors.Join(context.Cause(ctx), err)
	}
	let, err := r.tell(t, noteEffect)
	if err != nil {
		return err
	}
	if _, err := r.tell(t, noteEnd); err != nil {
		return err
	}
	if !let {
		return errFenced
	}
	return t.SetResult(result{Attempt: t.Attempt, PID: os.Getpid()})
}

// tell sends a note and says whether it was let through.
func (r reporter) tell(t *worker.Task, kind string) (bool, error) {
	body, err := json.Marshal(note{
		Kind: kind, Task: t.ID, Job: t.JobName, Slot: t.ScheduledAt, Attempt: t.Attempt, Fence: t.Fence,
		Node: r.node, PID: os.Getpid(), At: time.Now().UTC(),
	})
	if err != nil {
		return false, err
	}
	// Not the handler's context: what an aborted one has to say must arrive as well.
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, r.url, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false, err
	}
	_ = res.Body.Close() // empty
	return res.StatusCode == http.StatusOK, nil
}
