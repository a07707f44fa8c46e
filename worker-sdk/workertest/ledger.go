package workertest

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// States of a task, as in the API.
const (
	stateWaiting   = "WAITING"
	stateRunning   = "RUNNING"
	stateRetrying  = "RETRYING"
	stateSucceeded = "SUCCEEDED"
	stateFailed    = "FAILED"
	stateCancelled = "CANCELLED"
)

// refusedPause keeps a worker that refuses everything from being asked in a loop.
const refusedPause = 100 * time.Millisecond

// task is a task and its current attempt; guarded by Server.mu.
type task struct {
	assign      wire.Assignment
	state       string
	used        int // attempts used up
	maxAttempts int
	once        bool    // the first ending is the last
	lost        bool    // its attempt was given up for good
	due         bool    // stands in Server.queue
	moves       int     // how often it was given another instant: older timers are void
	node        *node   // of the current attempt; nil while none is under way
	last        *node   // of the latest attempt
	owner       nodeKey // likewise, by name

	ending   wire.Result
	attempts []Ended
	lines    map[chunkKey][]wire.LogLine
	progress Progress
}

// chunkKey recognises a chunk of lines that comes twice.
type chunkKey struct {
	attempt int
	first   int64
}

func (t *task) ref() wire.AttemptRef {
	return wire.AttemptRef{Task: t.assign.Task, Attempt: t.assign.Attempt}
}

// active reports whether an attempt is under way.
func (t *task) active() bool { return t.node != nil }

func (t *task) final() bool {
	return t.state == stateSucceeded || t.state == stateFailed || t.state == stateCancelled
}

func (s *Server) create(sp spec, request string) (t *task, existing bool) {
	if id, ok := s.requests[request]; ok && request != "" {
		return s.tasks[id], true
	}
	key := keyOf{sp.assign.Job, sp.assign.UniqueKey}
	if key.key != "" && s.keys[key] != nil {
		return s.keys[key], true
	}
	t = &task{
		assign: sp.assign, state: stateWaiting, used: sp.attempt - 1, maxAttempts: sp.maxAttempts, once: sp.once,
		lines: map[chunkKey][]wire.LogLine{},
	}
	t.assign.Task, t.assign.Attempt = newTaskID(), sp.attempt-1
	if t.assign.ScheduledAt.IsZero() {
		t.assign.ScheduledAt = time.Now().UTC().Add(sp.delay)
	}
	s.tasks[t.assign.Task] = t
	if request != "" {
		s.requests[request] = t.assign.Task
	}
	if key.key != "" {
		s.keys[key] = t
	}
	s.wait(t, sp.delay)
	return t, false
}

// wait makes t be handed out after d.
func (s *Server) wait(t *task, d time.Duration) {
	if t.state != stateWaiting {
		t.state = stateRetrying
	}
	if d > 0 {
		moves := t.moves
		s.after(d, func() {
			if t.moves == moves {
				s.enter(t)
			}
		})
		s.touch()
		return
	}
	s.enter(t)
}

// move gives t, which waits, another instant; it answers false when t does not.
func (s *Server) move(t *task, d time.Duration) bool {
	if t.final() || t.node != nil {
		return false
	}
	t.moves++
	if t.due {
		t.due = false
		s.queue = slices.DeleteFunc(s.queue, func(queued *task) bool { return queued == t })
	}
	s.wait(t, d)
	return true
}

// held does what a rule says about t, which holds the key of the task that is asked
// for; it answers false when that task is to be made.
func (s *Server) held(t *task, n *wire.NewTask, delay time.Duration) (wire.EnqueuedTask, bool) {
	id := t.assign.Task
	conflict := wire.EnqueuedTask{Error: &wire.Error{
		Code: wire.CodeConflict, Field: "uniqueKey", Message: "task " + id + " holds the unique key and runs: wait for its end, or cancel it first",
	}}
	switch n.OnKeyHeld {
	case wire.KeyReschedule:
		if !s.move(t, delay) {
			return conflict, true
		}
		if n.RequestID != "" {
			s.requests[n.RequestID] = id
		}
		return wire.EnqueuedTask{ID: id, Existing: true, Moved: true}, true
	case wire.KeyReplace:
		if t.node != nil {
			return conflict, true
		}
		s.cancel(t, wire.CauseReplaced, "")
		return wire.EnqueuedTask{Replaced: id}, false
	}
	return wire.EnqueuedTask{ID: id, Existing: true}, true
}

