package workertest

import (
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/internal/ulid"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

func (s *Server) report(r *wire.Report) (*wire.Reported, *wire.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, failure := s.known(r.Group, r.Node, r.Incarnation)
	if failure != nil {
		return nil, failure
	}
	answer := &wire.Reported{Acks: make([]wire.Ack, len(r.Items))}
	for i := range r.Items {
		answer.Acks[i] = s.item(n, &r.Items[i])
	}
	s.dispatch()
	return answer, nil
}

// item works one item in. Log lines of the latest attempt are taken also after its
// end, everything else only while it is under way.
func (s *Server) item(n *node, it *wire.Item) wire.Ack {
	t := s.tasks[it.Task]
	if t == nil {
		return wire.Ack{Status: wire.AckStale, Message: "there is no such task"}
	}
	if t.ref() != it.AttemptRef || t.owner != n.key || t.node == nil && it.Log == nil {
		return wire.Ack{Status: wire.AckStale, Message: fmt.Sprintf("the task is %s at attempt %d", t.state, t.assign.Attempt)}
	}
	switch {
	case it.Progress != nil:
		t.progress = Progress{Fraction: it.Progress.Fraction, Message: it.Progress.Message}
	case it.Log != nil && len(it.Log.Lines) > 0:
		t.lines[chunkKey{it.Attempt, it.Log.Lines[0].Seq}] = it.Log.Lines
	case it.Checkpoint != nil:
		t.assign.Checkpoint = it.Checkpoint
	case it.Refused != nil:
		s.unassign(t)
		s.wait(t, refusedPause)
	case it.Result != nil:
		s.result(t, it.Result)
	}
	return wire.Ack{Status: wire.AckAccepted}
}

func (s *Server) result(t *task, r *wire.Result) {
	s.unassign(t)
	t.ending = *r
	t.attempts = append(t.attempts, Ended{Attempt: t.assign.Attempt, Ending: r.Outcome, Error: r.Error})
	var pause time.Duration
	if r.AfterMS != nil {
		pause = time.Duration(*r.AfterMS) * time.Millisecond
	}
	switch r.Outcome {
	case wire.OutcomeSucceeded:
		s.finish(t, stateSucceeded)
	case wire.OutcomeCancelled:
		s.finish(t, stateCancelled)
	case wire.OutcomeReleased, wire.OutcomeSnoozed:
		if t.once {
			t.state = stateRetrying
			return
		}
		s.wait(t, pause)
	default:
		if t.used++; t.once || r.NoRetry || t.used >= t.maxAttempts {
			s.finish(t, stateFailed)
			return
		}
		s.wait(t, pause)
	}
}

func (s *Server) heartbeat(r *wire.Heartbeat) (*wire.HeartbeatAnswer, *wire.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, failure := s.known(r.Group, r.Node, r.Incarnation)
	if failure != nil {
		return nil, failure
	}
	n.draining, n.slots, n.lingering = r.Draining, r.Slots, r.Lingering
	answer := &wire.HeartbeatAnswer{Draining: n.drained, Reconnect: n.stream == nil}
	held := make(map[wire.AttemptRef]bool, len(r.Held))
	for _, ref := range r.Held {
		held[ref] = true
		if t := s.tasks[ref.Task]; t == nil || t.ref() != ref || t.node != n {
			answer.Cancel = append(answer.Cancel, wire.Cancel{AttemptRef: ref, Cause: wire.CauseLost})
		}
	}
	for _, t := range s.tasks {
		if t.node != n {
			continue
		}
		if held[t.ref()] {
			delete(n.missing, t.ref())
			continue
		}
		s.missed(n, t)
	}
	s.dispatch() // it may have fewer slots taken than before
	return answer, nil
}

// missed counts a heartbeat that did not hold a dispatched attempt: after two it is
// pushed again, after four it is taken back.
func (s *Server) missed(n *node, t *task) {
	n.missing[t.ref()]++
	switch n.missing[t.ref()] {
	case 2:
		n.push(wire.Frame{Kind: wire.FrameAssign, Assign: []wire.Assignment{t.assign}})
	case 4:
		s.unassign(t)
		s.wait(t, 0)
	}
}

func (s *Server) enqueue(r *wire.Enqueue) (*wire.Enqueued, *wire.Error) {
	if len(r.Tasks) > wire.MaxEnqueueItems {
		return nil, &wire.Error{Code: wire.CodeTooLarge, Field: "tasks", Message: "at most 1000 tasks in one request"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := &wire.Enqueued{Tasks: make([]wire.EnqueuedTask, len(r.Tasks))}
	for i := range r.Tasks {
		answer.Tasks[i] = s.enqueueOne(&r.Tasks[i])
	}
	return answer, nil
}

func (s *Server) enqueueOne(n *wire.NewTask) wire.EnqueuedTask {
	if n.RequestID != "" && !ulid.Valid(n.RequestID) {
		return wire.EnqueuedTask{Error: &wire.Error{Code: wire.CodeInvalid, Field: "requestId", Message: "the request id is no ULID"}}
	}
	if n.Job == "" {
		return wire.EnqueuedTask{Error: &wire.Error{Code: wire.CodeInvalid, Field: "job", Message: "the job is missing"}}
	}
	sp, err := newSpec(n.Job, n.Parameters, []Option{UniqueKey(n.UniqueKey), Trigger("DELAY")})
	if err != nil {
		return wire.EnqueuedTask{Error: &wire.Error{Code: wire.CodeInvalid, Field: "parameters", Message: err.Error()}}
	}
	sp.delay = time.Duration(n.DelayMS) * time.Millisecond
	if n.RunAt != nil {
		sp.delay = time.Until(*n.RunAt)
	}
	var answer wire.EnqueuedTask
	_, repeated := s.requests[n.RequestID]
	if holder := s.keys[keyOf{n.Job, n.UniqueKey}]; holder != nil && n.UniqueKey != "" && !repeated {
		var done bool
		if answer, done = s.held(holder, n, sp.delay); done {
			return answer
		}
	}
	t, existing := s.create(sp, n.RequestID)
	answer.ID, answer.Existing = t.assign.Task, existing
	return answer
}

func (s *Server) moveRequest(r *wire.MoveRequest) (*wire.TaskStatus, *wire.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tasks[r.Task]
	if r.Task == "" {
		t = s.keys[keyOf{r.Job, r.UniqueKey}]
	}
	if t == nil {
		return nil, &wire.Error{Code: wire.CodeNotFound, Message: "there is no such task"}
	}
	delay := time.Duration(r.DelayMS) * time.Millisecond
	if r.RunAt != nil {
		delay = time.Until(*r.RunAt)
	}
	if !s.move(t, delay) {
		return nil, &wire.Error{Code: wire.CodeConflict, Message: "task " + t.assign.Task + " is " + t.state + ": only a task that waits can be rescheduled"}
	}
	return t.status(), nil
}

func (s *Server) cancelRequest(r *wire.CancelRequest) (*wire.TaskStatus, *wire.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tasks[r.Task]
	if r.Task == "" {
		t = s.keys[keyOf{r.Job, r.UniqueKey}]
	}
	if t == nil {
		return nil, &wire.Error{Code: wire.CodeNotFound, Message: "there is no such task"}
	}
	s.cancel(t, wire.CauseCancelled, r.Reason)
	return t.status(), nil
}
