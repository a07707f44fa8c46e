package workertest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/client"
	"github.com/belfry-scheduler/belfry/worker-sdk/internal/memhttp"
	"github.com/belfry-scheduler/belfry/worker-sdk/internal/ulid"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// What a worker or client has to give to be let in by a Server.
const (
	URL = "http://belfry.test" // with Server.Client; nothing listens there
	App = "test-app"
	Key = "test-key"
)

// Server is a Belfry server in memory, for tests: it knows every job whose name is
// the name of a handler, hands tasks to the workers that are connected, and keeps
// what they report. It never forgets anything, finds out about lost workers only
// when told (TakeOver) and leaves time limits to the worker. It is an http.Handler,
// so httptest.NewServer serves it on a socket where a test needs one.
type Server struct {
	transport memhttp.Transport
	closed    chan struct{}
	closing   sync.Once

	mu       sync.Mutex
	settings wire.Settings
	inject   func(Call) Fault
	calls    map[string]int // by path
	nodes    map[nodeKey]*node
	tasks    map[string]*task
	previous map[nodeKey]*wire.Previous // processes that are gone
	cutOff   map[string]bool            // incarnations
	down     bool
	blind    bool              // to the slots of handlers
	queue    []*task           // waiting, in the order of their enqueueing
	keys     map[keyOf]*task   // unfinished tasks by unique key
	requests map[string]string // task ids by request id
	timers   []*time.Timer
	changed  chan struct{} // closed at every change
}

type keyOf struct{ job, key string }

// NewServer returns a server that is closed when the test ends.
func NewServer(t testing.TB) *Server {
	t.Helper()
	s := newServer()
	t.Cleanup(s.Close)
	return s
}

func newServer() *Server {
	s := &Server{
		closed: make(chan struct{}),
		settings: wire.Settings{
			HeartbeatMS: 5000, OfflineMS: 15000, ReportMS: 20, KeepAliveMS: 5000,
			LogLimit: 2 << 20, ReportLimit: wire.MaxReportItems, MaxBodyBytes: wire.MaxBodyBytes,
		},
		calls: map[string]int{}, nodes: map[nodeKey]*node{}, tasks: map[string]*task{},
		keys: map[keyOf]*task{}, requests: map[string]string{}, previous: map[nodeKey]*wire.Previous{}, cutOff: map[string]bool{}, changed: make(chan struct{}),
	}
	s.transport.Handler = s
	return s
}

// Close ends all streams and waits until no request is left. It is called by the
// test's clean-up and may be called before.
func (s *Server) Close() {
	s.closing.Do(func() {
		close(s.closed)
		s.mu.Lock()
		for _, timer := range s.timers {
			timer.Stop()
		}
		s.mu.Unlock()
	})
	s.transport.Wait()
}

// Client returns an HTTP client whose requests to any address reach this server
// without a socket.
func (s *Server) Client() *http.Client { return &http.Client{Transport: &s.transport} }

// Config returns a configuration with which a worker of that name connects.
func (s *Server) Config(name string) worker.Config {
	return worker.Config{Server: URL, App: App, Key: Key, Name: name, HTTPClient: s.Client()}
}

// ClientConfig returns a configuration with which a client reaches the server.
func (s *Server) ClientConfig() client.Config {
	return client.Config{Server: URL, App: App, Key: Key, HTTPClient: s.Client()}
}

// Use changes the settings that workers get when they register from now on, and
// tells connected ones.
func (s *Server) Use(change func(*wire.Settings)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.settings)
	for _, n := range s.nodes {
		copied := s.settings
		n.push(wire.Frame{Kind: wire.FrameSettings, Settings: &copied})
	}
}

// Enqueue creates a task of a handler and returns its id; a task that already holds
// its unique key is returned instead.
func (s *Server) Enqueue(handler string, args any, options ...Option) (string, error) {
	sp, err := newSpec(handler, args, options)
	if err != nil {
		return "", fmt.Errorf("workertest: %w", err)
	}
	return s.add(sp), nil
}

func (s *Server) add(sp spec) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, _ := s.create(sp, "")
	return t.assign.Task
}

// Cancel cancels a task as a person would.
func (s *Server) Cancel(id, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tasks[id]; t != nil {
		s.cancel(t, wire.CauseCancelled, reason)
	}
}

// End tells the worker to end the current attempt for one of wire's causes.
func (s *Server) End(id, cause string) { s.end(id, cause, "") }

func (s *Server) end(id, cause, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tasks[id]; t != nil && t.node != nil {
		t.node.push(wire.Frame{Kind: wire.FrameCancel, Cancel: []wire.Cancel{{AttemptRef: t.ref(), Cause: cause, Reason: reason}}})
	}
}