func (s *Server) enter(t *task) {
	if !t.due && !t.final() && t.node == nil {
		t.due = true
		s.queue = append(s.queue, t)
	}
	s.dispatch()
}

// dispatch hands waiting tasks to nodes with free slots, one frame a node.
func (s *Server) dispatch() {
	frames := map[*node][]wire.Assignment{}
	s.queue = slices.DeleteFunc(s.queue, func(t *task) bool {
		if t.final() {
			t.due = false
			return true
		}
		n := s.place(t)
		if n == nil {
			return false
		}
		t.due, t.state, t.node, t.last, t.owner = false, stateRunning, n, n, n.key
		n.running++
		t.assign.Attempt++
		t.assign.MaxAttempts = t.maxAttempts
		frames[n] = append(frames[n], t.assign)
		return true
	})
	for n, list := range frames {
		n.push(wire.Frame{Kind: wire.FrameAssign, Assign: list})
	}
	s.touch()
}

// place returns the least loaded node that can run t, or nil.
func (s *Server) place(t *task) *node {
	var best *node
	for n := range maps.Values(s.nodes) {
		if n.stream == nil || n.drained || n.draining || !s.roomFor(n, t.assign.Handler) {
			continue
		}
		if best == nil || n.running < best.running || n.running == best.running && n.key.name < best.key.name {
			best = n
		}
	}
	return best
}

// unassign frees the slot of the current attempt.
func (s *Server) unassign(t *task) {
	if t.node != nil {
		t.node.running--
		delete(t.node.missing, t.ref())
		t.node = nil
	}
}

func (s *Server) finish(t *task, state string) {
	t.state = state
	if s.keys[keyOf{t.assign.Job, t.assign.UniqueKey}] == t {
		delete(s.keys, keyOf{t.assign.Job, t.assign.UniqueKey})
	}
}

func (s *Server) cancel(t *task, cause, reason string) {
	switch {
	case t.final():
	case t.node != nil:
		t.node.push(wire.Frame{Kind: wire.FrameCancel, Cancel: []wire.Cancel{{AttemptRef: t.ref(), Cause: cause, Reason: reason}}})
	default:
		s.finish(t, stateCancelled)
		s.dispatch()
	}
}

func (t *task) status() *wire.TaskStatus {
	status := &wire.TaskStatus{
		ID: t.assign.Task, Job: t.assign.Job, State: t.state, Final: t.final(), Attempt: t.assign.Attempt,
		Result: t.ending.Result, Error: t.ending.Error,
	}
	if t.final() {
		status.FinishedAt = &t.ending.FinishedAt
	}
	return status
}

func (t *task) outcome() Outcome {
	o := Outcome{
		TaskID: t.assign.Task, State: t.state, Attempt: t.assign.Attempt,
		Ending: t.ending.Outcome, Error: t.ending.Error, Stack: t.ending.Stack, NoRetry: t.ending.NoRetry,
		Result: t.ending.Result, Progress: t.progress, Checkpoint: t.assign.Checkpoint,
		Attempts: slices.Clone(t.attempts), lost: t.lost,
	}
	if ms := t.ending.AfterMS; ms != nil {
		pause := time.Duration(*ms) * time.Millisecond
		o.Pause = &pause
	}
	keys := slices.SortedFunc(maps.Keys(t.lines), func(a, b chunkKey) int {
		if a.attempt != b.attempt {
			return a.attempt - b.attempt
		}
		return int(a.first - b.first)
	})
	for _, key := range keys {
		for _, line := range t.lines[key] {
			out := LogLine{Seq: line.Seq, At: line.At, Level: line.Level, Message: line.Message}
			if len(line.Fields) > 0 {
				_ = json.Unmarshal(line.Fields, &out.Fields) // the report was checked when it came
			}
			o.Logs = append(o.Logs, out)
		}
	}
	return o
}
