package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// note is what a handler says about one execution.
type note struct {
	Kind    string // start, effect, end, or aborted
	Task    string
	Job     string
	Slot    time.Time // the scheduled instant
	Attempt int
	Fence   int64
	Node    string
	PID     int
	At      time.Time
	Refused bool // of an effect: a later attempt had its effect already
}

// witness is the ledger of what really ran, kept by this process and thus out of
// reach of every fault: handlers report to it past all proxies, and it guards their
// effects by the fencing token as a store of theirs would. It keeps every note in a
// file of the evidence too.
type witness struct {
	url    string
	server *http.Server

	mu     sync.Mutex
	notes  []note
	tokens map[string]int64 // highest token whose effect was let through, by task
	file   *os.File
}

func newWitness(dir string) (*witness, error) {
	file, err := os.Create(filepath.Join(dir, "witness.jsonl"))
	if err != nil {
		return nil, err
	}
	listener, err := listen()
	if err != nil {
		return nil, err
	}
	w := &witness{url: "http://" + listener.Addr().String(), tokens: map[string]int64{}, file: file}
	w.server = &http.Server{Handler: w, ReadHeaderTimeout: patience}
	go func() { _ = w.server.Serve(listener) }() // ends with close
	return w, nil
}

func (w *witness) close() {
	_ = w.server.Close() // its clients are dead
	_ = w.file.Close()
}

// ServeHTTP takes one note and answers 200, or 409 for an effect that comes too late.
func (w *witness) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	var n note
	if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
		out.WriteHeader(http.StatusBadRequest)
		return
	}
	if !w.take(n) {
		out.WriteHeader(http.StatusConflict)
	}
}

// take keeps a note and says whether its effect, if it is one, was let through.
func (w *witness) take(n note) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n.Kind == noteEffect {
		if w.tokens[n.Task] > n.Fence {
			n.Refused = true
		} else {
			w.tokens[n.Task] = n.Fence
		}
	}
	w.notes = append(w.notes, n)
	line, err := json.Marshal(n)
	if err == nil {
		_, _ = w.file.Write(append(line, '\n')) // a copy for people
	}
	return !n.Refused
}

// all answers the notes so far in the order in which they came.
func (w *witness) all() []note {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.notes)
}

// token answers the highest token whose effect was let through.
func (w *witness) token(task string) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tokens[task]
}

// running answers the executions that have begun and not ended, with their process.
func (w *witness) running() []note {
	w.mu.Lock()
	defer w.mu.Unlock()
	type key struct {
		task    string
		attempt int
		pid     int
	}
	open := map[key]note{}
	for _, n := range w.notes {
		k := key{n.Task, n.Attempt, n.PID}
		switch n.Kind {
		case noteStart:
			open[k] = n
		case noteEnd, noteAborted:
			delete(open, k)
		}
	}
	all := make([]note, 0, len(open))
	for _, n := range open {
		all = append(all, n)
	}
	return all
}

// until waits until seen answers true of the notes, the limit is over or ctx ends.
func (w *witness) until(ctx context.Context, limit time.Duration, seen func([]note) bool) {
	waitUntil(ctx, limit, func() bool { return seen(w.all()) })
}

// waitUntil looks again and again until ok answers true, the limit is over or ctx ends.
func waitUntil(ctx context.Context, limit time.Duration, ok func() bool) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
	return true
}