// TakeOver ends the task's current attempt as lost, without telling its worker, and
// hands the task out again; from then on the old attempt's reports are stale.
func (s *Server) TakeOver(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tasks[id]; t != nil && t.node != nil {
		s.unassign(t)
		t.maxAttempts++
		s.wait(t, 0)
	}
}

// PushAgain repeats the current attempt's assignment.
func (s *Server) PushAgain(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tasks[id]; t != nil && t.last != nil {
		t.last.push(wire.Frame{Kind: wire.FrameAssign, Assign: []wire.Assignment{t.assign}})
	}
}

// Push sends an assignment to the node of that name although the server knows of
// no such attempt.
func (s *Server) Push(name string, as wire.Assignment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.nodes {
		if n.key.name == name {
			n.push(wire.Frame{Kind: wire.FrameAssign, Assign: []wire.Assignment{as}})
		}
	}
}

// Overbook makes the server believe that the node of that name has so many slots,
// until its next heartbeat.
func (s *Server) Overbook(name string, slots int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.nodes {
		if n.key.name == name {
			n.slots = slots
		}
	}
	s.dispatch()
}

// IgnoreHandlerSlots makes the server hand out tasks as if no handler had slots of its
// own, as one does whose picture of a worker is old.
func (s *Server) IgnoreHandlerSlots() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blind = true
}

// CutOff makes the process that is registered under that name unreachable for good, as
// if it had crashed or its network were gone: its stream breaks, whatever it sends is
// refused, and its attempts are handed out again. It finds out only by that; another
// process may take the name.
func (s *Server) CutOff(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.nodes {
		if n.key.name == name {
			s.cutOff[n.incarnation] = true
			s.drop(n, false)
		}
	}
	s.dispatch()
}

// Down breaks all streams and refuses every connection until Up. Tasks and
// registrations are kept, as by a server that stands on a database.
func (s *Server) Down() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = true
	for _, n := range s.nodes {
		n.hangUp()
	}
}

// Up ends Down.
func (s *Server) Up() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = false
}

// Disconnect breaks every open stream; with bye the workers are told first.
func (s *Server) Disconnect(bye bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.nodes {
		if bye {
			n.push(wire.Frame{Kind: wire.FrameBye})
			continue
		}
		n.hangUp()
	}
}

// Forget forgets every registration, as a server that has been restarted.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, n := range s.nodes {
		n.hangUp()
		delete(s.nodes, key)
	}
}

// Drain tells the node of that name to take nothing new, or with false to go on.
func (s *Server) Drain(name string, drained bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.nodes {
		if n.key.name == name {
			n.drained = drained
			kind := wire.FrameResume
			if drained {
				kind = wire.FrameDrain
			}
			n.push(wire.Frame{Kind: kind})
		}
	}
	s.dispatch()
}

// Outcome returns what is known about a task at this moment.
func (s *Server) Outcome(id string) (Outcome, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tasks[id]
	if t == nil {
		return Outcome{}, false
	}
	return t.outcome(), true
}

// Wait returns a task's outcome once it is final.
func (s *Server) Wait(ctx context.Context, id string) (Outcome, error) {
	return s.Until(ctx, id, func(o Outcome) bool {
		return o.State == stateSucceeded || o.State == stateFailed || o.State == stateCancelled
	})
}

// Until returns a task's outcome as soon as it satisfies met.
func (s *Server) Until(ctx context.Context, id string, met func(Outcome) bool) (Outcome, error) {
	for {
		s.mu.Lock()
		t, changed := s.tasks[id], s.changed
		if t == nil {
			s.mu.Unlock()
			return Outcome{}, fmt.Errorf("workertest: there is no task %s", id)
		}
		o := t.outcome()
		s.mu.Unlock()
		if met(o) {
			return o, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return o, fmt.Errorf("workertest: task %s is %s: %w", id, o.State, context.Cause(ctx))
		case <-s.closed:
			return o, errors.New("workertest: the server was closed")
		}
	}
}

// Connected returns once n workers have an open stream.
func (s *Server) Connected(ctx context.Context, n int) error {
	for {
		s.mu.Lock()
		open, changed := 0, s.changed
		for _, node := range s.nodes {
			if node.stream != nil {
				open++
			}
		}
		s.mu.Unlock()
		if open == n {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("workertest: %d of %d workers are connected: %w", open, n, context.Cause(ctx))
		}
	}
}

// touch tells everybody who waits that something has changed; s.mu is held.
func (s *Server) touch() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// after calls f, with s.mu held, in d.
func (s *Server) after(d time.Duration, f func()) {
	s.timers = append(s.timers, time.AfterFunc(d, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		f()
	}))
}

func newTaskID() string { return ulid.New() }
